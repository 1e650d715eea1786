// Finds or makes a filter on the server, shard by shard, even if several processes do so at once. Invariant: the first
// shard is made first, and is marked until all others exist. The others are made without the identity of the filter, so
// that no call takes them for its own. They get it once all of them exist, if the first shard is still marked. So a
// shard that is lost later is never made again, not even by a slow process: that is an error.
import { argumentError } from '../src/errors.js';
import { differs, swapped, wrong } from './errors.js';
import type { Given } from './options.js';
import { messageOf } from './server/server-errors.js';
import { placesOf, tooLarge } from './shard/places.js';
import { hexOf, identityOf, indexOf, randomIdentity } from './shard/saved.js';
import type { Found, Shard } from './shard/shard.js';

/** The strings that a call has made, with what tells each from others under its key. */
type Made = Map<Shard, Uint8Array>;

/**
 * Finds or makes the strings of all shards. Returns whether this call made the first. Throws if they do not belong to
 * one filter.
 */
export async function openShards(shards: readonly Shard[], given: Given): Promise<boolean> {
  const made: Made = new Map();
  try {
    return await findOrMake(shards, given, made);
  } catch (error) {
    // The first one first: whoever else is making the rest then finds that it is gone. If that has ended the making, nothing goes.
    let isFirstGone = 0;
    for (const [shard, random] of made) {
      const unmaking = shard.run('unmake', /^(unmade|kept)$/, Uint8Array.of(...random, isFirstGone));
      const answer = await unmaking.catch(() => 'kept');
      if (shard.index === 0) isFirstGone = Number(answer === 'unmade');
    }
    throw error;
  }
}

async function findOrMake(shards: readonly Shard[], given: Given, made: Made): Promise<boolean> {
  const { name, create, identity, signal } = given;
  const [first, ...others] = shards as [Shard, ...Shard[]];
  const { shared } = first;
  for (;;) {
    const found = await first.look({ signal });
    if (found === undefined) {
      const isLost = (await Promise.all(others.map((shard) => isThere(shard, given)))).includes(true);
      // Another process may have made the filter since.
      if (isLost && (await first.look({ signal })) !== undefined) continue;
      if (isLost || identity !== undefined) throw wrong(name, 'gone');
      if (create === false) throw wrong(name, 'never made');
      shared.identity = randomIdentity();
      if (!(await make(first, given, made, others.length > 0))) continue;
      await makeOthers(first, others, given, made);
      for (const shard of shards) shard.check(1, 0);
      return true;
    }
    checkAlike(first, found);
    if (create === true)
      throw argumentError(
        `${name} is on the server already. Leave out create to use it, or choose another name`,
        RangeError,
      );
    if (create === false && found.isBeingMade) throw wrong(name, 'never made');
    if (identity !== undefined && identity !== hexOf(identityOf(found.header)))
      throw wrong(name, 'of another filter');
    shared.identity = identityOf(found.header);
    take(first, found, given);
    if (found.isBeingMade) await makeOthers(first, others, given, made);
    else await Promise.all(others.map(async (shard) => take(shard, await shard.look({ signal }), given)));
    return false;
  }
}

/** Takes the string that was found for a shard. Throws if it is not of this filter, or has lost changes. */
function take(shard: Shard, found: Found | undefined, { epochs }: Given): void {
  if (found !== undefined) checkAlike(shard, found);
  if (found === undefined || isFresh(found)) throw wrong(shard.key, 'gone');
  if (!isOwn(shard, found)) throw wrong(shard.key, 'of another filter');
  const least = epochs?.[shard.index] ?? 0;
  shard.check(least, 0);
  shard.take(found, least);
}

/** Makes the shards that do not exist yet, because the process that made the first may have died. */
async function makeOthers(first: Shard, others: readonly Shard[], given: Given, made: Made): Promise<void> {
  if (others.length === 0) return;
  const { signal } = given;
  await Promise.all(others.map((shard) => make(shard, given, made, false)));
  const fresh = await Promise.all(
    others.map(async (shard) => {
      const found = await shard.look({ signal });
      if (found !== undefined && isFresh(found)) return found.random;
      take(shard, found, given);
      return undefined;
    }),
  );
  const { isBeingMade } = first.take(await first.look({ signal }), 0);
  await Promise.all(
    others.map(async (shard, i) => {
      const random = fresh[i];
      if (random === undefined) return;
      // Another process has made all shards: this one either has its identity by now, or replaced one that was lost.
      if (isBeingMade) await shard.run('made', /^made$/, random, { signal });
      else take(shard, await shard.look({ signal }), given);
    }),
  );
  if (isBeingMade) await first.run('made', /^made$/, undefined, { signal });
}

/** Makes the string of a shard, and returns true, unless one is there. */
async function make(shard: Shard, given: Given, made: Made, isFirst: boolean): Promise<boolean> {
  const { maxCapacity, rate, places, signal } = given;
  const random = randomIdentity();
  // Before the answer, which may not come.
  made.set(shard, random);
  try {
    const words = Uint8Array.of(...random, Number(isFirst));
    const answer = await shard.run('make', /^(created|other)$/, words, { signal });
    if (answer !== 'created') made.delete(shard);
    return answer === 'created';
  } catch (error) {
    if (!/string exceeds maximum allowed size/.test(messageOf(error))) throw error;
    throw tooLarge(maxCapacity, rate, places.shards);
  }
}

/** Throws unless the string that was found has the parameters of the filter, and is this shard of one. */
function checkAlike({ key, index, places }: Shard, { header, places: own }: Found): void {
  const found = isShard(header) ? indexOf(header) : 0;
  // The name may be that of a shard of another filter.
  if (found !== index && (own !== undefined || index === 0)) throw swapped(key, found, index);
  if (own === undefined) throw differs(key, header, places);
}

/** Whether a string with this header is a shard, with an index that its filter has. */
function isShard(header: Uint8Array): boolean {
  try {
    return indexOf(header) < placesOf(header).shards;
  } catch {
    return false; // It is no filter.
  }
}

/** Whether a shard that is not the first exists and belongs to a finished filter. Throws if something else is there. */
async function isThere(shard: Shard, { signal }: Given): Promise<boolean> {
  const found = await shard.look({ signal });
  if (found === undefined) return false;
  checkAlike(shard, found);
  return !isFresh(found);
}

/** Whether the string that was found is of the filter that is opened. */
function isOwn({ shared }: Shard, { header }: Found): boolean {
  return hexOf(identityOf(header)) === hexOf(shared.identity);
}

/** Whether the filter of the string that was found is being made. */
function isFresh({ header }: Found): boolean {
  return identityOf(header).every((byte) => byte === 0);
}
