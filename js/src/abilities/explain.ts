// `explainPlan`: why a plan was chosen, and what other layouts would take.
// Every figure is the core's.
import { CORE } from '../engine/core.js';
import {
  filterOptionsOf,
  type CuckooFilterOptions,
  type PlannedSizes,
  type Preference,
} from '../options/options.js';
import { plan, sizesOfPlan, canPlan } from '../options/planning.js';

/** The smallest table for a bucket size and a storage. */
export interface PlanAlternative extends Pick<
  PlannedSizes,
  'bucketSize' | 'fingerprintBits' | 'semiSorted' | 'bitsPerKey' | 'lookupCost' | 'insertCost'
> {
  /** Which value of the option `prefer` would choose this layout: one, or `both`; absent if neither would. */
  readonly prefer?: Preference | 'both';
}

/** Why a plan is as it is. */
export interface PlanExplanation {
  /** The planned layout, then every other bucket size and storage that the options allow, fewest bits first. */
  readonly alternatives: readonly PlanAlternative[];
  /** One sentence for people: the layout, its bits per key, and those of the next best. */
  readonly reason: string;
}

/**
 * Explains why `CuckooFilter.plan` chooses its sizes for these options, and what other layouts would take. Throws as
 * the constructor does. Takes less than a millisecond.
 */
export function explainPlan(options: CuckooFilterOptions): PlanExplanation {
  const read = filterOptionsOf(options);
  plan(CORE, read);
  const sizes = sizesOfPlan(CORE);
  const alternatives = alternativesTo(sizes, read);
  return Object.freeze({ alternatives, reason: reasonOf(sizes, alternatives) });
}

function alternativesTo(sizes: PlannedSizes, options: CuckooFilterOptions): readonly PlanAlternative[] {
  const plannedWith = (more: Partial<CuckooFilterOptions>): PlannedSizes[] =>
    canPlan(CORE, { ...options, ...more }) ? [sizesOfPlan(CORE)] : [];
  const [space = sizes] = plannedWith({ prefer: 'space' });
  const [speed = sizes] = plannedWith({ prefer: 'speed' });
  // Layouts are compared as full as the planned one.
  const prefer = options.prefer === 'space' ? 'space' : undefined;
  const others: PlannedSizes[] = [];
  const bucketSizes = options.bucketSize === undefined ? [1, 2, 3, 4, 5, 6, 7, 8] : [options.bucketSize];
  for (const bucketSize of bucketSizes)
    for (const semiSort of options.semiSort === undefined ? [false, true] : [options.semiSort])
      others.push(...plannedWith({ bucketSize, semiSort, prefer }));
  const layouts = new Map<string, PlannedSizes>();
  for (const layout of [sizes, ...others, space, speed]) {
    // With a given bucketCount, a smaller layout has too few slots for the keys, so the planner rejected it.
    if (layout.maxByteLength >= space.maxByteLength && !layouts.has(nameOf(layout)))
      layouts.set(nameOf(layout), layout);
  }
  const [planned = sizes, ...rest] = layouts.values();
  rest.sort((one, other) => one.bitsPerKey - other.bitsPerKey);
  const preferenceFor = (name: string): Pick<PlanAlternative, 'prefer'> => {
    if (name !== nameOf(speed)) return name === nameOf(space) ? { prefer: 'space' } : {};
    return { prefer: name === nameOf(space) ? 'both' : 'speed' };
  };
  return Object.freeze(
    [planned, ...rest].map((layout) => {
      const { bucketSize, fingerprintBits, semiSorted, bitsPerKey, lookupCost, insertCost } = layout;
      return Object.freeze({
        ...{ bucketSize, fingerprintBits, semiSorted, bitsPerKey, lookupCost, insertCost },
        ...preferenceFor(nameOf(layout)),
      });
    }),
  );
}

function nameOf({ bucketSize, fingerprintBits, semiSorted }: PlannedSizes): string {
  return `${bucketSize} ${fingerprintBits} ${semiSorted}`;
}

function reasonOf(sizes: PlannedSizes, [, next]: readonly PlanAlternative[]): string {
  const limit = -Math.log2(sizes.expectedFalsePositiveRate);
  const compared =
    next === undefined
      ? 'no other layout is possible'
      : `${layoutOf(next)} would take ${next.bitsPerKey.toFixed(2)}`;
  return (
    `${layoutOf(sizes)}, ${(100 * sizes.loadFactor).toFixed(1)} % full, take ${sizes.bitsPerKey.toFixed(2)} bits per key; ` +
    `${compared}; an optimal Bloom filter of this rate (${sizes.expectedFalsePositiveRate.toPrecision(3)}) takes ` +
    `${(limit / Math.LN2).toFixed(2)}, and no filter can take fewer than ${limit.toFixed(2)}`
  );
}

function layoutOf({ bucketSize, fingerprintBits, semiSorted }: PlanAlternative | PlannedSizes): string {
  const stored = semiSorted ? ` stored in ${fingerprintBits - 1} (semi-sorted)` : '';
  return `${bucketSize} slots per bucket, fingerprints of ${fingerprintBits} bits${stored}`;
}
