// Finds or makes a filter on the server, shard by shard, even if several processes do so at once. Invariant: all shards are made
// without the identity of the filter, so that no call takes them for its own. Once all of them exist, they get it, the first one
// last; the random bytes of its string are the identity. So a shard that is lost later is never made again, not even by a slow
// process: that is an error. A process that finds the first one without identity makes what is missing. So one that fails undoes
// nothing: unless all shards exist, its strings expire if no other process completes the filter.
import { argumentError } from '../src/errors.js';
import { differs, swapped } from './errors.js';
import { allOf, type Asking } from './server/line.js';
import { messageOf } from './server/server-errors.js';
import { tooLarge } from './shard/places.js';
import { randomIdentity } from './shard/saved.js';
import type { Found, Shard, Shards } from './shard/shard.js';

/** How often the first string is made again if it vanishes each time. */
const ATTEMPTS = 8;

/**
 * Finds or makes the strings of all shards. Returns whether this call completed the filter; of all calls, only one does. Throws if
 * the strings do not belong to one filter.
 */
export async function openShards(shards: Shards, asking: Asking): Promise<boolean> {
  const [first, ...others] = shards;
  // The identity is replaced by the one that is found.
  const { name, create, identity } = first.shared;
  for (let attempt = 0; ; ++attempt) {
    const found = await first.look(asking);
    // Nothing is made where the table could not double.
    if (attempt === 0) await Promise.all(shards.map((shard) => shard.checkNext(asking)));
    if (found === undefined) {
      const left = await lookAt(others, asking);
      left.forEach((each, i) => each && checkAlike(others[i] as Shard, each));
      const isLost = left.some((each) => each?.isMade);
      // Another process may have made the filter since.
      if (isLost && (await first.look(asking)) !== undefined) continue;
      if (isLost || identity !== '') throw first.wrong('gone');
      if (attempt === ATTEMPTS) throw first.wrong('not kept');
      if (create === false) throw first.wrong('never made');
      await make(first, asking);
      continue;
    }
    checkAlike(first, found);
    const { isMade } = found;
    // A program that knows the identity has seen the filter complete.
    if (identity !== '' && !isMade) throw first.wrong('gone');
    if (identity !== '' && identity !== found.identity) throw first.wrong('foreign');
    if (create === false && !isMade) throw first.wrong('never made');
    first.shared.identity = found.identity;
    const isCreated = !isMade && (await complete(shards, found.random, asking));
    if (create === true && !isCreated)
      throw argumentError(
        `${name} is on the server already. Leave out create to use it, or choose another name`,
        RangeError,
      );
    if (isMade)
      [found, ...(await lookAt(others, asking))].forEach((each, i) => take(shards[i] as Shard, each));
    return isCreated;
  }
}

/**
 * Deletes what is there of the filter whose identity the shards share, or if they have none, of the only one that there is. Returns
 * whether anything was there. Throws, with nothing deleted, if a string is not of that filter.
 */
export async function dropShards(shards: Shards, asking: Asking): Promise<boolean> {
  const [first, ...others] = shards;
  const found = await lookAt(shards, asking);
  const known = found.find((each) => each?.isMade) ?? found[0];
  const own = (first.shared.identity ||= known?.identity ?? '');
  shards.forEach((shard, i) => {
    const each = found[i];
    if (each === undefined) return;
    if ((each.isMade || each === known) && each.identity !== own) throw shard.wrong('foreign');
    checkAlike(shard, each, true);
  });
  // Once the first string is gone, no process can complete the others.
  const isBeingMade = found[0]?.isMade === false;
  const drop = (shard: Shard): Promise<boolean> => shard.drop(isBeingMade, asking);
  return [await drop(first), ...(await allOf(others, drop))].includes(true);
}

/** What each of these shards has under its key. */
function lookAt(shards: readonly Shard[], asking: Asking): Promise<(Found | undefined)[]> {
  return Promise.all(shards.map((shard) => shard.look(asking)));
}

/** Takes the string that was found for a shard. Throws if it is not of this filter, or has lost changes. */
function take(shard: Shard, found: Found | undefined): void {
  if (found !== undefined) checkAlike(shard, found);
  shard.take(found, shard.sent());
}

/** Makes the missing shards and completes the filter. Returns false if another process completed it first. */
async function complete([first, ...others]: Shards, random: Uint8Array, asking: Asking): Promise<boolean> {
  await Promise.all(others.map((shard) => make(shard, asking)));
  const found = await lookAt(others, asking);
  others.forEach((shard, i) => found[i]?.isMade !== false && take(shard, found[i]));
  // The first one must not expire once others have the identity.
  const isBeingMade = await end(first, 'hold', random, asking);
  await Promise.all(
    others.map(async (shard, i) => {
      const { isMade, random: its } = found[i] as Found;
      if (isMade) return;
      if (isBeingMade) await end(shard, 'made', its, asking);
      // Another process has made all shards: this one either has its identity by now, or replaced one that was lost.
      else take(shard, await shard.look(asking));
    }),
  );
  return isBeingMade && end(first, 'made', random, asking);
}

/** Stops a shard from expiring, and completes it if it is `made`. Returns false if another process completed it first. */
async function end(shard: Shard, how: 'hold' | 'made', random: Uint8Array, asking: Asking): Promise<boolean> {
  return (await shard.run(how, /^(made|there)$/, random, asking)) === 'made';
}

/** How long after its `callMs`, in milliseconds, what a call has made is kept for another one to complete. */
const LEFT = 60_000;

/** Makes the string of a shard, unless there is one. It expires, unless a call completes it. */
async function make(shard: Shard, asking: Asking): Promise<void> {
  const { maxCapacity, falsePositiveRate, places, callMs } = shard.shared;
  const words = Uint8Array.of(...randomIdentity(), ...new TextEncoder().encode(String(callMs + LEFT)));
  try {
    await shard.run('make', /^(created|other)$/, words, asking);
  } catch (error) {
    if (!/string exceeds maximum allowed size/.test(messageOf(error))) throw error;
    throw tooLarge(maxCapacity, falsePositiveRate, places.shards, places.stringBytes);
  }
}

/** Throws unless the string that was found was made with the filter's options, as this shard, and has its whole length or `mayBeCut`. */
function checkAlike(shard: Shard, found: Found, mayBeCut = false): void {
  if (found.places === undefined) {
    const problem = differs(shard, found);
    if (problem !== undefined) throw problem;
    if (!mayBeCut) throw shard.wrong('cut');
  }
  if (found.index !== shard.index) throw swapped(shard.key, found.index, shard.index);
}
