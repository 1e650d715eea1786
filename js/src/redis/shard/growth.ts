// How a shard doubles: by calls of the program that move a piece each (script-growth.ts), while readers and writers go on.
// Invariant: what was moved is on the server alone, so any client may stop at any time, and any other goes on.
import type { Places } from './places.js';
import { rest } from '../program/patience.js';
import type { Shard } from './shard.js';

/** The doublings that this process works at. */
const growing = new WeakMap<Shard, Promise<void>>();

/** Doubles the table of `shard`, which was to double when it was as `full` says; resolves when it has doubled. */
export function grow(shard: Shard, full: Places): Promise<void> {
  const begun = growing.get(shard);
  if (begun !== undefined) return begun;
  const growth = move(shard, full).finally(() => growing.delete(shard));
  growing.set(shard, growth);
  return growth;
}

/** The same, for callers that do not wait. Where it fails, the next change goes on. */
export function growMeanwhile(shard: Shard, full: Places): void {
  grow(shard, full).catch(() => undefined);
}

/** Half of the time is left to others. */
async function move(shard: Shard, full: Places): Promise<void> {
  while (shard.places === full) {
    const begun = performance.now();
    if (await shard.move(full)) await shard.followMaster();
    else await rest(performance.now() - begun);
  }
}
