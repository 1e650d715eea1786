// What a filter counts of its own work.
// Invariant: the counts are the core's; nothing is counted here.
import type { Bindings } from '../wasm/bindings.js';
import type { Instance } from '../wasm/instance.js';

/** One doubling of a table. */
export interface GrowEvent {
  readonly oldBucketCount: number;
  readonly newBucketCount: number;
  /** Keys in the table, all of which were moved. */
  readonly size: number;
  /** Milliseconds that it took, the allocation among them. */
  readonly pause: number;
}

/** A filter's work since it was made, loaded or cloned. */
export interface CuckooFilterStats {
  readonly size: number;
  readonly capacity: number;
  /** size / (bucketCount bucketSize), from 0 to 1. */
  readonly loadFactor: number;
  /** Keys refused as no room was found for them. */
  readonly full: number;
  /** Keys refused as their two buckets hold nothing but copies. */
  readonly tooManyCopies: number;
  /** How many keys went in without a kick, after 1, after 2 to 3, 4 to 7, and so on: 17 counts. */
  readonly kicks: readonly number[];
  /** Every doubling of the table, in order. */
  readonly growths: readonly GrowEvent[];
}

/** A filter's or a layer's sizes now, as far as the counts do not tell. */
export type StatsNow = Pick<CuckooFilterStats, 'size' | 'capacity' | 'loadFactor'> & {
  readonly bucketCount: number;
};

/** The statistics of what the core has just put the counts of. */
export function countedStats(
  instance: Instance<Bindings>,
  { bucketCount, size, capacity, loadFactor }: StatsNow,
): CuckooFilterStats {
  const { counts } = instance.bindings;
  const { numbers } = instance.scratch;
  const { full, tooManyCopies, doublingCount } = instance.results(counts);
  const growths = Array.from({ length: doublingCount }, (_, i) => {
    const newBucketCount = bucketCount / 2 ** (doublingCount - 1 - i);
    return Object.freeze({
      oldBucketCount: newBucketCount / 2,
      newBucketCount,
      size: numbers[counts.doublingSizes + i] as number,
      pause: numbers[counts.doublingPauses + i] as number,
    });
  });
  return Object.freeze({
    size,
    capacity,
    loadFactor,
    full,
    tooManyCopies,
    kicks: Object.freeze([...numbers.subarray(counts.kicks, counts.kicks + counts.kickCounts)]),
    growths: Object.freeze(growths),
  });
}
