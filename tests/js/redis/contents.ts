// What the strings and the replicas of a RedisCuckooFilter hold.
import { CuckooFilter } from 'cuckoofilter-wasm';
import type { RedisReplica } from 'cuckoofilter-wasm/redis';
import { otherHome, SavedFilter } from '../support/reference/reader';

/** How many entries there are of each kind: a fingerprint with its pair of buckets. */
export function kindsIn(saved: Uint8Array): Map<string, number> {
  const filter = new SavedFilter(saved);
  const kinds = new Map<string, number>();
  filter.slots.forEach((fingerprint, slot) => {
    if (fingerprint === 0) return;
    const bucket = Math.floor(slot / filter.bucketSize);
    const pair = [bucket, otherHome(bucket, fingerprint, filter)].sort((a, b) => a - b);
    const kind = `${fingerprint} ${pair.join(' ')}`;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  });
  return kinds;
}

/** A local filter with the content of each shard. */
export function localsOf(replica: RedisReplica): CuckooFilter[] {
  return replica.serializeShards().map((bytes) => CuckooFilter.deserialize(bytes));
}
