// Writes one key as bytes, such as into the scratch buffer that the core reads. A key is bytes: a string is its UTF-8,
// an integer its 8 bytes, little-endian, two's complement.
import { lengthOfBytes } from '../engine/bytes.js';
import type { Scratch } from '../engine/scratch.js';
import { isHashed, type HashedKey } from './hashed-kind.js';
import { keyView, notAKey } from './not-a-key.js';
import { encodeUtf8Into } from './utf8.js';

/**
 * A key: a string, a safe integer, a bigint from -2^63 to 2^64 - 1, bytes, or the result of `hashKey` for one of these.
 * `5` and `'5'` are two keys: convert ids to one form, such as `String(id)`, both where you add and where you look up.
 */
export type Key = string | number | bigint | ArrayBufferView | ArrayBufferLike | HashedKey;

/**
 * One key for a filter whose keys have the type `K`. Numbers and bigints are one kind of key, all buffers and views of
 * bytes another. A hashed key may be of any kind.
 */
export type KeyOf<K extends Key> =
  | K
  | HashedKey
  | (K extends number | bigint ? number | bigint : never)
  | (K extends ArrayBufferView | ArrayBufferLike ? ArrayBufferView | ArrayBufferLike : never);

/**
 * The type of the keys of a filter that is made of keys of the type `K`: all strings, all integers, or all bytes. Without
 * keys, and of hashed ones, it is `Key`.
 */
export type KeyKind<K extends Key> = [K] extends [never]
  ? Key
  : K extends string
    ? string
    : K extends number | bigint
      ? number | bigint
      : K extends ArrayBufferView | ArrayBufferLike
        ? ArrayBufferView | ArrayBufferLike
        : Key;

/** Elsewhere, up to this many characters, a loop is faster than `encodeInto`: 18 ns instead of 33 for ten. */
const SHORT_TEXT = 14;

/** Up to this many bytes, a loop is faster than `set`: 36 ns instead of 120 for sixteen bytes of mixed classes. */
const SHORT_BYTES = 32;

const TWO_TO_32 = 0x1_0000_0000;
const LEAST_BIGINT = -0x8000_0000_0000_0000n;
const MOST_BIGINT = 0xffff_ffff_ffff_ffffn;
let encoder: Pick<TextEncoder, 'encodeInto'> | undefined;

/** Made at first use. Some engines have no TextEncoder, and some polyfills of it have no `encodeInto`. */
function utf8(): Pick<TextEncoder, 'encodeInto'> {
  if (encoder !== undefined) return encoder;
  const made = typeof TextEncoder === 'undefined' ? undefined : new TextEncoder();
  return (encoder = typeof made?.encodeInto === 'function' ? made : { encodeInto: encodeUtf8Into });
}

/** Where keys are written: the scratch buffer, or what serves as one. */
export type Room = Pick<Scratch, 'bytes' | 'unshared'> & Partial<Pick<Scratch, 'fours'>>;

/** Up to this length, four bytes at a time are the fastest: 24 ns against 52 of `encodeInto` for 13 characters, 39 against 50 for 24. */
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

/** Writes the UTF-8 of `text` from `start` on, as `TextEncoder.encodeInto` does. */
export function encodeInto(
  { bytes, unshared }: Room,
  start: number,
  text: string,
): TextEncoderEncodeIntoResult {
  const plain = unshared ?? bytes;
  // A new view costs as much as a short text.
  const result = utf8().encodeInto(text, start === 0 ? plain : plain.subarray(start));
  if (unshared !== undefined) bytes.set(unshared.subarray(start, start + result.written), start);
  return result;
}

/**
 * Writes `key` from `start` on and returns where it ends. Returns undefined if there may be too little room, if the key
 * is already hashed, or if it is not a key: showing it in an error may run code of the user, which must wait until
 * nothing is in the scratch buffer.
 */
export function writeKeyAt(room: Room, start: number, key: Key): number | undefined {
  if (typeof key === 'string') return writeText(room, start, key);
  if (typeof key === 'number' || typeof key === 'bigint') return writeInteger(room.bytes, start, key);
  const length = lengthOfBytes(key);
  // Without a view of its own, which costs as much as a short key.
  if (length > 0) return writeBytes(room, start, key as Uint8Array, length);
  if (isHashed(key)) return undefined;
  const view = keyView(key);
  return view === undefined ? undefined : writeBytes(room, start, view, view.length);
}

function writeBytes({ bytes }: Room, start: number, key: Uint8Array, length: number): number | undefined {
  if (start + length > bytes.length) return undefined;
  // Both read what the array holds, whatever its properties say.
  if (length > SHORT_BYTES) bytes.set(key, start);
  else for (let i = 0; i < length; ++i) bytes[start + i] = key[i] as number;
  return start + length;
}

function writeText(room: Room, start: number, text: string): number | undefined {
  const { bytes, fours } = room;
  const { length } = text;
  // A UTF-16 unit takes at most 3 bytes.
  if (start + 3 * length > bytes.length) return undefined;
  if (start === 0 && fours !== undefined) {
    if (length <= MOST_BY_FOURS && writeByFours(fours, text)) return length;
  } else if (length <= SHORT_TEXT) {
    let units = 0;
    for (let i = 0; i < length; ++i) {
      const unit = text.charCodeAt(i);
      units |= unit;
      bytes[start + i] = unit;
    }
    if (units <= 0x7f) return start + length;
  }
  return start + encodeInto(room, start, text).written;
}

/** Whether 64 bits hold `key`, with a sign or without. */
export function isBigintKey(key: bigint): boolean {
  return key >= LEAST_BIGINT && key <= MOST_BIGINT;
}

function writeInteger(bytes: Uint8Array, start: number, key: number | bigint): number | undefined {
  if (start + 8 > bytes.length) return undefined;
  if (typeof key === 'bigint') return writeBigint(bytes, start, key);
  if (!Number.isSafeInteger(key)) throw notAKey(key);
  const high = Math.floor(key / TWO_TO_32);
  for (let i = 0; i < 4; ++i) {
    bytes[start + i] = key >> (8 * i);
    bytes[start + 4 + i] = high >> (8 * i);
  }
  return start + 8;
}

/** One bigint, and its 8 bytes. Made at first use, because some engines have no BigInt64Array. */
let word: { readonly bigint: BigInt64Array; readonly bytes: Uint8Array } | undefined;

/** Through a typed array, which takes 15 ns: shifting bigints takes 100. */
function writeBigint(bytes: Uint8Array, start: number, key: bigint): number {
  if (!isBigintKey(key)) throw notAKey(key);
  if (word === undefined) {
    const bigint = new BigInt64Array(1);
    word = { bigint, bytes: new Uint8Array(bigint.buffer) };
  }
  word.bigint[0] = key;
  for (let i = 0; i < 8; ++i) bytes[start + i] = word.bytes[i] as number;
  return start + 8;
}
