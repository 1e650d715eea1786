// Reads how full a shard is, and replaces its content.
import { argumentError } from '../../src/errors.js';
import { CHECKSUM } from '../../src/reader/table.js';
import { RECORD, type Places } from './places.js';
import { asString, fieldAt, randomGeneration, sizeOf } from './saved.js';
import type { Shard } from './shard.js';

/** How full a shard is, and what tells whether it has changed: the records of its blocks, and its generation. */
export interface ShardState {
  readonly places: Places;
  readonly size: number;
  readonly records: Uint8Array;
  readonly generation: number;
}

/** Entries, and what tells whether there were changes. */
export function stateOf(shard: Shard): Promise<ShardState> {
  return shard.upToDate(async (places) => {
    const { stringBytes, blocks } = places;
    const end = stringBytes - CHECKSUM;
    const begins = Float64Array.from({ length: blocks + 1 }, (_, i) => end - RECORD * (blocks - i));
    const bytes = await shard.fields(places, begins);
    const records = bytes.subarray(0, RECORD * blocks);
    return { places, size: sizeOf(records), records, generation: fieldAt(bytes, RECORD * blocks) };
  });
}

/**
 * Throws RangeError unless `saved` is a filter with the same parameters that has doubled as often as this shard may.
 */
export function checkReplacement({ stages, places: { shards } }: Shard, saved: Uint8Array): void {
  if (stages.like(saved) === undefined)
    throw argumentError(
      `the filter has other options than the one on the server. ${
        shards === 1
          ? 'Make it with new CuckooFilter((await redisFilter.info()).options)'
          : 'Publish a replica of a filter with the same options'
      }`,
      RangeError,
    );
}

/** Puts a filter that was checked in place of a shard's, in one step. */
export async function replace(shard: Shard, saved: Uint8Array): Promise<void> {
  const as = shard.stages.like(saved) as Places;
  const string = asString(saved, as, shard.stages.headerOf(as), randomGeneration());
  await shard.run('replace', () => string);
}
