// What every filter does that can be saved: it answers, counts its own work, and makes bytes and copies of itself.
// Invariant: as in base.ts.
import { countedStats, type CuckooFilterStats } from '../observe/stats.js';
import type { Bytes } from '../wasm/bytes.js';
import { writeKey, type Key } from '../wasm/key.js';
import type { Keys } from '../wasm/keys.js';
import { answersFor } from '../wasm/mask.js';
import { Handle } from '../wasm/owned.js';
import { outOfMemory, save } from '../wasm/saved.js';
import { Handover } from './handover.js';
import { adopt, handleOf, parametersOf, SizedFilter } from './sized.js';

/** Of the filters themselves, only the type is exported: make a CuckooFilter, or another class of the package. */
export abstract class StoredFilter extends SizedFilter {
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

  /** `contains` for every key, in order: 1 or 0. Throws TypeError, with the index, at the first that is not a valid key. */
  containsMany(keys: Keys): Uint8Array {
    const handle = handleOf(this);
    return answersFor(handle, keys, (address, count) => {
      handle.calls.containsMany(address, count);
      return count;
    });
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

  /** A copy with the same parameters and entries, and its own memory. Throws RangeError if memory is refused. */
  clone(): this {
    const { instance, calls, address } = handleOf(this);
    const copy = calls.clone(address);
    if (copy === 0) throw outOfMemory(instance, parametersOf(this));
    return adopt<this>(this.constructor, new Handover(new Handle(instance, calls, copy)));
  }

  /** Counts since the filter was made, loaded or cloned. Takes some tens of microseconds: call it now and then, not per key. */
  stats(): CuckooFilterStats {
    const { instance, calls, address } = handleOf(this);
    const { size, capacity, loadFactor } = this;
    calls.readCounts(address);
    return countedStats(instance, { size, capacity, loadFactor });
  }
}
