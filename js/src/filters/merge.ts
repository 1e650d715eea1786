// How a filter is merged into another of its class, wherever that is: in this memory, or of another copy of the package.
// Invariant: all or nothing, and the other filter stays as it is.
import { argumentError, FIELDS, notAFilter } from '../errors.js';
import { kindOf, unwatched, type Kind } from '../class-names.js';
import type { Sizes } from '../options/options.js';
import { sizesOf } from '../options/planning.js';
import type { Address, Bindings, FilterCalls, SavedCalls } from '../engine/bindings.js';
import type { Instance } from '../engine/instance.js';
import { destroy, inUse, type Handle } from '../engine/handle.js';
import { load, outOfMemory } from '../engine/saved.js';
import { ADDED, fullError } from './full-error.js';
import { handleOf, isOwn, type AnyFilter } from './filter.js';

/** Merges `other`, of the class of `into`, by `merge`, which gives what that of FilterCalls does. */
export function mergeInto<Into, Calls extends SavedCalls = FilterCalls>(
  into: Into & AnyFilter,
  other: unknown,
  merge: (into: Handle<Calls>, from: Address) => number,
): Into {
  const handle = handleOf<Calls>(into);
  const kind = kindOf(into) as Kind;
  if (kindOf(other) !== kind) throw notAFilter(other, kind);
  const others = unwatched(other) as AnyFilter;
  const { instance } = handle;
  const mergeFrom = (from: Handle<Calls>): void => {
    const handle = handleOf<Calls>(into); // May run a clock of the user.
    const outcome = merge(handle, inUse(from).address);
    handle.growth?.tell();
    if (outcome < ADDED) throw differenceError(instance, -1 - outcome, sizesOf(handle), sizesOf(from));
    if (outcome !== ADDED)
      throw fullError(
        handle,
        outcome,
        0,
        undefined,
        `cannot merge ${others.size} more keys into this filter`,
      );
  };
  if (isOwn(others) && handleOf(others).instance === (instance as object)) mergeFrom(handleOf<Calls>(others));
  else withCopy(others, (bytes) => load(instance, bytes, Infinity, null), mergeFrom, destroy);
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
      'cannot merge: the other filter has a secret key or layers, and its class comes from another entry point or module format. Import both classes from the same one';
    throw argumentError(message, TypeError, { cause });
  }
  try {
    use(copy);
  } finally {
    release(copy);
  }
}

/** Why the core did not start to merge: a parameter differs, or memory was refused. */
function differenceError(instance: Instance<Bindings>, field: number, mine: Sizes, others: Sizes): Error {
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
  if (names.length === 0) return argumentError('cannot merge filters with different secret keys', RangeError);
  const told = names.map(
    (name) => `${name} is ${String(own[name])} here, ${String(foreign[name])} in the other filter`,
  );
  // The rate that a filter was planned for is not kept, nor is the capacity that a growable one began with.
  const isPlanned = names.some((name) => /bucket|Bits/.test(name));
  const likely = isPlanned ? `, such as ${isToGrow ? 'capacity and ' : ''}falsePositiveRate` : '';
  return argumentError(
    `cannot merge: ${told.join('; ')}. Make both with the same options${likely}`,
    RangeError,
  );
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
