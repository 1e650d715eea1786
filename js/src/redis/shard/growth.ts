// Doubles a shard, with calls of the program that each move a piece (script-growth.ts), while readers and writers go
// on. Invariant: progress is recorded only on the server, so any client may stop at any time, and any other client can
// continue. Server time is left for others: a process works on only one shard of a filter, the first that doubles, for
// half of the time, and for less if other processes work on it too.
import type { Places } from './places.js';
import { rest } from '../program/patience.js';
import type { Send } from '../program/program.js';
import type { Shard } from './shard.js';

/** The doublings that this process works at, by the `send` of the filter. */
const filters = new WeakMap<Send, Map<Shard, Promise<void>>>();

/**
 * Doubles the table of `shard`, which had the places `full` when it was due to double. Resolves when it has doubled.
 */
export function grow(shard: Shard, full: Places): Promise<void> {
  const growing = filters.get(shard.send) ?? new Map<Shard, Promise<void>>();
  filters.set(shard.send, growing);
  const begun = growing.get(shard);
  if (begun !== undefined) return begun;
  const growth = Promise.resolve()
    .then(() => move(shard, full, growing))
    .finally(() => growing.delete(shard));
  growing.set(shard, growth);
  return growth;
}

/** The same, for callers that do not wait. Where it fails, the next change goes on. */
export function growMeanwhile(shard: Shard, full: Places): void {
  grow(shard, full).catch(() => undefined);
}

async function move(shard: Shard, full: Places, growing: ReadonlyMap<Shard, Promise<void>>): Promise<void> {
  let last = Infinity;
  while (shard.places === full) {
    const all = [...growing].sort(([a], [b]) => a.stages.index - b.stages.index);
    const [first, growth] = all[0] as (typeof all)[number];
    if (first !== shard) {
      await growth.catch(() => undefined);
      continue;
    }
    const begun = performance.now();
    const piece = await shard.move(full);
    if (piece === undefined) {
      await shard.followMaster();
      continue;
    }
    const [from, to] = piece;
    // Pieces that others have moved since the last one, for each own one.
    const others = Math.max(0, from - last) / (to - from);
    last = to;
    await rest((performance.now() - begun) * (1 + 2 * others));
  }
}
