// Many keys to hashes by the core: a batch in the scratch buffer at a time. Apart from keys.ts, which needs no core.
// Invariant: nothing is allocated per key, keys of any length work, and no code of the user runs between the writing of a batch
// and its use.
import { atKey } from '../basic-errors.js';
import type { ObjectCalls } from '../engine/bindings.js';
import { nameOf } from '../engine/bytes.js';
import type { Handle } from '../engine/handle.js';
import { numbersOf, putInteger, putIntegers, putNumber, resultAt } from '../engine/scratch.js';
import { bytesOf, notAKey, utf8, writeKeyAt, type Key } from './key.js';
import { checkKeys, HASH, isPacked, isPlainArray, snapshot, type Keys } from './keys.js';
import { hashOne } from './one.js';

/**
 * Calls `use(count)` for each run of keys whose hashes stand in the scratch buffer's words. Where a key is bad, the keys
 * before it are used, then a TypeError with its index is thrown; likewise where the iterable itself throws.
 */
export function hashMany(handle: Handle<ObjectCalls>, keys: Keys, use: (count: number) => void): void {
  checkKeys(keys);
  if (nameOf(keys) !== undefined) return hashIntegers(handle, keys as BigUint64Array, use);
  const batch = new Batch(handle, use);
  if (isPacked(keys)) return keys[HASH](handle, use, (key) => batch.take([key]));
  const { batchLength } = handle.instance.scratch;
  if (isPlainArray(keys)) {
    // Slices, as to iterate takes a quarter of the time of short texts.
    for (let first = 0; first < keys.length;) {
      const slice = keys.slice(first, first + batchLength);
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

/** As few numbers in a row are written among the other keys. */
const LEAST_NUMBERS = 16;

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
    // How many of the next texts must be encoded one by one, because joining them would merge half characters.
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
   * Encodes the texts from `keys[first]` on as one, which takes half the time of one by one, and returns how many they
   * are: 0 if there is no second, and minus their number if a text ends in half a character that the next completes.
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
    const { written } = utf8().encodeInto(text, bytes.subarray(begin));
    if (written !== text.length && !endsInBytes(numbersOf(scratch, this.#count, count), bytes, begin))
      return -texts;
    this.#count = count;
    this.#end = begin + written;
    return texts;
  }

  /**
   * Has the numbers from `keys[first]` on hashed and used together, which takes a third of the time of one by one, and returns
   * how many they are: minus that if they are too few.
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
    let end = writeKeyAt(instance.scratch.bytes, this.#end, key);
    if (end === undefined && this.#count > 0) {
      this.#flush();
      end = writeKeyAt(instance.scratch.bytes, 0, key);
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
