// What CuckooFilter, the traced one, ScalableCuckooFilter and SharedCuckooFilter do: filters from which keys can be deleted.
import { INSERT_OUTCOMES } from '../engine/bindings.js';
import { numbersOf, putNumber, useHash } from '../engine/scratch.js';
import type { Bytes, Counts } from '../engine/bytes.js';
import type { FullReason } from '../errors.js';
import { answersFor, countsFor } from '../keys/answers.js';
import { inChunks, type AsyncKeys } from '../keys/chunks.js';
import type { AsyncOptions } from '../keys/signals.js';
import type { Key, KeyOf } from '../keys/key.js';
import { hashMany } from '../keys/hashing.js';
import { HASHED_KEY, numberOf, writeKey } from '../keys/write-key.js';
import { checkKeys, hasLength, type Keys } from '../keys/keys.js';
import { Filter, forgetSizes, handleOf } from './filter.js';
import { endInsert, endInserts, fullError } from './full-error.js';

/**
 * What filters of one table, of layers and of threads have in common. Only its type is exported, so make a filter of one
 * of those classes.
 */
export abstract class TableFilter<Self = unknown, K extends Key = Key> extends Filter<Self, K> {
  /**
   * Stores one copy of `key`. Each copy takes a slot, so use `addIfAbsent` if keys repeat. May double a growable table
   * (see `maxPause`). Throws FilterFullError if there is no room, or if the key already has 2 x bucketSize copies
   * (bucketSize if its two buckets are the same). The filter is then unchanged.
   */
  add(key: KeyOf<K>): this {
    const handle = handleOf(this);
    endInsert(handle, handle.insert(writeKey(handle, key), numberOf(key)), key);
    return this;
  }

  /** The same as `add`, but returns what happened instead of throwing FilterFullError. */
  tryAdd(key: KeyOf<K>): 'added' | FullReason {
    const handle = handleOf(this);
    const outcome = handle.insert(writeKey(handle, key), numberOf(key));
    handle.growth?.report();
    return INSERT_OUTCOMES[outcome] as 'added' | FullReason;
  }

  /**
   * Adds the key unless it already seems present. `true`: it was definitely new. Throws FilterFullError. Do not call
   * `delete` on a filter that you fill this way: a new key that is taken for present shares its entry with another key,
   * and deleting either loses both. `audited` of cuckoofilter-wasm/audit finds such deletes.
   */
  addIfAbsent(key: KeyOf<K>): boolean {
    const handle = handleOf(this);
    return endInsert(handle, handle.insertIfAbsent(writeKey(handle, key), numberOf(key)));
  }

  /** The number of copies of `key`. Other keys with the same fingerprint and buckets count as well. */
  count(key: KeyOf<K>): number {
    const handle = handleOf(this);
    return handle.count(writeKey(handle, key), numberOf(key));
  }

  /** `count` for every key, in order. Throws InvalidKeyError at the first that is not a valid key. */
  countMany(keys: Keys<K>): Counts;
  /** The same, but writes the counts into an array of yours: see `containsMany`. */
  countMany(keys: Keys<K>, into: Uint32Array | undefined): Uint32Array;
  countMany(keys: Keys<K>, into?: Uint32Array): Uint32Array {
    const handle = handleOf(this);
    return countsFor(handle, keys, into, (count) => {
      const { instance } = handle.ready();
      for (let at = 0; at < count; ++at) {
        useHash(instance.scratch, at);
        const copies = handle.count(HASHED_KEY, 0); // A traced lookup may grow memory.
        putNumber(instance.scratch, at, copies);
      }
      return numbersOf(instance.scratch, 0, count);
    });
  }

  /**
   * Removes one copy of `key`; `false` if there is none. Delete only what you added, and never from a filter that you
   * fill with `addIfAbsent`: otherwise, with the probability of a false positive, another key is lost. In tests,
   * `audited` of cuckoofilter-wasm/audit throws at the first such call.
   */
  delete(key: KeyOf<K>): boolean {
    const handle = handleOf(this);
    const isDeleted = handle.erase(writeKey(handle, key), numberOf(key));
    handle.growth?.report(); // A layer may have been merged away.
    return isDeleted;
  }

  /**
   * Stores one copy of every key, in order, and returns the number of keys. Stops at the first key that does not fit
   * (FilterFullError, with `added`) or is not valid (InvalidKeyError, with `index`). The keys before it are then in the
   * filter.
   */
  addMany(keys: Keys<K>): number {
    let added = 0;
    let isBuilt: number | undefined;
    const handle = handleOf(this);
    checkKeys(keys);
    const length = hasLength(keys) ? keys.length : 0;
    const addRun = (count: number): void => {
      // Not before, because the user's code may throw until keys come.
      isBuilt ??= handle.calls.beginBuilding === undefined ? 0 : handle.call('beginBuilding', length);
      const done = handle.call('insertMany', count);
      added += done;
      endInserts(handle, done, count, added);
    };
    const finish = (): void => {
      if (isBuilt === 1 && !handle.isDisposed) handle.call('finishBuilding');
    };
    hashMany(handle, keys, addRun, { finish });
    return added;
  }

  /**
   * `addMany` for keys that arrive over time: an async iterable such as a stream, or an iterable of keys or promises.
   * It gathers up to 1,024 keys before it adds them. Rejects with what the source throws, with the signal's reason, or with
   * the errors of `addMany`. The earlier keys are then in the filter, and the source is closed.
   */
  async addManyAsync(keys: AsyncKeys<K>, options: AsyncOptions = {}): Promise<number> {
    handleOf(this);
    return inChunks(keys, (chunk) => this.addMany(chunk), options);
  }

  /**
   * `addIfAbsent` for every key, in order: 1 if the key was new, else 0. Throws as `addMany` does; the
   * error's `answers` are those of the earlier keys, which have been processed, and the key at index `answers.length` is
   * the one that failed. What the keys' own iterator throws, it throws unchanged, without `answers`.
   */
  addManyIfAbsent(keys: Keys<K>): Bytes;
  /** The same, but writes the answers into an array of yours: see `containsMany`. */
  addManyIfAbsent(keys: Keys<K>, into: Uint8Array | undefined): Uint8Array;
  addManyIfAbsent(keys: Keys<K>, into?: Uint8Array): Uint8Array {
    const handle = handleOf(this);
    return answersFor(
      handle,
      keys,
      into,
      (count) => handle.call('insertManyIfAbsent', count),
      (outcome, ones) => fullError(handle, outcome, ones),
    );
  }

  /** `delete` for every key, in order. Returns how many copies were removed. Throws as `containsMany` does. */
  deleteMany(keys: Keys<K>): number {
    let deleted = 0;
    const handle = handleOf(this);
    hashMany(handle, keys, (count) => {
      deleted += handle.call('eraseMany', count);
    });
    return deleted;
  }

  override clear(): void {
    super.clear();
    handleOf(this).growth?.report();
  }

  /**
   * Halves a table that has grown, if its keys fit into half of it. After many deletes, call `while
   * (filter.shrink());`. Returns `false`, and changes nothing, if the keys do not fit, if the table never doubled
   * (that of a SharedCuckooFilter never does), or if memory is refused. Takes time linear in the table's size.
   */
  shrink(): boolean {
    const isSmaller = handleOf(this).call('shrink') !== 0;
    if (isSmaller) forgetSizes(this);
    return isSmaller;
  }
}
