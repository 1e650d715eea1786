// The way of every line: read, its key given to a filter, and printed if the answer is the one wanted.
// Invariant: lines come out whole, unchanged and in their order; no more than one batch is held.
import { FilterFullError, type CuckooFilter, type PackedKeys } from 'cuckoofilter-wasm';
import { Failure } from './failure.js';
import { keyRule, type WriteKey } from './key.js';
import { print } from './output.js';
import { count, Progress } from './progress.js';
import { batches, type Batch } from './records.js';
import { totalBytes } from './estimate.js';
import type { Settings } from './settings.js';
import { openInput } from './source.js';

/** What becomes of lines. */
export interface Sieve {
  readonly filter: CuckooFilter;
  /** 1 or 0 for each key. May throw FilterFullError. */
  judge(keys: PackedKeys): Uint8Array;
  /** The answer whose lines are printed; undefined: none are. */
  readonly printed: 0 | 1 | undefined;
  /** The answer for a line without a key. */
  readonly withoutKey: 0 | 1;
}

/** The byte that ends a line. */
export function endOfLine({ zero = false }: Settings): number {
  return zero ? 0 : 10;
}

/** Sifts the lines of all files and returns how many it printed. Throws Failure. */
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
    throw new Failure(
      `${error.message}; ${count(progress.lines)} lines are done; all need about --capacity ${needed(filter, progress)}`,
    );
  }
}

/** A capacity that is likely to be enough for the whole input: a quarter more than if the rest is as what is read. */
function needed({ size, maxCapacity }: CuckooFilter, { share = 1 }: Progress): number {
  return Math.max(2 * maxCapacity, Math.ceil((1.25 * size) / share));
}

/** Moves the lines to print to the front of the batch; how many they are, and their bytes. */
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
