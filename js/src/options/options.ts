// The options that users give a filter, and the sizes that they can read.
import { readOptions } from './read.js';
import { FILTER_OPTIONS, type Rules } from './rules.js';

/** The formula for a key's alternate bucket: `reflect` works with any bucket count, `xor` (the paper's) with powers of two. */
export type Addressing = 'reflect' | 'xor';

/** What the planner aims for: the fewest bits, or the least time. */
export type Preference = 'space' | 'speed';

/** One doubling of a table. */
export interface GrowEvent {
  /** Number of buckets before. */
  readonly oldBucketCount: number;
  /** Number of buckets after. */
  readonly newBucketCount: number;
  /** Number of entries in the table when it doubled. */
  readonly size: number;
  /**
   * The most milliseconds that the doubling added to one call, including the allocation. `onGrow` knows only the call
   * that began it; `stats()` also covers the calls that moved the rest (see the option `maxPause`).
   */
  readonly pause: number;
}

/** The options of a filter. Only `capacity` is required; the rest have defaults or are planned. */
export interface CuckooFilterOptions {
  /**
   * Number of different keys that must fit: an integer from 1 to 2^34, if memory allows. Each further copy of a key takes
   * a slot, too, and several copies of most keys fill the table before all slots are taken.
   */
  readonly capacity: number;
  /**
   * Lets the filter grow up to this many entries: an integer from `capacity` to 2^34. Default: it does not grow. The
   * table doubles in place, and the rate holds at every size. The first table has room for `capacity` keys or more, and
   * takes one bit more per slot for each doubling to come.
   */
  readonly maxCapacity?: number | undefined;
  /**
   * The probability that an absent key is reported present by the full filter, with `maxCapacity` entries if it grows:
   * from about 1e-9 to less than 1. Default 0.001.
   */
  readonly falsePositiveRate?: number | undefined;
  /**
   * The hash function. Default `xxh64`. If untrusted users choose the keys, use `siphash-1-3` with a key of 16 secret
   * bytes from `crypto.getRandomValues`. The key is copied and never saved: pass it again to load the filter. Lookups
   * of short strings then take a quarter longer.
   */
  readonly hash?: HashOption | undefined;
  /**
   * Seed of the hash: an integer from 0 to 2^64 - 1, or `'random'`; `filter.seed` says which was chosen.
   * Default 0. A random seed does not stop people who have the saved bytes, or long keys that collide under every
   * seed: use `hash` against those.
   */
  readonly seed?: number | bigint | 'random' | undefined;
  /**
   * Called once for each doubling, at the end of the call that began it; within an asynchronous call, as the keys
   * arrive. If it throws, that call is finished, with all its keys in the filter, and then throws the error. Clones and
   * loaded filters have no `onGrow`.
   */
  readonly onGrow?: ((event: GrowEvent) => void) | undefined;
  /**
   * Approximate milliseconds, 0 or more, that doubling the table may add to one call. Until a doubling is done, the
   * calls that add and delete keys share the work, and both tables are in memory. `Infinity` doubles in one call, which
   * takes up to 41 ms on the way to ten million keys. Default 0.1.
   */
  readonly maxPause?: number | undefined;
  /**
   * `space` plans the fewest bits. `speed` plans plain buckets of at most 64 bits, filled to at most 93 %, if they meet
   * the rate. Default: few bits. Buckets have at most 64 bits, unless larger ones save 5 %, and are filled to at most
   * 95.6 %. `explainPlan` compares them.
   */
  readonly prefer?: Preference | undefined;
  /** Slots per bucket, 1 to 8. Default: planned for the fewest bits. */
  readonly bucketSize?: number | undefined;
  /**
   * Bits of a fingerprint: an integer from 2 to 32. With `semiSort: true`, an integer from 5 to 32, or a multiple of
   * 0.25 from 5.25 to 24. Default: planned from the rate.
   */
  readonly fingerprintBits?: number | undefined;
  /** Number of buckets before any growth: an integer from 1 to 2^32. Default: planned from the capacity. */
  readonly bucketCount?: number | undefined;
  /**
   * Keeps each bucket sorted, which saves one bit per slot and makes inserts and deletes slower. Only with four slots per
   * bucket and fingerprints of at least 5 bits. Default: planned for the fewest bits.
   */
  readonly semiSort?: boolean | undefined;
  /**
   * Not an option. All filters and plans have this property, so TypeScript rejects them where options are expected. For
   * a copy of a filter, call its `clone`; to build a plan, pass its `options`.
   * @hidden
   */
  readonly semiSorted?: undefined;
  /** Default `reflect`. `xor` needs a power-of-two `bucketCount`. */
  readonly addressing?: Addressing | undefined;
}

/** The name of a hash function. */
export type HashAlgorithm = 'xxh64' | 'siphash-1-3';

/** A hash function, with its secret key if it needs one. */
export type HashOption =
  | 'xxh64'
  | { readonly algorithm: 'xxh64' }
  | { readonly algorithm: 'siphash-1-3'; readonly key: ArrayBufferView | ArrayBuffer };

/** The options of `from`: the same, but none is required. */
export type FromOptions<Options> = { [Name in keyof Options]?: Options[Name] | undefined };

/** Limits for loading, and the secret key if the filter has one. */
export interface LoadOptions {
  /** Largest size of the table, in bytes. Default: no limit. */
  readonly maxBytes?: number | undefined;
  /** The hash that the filter was made with. Needed only if it has a secret key. */
  readonly hash?: HashOption | undefined;
}

/** The sizes of a filter, or of one that could be built. */
export interface Sizes {
  /** Number of entries that there is room for before the table doubles, if it may still grow. */
  readonly currentCapacity: number;
  /** Number of entries that fit once the table has grown; the same as `currentCapacity` if it does not grow. */
  readonly maxCapacity: number;
  /** How many times the table may still double. */
  readonly doublings: number;
  /** Number of buckets. */
  readonly bucketCount: number;
  /** Slots per bucket. */
  readonly bucketSize: number;
  /** Bits of a fingerprint: an integer, or a multiple of 0.25 if `semiSorted`. A semi-sorted slot takes one bit less. */
  readonly fingerprintBits: number;
  /** The formula for a key's alternate bucket. */
  readonly addressing: Addressing;
  /** Whether each bucket is kept sorted, which saves one bit per slot. */
  readonly semiSorted: boolean;
  /** The hash function. */
  readonly hashAlgorithm: HashAlgorithm;
  /** Seed of the hash; 0 if the hash has a secret key. */
  readonly seed: bigint;
  /** Bytes of the table. */
  readonly byteLength: number;
  /** Bytes of the table once it has grown. */
  readonly maxByteLength: number;
  /** 8 maxByteLength / maxCapacity. */
  readonly bitsPerKey: number;
  /** currentCapacity / (bucketCount bucketSize). */
  readonly loadFactor: number;
  /**
   * The rate expected when `maxCapacity` keys are stored: at most the rate asked for, unless other options do not allow
   * that.
   */
  readonly expectedFalsePositiveRate: number;
}

/** Sizes, and what calls cost with them. */
export interface PlannedSizes extends Sizes {
  /**
   * Time per key of `containsMany`, relative to the fastest layout (plain buckets of at most 64 bits), for tables with
   * the same number of keys. Measured by `npm run bench -- layouts`.
   */
  readonly lookupCost: number;
  /** Time per key of `addMany` from an empty filter to a full one, measured the same way. */
  readonly insertCost: number;
}

/** The options of a CuckooFilter as they were given, each read once and checked, and `more`. */
export function filterOptionsOf(given: unknown, more: Rules = {}): CuckooFilterOptions {
  return readOptions(given, { ...FILTER_OPTIONS, ...more });
}

/**
 * The sizes of a filter that is not made yet. `options` makes exactly this filter: it has the options that were given
 * and, as far as needed, the seed and sizes that were chosen.
 */
export interface FilterPlan<Options> extends PlannedSizes {
  /** As the option says. */
  readonly capacity: number;
  readonly options: Readonly<Options>;
}

/** The sizes of a CuckooFilter that is not made yet. */
export type CuckooFilterPlan = FilterPlan<CuckooFilterOptions>;
