// Doubles a shard, with calls of the program that each move a piece (../lua/growth.lua), while readers and writers go
// on. Invariant: progress is recorded only on the server, so any client may stop at any time, and any other client can
// continue. Until keys wait for a doubling, server time is left for others: a process moves one piece of a filter at a
// time, for half of the time, and for less if other processes move pieces of that shard too.
import { RedisGrowthError } from '../errors.js';
import { rest } from '../server/line.js';
import type { Places } from './places.js';
import type { Shard } from './shard.js';

/** Milliseconds after a failure in which a process does not try again, unless a key finds no room. */
const PAUSE = 10_000;

/**
 * The longest pause before a piece, in milliseconds. Without it, a process with a slow connection could pause for hours: others may
 * move thousands of pieces while it moves one.
 */
const LONGEST = 1000;

/** How often a process begins a doubling again without getting further than before: something takes its string away each time. */
const ATTEMPTS = 8;

/** A doubling that this process works at. */
export interface Growth {
  /** The share of the table that has been moved; Infinity once the table has doubled. */
  moved: number;
  /** The largest share that any change waits for. */
  wanted: number;
  /** Settles when the next piece has been moved. */
  piece: Promise<void>;
  /** Ends the pause before that piece. */
  wake: () => void;
}

/**
 * Doubles the table of `shard`, which had the places `full` when it was due to double. Resolves once this share of it has been
 * moved; until then, pieces are moved without pauses, and at the same time as those of other shards. A share below Infinity is
 * waited for only for a quarter of `callMs`: while a slot of a cluster moves, pieces may hang although changes are answered.
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
  const reached = (async () => {
    while (share > growth.moved) await growth.piece;
  })();
  if (share === Infinity) return reached;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, shared.callMs / 4)));
  await Promise.race([reached, late]).finally(() => clearTimeout(timer));
}

/** Moves pieces until the table has doubled. Reports a failure to `onProblem`, and to all who wait for a piece. */
async function double(shard: Shard, full: Places, growth: Growth, before?: Promise<void>): Promise<void> {
  const { bucketCount } = full.table.parameters;
  let [pause, last, furthest, attempts] = [before, Infinity, 0, 0];
  const next = async (): Promise<void> => {
    try {
      await Promise.race([pause, new Promise<void>((resolve) => (growth.wake = resolve))]);
      const begun = performance.now();
      const [from, to] = await shard.move(full);
      if (to === Infinity) await shard.state();
      if (to > furthest) [furthest, attempts] = [to, 0];
      else if (from === 0 && ++attempts > ATTEMPTS)
        throw new Error(
          `${shard.strings.at(-1)} had to be begun again and again: it is deleted, evicted or reset`,
        );
      // How many pieces other processes have moved since this one's last, for each piece that it moves.
      const others = Math.max(0, from - last) / (to - from);
      last = to;
      growth.moved = to / bucketCount;
      const longest = growth.wanted > growth.moved ? 0 : LONGEST;
      pause = rest(Math.min(longest, (performance.now() - begun) * (1 + 2 * others)));
    } catch (error) {
      shard.failure = { error, until: performance.now() + PAUSE, places: full };
      throw new RedisGrowthError(shard.key, error);
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
