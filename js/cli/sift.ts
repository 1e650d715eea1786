// What happens to each line: it is read, the filter judges its key, and the line is printed if the answer is the wanted
// one.
// Invariant: lines come out whole, unchanged and in order; no more than one batch is held.
import type { PackedKeys } from 'cuckoofilter-wasm';
import { fullFailure } from './filters/full.js';
import type { Seen } from './filters/seen.js';
import { csvReader } from './input/csv.js';
import { NEWLINE } from './input/csv-row.js';
import { totalBytes } from './input/estimate.js';
import { property } from './input/json-key.js';
import { isField, keyRule, type Noticed } from './input/key.js';
import {
  batches,
  HEADER,
  KEYED,
  KEYLESS,
  REPEATED_HEADER,
  type Batch,
  type BatchesOf,
} from './input/records.js';
import { MARK, openInput } from './input/source.js';
import { tell } from './output/print.js';
import { Progress } from './output/progress.js';
import type { Counts } from './output/summary.js';
import { Failure } from './words/failure.js';
import type { Settings } from './words/options.js';

/** Which lines to print. */
export interface Sieve {
  readonly seen: Seen;
  /** 1 or 0 for each key, or for fewer if there is no room for more. */
  judge(keys: PackedKeys): Uint8Array;
  /** Lines with this answer are printed; undefined: no lines are. */
  readonly printed: 0 | 1 | undefined;
  /** The answer for a line without a key. */
  readonly withoutKey: 0 | 1;
  /** Takes the lines to print. */
  print(bytes: Uint8Array): Promise<void>;
}

const QUOTES_TEXT =
  'cuckoofilter-wasm: some fields begin with a quote, which --delimiter treats as part of the field. ' +
  'If the input is CSV, run again with --csv';

/** Advice for a run whose options seem not to fit its lines; undefined if they fit. */
function adviceFor(
  { key = '', delimiter, csv }: Settings,
  { hasDelimiter, delimiterAdvice, isOneField, returns }: Noticed,
): string | undefined {
  if (returns !== undefined) return returns;
  if (csv) {
    const rest = delimiterAdvice ?? (delimiter && `No row contains ${shown(delimiter)}. Check --delimiter`);
    return isOneField && isField(key) && rest
      ? `each row has one field, so the whole row is the key. ${rest}`
      : undefined;
  }
  return isField(key) && !hasDelimiter
    ? `no line contains ${shown(delimiter)}, so field 1 is the whole line. Check --delimiter`
    : undefined;
}

/** What to do if no line has the key. */
function missingKey({ key, delimiter, jsonKey, csv }: Settings, { emptyKeys = 0 }: Noticed): Failure {
  // CSV is refused unless each row has the column.
  if (emptyKeys > 0 || csv || (key === undefined && jsonKey === undefined))
    return new Failure('no line has a key that is not empty. Check the input');
  if (jsonKey === undefined)
    return new Failure(
      isField(key)
        ? `no line has field ${key} (fields are separated by ${shown(delimiter)}). Check --key and --delimiter`
        : `no line matches ${key}. Check --key`,
    );
  const path = /\w[.[/]/.test(jsonKey) ? '. It is the name of one property of each object, not a path' : '';
  return new Failure(`no line has a property ${JSON.stringify(jsonKey)}. Check --json-key${path}`);
}

function shown(delimiter: string | undefined): string {
  return delimiter === undefined ? 'a tab' : JSON.stringify(delimiter);
}

/** The byte that ends a line. */
export function endOfLine({ zero = false }: Settings): number {
  return zero ? 0 : NEWLINE;
}

/** Runs the lines of all files through the sieve. Throws Failure. */
export async function sift(settings: Settings, sieve: Sieve): Promise<Counts> {
  // Lines go to standard output.
  const isPrinting = sieve.printed !== undefined && settings.output === undefined;
  const isShown = settings.quiet !== true && !(isPrinting && process.stdout.isTTY);
  const progress = new Progress(totalBytes(settings.files), isShown);
  const before = sieve.seen.size;
  const counts = { lines: 0, printed: 0, withoutKey: 0 };
  const noticed: Noticed = { keepsEmpty: settings.keepEmpty };
  const input = allBatches(settings, progress, noticed);
  try {
    for await (const batch of input) {
      const answers = sieve.judge(batch.keys);
      const { read, length } = keepPrinted(batch, answers, sieve, counts);
      if (length > 0) {
        if (noticed.hasMark) await sieve.print(MARK);
        noticed.hasMark = false;
        await sieve.print(batch.bytes.subarray(0, length));
      }
      progress.add(read);
      if (answers.length === batch.keys.length) continue;
      const done = progress.lines;
      progress.add(batch.count - read);
      const total = progress.share === undefined ? undefined : await linesWith(input, progress);
      throw fullFailure(sieve.seen, settings, { done, total, isPrinting });
    }
  } finally {
    progress.end();
    if (noticed.hasQuotes && settings.quiet !== true) await tell(QUOTES_TEXT);
  }
  const { quiet = false, json = false } = settings;
  if (counts.lines > 0 && counts.lines === counts.withoutKey) throw missingKey(settings, noticed);
  const advice = counts.lines > 0 ? adviceFor(settings, noticed) : undefined;
  if (advice !== undefined && !quiet && !json) await tell(`cuckoofilter-wasm: ${advice}`);
  const emptyKeys = settings.keepEmpty ? 0 : (noticed.emptyKeys ?? 0);
  return { ...counts, added: sieve.seen.size - before, emptyKeys };
}

/** The number of all lines: reads the rest of the input only to count them. */
async function linesWith(rest: AsyncGenerator<Batch>, progress: Progress): Promise<number> {
  for (;;) {
    const step = await rest.next();
    if (step.done) return progress.lines;
    progress.add(step.value.count);
  }
}

async function* allBatches(
  settings: Settings,
  progress: Progress,
  noticed: Noticed,
): AsyncGenerator<Batch, void, undefined> {
  const batchesOf = reader(settings, noticed);
  for (const [i, file] of settings.files.entries()) {
    const input = await openInput(file, (bytes) => (progress.bytes += bytes), settings.zero);
    if (i === 0) noticed.hasMark = input.hasMark;
    try {
      yield* batchesOf(input.read, file);
    } finally {
      void input.close();
    }
  }
}

/** What makes batches of an input. Throws Failure if the options about keys make no sense. */
function reader(settings: Settings, noticed: Noticed): BatchesOf {
  if (settings.csv) return csvReader(settings, noticed);
  const { key, delimiter, jsonKey } = settings;
  const byKey = keyRule(key, delimiter, noticed); // Refuses --delimiter without --key, also beside --json-key.
  const writeKey = jsonKey === undefined ? byKey : property(jsonKey, noticed);
  return (read, name) => batches(read, endOfLine(settings), writeKey, name, noticed);
}

/**
 * Moves the lines to print to the front of the batch, up to the first key without an answer, and adds the lines until
 * there to `counts`. Returns how many these are, headers included, and how many bytes are to be printed.
 */
function keepPrinted(
  { bytes, ends, kinds }: Batch,
  answers: Uint8Array,
  sieve: Sieve,
  counts: { lines: number; printed: number; withoutKey: number },
): { read: number; length: number } {
  let headers = 0;
  let withoutKey = 0;
  let printed = 0;
  let length = 0;
  let key = 0;
  let begin = 0;
  let read = 0;
  for (; read < ends.length; ++read) {
    const kind = kinds[read];
    if (kind === KEYED && key === answers.length) break;
    const end = ends[read] as number;
    const isHeader = kind === HEADER || kind === REPEATED_HEADER;
    const answer = kind === KEYED ? answers[key++] : sieve.withoutKey;
    const isPrinted = isHeader ? kind === HEADER && sieve.printed !== undefined : answer === sieve.printed;
    if (isPrinted) {
      if (length < begin) bytes.copyWithin(length, begin, end);
      length += end - begin;
    }
    headers += Number(isHeader);
    withoutKey += Number(kind === KEYLESS);
    printed += Number(isPrinted && !isHeader);
    begin = end;
  }
  counts.lines += read - headers;
  counts.printed += printed;
  counts.withoutKey += withoutKey;
  return { read, length };
}
