// Merging saved filters, and why two do not merge, in the words of the command line.
import { FilterFullError, OutOfMemoryError, type CuckooFilter } from 'cuckoofilter-wasm';
import { Failure } from '../words/failure.js';
import { count, counted } from '../words/figures.js';
import { loadFilter } from './filter-file.js';

/** One filter with the keys of all that are saved in `files`. A key in several is stored once. Rejects with Failure. */
export async function mergedFrom(files: readonly string[]): Promise<CuckooFilter> {
  const [first = '', ...others] = files;
  const merged = await loadFilter(first);
  for (const file of others) await mergeFile(merged, first, file);
  return merged;
}

async function mergeFile(merged: CuckooFilter, first: string, file: string): Promise<void> {
  const filter = await loadFilter(file);
  try {
    merged.mergeIfAbsent(filter);
  } catch (error) {
    throw new Failure(`${file}: cannot merge with ${first}: ${problem(error, merged, filter)}`);
  } finally {
    filter.dispose();
  }
}

function problem(error: unknown, merged: CuckooFilter, filter: CuckooFilter): string {
  if (error instanceof OutOfMemoryError)
    return 'there is not enough memory for both. Merge on a machine with more memory';
  if (error instanceof FilterFullError) return fullText(merged);
  if (!(error instanceof RangeError)) throw error;
  if (merged.maxCapacity !== filter.maxCapacity)
    return `this filter has room for at most ${count(filter.maxCapacity)} keys, the other for ${count(merged.maxCapacity)}. Build both with the same --max-capacity and --rate, or with neither`;
  if (merged.seed !== filter.seed)
    return `their hashes have different seeds, ${filter.seed} and ${merged.seed}, so a program must have set them. Build both with the same seed, or with this command`;
  // If both can still grow, to the same size, they differ in their rates. A filter that cannot grow may have begun at
  // that size.
  return canGrow(merged) && canGrow(filter)
    ? 'they were made with different --rate values. Build both with the same --rate'
    : 'they were made with different --rate or --capacity values. Build both with the same --rate, --max-capacity and --capacity';
}

function canGrow({ currentCapacity, maxCapacity }: CuckooFilter): boolean {
  return currentCapacity < maxCapacity;
}

function fullText({ size, currentCapacity, maxCapacity }: CuckooFilter): string {
  if (currentCapacity < maxCapacity)
    return `there is not enough memory for a larger filter, with ${counted(size, 'key')} so far. Merge on a machine with more memory`;
  return `no room, with ${counted(size, 'key')} in a filter for ${count(maxCapacity)}. Build both with a larger --max-capacity, or without it`;
}
