// The errors for inserts that were refused.
import type { Kind } from '../class-names.js';
import { counted, FilterFullError, shown, type FullReason } from '../errors.js';
import type { Sizes } from '../options/options.js';
import { sizesOf, type Planner } from '../options/planning.js';
import { INSERT_OUTCOMES, type SavedCalls } from '../engine/bindings.js';
import type { Key } from '../keys/key.js';
import type { Handle } from '../engine/handle.js';
import { memoryAdvice } from '../engine/saved.js';
import { answerAt } from '../engine/scratch.js';

export const ADDED = 0;
export const FULL = 1;
const TOO_MANY_COPIES = 2;

/** The handles whose capacity was taken from the number of given keys. */
export const fromKeys = new WeakSet<object>();

/**
 * Ends the insert of one key: reports growth, then throws if the key was refused. Returns whether it was added. `key` is
 * as for `fullError`.
 */
export function endInsert(handle: Handle<SavedCalls>, outcome: number, key?: Key): boolean {
  const isRefused = outcome === FULL || outcome === TOO_MANY_COPIES;
  const refusal = isRefused ? fullError(handle, outcome, 0, key) : undefined; // before `onGrow`, which may change more
  handle.growth?.report();
  if (refusal !== undefined) throw refusal;
  return outcome === ADDED;
}

/** The message that `what` failed because a filter of `size` keys has no room, and what to do about it. */
export function noRoomMessage(what: string, size: number, maxCapacity: number, advice: string): string {
  return `${what}: it was made for ${counted(maxCapacity, 'key')} and has ${size}. ${advice}`;
}

/**
 * The error for an insert with that outcome. `key` is given if it was the only key of the call, and `what` if the call
 * was a merge.
 */
export function fullError(
  handle: Handle<SavedCalls>,
  outcome: number | undefined,
  added: number,
  key?: Key,
  what?: string,
): Error {
  const refusal = handle.instance.refusal?.(outcome, added);
  if (refusal !== undefined) return refusal;
  const reason = INSERT_OUTCOMES[outcome ?? FULL] as FullReason;
  const { instance } = handle;
  const sizes = sizesOf(handle);
  const { currentCapacity: capacity, maxCapacity, byteLength } = sizes;
  const size = handle.call('size');
  const isFromKeys = what === undefined && fromKeys.has(handle);
  const hint = isFromKeys ? '; from(keys) alone leaves no room' : '';
  const wasRefused = capacity < maxCapacity && instance.wasRefused(byteLength); // once, because asking clears it
  const larger = instance.kind === 'SharedCuckooFilter' ? 'capacity' : 'capacity or maxCapacity';
  const advice =
    growthAdvice(instance, sizes, wasRefused) ??
    `Make ${what === undefined ? 'a new one' : 'both'} with a larger ${larger}${hint}`;
  // Up to the capacity, different keys would have had room.
  const isCrowded = what === undefined && size < capacity && !wasRefused;
  const message =
    reason === 'full' && !isCrowded
      ? noRoomMessage(what ?? 'the filter is full', size, maxCapacity, advice)
      : copiesMessage(instance.kind, isFromKeys, key, reason === 'full' ? { size, capacity } : undefined);
  return new FilterFullError(message, reason, added);
}

/**
 * Ends a run of `count` inserts, of which `done` are done: throws if the next key was refused. `added` is the number of
 * keys that the call has added so far.
 */
export function endInserts(handle: Handle<SavedCalls>, done: number, count: number, added: number): void {
  if (done < count) throw fullError(handle, answerAt(handle.instance.scratch, done), added);
}

/** Why a table of these sizes did not grow, and what to do; undefined if it was not made to grow. */
export function growthAdvice(
  instance: Planner,
  { currentCapacity, maxCapacity, byteLength }: Sizes,
  wasRefused = instance.wasRefused(byteLength),
): string | undefined {
  if (currentCapacity >= maxCapacity) return undefined;
  return wasRefused
    ? `No memory to grow beyond ${byteLength} bytes${memoryAdvice(instance, byteLength)}`
    : 'Growing would not help: keys crowd a few buckets. Add each once, or use another seed or a secret key';
}

/**
 * The message for a key that has no room although other keys may. `crowded`: the filter is not full, and other keys
 * share the buckets.
 */
function copiesMessage(
  kind: Kind,
  isFromKeys: boolean,
  key: Key | undefined,
  crowded?: Readonly<Record<'size' | 'capacity', number>>,
): string {
  const things = kind === 'CuckooValues' ? 'values' : 'copies';
  const name = key === undefined ? 'one key' : `the key ${shown(key)}`;
  const orMerge = kind === 'SharedCuckooFilter' ? '' : ' or mergeIfAbsent';
  const advice =
    kind === 'CuckooValues'
      ? 'A larger bucketSize allows more'
      : kind === 'CuckooCounter'
        ? 'Use another seed'
        : isFromKeys
          ? 'Pass each key once: from(new Set(keys))'
          : `Use ${key !== undefined ? 'addIfAbsent' : `addManyIfAbsent${orMerge}`}, or CuckooCounter from cuckoofilter-wasm/counter`;
  const full = kind === 'CuckooCounter' ? 'full' : `full of ${things} of a few keys`;
  const cause =
    crowded === undefined
      ? `too many ${things} of ${name}: its buckets hold nothing else`
      : `no room for ${name}: its buckets are ${full}, at ${crowded.size} of ${crowded.capacity} keys`;
  return `${cause}. ${advice}`;
}
