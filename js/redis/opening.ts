// Finds or makes a filter on the server, shard by shard, even if several processes do so at once. Invariant: the first
// shard is made first, and is marked until all others exist. The others are made without the identity of the filter, so
// that no call takes them for its own. They get it once all of them exist, if the first shard is still marked. So a
// shard that is lost later is never made again, not even by a slow process: that is an error. Whoever finds the mark makes what
// is missing, so a process that fails undoes nothing: what nobody goes on with expires, unless all shards exist.
import { argumentError } from '../src/errors.js';
import { differs, swapped } from './errors.js';
import type { Given } from './options.js';
import type { Asking } from './server/line.js';
import { messageOf } from './server/server-errors.js';
import { tooLarge } from './shard/places.js';
import { hexOf, NO_IDENTITY, randomIdentity } from './shard/saved.js';
import type { Found, Shard } from './shard/shard.js';

/**
 * Finds or makes the strings of all shards. Returns whether this call has ended their making: of all calls, one does. Throws if
 * they do not belong to one filter.
 */
export async function openShards(shards: readonly Shard[], given: Given, asking: Asking): Promise<boolean> {
  const { name, create, identity } = given;
  const [first, ...others] = shards as [Shard, ...Shard[]];
  const throwIfTaken = (isTaken: boolean): void => {
    if (create === true && isTaken)
      throw argumentError(
        `${name} is on the server already. Leave out create to use it, or choose another name`,
        RangeError,
      );
  };
  const lookAtOthers = (): Promise<(Found | undefined)[]> =>
    Promise.all(others.map((shard) => shard.look(asking)));
  let checked: Promise<unknown> | undefined;
  for (;;) {
    const found = await first.look(asking);
    // Nothing is made where the table could not double.
    await (checked ??= Promise.all(shards.map((shard) => shard.checkNext(asking))));
    if (found === undefined) {
      const left = await lookAtOthers();
      left.forEach((each, i) => each && checkAlike(others[i] as Shard, each));
      const isLost = left.some((each) => each !== undefined && each.identity !== NO_IDENTITY);
      // Another process may have made the filter since.
      if (isLost && (await first.look(asking)) !== undefined) continue;
      if (isLost || identity !== undefined) throw first.wrong('gone');
      if (create === false) throw first.wrong('never made');
      first.shared.identity = hexOf(randomIdentity());
      if (!(await make(first, given, asking))) continue;
    } else {
      checkAlike(first, found);
      throwIfTaken(!found.isBeingMade);
      if (create === false && found.isBeingMade) throw first.wrong('never made');
      if (identity !== undefined && identity !== found.identity) throw first.wrong('foreign');
      first.shared.identity = found.identity;
      take(first, found, given);
      if (!found.isBeingMade) {
        (await lookAtOthers()).forEach((each, i) => take(others[i] as Shard, each, given));
        return false;
      }
    }
    const isCreated = await makeOthers(first, others, given, asking);
    throwIfTaken(!isCreated);
    return isCreated;
  }
}

/**
 * Deletes what is there of the filter with this identity, or of the only one that there is. Returns whether anything was
 * there. Throws, with nothing deleted, if a string is not of that filter.
 */
export async function dropShards(
  shards: readonly Shard[],
  identity: string | undefined,
  asking: Asking,
): Promise<boolean> {
  const found = await Promise.all(shards.map((shard) => shard.look(asking)));
  let own = identity;
  shards.forEach((shard, i) => {
    const each = found[i];
    if (each === undefined) return;
    const isMade = each.identity !== NO_IDENTITY;
    if (own !== undefined && isMade && each.identity !== own) throw shard.wrong('foreign');
    checkAlike(shard, each);
    if (isMade) own = each.identity;
  });
  (shards[0] as Shard).shared.identity = own ?? NO_IDENTITY;
  return (await Promise.all(shards.map((shard) => shard.drop(asking)))).includes(true);
}

/** Takes the string that was found for a shard. Throws if it is not of this filter, or has lost changes. */
function take(shard: Shard, found: Found | undefined, { epochs }: Given): void {
  if (found !== undefined) checkAlike(shard, found);
  const least = epochs?.[shard.index] ?? 0;
  shard.check(least);
  shard.take(found, least);
}

/** Makes the shards that do not exist yet, and ends the making. Returns whether no other process has ended it before. */
async function makeOthers(
  first: Shard,
  others: readonly Shard[],
  given: Given,
  asking: Asking,
): Promise<boolean> {
  await Promise.all(others.map((shard) => make(shard, given, asking)));
  const found = await Promise.all(others.map((shard) => shard.look(asking)));
  const { isBeingMade, random } = first.take(await first.look(asking), 0);
  // While others have the identity, the first is there.
  if (isBeingMade) await first.expire(0, asking);
  await Promise.all(
    others.map(async (shard, i) => {
      const each = found[i];
      if (each?.identity !== NO_IDENTITY) take(shard, each, given);
      else if (isBeingMade) await end(shard, each.random, asking);
      // Another process has made all shards: this one either has its identity by now, or replaced one that was lost.
      else take(shard, await shard.look(asking), given);
    }),
  );
  return isBeingMade && end(first, random, asking);
}

/** Ends the making of a shard. Returns whether no other process has. */
async function end(shard: Shard, random: Uint8Array, asking: Asking): Promise<boolean> {
  const answer = await shard.run('made', /^(made|there)$/, random, asking);
  shard.check(1);
  return answer === 'made';
}

/** Makes the string of a shard, which expires after this call unless its making is ended, and returns true, unless one is there. */
async function make(shard: Shard, given: Given, asking: Asking): Promise<boolean> {
  const { maxCapacity, falsePositiveRate, places, callMs } = given;
  const words = Uint8Array.of(...randomIdentity(), ...new TextEncoder().encode(String(callMs)));
  try {
    return (await shard.run('make', /^(created|other)$/, words, asking)) === 'created';
  } catch (error) {
    if (!/string exceeds maximum allowed size/.test(messageOf(error))) throw error;
    throw tooLarge(maxCapacity, falsePositiveRate, places.shards);
  }
}

/** Throws unless the string that was found has the parameters of the filter, and is this shard of one. */
function checkAlike(shard: Shard, { header, index: found, places: own }: Found): void {
  const { key, index, places } = shard;
  if (own === undefined) throw differs(key, index, header, found, places) ?? shard.wrong('cut');
  if (found !== index) throw swapped(key, found, index);
}
