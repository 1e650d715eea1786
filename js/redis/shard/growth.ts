// Doubles a shard, with calls of the program that each move a piece (script-growth.ts), while readers and writers go
// on. Invariant: progress is recorded only on the server, so any client may stop at any time, and any other client can
// continue. Server time is left for others: a process moves one piece of a filter at a time, for half of the time, and
// for less if other processes move pieces of that shard too.
import type { Places } from './places.js';
import { rest } from '../program/patience.js';
import type { Send } from '../program/program.js';
import type { Shard } from './shard.js';

/** The doublings that this process works at, and the last one of each filter, by its `send`. */
const growing = new WeakMap<Shard, Promise<void>>();
const lasts = new WeakMap<Send, Promise<void>>();

/**
 * Doubles the table of `shard`, which had the places `full` when it was due to double. Resolves when it has doubled.
 */
export function grow(shard: Shard, full: Places): Promise<void> {
  const begun = growing.get(shard);
  if (begun !== undefined) return begun;
  const before = lasts.get(shard.send)?.catch(() => undefined);
  const growth = move(shard, full, before).finally(() => growing.delete(shard));
  growing.set(shard, growth);
  lasts.set(shard.send, growth);
  return growth;
}

async function move(shard: Shard, full: Places, before: Promise<void> | undefined): Promise<void> {
  await before;
  for (let last = Infinity; shard.places === full;) {
    const begun = performance.now();
    const [from, to] = await shard.move(full);
    // Pieces that others have moved since the last one, for each own one.
    const others = Math.max(0, from - last) / (to - from);
    last = to;
    if (to === Infinity) await shard.followMaster();
    else await rest((performance.now() - begun) * (1 + 2 * others));
  }
}
