// `from` and `fromAsync`: a filter made for keys, and filled with them.
// Invariant: the filter holds all keys, or an error was thrown and it is freed.
import { optionsOf, type CuckooFilterOptions } from '../options.js';
import type { Key } from '../wasm/key.js';
import { checkKeys, hasLength, type Keys } from '../wasm/keys.js';
import type { BaseFilter } from './base.js';
import { inChunks, type AsyncKeys } from './chunks.js';
import type { Handover } from './handover.js';
import { adopt, handleOf } from './sized.js';

/** `Class.from(keys, given)`, where `begin` makes the filter from options. */
export function filled<Filter extends BaseFilter>(
  Class: unknown,
  begin: (options: CuckooFilterOptions) => Handover,
  keys: Keys,
  given: unknown,
): Filter {
  const options = optionsOf(given);
  checkKeys(keys);
  const counted = hasLength(keys) ? keys : Array.from(keys as Iterable<Key>);
  const filter = adopt<Filter>(
    Class,
    begin({ ...options, capacity: options.capacity ?? Math.max(1, counted.length) }),
  );
  handleOf(filter).isFromKeys = options.capacity === undefined;
  try {
    filter.addMany(counted);
  } catch (error) {
    filter.dispose();
    throw error;
  }
  return filter;
}

/** The same for keys that arrive over time. They are gathered first if there is no capacity, because their number is. */
export async function filledAsync<Filter extends BaseFilter>(
  Class: unknown,
  begin: (options: CuckooFilterOptions) => Handover,
  keys: AsyncKeys,
  given: unknown,
): Promise<Filter> {
  const options = optionsOf(given);
  if (options.capacity === undefined) {
    const all: Key[] = [];
    await inChunks(keys, (chunk) => all.push(...chunk));
    return filled(Class, begin, all, options);
  }
  const filter = filled<Filter>(Class, begin, [], options);
  try {
    await filter.addManyAsync(keys);
  } catch (error) {
    filter.dispose();
    throw error;
  }
  return filter;
}
