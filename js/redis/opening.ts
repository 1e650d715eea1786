// Finds or makes a filter on the server, shard by shard, even if several processes do so at once. Invariant: the first
// shard is made first, and is marked until all others exist. The others are made without the identity of the filter, so
// that no call takes them for its own. They get it once all of them exist, if the first shard is still marked. So a
// shard that is lost later is never made again, not even by a slow process: that is an error.
import { argumentError } from '../src/errors.js';
import { differs, swapped } from './errors.js';
import type { Given } from './options.js';
import type { Asking } from './server/line.js';
import { messageOf } from './server/server-errors.js';
import { tooLarge } from './shard/places.js';
import { hexOf, NO_IDENTITY, randomIdentity } from './shard/saved.js';
import type { Found, Shard } from './shard/shard.js';

/** The strings that a call has made, with what tells each from others under its key. */
type Made = Map<Shard, Uint8Array>;

/**
 * Finds or makes the strings of all shards. Returns whether this call made the first. Throws if they do not belong to
 * one filter.
 */
export async function openShards(shards: readonly Shard[], given: Given, asking: Asking): Promise<boolean> {
  const made: Made = new Map();
  try {
    return await findOrMake(shards, given, made, asking);
  } catch (error) {
    const unmake = async (shard: Shard, isFirstGone: boolean): Promise<boolean> => {
      const random = made.get(shard);
      if (random === undefined) return false;
      const words = Uint8Array.of(...random, Number(isFirstGone));
      return (await shard.run('unmake', /^(unmade|kept)$/, words).catch(() => 'kept')) === 'unmade';
    };
    // The first one first: whoever else is making the rest then finds that it is gone, and deletes its own. If another process has ended
    // the making, nothing goes.
    const [first, ...others] = shards as [Shard, ...Shard[]];
    const isGone = async (): Promise<boolean> =>
      made.size > 0 && (await first.look().catch(() => first)) === undefined;
    const unmaking = (made.has(first) ? unmake(first, false) : isGone()).then((isFirstGone) =>
      Promise.all(others.map((shard) => unmake(shard, isFirstGone))),
    );
    // A call that is over does not wait for it.
    if (!asking.signal.aborted) await unmaking;
    throw error;
  }
}

async function findOrMake(
  shards: readonly Shard[],
  given: Given,
  made: Made,
  asking: Asking,
): Promise<boolean> {
  const { name, create, identity } = given;
  const [first, ...others] = shards as [Shard, ...Shard[]];
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
      if (!(await make(first, made, others.length > 0, given, asking))) continue;
      await makeOthers(first, others, given, made, asking);
      for (const shard of shards) shard.check(1);
      return true;
    }
    checkAlike(first, found);
    if (create === true)
      throw argumentError(
        `${name} is on the server already. Leave out create to use it, or choose another name`,
        RangeError,
      );
    if (create === false && found.isBeingMade) throw first.wrong('never made');
    if (identity !== undefined && identity !== found.identity) throw first.wrong('foreign');
    first.shared.identity = found.identity;
    take(first, found, given);
    if (found.isBeingMade) await makeOthers(first, others, given, made, asking);
    else (await lookAtOthers()).forEach((each, i) => take(others[i] as Shard, each, given));
    return false;
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
  if (found?.identity === NO_IDENTITY) throw shard.wrong('gone');
  const least = epochs?.[shard.index] ?? 0;
  shard.check(least);
  shard.take(found, least);
}

/** Makes the shards that do not exist yet, because the process that made the first may have died. */
async function makeOthers(
  first: Shard,
  others: readonly Shard[],
  given: Given,
  made: Made,
  asking: Asking,
): Promise<void> {
  if (others.length === 0) return;
  await Promise.all(others.map((shard) => make(shard, made, false, given, asking)));
  const found = await Promise.all(others.map((shard) => shard.look(asking)));
  const { isBeingMade } = first.take(await first.look(asking), 0);
  await Promise.all(
    others.map(async (shard, i) => {
      const each = found[i];
      if (each?.identity !== NO_IDENTITY) take(shard, each, given);
      else if (isBeingMade) await shard.run('made', /^made$/, each.random, asking);
      // Another process has made all shards: this one either has its identity by now, or replaced one that was lost.
      else take(shard, await shard.look(asking), given);
    }),
  );
  if (isBeingMade) await first.run('made', /^made$/, undefined, asking);
}

/** Makes the string of a shard, and returns true, unless one is there. */
async function make(
  shard: Shard,
  made: Made,
  isFirst: boolean,
  given: Given,
  asking: Asking,
): Promise<boolean> {
  const { maxCapacity, falsePositiveRate, places } = given;
  const random = randomIdentity();
  // Before the answer, which may not come.
  made.set(shard, random);
  try {
    const words = Uint8Array.of(...random, Number(isFirst));
    const answer = await shard.run('make', /^(created|other)$/, words, asking);
    if (answer !== 'created') made.delete(shard);
    return answer === 'created';
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
