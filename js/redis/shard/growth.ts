// Doubles a shard, with calls of the program that each move a piece (../lua/growth.lua), while readers and writers go
// on. Invariant: progress is recorded only on the server, so any client may stop at any time, and any other client can
// continue. Until keys wait for a doubling, server time is left for others: a process moves one piece of a filter at a
// time, for half of the time, and for less if other processes move pieces of that shard too.
import { RedisGrowthError } from '../errors.js';
import { rest } from '../server/line.js';
import type { Places } from './places.js';
import type { Shard } from './shard.js';

/** Milliseconds after a failure in which a process does not try again, unless keys wait. */
const PAUSE = 10_000;

/**
 * Doubles the table of `shard`, which had the places `full` when it was due to double. If keys wait for that (`isNeeded`),
 * it hardly rests, and other shards do not go first. Resolves when it has doubled; or at once after a failure, for a time,
 * if it is not needed.
 */
export function grow(shard: Shard, full: Places, isNeeded: boolean): Promise<void> {
  if (shard.growth === undefined) {
    if (!isNeeded && performance.now() < (shard.failure?.until ?? 0)) return Promise.resolve();
    const { shared } = shard;
    const before = shared.lastGrowth?.catch(() => undefined);
    shared.lastGrowth = shard.growth = move(shard, full, before)
      .then(
        () => (shard.failure = undefined),
        (error: unknown) => {
          shard.failure = { error, until: performance.now() + PAUSE };
          const problem = new RedisGrowthError(shard.key, error);
          shard.tell(problem);
          throw problem;
        },
      )
      .finally(() => (shard.growth = undefined));
  }
  if (isNeeded) shard.hurry();
  return shard.growth;
}

async function move(shard: Shard, full: Places, before: Promise<void> | undefined): Promise<void> {
  let isHurried = false;
  let wake: () => void = () => undefined;
  const woken = (): Promise<void> => new Promise((resolve) => (wake = resolve));
  shard.hurry = () => {
    // Later pauses are as short as they can be.
    if (!isHurried) wake();
    isHurried = true;
  };
  await Promise.race([before, woken()]);
  for (let last = Infinity; shard.places === full;) {
    const begun = performance.now();
    const [from, to] = await shard.move(full);
    // How many pieces other processes have moved since this one's last, for each piece that it moves.
    const others = Math.max(0, from - last) / (to - from);
    last = to;
    const pause = isHurried ? 0 : (performance.now() - begun) * (1 + 2 * others);
    if (to === Infinity) await shard.state();
    else await Promise.race([rest(pause), woken()]);
  }
}
