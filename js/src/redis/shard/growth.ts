// How a shard doubles: a client fetches it, doubles it with the core, and puts it back under a lock that changes wait for.
// Invariant: the new string takes the place of the old one in one step, and only if that has not changed since it was fetched and
// the lock is still held. So a client that dies meanwhile loses nothing: its lock ends by itself, and another client begins anew.
import { loadFilter } from './core.js';
import { RedisLockedError } from '../errors.js';
import { placesAt, type Places } from './places.js';
import { pause } from '../program/patience.js';
import { fieldOf, sealed } from './saved.js';
import { answers } from '../program/server-errors.js';
import type { Shard } from './shard.js';

/** Milliseconds for which a lock holds: some seconds, and longer for a table that takes long. */
const LOCK = 2000;
const LOCK_PER_BYTE = 0.001;
/** How many times as long as a lock holds a client waits for others' locks. */
const WAITS = 10;

/**
 * What `act` gives; while the shard is being doubled, it waits. Throws RedisLockedError after ten times as long as a lock holds, if
 * other locks follow on that one, or somebody set one that holds for longer.
 */
export async function whenFree<Answer>(shard: Shard, act: () => Promise<Answer>): Promise<Answer> {
  const end = performance.now() + WAITS * lockOf(shard.places);
  for (let attempt = 0; ; ++attempt) {
    try {
      return await act();
    } catch (error) {
      if (!answers(error, 'growing')) throw error;
      if (performance.now() > end) {
        throw new RedisLockedError(shard.key, shard.keyBeside('growing'));
      }
    }
    await pause(attempt);
  }
}

function lockOf({ stringBytes }: Places): number {
  return Math.ceil(LOCK + LOCK_PER_BYTE * stringBytes);
}

/** Doubles the table of `shard`, which was full when it was as `full` says; or waits until another client has done so. */
export async function grow(shard: Shard, full: Places): Promise<void> {
  const lock = shard.keyBeside('growing');
  const word = crypto.randomUUID();
  // Doubled for each further try, because the last lock may have ended before this client was done.
  let holds = lockOf(full);
  let end = performance.now() + WAITS * holds;
  // Ends this client's lock, and one that never expires.
  const unlock = (): Promise<unknown> => shard.run('unlock', undefined, { word });
  for (let attempt = 0; shard.places === full; ++attempt) {
    const locked = await shard.send(['SET', lock, word, 'NX', 'PX', String(holds)]);
    if (locked === null) {
      await unlock();
      if (performance.now() > end) throw new RedisLockedError(shard.key, lock);
    } else {
      holds *= 2;
      end = performance.now() + WAITS * holds;
      try {
        const { bytes, revision, places } = await shard.saved();
        if (places === full) {
          const next = shard.stringOf(await doubled(full, bytes), fieldOf(revision));
          await shard.run('grow', () => next, { word });
        }
      } finally {
        await unlock().catch(() => undefined); // or it ends by itself
      }
    }
    await shard.followMaster();
    if (shard.places === full) await pause(attempt);
  }
}

/** A saved form with the same keys in a table of twice as many buckets. */
async function doubled(places: Places, saved: Uint8Array): Promise<Uint8Array> {
  const next = placesAt(places, places.table.doublings - 1);
  const empty = new Uint8Array(next.stringBytes);
  empty.set(next.header);
  const from = await loadFilter(saved);
  try {
    const into = await loadFilter(sealed(empty));
    try {
      return into.merge(from).serialize();
    } finally {
      into.dispose();
    }
  } finally {
    from.dispose();
  }
}
