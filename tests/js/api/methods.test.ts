// The methods of the classes of filters: all have the same, under the same names, and no filter has any of its own.
import { describe, expect, jest, test } from '@jest/globals';
import {
  CuckooFilter,
  Deduper,
  DisposedError,
  FilterFullError,
  FormatError,
  InvalidKeyError,
  OutOfMemoryError,
  PackedKeys,
} from 'cuckoofilter-wasm';
import { audited, AuditError } from 'cuckoofilter-wasm/audit';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { FetchRangesError, FilterReader } from 'cuckoofilter-wasm/reader';
import { RedisBatchError, RedisCuckooFilter, RedisFullError } from 'cuckoofilter-wasm/redis';
import { RedisBloomFilter } from 'cuckoofilter-wasm/redisbloom';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { FilterBusyError, SharedCuckooFilter, SharedMemoryError } from 'cuckoofilter-wasm/shared';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { CuckooValues, FoundValues } from 'cuckoofilter-wasm/values';
import {
  COUNTER_ROLES,
  DEDUPER_ROLES,
  EXPIRING_ROLES,
  FILTER_ROLES,
  MERGE_ROLES,
  SCALABLE_ROLES,
  SHARED_ROLES,
  TABLE_ROLES,
  TRACED_ROLES,
  VALUES_ROLES,
  type Effect,
  type Role,
  type Takes,
} from '../../../js/src/abilities/roles';
import { sameBytes, thrownBy } from '../support/random';

/** The names of the methods of a class and of those it extends. */
function methodsOf(Class: { prototype: object }): string[] {
  const names = new Set<string>();
  for (let at = Class.prototype; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (name !== 'constructor' && typeof value === 'function') names.add(name);
  return [...names].sort();
}

type Method = (...given: unknown[]) => unknown;

const options = { capacity: 100 };

/** One of each class, and of each way that filters are made. */
function everyFilter(): object[] {
  const onGrow = (): void => undefined;
  const plain = new CuckooFilter({ ...options, maxCapacity: 1000, onGrow });
  return [
    plain,
    new CuckooFilter(options),
    plain.clone(),
    CuckooFilter.from(['a']),
    CuckooFilter.deserialize(plain.serialize()),
    new ScalableCuckooFilter({ ...options, onGrow }),
    new Traced({ ...options, maxCapacity: 1000, onGrow }).trace(() => undefined),
    new ExpiringFilter({ ...options, maxCapacity: 1000, periods: 2, onGrow }),
    new CuckooValues({ ...options, maxCapacity: 1000, valueBits: 4, onGrow }),
    new CuckooCounter({ ...options, maxCapacity: 1000, onGrow }),
  ];
}

/** Audited ones. */
function auditedFilters(): object[] {
  const growing = { ...options, maxCapacity: 1000, onGrow: (): void => undefined };
  return [
    audited(new CuckooFilter(growing)),
    audited(new CuckooFilter(options)).clone(),
    audited(new ScalableCuckooFilter(growing)),
    audited(new Traced(options)),
  ];
}

/** What each class is tested with: the roles of its methods, a filter that holds 'a', and what its methods take. */
interface Subject {
  readonly roles: Readonly<Record<string, Role>>;
  readonly make: () => object;
  /** What the methods take that need more than their role says. */
  readonly given?: Readonly<Record<string, readonly unknown[]>>;
}
const ofTables = { ...FILTER_ROLES, ...TABLE_ROLES };
const SUBJECTS: Readonly<Record<string, Subject>> = {
  CuckooFilter: { roles: { ...ofTables, ...MERGE_ROLES }, make: () => new CuckooFilter(options).add('a') },
  ScalableCuckooFilter: {
    roles: { ...ofTables, ...SCALABLE_ROLES },
    make: () => new ScalableCuckooFilter(options).add('a'),
  },
  'traced CuckooFilter': {
    roles: { ...ofTables, ...MERGE_ROLES, ...TRACED_ROLES },
    make: () => new Traced(options).add('a'),
    given: { trace: [0] },
  },
  SharedCuckooFilter: {
    roles: { ...ofTables, ...SHARED_ROLES },
    make: () => new SharedCuckooFilter(options).add('a'),
    given: { reclaim: [1000] },
  },
  ExpiringFilter: {
    roles: { ...FILTER_ROLES, ...EXPIRING_ROLES },
    make: () => {
      const filter = new ExpiringFilter({ ...options, periods: 2 });
      filter.isNew('a');
      return filter;
    },
  },
  CuckooValues: {
    roles: { ...FILTER_ROLES, ...VALUES_ROLES },
    make: () => new CuckooValues({ ...options, valueBits: 4 }).set('a', 1),
    given: { set: ['a', 2], setMany: [['a'], 2] },
  },
  CuckooCounter: {
    roles: { ...FILTER_ROLES, ...COUNTER_ROLES },
    make: () => new CuckooCounter(options).add('a'),
  },
  Deduper: { roles: DEDUPER_ROLES, make: () => new Deduper(CuckooFilter.from(['a'], options)) },
};

/** Calls a method of `filter`, which holds 'a', as its role says, or as `subject` does. */
async function call(filter: object, name: string, { roles, make, given }: Subject): Promise<unknown> {
  const takes = { key: ['a'], 'two keys': ['a', 'b'], keys: [['a']], filter: [make()], nothing: [] };
  const args = given?.[name] ?? takes[roles[name]?.[1] ?? 'nothing'];
  return (filter as Record<string, Method>)[name]?.(...args);
}

describe.each(Object.entries(SUBJECTS))('each method of a %s', (kind, subject) => {
  test('has a role in js/src/abilities/roles.ts', () => {
    const names = methodsOf(subject.make().constructor as { prototype: object });
    expect(names).toEqual(Object.keys(subject.roles).sort());
  });

  const roles = Object.entries(subject.roles).map(
    ([name, [effect, takes]]) => [name, effect, takes] as const,
  );
  test.each(roles)('keeps its promises: %s, which %s', async (name, effect) => {
    const filter = subject.make() as CuckooFilter;
    const before = filter.serialize();
    const end = await call(filter, name, subject).then(
      () => 'done',
      (error: unknown) => String(error),
    );
    expect(end).toBe('done');
    if (name === 'dispose') return;
    if (effect !== 'changes') expect(sameBytes(filter.serialize(), before)).toBe(true);
    filter.dispose();
    if (name === 'toJSON') return;
    await expect((async () => call(filter, name, subject))()).rejects.toThrow(DisposedError);
  });

  const NO_KEYS = {
    key: [[null]],
    'two keys': [
      [null, 'a'],
      ['a', null],
    ],
    keys: [[['a', null]]],
    filter: [],
    nothing: [],
  };
  const onKeys = roles.filter(([, , takes]) => NO_KEYS[takes].length > 0);
  test.each(onKeys)('refuses what is no key: %s, which %s and takes %s', async (name, _, takes) => {
    const more = subject.given?.[name]?.slice(1) ?? [];
    for (const given of NO_KEYS[takes]) {
      const filter = subject.make() as unknown as Record<string, Method> & CuckooFilter;
      const before = filter.serialize();
      const error = await (async () => filter[name]?.(...given, ...more))().catch(
        (thrown: unknown) => thrown,
      );
      expect([name, error]).toEqual([name, expect.any(InvalidKeyError)]);
      expect([name, (error as InvalidKeyError).index]).toEqual([name, takes === 'keys' ? 1 : undefined]);
      if (takes !== 'keys') expect(sameBytes(filter.serialize(), before)).toBe(true);
    }
  });

  test('changes nothing where it throws FilterFullError', async () => {
    const full = new Set<string>();
    for (const [name, effect, takes] of roles) {
      if (effect !== 'changes' || takes === 'nothing') continue;
      const more = subject.given?.[name]?.slice(1) ?? [];
      const filter = subject.make() as unknown as Record<string, Method> & CuckooFilter;
      for (let i = 0; i < 300; ++i) {
        const others = takes === 'filter' ? [filter.clone()] : [];
        // Of two keys, the first sometimes still fits.
        const given = { key: [i], 'two keys': [i, `${i}`], keys: [[i]], filter: others }[takes];
        const before = filter.serialize();
        const error = await (async () => filter[name]?.(...given, ...more))().catch(
          (thrown: unknown) => thrown,
        );
        if (!(error instanceof FilterFullError)) continue;
        full.add(name);
        expect([name, sameBytes(filter.serialize(), before)]).toEqual([name, true]);
      }
    }
    // A scalable filter adds a layer instead.
    expect(full.size > 0).toBe(kind !== 'ScalableCuckooFilter');
  });

  test('fills an array that the caller keeps, if it answers in one', async () => {
    for (const [name, effect] of roles) {
      if (effect === 'neither' || name.endsWith('Async')) continue;
      const answers = (await call(subject.make(), name, subject)) as Uint8Array;
      if (!ArrayBuffer.isView(answers)) continue;
      const into = new (answers.constructor as Uint8ArrayConstructor)(3).fill(7);
      const filter = subject.make() as unknown as Record<string, Method>;
      expect([name, filter[name]?.(['a'], into) === into, ...into]).toEqual([name, true, answers[0], 7, 7]);
    }
  });

  test('is no getter that changes an entry, and getters of a filter that was disposed of are a DisposedError', () => {
    const filter = subject.make() as CuckooFilter;
    const before = filter.serialize();
    const getters: [string, () => unknown][] = [];
    for (let at = filter as object; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
      for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
        if (get !== undefined) getters.push([name, get]);
    for (const [name, get] of getters) {
      get.call(filter);
      expect([name, sameBytes(filter.serialize(), before)]).toEqual([name, true]);
    }
    filter.dispose();
    for (const [name, get] of getters) {
      if (name === 'filter') continue; // of a Deduper, whose filter says so itself
      expect([name, thrownBy(DisposedError, () => get.call(filter)).code]).toEqual([name, 'disposed']);
    }
  });
});

test('a filter has none of its own, whatever its options and however it is made', () => {
  for (const filter of [...everyFilter(), ...auditedFilters()]) {
    expect(Object.getOwnPropertyNames(filter)).toEqual([]);
    expect(Object.getOwnPropertySymbols(filter)).toEqual([Symbol.for('cuckoofilter-wasm.content')]);
    expect(Object.keys(filter)).toEqual([]);
  }
});

describe.each(['CuckooFilter', 'traced CuckooFilter', 'ScalableCuckooFilter'])('an audited %s', (kind) => {
  const subject = SUBJECTS[kind] as Subject;
  /** An audited filter that holds 'a', and the filter inside. */
  const pair = (): { inner: CuckooFilter; filter: CuckooFilter } => {
    const inner = subject.make() as CuckooFilter;
    inner.clear();
    return { inner, filter: audited(inner).add('a') };
  };
  const watched: Subject = { ...subject, make: () => pair().filter };
  const withEffect = (effect: Effect): string[] =>
    Object.keys(subject.roles).filter((name) => subject.roles[name]?.[0] === effect);

  test.each(withEffect('asks'))('finds in %s that a key was lost', async (name) => {
    const { inner, filter } = pair();
    inner.delete('a');
    await expect(call(filter, name, watched)).rejects.toThrow(AuditError);
  });

  /** What each call that takes so much is given: 'a', which is there, and 'b', which is not. */
  const given = (takes: Takes): readonly (readonly unknown[])[] => {
    const other = pair().filter.add('b');
    return {
      key: [['a'], ['b']],
      'two keys': [
        ['a', 'b'],
        ['b', 'a'],
      ],
      keys: [[['a']], [['b', 'a', 'b']], [['a', 'b']]],
      filter: [[other]],
      nothing: [[]],
    }[takes];
  };

  test.each(withEffect('changes'))('keeps account of what %s does', async (name) => {
    const takes = subject.roles[name]?.[1] ?? 'nothing';
    let changes = 0;
    for (const args of given(takes)) {
      const { inner, filter } = pair();
      const before = inner.serialize();
      await (async () => (filter as unknown as Record<string, Method>)[name]?.(...args))().catch(
        (error: unknown) => {
          expect(error).toBeInstanceOf(AuditError);
        },
      );
      if (!sameBytes(inner.serialize(), before)) ++changes;
      for (const key of ['a', 'b']) {
        const copies = inner.count(key);
        // More in the account than in the filter is an AuditError.
        expect([name, args, key, filter.count(key)]).toEqual([name, args, key, copies]);
        for (let i = 0; i < copies; ++i) {
          inner.delete(key);
          expect(() => filter.count(key)).toThrow(AuditError);
        }
      }
    }
    // Otherwise nothing was checked.
    if (name !== 'shrink') expect([name, changes]).not.toEqual([name, 0]);
    const another = pair();
    another.inner.dispose();
    await expect((async () => call(another.filter, name, watched))()).rejects.toThrow(DisposedError);
  });

  test('has every other method of its class', () => {
    for (const name of withEffect('neither'))
      expect([name, typeof pair().filter[name as 'clone']]).toEqual([name, 'function']);
  });
});

test.each(Object.entries(SUBJECTS['traced CuckooFilter']?.roles ?? {}))(
  'the trace tells of what %s does, if it changes or asks',
  async (name, [effect]) => {
    const subject = SUBJECTS['traced CuckooFilter'] as Subject;
    const calls: unknown[] = [];
    const filter = new Traced(options).trace((events) => void calls.push(events));
    await call(filter, name, subject);
    expect(calls).toHaveLength(effect === 'neither' ? 0 : 1);
  },
);

test('the methods of a class and of an object can be replaced, as those of any can', () => {
  const prototypes = [
    CuckooFilter,
    ScalableCuckooFilter,
    Traced,
    ExpiringFilter,
    CuckooValues,
    CuckooCounter,
  ];
  for (const holder of [new Deduper(options), Deduper.prototype, ...prototypes.map((each) => each.prototype)])
    for (const key of Reflect.ownKeys(holder)) {
      const { value, ...rights } = Object.getOwnPropertyDescriptor(holder, key) ?? {};
      if (typeof value === 'function')
        expect([key, rights]).toEqual([key, { configurable: true, enumerable: false, writable: true }]);
    }
  for (const filter of everyFilter() as CuckooFilter[]) {
    jest.spyOn(filter, 'has').mockReturnValue(true);
    expect(filter.has('never added')).toBe(true);
  }
});

test('every class that owns memory, and every error, has its own name, although the bundles are minified', () => {
  const classes = {
    ...{ CuckooFilter, ScalableCuckooFilter, ExpiringFilter, CuckooValues, CuckooCounter, Deduper },
    ...{ AuditError, DisposedError, FilterFullError, FormatError, InvalidKeyError, OutOfMemoryError },
    ...{
      FetchRangesError,
      FilterReader,
      FoundValues,
      PackedKeys,
      SharedCuckooFilter,
      FilterBusyError,
      SharedMemoryError,
    },
    ...{ RedisBatchError, RedisBloomFilter, RedisCuckooFilter, RedisFullError },
  };
  for (const [name, Class] of Object.entries(classes)) expect(Class.name).toBe(name);
  expect(Traced.name).toBe('CuckooFilter');
});
