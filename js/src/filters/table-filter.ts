// What CuckooFilter, its traced twin and ScalableCuckooFilter do: filters from which keys can be deleted.
// Invariant: as in filter.ts.
import { INSERT_OUTCOMES } from '../engine/bindings.js';
import { inUse } from '../engine/handle.js';
import type { FullReason } from '../errors.js';
import { answersFor, Numbers } from '../keys/answers.js';
import { inChunks, type AsyncKeys } from '../keys/chunks.js';
import type { AsyncOptions } from '../keys/signals.js';
import type { Key } from '../keys/key.js';
import { HASHED_KEY, numberOf, writeKey } from '../keys/hashing.js';
import { checkKeys, hasLength, type Keys } from '../keys/keys.js';
import { hashMany } from '../keys/hashing.js';
import { Filter, forgetSizes, handleOf } from './filter.js';
import { ADDED, endInserts, fullError, isRefusal } from './full-error.js';
import { mergeInto } from './merge.js';

/**
 * What filters of one table and of layers have in common. Only its type is exported: make a CuckooFilter or a
 * ScalableCuckooFilter.
 */
export abstract class TableFilter<
  Self,
  Tables extends 'one' | 'layers' = 'one' | 'layers',
> extends Filter<Self> {
  /** For TypeScript alone: tells filters of one table from those of layers, which cannot be merged. */
  declare protected readonly tables: Tables;

  /**
   * Stores one copy of `key`. If the filter may still grow, this call may double the table, or do a part of that, for as
   * long as the option `maxPause` says. Throws FilterFullError if there is no room and the table cannot grow, or if the key's two buckets hold nothing but
   * copies of it: 2 x bucketSize copies, or bucketSize if the two are the same bucket. No key has changed then.
   */
  add(key: Key): this {
    const handle = handleOf(this);
    const outcome = handle.calls.insert(handle.address, writeKey(handle, key), numberOf(key));
    handle.growth?.tell();
    if (outcome !== ADDED) throw fullError(handle, outcome, 0, key);
    return this;
  }

  /** The same as `add`, but returns what happened instead of throwing FilterFullError. */
  tryAdd(key: Key): 'added' | FullReason {
    const handle = handleOf(this);
    const outcome = handle.calls.insert(handle.address, writeKey(handle, key), numberOf(key));
    handle.growth?.tell();
    return INSERT_OUTCOMES[outcome] as 'added' | FullReason;
  }

  /**
   * Adds the key unless it already seems present. `true`: it was definitely new. One pass. Throws FilterFullError. Do not
   * use `delete` on a filter that you fill this way: if a new key is taken for present, it shares an entry with another
   * key, and deleting either loses both. `audited` of cuckoofilter-wasm/audit finds such deletes.
   */
  addIfAbsent(key: Key): boolean {
    const handle = handleOf(this);
    const outcome = handle.calls.insertIfAbsent(handle.address, writeKey(handle, key), numberOf(key));
    handle.growth?.tell();
    if (isRefusal(outcome)) throw fullError(handle, outcome, 0);
    return outcome === ADDED;
  }

  /** The number of copies of `key`. Other keys with the same fingerprint and buckets count as well. */
  count(key: Key): number {
    const handle = handleOf(this);
    return handle.calls.count(handle.address, writeKey(handle, key), numberOf(key));
  }

  /** `count` for every key, in order. Throws InvalidKeyError at the first that is not a valid key. */
  countMany(keys: Keys): Uint32Array {
    const handle = handleOf(this);
    const counts = new Numbers(keys);
    hashMany(handle, keys, (count) => {
      const { instance, calls, address } = inUse(handle);
      for (let at = 0; at < count; ++at) {
        instance.scratch.words.copyWithin(0, 2 * at, 2 * at + 2);
        const copies = calls.count(address, HASHED_KEY, 0); // Memory may grow where the lookup is traced.
        instance.scratch.ends[at] = copies;
      }
      counts.push(instance.scratch.ends.subarray(0, count));
    });
    return counts.take();
  }

  /**
   * Removes one copy of `key`; `false` if there is none. Delete only what you added: with the probability of a false
   * positive, deleting a key that was never added removes the entry of another key, which is then lost. In development and
   * tests, `audited` of cuckoofilter-wasm/audit throws at the first such call.
   */
  delete(key: Key): boolean {
    const handle = handleOf(this);
    const isDeleted = handle.calls.erase(handle.address, writeKey(handle, key), numberOf(key)) !== 0;
    handle.growth?.tell(); // Of layers, one may have ended.
    return isDeleted;
  }

  /**
   * Stores one copy of every key, in order, and returns how many. Stops at the first key that does not fit, with a
   * FilterFullError that has `added`, or that is not a valid key, with an InvalidKeyError that has its `index`. The keys
   * before it are then in the filter.
   */
  addMany(keys: Keys): number {
    let added = 0;
    const handle = handleOf(this);
    checkKeys(keys);
    const { calls } = handle;
    const length = hasLength(keys) ? keys.length : 0;
    const isBuilt = calls.beginBuilding?.(inUse(handle).address, length);
    try {
      hashMany(handle, keys, (count) => {
        const done = calls.insertMany(inUse(handle).address, count);
        added += done;
        endInserts(handle, done, count, added);
      });
    } finally {
      if (isBuilt && handle.address !== 0) calls.finishBuilding?.(handle.address);
    }
    return added;
  }

  /**
   * `addMany` for keys that arrive over time: an async iterable such as a stream, or any iterable, also of promises. It gathers
   * up to 1,024 keys before it adds them. Rejects as `addMany` throws, with what the source throws, and with the reason of
   * `signal`; the keys before are then in the filter, and the source is closed.
   */
  async addManyAsync(keys: AsyncKeys, options: AsyncOptions = {}): Promise<number> {
    handleOf(this);
    return inChunks(keys, (chunk) => this.addMany(chunk), options);
  }

  /**
   * `addIfAbsent` for every key, in order: 1 if the key was new, else 0. Throws as `addMany` does, and what the keys' own
   * iterator throws. Each of these errors has `answers`: those for the keys before, which are done. Go on with the keys from
   * `answers.length` on: asked again, the earlier ones would all be called old.
   */
  addManyIfAbsent(keys: Keys): Uint8Array {
    const handle = handleOf(this);
    return answersFor(
      handle,
      keys,
      (address, count) => handle.calls.insertManyIfAbsent(address, count),
      (outcome, ones) => fullError(handle, outcome, ones),
    );
  }

  /** `delete` for every key, in order. Returns how many copies were removed. Throws as `containsMany` does. */
  deleteMany(keys: Keys): number {
    let deleted = 0;
    const handle = handleOf(this);
    hashMany(handle, keys, (count) => {
      deleted += handle.calls.eraseMany(inUse(handle).address, count);
      handle.growth?.tell();
    });
    return deleted;
  }

  override clear(): void {
    super.clear();
    handleOf(this).growth?.tell();
  }

  /**
   * Halves the table, if it has grown and half of it is large enough for the keys: after many deletes, `while
   * (filter.shrink());` gives back what memory it can. Each key then has the false positive rate that it had before the
   * table doubled, and the filter may grow again. `false`, and nothing has changed, if the keys do not fit, if the table
   * never doubled, or if memory for the new table beside the old one is refused. Takes time linear in the table's size.
   */
  shrink(): boolean {
    const { calls, address } = handleOf(this);
    const isSmaller = calls.shrink(address) !== 0;
    if (isSmaller) forgetSizes(this);
    return isSmaller;
  }

  /**
   * Adds every entry of `other`, without needing its keys. For filters of shards, workers or tabs that were made with the
   * same options, with the capacity of all of them together. A key then has as many copies as it had in both, and each may
   * be deleted. A filter that is merged into itself has every copy twice.
   *
   * All or nothing. Throws FilterFullError if an entry does not fit, RangeError if the filters differ in a size, the
   * addressing, the seed or the hash, and OutOfMemoryError. Capacity, maxKicks and semiSort may differ
   * if the sizes do not; but they often lead to another bucketCount, so use the same options or set `bucketCount`. Takes as
   * long as `addMany` with the keys.
   */
  merge(other: Self): this {
    return mergeInto(this, other, (handle, from) => handle.calls.merge(handle.address, from, false));
  }

  /**
   * The same as `merge`, but adds only entries that are not found, as `addIfAbsent` does: for shards that may have seen the
   * same keys. The result finds every key that either filter found. Do not `delete` from it, because keys may share entries.
   */
  mergeIfAbsent(other: Self): this {
    return mergeInto(this, other, (handle, from) => handle.calls.merge(handle.address, from, true));
  }
}
