// CuckooFilter.plan: what the constructor builds, with the rate asked for and the capacity asked for.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, Deduper, explainPlan, type PlanAlternative } from 'cuckoofilter-wasm';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { memoryBytes } from '../support/memory-spy';
import { RATES, CAPACITIES, requests } from './requests';

/** What a plan tells that the filter has as well. */
const PLANNED = [
  'capacity',
  'bucketCount',
  'bucketSize',
  'fingerprintBits',
  'addressing',
  'semiSorted',
  'seed',
  'byteLength',
] as const;

describe('a plan', () => {
  test('is what the constructor builds, number by number', () => {
    for (const options of [
      ...requests,
      { capacity: 77, seed: 2n ** 64n - 1n, bucketSize: 3, fingerprintBits: 11 },
    ]) {
      if (options.capacity > 20_000) continue;
      const plan = CuckooFilter.plan(options);
      using filter = new CuckooFilter(options);
      for (const name of PLANNED) expect([name, plan[name]]).toEqual([name, filter[name]]);
    }
  });

  test('promises at most the rate asked for, in sizes within their ranges', () => {
    for (const options of requests) {
      const plan = CuckooFilter.plan(options);
      const text = JSON.stringify(options);
      expect([text, plan.expectedFalsePositiveRate <= (options.falsePositiveRate ?? 0)]).toEqual([
        text,
        true,
      ]);
      expect(plan.bucketSize).toBeGreaterThanOrEqual(1);
      expect(plan.bucketSize).toBeLessThanOrEqual(8);
      expect(plan.fingerprintBits).toBeGreaterThanOrEqual(2);
      expect(plan.fingerprintBits).toBeLessThanOrEqual(32);
      expect(plan.bucketCount * plan.bucketSize).toBeGreaterThanOrEqual(plan.capacity);
      expect(plan.bitsPerKey).toBeCloseTo((8 * plan.byteLength) / plan.capacity, 9);
      expect(plan.loadFactor).toBeCloseTo(plan.capacity / (plan.bucketCount * plan.bucketSize), 12);
    }
  });

  test('promises what a filter then expects once it is full', () => {
    for (const options of requests.filter(({ capacity }) => capacity <= 1000)) {
      using filter = new CuckooFilter(options);
      for (let key = 0; key < options.capacity; ++key) filter.add(key);
      const { expectedFalsePositiveRate: falsePositiveRate } = CuckooFilter.plan(options);
      // As many pairs of keys are alike as on average, but for 5 standard deviations and two pairs of few.
      const off = (5 * Math.sqrt((falsePositiveRate * options.capacity) / 2) + 2) / options.capacity;
      expect(Math.abs(filter.expectedFalsePositiveRate / falsePositiveRate - 1)).toBeLessThan(off);
    }
  });

  test('has a power-of-two bucket count for xor', () => {
    for (const options of requests.filter(({ addressing }) => addressing === 'xor')) {
      expect(Math.log2(CuckooFilter.plan(options).bucketCount) % 1).toBe(0);
    }
  });

  test('respects what is given, and plans the rest', () => {
    const given = { bucketSize: 5, fingerprintBits: 17, bucketCount: 777, seed: 9n } as const;
    for (const [option, value] of Object.entries(given)) {
      expect(CuckooFilter.plan({ capacity: 500, [option]: value })).toHaveProperty(option, value);
    }
    expect(CuckooFilter.plan({ capacity: 500, ...given })).toMatchObject({ ...given, capacity: 500 });
    for (let bucketSize = 1; bucketSize <= 8; ++bucketSize) {
      const plan = CuckooFilter.plan({ capacity: 10_000, bucketSize, falsePositiveRate: 0.01 });
      expect(plan.bucketSize).toBe(bucketSize);
      expect(plan.expectedFalsePositiveRate).toBeLessThanOrEqual(0.01);
    }
    for (let fingerprintBits = 2; fingerprintBits <= 32; ++fingerprintBits) {
      expect(CuckooFilter.plan({ capacity: 10_000, fingerprintBits }).fingerprintBits).toBe(fingerprintBits);
    }
  });

  test('is of the smallest storage, unless one is asked for', () => {
    for (const options of requests) {
      const [plain, sorted, planned] = [false, true, undefined].map((semiSort) =>
        CuckooFilter.plan({ ...options, semiSort, prefer: 'space' }),
      );
      expect(plain?.semiSorted).toBe(false);
      expect(sorted).toMatchObject({ semiSorted: true, bucketSize: 4 });
      expect(planned?.byteLength).toBe(Math.min(plain?.byteLength ?? 0, sorted?.byteLength ?? 0));
    }
  });

  /** Whether a bucket lies in the 8 bytes from the one it starts in, wherever that is. */
  const isOneWord = ({ bucketSize, fingerprintBits, semiSorted }: PlanAlternative): boolean => {
    const bits = bucketSize * (fingerprintBits - (semiSorted ? 1 : 0));
    return bits <= 64 - 8 + (bits % 8 === 0 ? 8 : bits & -bits);
  };

  test('has buckets of more than a word only where they save 5 %, unless the fewest bits are asked for', () => {
    const sizes = RATES.map((falsePositiveRate) => ({ falsePositiveRate }));
    const widths = Array.from({ length: 31 }, (_, i) => ({ fingerprintBits: i + 2, semiSort: false }));
    for (const each of [...sizes, ...widths]) {
      for (const capacity of [100, 999, 12_345, 1_000_000]) {
        const options = { ...each, capacity };
        const plan = CuckooFilter.plan(options);
        const { alternatives } = explainPlan(options);
        const [space, speed] = (['space', 'speed'] as const).map((prefer) =>
          CuckooFilter.plan({ ...options, prefer }),
        );
        const text = JSON.stringify(options);
        const fewest = (some: readonly PlanAlternative[]): number =>
          Math.min(...some.map(({ bitsPerKey }) => bitsPerKey));
        const words = alternatives.filter(isOneWord);
        const least = Math.min(
          fewest(alternatives),
          fewest(explainPlan({ ...options, prefer: 'space' }).alternatives),
        );
        expect([text, space?.bitsPerKey]).toEqual([text, least]);
        expect([text, plan.bitsPerKey]).toEqual([
          text,
          fewest(alternatives) <= 0.95 * fewest(words) ? fewest(alternatives) : fewest(words),
        ]);
        const dense = explainPlan({ ...options, prefer: 'space' }).alternatives.filter(isOneWord);
        const plain = dense.filter(({ semiSorted }) => !semiSorted);
        const fastest = plain.filter(({ bitsPerKey }) => bitsPerKey === fewest(plain));
        expect([text, fastest.map(({ bucketSize }) => bucketSize)]).toEqual([
          text,
          expect.arrayContaining([speed?.bucketSize]),
        ]);
        const { loadFactor = 0, bucketCount = 0, bitsPerKey = 0 } = speed ?? {};
        expect([text, loadFactor <= 0.93 || bucketCount === 1, bitsPerKey >= fewest(plain)]).toEqual([
          text,
          true,
          true,
        ]);
      }
    }
  });

  test('takes b = 4 where only fingerprints of 16 bits are asked for', () => {
    for (const capacity of [1000, 500_000]) {
      for (const semiSort of [undefined, false])
        expect(CuckooFilter.plan({ capacity, fingerprintBits: 16, semiSort }).bucketSize).toBe(4);
      expect(
        CuckooFilter.plan({ capacity, fingerprintBits: 16, semiSort: false, prefer: 'space' }).bucketSize,
      ).toBe(8);
    }
  });

  test('given back as options makes the same filter', () => {
    for (const options of requests.filter(({ capacity }) => capacity <= 1000)) {
      const plan = CuckooFilter.plan(options);
      using filter = new CuckooFilter(options);
      using again = new CuckooFilter(plan.options);
      expect(again.equals(filter)).toBe(true);
    }
  });

  test.each([CuckooFilter, Deduper, ScalableCuckooFilter, ExpiringFilter, CuckooValues, SharedCuckooFilter])(
    'of %p is JSON, whose options make the same filter',
    (Class) => {
      const own = { ExpiringFilter: { periods: 3 }, CuckooValues: { valueBits: 4 } }[Class.name];
      for (const seed of [5n, 2n ** 60n]) {
        const plan = Class.plan({ capacity: 100, seed, ...own } as never);
        const told = JSON.parse(JSON.stringify(plan)) as { seed: unknown; options: { seed: unknown } };
        const shown = seed === 5n ? 5 : String(seed);
        expect([told.seed, told.options.seed]).toEqual([shown, shown]);
        expect(JSON.stringify(plan.options)).toBe(JSON.stringify(told.options));
        expect('toJSON' in { ...plan }).toBe(false);
        if (seed === 5n) expect(Class.plan(told.options as never).options).toEqual(plan.options);
      }
    },
  );

  test('has as options every size, which no later version plans anew, and what else was given', () => {
    const key = new Uint8Array(16);
    const given = { capacity: 1000, maxPause: 5, hash: { algorithm: 'siphash-1-3', key } } as const;
    const plan = CuckooFilter.plan({ ...given, prefer: 'space' });
    const { bucketCount, bucketSize, fingerprintBits, semiSorted: semiSort } = plan;
    expect(plan.options).toEqual({
      ...given,
      ...{ bucketCount, bucketSize, fingerprintBits, semiSort },
      ...{ addressing: 'reflect', seed: 0n },
    });
  });

  test('of a filter with a secret key is JSON without it', () => {
    const hash = { algorithm: 'siphash-1-3' as const, key: new Uint8Array(16).fill(7) };
    const text = JSON.stringify(CuckooFilter.plan({ capacity: 10, hash }));
    expect(text).toContain('"hash":{"algorithm":"siphash-1-3"}');
  });

  test('plans for a rate of 0.001 and 500 kicks by default, with seed 0 and reflect', () => {
    const plan = CuckooFilter.plan({ capacity: 1000 });
    const falsePositiveRate = 0.001;
    const given = {
      capacity: 1000,
      falsePositiveRate,
      seed: 0,
      addressing: 'reflect',
    } as const;
    const options = { ...plan.options, falsePositiveRate };
    expect(CuckooFilter.plan(given)).toEqual({ ...plan, options });
    expect(plan).toMatchObject({ seed: 0n, addressing: 'reflect' });
  });

  test('takes more bits for more keys and for lower rates', () => {
    for (const rate of RATES) {
      const sizes = CAPACITIES.map(
        (capacity) => CuckooFilter.plan({ capacity, falsePositiveRate: rate }).byteLength,
      );
      expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
    }
    for (const capacity of CAPACITIES) {
      const sizes = RATES.map(
        (falsePositiveRate) => CuckooFilter.plan({ capacity, falsePositiveRate }).byteLength,
      );
      expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
    }
  });

  test('of 100,000 keys or more takes at most 4 % and 2.4 bits over the least that any filter could', () => {
    for (const capacity of [100_000, 137_626, 1_000_000, 1_101_005, 2 ** 24 + 1]) {
      for (const falsePositiveRate of [0.03, 0.01, 0.001, 1e-4, 1e-5, 1e-6]) {
        const { bitsPerKey } = CuckooFilter.plan({ capacity, falsePositiveRate });
        expect(bitsPerKey).toBeLessThan((-Math.log2(falsePositiveRate) + 2.4) * 1.04);
      }
    }
  });

  test('allocates nothing, so that one far larger than memory can be had', () => {
    CuckooFilter.plan({ capacity: 1 });
    const before = memoryBytes();
    for (let i = 0; i < 200; ++i)
      expect(CuckooFilter.plan({ capacity: 2 ** 33 }).byteLength).toBeGreaterThan(2 ** 33);
    expect(memoryBytes()).toBe(before);
  });

  test('is of the caller s own: frozen, and not changed by later plans', () => {
    const plan = CuckooFilter.plan({ capacity: 10 });
    const copy = { ...plan };
    CuckooFilter.plan({ capacity: 1000 });
    expect(plan).toEqual(copy);
    for (const frozen of [plan, plan.options]) expect(Object.isFrozen(frozen)).toBe(true);
  });
});
