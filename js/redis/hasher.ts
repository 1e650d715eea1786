// Finds the places of keys. JavaScript hashes them as the core does, with the seed of the shards, so a program that
// uses a filter on the server does not need WebAssembly.
import { atKey } from '../src/basic-errors.js';
import type { Key } from '../src/keys/key.js';
import { bytesOf } from '../src/keys/not-a-key.js';
import { HIGH, xxh64 } from '../src/reader/hash64.js';
import { hashKey, type Hash } from '../src/reader/key.js';
import { place, type Action, type Places } from './shard/places.js';

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
   * Puts what is asked about `key` into `words`, as `place` does, and returns its shard. Throws InvalidKeyError if `key`
   * is no key, with its index in a batch.
   */
  locate(key: Key, action: Action, words: Uint32Array, index?: number): number {
    try {
      const low = hashKey(this.#hash, key, bytesOf);
      return place(this.#places, low, HIGH[0] as number, action, words);
    } catch (error) {
      throw index === undefined ? error : atKey(index, error);
    }
  }
}
