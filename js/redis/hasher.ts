// Finds the places of keys. JavaScript hashes them as the core does, with the seed of the shards, so a program that
// uses a filter on the server does not need WebAssembly.
import { atKey } from '../src/basic-errors.js';
import { nameOf } from '../src/engine/bytes.js';
import { isHashed } from '../src/keys/hashed-kind.js';
import type { Key } from '../src/keys/key.js';
import { bytesOf } from '../src/keys/not-a-key.js';
import { isPlainArray, snapshot, type Keys } from '../src/keys/keys.js';
import { HIGH, xxh64 } from '../src/reader/hash64.js';
import { hashKey, type Hash } from '../src/reader/key.js';
import { place, shardOf, type Places } from './shard/places.js';

/** Keys that are hashed together. */
type Chunk = Iterable<Key> & { readonly length: number };

/** At most so many. */
const CHUNK = 1000;

export class Hasher {
  readonly #places: Places;
  /** XXH64, whose seed is a number below 2^32. */
  readonly #hash: Hash;

  constructor(places: Places) {
    const seed = places.shards - 1;
    this.#places = places;
    this.#hash = Object.assign((bytes: Uint8Array, end: number) => xxh64(bytes, end, 0, seed), {
      identity: { isKeyed: 0, low: seed, high: 0 },
    });
  }

  /**
   * Puts the place of `key` into `words`, as `place` does, and returns its shard. Throws InvalidKeyError if `key` is no
   * key, with its index in a batch.
   */
  locate(key: Key, words: Uint32Array, index?: number): number {
    try {
      const low = hashKey(this.#hash, key);
      const high = HIGH[0] as number;
      place(this.#places, low, high, words);
      return shardOf(low, high, this.#places.shards);
    } catch (error) {
      const told = errorFor(key, error);
      throw index === undefined ? told : atKey(index, told);
    }
  }
}

/** The error for what is no key, in the core's words. */
function errorFor(key: unknown, error: unknown): unknown {
  try {
    if (!isHashed(key)) bytesOf(key);
    return error;
  } catch (inWords) {
    return inWords;
  }
}

/** Parts of `keys`, in order. If iterating them throws, the keys before still form a part. */
export function* chunksOf(keys: Keys): Generator<Chunk, void> {
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
