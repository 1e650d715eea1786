// What CuckooFilter and its traced twin have and ScalableCuckooFilter does not: other filters can be merged into them.
// Invariant: all or nothing, and the other filter stays as it is.
import { FIELDS, notAFilter, shown } from '../errors.js';
import { kindOf } from '../kind.js';
import { sizesOf, type Sizes } from '../options.js';
import type { Bindings } from '../wasm/bindings.js';
import type { Instance } from '../wasm/instance.js';
import { destroy, type Handle } from '../wasm/owned.js';
import { load, outOfMemory } from '../wasm/saved.js';
import { BaseFilter } from './base.js';
import { ADDED, fullError } from './full-error.js';
import { handleOf, isOwn } from './sized.js';

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
  if (kindOf(other) !== 'CuckooFilter') throw notAFilter(other);
  const { instance, calls } = handle;
  const merge = (from: Handle): void => {
    const outcome = calls.merge(handleOf(into).address, from.address, onlyIfAbsent);
    if (outcome < ADDED) throw differenceError(instance, -1 - outcome, sizesOf(handle), sizesOf(from));
    if (outcome !== ADDED)
      throw fullError(handle, outcome, 0, undefined, `cannot merge ${other.size} more keys`);
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
  const [own, foreign] = [mine, others].map((sizes) => optionsBehind(sizes, isToGrow)) as [Named, Named];
  const differing = Object.keys(own).filter((name) => own[name] !== foreign[name]);
  // What follows from other options is named only if those are the same: users rarely set it.
  const follows = differing.some((name) => name.endsWith('apacity'))
    ? /bucket|Bits|semiSort/
    : differing.some((name) => /maxKicks|addressing|bucketSize/.test(name))
      ? /Count$/
      : /^$/;
  const names = differing.filter((name) => !follows.test(name));
  if (names.length === 0) return new RangeError('cannot merge filters with different secret keys');
  const told = names.map(
    (name) => `${name} is ${shown(own[name])} here, ${shown(foreign[name])} in the other filter`,
  );
  // The rate that a filter was planned for is not kept, nor is the capacity that a growable one began with.
  const isPlanned = names.some((name) => /bucket|Bits/.test(name));
  const likely = isPlanned ? `, such as ${isToGrow ? 'capacity and ' : ''}falsePositiveRate` : '';
  return new RangeError(`cannot merge: ${told.join('; ')}. Make both with the same options${likely}`);
}

type Named = Record<string, unknown>;

/** The options that lead to `sizes`, as messages call them. */
function optionsBehind(sizes: Sizes, isToGrow: boolean): Named {
  const { maxCapacity, bucketCount, doublings, bucketSize, fingerprintBits, addressing, maxKicks, seed } =
    sizes;
  return {
    [isToGrow ? 'maxCapacity' : 'capacity']: maxCapacity,
    maxKicks,
    addressing,
    [isToGrow ? 'final bucketCount' : 'bucketCount']: bucketCount * 2 ** doublings,
    bucketSize,
    fingerprintBits,
    semiSort: sizes.semiSorted,
    hash: sizes.hashAlgorithm,
    seed,
  };
}
