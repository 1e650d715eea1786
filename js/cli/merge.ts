// Merging saved filters, and why two do not merge, in the words of the command line.
import { FilterFullError, type CuckooFilter } from 'cuckoofilter-wasm';
import { Failure } from './failure.js';
import { loadFilter } from './filter-file.js';
import { count, counted } from './figures.js';

/** One filter with the keys of all that are saved in `files`. A key in several is stored once. Throws Failure. */
export function mergedFrom(files: readonly string[]): CuckooFilter {
  const [first = '', ...others] = files;
  let merged = loadFilter(first);
  for (const file of others) merged = mergedWith(merged, first, file);
  return merged;
}

function mergedWith(merged: CuckooFilter, first: string, file: string): CuckooFilter {
  const filter = loadFilter(file);
  // Into the one that has grown more: keys come in the order of their buckets, and would crowd a much smaller table.
  const [into, from] = filter.bucketCount > merged.bucketCount ? [filter, merged] : [merged, filter];
  try {
    return into.mergeIfAbsent(from);
  } catch (error) {
    throw new Failure(
      `${file}: cannot merge with ${first}: ${problem(error as Error, into, filter, merged)}`,
    );
  } finally {
    from.dispose();
  }
}

function problem(error: Error, into: CuckooFilter, one: CuckooFilter, other: CuckooFilter): string {
  if (error.message.startsWith('not enough memory')) return 'there is no memory for both';
  if (error instanceof FilterFullError) return fullText(into);
  if (other.maxCapacity !== one.maxCapacity)
    return `they have room for at most ${count(one.maxCapacity)} and ${count(other.maxCapacity)} keys. Build both with the same --max-capacity and --rate, or with neither`;
  if (other.seed !== one.seed)
    return `their hashes have different seeds, ${one.seed} and ${other.seed}, which a program must have set`;
  return 'they were made with a different --rate or --capacity. Build both with the same --max-capacity and --rate, or with neither';
}

function fullText({ size, capacity, maxCapacity }: CuckooFilter): string {
  if (capacity < maxCapacity)
    return `there is no memory for a larger filter, with ${counted(size, 'key')} so far`;
  return `no room, with ${counted(size, 'key')} in a filter for ${count(maxCapacity)}. Build both with a larger --max-capacity, or without it`;
}
