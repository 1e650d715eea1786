// Doubles a shard, with calls of the program that each move a piece (../lua/growth.lua), while readers and writers go
// on. Invariant: progress is recorded only on the server, so any client may stop at any time, and any other client can
// continue. Until keys wait for a doubling, server time is left for others: a process moves one piece of a filter at a
// time, for half of the time, and for less if other processes move pieces of that shard too.
import type { RedisGrowthError } from '../errors.js';
import { rest } from '../server/line.js';
import type { Places } from './places.js';
import type { Shard } from './shard.js';

/** Milliseconds after a failure in which a process does not try again, unless a key finds no room. */
const PAUSE = 10_000;

/** Longest pause before a piece. A slow process whose piece others did thousands of times meanwhile would wait for hours. */
const LONGEST = 1000;

/** A doubling that this process works at. */
export interface Growth {
  /** The share of the table that is moved, Infinity at the end; and the highest that anything waits for. */
  moved: number;
  wanted: number;
  /** The next piece; and what ends the pause before it. */
  piece: Promise<void>;
  wake: () => void;
}

/**
 * Doubles the table of `shard`, which had the places `full` when it was due to double. Resolves once this share of it is moved:
 * until then, without pauses, and not after other shards. What needs less than all of it does not wait for long, as a piece may
 * hang while changes are answered: where a slot of a cluster moves.
 */
export async function grow(shard: Shard, full: Places, share: number): Promise<void> {
  const { shared } = shard;
  let { growth } = shard;
  if (growth === undefined) {
    growth = { moved: 0, wanted: 0, piece: Promise.resolve(), wake: () => undefined };
    shard.growth = growth;
    shared.lastGrowth = double(shard, full, growth, shared.lastGrowth);
  }
  growth.wanted = Math.max(growth.wanted, share);
  if (share <= growth.moved) return;
  growth.wake();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLate = false;
  const late = new Promise<void>((resolve) => {
    const end = (): void => resolve(void (isLate = true));
    if (share < Infinity) timer = setTimeout(end, shared.callMs / 4);
  });
  try {
    while (share > growth.moved && !isLate) await Promise.race([growth.piece, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Tells the program of a failure, and what waits for a piece. */
async function double(shard: Shard, full: Places, growth: Growth, before?: Promise<void>): Promise<void> {
  const { bucketCount } = full.table.parameters;
  let [pause, last] = [before, Infinity];
  const next = async (): Promise<void> => {
    try {
      await Promise.race([pause, new Promise<void>((resolve) => (growth.wake = resolve))]);
      const begun = performance.now();
      const [from, to] = await shard.move(full);
      if (to === Infinity) await shard.state();
      // How many pieces other processes have moved since this one's last, for each piece that it moves.
      const others = Math.max(0, from - last) / (to - from);
      last = to;
      growth.moved = to / bucketCount;
      const longest = growth.wanted > growth.moved ? 0 : LONGEST;
      pause = rest(Math.min(longest, (performance.now() - begun) * (1 + 2 * others)));
    } catch (error) {
      shard.failure = { error, until: performance.now() + PAUSE };
      throw shard.growthError(error);
    }
  };
  try {
    while (shard.places === full) await (growth.piece = next());
    growth.moved = Infinity;
    shard.failure = undefined;
  } catch (problem) {
    shard.tell(problem as RedisGrowthError);
  }
  shard.growth = undefined;
}
