// `from` and `fromAsync`: a filter made for keys, and filled with them.
// Invariant: either the filter holds all keys, or an error is thrown and the filter is freed. Wrong options are found
// before a key is taken from its source.
import { gatheredAsync, inChunks, inSlices, type AddChunk, type AsyncKeys } from '../keys/chunks.js';
import { type AsyncOptions } from '../keys/signals.js';
import type { Key } from '../keys/key.js';
import { checkKeys, hasLength, isPlainArray, snapshot, type Keys } from '../keys/keys.js';
import { end, type Thrown } from '../keys/thrown.js';
import { handleOf, type AnyFilter } from './filter.js';
import { fromKeys } from './full-error.js';

interface Sized {
  readonly capacity?: number | undefined;
}

/** The class of a filter, with its options. */
interface ClassOf<Made, Options> {
  new (options: Options & { readonly capacity: number }): Made;
  plan(options: Options & { readonly capacity: number }): unknown;
}

/** How keys are added, and, for keys that arrive over time, which key an item of the source has. */
export interface Filling<Made> {
  readonly add: (filter: Made, keys: Keys) => number;
  readonly keyOf?: (item: never) => Key;
}

/** For every class but CuckooValues. */
const ADDING: Filling<AnyFilter> = {
  add: (filter, keys) => (filter as AnyFilter & { addMany(keys: Keys): number }).addMany(keys),
};

/**
 * A filter of `Class`, filled with `keys`. Without the option `capacity`, it is the number of keys; with it, keys are
 * added as they come, because there may be no end of them.
 */
export function filled<Options extends Sized, Made extends AnyFilter>(
  keys: Keys,
  options: Options,
  Class: ClassOf<Made, Options>,
  { add }: Filling<Made> = ADDING,
): Made {
  checkKeys(keys);
  const isFromKeys = options.capacity === undefined;
  let all = keys;
  if (isFromKeys && !hasLength(keys)) {
    checkFirst(options, Class);
    const thrown: Thrown[] = [];
    all = gathered(keys, thrown);
    end(thrown);
  }
  const filter = new Class(withCapacity(options, hasLength(all) ? all.length : 0));
  if (isFromKeys) fromKeys.add(handleOf(filter));
  try {
    add(filter, all);
    return filter;
  } catch (error) {
    filter.dispose();
    throw error;
  }
}

/**
 * Throws what the constructor of `Class` would throw for `options`. If there is no capacity yet, the options that depend
 * on it are left to the constructor.
 */
function checkFirst<Options extends Sized>(options: Options, Class: ClassOf<unknown, Options>): void {
  const open = { capacity: 1, maxCapacity: undefined, bucketCount: undefined };
  Class.plan({ ...withCapacity(options, 1), ...(Object.hasOwn(options, 'capacity') ? {} : open) });
}

/**
 * The keys of an iterable as they are now, in an array; at most so many, because it may have no end. If the user's code
 * throws, those before that; what it threw goes into `thrown`.
 */
export function gathered(keys: Keys, thrown: Thrown[], most = Infinity): Key[] {
  const all: Key[] = [];
  if (most === 0) return all;
  try {
    if (isPlainArray(keys))
      for (let i = 0, length = Math.min(keys.length, most); i < length; ++i) all.push(keys[i] as Key);
    else for (const key of keys as Iterable<Key>) if (all.push(snapshot(key)) === most) break;
  } catch (error) {
    thrown.push({ error });
  }
  return all;
}

/** The options, with the number of keys as capacity if they have none of their own. None of them is undefined. */
export function withCapacity<Options extends Sized>(
  options: Options,
  keyCount: number,
): Options & { readonly capacity: number } {
  return Object.assign({ capacity: Math.max(1, keyCount) }, options);
}

/** `filled` for keys that arrive over time. */
export async function filledAsync<Options extends Sized & AsyncOptions, Made extends AnyFilter>(
  keys: AsyncKeys,
  given: Options,
  Class: ClassOf<Made, Omit<Options, 'signal'>>,
  { add, keyOf }: Filling<Made> = ADDING,
): Promise<Made> {
  const { signal, ...options } = given;
  let all: readonly Key[] | undefined;
  // Of `given`, which has no prototype, unlike the rest.
  if (given.capacity === undefined) {
    checkFirst(options, Class);
    all = await gatheredAsync(keys, { signal }, keyOf);
  }
  const filter = new Class(withCapacity(options, all?.length ?? 0));
  const addChunk: AddChunk = (chunk) => add(filter, chunk);
  try {
    if (all === undefined) await inChunks(keys, addChunk, { signal }, { keyOf });
    else await build(filter, all, addChunk, signal);
    return filter;
  } catch (error) {
    filter.dispose();
    throw error;
  }
}

/** Fills a new filter with its keys, which nobody else can use meanwhile. */
async function build(
  filter: AnyFilter,
  keys: readonly Key[],
  add: AddChunk,
  signal: AbortSignal | undefined,
): Promise<void> {
  const handle = handleOf(filter);
  fromKeys.add(handle);
  const isBuilt = handle.calls.beginBuilding && handle.call('beginBuilding', keys.length);
  await inSlices(keys, add, signal);
  if (isBuilt) handle.call('finishBuilding');
}
