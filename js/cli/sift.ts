// What happens to each line: it is read, its key is given to a filter, and it is printed if the answer is the wanted one.
// Invariant: lines come out whole, unchanged and in order; no more than one batch is held.
import { FilterFullError, type CuckooFilter, type PackedKeys } from 'cuckoofilter-wasm';
import { Failure } from './failure.js';
import { keyRule, type WriteKey } from './key.js';
import { print } from './output.js';
import { count, Progress } from './progress.js';
import { batches, type Batch } from './records.js';
import { totalBytes } from './estimate.js';
import type { Settings } from './settings.js';
import { openInput } from './source.js';

/** Which lines to print. */
export interface Sieve {
  readonly filter: CuckooFilter;
  /** 1 or 0 for each key. May throw FilterFullError. */
  judge(keys: PackedKeys): Uint8Array;
  /** Lines with this answer are printed; undefined: no lines are. */
  readonly printed: 0 | 1 | undefined;
  /** The answer for a line without a key. */
  readonly withoutKey: 0 | 1;
}

/** A capacity that is advised is this many times the keys to expect if the rest is like what was read. */
const MARGIN = 1.25;

/** The byte that ends a line. */
export function endOfLine({ zero = false }: Settings): number {
  return zero ? 0 : 10;
}

/** Runs the lines of all files through the sieve and returns how many it printed. Throws Failure. */
export async function sift(settings: Settings, sieve: Sieve): Promise<number> {
  const writeKey = keyRule(settings.key, settings.delimiter);
  const isShown = sieve.printed === undefined || !process.stdout.isTTY;
  const progress = new Progress(totalBytes(settings.files), isShown);
  let printed = 0;
  try {
    for await (const batch of allBatches(settings, writeKey, progress)) {
      const kept = keepPrinted(batch, judged(batch.keys, sieve, progress), sieve);
      printed += kept.lines;
      if (kept.bytes > 0) await print(batch.bytes.subarray(0, kept.bytes));
      progress.add(batch.count);
    }
  } finally {
    progress.end();
  }
  return printed;
}

async function* allBatches(
  settings: Settings,
  writeKey: WriteKey,
  progress: Progress,
): AsyncGenerator<Batch, void, undefined> {
  for (const file of settings.files) {
    const input = await openInput(file, (bytes) => (progress.bytes += bytes));
    try {
      yield* batches(input.read, endOfLine(settings), writeKey);
    } finally {
      input.close();
    }
  }
}

function judged(keys: PackedKeys, { filter, judge }: Sieve, progress: Progress): Uint8Array {
  try {
    return judge(keys);
  } catch (error) {
    if (!(error instanceof FilterFullError)) throw error;
    const { size, maxCapacity } = filter;
    const share = shareDone(progress, error.added, keys.length);
    const needed = share === undefined ? 2 * maxCapacity : Math.ceil((MARGIN * size) / share);
    throw new Failure(
      `the filter is full, with ${count(size)} keys. The output is complete up to line ${count(progress.lines)} of the input; ` +
        `nothing is saved. Start again with a new filter: --capacity ${Math.max(2 * maxCapacity, needed)}`,
    );
  }
}

/**
 * The share of the input that was done when the filter was full; undefined if the size of the input is not known. The bytes
 * read include a whole batch, of which `added` keys at least were done.
 */
function shareDone({ share, lines }: Progress, added: number, batchLength: number): number | undefined {
  return share === undefined ? undefined : (share * (lines + added)) / (lines + batchLength);
}

/** Moves the lines to print to the front of the batch. Returns how many they are, and their bytes. */
function keepPrinted(
  { bytes, ends, hasKey }: Batch,
  answers: Uint8Array,
  sieve: Sieve,
): { lines: number; bytes: number } {
  let lines = 0;
  let length = 0;
  let key = 0;
  let begin = 0;
  for (let i = 0; i < ends.length; ++i) {
    const end = ends[i] as number;
    const answer = hasKey[i] === 1 ? answers[key++] : sieve.withoutKey;
    if (answer === sieve.printed) {
      if (length < begin) bytes.copyWithin(length, begin, end);
      length += end - begin;
      ++lines;
    }
    begin = end;
  }
  return { lines, bytes: length };
}
