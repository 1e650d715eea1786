// What CuckooFilter, its traced twin and ScalableCuckooFilter do: the core's operations in JavaScript's words.
// Invariant: an operation that throws has changed nothing beyond what its error says. No arithmetic of the filter is done here.
import { notAFilter, type FullReason } from '../errors.js';
import { isAnyFilter } from '../kind.js';
import { countedStats, type CuckooFilterStats } from '../observe/stats.js';
import { INSERT_OUTCOMES } from '../wasm/bindings.js';
import type { Bytes } from '../wasm/bytes.js';
import { writeKey, type Key } from '../wasm/key.js';
import { checkKeys, hashMany, hasLength, type Keys } from '../wasm/keys.js';
import { Mask } from '../wasm/mask.js';
import { Handle, inUse } from '../wasm/owned.js';
import { outOfMemory, save } from '../wasm/saved.js';
import { inChunks, type AsyncKeys } from './chunks.js';
import { ADDED, fullError, isRefusal } from './full-error.js';
import { Handover } from './handover.js';
import { adopt, handleOf, isOwn, parametersOf, SizedFilter } from './sized.js';

/**
 * What filters of one table and of layers have in common. Only its type is exported: make a CuckooFilter or a
 * ScalableCuckooFilter.
 */
export abstract class BaseFilter extends SizedFilter {
  /**
   * Stores one copy of `key`. If the filter may still grow, this call may double the table, which takes time linear in its
   * size. Throws FilterFullError if there is no room and the table cannot grow, or if the key's two buckets hold nothing but
   * copies of it: 2 x bucketSize copies, or bucketSize if the two are the same bucket. No key has changed then.
   */
  add(key: Key): this {
    const handle = handleOf(this);
    const outcome = handle.calls.insert(handle.address, writeKey(handle, key));
    if (outcome !== ADDED) throw fullError(handle, outcome, 0, key);
    return this;
  }

  /** The same as `add`, but returns what happened instead of throwing FilterFullError. */
  tryAdd(key: Key): 'added' | FullReason {
    const handle = handleOf(this);
    return INSERT_OUTCOMES[handle.calls.insert(handle.address, writeKey(handle, key))] as
      'added' | FullReason;
  }

  /**
   * Adds the key unless it already seems present. `true`: it was definitely new. One pass. Throws FilterFullError. Do not
   * use `delete` on a filter that you fill this way: if a new key is taken for present, it shares an entry with another
   * key, and deleting either loses both. The option `audit` finds such deletes.
   */
  addIfAbsent(key: Key): boolean {
    const handle = handleOf(this);
    const outcome = handle.calls.insertIfAbsent(handle.address, writeKey(handle, key));
    if (isRefusal(outcome)) throw fullError(handle, outcome, 0);
    return outcome === ADDED;
  }

  /** `false`: `key` is definitely not in the filter. `true`: it probably is; see `falsePositiveRate`. */
  contains(key: Key): boolean {
    const handle = handleOf(this);
    return handle.calls.contains(handle.address, writeKey(handle, key)) !== 0;
  }

  /** The same as `contains`, by the name that `Set` uses. */
  has(key: Key): boolean {
    try {
      return this.contains(key);
    } catch (error) {
      handleOf(this); // throws a better error if `this` is not a filter
      throw error;
    }
  }

  /** The number of copies of `key`. Other keys with the same fingerprint and buckets count as well. */
  count(key: Key): number {
    const handle = handleOf(this);
    return handle.calls.count(handle.address, writeKey(handle, key));
  }

  /**
   * Removes one copy of `key`; `false` if there is none. Delete only what you added: with the probability of a false
   * positive, deleting a key that was never added removes the entry of another key, which is then lost. In development and
   * tests, the option `audit` throws at the first such call.
   */
  delete(key: Key): boolean {
    const handle = handleOf(this);
    return handle.calls.erase(handle.address, writeKey(handle, key)) !== 0;
  }

  /**
   * Stores one copy of every key, in order, and returns how many. Stops at the first key that does not fit, with a
   * FilterFullError that has `added`, or that is not a valid key, with a TypeError whose message has its index. The keys
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
        if (done < count) throw fullError(handle, handle.instance.scratch.answers[done], added);
      });
    } finally {
      if (isBuilt && handle.address !== 0) calls.finishBuilding?.(handle.address);
    }
    return added;
  }

  /**
   * `addMany` for keys that arrive over time: an async iterable such as a stream, or any iterable, also of promises. It gathers
   * up to 1,024 keys before it adds them. Rejects as `addMany` throws, and with what the source throws; the keys before are
   * then in the filter, and the source is closed.
   */
  async addManyAsync(keys: AsyncKeys): Promise<number> {
    handleOf(this);
    return inChunks(keys, (chunk) => this.addMany(chunk));
  }

  /** `addIfAbsent` for every key, in order: 1 if the key was new, else 0. Throws as `addMany` does. */
  addManyIfAbsent(keys: Keys): Uint8Array {
    const mask = new Mask(keys);
    const handle = handleOf(this);
    hashMany(handle, keys, (count) => {
      const done = handle.calls.insertManyIfAbsent(inUse(handle).address, count);
      const { answers } = handle.instance.scratch;
      mask.push(answers.subarray(0, done));
      if (done < count) throw fullError(handle, answers[done], mask.ones());
    });
    return mask.take();
  }

  /** `contains` for every key, in order: 1 or 0. Throws TypeError, with the index, at the first that is not a valid key. */
  containsMany(keys: Keys): Uint8Array {
    const mask = new Mask(keys);
    const handle = handleOf(this);
    hashMany(handle, keys, (count) => {
      handle.calls.containsMany(inUse(handle).address, count);
      mask.push(handle.instance.scratch.answers.subarray(0, count));
    });
    return mask.take();
  }

  /** `delete` for every key, in order. Returns how many copies were removed. Throws as `containsMany` does. */
  deleteMany(keys: Keys): number {
    let deleted = 0;
    const handle = handleOf(this);
    hashMany(handle, keys, (count) => {
      deleted += handle.calls.eraseMany(inUse(handle).address, count);
    });
    return deleted;
  }

  /** Removes every key. A table that has grown keeps its size. */
  clear(): void {
    const { calls, address } = handleOf(this);
    calls.clear(address);
  }

  /** The filter as bytes (see docs/format.md). The same state gives the same bytes on every machine. */
  serialize(): Bytes {
    return save(handleOf(this));
  }

  /** A copy with the same parameters and entries, in memory of its own. Throws RangeError if memory is refused. */
  clone(): this {
    const { instance, calls, address } = handleOf(this);
    const copy = calls.clone(address);
    if (copy === 0) throw outOfMemory(instance, parametersOf(this));
    return adopt<this>(this.constructor, new Handover(new Handle(instance, calls, copy)));
  }

  /**
   * Whether both filters have the same parameters and the same entries in the same buckets. Filters that can grow are
   * equal only if they have doubled equally often.
   */
  equals(other: BaseFilter): boolean {
    const { instance, calls, address } = handleOf(this);
    if (!isAnyFilter(other)) throw notAFilter(other);
    if (isOwn(other) && handleOf(other).instance === instance)
      return calls.equals(address, handleOf(other).address) !== 0;
    // Of another entry point or another copy of the package, in a memory of its own.
    if (this.size !== other.size || this.byteLength !== other.byteLength) return false;
    const bytes = other.serialize();
    return this.serialize().every((byte, at) => byte === bytes[at]);
  }

  /** Counts since the filter was made, loaded or cloned. Takes some tens of microseconds: call it now and then, not per key. */
  stats(): CuckooFilterStats {
    const { instance, calls, address } = handleOf(this);
    const { bucketCount, capacity } = parametersOf(this);
    const { size, loadFactor } = this;
    calls.readCounts(address);
    return countedStats(instance, { bucketCount, capacity, size, loadFactor });
  }
}
