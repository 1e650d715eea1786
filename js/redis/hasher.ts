// Finds the places of keys. Keys are hashed in JavaScript, with the seed of the shards and by the core's rules for
// keys, so that a filter on the server needs no WebAssembly. Invariant: keys are taken in order, one chunk at a time;
// keys before an invalid one are taken.
import { atKey } from '../src/basic-errors.js';
import { nameOf } from '../src/engine/bytes.js';
import { hashedWords } from '../src/keys/hashed-kind.js';
import { bytesOf, utf8, writeKeyAt, type Key, type Room } from '../src/keys/key.js';
import { checkKeys, isPlainArray, snapshot, type Keys } from '../src/keys/keys.js';
import { HIGH, xxh64 } from '../src/reader/hash64.js';
import { place, shardOf, type Places } from './shard/places.js';

/** Keys that are hashed together. */
type Chunk = Iterable<Key> & { readonly length: number };

/** At most so many. */
const CHUNK = 1000;

/** Where a key's bytes are written, if they fit. */
const ROOM: Room = { bytes: new Uint8Array(1536), unshared: undefined };

export class Hasher {
  readonly #places: Places;
  /** The hash function: XXH64, whose seed is a number below 2^32. */
  readonly #own: Parameters<typeof hashedWords>[0];

  constructor(places: Places) {
    this.#places = places;
    this.#own = { isKeyed: 0, low: places.shards - 1, high: 0 };
  }

  /** Puts the place of `key` into `words`, as `place` does, and returns its shard. Throws InvalidKeyError if `key` is no key. */
  locate(key: Key, words: Uint32Array): number {
    const low = this.#hash(key);
    const high = HIGH[0] as number;
    place(this.#places, low, high, words, 0);
    return shardOf(low, high, this.#places.shards);
  }

  /**
   * Calls `take` with the two words of the hash of each key, in order. It calls `pull` with the number of keys before
   * each chunk, and `rest` after each full chunk; `rest` returns whether to go on. At the first invalid key it throws
   * InvalidKeyError with the index.
   */
  async takeAll(
    keys: Keys,
    pull: (count: number) => void,
    take: (low: number, high: number) => void,
    rest: () => Promise<boolean>,
  ): Promise<void> {
    checkKeys(keys);
    let taken = 0;
    for (const chunk of chunksOf(keys)) {
      pull(chunk.length);
      for (const key of chunk) {
        take(this.#hashAt(taken, key), HIGH[0] as number);
        ++taken;
      }
      if (chunk.length === CHUNK && !(await rest())) return;
    }
  }

  #hashAt(index: number, key: Key): number {
    try {
      return this.#hash(key);
    } catch (error) {
      throw atKey(index, error);
    }
  }

  /** The low word of the key's hash; the high one is in HIGH. */
  #hash(key: Key): number {
    const end = writeKeyAt(ROOM, 0, key);
    if (end !== undefined) return this.#hashBytes(ROOM.bytes, end);
    const words = hashedWords(this.#own, key);
    if (words === undefined) {
      const bytes = typeof key === 'string' ? utf8().encode(key) : bytesOf(key);
      return this.#hashBytes(bytes, bytes.length);
    }
    HIGH[0] = words[1] as number;
    return words[0] as number;
  }

  #hashBytes(bytes: Uint8Array, end: number): number {
    return xxh64(bytes, end, 0, this.#own.low);
  }
}

/** Parts of `keys`, in order. If iterating them throws, the keys before still form a part. */
function* chunksOf(keys: Keys): Generator<Chunk, void> {
  if (isPlainArray(keys)) {
    for (let first = 0; first < keys.length; first += CHUNK) yield keys.slice(first, first + CHUNK);
    return;
  }
  const name = nameOf(keys);
  if (name !== undefined) return yield* integersOf(keys as Uint32Array, name as 'Uint32Array');
  let chunk: Key[] = [];
  try {
    for (const key of keys as Iterable<Key>) {
      chunk.push(snapshot(key));
      if (chunk.length < CHUNK) continue;
      yield chunk;
      chunk = [];
    }
  } catch (error) {
    yield chunk;
    throw error;
  }
  yield chunk;
}

/**
 * The numbers of a typed array of any class and realm, read through this realm's own class, so that no code of the user
 * runs.
 */
function* integersOf(keys: Uint32Array, name: 'Uint32Array'): Generator<Chunk, void> {
  const View = globalThis[name];
  for (let first = 0, length = Infinity; first < length; first += CHUNK) {
    const bytes = bytesOf(keys); // Each time, as its buffer may go meanwhile.
    length = bytes.length / View.BYTES_PER_ELEMENT;
    const begin = bytes.byteOffset + first * View.BYTES_PER_ELEMENT;
    yield new View(bytes.buffer, begin, Math.min(CHUNK, length - first));
  }
}
