// What CuckooFilter and its traced twin have and ScalableCuckooFilter does not: other filters can be merged into them.
// Invariant: all or nothing, and the other filter stays as it is.
import { handleOf } from './sized.js';
import { BaseFilter } from './base.js';
import { mergeInto } from './merging.js';

/** A filter of one table. Only its type is exported: make a CuckooFilter. */
export abstract class MergeableFilter extends BaseFilter {
  /**
   * Adds every entry of `other`, without needing its keys. For filters of shards, workers or tabs that were made with the
   * same options, with the capacity of all of them together. A key then has as many copies as it had in both, and each may
   * be deleted. A filter that is merged into itself has every copy twice.
   *
   * All or nothing. Throws FilterFullError if an entry does not fit, and RangeError if the filters differ in a size, the
   * addressing, the seed or the hash, or if memory is refused for a second table. Capacity, maxKicks and semiSort may differ
   * if the sizes do not; but they often lead to another bucketCount, so use the same options or set `bucketCount`. Takes as
   * long as `addMany` with the keys.
   */
  merge(other: MergeableFilter): this {
    return mergeInto(this, other, 'CuckooFilter', (into, from) =>
      handleOf(this).calls.merge(into, from, false),
    );
  }

  /**
   * The same as `merge`, but adds only entries that are not found, as `addIfAbsent` does: for shards that may have seen the
   * same keys. The result finds every key that either filter found. Do not `delete` from it, because keys may share entries.
   */
  mergeIfAbsent(other: MergeableFilter): this {
    return mergeInto(this, other, 'CuckooFilter', (into, from) =>
      handleOf(this).calls.merge(into, from, true),
    );
  }
}
