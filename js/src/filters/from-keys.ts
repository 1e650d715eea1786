// `from` and `fromAsync`: a filter made for keys, and filled with them.
// Invariant: either the filter holds all keys, or an error is thrown and the filter is freed. Wrong options are found
// before a key is taken from its source.
import { inChunks, type AsyncKeys } from '../keys/chunks.js';
import { type AsyncOptions } from '../keys/signals.js';
import type { Key } from '../keys/key.js';
import { checkKeys, hasLength, isPlainArray, snapshot, type Keys } from '../keys/keys.js';
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
  const counted = hasLength(keys) ? keys : gathered(keys);
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

/** The keys of an iterable as they are now, in an array; at most so many, because it may have no end. */
export function gathered(keys: Keys, most = Infinity): Key[] {
  if (isPlainArray(keys)) return keys.slice();
  const all: Key[] = [];
  for (const key of keys as Iterable<Key>) if (all.push(snapshot(key)) === most) break;
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
    const all: Key[] = [];
    await inChunks(keys, (chunk) => all.push(...chunk), { signal });
    return filled(all, options, Class);
  }
  const filter = new Class({ ...options, capacity });
  try {
    await filter.addManyAsync(keys, { signal });
  } catch (error) {
    filter.dispose();
    throw error;
  }
  return filter;
}
