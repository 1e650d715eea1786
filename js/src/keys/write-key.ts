// Calls with one key: it is written into the scratch buffer, or hashed by the core. Invariant: no code
// of the user runs between writing a key and using it.
import type { ObjectCalls } from '../engine/bindings.js';
import type { Handle } from '../engine/handle.js';
import { putInteger, putNumber, wordAt } from '../engine/scratch.js';
import { writeHash } from './hashed-kind.js';
import { encodeInto, writeKeyAt, type Key } from './key.js';
import { bytesOf, notAKey } from './not-a-key.js';

/** Instead of a key's length: the key came in pieces, and the core has already hashed it. */
const LONG_KEY = -1;
/** Instead of a key's length: the first words of the scratch buffer are its hash. */
export const HASHED_KEY = -2;
/** Instead of a key's length: the key is a number, which is passed along with it. */
const NUMBER_KEY = -3;

/**
 * Writes `key` at the start of the scratch buffer's bytes, for the filter of `handle`. Returns its length in bytes, or
 * one of the constants above. Throws InvalidKeyError for anything that is not a key.
 */
export function writeKey(handle: Handle<ObjectCalls>, key: Key): number {
  if (typeof key === 'number') {
    if (Number.isSafeInteger(key)) return NUMBER_KEY;
    throw notAKey(key);
  }
  return writeKeyAt(handle.instance.scratch, 0, key) ?? writeLongKey(handle, key);
}

/** The number to pass along with the length of `key`. */
export function numberOf(key: Key): number {
  return typeof key === 'number' ? key : 0;
}

/** Puts the hash of `key` in the filter of `handle` into the first words of the scratch buffer. */
export function hashOne(handle: Handle<ObjectCalls>, key: Key): void {
  const length = writeKey(handle, key);
  const { bindings, scratch } = handle.instance;
  if (length === LONG_KEY) return bindings.longKey.finish();
  if (length === HASHED_KEY) return;
  if (length === NUMBER_KEY) {
    putInteger(scratch, 0, numberOf(key));
    return handle.call('hashWords', 1);
  }
  putNumber(scratch, 0, length);
  handle.call('hashKeys', 1);
}

/** The hash of `key` in the filter of `handle`, as two words, the low one first. */
export function hashOf(handle: Handle<ObjectCalls>, key: Key): [low: number, high: number] {
  hashOne(handle, key);
  const { scratch } = handle.instance;
  return [wordAt(scratch, 0), wordAt(scratch, 1)];
}

/** Hands a key that may not fit to the core in pieces, or, if it is already hashed, its hash. */
function writeLongKey(handle: Handle<ObjectCalls>, key: Key): number {
  if (writeHash(handle, key)) return HASHED_KEY;
  handle.call('beginLongKey');
  const { longKey } = handle.instance.bindings;
  const { scratch } = handle.instance;
  const { bytes } = scratch;
  if (typeof key === 'string') {
    for (let rest: string = key; rest.length > 0;) {
      const { read, written } = encodeInto(scratch, 0, rest);
      longKey.piece(written);
      rest = rest.slice(read);
    }
    return LONG_KEY;
  }
  const view = bytesOf(key);
  for (let first = 0; first < view.length; first += bytes.length) {
    const piece = view.subarray(first, first + bytes.length);
    bytes.set(piece);
    longKey.piece(piece.length);
  }
  return LONG_KEY;
}
