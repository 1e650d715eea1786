// A key that is refused leaves a filter that may grow as it was, and the error names the cause: many copies of few keys.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, FilterFullError } from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooValues } from 'cuckoofilter-wasm/values';

type AnyFilter = CuckooFilter | ScalableCuckooFilter | CuckooValues | CuckooCounter | ExpiringFilter;

/** Adds keys by turns until one is refused 20 times; returns the last error. Each time compares what was there before. */
function refuse<Filter extends AnyFilter>(
  filter: Filter,
  keyOf: (i: number) => string | bigint,
  add: (key: string | bigint) => unknown,
): FilterFullError {
  let last: unknown;
  for (let i = 0, refused = 0; refused < 20; ++i) {
    if (i > 20_000) throw new Error('no key was refused');
    const before = filter.serialize();
    const { bucketCount } = filter;
    try {
      add(keyOf(i));
    } catch (error) {
      expect(error).toBeInstanceOf(FilterFullError);
      last = error;
      ++refused;
      expect(filter.serialize()).toEqual(before);
      expect(filter.bucketCount).toBe(bucketCount);
    }
  }
  return last as FilterFullError;
}

const few = (i: number): string => `key ${i % 9}`;

describe('a key that many copies of few keys leave no room', () => {
  test.each<[string, () => CuckooFilter | ScalableCuckooFilter]>([
    ['a CuckooFilter', () => new CuckooFilter({ capacity: 160, maxCapacity: 640 })],
    ['one that is semi-sorted', () => new CuckooFilter({ capacity: 160, maxCapacity: 640, semiSort: true })],
    ['one with few kicks', () => new CuckooFilter({ capacity: 160, maxCapacity: 640 })],
    ['a ScalableCuckooFilter', () => new ScalableCuckooFilter({ capacity: 160, maxCapacity: 640 })],
  ])('leaves %s as it was', (_, make) => {
    const filter = make();
    refuse(filter, few, (key) => filter.add(key));
    const other = make();
    const batch = refuse(other, few, (key) => other.addMany([key]));
    expect(batch.added).toBe(0);
    expect(other.serialize()).toEqual(filter.serialize());
    filter.dispose();
    other.dispose();
  });

  test('leaves CuckooValues as they were', () => {
    const filter = new CuckooValues({ capacity: 160, maxCapacity: 640, valueBits: 8 });
    refuse(filter, few, (key) => filter.set(key, 1));
    filter.dispose();
  });

  test('is told whatever its reason: one of them finds no room, not its own copies', () => {
    const filter = new CuckooFilter({ capacity: 160, maxCapacity: 640 });
    const reasons = new Set<string>();
    for (let round = 0; round < 300; ++round) {
      for (let i = 0; i < 12; ++i) reasons.add(filter.tryAdd(`key ${i}`));
    }
    expect(reasons).toContain('full');
    const messages = Array.from({ length: 12 }, (_, i) => {
      try {
        filter.add(`key ${i}`);
        return '';
      } catch (error) {
        return (error as FilterFullError).message;
      }
    });
    expect(messages.join('\n')).toMatch(/its buckets are full of copies of a few keys/);
    expect(messages.join('\n')).not.toMatch(/larger capacity|Growing/);
    expect(filter.stats().growths).toEqual([]);
    filter.dispose();
  });
});

describe('keys that share their buckets, with other fingerprints', () => {
  // Of hashes made to lie in the same buckets, as an attacker finds them.
  const hashed = (i: number): bigint => BigInt(i);

  test.each<[string, () => CuckooCounter | ExpiringFilter]>([
    ['a CuckooCounter', () => new CuckooCounter({ capacity: 40, maxCapacity: 320, fingerprintBits: 5 })],
    [
      'an ExpiringFilter',
      () => new ExpiringFilter({ capacity: 40, maxCapacity: 320, fingerprintBits: 5, periods: 4 }),
    ],
  ])('leave %s as it was where one is refused', (_, make) => {
    const filter = make();
    refuse(filter, hashed, (key) => {
      if (filter instanceof CuckooCounter) return filter.add(key);
      return filter.isNew(key);
    });
    filter.dispose();
  });
});
