// explainPlan: why a plan is as it is, and which other layouts are possible.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, explainPlan, type CuckooFilterOptions } from 'cuckoofilter-wasm';
import { thrownBy } from '../support/random';

describe('explainPlan', () => {
  test('says why in words that tell stored bits from those of a fingerprint, and the rate of the Bloom filter', () => {
    expect(explainPlan({ capacity: 1_000_000 }).reason).toMatch(
      /^4 slots per bucket, fingerprints of 13 bits stored in 12 \(semi-sorted\), 95\.6 % full, take 12\.55 bits per key; .* slots per bucket, fingerprints of [\d.]+ bits.* would take [\d.]+; an optimal Bloom filter of this rate \(0\.000933\) takes 14\.52, and no filter can take fewer than 10\.07$/,
    );
    expect(explainPlan({ capacity: 1000, semiSort: false, bucketSize: 2 }).reason).toMatch(
      /^2 slots per bucket, fingerprints of \d+ bits, .*no other layout is possible/,
    );
  });

  test.each<[Partial<CuckooFilterOptions>, number]>([
    [{}, 9],
    [{ addressing: 'xor' }, 9],
    [{ maxCapacity: 100_000 }, 9],
    [{ falsePositiveRate: 1.5e-9 }, 7],
    [{ bucketSize: 4 }, 2],
    [{ bucketSize: 8 }, 1],
    [{ semiSort: false }, 8],
    [{ semiSort: true }, 1],
  ])('for %j lists each of the %i layouts that are possible once, the fewest bits first', (more, count) => {
    const options = { capacity: 1000, ...more };
    const explained = explainPlan(options);
    const { alternatives } = explained;
    const layouts = alternatives.map(({ bucketSize, semiSorted }) => `${bucketSize} ${semiSorted}`);
    expect(layouts).toHaveLength(count);
    expect(new Set(layouts).size).toBe(count);
    for (const { prefer, ...each } of alternatives) {
      expect([undefined, 'space', 'speed', 'both']).toContain(prefer);
      expect(
        CuckooFilter.plan({ ...options, bucketSize: each.bucketSize, semiSort: each.semiSorted }),
      ).toMatchObject(each);
    }
    const bits = alternatives.map(({ bitsPerKey }) => bitsPerKey);
    expect(bits).toEqual(bits.toSorted((one, other) => one - other));
    const { bucketSize, semiSorted, bitsPerKey, lookupCost, insertCost } = CuckooFilter.plan(options);
    expect(alternatives[0]).toMatchObject({ bucketSize, semiSorted, bitsPerKey, lookupCost, insertCost });
    const preferred = alternatives.flatMap((each) => each.prefer ?? []);
    expect([['both'], ['space', 'speed']]).toContainEqual(preferred.toSorted());
    for (const frozen of [explained, alternatives, ...alternatives])
      expect(Object.isFrozen(frozen)).toBe(true);
  });

  test('marks the layouts that each preference chooses, whatever is preferred now', () => {
    for (const prefer of [undefined, 'space', 'speed'] as const)
      for (const capacity of [1000, 1_000_000])
        for (const preference of ['space', 'speed'] as const) {
          const { bucketSize, semiSorted } = CuckooFilter.plan({ capacity, prefer: preference });
          const { alternatives } = explainPlan({ capacity, prefer });
          expect(
            alternatives.filter((each) => [preference, 'both'].includes(each.prefer ?? '')),
          ).toMatchObject([{ bucketSize, semiSorted }]);
        }
  });

  test('refuses what the constructor refuses', () => {
    for (const wrong of [
      undefined,
      {},
      { capacity: 0 },
      { capacity: 10, foo: 1 },
      { capacity: 10, semiSort: 1 },
    ]) {
      const { message } = thrownBy(Error, () => new CuckooFilter(wrong as never));
      expect(thrownBy(Error, () => explainPlan(wrong as never)).message).toBe(message);
    }
  });
});
