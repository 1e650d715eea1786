// What a filter counts of its own work, and who is told when its table doubles.
// Invariant: the counts are the core's; a filter without `onGrow` costs nothing more, as its methods are left alone.
import type { CuckooFilter } from './filter.js';
import { core, exchange, type Address } from './module.js';
import type { Sizes } from './options.js';

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

const KICK_COUNTS = 17;

/** The methods that may double the table. */
const GROWING = [
  'add',
  'tryAdd',
  'addIfAbsent',
  'addMany',
  'addManyIfAbsent',
  'merge',
  'mergeIfAbsent',
] as const;

/** The statistics of a filter, or a chain's layer, whose table has `bucketCount` buckets now. */
export function readStats(
  filter: Address,
  { bucketCount, capacity }: Sizes,
  { size, loadFactor }: Pick<CuckooFilterStats, 'size' | 'loadFactor'>,
  layer?: number,
): CuckooFilterStats {
  core().readStatistics(filter, layer);
  const [full = 0, tooManyCopies = 0, ...rest] = exchange().numbers;
  const kicks = Object.freeze(rest.slice(0, KICK_COUNTS));
  const doublings = rest[KICK_COUNTS] ?? 0;
  const growths = Array.from({ length: doublings }, (_, i) => {
    const [moved = 0, pause = 0] = rest.slice(KICK_COUNTS + 1 + 2 * i);
    const newBucketCount = bucketCount / 2 ** (doublings - 1 - i);
    return Object.freeze({ oldBucketCount: newBucketCount / 2, newBucketCount, size: moved, pause });
  });
  return Object.freeze({
    size,
    capacity,
    loadFactor,
    full,
    tooManyCopies,
    kicks,
    growths: Object.freeze(growths),
  });
}

/** Lays over `filter`, at `address`, that `onGrow` is called after each call that doubled the table. */
export function tellGrowth(filter: CuckooFilter, address: Address, onGrow: (event: GrowEvent) => void): void {
  let told = 0;
  const tell = (): void => {
    while (told < core().doublings(address)) {
      const event = filter.stats().growths[told++];
      if (event !== undefined) onGrow(event);
    }
  };
  runAfter(filter, GROWING, tell);
}

/** Lays over `filter` that `act` runs after each call of these methods, also where one throws. */
export function runAfter<Filter extends CuckooFilter>(
  filter: Filter,
  methods: readonly (keyof Filter)[],
  act: () => void,
): void {
  for (const name of methods) {
    const operate = filter[name] as (this: Filter, given: never) => unknown;
    const value = (given: never): unknown => {
      try {
        return operate.call(filter, given);
      } finally {
        act();
      }
    };
    Object.defineProperty(filter, name, { value, configurable: true, writable: true });
  }
}
