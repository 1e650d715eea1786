// What the compiler says of the kinds of keys: a filter of one kind takes no other, in any call of any class.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type ts from 'typescript';
import { problemsIn, programOf } from '../support/compiled';

/** Keys of each kind as a program writes them: one, and many. */
const KINDS = {
  string: { one: ["'a'", "'b' as string"], many: ["['a']", "new Set(['a'])"] },
  number: { one: ['5'], many: ['[5]', 'new Uint32Array(1)', 'new Float64Array(1)'] },
  bigint: { one: ['5n'], many: ['[5n]', 'new BigUint64Array(1)'] },
  Uint8Array: {
    one: ['new Uint8Array(1)', 'new ArrayBuffer(1)', 'new DataView(new ArrayBuffer(1))'],
    many: ['[new Uint8Array(1)]', 'new PackedKeys(new Uint8Array(1), Uint32Array.of(1))'],
  },
} as const;
type Kind = keyof typeof KINDS;
const NAMES = Object.keys(KINDS) as Kind[];

/** Integers are one kind, whichever type they have. */
function isSame(one: Kind, other: Kind): boolean {
  const kindOf = (name: Kind): string => (name === 'bigint' ? 'number' : name);
  return kindOf(one) === kindOf(other);
}

/** The calls of a class with one key and with many; further arguments follow a comma. */
interface Calls {
  readonly from: string;
  readonly one: readonly string[];
  readonly many: readonly string[];
}

const LOOKUPS: Omit<Calls, 'from'> = { one: ['contains', 'has'], many: ['containsMany', 'hasMany'] };
const TABLE: Omit<Calls, 'from'> = {
  one: [...LOOKUPS.one, 'add', 'tryAdd', 'addIfAbsent', 'count', 'delete'],
  many: [...LOOKUPS.many, 'addMany', 'addManyIfAbsent', 'countMany', 'deleteMany', 'addManyAsync'],
};
const DEDUPER = { one: ['isNew', 'hasSeen'], many: ['areNew', 'haveSeen', 'areNewAsync'] };
const CLASSES: Readonly<Record<string, Calls>> = {
  CuckooFilter: { from: '', ...TABLE },
  ScalableCuckooFilter: { from: '/scalable', ...TABLE },
  SharedCuckooFilter: { from: '/shared', ...TABLE },
  TracedCuckooFilter: { from: '/trace', ...TABLE },
  ExpiringFilter: {
    from: '/expiring',
    one: [...LOOKUPS.one, ...DEDUPER.one],
    many: [...LOOKUPS.many, ...DEDUPER.many],
  },
  Deduper: { from: '', ...DEDUPER },
  CuckooCounter: {
    from: '/counter',
    one: [...LOOKUPS.one, 'add', 'tryAdd', 'count', 'delete', 'add, 3'],
    many: [...LOOKUPS.many, 'addMany', 'countMany', 'deleteMany', 'addManyAsync', 'addMany, [3]'],
  },
  CuckooValues: {
    from: '/values',
    one: [...LOOKUPS.one, 'set, 1', 'get', 'delete', 'delete, 1'],
    many: [...LOOKUPS.many, 'setMany, 1', 'getMany', 'deleteMany'],
  },
  FilterReader: { from: '/reader', one: [...LOOKUPS.one, 'count'], many: LOOKUPS.many },
  RemoteFilter: { from: '/reader', one: ['locate', 'answer, []'], many: [] },
  RedisCuckooFilter: {
    from: '/redis',
    one: [...LOOKUPS.one, 'add', 'addIfAbsent', 'count', 'delete'],
    many: [...LOOKUPS.many, 'addMany', 'addManyIfAbsent', 'deleteMany'],
  },
  RedisReplica: { from: '/redis', one: [...LOOKUPS.one, 'count'], many: LOOKUPS.many },
};

/** A program that makes each call of `name` with each kind of key. */
function callsOf(name: string, { from, one, many }: Calls): string {
  const imported = name.startsWith('Traced') ? `CuckooFilter as ${name}` : name;
  const lines = [
    "import { hashKey, hashKeys, PackedKeys, type Key, type Keys } from 'cuckoofilter-wasm';",
    `import type { ${imported} } from 'cuckoofilter-wasm${from}';`,
    'declare const [anyKey, anyKeys, unsure]: [Key, Keys, any];',
  ];
  const call = (filter: string, method: string, key: string): string => {
    const [called = '', ...more] = method.split(', ');
    return `${filter}.${called}(${[key, ...more].join(', ')});`;
  };
  for (const kind of NAMES) {
    const filter = `of${kind}`;
    lines.push(`declare const ${filter}: ${name}<${kind}>;`);
    const each = (methods: readonly string[], form: 'one' | 'many', always: readonly string[]): void => {
      for (const method of methods) {
        for (const key of [...always, 'unsure']) lines.push(call(filter, method, key));
        for (const given of NAMES)
          for (const key of KINDS[given][form]) {
            if (!isSame(kind, given)) lines.push('// @ts-expect-error: another kind of key');
            lines.push(call(filter, method, key));
          }
        lines.push(
          '// @ts-expect-error: may be another kind',
          call(filter, method, form === 'one' ? 'anyKey' : 'anyKeys'),
        );
      }
    };
    each(one, 'one', ["hashKey('x')"]);
    each(many, 'many', ["hashKeys(['x'])", "[hashKey('x')]"]);
  }
  // Without a type, and with several, it takes them all.
  lines.push(`declare const ofAny: ${name}, ofTwo: ${name}<string | number>;`);
  for (const method of one)
    lines.push(call('ofAny', method, 'anyKey'), call('ofTwo', method, "'a'"), call('ofTwo', method, '5n'));
  for (const method of many) lines.push(call('ofAny', method, 'anyKeys'), call('ofTwo', method, "['a', 5]"));
  for (const method of one)
    lines.push('// @ts-expect-error: neither', call('ofTwo', method, 'new Uint8Array(1)'));
  // What takes every key passes for what takes some, and the other way round, as in a Set; but not one kind for another.
  lines.push(
    `const some: ${name}<string> = ofAny, all: ${name} = ofstring, integers: ${name}<number | bigint> = ofbigint, numbers: ${name}<number> = integers;`,
    '// @ts-expect-error: another kind',
    `const wrong: ${name}<string> = ofnumber;`,
    'void [some, all, numbers, wrong];',
  );
  return lines.join('\n');
}

const SAME = `
    type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
    const is = <A, B>(same: Same<A, B>): void => void same;`;

/** What the compiler makes of keys that are given; \`@ts-expect-error\` marks what must not compile. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'a filter made of keys has their kind': `
    import { CuckooFilter, hashKeys, PackedKeys, type Key, type Keys } from 'cuckoofilter-wasm';
    import { CuckooCounter } from 'cuckoofilter-wasm/counter';
    import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
    import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';
    import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
    import { CuckooValues } from 'cuckoofilter-wasm/values';
    ${SAME}
    const texts = CuckooFilter.from(['a']);
    is<typeof texts, CuckooFilter<string>>(true);
    const some = CuckooFilter.from(['a', 'b'] as const);
    is<typeof some, CuckooFilter<string>>(true);
    const numbers = CuckooFilter.from([1, 2]);
    is<typeof numbers, CuckooFilter<number | bigint>>(true);
    const typed = CuckooFilter.from(new Uint32Array(2));
    is<typeof typed, CuckooFilter<number | bigint>>(true);
    const bigs = CuckooFilter.from(new BigInt64Array(2));
    is<typeof bigs, CuckooFilter<number | bigint>>(true);
    const [ids, bigIds]: [CuckooFilter<number>, CuckooFilter<bigint>] = [typed, typed];
    ids.merge(bigs).equals(numbers);
    bigIds.merge(typed);
    const packed = CuckooFilter.from(new PackedKeys(new Uint8Array(1), new Uint32Array(1)));
    is<typeof packed, CuckooFilter<ArrayBufferView | ArrayBufferLike>>(true);
    const bytes: CuckooFilter<Uint8Array> = packed;
    bytes.merge(packed);
    const mixed = CuckooFilter.from(['a', 5]);
    is<typeof mixed, CuckooFilter<string | number | bigint>>(true);
    mixed.add(5n);
    const set = CuckooFilter.from(new Set(['a']));
    is<typeof set, CuckooFilter<string>>(true);
    function* some12() { yield 1; yield 2; }
    const made = CuckooFilter.from(some12());
    is<typeof made, CuckooFilter<number | bigint>>(true);
    declare const all: Keys, one: Key, unsure: any;
    const any = CuckooFilter.from(all);
    is<typeof any, CuckooFilter>(true);
    CuckooFilter.from([one]).add('a').add(5);
    CuckooFilter.from(unsure).has('a');
    CuckooFilter.from(JSON.parse('[]')).has(5);
    CuckooFilter.from(hashKeys(['a'])).has('a');
    CuckooFilter.from([]).has('a');
    const told = CuckooFilter.from<string>([]);
    is<typeof told, CuckooFilter<string>>(true);
    const wanted: CuckooFilter<number> = CuckooFilter.from([]);
    wanted.add(5);
    const values = CuckooValues.from([['a', 1], ['b', 2]], { valueBits: 2 });
    is<typeof values, CuckooValues<string>>(true);
    const map = CuckooValues.from(new Map([[5, 1]]), { valueBits: 2 });
    is<typeof map, CuckooValues<number | bigint>>(true);
    const [grown, counted, shared, traced] = [
      ScalableCuckooFilter.from(['a']), CuckooCounter.from(['a']), SharedCuckooFilter.from(['a']), Traced.from(['a']),
    ] as const;
    is<typeof grown, ScalableCuckooFilter<string>>(true);
    is<typeof counted, CuckooCounter<string>>(true);
    is<typeof shared, SharedCuckooFilter<string>>(true);
    is<typeof traced, Traced<string>>(true);
    // @ts-expect-error: an object is no key
    CuckooFilter.from([{}]);
    // @ts-expect-error: nor is undefined
    CuckooFilter.from(['a', undefined]);`,
  'a filter made of keys that arrive over time has their kind': `
    import { CuckooFilter } from 'cuckoofilter-wasm';
    import { CuckooValues } from 'cuckoofilter-wasm/values';
    ${SAME}
    async function* lines() { yield 'a'; }
    const texts = await CuckooFilter.fromAsync(lines());
    is<typeof texts, CuckooFilter<string>>(true);
    const numbers = await CuckooFilter.fromAsync([1, 2]);
    is<typeof numbers, CuckooFilter<number | bigint>>(true);
    declare const later: Promise<string>[];
    (await CuckooFilter.fromAsync(later)).has('a');
    async function* pairs(): AsyncGenerator<[string, number]> { yield ['a', 1]; }
    const values = await CuckooValues.fromAsync(pairs(), { valueBits: 2 });
    is<typeof values, CuckooValues<string>>(true);`,
  'what is made of a filter keeps its kind': `
    import { CuckooFilter, Deduper } from 'cuckoofilter-wasm';
    import { audited } from 'cuckoofilter-wasm/audit';
    import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
    import { FilterReader, type RemoteFilter } from 'cuckoofilter-wasm/reader';
    import { RedisCuckooFilter, type RedisReplica } from 'cuckoofilter-wasm/redis';
    import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
    import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
    ${SAME}
    const texts = new CuckooFilter<string>({ capacity: 3 });
    const [copy, watched, chained] = [texts.clone(), audited(texts), texts.add('a')] as const;
    is<typeof copy, CuckooFilter<string>>(true);
    is<typeof watched, CuckooFilter<string>>(true);
    is<typeof chained, CuckooFilter<string>>(true);
    const layers = audited(new ScalableCuckooFilter<number>({ capacity: 3 }));
    is<typeof layers, ScalableCuckooFilter<number>>(true);
    const around = new Deduper(texts);
    is<typeof around, Deduper<string>>(true);
    around.filter.has('a');
    is<typeof around.clone, () => Deduper<string>>(true);
    const plain = new CuckooFilter({ capacity: 3 });
    is<typeof plain, CuckooFilter>(true);
    const loaded = CuckooFilter.deserialize<string>(texts.serialize());
    is<typeof loaded, CuckooFilter<string>>(true);
    const anything = CuckooFilter.deserialize(texts.serialize());
    is<typeof anything, CuckooFilter>(true);
    const wanted: CuckooFilter<number> = CuckooFilter.deserialize(texts.serialize());
    const seen: Deduper<string> = Deduper.deserialize(texts.serialize());
    const hour: ExpiringFilter<string> = ExpiringFilter.deserialize(texts.serialize());
    const reader = new FilterReader<string>(texts.serialize());
    const remote: RemoteFilter<string> = FilterReader.remote<string>(texts.serialize());
    const redis = await RedisCuckooFilter.open<string>({ send: async () => 0, name: 'a', capacity: 3 });
    is<typeof redis, RedisCuckooFilter<string>>(true);
    const replica = await redis.replica();
    is<typeof replica, RedisReplica<string>>(true);
    await redis.publish(texts);
    texts.merge(loaded).mergeIfAbsent(anything);
    texts.equals(copy);
    // @ts-expect-error: their keys have nothing in common
    texts.merge(wanted);
    // @ts-expect-error: nor have those
    texts.equals(wanted);
    // @ts-expect-error: nor those
    seen.merge(new Deduper<number>({ capacity: 3 }));
    // @ts-expect-error: nor those on a server
    await redis.publish(wanted);
    const traced = new Traced<string>({ capacity: 3 }).trace(0);
    is<typeof traced, Traced<string>>(true);
    class Own<K extends string> extends CuckooFilter<K> {}
    new Own<'a' | 'b'>({ capacity: 3 }).add('a');
    // @ts-expect-error: literal types are kept, as in a Set
    new Own<'a' | 'b'>({ capacity: 3 }).add('c');
    // @ts-expect-error: an object is no key
    void (0 as unknown as CuckooFilter<object>);
    void [hour, reader, remote];`,
  'a shared filter has its kind in every thread': `
    import { SharedCuckooFilter, type SharedFilter } from 'cuckoofilter-wasm/shared';
    ${SAME}
    const texts = new SharedCuckooFilter<string>({ capacity: 3 });
    const message = texts.share();
    is<typeof message, SharedFilter<string>>(true);
    const same = SharedCuckooFilter.attach(message);
    is<typeof same, SharedCuckooFilter<string>>(true);
    declare const workerData: any, unsure: unknown;
    const data = workerData as { readonly seen: SharedFilter<number> };
    const there = SharedCuckooFilter.attach(data.seen);
    is<typeof there, SharedCuckooFilter<number>>(true);
    const told = SharedCuckooFilter.attach<string>(workerData);
    is<typeof told, SharedCuckooFilter<string>>(true);
    const plain = SharedCuckooFilter.attach(unsure);
    is<typeof plain, SharedCuckooFilter>(true);
    SharedCuckooFilter.attach(workerData).has('a');
    const wanted: SharedCuckooFilter<string> = SharedCuckooFilter.attach(unsure);
    // @ts-expect-error: one of strings
    const wrong: SharedFilter<number> = message;
    void [wanted, wrong];`,
  'a file is loaded as a filter of the kind that is named': `
    import { CuckooFilter, Deduper } from 'cuckoofilter-wasm';
    import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
    import { load, take } from 'cuckoofilter-wasm/file';
    ${SAME}
    const any = await load('any', CuckooFilter);
    is<typeof any, CuckooFilter | undefined>(true);
    const numbers = await load('numbers', CuckooFilter<number>, { maxBytes: 5 });
    is<typeof numbers, CuckooFilter<number> | undefined>(true);
    const hour = await load('hour', ExpiringFilter<string>, { every: 5 });
    is<typeof hour, ExpiringFilter<string> | undefined>(true);
    // @ts-expect-error: a filter of numbers
    numbers?.has('a');
    const wanted: CuckooFilter<string> | undefined = await load('wanted', CuckooFilter);
    const taken = await take('taken', Deduper, () => new Deduper<string>({ capacity: 3 }));
    is<typeof taken, Deduper<string>>(true);
    // @ts-expect-error: built of another kind
    await take('taken', Deduper<number>, () => new Deduper<string>({ capacity: 3 }));
    // @ts-expect-error: builds nothing
    await take('taken', Deduper, () => {});
    void wanted;`,
  'answers go into an array of their type': `
    import { CuckooFilter, Deduper, type Bytes, type Counts, type Keys } from 'cuckoofilter-wasm';
    import { CuckooCounter } from 'cuckoofilter-wasm/counter';
    import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
    import { FilterReader } from 'cuckoofilter-wasm/reader';
    import type { RedisReplica } from 'cuckoofilter-wasm/redis';
    declare const all: [CuckooFilter, Deduper, CuckooCounter, ExpiringFilter, FilterReader, RedisReplica];
    declare const keys: Keys, kept: Uint8Array, perhaps: Uint8Array | undefined, counts: Uint32Array;
    const [filter, deduper, counter, expiring, reader, replica] = all;
    const made: Bytes[] = [filter.containsMany(keys), filter.hasMany(keys), filter.addManyIfAbsent(keys), reader.hasMany(keys)];
    const same: Uint8Array[] = [
      filter.containsMany(keys, kept), filter.hasMany(keys, perhaps), filter.addManyIfAbsent(keys, perhaps),
      deduper.areNew(keys, kept), deduper.haveSeen(keys, perhaps), expiring.areNew(keys, kept), expiring.haveSeen(keys, perhaps),
      reader.containsMany(keys, kept), reader.hasMany(keys, perhaps), replica.containsMany(keys, perhaps),
    ];
    const counted: Uint32Array[] = [filter.countMany(keys, counts), counter.countMany(keys, counts)];
    const madeCounts: Counts[] = [filter.countMany(keys), counter.countMany(keys)];
    // @ts-expect-error: answers are bytes
    filter.containsMany(keys, counts);
    // @ts-expect-error: counts are not
    filter.countMany(keys, kept);
    // @ts-expect-error: nor are options an array
    deduper.areNew(keys, {});
    class Own extends CuckooFilter { override containsMany(given: Keys): Bytes { return super.containsMany(given); } }
    void [made, same, counted, madeCounts, Own];`,
  'dedupe asks only a judge of its keys': `
    import { CuckooFilter, dedupe, Deduper, dedupeStream, type DeduperLike } from 'cuckoofilter-wasm';
    import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
    interface User { readonly id: number; readonly name: string; readonly mail?: string }
    declare const users: User[], lines: string[], later: AsyncIterable<string>, unsure: any, unknowns: unknown[];
    const texts = new Deduper<string>({ capacity: 3 });
    const numbers = new Deduper<number>({ capacity: 3 });
    const any = new Deduper({ capacity: 3 });
    const own: DeduperLike<string> = { isNew: (key: string) => key === 'a' };
    for (const judge of [texts, any, own, new CuckooFilter<string>({ capacity: 3 }), new ExpiringFilter<string>({ capacity: 3, periods: 2 })]) {
      dedupe(lines, judge);
      dedupe(later, judge);
      dedupe(lines, { deduper: judge });
      dedupe(users, { key: 'name', deduper: judge });
      dedupe(users, { key: ({ name }) => name, deduper: judge });
      dedupe(users, { key: 'mail', deduper: judge });
      dedupeStream<string>(judge);
      dedupeStream<string>({ deduper: judge });
      dedupeStream<User>({ key: 'name', deduper: judge });
      dedupeStream<User>({ key: (user) => user.name, deduper: judge });
    }
    dedupe(users, { key: 'id', deduper: numbers });
    dedupe(users, { key: ({ id }) => id, deduper: numbers });
    dedupe(users, { key: ({ id }) => BigInt(id), deduper: numbers });
    dedupe(unknowns, texts);
    dedupe(unsure, texts);
    dedupe([1, 2], numbers);
    dedupe([1, 2], new CuckooFilter<bigint>({ capacity: 3 }));
    for (const user of dedupe(users, { key: (one) => one.id, capacity: 10 })) user.name.length;
    for (const user of dedupe(users, { key: 'id' })) user.name.length;
    for (const user of dedupe(users, { key: 'id', deduper: numbers })) user.name.length;
    // @ts-expect-error: its keys are numbers
    dedupe(lines, numbers);
    // @ts-expect-error: so are those of a filter
    dedupe(lines, new CuckooFilter<number>({ capacity: 3 }));
    // @ts-expect-error: also if they arrive over time
    dedupe(later, numbers);
    // @ts-expect-error: also as an option
    dedupe(lines, { deduper: numbers });
    // @ts-expect-error: the ids are numbers
    dedupe(users, { key: 'id', deduper: texts });
    // @ts-expect-error: so is what the function returns
    dedupe(users, { key: ({ id }) => id, deduper: texts });
    // @ts-expect-error: what it returns is a string
    dedupe(users, { key: ({ id }) => String(id), deduper: numbers });
    // @ts-expect-error: there is no such property
    dedupe(users, { key: 'nam', deduper: texts });
    // @ts-expect-error: the items are strings
    dedupeStream<string>(numbers);`,
};

describe.each([
  ['a class', Object.entries(CLASSES).map(([name, calls]) => [name, callsOf(name, calls)] as const)],
  ['programs', Object.entries(PROGRAMS)],
] as const)('%s', (_, programs) => {
  let program: ts.Program;
  beforeAll(() => {
    program = programOf(Object.fromEntries(programs.map(([, text], i) => [`kinds${i}.mts`, text])));
  });
  test.each(programs.map(([name], i) => [name, i] as const))('%s', (name, i) => {
    const problems = problemsIn(program).filter((each) => each.startsWith(`/tests/kinds${i}.mts:`));
    expect([name, ...problems]).toEqual([name]);
  });
  test('nothing else is wrong', () => {
    expect(problemsIn(program)).toEqual([]);
  });
});
