// Finds or makes a filter on the server, shard by shard, even if several processes do so at once. Invariant: the first
// shard is made first, and is marked until all others exist. The others are made without the identity of the filter, so
// that no call takes them for its own. They get it once all of them exist, if the first shard is still marked. So a
// shard that is lost later is never made again, not even by a slow process: that is an error.
import { differences } from './differences.js';
import { alreadyThere, foreignShard, isShardOf, lostShard, notMeant, swappedShard } from './errors.js';
import type { Given } from './options.js';
import { placesOf, tooLarge } from './shard/places.js';
import {
  hasNoIdentity,
  hexOf,
  identityOf,
  indexOf,
  randomGeneration,
  randomIdentity,
} from './shard/saved.js';
import type { Shard } from './shard/shard.js';
import { messageOf } from './program/server-errors.js';
import type { Found } from './shard/stages.js';

/**
 * Finds or makes the strings of all shards. Returns whether this call made the first. Throws if they do not belong to
 * one filter.
 */
export async function openShards(shards: readonly Shard[], given: Given): Promise<boolean> {
  const { name, create, identity } = given;
  const [first, ...others] = shards as [Shard, ...Shard[]];
  for (;;) {
    const found = await first.look();
    if (found === undefined) {
      const isLost = (await Promise.all(others.map((shard) => isThere(shard, name)))).includes(true);
      // Another process may have made the filter since.
      if (isLost && (await first.look()) !== undefined) continue;
      if (isLost || identity !== undefined) throw lostShard(name, name);
      if (create === false) throw notMeant(name, 'never made');
      setIdentity(shards, randomIdentity());
      if ((await make(first, given, others.length > 0)) !== 'created') continue;
      await makeOthers(first, others, given);
      return true;
    }
    checkAlike(first, found, name);
    if (indexOf(found.header) > 0) throw swappedShard(name, name, indexOf(found.header), 0);
    if (create === true) throw alreadyThere(name);
    if (create === false && found.isBeingMade) throw notMeant(name, 'never made');
    setIdentity(shards, identityOf(found.header));
    if (identity !== undefined && identity !== hexOf(identityOf(found.header)))
      throw foreignShard(name, name);
    first.follow(first.stages.ofFound(found));
    if (found.isBeingMade) await makeOthers(first, others, given);
    else await Promise.all(others.map((shard) => findOther(shard, name)));
    return false;
  }
}

function setIdentity(shards: readonly Shard[], identity: Uint8Array): void {
  for (const { stages } of shards) stages.identity = identity;
}

/** Makes the shards that do not exist yet, because the process that made the first may have died. */
async function makeOthers(first: Shard, others: readonly Shard[], given: Given): Promise<void> {
  if (others.length === 0) return;
  const { name } = given;
  await Promise.all(others.map((shard) => make(shard, given, false)));
  const fresh = await Promise.all(
    others.map(async (shard) => {
      const found = await shard.look();
      if (found !== undefined && hasNoIdentity(found.header)) return found.generation;
      takeOther(shard, found, name);
      return undefined;
    }),
  );
  const found = await first.look();
  if (found === undefined) throw lostShard(name, name);
  if (!first.stages.isOfFilter(found.header)) throw notMeant(name, 'remade');
  await Promise.all(
    others.map(async (shard, i) => {
      const generation = fresh[i];
      if (generation === undefined) return;
      // Another process has made all shards: this one either has its identity by now, or replaced one that was lost.
      if (found.isBeingMade) await shard.run('made', () => generation);
      else await findOther(shard, name);
    }),
  );
  if (found.isBeingMade) await first.run('made');
}

/** Makes the string of a shard, unless one is there. */
async function make(shard: Shard, { maxCapacity, rate, places }: Given, isFirst: boolean): Promise<string> {
  try {
    return await shard.run('make', () => Uint8Array.of(...randomGeneration(), Number(isFirst)));
  } catch (error) {
    if (!/string exceeds maximum allowed size/.test(messageOf(error))) throw error;
    throw tooLarge(maxCapacity, rate, places.shards);
  }
}

/** Takes an existing string for a shard that is not the first. Throws if it is gone, or is something else. */
async function findOther(shard: Shard, name: string): Promise<void> {
  takeOther(shard, await shard.look(), name);
}

function takeOther(shard: Shard, found: Found | undefined, name: string): void {
  if (found === undefined) throw lostShard(shard.key, name);
  checkAlike(shard, found, shard.key);
  const index = indexOf(found.header);
  if (hasNoIdentity(found.header)) throw lostShard(shard.key, name);
  if (!shard.stages.isOfFilter(found.header)) throw foreignShard(shard.key, name);
  if (index !== shard.stages.index) throw swappedShard(shard.key, name, index, shard.stages.index);
  shard.follow(shard.stages.ofFound(found));
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
async function isThere(shard: Shard, name: string): Promise<boolean> {
  const found = await shard.look();
  if (found === undefined) return false;
  checkAlike(shard, found, shard.key);
  if (indexOf(found.header) !== shard.stages.index) throw foreignShard(shard.key, name);
  return !hasNoIdentity(found.header);
}
