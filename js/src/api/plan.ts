// A plan with its reason: what the other layouts would take.
// Invariant: every figure is the core's; nothing is planned here.
import { plan, plannedSizes, tryPlan, type CuckooFilterOptions, type Sizes } from '../options.js';
import type { Instance } from '../wasm/instance.js';

/** The smallest table for a bucket size and a storage. */
export type PlanAlternative = Pick<Sizes, 'bucketSize' | 'fingerprintBits' | 'semiSorted' | 'bitsPerKey'>;

/** The sizes that the constructor would choose, and why. */
export interface CuckooFilterPlan extends Sizes {
  /** The plan, and then every other bucket size and storage that `options` allow, the fewest bits first. */
  readonly alternatives: readonly PlanAlternative[];
  /** One sentence for people: the layout, its bits per key, and those of the alternatives. */
  readonly reason: string;
}

/** The plan for `options`, as read. Throws as the constructor does. */
export function explainedPlan(instance: Instance, options: CuckooFilterOptions): CuckooFilterPlan {
  plan(instance, options);
  const sizes = plannedSizes(instance);
  const alternatives = alternativesTo(instance, sizes, options);
  return Object.freeze({ ...sizes, alternatives, reason: reasonOf(sizes, alternatives) });
}

function alternativesTo(
  instance: Instance,
  sizes: Sizes,
  options: CuckooFilterOptions,
): readonly PlanAlternative[] {
  const others: Sizes[] = [];
  for (let bucketSize = 1; bucketSize <= 8; ++bucketSize) {
    for (const semiSort of [false, true]) {
      const isOther = bucketSize !== sizes.bucketSize || semiSort !== sizes.semiSorted;
      const isAllowed =
        (options.bucketSize ?? bucketSize) === bucketSize && (options.semiSort ?? semiSort) === semiSort;
      if (!isOther || !isAllowed || !tryPlan(instance, { ...options, bucketSize, semiSort })) continue;
      const other = plannedSizes(instance);
      // A smaller one has so few slots, with a given bucketCount, that the planner passed it over.
      if (other.maxByteLength >= sizes.maxByteLength) others.push(other);
    }
  }
  return Object.freeze(
    [sizes, ...others.sort((one, other) => one.bitsPerKey - other.bitsPerKey)].map(
      ({ bucketSize, fingerprintBits, semiSorted, bitsPerKey }) =>
        Object.freeze({ bucketSize, fingerprintBits, semiSorted, bitsPerKey }),
    ),
  );
}

function reasonOf(sizes: Sizes, [, next]: readonly PlanAlternative[]): string {
  const limit = -Math.log2(sizes.falsePositiveRate);
  const compared =
    next === undefined
      ? 'no other layout is possible'
      : `${layoutOf(next)} would take ${next.bitsPerKey.toFixed(2)}`;
  return (
    `${layoutOf(sizes)}, ${(100 * sizes.loadFactor).toFixed(1)} % full, take ${sizes.bitsPerKey.toFixed(2)} bits per key; ` +
    `${compared}; an optimal Bloom filter of this rate (${sizes.falsePositiveRate.toPrecision(3)}) takes ` +
    `${(limit / Math.LN2).toFixed(2)}, the limit is ${limit.toFixed(2)}`
  );
}

function layoutOf({ bucketSize, fingerprintBits, semiSorted }: PlanAlternative): string {
  const stored = semiSorted ? ` stored in ${fingerprintBits - 1} (semi-sorted)` : '';
  return `${bucketSize} slots per bucket, fingerprints of ${fingerprintBits} bits${stored}`;
}
