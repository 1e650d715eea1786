// The parameters of a filter on the server, and how full it is.
import type { CuckooFilterOptions } from '../src/options/options.js';
import { withJson } from '../src/options/with-json.js';
import type { Asking } from './server/line.js';
import { rateOf, slotsOf, type Places } from './shard/places.js';
import type { Shard, Shards } from './shard/shard.js';

/** The parameters of a filter, and what it holds. */
export interface RedisFilterInfo {
  readonly name: string;
  /** The Redis keys of the shards. */
  readonly keys: readonly string[];
  readonly shards: number;
  /** Number of entries stored, in all shards. */
  readonly size: number;
  readonly capacity: number;
  readonly maxCapacity: number;
  /** size / slots, from 0 to 1. */
  readonly loadFactor: number;
  /** The expected probability, now, that an absent key is reported present. */
  readonly expectedFalsePositiveRate: number;
  /**
   * Bytes of the strings of all shards: all that the server's allocator gives for them, unless they are still to double. While one
   * does, the server also has the string that it doubles into.
   */
  readonly byteLength: number;
  /**
   * Options for a local CuckooFilter with the parameters of a fully grown shard. If there is one shard, `publish`
   * accepts such a filter.
   */
  readonly options: CuckooFilterOptions & { readonly seed: bigint };
}

/** How full one shard is. */
export interface ShardStats {
  /** The Redis key of the shard. */
  readonly key: string;
  readonly size: number;
  readonly loadFactor: number;
  /** The number of its last change. */
  readonly epoch: number;
  /**
   * `due`: the table doubles with the next change. `doubling`: it is being doubled. `failed`: this process could not
   * double it; `verify` says why.
   */
  readonly growth: 'none' | 'due' | 'doubling' | 'failed';
}

/** What `verify` found about one shard. */
export interface ShardHealth {
  /** The Redis key of the shard. */
  readonly key: string;
  /**
   * What is wrong: the shard is gone, is something else, or belongs to another filter or place (FormatError); it has
   * lost changes (RedisRollbackError); it cannot double (RedisGrowthError). Undefined if all is well.
   */
  readonly error: Error | undefined;
  /** In how many milliseconds the shard expires; undefined if it does not, or the user may not ask (`PTTL`). */
  readonly expiresIn: number | undefined;
  /**
   * The server's `maxmemory-policy`, if the server may delete the shard by it once memory is short; undefined if it may not, or the
   * user may not ask (`INFO`).
   */
  readonly evictionPolicy: string | undefined;
}

export async function infoOf(shards: Shards, asking: Asking): Promise<RedisFilterInfo> {
  const { name, capacity, maxCapacity, hash, places: begun } = shards[0].shared;
  const states = await Promise.all(shards.map((shard) => shard.state(asking)));
  const sum = (of: (state: (typeof states)[number]) => number): number =>
    states.reduce((all, each) => all + of(each), 0);
  const size = sum((state) => state.size);
  const { table } = begun.stages[0] as Places;
  const { capacity: most, bucketCount, bucketSize, fingerprintBits, semiSorted: semiSort } = table.parameters;
  const sizes = { bucketCount, bucketSize, fingerprintBits, semiSort, seed: table.seed() };
  return {
    name,
    keys: shards.map(({ key }) => key),
    shards: shards.length,
    size,
    capacity,
    maxCapacity,
    loadFactor: size / sum(({ places }) => slotsOf(places)),
    expectedFalsePositiveRate: sum((state) => rateOf(state.places, state.size)) / shards.length,
    byteLength: sum(({ places }) => places.stringBytes),
    options: withJson({ capacity: most, ...sizes, ...(hash && { hash }) }),
  };
}

export async function statsOf(shard: Shard, asking: Asking): Promise<ShardStats> {
  const state = await shard.state(asking);
  const { places, size, epoch, growth } = state;
  const loadFactor = size / slotsOf(places);
  return { key: shard.key, size, loadFactor, epoch, growth: shard.isFailed(state) ? 'failed' : growth };
}
