// The two promises of a planned filter: all keys go in, and absent keys are reported present as rarely as it says. For every
// width, bucket size, small capacity and number of kicks, that is tested natively: tests/cpp/plan/room_test.cpp and
// tests/cpp/entries/distinct_test.cpp.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { integers } from '../support/integers';
import { runs } from '../support/long';
import { fingerprintCount } from '../support/reference/reader';

describe('as many distinct keys as the capacity go in', () => {
  test('as text and as integers a stride apart, which a weak hash would put together', () => {
    for (const stride of [1, 2 ** 8, 2 ** 16, 2 ** 20, 1000]) {
      const keys = Array.from({ length: 20_000 }, (_, i) => i * stride);
      expect(CuckooFilter.from(keys).size).toBe(keys.length);
      expect(CuckooFilter.from(keys.map((key) => `key-${key}`)).size).toBe(keys.length);
      expect(CuckooFilter.from(keys.map((key) => key.toString().padStart(64, '0'))).size).toBe(keys.length);
    }
  });

  test('of a million keys at the default rate', () => {
    using filter = new CuckooFilter({ capacity: 1_000_000 });
    expect(filter.addMany(integers(1, 1_000_000))).toBe(1_000_000);
    expect(filter.containsMany(integers(1, 1_000_000)).includes(0)).toBe(false);
    expect(filter.bitsPerKey).toBeLessThan(14);
  });
});

describe('the measured false positive rate', () => {
  const PROBES = runs(200_000, 1_000_000);
  const absent = integers(99, PROBES);

  /**
   * The probability that an absent key meets one of `size` keys drawn alike: of F fingerprints, 1 has probability 2 / F,
   * every other one 1 / F, and two keys of one fingerprint have their candidate buckets in common with probability 2 / m.
   */
  function exactRate({ size, bucketCount, fingerprintBits }: CuckooFilter): number {
    const step = 1 / fingerprintCount(fingerprintBits);
    const met = (each: number): number => -Math.expm1(size * Math.log1p((-2 * each) / bucketCount));
    return (1 - 2 * step) * met(step) + 2 * step * met(2 * step);
  }

  /** How far the number of absent keys found lies from the exact rate, in standard deviations. */
  function deviation(filter: CuckooFilter, rounds = 1): number {
    let found = 0;
    for (let round = 0; round < rounds; ++round) {
      const keys = round === 0 ? absent : absent.map((key) => key + BigInt(round * PROBES));
      for (const answer of filter.containsMany(keys)) found += answer;
    }
    const probes = rounds * PROBES;
    const rate = exactRate(filter);
    // Of the probes, and of the table: F m / 2 kinds of key, each there or not.
    const spread = 1 / probes + 2 / (filter.bucketCount * fingerprintCount(filter.fingerprintBits));
    return (found / probes - rate) / (Math.sqrt(rate * (1 - rate) * spread) + 1 / probes);
  }

  // In the long run ten million absent keys each; 3.29 standard deviations are the 99.9 % interval. 50 million keys: tests/bench/tables/sizes.cpp.
  test.each(
    [10_000, 1_000_000].flatMap((keys) =>
      [0.03, 0.01, 0.001, 1e-4, 1e-5].map((rate) => [keys, rate] as const),
    ),
  )('of %d keys at %d lies within its 99.9 % interval', (capacity, falsePositiveRate) => {
    using filter = new CuckooFilter({ capacity, falsePositiveRate });
    expect(filter.addMany(integers(1, capacity))).toBe(capacity);
    expect(filter.expectedFalsePositiveRate).toBeLessThanOrEqual(falsePositiveRate);
    expect(Math.abs(deviation(filter, runs(2, 10)))).toBeLessThan(3.29);
  });

  test('is that of text and bytes as well', () => {
    using filter = CuckooFilter.from(
      Array.from({ length: 50_000 }, (_, i) => `user-${i}@example.org`),
      { falsePositiveRate: 0.02 },
    );
    const others = Array.from({ length: 200_000 }, (_, i) => `other-${i}@example.org`);
    const found = filter.containsMany(others).reduce((sum, answer) => sum + answer, 0);
    const expected = others.length * filter.expectedFalsePositiveRate;
    expect(Math.abs(found - expected)).toBeLessThan(4 * Math.sqrt(expected));
  });
});
