// Many keys to hashes, a batch in the scratch buffer at a time. Invariant: nothing is allocated per key, and no code of the
// user runs between the writing of a batch and its use.
import { atKey } from '../basic-errors.js';
import { ruleError } from '../errors.js';
import type { ObjectCalls } from '../engine/bindings.js';
import { isBytes, nameOf } from '../engine/bytes.js';
import { bytesOf, hashOne, isHashed, notAKey, TWO_TO_32, utf8, writeKeyAt, type Key } from './key.js';
import type { Scratch } from '../engine/instance.js';
import { inUse, type Handle } from '../engine/handle.js';

/**
 * Many keys: an array or any other iterable, `PackedKeys`, `HashedKeys`, or a typed array, each of whose numbers is a key.
 * Not a string and not bytes: for one key, pass an array with it.
 */
export type Keys =
  (Iterable<Key> & object) | BigUint64Array | BigInt64Array | Uint32Array | Int32Array | Float64Array;

/** Under which packed keys have their way to be hashed, so that programs without them do not carry it. */
export const HASH: unique symbol = Symbol('hash');

/** Keys that are hashed in a way of their own. */
export interface Packed {
  /** As `hashMany`; `useLong` takes a key that does not fit into the scratch buffer. */
  readonly [HASH]: (
    handle: Handle<ObjectCalls>,
    use: (count: number) => void,
    useLong: (key: Uint8Array) => void,
  ) => void;
}

/**
 * Calls `use(count)` for each run of keys whose hashes stand in the scratch buffer's words. Where a key is bad, the keys
 * before it are used, then a TypeError with its index is thrown; likewise where the iterable itself throws.
 */
export function hashMany(handle: Handle<ObjectCalls>, keys: Keys, use: (count: number) => void): void {
  checkKeys(keys);
  if (nameOf(keys) !== undefined) return hashIntegers(handle, keys as BigUint64Array, use);
  const batch = new Batch(handle, use);
  if (isPacked(keys)) return keys[HASH](handle, use, (key) => batch.take([key]));
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
  let count = 0;
  try {
    for (const key of keys as Iterable<Key>) {
      chunk[count++] = snapshot(key);
      if (count < batchLength) continue;
      count = 0;
      batch.take(chunk);
    }
  } finally {
    // After a bad key there are none here; where the user's iterator threw, the keys before still count.
    chunk.length = count;
    batch.take(chunk);
  }
}

/** Throws TypeError if `keys` cannot be iterated, are one key, or are a typed array whose buffer is gone. */
export function checkKeys(keys: Keys): void {
  const { [Symbol.iterator]: iterator, [Symbol.asyncIterator]: asyncIterator } = Object(keys) as Partial<
    Iterable<Key> & AsyncIterable<Key>
  >;
  if (typeof iterator !== 'function' || isOneKey(keys)) {
    const advice =
      isOneKey(keys) || isBytes(keys)
        ? ' (one key: [key])'
        : typeof asyncIterator === 'function'
          ? '; with an async one, call addManyAsync or fromAsync'
          : '';
    throw ruleError('keys', `an array or another iterable of keys${advice}`, keys);
  }
  if (ArrayBuffer.isView(keys) && keys.length === 0) bytesOf(keys);
}

/** Whether `value` is a text or bytes: iterating it gives characters or numbers, which nobody means as keys. */
export function isOneKey(value: unknown): boolean {
  const isText = Object.prototype.toString.call(value) === '[object String]';
  return isText || (ArrayBuffer.isView(value) && !/16|32|64/.test(nameOf(value) ?? ''));
}

/**
 * The key as it is now, because an iterator may give out one buffer again and again. What is no key, or has lost its
 * buffer, is left for the error to name.
 */
export function snapshot(key: Key): Key {
  if (typeof key !== 'object' || isHashed(key) || !isBytes(key)) return key;
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
    if (end === undefined) {
      hashOne(this.#handle, key);
      return this.#use(1);
    }
    instance.scratch.ends[this.#count++] = end;
    this.#end = end;
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

/** Of a typed array of any class, also of another realm (a frame, a test's sandbox): each number is a key. */
function hashIntegers(
  handle: Handle<ObjectCalls>,
  keys: ArrayBufferView,
  use: (count: number) => void,
): void {
  const bytes = bytesOf(keys);
  const name = nameOf(keys) as 'Float64Array';
  const View = globalThis[name];
  const { batchLength } = handle.instance.bindings.scratch;
  const length = bytes.length / View.BYTES_PER_ELEMENT;
  for (let first = 0; first < length; first += batchLength) {
    const begin = bytes.byteOffset + first * View.BYTES_PER_ELEMENT;
    const run = new View(bytes.buffer, begin, Math.min(batchLength, length - first));
    const { scratch } = handle.instance;
    const written = writeIntegers(scratch, run, name.startsWith('Big'));
    const bad = scratch.numbers[written]; // Another thread may have changed it in the array.
    const { calls, address } = inUse(handle);
    calls.hashWords(address, written);
    use(written);
    if (written < run.length) throw atKey(first + written, notAKey(bad));
  }
}

/** Writes integers as words and returns how many: fewer than there are only where one is no key. */
function writeIntegers({ words, numbers }: Scratch, integers: Float64Array, isBig: boolean): number {
  const { buffer, byteOffset, length } = integers;
  if (isBig) {
    words.set(new Uint32Array(buffer, byteOffset, 2 * length));
    return length;
  }
  // The engine converts numbers of every class in 2 ns; a loop that has met several classes takes 30 to read one. Each is
  // then replaced where it lies.
  numbers.set(integers);
  for (let i = 0; i < length; ++i) {
    const key = numbers[i] as number;
    if (!Number.isSafeInteger(key)) return i;
    words[2 * i] = key;
    words[2 * i + 1] = Math.floor(key / TWO_TO_32);
  }
  return length;
}

function isPacked(keys: Keys): keys is Keys & Packed & { readonly length: number } {
  return HASH in (Object(keys) as object);
}

/** Whether the number of keys is known without iterating: arrays, typed arrays and packed keys. */
export function hasLength(keys: Keys): keys is Keys & { readonly length: number } {
  return Array.isArray(keys) || ArrayBuffer.isView(keys) || isPacked(keys);
}
