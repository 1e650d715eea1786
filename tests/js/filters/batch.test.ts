// The batch methods of CuckooFilter: what one call per key gives, for every kind of key, and where it stops.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, FilterFullError, type Key, type Keys } from 'cuckoofilter-wasm';
import { integers } from '../support/integers';
import { Random, sameBytes, thrownBy, withSeed } from '../support/random';

/** Keys of every kind, each as an array of them. */
const KINDS: readonly (readonly [string, (random: Random) => Keys])[] = [
  ['short text', (random) => Array.from({ length: 500 }, () => random.below(300).toString(36))],
  [
    'text with characters of all lengths',
    (random) =>
      Array.from({ length: 300 }, () =>
        String.fromCodePoint(...[0x41, 0xe9, 0x20ac, 0x1f600].map((c) => c + random.below(8))),
      ),
  ],
  ['numbers', (random) => Array.from({ length: 500 }, () => random.below(300) - 150)],
  ['bigints', (random) => Array.from({ length: 300 }, () => random.bits64())],
  ['bytes', (random) => Array.from({ length: 500 }, () => random.bytes(1 + random.below(3)))],
  [
    'mixed keys',
    (random) =>
      Array.from(
        { length: 400 },
        (_, i): Key => [`${i % 50}`, i % 60, BigInt(i % 70), random.bytes(1)][i % 4] ?? 0,
      ),
  ],
  ['a Uint32Array', (random) => Uint32Array.from({ length: 500 }, () => random.below(300))],
  ['an Int32Array', (random) => Int32Array.from({ length: 500 }, () => random.below(300) - 150)],
  [
    'a Float64Array',
    (random) => Float64Array.from({ length: 500 }, () => (random.below(300) - 150) * 2 ** 40),
  ],
  ['a BigUint64Array', (random) => BigUint64Array.from({ length: 300 }, () => random.bits64())],
  ['a BigInt64Array', (random) => BigInt64Array.from({ length: 300 }, () => random.bits64())],
  ['a Uint16Array', (random) => Uint16Array.from(random.bytes(500))],
  ['a Set', (random) => new Set(Array.from({ length: 300 }, () => random.below(1000)))],
];

describe.each(KINDS)('a batch of %s', (_, keysOf) => {
  const options = { capacity: 3000, bucketSize: 8, fingerprintBits: 8 } as const;

  test(
    'gives what one call per key gives',
    withSeed(10, (random) => {
      const keys = keysOf(random);
      const list = [...(keys as Iterable<Key>)];
      const [batch, singles] = [new CuckooFilter(options), new CuckooFilter(options)];
      const mask = batch.addManyIfAbsent(keys);
      expect([...mask]).toEqual(list.map((key) => Number(singles.addIfAbsent(key))));
      expect(sameBytes(batch.serialize(), singles.serialize())).toBe(true);
      expect(batch.addMany(keys)).toBe(list.length);
      for (const key of list) singles.add(key);
      expect(sameBytes(batch.serialize(), singles.serialize())).toBe(true);
      const half = list.filter((_key, i) => i % 2 === 0);
      expect(batch.deleteMany(half)).toBe(half.filter((key) => singles.delete(key)).length);
      expect(sameBytes(batch.serialize(), singles.serialize())).toBe(true);
      expect([...batch.containsMany(keys)]).toEqual(list.map((key) => Number(singles.contains(key))));
    }),
  );

  test('comes out of from as out of a constructor and addMany', () => {
    const keys = keysOf(new Random(11));
    const count = [...(keys as Iterable<Key>)].length;
    const made = CuckooFilter.from(keys, { ...options, seed: 9 });
    const built = new CuckooFilter({ ...options, seed: 9 });
    built.addMany(keys);
    expect(made.equals(built)).toBe(true);
    expect(made.size).toBe(count);
  });
});

describe('a batch that does not fit', () => {
  test('stops at the first key refused, with added keys in and the rest not', () => {
    for (const count of [50, 5000]) {
      const filter = new CuckooFilter({
        capacity: count,
        bucketCount: count / 5,
        bucketSize: 5,
        fingerprintBits: 16,
      });
      const keys = integers(1, 2 * count);
      const error = thrownBy(FilterFullError, () => filter.addMany(keys));
      expect(error.added).toBe(filter.size);
      expect(error.added).toBeGreaterThan(count / 2);
      expect(filter.containsMany(keys.subarray(0, error.added)).includes(0)).toBe(false);
      const single = new CuckooFilter({
        capacity: count,
        bucketCount: count / 5,
        bucketSize: 5,
        fingerprintBits: 16,
      });
      for (const key of keys.subarray(0, error.added)) single.add(key);
      expect(single.tryAdd(keys[error.added] ?? 0)).toBe(error.reason);
      expect(single.equals(filter)).toBe(true);
    }
  });

  test('of addManyIfAbsent says how many keys were new', () => {
    const filter = new CuckooFilter({ capacity: 16, bucketCount: 4, bucketSize: 4, fingerprintBits: 16 });
    const keys = Array.from({ length: 40 }, (_, i) => [i, i]).flat();
    const error = thrownBy(FilterFullError, () => filter.addManyIfAbsent(keys));
    expect(error.added).toBe(filter.size);
  });

  test('of from throws and says how many keys went in', () => {
    const error = thrownBy(FilterFullError, () => CuckooFilter.from(Array<string>(50).fill('same')));
    expect(error.reason).toBe('too-many-copies');
    expect(error.added).toBeGreaterThan(0);
  });
});
