// A key to its hash. A key is bytes: a string is its UTF-8, an integer its 8 bytes, little-endian, two's complement.
// Strings and numbers need nothing from the engine but typed arrays; nothing of a key is kept except room
// for the next one.
import type { HashIdentity } from '../engine/bindings.js';
import { hashedWords } from '../keys/hashed-kind.js';
import type { Key } from '../keys/key.js';
import { writeUtf8 } from '../keys/utf8.js';
import { InvalidKeyError } from '../basic-errors.js';
import { check, viewOf } from './arguments.js';
import { HIGH } from './hash64.js';

/** A filter's hash function, of the bytes from 0 to `end`; it returns and leaves the hash as a word of hash64.ts. */
export interface Hash {
  (bytes: Uint8Array, end: number): number;
  /** By which it takes keys that are hashed already; without it, it takes none. */
  identity?: HashIdentity;
}

/** Where strings become bytes. It grows when a string needs it. */
let room = new Uint8Array(192);

/** Where integers become bytes. */
const WORD = new DataView(new ArrayBuffer(8));
const WORD_BYTES = new Uint8Array(WORD.buffer);

/**
 * The hash of `key`, likewise. `viewOfKey` gives the bytes of a key that is neither text nor an integer, or throws
 * InvalidKeyError: the package has an error that says more than the reader's.
 */
export function hashKey(hash: Hash, key: Key, viewOfKey: (key: unknown) => Uint8Array): number {
  if (typeof key === 'string') {
    const end = writeText(key); // first, because it may make other room
    return hash(room, end);
  }
  const words = hash.identity && hashedWords(hash.identity, key);
  if (words) {
    HIGH[0] = words[1] as number;
    return words[0] as number;
  }
  const bytes = isInteger(key) ? WORD_BYTES : viewOfKey(key);
  return hash(bytes, bytes.length);
}

/** The bytes of `key`. Throws InvalidKeyError if it has none, or its buffer is gone. */
export function bytesOf(key: unknown): Uint8Array {
  try {
    const bytes = viewOf(key);
    check('a key', 'a string, safe integer, 64-bit bigint or bytes', key, !!bytes);
    return bytes as Uint8Array;
  } catch (error) {
    throw new InvalidKeyError((error as Error).message);
  }
}

/** Whether `key` is an integer that can be a key. If so, WORD holds its 8 bytes. */
function isInteger(key: unknown): boolean {
  if (typeof key === 'bigint') {
    WORD.setBigUint64(0, key, true); // modulo 2^64
    return WORD.getBigUint64(0, true) === key || WORD.getBigInt64(0, true) === key;
  }
  if (!Number.isSafeInteger(key)) return false;
  WORD.setInt32(0, key as number, true); // modulo 2^32
  WORD.setInt32(4, Math.floor((key as number) / 2 ** 32), true);
  return true;
}

/** Writes the UTF-8 of `text` into the room, and returns its length. */
function writeText(text: string): number {
  if (3 * text.length > room.length) room = new Uint8Array(6 * text.length);
  return writeUtf8(room, 0, text);
}
