// What a filter counts about its own work.
import type { Bindings } from '../engine/bindings.js';
import type { Instance } from '../engine/instance.js';
import { resultAt, resultsOf } from '../engine/scratch.js';
import type { GrowEvent } from '../options/options.js';

/** Counts of a filter since it was made, loaded or cloned, and its current size. */
export interface CuckooFilterStats {
  /** Number of entries stored now. */
  readonly size: number;
  /** Number of entries that there is room for now. */
  readonly currentCapacity: number;
  /** size / (bucketCount x bucketSize), from 0 to 1. */
  readonly loadFactor: number;
  /**
   * How often a key found no room. The key was refused, unless the table grew or periods were forgotten to make room.
   */
  readonly full: number;
  /** Number of keys refused because their two candidate buckets hold only copies. */
  readonly tooManyCopies: number;
  /** How many inserts needed no kick, 1 kick, 2 to 3, 4 to 7, and so on: 17 counts. */
  readonly kicks: readonly number[];
  /** Number of times that the table has doubled. */
  readonly growthCount: number;
  /**
   * The doublings of the table, in order: the last 30 if there were more, which is possible only if the table was also
   * halved.
   */
  readonly growths: readonly GrowEvent[];
}

/** The current state of a filter or layer, which the core's counts do not include. */
export type StatsNow = Pick<CuckooFilterStats, 'size' | 'currentCapacity' | 'loadFactor'>;

/** The statistics from the counts that the core has just written. */
export function countedStats(instance: Instance<Bindings>, now: StatsNow): CuckooFilterStats {
  const { counts } = instance.bindings;
  const { scratch } = instance;
  const { full, tooManyCopies } = resultsOf(scratch, counts);
  return Object.freeze({
    ...now,
    full,
    tooManyCopies,
    kicks: Object.freeze(
      Array.from({ length: counts.kickCounts }, (_, i) => resultAt(scratch, counts.kicks + i)),
    ),
    ...growthsOf(instance),
  });
}

export function growthsOf(instance: Instance<Bindings>): Pick<CuckooFilterStats, 'growths' | 'growthCount'> {
  const { counts } = instance.bindings;
  const { scratch } = instance;
  const { doublingCount } = resultsOf(scratch, counts);
  const growths = Array.from({ length: Math.min(doublingCount, counts.doublingsKept) }, (_, i) => {
    const newBucketCount = resultAt(scratch, counts.doublingBuckets + i);
    return Object.freeze({
      oldBucketCount: newBucketCount / 2,
      newBucketCount,
      size: resultAt(scratch, counts.doublingSizes + i),
      pause: resultAt(scratch, counts.doublingPauses + i),
    });
  });
  return { growthCount: doublingCount, growths: Object.freeze(growths) };
}
