// Merges a filter into another of its class, whether it is in the same memory or belongs to another copy of the
// package.
// Invariant: all or nothing, and the other filter stays as it is.
import { argumentError } from '../errors.js';
import { kindOf, unaudited, type Kind } from '../class-names.js';
import type { Sizes } from '../options/options.js';
import { optionsBySizes, sizesOf } from '../options/planning.js';
import type { BindingsOf, FilterCalls, SavedCalls } from '../engine/bindings.js';
import type { Handle } from '../engine/handle.js';
import type { Instance } from '../engine/instance.js';
import { load, outOfMemory } from '../engine/saved.js';
import { ADDED, fullError } from './full-error.js';
import { handleOf, isOwn, type AnyFilter } from './filter.js';
import { notAFilter } from './wrong-filter.js';

/** Returned by `merge` instead of an outcome: there is no memory. */
const NO_MEMORY = -1;

/**
 * Merges `other`, which must be of the class of `into`. `merge` returns the same as the call in FilterCalls. `ownOf`
 * returns the options of the class that sizes do not include.
 */
export function mergeInto<Into, Calls extends SavedCalls = FilterCalls>(
  into: Into & AnyFilter,
  other: unknown,
  merge: (into: Handle<Calls>, from: Handle<Calls>) => number,
  ownOf: (handle: Handle<Calls>) => Named = () => ({}),
): Into {
  const handle = handleOf<Calls>(into);
  const kind = kindOf(into) as Kind;
  if (kindOf(other) !== kind) throw notAFilter(other, kind);
  const others = unaudited(other) as AnyFilter;
  const { instance } = handle;
  const mergeFrom = (from: Handle<Calls>): void => {
    const handle = handleOf<Calls>(into); // May run a clock of the user.
    const outcome = merge(handle, from);
    handle.growth?.report();
    if (outcome === NO_MEMORY) throw outOfMemory(instance, sizesOf(handle));
    if (outcome < ADDED)
      throw differingError(ownOf(handle), ownOf(from)) ?? differenceError(sizesOf(handle), sizesOf(from));
    if (outcome !== ADDED)
      throw fullError(handle, outcome, 0, undefined, `cannot merge ${others.size} more keys`);
  };
  if (isOwn(others) && handleOf(others).instance === (instance as object)) mergeFrom(handleOf<Calls>(others));
  else withCopy(instance, others, mergeFrom);
  return into;
}

/** The same for filters of one table. `ifAbsent`: adds only entries that are not found. */
export function mergeTable<Into>(into: Into & AnyFilter, other: unknown, ifAbsent: boolean): Into {
  return mergeInto(into, other, (handle, from) => handle.invokeBoth(handle.calls.merge, from, ifAbsent));
}

/** Calls `merge` with a copy of `other`, of another module or another copy of the package, in the memory of `instance`. */
function withCopy<Calls extends SavedCalls>(
  instance: Instance<BindingsOf<Calls>>,
  other: AnyFilter,
  merge: (copy: Handle<Calls>) => void,
): void {
  const bytes = other.serialize();
  let copy: Handle<Calls>;
  try {
    copy = load(instance, { bytes, maxBytes: Infinity, secret: null });
  } catch (cause) {
    if (cause instanceof RangeError) throw cause;
    const message =
      'cannot merge: the other has a secret key, and another import path or module format. Import both from one';
    throw argumentError(message, TypeError, { cause });
  }
  try {
    merge(copy);
  } finally {
    copy.dispose();
  }
}

/** The error for filters whose options differ; undefined if they do not. `likely` names options to check besides. */
export function differingError(mine: Named, others: Named, likely = ''): Error | undefined {
  const differences = Object.keys(mine)
    .filter((name) => mine[name] !== others[name])
    .map((name) => `${name} is ${String(mine[name])} here, ${String(others[name])} there`);
  if (differences.length === 0) return undefined;
  return argumentError(
    `cannot merge: ${differences.join('; ')}. Make both with the same options${likely}`,
    RangeError,
  );
}

/** Why the core did not merge filters of these sizes. */
function differenceError(mine: Sizes, others: Sizes): Error {
  const isToGrow = mine.doublings + others.doublings > 0;
  const [own, foreign] = [mine, others].map((sizes) => optionsBehind(sizes, isToGrow)) as [Named, Named];
  const differing = Object.keys(own).filter((name) => own[name] !== foreign[name]);
  // Sizes that follow from other options are named only if those options are the same, because users rarely set them.
  const follows = differing.some((name) => name.endsWith('apacity'))
    ? /bucket|Bits|semiSort/
    : differing.some((name) => /addressing|bucketSize/.test(name))
      ? /Count$/
      : /^$/;
  const names = differing.filter((name) => !follows.test(name));
  // A filter does not keep the rate that it was planned for, nor, if growable, the capacity that it began with.
  const isPlanned = names.some((name) => /bucket|Bits/.test(name));
  const likely = isPlanned ? ` (probably ${isToGrow ? 'capacity or ' : ''}falsePositiveRate differs)` : '';
  const named = Object.fromEntries(names.map((name) => [name, own[name]]));
  return (
    differingError(named, foreign, likely) ??
    argumentError('cannot merge: the secret keys differ. Use the same hash.key', RangeError)
  );
}

type Named = Record<string, unknown>;

/** The options that lead to `sizes`, as messages call them. */
function optionsBehind(sizes: Sizes, isToGrow: boolean): Named {
  return {
    [isToGrow ? 'maxCapacity' : 'capacity']: sizes.maxCapacity,
    addressing: sizes.addressing, // before what follows from it
    ...optionsBySizes(sizes),
    bucketCount: undefined, // The final one counts.
    [isToGrow ? 'final bucketCount' : 'bucketCount']: sizes.bucketCount * 2 ** sizes.doublings,
    hash: sizes.hashAlgorithm,
  };
}
