// What a filter without room for a key says, whole: why, and what helps each class.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { said } from '../support/random';

/** Adds keys until one is refused, and returns what that says. */
function refusal(add: (key: string) => unknown): string {
  return said(() => {
    for (let i = 0; ; ++i) add(`key ${i}`);
  });
}

describe('a key whose buckets are full in a filter that has room', () => {
  // With one slot per bucket, some buckets are full long before the table is.
  const sizes = { capacity: 60, bucketCount: 64, bucketSize: 1 };

  test.each<
    [string, () => { readonly size: number }, (filter: never, key: string) => unknown, string, string]
  >([
    [
      'CuckooFilter',
      () => new CuckooFilter(sizes),
      (filter: CuckooFilter, key) => filter.add(key),
      'full of copies of a few keys',
      'Use addIfAbsent, or CuckooCounter from cuckoofilter-wasm/counter',
    ],
    [
      'CuckooValues',
      () => new CuckooValues({ ...sizes, valueBits: 4 }),
      (filter: CuckooValues, key) => filter.set(key, 1),
      'full of values of a few keys',
      'A larger bucketSize allows more',
    ],
    [
      'CuckooCounter',
      () => new CuckooCounter(sizes),
      (filter: CuckooCounter, key) => filter.add(key),
      'full',
      'Use another seed',
    ],
  ])('of a %s', (_, make, add, full, advice) => {
    const filter = make();
    const message = refusal((key) => add(filter as never, key));
    expect(message).toBe(
      `no room for the key "key ${filter.size}": its buckets are ${full}, at ${filter.size} of 60 keys. ${advice}`,
    );
  });
});

test('a full CuckooCounter asks for a larger one', () => {
  const filter = new CuckooCounter({ capacity: 60 });
  const message = refusal((key) => filter.add(key));
  expect(message).toBe(
    `the filter is full: it was made for 60 keys and has ${filter.size}. Make a new one with a larger capacity or maxCapacity`,
  );
});

test('a merge that no growth makes possible says so', () => {
  const filter = new CuckooFilter({ capacity: 160, maxCapacity: 640 });
  for (let key = 0; key < 75; ++key) filter.addMany([key, key, key]);
  expect(said(() => filter.merge(filter))).toBe(
    'cannot merge 225 more keys: it was made for 640 keys and has 225. Growing would not help: keys crowd a few buckets. Add each once, or use another seed or a secret key',
  );
});
