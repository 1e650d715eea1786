// merge and mergeIfAbsent: all or nothing, what they refuse, and what a merged filter holds. Against the multiset, for every
// shape: tests/cpp/filters/merge_test.cpp.
import { describe, expect, test } from '@jest/globals';
import {
  CuckooFilter,
  Deduper,
  DisposedError,
  FilterFullError,
  OutOfMemoryError,
  type CuckooFilterOptions,
} from 'cuckoofilter-wasm';
import { audited } from 'cuckoofilter-wasm/audit';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { integers } from '../support/integers';
import { memoryBytes, withMemoryOf } from '../support/memory-spy';
import { SECRET } from '../support/secrets';
import { refusal } from './refusal';

describe.each(['merge', 'mergeIfAbsent'] as const)('%s', (method) => {
  const options: CuckooFilterOptions = { capacity: 100, bucketCount: 64, bucketSize: 4, fingerprintBits: 12 };
  const into = new CuckooFilter(options).add('mine');

  test.each([
    [
      { bucketCount: 65 },
      'cannot merge: bucketCount is 64 here, 65 there. Make both with the same options (probably falsePositiveRate differs)',
    ],
    [
      { bucketSize: 5 },
      'cannot merge: bucketSize is 4 here, 5 there; semiSort is true here, false there. Make both with the same options (probably falsePositiveRate differs)',
    ],
    [
      { fingerprintBits: 13 },
      'cannot merge: fingerprintBits is 12 here, 13 there. Make both with the same options (probably falsePositiveRate differs)',
    ],
    [
      { semiSort: true, fingerprintBits: 11.75 },
      'cannot merge: fingerprintBits is 12 here, 11.75 there. Make both with the same options (probably falsePositiveRate differs)',
    ],
    [
      { addressing: 'xor' },
      'cannot merge: addressing is reflect here, xor there. Make both with the same options',
    ],
    [{ seed: 3 }, 'cannot merge: seed is 0 here, 3 there. Make both with the same options'],
    [
      { seed: 3, capacity: 99 },
      'cannot merge: capacity is 100 here, 99 there; seed is 0 here, 3 there. Make both with the same options',
    ],
    [
      { hash: { algorithm: 'siphash-1-3', key: new Uint8Array(16) } },
      'cannot merge: hash is xxh64 here, siphash-1-3 there. Make both with the same options',
    ],
  ] as [Partial<CuckooFilterOptions>, string][])('refuses a filter with %j', (change, message) => {
    const other = new CuckooFilter({ ...options, ...change }).add('theirs');
    expect(refusal(RangeError, [into, other], () => into[method](other)).message).toBe(message);
  });

  test.each<[CuckooFilterOptions, RegExp]>([
    [{ capacity: 2000 }, /capacity is 1000 here, 2000 there\. .*options$/],
    [{ capacity: 2 }, /^cannot merge: capacity is 1000 here, 2 there\. Make both with the same options$/],
    [{ capacity: 1000, falsePositiveRate: 0.01 }, / \(probably falsePositiveRate differs\)$/],
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
      'cannot merge: the secret keys differ. Use the same hash.key',
    );
    expect(one[method](same).count(1)).toBe(method === 'merge' ? 2 : 1);
  });

  test('takes filters that differ in storage and capacity, and keeps its own', () => {
    const plain = new CuckooFilter({ ...options, semiSort: false }).add('a');
    const sorted = new CuckooFilter({ ...options, semiSort: true, capacity: 9 }).add('b');
    expect(plain[method](sorted).containsMany(['a', 'b'])).toEqual(Uint8Array.of(1, 1));
    expect([plain.capacity, plain.semiSorted]).toEqual([100, false]);
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
    expect(new Traced(options)[method](plain).has('a')).toBe(true);
    expect(traced.equals(plain)).toBe(true);
    const keyed = { ...options, hash: SECRET };
    expect(() => new Traced(keyed)[method](new CuckooFilter(keyed))).toThrow(/has a secret key/);
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
      expect(refusal(OutOfMemoryError, [plain, traced], () => plain[method](traced)).message).toContain(
        `for a saved filter of ${length} bytes`,
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
        refusal(OutOfMemoryError, [one, other], () => one[method](other));
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
  });

  test('that does not fit says so and is as it was', () => {
    const [one, other] = [new CuckooFilter(options), new CuckooFilter(options)];
    one.addMany(integers(0, 200));
    other.addMany(integers(1000, 100));
    const error = refusal(FilterFullError, [one, other], () => one.merge(other));
    expect([error.reason, error.added]).toEqual(['full', 0]);
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
