// What CuckooFilter and its traced twin have and a ScalableCuckooFilter has not: other filters can be merged into them.
// Invariant: all or nothing, and the other filter stays as it is.
import { FIELDS, ruleMessage, shown } from '../errors.js';
import { kindOf } from '../kind.js';
import { sizesOf, type Sizes } from '../options.js';
import type { Bindings } from '../wasm/bindings.js';
import type { Instance } from '../wasm/instance.js';
import { destroy, type Handle } from '../wasm/owned.js';
import { load, outOfMemory } from '../wasm/saved.js';
import { ADDED, BaseFilter, fullError, handleOf, isOwn } from './base.js';

/** A filter of one table. It is exported as a type alone: make a CuckooFilter. */
export abstract class MergeableFilter extends BaseFilter {
  /**
   * Adds every fingerprint of `other`, without its keys: for filters of shards, workers or tabs, made with the same
   * options, whose `capacity` is that of all together. A key then has as many copies as it had in both, and each may be
   * deleted; merged into itself, a filter doubles them. All or nothing: throws FilterFullError where one does not go in,
   * and RangeError for filters that differ in a size, the addressing, the seed or the hash, or if memory cannot hold a
   * second table meanwhile. Capacity, maxKicks and semiSort may differ as long as the sizes do not; but another capacity
   * or maxKicks is often planned with another bucketCount, which is refused: give `bucketCount`, too, or use the same options. Takes as long as `addMany` of the keys.
   */
  merge(other: MergeableFilter): this {
    return mergeInto(this, other, false);
  }

  /**
   * As `merge`, but adds only what is not found, as `addIfAbsent` does: for sets, where shards may have seen the same
   * keys. What is found is what either filter found. Do not `delete` from the result, as keys share fingerprints.
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
  if (kindOf(other) !== 'CuckooFilter') throw new TypeError(ruleMessage('other', 'a CuckooFilter', other));
  const { instance, calls } = handle;
  const merge = (from: Handle): void => {
    const outcome = calls.merge(handleOf(into).address, from.address, onlyIfAbsent);
    if (outcome < ADDED) throw differenceError(instance, -1 - outcome, sizesOf(handle), sizesOf(from));
    if (outcome !== ADDED) throw fullError(into, outcome, 0);
  };
  if (isOwn(other) && handleOf(other).instance === instance) merge(handleOf(other));
  else withCopy(other, (bytes) => load(instance, bytes, Infinity, null), merge, destroy);
  return into;
}

/**
 * Calls `use` with a copy that `open` makes of the saved form of `other`, which has a memory of its own: it is of another
 * module, or of another copy of the package. Frees the copy by `release`.
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
      'other is of another entry point or module format, and has a secret key or layers, so it cannot be carried over: ' +
      'import both classes from the same one';
    throw new TypeError(message, { cause });
  }
  try {
    use(copy);
  } finally {
    release(copy);
  }
}

/** Why the core did not even try to merge: how the filters differ, or that it had no memory for it. */
function differenceError(
  instance: Instance<Bindings>,
  field: number,
  mine: Sizes,
  others: Sizes,
): RangeError {
  const option = FIELDS[field] ?? 'none';
  if (option === 'none') return outOfMemory(instance, mine);
  // Of tables that are to grow, the buckets are compared that they will have, which few people give: the capacity, if it
  // differs, says more.
  const isToGrow = option === 'bucketCount' && mine.doublings + others.doublings > 0;
  const compared: readonly (readonly [string, (sizes: Sizes) => unknown])[] = isToGrow
    ? [
        ['maxCapacity', (sizes) => sizes.maxCapacity],
        ['bucketCount, once grown,', (sizes) => sizes.bucketCount * 2 ** sizes.doublings],
      ]
    : [[option, (sizes) => sizes[option as keyof Sizes]]];
  for (const [name, of] of compared) {
    if (of(mine) === of(others)) continue;
    const rule = `${shown(of(mine))} as in the filter it is merged into`;
    return new RangeError(ruleMessage(`other.${name}`, rule, of(others)));
  }
  return new RangeError('other must be a filter under the same secret key');
}
