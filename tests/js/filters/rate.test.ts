// The two promises of a planned filter: all keys go in, and absent keys are reported present as rarely as it says.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, FilterFullError } from 'cuckoofilter-wasm';
import { integers } from '../support/integers';
import { runs } from '../support/long';
import { claim, Random } from '../support/random';
import { fingerprintCount } from '../support/reference/reader';
import { shapes } from '../support/shapes';

describe('as many distinct keys as the capacity go in', () => {
  const RATES = [0.5, 0.05, 0.001, 1e-6];

  test.each([
    [1, 100],
    [2, 200],
    [3, 200],
    [4, 100],
    [5, 200],
    [7, 100],
    [10, 100],
    [30, 60],
    [100, 60],
    [1000, 25],
    [10_000, 4],
  ])('%d keys, over %d seeds and four rates', (capacity, seeds) => {
    for (const falsePositiveRate of RATES) {
      for (let seed = 0; seed < seeds; ++seed) {
        using filter = new CuckooFilter({ capacity, falsePositiveRate, seed });
        const added = filter.addMany(integers(seed, capacity));
        claim(
          added === capacity && filter.size === capacity,
          () => `rate ${falsePositiveRate}, seed ${seed}`,
        );
      }
    }
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('with %d slots a bucket given', (bucketSize) => {
    for (const capacity of [1, 2, 5, 9, 17, 100, 3000]) {
      for (let seed = 0; seed < 12; ++seed) {
        for (const addressing of ['reflect', 'xor'] as const) {
          using filter = new CuckooFilter({ capacity, bucketSize, addressing, seed });
          expect(filter.addMany(integers(seed, capacity))).toBe(capacity);
        }
      }
    }
  });

  test('with few kicks allowed', () => {
    for (const maxKicks of [0, 1, 5, 20, 100]) {
      for (let seed = 0; seed < 10; ++seed) {
        using filter = new CuckooFilter({ capacity: 500, maxKicks, seed });
        expect(filter.addMany(integers(seed, 500))).toBe(500);
      }
    }
  });

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

  /** Adds keys up to this load, or up to the first that is refused. */
  function fillTo(filter: CuckooFilter, load: number): void {
    try {
      filter.addMany(integers(1, Math.floor(load * filter.bucketSize * filter.bucketCount)));
    } catch (error) {
      claim(error instanceof FilterFullError, () => String(error));
    }
  }

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

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'is the expected one for every width from 6, with %d slots a bucket',
    (bucketSize) => {
      const random = new Random(bucketSize);
      for (let fingerprintBits = 6; fingerprintBits <= 32; fingerprintBits += fingerprintBits < 16 ? 1 : 3) {
        const [bucketCount, addressing] =
          fingerprintBits % 2 === 0 ? ([20_011, 'reflect'] as const) : ([16_384, 'xor'] as const);
        const seed = random.bits64();
        using filter = new CuckooFilter({
          capacity: 1,
          bucketSize,
          bucketCount,
          fingerprintBits,
          addressing,
          semiSort: false,
          seed,
        });
        fillTo(filter, bucketSize === 1 ? 0.2 : 0.8);
        const off = deviation(filter);
        claim(
          Math.abs(off) < 4.5,
          () => `f = ${fingerprintBits}, ${addressing}: ${off} standard deviations off`,
        );
      }
    },
  );

  test('is the expected one for every semi-sorted width from 6', () => {
    const random = new Random(9);
    for (let fingerprintBits = 6; fingerprintBits <= 24; fingerprintBits += 0.25) {
      using filter = new CuckooFilter({
        capacity: 1,
        bucketCount: 20_011,
        fingerprintBits,
        semiSort: true,
        seed: random.bits64(),
      });
      fillTo(filter, 0.8);
      const off = deviation(filter);
      claim(Math.abs(off) < 4.5, () => `f = ${fingerprintBits}: ${off} standard deviations off`);
    }
  });

  test('is at most what falsePositiveRate says, which is at most 1 / 2^f of it more', () => {
    for (const shape of shapes([1009, 1024])) {
      const { bucketSize, fingerprintBits, bucketCount } = shape;
      if (fingerprintBits < 6) continue;
      using filter = new CuckooFilter({ capacity: 1, ...shape });
      fillTo(filter, bucketSize === 1 ? 0.2 : 0.8);
      const exact = exactRate(filter);
      const said = filter.expectedFalsePositiveRate;
      // In a small table, as many keys are alike as chance has it.
      const { size } = filter;
      const chance = bucketCount * bucketSize > 1024 ? 0 : (5 * Math.sqrt((exact * size) / 2) + 2) / size;
      // A lookup whose two candidate buckets coincide, one in m, meets half as many keys.
      claim(
        said >= exact * (1 - 1 / bucketCount - chance),
        () => `b = ${bucketSize}, f = ${fingerprintBits}: ${said} < ${exact}`,
      );
      claim(
        said <= exact * (1 + 1 / fingerprintCount(fingerprintBits) + chance),
        () => `b = ${bucketSize}, f = ${fingerprintBits}: ${said} > ${exact}`,
      );
    }
  });

  test.each([0.3, 0.1, 0.03, 0.01, 0.001, 0.0001])(
    'of a full planned filter is at most the %d asked for',
    (rate) => {
      using filter = new CuckooFilter({ capacity: 50_000, falsePositiveRate: rate });
      filter.addMany(integers(1, 50_000));
      expect(filter.expectedFalsePositiveRate).toBeLessThanOrEqual(rate);
      expect(Math.abs(deviation(filter))).toBeLessThan(4);
    },
  );

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

  test('of small tables is the expected one on average over seeds', () => {
    const probes = integers(99, 2000);
    for (const [capacity, options] of [
      [1, {}],
      [3, {}],
      [10, {}],
      [40, { bucketSize: 2 }],
    ] as const) {
      let found = 0;
      let expected = 0;
      for (let seed = 0; seed < 400; ++seed) {
        using filter = new CuckooFilter({ capacity, falsePositiveRate: 0.03, seed, ...options });
        filter.addMany(integers(1, capacity));
        found += filter.containsMany(probes).reduce((sum, answer) => sum + answer, 0);
        expected += probes.length * filter.expectedFalsePositiveRate;
      }
      // Probes of one table are not independent: fingerprint 1 counts double in all of them at once.
      claim(
        Math.abs(found / expected - 1) < 0.08,
        () => `capacity ${capacity}: ${found} found, ${expected} expected`,
      );
    }
  });
});
