// Calls with one key: it is written into the scratch buffer, or hashed by the core. Invariant: no code
// of the user runs between writing a key and using it.
import type { ObjectCalls } from '../engine/bindings.js';
import type { Handle } from '../engine/handle.js';
import { lengthOfBytes } from '../engine/bytes.js';
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

/** Up to this many characters, `writeByFours` is faster than `encodeInto`: 24 against 52 ns for 13, 39 against 50 for 24. */
const MOST_BY_FOURS = 28;

/** Writes `text`, four characters at a time; false, with anything written, if one is not ASCII. */
function writeByFours(fours: Uint32Array, text: string): boolean {
  const { length } = text;
  let units = 0;
  let at = 0;
  for (; at + 4 <= length; at += 4) {
    const a = text.charCodeAt(at);
    const b = text.charCodeAt(at + 1);
    const c = text.charCodeAt(at + 2);
    const d = text.charCodeAt(at + 3);
    units |= a | b | c | d;
    fours[at >> 2] = a | (b << 8) | (c << 16) | (d << 24);
  }
  let rest = 0;
  for (let i = at; i < length; ++i) {
    const unit = text.charCodeAt(i);
    units |= unit;
    rest |= unit << (8 * (i - at));
  }
  if (at < length) fours[at >> 2] = rest;
  return units <= 0x7f;
}

/** Writes the `length` bytes of `key`, four at a time; what lies behind its end counts as 0. */
function writeBytesByFours(fours: Uint32Array, key: Uint8Array, length: number): void {
  for (let at = 0; at < length; at += 4)
    fours[at >> 2] =
      (key[at] as number) |
      ((key[at + 1] as number) << 8) |
      ((key[at + 2] as number) << 16) |
      ((key[at + 3] as number) << 24);
}

/**
 * Writes `key` at the start of the scratch buffer's bytes, for the filter of `handle`. Returns its length in bytes, or
 * one of the constants above. Throws InvalidKeyError for anything that is not a key.
 */
export function writeKey(handle: Handle<ObjectCalls>, key: Key): number {
  if (typeof key === 'number') {
    if (Number.isSafeInteger(key)) return NUMBER_KEY;
    throw notAKey(key);
  }
  const { scratch } = handle.instance;
  if (typeof key === 'string' && key.length <= MOST_BY_FOURS && writeByFours(scratch.fours, key))
    return key.length;
  const length = lengthOfBytes(key);
  if (length > 0 && length <= MOST_BY_FOURS) {
    writeBytesByFours(scratch.fours, key as Uint8Array, length);
    return length;
  }
  return writeKeyAt(scratch, 0, key) ?? writeLongKey(handle, key);
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
