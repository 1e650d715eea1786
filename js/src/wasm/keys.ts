// Key to bytes, in the scratch buffer that the core reads. A key is bytes: a string is its UTF-8, an integer its 8 bytes,
// little-endian, two's complement. Invariant: nothing is allocated per key, keys of any length work, and no code of
// the user runs between the writing of a batch and its use.
import { ruleError } from '../errors.js';
import type { ObjectCalls } from './bindings.js';
import { isBytes, lengthOfBytes, viewOf, type Bytes } from './bytes.js';
import { inUse, type Handle } from './owned.js';
import { hashPacked, PackedKeys } from './packed.js';

/** A key: a string, a safe integer, a bigint from -2^63 to 2^64 - 1, or bytes. */
export type Key = string | number | bigint | ArrayBufferView | ArrayBufferLike;

/**
 * Many keys: an array or any other iterable, `PackedKeys`, or a typed array of integers. Not a string: for one key, pass an
 * array with it.
 */
export type Keys =
  (Iterable<Key> & object) | BigUint64Array | BigInt64Array | Uint32Array | Int32Array | Float64Array;

/** In place of a key's length: the key came in pieces, and the core has hashed it already. */
const LONG_KEY = -1;

/** Up to this many characters a loop in JavaScript is faster than `encodeInto`: 18 against 33 ns for ten. */
const SHORT_TEXT = 14;

const TWO_TO_32 = 0x1_0000_0000;
let encoder: TextEncoder | undefined;

/** Made at first use, because some engines have none. @internal */
export function utf8(): TextEncoder {
  if (encoder !== undefined) return encoder;
  if (typeof TextEncoder === 'undefined')
    throw new TypeError(
      'this key needs TextEncoder, which does not exist here: give its UTF-8 bytes, or define TextEncoder',
    );
  return (encoder = new TextEncoder());
}

/**
 * Writes `key` at the start of the scratch buffer's bytes, for the filter of `handle`, and returns its length in bytes,
 * or LONG_KEY. Throws TypeError for anything that is no key.
 */
export function writeKey(handle: Handle<ObjectCalls>, key: Key): number {
  const end = writeKeyAt(handle.instance.scratch.bytes, 0, key);
  return end === undefined ? writeLongKey(handle, key) : end;
}

/**
 * Calls `use(count)` for each run of keys whose hashes stand in the scratch buffer's words. Where a key is bad, the keys
 * before it are used, then a TypeError with its index is thrown; likewise where the iterable itself throws.
 */
export function hashMany(handle: Handle<ObjectCalls>, keys: Keys, use: (count: number) => void): void {
  checkKeys(keys);
  if (isIntegerArray(keys)) return hashIntegers(handle, keys, use);
  const batch = new Batch(handle, use);
  if (keys instanceof PackedKeys) return hashPacked(handle, keys, use, (key) => batch.take([key]));
  const { batchLength } = handle.instance.bindings.scratch;
  // Not of a subclass, which may slice in its own way.
  if (Array.isArray(keys) && keys.constructor === Array && keys[Symbol.iterator] === Array.prototype.values) {
    // Slices, as to iterate takes a quarter of the time of short texts.
    for (let first = 0; first < keys.length;) {
      const slice = keys.slice(first, first + batchLength) as Key[];
      first += slice.length; // less than a batch where a getter then makes the array longer
      batch.take(slice);
    }
    return;
  }
  const chunk: Key[] = [];
  try {
    for (const key of keys as Iterable<Key>) {
      if (chunk.push(snapshot(key)) < batchLength) continue;
      batch.take(chunk.splice(0));
    }
  } catch (error) {
    // Either a key of the last chunk was bad, or the user's iterator threw: then the keys before it still count.
    batch.take(chunk);
    throw error;
  }
  batch.take(chunk);
}

/**
 * Throws TypeError if `keys` cannot be iterated, are a typed array whose buffer is gone, or are a text, whose characters
 * nobody means as keys.
 */
export function checkKeys(keys: Keys): void {
  const rule = 'an array or another iterable of keys';
  if (typeof keys === 'string') throw ruleError('keys', `${rule} (one key: [key])`, keys);
  if (typeof (keys as Partial<Iterable<Key>> | null | undefined)?.[Symbol.iterator] !== 'function') {
    throw ruleError('keys', rule, keys);
  }
  if (ArrayBuffer.isView(keys) && keys.length === 0) bytesOf(keys);
}

/**
 * The key as it is now, because an iterator may give out one buffer again and again. What is no key, or has lost its
 * buffer, is left for the error to name.
 */
function snapshot(key: Key): Key {
  if (typeof key !== 'object' || !isBytes(key)) return key;
  try {
    return bytesOf(key).slice();
  } catch {
    return key;
  }
}

/** Writes keys one behind the other and has them hashed and used together. */
class Batch {
  readonly #handle: Handle<ObjectCalls>;
  readonly #use: (count: number) => void;
  #index = 0;
  #count = 0;
  #end = 0;

  constructor(handle: Handle<ObjectCalls>, use: (count: number) => void) {
    this.#handle = handle;
    this.#use = use;
  }

  take(keys: readonly Key[]): void {
    // Of keys that do not join: how many of them are left.
    let apart = 0;
    for (let at = 0, taken: number; at < keys.length; at += taken, this.#index += taken) {
      taken = apart > 0 ? 0 : this.#writeTexts(keys, at);
      if (taken > 0) continue;
      apart = Math.max(apart, -taken) - 1;
      taken = 1;
      try {
        this.#write(keys[at] as Key);
      } catch (error) {
        this.#flush();
        throw atKey(this.#index, error);
      }
    }
    this.#flush();
  }

  /**
   * Encodes the texts from `keys[first]` on as one, which takes half the time of one by one, and returns how many they
   * are: 0 if there is no second, and minus their number if a text ends in half a character that the next completes.
   */
  #writeTexts(keys: readonly Key[], first: number): number {
    const { bytes, ends } = this.#handle.instance.scratch;
    const begin = this.#end;
    let text = '';
    let count = this.#count;
    for (let at = first; at < keys.length; ++at) {
      const key = keys[at];
      if (typeof key !== 'string' || begin + 3 * (text.length + key.length) > bytes.length) break;
      text += key;
      ends[count++] = begin + text.length;
    }
    const texts = count - this.#count;
    if (texts < 2) return 0;
    const { written } = utf8().encodeInto(text, bytes.subarray(begin));
    if (written !== text.length && !endsInBytes(ends.subarray(this.#count, count), bytes, begin))
      return -texts;
    this.#count = count;
    this.#end = begin + written;
    return texts;
  }

  #write(key: Key): void {
    const { instance } = this.#handle;
    let end = writeKeyAt(instance.scratch.bytes, this.#end, key);
    if (end === undefined && this.#count > 0) {
      this.#flush();
      end = writeKeyAt(instance.scratch.bytes, 0, key);
    }
    if (end === undefined) return this.#writeLong(key);
    instance.scratch.ends[this.#count++] = end;
    this.#end = end;
  }

  #writeLong(key: Key): void {
    writeLongKey(this.#handle, key);
    this.#handle.instance.bindings.longKey.finish();
    this.#use(1);
  }

  #flush(): void {
    const count = this.#count;
    this.#count = 0;
    this.#end = 0;
    if (count === 0) return;
    const { calls, address } = inUse(this.#handle);
    calls.hashKeys(address, count);
    this.#use(count);
  }
}

/**
 * Turns the ends of texts, counted in UTF-16 units, into those of their UTF-8 from `begin` on; false if one would be
 * inside a character.
 */
function endsInBytes(ends: Uint32Array, bytes: Uint8Array, begin: number): boolean {
  let unit = begin;
  let byte = begin;
  return ends.every((end, i) => {
    while (unit < end) {
      const lead = bytes[byte] as number;
      unit += lead < 0xf0 ? 1 : 2;
      byte += lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    }
    ends[i] = byte;
    return unit === end;
  });
}

type IntegerArray = BigUint64Array | BigInt64Array | Uint32Array | Int32Array | Float64Array;

/** By name, as a typed array of another realm (a frame, a test's sandbox) is no instance of this realm's class. */
function isIntegerArray(keys: Keys): keys is IntegerArray {
  if (!ArrayBuffer.isView(keys)) return false;
  return ['BigUint64Array', 'BigInt64Array', 'Uint32Array', 'Int32Array', 'Float64Array'].includes(
    typeName(keys),
  );
}

function typeName(view: ArrayBufferView): string {
  return Object.prototype.toString.call(view).slice(8, -1);
}

function hashIntegers(handle: Handle<ObjectCalls>, keys: IntegerArray, use: (count: number) => void): void {
  const { batchLength } = handle.instance.bindings.scratch;
  for (let first = 0; first < keys.length; first += batchLength) {
    const count = Math.min(batchLength, keys.length - first);
    const written = writeIntegers(handle.instance.scratch.words, keys, first, count);
    const { calls, address } = inUse(handle);
    calls.hashWords(address, written);
    use(written);
    if (written < count) {
      throw atKey(first + written, notAKey(keys[first + written]));
    }
  }
}

/** Writes `count` integers as words and returns how many: fewer only where one is no key. */
function writeIntegers(words: Uint32Array, keys: IntegerArray, first: number, count: number): number {
  if (keys.BYTES_PER_ELEMENT === 8 && typeName(keys) !== 'Float64Array') {
    words.set(new Uint32Array(keys.buffer, keys.byteOffset + 8 * first, 2 * count));
    return count;
  }
  for (let i = 0; i < count; ++i) {
    const key = keys[first + i] as number;
    if (!Number.isSafeInteger(key)) return i;
    words[2 * i] = key;
    words[2 * i + 1] = Math.floor(key / TWO_TO_32);
  }
  return count;
}

/**
 * Writes `key` from `start` on and returns where it ends, or undefined if there may be too little room, or for what is no
 * key: to name it in an error may run code of the user, so that is left until nothing stands in the scratch buffer.
 */
function writeKeyAt(bytes: Uint8Array, start: number, key: Key): number | undefined {
  if (typeof key === 'string') return writeText(bytes, start, key);
  if (typeof key === 'number' || typeof key === 'bigint') return writeInteger(bytes, start, key);
  const length = lengthOfBytes(key);
  // Without a view of its own, which costs as much as a short key.
  if (length > 0) return put(bytes, start, key as Uint8Array, length);
  const view = viewOf(key);
  return view === undefined ? undefined : put(bytes, start, view, view.length);
}

function put(bytes: Uint8Array, start: number, key: Uint8Array, length: number): number | undefined {
  if (start + length > bytes.length) return undefined;
  bytes.set(key, start); // by what the array holds, whatever its properties say
  return start + length;
}

function writeText(bytes: Uint8Array, start: number, text: string): number | undefined {
  const { length } = text;
  // A UTF-16 unit takes at most 3 bytes.
  if (start + 3 * length > bytes.length) return undefined;
  if (length <= SHORT_TEXT) {
    let units = 0;
    for (let i = 0; i < length; ++i) {
      const unit = text.charCodeAt(i);
      units |= unit;
      bytes[start + i] = unit;
    }
    if (units <= 0x7f) return start + length;
  }
  // A new view costs as much as a short text.
  const room = start === 0 ? bytes : bytes.subarray(start);
  return start + utf8().encodeInto(text, room).written;
}

function writeInteger(bytes: Uint8Array, start: number, key: number | bigint): number | undefined {
  if (start + 8 > bytes.length) return undefined;
  const isKey =
    typeof key === 'number'
      ? Number.isSafeInteger(key)
      : BigInt.asUintN(64, key) === key || BigInt.asIntN(64, key) === key;
  if (!isKey) throw notAKey(key);
  const low = typeof key === 'number' ? key : Number(BigInt.asUintN(32, key));
  const high = typeof key === 'number' ? Math.floor(key / TWO_TO_32) : Number(BigInt.asUintN(32, key >> 32n));
  for (let i = 0; i < 4; ++i) {
    bytes[start + i] = low >> (8 * i);
    bytes[start + 4 + i] = high >> (8 * i);
  }
  return start + 8;
}

/** Hands a key that may not fit to the core in pieces. */
function writeLongKey({ instance, calls, address }: Handle<ObjectCalls>, key: Key): number {
  calls.beginLongKey(address);
  const { longKey } = instance.bindings;
  const { bytes } = instance.scratch;
  if (typeof key === 'string') {
    for (let rest: string = key; rest.length > 0;) {
      const { read, written } = utf8().encodeInto(rest, bytes);
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

/** Whether the number of keys is known without iterating: arrays, typed arrays and packed keys. */
export function hasLength(keys: Keys): keys is Keys & { readonly length: number } {
  return Array.isArray(keys) || ArrayBuffer.isView(keys) || keys instanceof PackedKeys;
}

/** A key's bytes where they lie. Throws TypeError for anything that is not bytes, or whose buffer is gone. */
export function bytesOf(key: unknown): Bytes {
  const view = viewOf(key);
  if (view === undefined) throw notAKey(key);
  return view;
}

/** `error`, which a batch met at its key `index`: a TypeError then says which key it is. */
export function atKey(index: number, error: unknown): unknown {
  return error instanceof TypeError ? new TypeError(`key ${index}: ${error.message}`) : error;
}

function notAKey(value: unknown): TypeError {
  const rule = 'a string, a safe integer, a bigint from -2^63 to 2^64 - 1, or bytes';
  return ruleError('a key', rule, value);
}
