// Finds or makes a filter on the server, shard by shard, even if several processes do so at once. Invariant: the first
// shard is made first, and is marked until all others exist. The others are made without the identity of the filter, so
// that no call takes them for its own. They get it once all of them exist, if the first shard is still marked. So a
// shard that is lost later is never made again, not even by a slow process: that is an error.
import { differences } from './differences.js';
import {
  alreadyThere,
  foreignShard,
  isShardOf,
  lostShard,
  notMeant,
  otherIdentity,
  swappedShard,
} from './errors.js';
import type { Given } from './options.js';
import { placesOf, tooLarge } from './shard/places.js';
import { hasNoIdentity, hexOf, identityOf, indexOf, randomIdentity } from './shard/saved.js';
import type { Shard } from './shard/shard.js';
import { messageOf } from './server/server-errors.js';
import type { Found } from './shard/stages.js';

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
      const given = Uint8Array.of(...random, isFirstGone);
      const answer = await shard.run('unmake', () => given).catch(() => 'kept');
      if (shard === shards[0]) isFirstGone = Number(answer === 'unmade');
    }
    throw error;
  }
}

async function findOrMake(shards: readonly Shard[], given: Given, made: Made): Promise<boolean> {
  const { name, create, identity, signal } = given;
  const [first, ...others] = shards as [Shard, ...Shard[]];
  for (;;) {
    const found = await first.look({ signal });
    if (found === undefined) {
      const isLost = (await Promise.all(others.map((shard) => isThere(shard, given)))).includes(true);
      // Another process may have made the filter since.
      if (isLost && (await first.look({ signal })) !== undefined) continue;
      if (isLost) throw lostShard(name, name);
      if (identity !== undefined) throw otherIdentity(name, identity, undefined);
      if (create === false) throw notMeant(name, 'never made');
      setIdentity(shards, randomIdentity());
      if (!(await make(first, given, made, others.length > 0))) continue;
      await makeOthers(first, others, given, made);
      for (const shard of shards) shard.check(1, 0);
      return true;
    }
    checkAlike(first, found, name);
    if (indexOf(found.header) > 0) throw swappedShard(name, name, indexOf(found.header), 0);
    if (create === true) throw alreadyThere(name);
    if (create === false && found.isBeingMade) throw notMeant(name, 'never made');
    const own = hexOf(identityOf(found.header));
    if (identity !== undefined && identity !== own) throw otherIdentity(name, identity, own);
    setIdentity(shards, identityOf(found.header));
    take(first, found, given);
    if (found.isBeingMade) await makeOthers(first, others, given, made);
    else await Promise.all(others.map((shard) => findOther(shard, given)));
    return false;
  }
}

function setIdentity(shards: readonly Shard[], identity: Uint8Array): void {
  for (const { stages } of shards) stages.identity = identity;
}

/** Takes the string that was found for a shard. Throws RedisRollbackError if it has lost changes. */
function take(shard: Shard, found: Found, { epochs }: Given): void {
  shard.follow(shard.stages.ofFound(found));
  const least = epochs?.[shard.stages.index] ?? 0;
  shard.check(least, 0);
  shard.check(found.epoch, least);
}

/** Makes the shards that do not exist yet, because the process that made the first may have died. */
async function makeOthers(first: Shard, others: readonly Shard[], given: Given, made: Made): Promise<void> {
  if (others.length === 0) return;
  const { name, signal } = given;
  await Promise.all(others.map((shard) => make(shard, given, made, false)));
  const fresh = await Promise.all(
    others.map(async (shard) => {
      const found = await shard.look({ signal });
      if (found !== undefined && hasNoIdentity(found.header)) return found.random;
      takeOther(shard, found, given);
      return undefined;
    }),
  );
  const found = await first.look({ signal });
  if (found === undefined) throw lostShard(name, name);
  if (!first.stages.isOfFilter(found.header)) throw notMeant(name, 'remade');
  await Promise.all(
    others.map(async (shard, i) => {
      const random = fresh[i];
      if (random === undefined) return;
      // Another process has made all shards: this one either has its identity by now, or replaced one that was lost.
      if (found.isBeingMade) await shard.run('made', () => random, { signal });
      else await findOther(shard, given);
    }),
  );
  if (found.isBeingMade) await first.run('made', undefined, { signal });
}

/** Makes the string of a shard, and returns true, unless one is there. */
async function make(shard: Shard, given: Given, made: Made, isFirst: boolean): Promise<boolean> {
  const { maxCapacity, rate, places, signal } = given;
  const random = randomIdentity();
  // Before the answer, which may not come.
  made.set(shard, random);
  try {
    const answer = await shard.run('make', () => Uint8Array.of(...random, Number(isFirst)), { signal });
    if (answer !== 'created') made.delete(shard);
    return answer === 'created';
  } catch (error) {
    if (!/string exceeds maximum allowed size/.test(messageOf(error))) throw error;
    throw tooLarge(maxCapacity, rate, places.shards);
  }
}

/** Takes an existing string for a shard that is not the first. Throws if it is gone, or is something else. */
async function findOther(shard: Shard, given: Given): Promise<void> {
  takeOther(shard, await shard.look({ signal: given.signal }), given);
}

function takeOther(shard: Shard, found: Found | undefined, given: Given): void {
  const { name } = given;
  if (found === undefined) throw lostShard(shard.key, name);
  checkAlike(shard, found, shard.key);
  const index = indexOf(found.header);
  if (hasNoIdentity(found.header)) throw lostShard(shard.key, name);
  if (!shard.stages.isOfFilter(found.header)) throw foreignShard(shard.key, name);
  if (index !== shard.stages.index) throw swappedShard(shard.key, name, index, shard.stages.index);
  take(shard, found, given);
}

/**
 * Throws unless the string that was found has the parameters of the filter. If it is the first shard, `key` is the name
 * of the filter.
 */
function checkAlike({ stages, places }: Shard, found: Found, key: string): void {
  const { header } = found;
  const [, owner, index] = /^(.+):([1-9]\d*)$/s.exec(key) ?? [];
  if (stages.index === 0 && owner !== undefined && isShard(header, Number(index)))
    throw isShardOf(key, owner);
  if (stages.ofFound(found) === undefined) throw differences(key, header, stages.like(header) ?? places);
}

/** Whether a string with this header is shard `index` of a filter with that many. */
function isShard(header: Uint8Array, index: number): boolean {
  try {
    return indexOf(header) === index && placesOf(header).shards > index;
  } catch {
    return false; // It is no filter.
  }
}

/** Whether a shard that is not the first exists and belongs to a finished filter. Throws if something else is there. */
async function isThere(shard: Shard, { name, signal }: Given): Promise<boolean> {
  const found = await shard.look({ signal });
  if (found === undefined) return false;
  checkAlike(shard, found, shard.key);
  if (indexOf(found.header) !== shard.stages.index) throw foreignShard(shard.key, name);
  return !hasNoIdentity(found.header);
}
