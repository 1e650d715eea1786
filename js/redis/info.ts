// The parameters of a filter on the server, and how full it is.
import { FormatError } from '../src/basic-errors.js';
import type { CuckooFilterOptions } from '../src/options/options.js';
import { told } from '../src/options/told.js';
import { readTable, type Parameters } from '../src/reader/table.js';
import { placesAt, type Places } from './shard/places.js';
import { stateOf, type ShardState } from './shard/contents.js';
import type { Shard } from './shard/shard.js';

/** The parameters of a filter, and what it holds. */
export interface RedisFilterInfo {
  readonly name: string;
  /** The keys of the shards. */
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
  /** Bytes of all strings. */
  readonly byteLength: number;
  /**
   * Options for a local CuckooFilter with the parameters of a fully grown shard. If there is one shard, `publish` takes
   * such a filter.
   */
  readonly options: CuckooFilterOptions & { readonly seed: bigint };
}

/** How full one shard is. */
export interface ShardStats {
  readonly key: string;
  readonly size: number;
  readonly loadFactor: number;
}

/** What `verify` found about one shard. */
export interface ShardHealth {
  readonly key: string;
  /**
   * What is wrong: the shard is gone, is something else, or belongs to another filter or place. Undefined if all is
   * well.
   */
  readonly error: FormatError | undefined;
}

/** `begun` are the places that the shards were opened with. */
export async function infoOf(
  shards: readonly Shard[],
  begun: Places,
  capacities: Pick<RedisFilterInfo, 'capacity' | 'maxCapacity'>,
): Promise<RedisFilterInfo> {
  const states = await Promise.all(shards.map(stateOf));
  const sum = (of: (state: ShardState) => number): number => states.reduce((all, each) => all + of(each), 0);
  const size = sum((state) => state.size);
  const grown = placesAt(begun, 0).table;
  const { capacity, bucketCount, bucketSize, fingerprintBits, semiSorted, maxKicks } = grown.parameters;
  return {
    name: (shards[0] as Shard).key,
    keys: shards.map(({ key }) => key),
    shards: shards.length,
    size,
    ...capacities,
    loadFactor: size / sum(({ places }) => slotsOf(places.table.parameters)),
    expectedFalsePositiveRate: sum(rateOf) / shards.length,
    byteLength: sum(({ places }) => places.stringBytes),
    options: told({
      capacity,
      bucketCount,
      bucketSize,
      fingerprintBits,
      semiSort: semiSorted,
      maxKicks,
      seed: grown.seed(),
    }),
  };
}

export function statsOf(shards: readonly Shard[]): Promise<ShardStats[]> {
  return Promise.all(
    shards.map(async (shard) => {
      const { places, size } = await stateOf(shard);
      return { key: shard.key, size, loadFactor: size / slotsOf(places.table.parameters) };
    }),
  );
}

export function healthOf(shards: readonly Shard[]): Promise<ShardHealth[]> {
  return Promise.all(
    shards.map(async (shard) => {
      const error = await shard.problem().catch((thrown: unknown) => {
        if (thrown instanceof FormatError) return thrown;
        throw thrown;
      });
      return { key: shard.key, error };
    }),
  );
}

function slotsOf({ bucketCount, bucketSize }: Parameters): number {
  return bucketCount * bucketSize;
}

/** The rate that a shard of this size has. */
function rateOf({ places: { header }, size }: ShardState): number {
  const filled = header.slice();
  new DataView(filled.buffer).setBigUint64(40, BigInt(size), true);
  return readTable(filled, 0, 0).parameters.expectedFalsePositiveRate;
}
