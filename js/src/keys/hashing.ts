// Lets the core hash many keys, one batch in the scratch buffer at a time. Separate from keys.ts, which needs no core.
// Invariant: keys of any length work, and no code of the user runs between writing a batch and using it.
import { atKey } from '../basic-errors.js';
import type { ObjectCalls } from '../engine/bindings.js';
import { nameOf } from '../engine/bytes.js';
import type { Handle } from '../engine/handle.js';
import { numbersOf, putInteger, putIntegers, putNumber, resultAt } from '../engine/scratch.js';
import { encodeInto, writeKeyAt, type Key } from './key.js';
import { bytesOf, notAKey } from './not-a-key.js';
import { checkKeys, HASH, isPacked, isPlainArray, snapshot, type Keys } from './keys.js';
import { end, noteOwn, type Thrown } from './thrown.js';
import { hashOne } from './write-key.js';

/** How a batch ends. */
export interface Ending {
  /** Attaches to the package's own error what was done before it. */
  readonly carry?: (own: Error) => void;
  /** Called when no more keys follow, before growth is reported. */
  readonly finish?: () => void;
  /** What the user's code has thrown before. */
  readonly thrown?: Thrown[];
}

/**
 * Calls `use(count)` for each run of keys, whose hashes are then in the words of the scratch buffer. If a key is bad,
 * the keys before it are used, then a TypeError with its index is thrown. The same holds if the code of the user that
 * gives the keys throws: then that is thrown, as it is. Growth is reported once, at the end, however the batch ends.
 */
export function hashMany(
  handle: Handle<ObjectCalls>,
  keys: Keys,
  use: (count: number) => void,
  { carry, finish, thrown = [] }: Ending = {},
): void {
  checkKeys(keys);
  const give = giverOf(handle, keys, use);
  let own: Thrown | undefined;
  try {
    give(thrown);
  } catch (error) {
    noteOwn(error, keys);
    carry?.(error as Error);
    own = { error };
  }
  finish?.();
  try {
    if (!handle.isDisposed) handle.growth?.report();
  } catch (error) {
    thrown.push({ error });
  }
  end(thrown, own);
}

/**
 * What gives all keys, and notes what the user's code throws when it is asked for one. Here the user's objects say what
 * they are: what they throw is no part of the batch, which has not begun.
 */
function giverOf(
  handle: Handle<ObjectCalls>,
  keys: Keys,
  use: (count: number) => void,
): (thrown: Thrown[]) => void {
  if (nameOf(keys) !== undefined) return () => hashIntegers(handle, keys as BigUint64Array, use);
  const batch = new Batch(handle, use);
  if (isPacked(keys)) {
    const give = keys[HASH]();
    return () => give(handle, use, (key) => batch.take([key]));
  }
  const { batchLength } = handle.instance.scratch;
  // By index, because iterating takes a quarter of the time for short strings.
  if (isPlainArray(keys)) return (thrown) => giveItems(keys, batch, batchLength, thrown);
  return (thrown) => giveIterated(keys as Iterable<Key>, batch, batchLength, thrown);
}

/** In runs that are copied, because a getter may use the scratch buffer. */
function giveItems(keys: readonly Key[], batch: Batch, batchLength: number, thrown: Thrown[]): void {
  const before = thrown.length;
  let at = 0;
  let count: number;
  do {
    // With its length from the start, because growing it takes a tenth of the time of the whole.
    const chunk = new Array<Key>(Math.min(batchLength, keys.length - at));
    count = 0;
    try {
      while (count < chunk.length && at < keys.length) {
        const key = keys[at++] as Key;
        chunk[count++] = key;
      }
    } catch (error) {
      thrown.push({ error });
    }
    chunk.length = count;
    batch.take(chunk);
  } while (at < keys.length && thrown.length === before);
}

function giveIterated(keys: Iterable<Key>, batch: Batch, batchLength: number, thrown: Thrown[]): void {
  const chunk: Key[] = [];
  let count = 0;
  let own: Thrown | undefined;
  try {
    for (const key of keys) {
      chunk[count++] = snapshot(key);
      if (count < batchLength) continue;
      count = 0;
      try {
        batch.take(chunk);
      } catch (error) {
        own = { error };
        break; // It does not hide what the iterator throws as it is closed.
      }
    }
  } catch (error) {
    thrown.push({ error });
  }
  end([], own);
  chunk.length = count;
  batch.take(chunk);
}

/** Fewer numbers in a row than this are written like other keys. */
const LEAST_NUMBERS = 16;

/** Writes keys one after the other, then hashes and uses them together. */
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
    // How many of the next strings must be encoded one by one, because joining them would merge half characters.
    let apart = 0;
    for (let at = 0, taken: number; at < keys.length; at += taken, this.#index += taken) {
      taken =
        apart > 0
          ? 0
          : typeof keys[at] === 'number'
            ? this.#useNumbers(keys, at)
            : this.#writeTexts(keys, at);
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
   * Encodes the strings from `keys[first]` on as one, which takes half the time of one by one, and returns how many
   * there are: 0 if there is no second, and minus their number if a string ends in half a character that the next one
   * completes.
   */
  #writeTexts(keys: readonly Key[], first: number): number {
    const { scratch } = this.#handle.instance;
    const { bytes } = scratch;
    const begin = this.#end;
    let text = '';
    let count = this.#count;
    for (let at = first; at < keys.length; ++at) {
      const key = keys[at];
      if (typeof key !== 'string' || begin + 3 * (text.length + key.length) > bytes.length) break;
      text += key;
      putNumber(scratch, count++, begin + text.length);
    }
    const texts = count - this.#count;
    if (texts < 2) return 0;
    const { written } = encodeInto(scratch, begin, text);
    if (written !== text.length && !endsInBytes(numbersOf(scratch, this.#count, count), bytes, begin))
      return -texts;
    this.#count = count;
    this.#end = begin + written;
    return texts;
  }

  /**
   * Hashes and uses the numbers from `keys[first]` on together, which takes a third of the time of one by one, and
   * returns how many there are, or minus that if there are too few.
   */
  #useNumbers(keys: readonly Key[], first: number): number {
    let count = 0;
    while (first + count < keys.length && Number.isSafeInteger(keys[first + count])) ++count;
    if (count < LEAST_NUMBERS) return -count;
    this.#flush();
    const { scratch } = this.#handle.instance;
    for (let i = 0; i < count; ++i) putInteger(scratch, i, keys[first + i] as number);
    this.#handle.call('hashWords', count);
    this.#use(count);
    return count;
  }

  #write(key: Key): void {
    const { instance } = this.#handle;
    let end = writeKeyAt(instance.scratch, this.#end, key);
    if (end === undefined && this.#count > 0) {
      this.#flush();
      end = writeKeyAt(instance.scratch, 0, key);
    }
    if (end === undefined) {
      hashOne(this.#handle, key);
      return this.#use(1);
    }
    putNumber(instance.scratch, this.#count++, end);
    this.#end = end;
  }

  #flush(): void {
    const count = this.#count;
    this.#count = 0;
    this.#end = 0;
    if (count === 0) return;
    this.#handle.call('hashKeys', count);
    this.#use(count);
  }
}

/**
 * Converts the ends of strings from UTF-16 units to ends of their UTF-8, which starts at `begin`; false if one would be
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

/**
 * Hashes the numbers of a typed array of any class, also from another realm (a frame, a test's sandbox): each is a key.
 */
function hashIntegers(
  handle: Handle<ObjectCalls>,
  keys: ArrayBufferView,
  use: (count: number) => void,
): void {
  const bytes = bytesOf(keys);
  const name = nameOf(keys) as 'Float64Array';
  const View = globalThis[name];
  const { batchLength } = handle.instance.scratch;
  const length = bytes.length / View.BYTES_PER_ELEMENT;
  for (let first = 0; first < length; first += batchLength) {
    const begin = bytes.byteOffset + first * View.BYTES_PER_ELEMENT;
    const run = new View(bytes.buffer, begin, Math.min(batchLength, length - first));
    const { scratch } = handle.instance;
    const written = putIntegers(scratch, run, name.startsWith('Big'));
    const bad = resultAt(scratch, written); // Another thread may have changed it in the array.
    handle.call('hashWords', written);
    use(written);
    if (written < run.length) throw atKey(first + written, notAKey(bad));
  }
}
