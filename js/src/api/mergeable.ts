// What CuckooFilter and its traced twin have and ScalableCuckooFilter does not: other filters can be merged into them.
// Invariant: all or nothing, and the other filter stays as it is.
import { FIELDS, ruleError, shown } from '../errors.js';
import { kindOf } from '../kind.js';
import { sizesOf, type Sizes } from '../options.js';
import type { Bindings } from '../wasm/bindings.js';
import type { Instance } from '../wasm/instance.js';
import { destroy, type Handle } from '../wasm/owned.js';
import { load, outOfMemory } from '../wasm/saved.js';
import { ADDED, BaseFilter, fullError, handleOf, isOwn } from './base.js';

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
    return mergeInto(this, other, false);
  }

  /**
   * The same as `merge`, but adds only entries that are not found, as `addIfAbsent` does: for shards that may have seen the
   * same keys. The result finds every key that either filter found. Do not `delete` from it, because keys may share entries.
   */
  mergeIfAbsent(other: MergeableFilter): this {
    return mergeInto(this, other, true);
  }
}

function mergeInto<Filter extends MergeableFilter>(
  into: Filter,
  other: MergeableFilter,
  onlyIfAbsent: boolean,
): Filter {
  const handle = handleOf(into);
  if (kindOf(other) !== 'CuckooFilter') throw ruleError('other', 'a CuckooFilter', other);
  const { instance, calls } = handle;
  const merge = (from: Handle): void => {
    const outcome = calls.merge(handleOf(into).address, from.address, onlyIfAbsent);
    if (outcome < ADDED) throw differenceError(instance, -1 - outcome, sizesOf(handle), sizesOf(from));
    if (outcome !== ADDED)
      throw fullError(into, outcome, 0, undefined, `cannot merge ${other.size} more keys`);
  };
  if (isOwn(other) && handleOf(other).instance === instance) merge(handleOf(other));
  else withCopy(other, (bytes) => load(instance, bytes, Infinity, null), merge, destroy);
  return into;
}

/**
 * Calls `use` with a copy of `other` in this module's memory. Needed where `other` belongs to another module or to another
 * copy of the package. `open` makes the copy from saved bytes, and `release` frees it.
 */
export function withCopy<Copy>(
  other: { serialize(): Uint8Array },
  open: (bytes: Uint8Array) => Copy,
  use: (copy: Copy) => void,
  release: (copy: Copy) => void,
): void {
  const bytes = other.serialize();
  let copy: Copy;
  try {
    copy = open(bytes);
  } catch (cause) {
    if (cause instanceof RangeError) throw cause;
    const message =
      'cannot merge a filter with a secret key or layers from another entry point or module format: import both from one';
    throw new TypeError(message, { cause });
  }
  try {
    use(copy);
  } finally {
    release(copy);
  }
}

/** Why the core did not start to merge: a parameter differs, or memory was refused. */
function differenceError(
  instance: Instance<Bindings>,
  field: number,
  mine: Sizes,
  others: Sizes,
): RangeError {
  const option = FIELDS[field] ?? 'none';
  if (option === 'none') return outOfMemory(instance, mine);
  const isToGrow = mine.doublings + others.doublings > 0;
  // Users rarely set the bucket count, so the message names what leads to it, if that differs.
  const causes: readonly (keyof Sizes)[] = option === 'bucketCount' ? ['maxCapacity', 'maxKicks'] : [];
  const name = causes.find((each) => mine[each] !== others[each]) ?? (option as keyof Sizes);
  const isCapacity = name === 'maxCapacity';
  const of = (sizes: Sizes): unknown =>
    name === 'bucketCount' ? sizes.bucketCount * 2 ** sizes.doublings : sizes[name];
  const [own, foreign] = [of(mine), of(others)];
  if (own === foreign) return new RangeError('cannot merge filters with different secret keys');
  const label =
    isToGrow && name === 'bucketCount' ? 'final bucketCount' : isToGrow || !isCapacity ? name : 'capacity';
  // The rate that a filter was planned for is not kept.
  const likely = /^bucket|Bits$/.test(name) ? ', such as falsePositiveRate' : '';
  return new RangeError(
    `cannot merge: ${label} is ${shown(own)} here, ${shown(foreign)} in the other filter. Make both with the same options${likely}`,
  );
}
