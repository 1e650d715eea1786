// `from` and `fromAsync`: a filter made for keys, and filled with them.
// Invariant: either the filter holds all keys, or an error is thrown and the filter is freed. Wrong options are found
// before a key is taken from its source.
import { gatheredAsync, inSlices, type AsyncKeys } from '../keys/chunks.js';
import { type AsyncOptions } from '../keys/signals.js';
import type { Key } from '../keys/key.js';
import { checkKeys, hasLength, isPlainArray, snapshot, type Keys } from '../keys/keys.js';
import { end, type Thrown } from '../keys/thrown.js';
import { handleOf, type AnyFilter } from './filter.js';

/** A filter that takes keys. */
type Fillable = AnyFilter & {
  addMany(keys: Keys): number;
  addManyAsync(keys: AsyncKeys, options: AsyncOptions): Promise<number>;
};

/** The class of a filter, with its options. */
interface ClassOf<Made, Options> {
  new (options: Options & { readonly capacity: number }): Made;
  plan(options: Options & { readonly capacity: number }): unknown;
}

/** A filter of `Class`, filled with `keys`. Without the option `capacity`, it is the number of keys. */
export function filled<Options extends { readonly capacity?: number | undefined }, Made extends Fillable>(
  keys: Keys,
  options: Options,
  Class: ClassOf<Made, Options>,
): Made {
  checkKeys(keys);
  if (!hasLength(keys)) checkFirst(options, Class);
  const thrown: Thrown[] = [];
  const counted = hasLength(keys) ? keys : gathered(keys, thrown);
  end(thrown);
  const filter = new Class(withCapacity(options, counted.length));
  handleOf(filter).isFromKeys = options.capacity === undefined;
  return filledBy(filter, () => filter.addMany(counted));
}

/**
 * Throws what the constructor of `Class` would throw for `options`. If there is no capacity yet, the options that depend
 * on it are left to the constructor.
 */
export function checkFirst<Options extends { readonly capacity?: number | undefined }>(
  options: Options,
  Class: Pick<ClassOf<unknown, Options>, 'plan'>,
): void {
  const open = { capacity: 1, maxCapacity: undefined, bucketCount: undefined };
  Class.plan({ ...withCapacity(options, 1), ...(Object.hasOwn(options, 'capacity') ? {} : open) });
}

/**
 * The keys of an iterable as they are now, in an array; at most so many, because it may have no end. If the user's code
 * throws, those before that; what it threw goes into `thrown`.
 */
export function gathered(keys: Keys, thrown: Thrown[], most = Infinity): Key[] {
  const all: Key[] = [];
  try {
    if (isPlainArray(keys)) for (let i = 0, { length } = keys; i < length; ++i) all.push(keys[i] as Key);
    else for (const key of keys as Iterable<Key>) if (all.push(snapshot(key)) === most) break;
  } catch (error) {
    thrown.push({ error });
  }
  return all;
}

/** The options, with the number of keys as capacity if they have none of their own. None of them is undefined. */
export function withCapacity<Options extends { readonly capacity?: number | undefined }>(
  options: Options,
  keyCount: number,
): Options & { readonly capacity: number } {
  return Object.assign({ capacity: Math.max(1, keyCount) }, options);
}

/** `filter` after `fill`; if that throws, the filter is freed. */
export function filledBy<Made extends AnyFilter>(filter: Made, fill: () => void): Made {
  try {
    fill();
    return filter;
  } catch (error) {
    filter.dispose();
    throw error;
  }
}

/** The same for keys that arrive over time. Without a capacity, they are gathered first, to count them. */
export async function filledAsync<
  Options extends { readonly capacity?: number | undefined } & AsyncOptions,
  Made extends Fillable,
>(keys: AsyncKeys, given: Options, Class: ClassOf<Made, Omit<Options, 'signal'>>): Promise<Made> {
  const { signal, ...options } = given;
  const { capacity } = given; // Without a prototype, unlike the rest.
  if (capacity === undefined) {
    checkFirst(options, Class);
    const all = await gatheredAsync(keys, { signal });
    const filter = new Class(withCapacity(options, all.length));
    return filledByAsync(filter, () => build(filter, all, signal));
  }
  const filter = new Class({ ...options, capacity });
  return filledByAsync(filter, () => filter.addManyAsync(keys, { signal }));
}

/** Fills a new filter with its keys, which nobody else can use meanwhile. */
async function build(filter: Fillable, keys: readonly Key[], signal: AbortSignal | undefined): Promise<void> {
  const handle = handleOf(filter);
  handle.isFromKeys = true;
  const isBuilt = handle.calls.beginBuilding && handle.call('beginBuilding', keys.length);
  await inSlices(keys, (slice) => filter.addMany(slice), signal);
  if (isBuilt) handle.call('finishBuilding');
}

/** As `filledBy`. */
async function filledByAsync<Made extends AnyFilter>(
  filter: Made,
  fill: () => Promise<unknown>,
): Promise<Made> {
  try {
    await fill();
    return filter;
  } catch (error) {
    filter.dispose();
    throw error;
  }
}
