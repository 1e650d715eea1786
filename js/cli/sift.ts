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
  /** 1 or 0 for each key, or for fewer if the filter got full. */
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
      const answers = sieve.judge(batch.keys);
      const kept = keepPrinted(batch, answers, sieve);
      printed += kept.lines;
      if (kept.bytes > 0) await print(batch.bytes.subarray(0, kept.bytes));
      progress.add(kept.read);
      if (answers.length < batch.keys.length) throw fullFailure(sieve, progress, batch.count - kept.read);
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

/**
 * The filter has then seen the keys: 1 for each that was new, else 0, or fewer answers if it got full. Where it may get full,
 * the keys that are not found are added one by one, so that nothing is accepted without an answer.
 */
export function newOf(filter: CuckooFilter, keys: PackedKeys): Uint8Array {
  let done = 0;
  let told: Uint8Array = new Uint8Array();
  try {
    if (filter.size + keys.length <= filter.maxCapacity) return filter.addManyIfAbsent(keys);
    told = filter.containsMany(keys);
    for (const key of keys) {
      told[done] = Number(told[done] === 0 && filter.addIfAbsent(key));
      ++done;
    }
    return told;
  } catch (error) {
    if (!(error instanceof FilterFullError)) throw error;
    return told.subarray(0, done);
  }
}

/** The error for a filter that got full, with `left` lines of the batch to come. */
function fullFailure({ filter, printed }: Sieve, { share, lines }: Progress, left: number): Failure {
  const { size, maxCapacity } = filter;
  // The bytes read include the whole batch.
  const done = share === undefined ? undefined : (share * lines) / (lines + left);
  const capacity = done === undefined ? 'N' : Math.max(2 * maxCapacity, Math.ceil((MARGIN * size) / done));
  const hint = done === undefined ? ', where N is the number of different lines to expect' : '';
  const output =
    printed === undefined ? '' : `The output is complete up to line ${count(lines)} of the input; `;
  return new Failure(
    `the filter is full, with ${count(size)} keys. ${output}${printed === undefined ? 'Nothing' : 'nothing'} is saved. ` +
      `Start again with a new filter: --capacity ${capacity}${hint}`,
  );
}

/**
 * Moves the lines to print to the front of the batch, up to the first key without an answer. Returns how many they are, their
 * bytes, and how many lines were read.
 */
function keepPrinted(
  { bytes, ends, hasKey }: Batch,
  answers: Uint8Array,
  sieve: Sieve,
): { lines: number; bytes: number; read: number } {
  let lines = 0;
  let length = 0;
  let key = 0;
  let begin = 0;
  let read = 0;
  for (; read < ends.length; ++read) {
    if (hasKey[read] === 1 && key === answers.length) break;
    const end = ends[read] as number;
    const answer = hasKey[read] === 1 ? answers[key++] : sieve.withoutKey;
    if (answer === sieve.printed) {
      if (length < begin) bytes.copyWithin(length, begin, end);
      length += end - begin;
      ++lines;
    }
    begin = end;
  }
  return { lines, bytes: length, read };
}
