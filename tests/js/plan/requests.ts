// Options that plans are asked for, in rows and at random.
import type { CuckooFilterOptions } from 'cuckoofilter-wasm';
import type { Random } from '../support/random';

export const CAPACITIES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 31, 64, 100, 999, 12_345, 1_000_000];
export const RATES = [0.9, 0.5, 0.1, 0.03, 0.01, 0.001, 1e-4, 1e-6, 1e-8];

export const requests: CuckooFilterOptions[] = CAPACITIES.flatMap((capacity) =>
  RATES.flatMap((falsePositiveRate) =>
    (['reflect', 'xor'] as const).map((addressing) => ({ capacity, falsePositiveRate, addressing })),
  ),
);

/** Random options of a CuckooFilter: some that no filter can have, too. */
export function randomOptions(random: Random): Partial<CuckooFilterOptions> {
  const maybe = <Value>(chances: number, value: () => Value): Value | undefined =>
    random.below(chances) === 0 ? value() : undefined;
  const oneOf = <Value>(...values: readonly Value[]): Value => values[random.below(values.length)] as Value;
  const capacity = 1 + random.below(oneOf(20, 2000));
  const key = maybe(4, () => random.bytes(16));
  return {
    capacity,
    maxCapacity: maybe(2, () => capacity * oneOf(1, 2, 10, 100)),
    falsePositiveRate: maybe(2, () => oneOf(...RATES)),
    bucketSize: maybe(4, () => 1 + random.below(8)),
    fingerprintBits: maybe(5, () => oneOf(4, 9, 12, 20, 31)),
    bucketCount: maybe(8, () => 2 ** random.below(12)),
    semiSort: maybe(4, () => oneOf(false, true)),
    addressing: maybe(3, () => oneOf('reflect', 'xor')),
    prefer: maybe(2, () => oneOf('space', 'speed')),
    maxPause: maybe(4, () => oneOf(0, 1, Infinity)),
    seed:
      key === undefined
        ? maybe(2, () => oneOf<'random' | bigint | number>('random', random.bits64(), 7))
        : undefined,
    hash: key === undefined ? maybe(4, () => 'xxh64') : { algorithm: 'siphash-1-3', key },
  };
}
