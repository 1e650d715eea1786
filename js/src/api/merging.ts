// How a filter is merged into another of its class, wherever that is: in this memory, or of another copy of the package.
// Invariant: all or nothing, and the other filter stays as it is.
import { FIELDS, notAFilter } from '../errors.js';
import { kindOf, type Kind } from '../kind.js';
import type { Sizes } from '../options.js';
import { sizesOf } from '../planning.js';
import type { Address, Bindings, SavedCalls } from '../wasm/bindings.js';
import type { Instance } from '../wasm/instance.js';
import { destroy, type Handle } from '../wasm/owned.js';
import { load, outOfMemory } from '../wasm/saved.js';
import { ADDED, fullError } from './full-error.js';
import { handleOf, isOwn, type SizedFilter } from './sized.js';

/** What `mergeInto` needs of the other filter, of whichever copy of the package. */
export interface Mergeable extends SizedFilter {
  serialize(): Uint8Array;
}

/** Merges `other`, a `kind` like `into`, by `merge` of two addresses, which gives what that of FilterCalls does. */
export function mergeInto<Filter extends Mergeable>(
  into: Filter,
  other: Mergeable,
  kind: Kind,
  merge: (into: Address, from: Address) => number,
): Filter {
  const handle = handleOf<SavedCalls>(into);
  if (kindOf(other) !== kind) throw notAFilter(other, kind);
  const { instance } = handle;
  const mergeFrom = (from: Handle<SavedCalls>): void => {
    const outcome = merge(handleOf(into).address, from.address);
    if (outcome < ADDED) throw differenceError(instance, -1 - outcome, sizesOf(handle), sizesOf(from));
    if (outcome !== ADDED)
      throw fullError(handle, outcome, 0, undefined, `cannot merge ${other.size} more keys into this filter`);
  };
  if (isOwn(other) && handleOf(other).instance === (instance as object)) mergeFrom(handleOf(other));
  else withCopy(other, (bytes) => load(instance, bytes, Infinity, null), mergeFrom, destroy);
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
    (name) => `${name} is ${String(own[name])} here, ${String(foreign[name])} in the other filter`,
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
