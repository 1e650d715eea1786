// Why an insert was refused, in words.
import { FilterFullError, noRoomMessage, shown, type FullReason } from '../errors.js';
import type { Kind } from '../kind.js';
import { sizesOf } from '../planning.js';
import { INSERT_OUTCOMES, type SavedCalls } from '../wasm/bindings.js';
import type { Key } from '../wasm/key.js';
import { inUse, type Handle } from '../wasm/owned.js';

export const ADDED = 0;
const FULL = 1;
const TOO_MANY_COPIES = 2;

/** Whether an outcome says that the key was refused. */
export function isRefusal(outcome: number): boolean {
  return outcome === FULL || outcome === TOO_MANY_COPIES;
}

/** The error for an insert of that outcome. `what` failed; `key` is the only key of the call. */
export function fullError(
  handle: Handle<SavedCalls>,
  outcome: number | undefined,
  added: number,
  key?: Key,
  what = 'the filter is full',
): FilterFullError {
  const reason = INSERT_OUTCOMES[outcome ?? FULL] as FullReason;
  const { instance, calls, address } = inUse(handle);
  const sizes = sizesOf(handle);
  const hint = handle.isFromKeys
    ? '; without them, from(keys) leaves no room'
    : instance.kind === 'ScalableCuckooFilter'
      ? ', or shorter fingerprints'
      : '';
  const advice =
    sizes.capacity < sizes.maxCapacity
      ? 'Growing did not help, or memory was refused'
      : `Make a new one with a larger capacity or maxCapacity${hint}`;
  const message =
    reason === 'full'
      ? noRoomMessage(what, calls.size(address), sizes.maxCapacity, advice)
      : copiesMessage(instance.kind, key);
  return new FilterFullError(message, reason, added);
}

/** Why one key has no room where others may have. */
function copiesMessage(kind: Kind, key: Key | undefined): string {
  const things = kind === 'CuckooValues' ? 'values' : 'copies';
  const advice =
    kind === 'CuckooValues'
      ? 'A larger bucketSize allows more'
      : `Use ${key === undefined ? '' : 'addIfAbsent to store a key once, or '}CuckooCounter of cuckoofilter-wasm/counter to count copies`;
  return `too many ${things} of ${key === undefined ? 'one key' : shown(key)}: both of its buckets are full of ${things}. ${advice}`;
}
