// Keys to their places: hashed by the core, as for a filter that has the shards' seed, so that all kinds of keys are the same.
// Invariant: keys are taken in order, a chunk at a time; keys before one that is no key are taken.
import { atKey } from '../basic-errors.js';
import { CuckooFilter } from '../filters/cuckoo-filter.js';
import { handleOf } from '../filters/filter.js';
import { nameOf } from '../engine/bytes.js';
import { hashOne, type Key } from '../keys/key.js';
import { checkKeys, hashMany, snapshot, type Keys } from '../keys/keys.js';
import { place, shardOf, type Places } from './places.js';

/** Keys that are hashed together. */
const CHUNK = 1000;

export class Hasher {
  readonly #places: Places;
  /** Only its hash is used. */
  readonly #filter: CuckooFilter;

  constructor(places: Places) {
    this.#places = places;
    this.#filter = new CuckooFilter({ capacity: 1, seed: places.table.seed() });
  }

  /** Puts the place of `key` into `words`, as `place` does, and returns its shard. Throws TypeError if `key` is no key. */
  locate(key: Key, words: Uint32Array): number {
    const handle = handleOf(this.#filter);
    hashOne(handle, key);
    const [low, high] = handle.instance.scratch.words;
    place(this.#places, low as number, high as number, words, 0);
    return shardOf(low as number, high as number, this.#places.shards);
  }

  /**
   * Calls `take` with the two words of the hash of each key of `keys`, in order, and between some of them `rest`, whose answer
   * tells whether to go on. Throws TypeError, with the index, at the first that is no key.
   */
  async takeAll(
    keys: Keys,
    take: (low: number, high: number) => void,
    rest: () => Promise<boolean>,
  ): Promise<void> {
    checkKeys(keys);
    const handle = handleOf(this.#filter);
    let taken = 0;
    const takeRun = (count: number): void => {
      const { words } = handle.instance.scratch;
      for (let at = 0; at < 2 * count; at += 2) take(words[at] as number, words[at + 1] as number);
      taken += count;
    };
    for (const chunk of chunksOf(keys)) {
      if (taken > 0 && !(await rest())) return;
      try {
        hashMany(handle, chunk, takeRun);
      } catch (error) {
        throw atKey(taken, error); // The index that it has counts from the chunk.
      }
    }
  }
}

/** Parts of `keys`, in order. If they are iterated and that throws, the keys before are a part. */
function* chunksOf(keys: Keys): Generator<Keys> {
  const isArray =
    Array.isArray(keys) && keys.constructor === Array && keys[Symbol.iterator] === Array.prototype.values;
  if (isArray || nameOf(keys) !== undefined) {
    const { length } = keys as Key[];
    for (let first = 0; first < length; first += CHUNK)
      yield isArray
        ? (keys as Key[]).slice(first, first + CHUNK)
        : (keys as Uint32Array).subarray(first, first + CHUNK);
    return;
  }
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
