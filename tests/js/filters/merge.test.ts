// merge and mergeIfAbsent: against the plain multiset for every shape, all or nothing, what they refuse, and their place
// beside the audit, the trace, workers' shards and the Deduper.
import { describe, expect, test } from '@jest/globals';
import {
  CuckooFilter,
  Deduper,
  DisposedError,
  FilterFullError,
  OutOfMemoryError,
  type CuckooFilterOptions,
} from 'cuckoofilter-wasm';
import { audited, AuditError } from 'cuckoofilter-wasm/audit';
import {
  CuckooFilter as Traced,
  FilterFullError as TracedFull,
  type TraceEvent,
} from 'cuckoofilter-wasm/trace';
import { integers } from '../support/integers';
import { memoryBytes, withMemoryOf } from '../support/memory-spy';
import { claim, sameBytes, thrownBy, withSeed, type Random } from '../support/random';
import { Multiset } from '../support/reference/multiset';
import { xxh64OfInteger } from '../support/reference/xxh64';
import { nameOf, shapes, type Shape } from '../support/shapes';

const HASHES = Array.from({ length: 512 }, (_, key) => xxh64OfInteger(key));
const hashOf = (key: number): bigint => HASHES[key] ?? 0n;

type Method = 'merge' | 'mergeIfAbsent';

/** What `operate` throws, which must leave all `filters` as they were. */
function refusal<T extends Error>(
  kind: new (...args: never[]) => T,
  filters: readonly CuckooFilter[],
  operate: () => unknown,
): T {
  const before = filters.map((filter) => filter.serialize());
  const error = thrownBy(kind, operate);
  filters.forEach((filter, i) =>
    claim(sameBytes(filter.serialize(), before[i] as Uint8Array), () => 'changed'),
  );
  return error;
}

/** Random keys that went into a filter of this shape. */
function filled(shape: Shape, random: Random, count: number, distinct: number): [CuckooFilter, number[]] {
  const filter = new CuckooFilter({ capacity: 1, ...shape });
  const keys = Array.from({ length: count }, () => random.below(distinct));
  return [filter, keys.filter((key) => filter.tryAdd(key) === 'added')];
}

/** Merges two random filters of this shape; false if that was refused. All answers must be the multiset's. */
function agrees(shape: Shape, method: Method, random: Random): boolean {
  const slots = shape.bucketCount * shape.bucketSize;
  const distinct = Math.min(HASHES.length, 2 * slots + 4);
  const [into, own] = filled(shape, random, Math.ceil(slots / 2), distinct);
  const [from, others] = filled(shape, random, Math.ceil(slots / 3), distinct);
  const model = new Multiset(shape);
  for (const key of own) model.add(key, hashOf(key));
  for (const key of others)
    if (method === 'merge' || model.count(hashOf(key)) === 0) model.add(key, hashOf(key));
  const source = from.serialize();
  const before = into.serialize();
  try {
    claim(into[method](from) === into, () => 'the filter is not returned');
  } catch (error) {
    claim(error instanceof FilterFullError && error.added === 0, () => String(error));
    claim(sameBytes(into.serialize(), before), () => 'a merge that failed changed a byte');
    return false;
  } finally {
    claim(sameBytes(from.serialize(), source), () => 'the other filter changed');
  }
  claim(into.size === model.size, () => `size ${into.size}, not ${model.size}`);
  for (let key = 0; key < distinct; ++key)
    claim(into.count(key) === model.count(hashOf(key)), () => `count of ${key} is ${into.count(key)}`);
  if (method === 'mergeIfAbsent') return true;
  claim(into.deleteMany(others) === others.length, () => 'a key of the other filter cannot be deleted');
  claim(!into.containsMany(own).includes(0), () => 'a key is lost');
  claim(into.deleteMany(own) === own.length && into.size === 0, () => 'a key cannot be deleted');
  return true;
}

describe.each(['merge', 'mergeIfAbsent'] as const)('%s', (method) => {
  test(
    'gives what the multiset gives, or changes nothing, for every bucket size, width, storage and addressing',
    withSeed(30, (random) => {
      let merged = 0;
      let refused = 0;
      for (const shape of shapes([1, 2, 7, 16])) {
        try {
          if (agrees(shape, method, random)) ++merged;
          else ++refused;
        } catch (error) {
          throw new Error(nameOf(shape), { cause: error });
        }
      }
      expect(merged).toBeGreaterThan(500);
      expect(refused).toBeGreaterThan(20);
    }),
  );

  const options: CuckooFilterOptions = { capacity: 100, bucketCount: 64, bucketSize: 4, fingerprintBits: 12 };
  const into = new CuckooFilter(options).add('mine');

  test.each([
    [
      { bucketCount: 65 },
      'cannot merge: bucketCount is 64 here, 65 in the other filter. Make both with the same options, such as falsePositiveRate',
    ],
    [
      { bucketSize: 5 },
      'cannot merge: bucketSize is 4 here, 5 in the other filter; semiSort is true here, false in the other filter. Make both with the same options, such as falsePositiveRate',
    ],
    [
      { fingerprintBits: 13 },
      'cannot merge: fingerprintBits is 12 here, 13 in the other filter. Make both with the same options, such as falsePositiveRate',
    ],
    [
      { semiSort: true, fingerprintBits: 11.75 },
      'cannot merge: fingerprintBits is 12 here, 11.75 in the other filter. Make both with the same options, such as falsePositiveRate',
    ],
    [
      { addressing: 'xor' },
      'cannot merge: addressing is reflect here, xor in the other filter. Make both with the same options',
    ],
    [{ seed: 3 }, 'cannot merge: seed is 0 here, 3 in the other filter. Make both with the same options'],
    [
      { seed: 3, capacity: 99, maxKicks: 9 },
      'cannot merge: capacity is 100 here, 99 in the other filter; maxKicks is 500 here, 9 in the other filter; seed is 0 here, 3 in the other filter. Make both with the same options',
    ],
    [
      { hash: { algorithm: 'siphash-1-3', key: new Uint8Array(16) } },
      'cannot merge: hash is xxh64 here, siphash-1-3 in the other filter. Make both with the same options',
    ],
  ] as [Partial<CuckooFilterOptions>, string][])('refuses a filter with %j', (change, message) => {
    const other = new CuckooFilter({ ...options, ...change }).add('theirs');
    expect(refusal(RangeError, [into, other], () => into[method](other)).message).toBe(message);
  });

  test.each<[CuckooFilterOptions, RegExp]>([
    [
      { capacity: 1000, maxKicks: 100 },
      /^cannot merge: maxKicks is 500 here, 100 in the other filter; (?!bucketCount)/,
    ],
    [{ capacity: 2000 }, /capacity is 1000 here, 2000 in the other filter\. .*options$/],
    [
      { capacity: 2 },
      /^cannot merge: capacity is 1000 here, 2 in the other filter\. Make both with the same options$/,
    ],
    [{ capacity: 1000, falsePositiveRate: 0.01 }, /, such as falsePositiveRate$/],
  ])('names the option that was given where it can, for %j', (options, message) => {
    const planned = new CuckooFilter({ capacity: 1000 });
    const other = new CuckooFilter(options);
    expect(refusal(RangeError, [planned, other], () => planned[method](other)).message).toMatch(message);
  });

  test('takes keyed filters under one key, and no others', () => {
    const keyed = (byte: number): CuckooFilter =>
      new CuckooFilter({
        ...options,
        hash: { algorithm: 'siphash-1-3', key: new Uint8Array(16).fill(byte) },
      }).add(byte);
    const [one, same, other] = [keyed(1), keyed(1), keyed(2)];
    expect(refusal(RangeError, [one, other], () => one[method](other)).message).toBe(
      'cannot merge filters with different secret keys',
    );
    expect(one[method](same).count(1)).toBe(method === 'merge' ? 2 : 1);
  });

  test('takes filters that differ in storage, capacity and kicks, and keeps its own', () => {
    const plain = new CuckooFilter({ ...options, semiSort: false }).add('a');
    const sorted = new CuckooFilter({ ...options, semiSort: true, capacity: 9, maxKicks: 3 }).add('b');
    expect(plain[method](sorted).containsMany(['a', 'b'])).toEqual(Uint8Array.of(1, 1));
    expect([plain.capacity, plain.maxKicks, plain.semiSorted]).toEqual([100, 500, false]);
  });

  test.each([[undefined], [null], [5], ['text'], [{}], [new Uint8Array(80)], [new Deduper(options)]])(
    'of %p is a TypeError',
    (other) => {
      expect(() => into[method](other as never)).toThrow(/^other must be a CuckooFilter\b.*, got /);
      expect(() => audited(new CuckooFilter(options))[method](other as never)).toThrow(
        /^other must be a CuckooFilter\b.*, got /,
      );
    },
  );

  test('of a filter of the trace build, whose memory is another, works by its saved bytes', () => {
    using traced = new Traced(options).add('a');
    using plain = new CuckooFilter(options).add('a');
    const expected = into.clone()[method](plain);
    expect(into.clone()[method](traced).equals(expected)).toBe(true);
    expect(new Traced(options)[method](plain as never).has('a')).toBe(true);
    const watched = audited(new CuckooFilter(options));
    expect(() => watched[method](traced)).toThrow('other must be audited, too');
    expect(watched[method](audited(new Traced(options)).add('a')).has('a')).toBe(true);
  });

  test('without memory for those saved bytes is an OutOfMemoryError', () => {
    using traced = new Traced({ capacity: 1, bucketCount: 2 ** 21, bucketSize: 1, fingerprintBits: 8 });
    using plain = new CuckooFilter({ capacity: 1, bucketCount: 2 ** 21, bucketSize: 1, fingerprintBits: 8 });
    const { length } = traced.serialize();
    const rest: CuckooFilter[] = [];
    withMemoryOf(memoryBytes(), () => {
      try {
        for (;;) rest.push(plain.clone());
      } catch {
        // No memory is left for a table of this size.
      }
      expect(refusal(OutOfMemoryError, [plain, traced], () => plain[method](traced)).message).toMatch(
        `not enough memory for a saved filter of ${length} bytes`,
      );
    });
    for (const filter of rest) filter.dispose();
  });

  test('of or into a disposed filter is a DisposedError', () => {
    const gone = new CuckooFilter(options);
    gone.dispose();
    refusal(DisposedError, [into], () => into[method](gone));
    expect(() => gone[method](into)).toThrow(DisposedError);
  });

  test('without memory for a second table is an OutOfMemoryError, and both filters go on', () => {
    const size = { capacity: 1, bucketCount: 2 ** 21, bucketSize: 1, fingerprintBits: 8 };
    for (const Class of [CuckooFilter, Traced]) {
      const [one, other] = [new Class(size).add('a'), new Class(size).add('b')];
      withMemoryOf(memoryBytes(), () => {
        const rest: CuckooFilter[] = [];
        try {
          for (;;) rest.push(new Class(size));
        } catch {
          // No memory is left for a table of this size.
        }
        const { message } = refusal(OutOfMemoryError, [one, other], () => one[method](other));
        expect(message).toMatch(
          /not enough memory for a table of 2097152 bytes for capacity 1: \d+ live filters? holds? \d+ bytes/,
        );
        for (const filter of rest) filter.dispose();
      });
      expect(one[method](other).containsMany(['a', 'b'])).toEqual(Uint8Array.of(1, 1));
    }
  });
});

describe('a filter merged', () => {
  const options = { capacity: 100, bucketCount: 64, bucketSize: 4, fingerprintBits: 14 };

  test('into itself has every copy twice, or is refused as it was', () => {
    const filter = new CuckooFilter(options).add('a').add('a').add('b');
    expect(filter.merge(filter).size).toBe(6);
    expect([filter.count('a'), filter.count('b')]).toEqual([4, 2]);
    filter.mergeIfAbsent(filter);
    expect(filter.size).toBe(6);
    filter.merge(filter);
    const error = refusal(FilterFullError, [filter], () => filter.merge(filter));
    expect([error.reason, error.added]).toEqual(['too-many-copies', 0]);
    expect(error.message).toMatch(/^too many copies of one key: /);
  });

  test('that does not fit says so and is as it was', () => {
    const [one, other] = [new CuckooFilter(options), new CuckooFilter(options)];
    one.addMany(integers(0, 200));
    other.addMany(integers(1000, 100));
    const error = refusal(FilterFullError, [one, other], () => one.merge(other));
    expect([error.reason, error.added]).toEqual(['full', 0]);
    expect(error.message).toMatch(
      /^cannot merge 100 more keys into this filter: it was made for \d+ keys and has 200\. /,
    );
  });

  test.each([2, 3, 5, 8])('of %i shards holds the keys of all, at the planned capacity and rate', (count) => {
    const capacity = 100_000;
    const made = { capacity, falsePositiveRate: 0.01 };
    const union = new CuckooFilter(made);
    for (let shard = 0; shard < count; ++shard) {
      const filter = new CuckooFilter(made);
      filter.addMany(
        Array.from({ length: capacity }, (_, key) => key).filter((key) => key % count === shard),
      );
      // As a worker sends it.
      union.merge(CuckooFilter.deserialize(structuredClone(filter.serialize())));
    }
    expect(union.size).toBe(capacity);
    expect(union.containsMany(integers(0, capacity)).includes(0)).toBe(false);
    const absent = 200_000;
    const found = union.containsMany(integers(capacity, absent)).reduce((sum, one) => sum + one, 0);
    const rate = union.expectedFalsePositiveRate;
    expect(Math.abs(found / absent - rate)).toBeLessThan(5 * Math.sqrt(rate / absent) + 0.02 * rate);
  });

  test('of shards that saw the same keys takes no more slots than one filter, if only what is absent', () => {
    const keys = integers(0, 1000);
    const [one, other] = [CuckooFilter.from(keys), CuckooFilter.from(keys)];
    expect(refusal(FilterFullError, [one, other], () => one.merge(other)).reason).toBe('full');
    expect(one.mergeIfAbsent(other).equals(CuckooFilter.from(keys))).toBe(true);
  });
});

describe('filters that grow, merged', () => {
  const options = { capacity: 100, maxCapacity: 12_800, falsePositiveRate: 0.01 };
  const filled = (row: number, count: number, more: Partial<CuckooFilterOptions> = {}): CuckooFilter =>
    CuckooFilter.from(integers(row, count), { ...options, ...more });

  test.each([
    [50, 60],
    [100, 3000],
    [3000, 100],
    [3000, 3000],
    [1, 12_000],
    [12_000, 1],
    [6400, 6400],
  ])('at any stages, %i keys and %i, hold all keys, as often as both did', (own, others) => {
    const [one, other] = [filled(1, own), filled(2, others)];
    const source = other.serialize();
    const sets = one.clone();
    one.merge(other);
    expect(sameBytes(other.serialize(), source)).toBe(true);
    expect(one.size).toBe(own + others);
    expect(one.maxCapacity).toBe(12_800);
    expect(one.expectedFalsePositiveRate).toBeLessThanOrEqual(0.01);
    expect(one.containsMany(integers(1, own))).not.toContain(0);
    expect(one.containsMany(integers(2, others))).not.toContain(0);
    expect(CuckooFilter.deserialize(one.serialize()).equals(one)).toBe(true);
    sets.mergeIfAbsent(other);
    expect(sets.containsMany(integers(2, others))).not.toContain(0);
    expect(sets.size).toBeLessThanOrEqual(own + others);
    expect(one.deleteMany(integers(2, others))).toBe(others);
    expect(one.containsMany(integers(1, own))).not.toContain(0);
    expect(one.deleteMany(integers(1, own))).toBe(own);
    expect(one.size).toBe(0);
  });

  test('that began at different sizes are at last one', () => {
    const small = filled(1, 3000);
    const { bucketCount, bucketSize, fingerprintBits, semiSorted: semiSort } = new CuckooFilter(options);
    const sizes = { bucketCount: 4 * bucketCount, bucketSize, fingerprintBits, semiSort };
    const large = filled(2, 3000, { capacity: 400, ...sizes });
    expect(large.stats().growths.length).toBeLessThan(small.stats().growths.length);
    const union = small.clone().merge(large);
    expect(union.equals(large.clone().merge(small))).toBe(false);
    for (const each of [union, large.merge(small)])
      expect([each.size, each.deleteMany(integers(1, 3000)), each.deleteMany(integers(2, 3000))]).toEqual([
        6000, 3000, 3000,
      ]);
  });

  test('tell onGrow of every doubling once, and count it', () => {
    const events: number[] = [];
    for (const method of ['merge', 'mergeIfAbsent'] as const) {
      events.length = 0;
      const filter = new CuckooFilter({
        ...options,
        onGrow: ({ newBucketCount }) => events.push(newBucketCount),
      });
      const first = filter.bucketCount;
      filter.addMany(integers(1, 250));
      const before = filter.stats();
      filter[method](filled(2, 5000));
      const stats = filter.stats();
      expect(events).toEqual(events.map((_, i) => first * 2 ** (i + 1)));
      expect(stats.growths.map(({ newBucketCount }) => newBucketCount)).toEqual(events);
      expect(stats.growths.slice(0, before.growths.length)).toEqual(before.growths);
      expect(stats.growths.length).toBeGreaterThan(before.growths.length + 2);
      expect(stats.kicks.reduce((sum, count) => sum + count)).toBe(filter.size);
      // What is refused grows nothing, although its copy did.
      const copies = new CuckooFilter({ ...options, seed: 1 });
      refusal(RangeError, [filter], () => filter[method](copies));
      expect([filter.stats().growths.length, events.length]).toEqual([events.length, stats.growths.length]);
    }
  });

  test('that do not fit are refused, as they were, and nobody is told of a doubling', () => {
    let told = 0;
    const filter = filled(1, 100, { onGrow: () => ++told });
    filter.addMany(Array<string>(7).fill('same'));
    const other = filled(2, 5000).add('same').add('same').add('same');
    const stats = filter.stats();
    told = 0;
    expect(refusal(FilterFullError, [filter, other], () => filter.merge(other)).reason).toBe(
      'too-many-copies',
    );
    expect([told, filter.stats()]).toEqual([0, stats]);
    const full = filled(3, 12_800);
    expect(refusal(FilterFullError, [full, other], () => full.merge(other)).reason).toBe('full');
  });

  test.each([
    [
      { maxCapacity: 25_600 },
      'cannot merge: maxCapacity is 12800 here, 25600 in the other filter. Make both with the same options',
    ],
    [
      { maxCapacity: undefined },
      'cannot merge: maxCapacity is 12800 here, 100 in the other filter. Make both with the same options',
    ],
    [
      { bucketCount: 30, fingerprintBits: 11 },
      /^cannot merge: final bucketCount is \d+ here, \d+ in the other filter\. /,
    ],
  ] as [Partial<CuckooFilterOptions>, string | RegExp][])('refuse one with %j', (change, message) => {
    const sizes = { bucketSize: 4, semiSort: true, fingerprintBits: 11 };
    const [one, other] = [filled(1, 50, sizes), filled(2, 50, { ...sizes, ...change })];
    const text = refusal(RangeError, [one, other], () => one.merge(other)).message;
    if (typeof message === 'string') expect(text).toBe(message);
    else expect(text).toMatch(message);
    // Also once it has grown all it can.
    one.addMany(integers(3, 12_700));
    expect(refusal(RangeError, [one, other], () => one.merge(other)).message).toMatch(
      /^cannot merge: (capacity|maxCapacity|final bucketCount|bucketCount) is /,
    );
  });
});

describe('a merge under audit', () => {
  const options = { capacity: 100, fingerprintBits: 32 };
  const filter = (...keys: string[]): CuckooFilter => {
    const made = audited(new CuckooFilter(options));
    made.addMany(keys);
    return made;
  };

  test('counts the keys of both, which may all be deleted', () => {
    const one = filter('a', 'b').merge(filter('b', 'c'));
    expect(one.deleteMany(['a', 'b', 'b', 'c'])).toBe(4);
    expect(thrownBy(AuditError, () => one.delete('b')).code).toBe('false-delete');
    const own = filter('a');
    own.merge(own);
    expect([own.deleteMany(['a', 'a']), own.size]).toEqual([2, 0]);
  });

  test('of what is absent is the end of all deletes', () => {
    const one = filter('a').mergeIfAbsent(filter('a', 'b'));
    expect(one.containsMany(['a', 'b'])).toEqual(Uint8Array.of(1, 1));
    for (const key of ['a', 'b', 'c'])
      expect(thrownBy(AuditError, () => one.delete(key)).code).toBe('mixed-use');
    expect(one.size).toBe(2);
    one.clear();
    expect(one.add('a').delete('a')).toBe(true);
  });

  test('needs the keys of the other filter, and changes none of them if it fails', () => {
    const one = filter('a');
    const plain = new CuckooFilter(options).add('b');
    for (const method of ['merge', 'mergeIfAbsent'] as const)
      expect(refusal(TypeError, [one, plain], () => one[method](plain)).message).toBe(
        'other must be audited, too',
      );
    expect(plain.merge(one).contains('a')).toBe(true);
    const many = filter(...Array.from({ length: 100 }, (_, i) => `${i}`));
    one.addMany(Array.from({ length: 90 }, (_, i) => `b${i}`));
    refusal(FilterFullError, [one, many], () => one.merge(many));
    expect(thrownBy(AuditError, () => one.delete('1')).code).toBe('false-delete');
    expect(one.delete('a')).toBe(true);
  });
});

describe('a merge in the trace build', () => {
  const options = { capacity: 20, bucketCount: 8, bucketSize: 4, fingerprintBits: 8 };

  test('is told as one change of the table, and not at all where it fails; a plain filter becomes the same', () => {
    const told: TraceEvent[] = [];
    const traced = new Traced({ ...options, semiSort: false });
    const plain = new CuckooFilter({ ...options, semiSort: false });
    traced.addMany(integers(0, 12));
    plain.addMany(integers(0, 12));
    traced.trace((events, lost) => void (expect(lost).toBe(false), told.push(...events)));
    traced.merge(traced);
    plain.merge(plain);
    expect(told).toMatchObject([
      { kind: 'begin', name: 'merge', size: 12 },
      { kind: 'reset', name: 'merge' },
      { kind: 'end', name: 'merge', result: true, size: 24 },
    ]);
    expect(sameBytes(traced.serialize(), plain.serialize())).toBe(true);
    told.length = 0;
    refusal(TracedFull, [traced], () => traced.merge(traced));
    expect(told).toEqual([]);
    traced.mergeIfAbsent(traced);
    expect(told.map(({ kind }) => kind)).toEqual(['begin', 'reset', 'end']);
  });
});

describe('a Deduper merged', () => {
  const options = { capacity: 1000, falsePositiveRate: 1e-6 };

  test('has seen what both have', () => {
    const one = new Deduper(options);
    const other = new Deduper(options);
    const keys = integers(0, 1000);
    one.areNew(keys.subarray(0, 600));
    other.areNew(keys.subarray(400));
    const { size } = other;
    expect(one.merge(other)).toBe(one);
    // Those that both have are in once, so there are 1,000 but for the few that look like others.
    expect(one.size).toBeGreaterThan(990);
    expect(one.size).toBeLessThanOrEqual(1000);
    expect(one.areNew(keys).includes(1)).toBe(false);
    expect([...integers(1, 1000)].filter((key) => one.hasSeen(key)).length).toBeLessThan(10);
    expect(other.size).toBe(size);
    expect(other.hasSeen(keys[3] ?? 0)).toBe(false);
  });

  test('refuses what is no Deduper, and one of another size', () => {
    const one = new Deduper(options);
    for (const other of [undefined, 5, new CuckooFilter(options)])
      expect(() => one.merge(other as never)).toThrow(/^other must be a Deduper, got /);
    expect(() => one.merge(new Deduper({ capacity: 5 }))).toThrow(RangeError);
  });
});
