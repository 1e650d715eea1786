// Which part of a line is its key: all of it, a field, or what a regular expression matches.
// Invariant: a key is a part of the line's bytes, unchanged, even if they are not UTF-8. No two keys become one.
import { Failure } from '../words/failure.js';
import { QUOTE } from './csv-row.js';
import { brokenBytes, isBroken, textOf } from './text.js';

/**
 * Finds the key of the line from `begin` to `end` (the position of its line end), moves it to `at` (at or before
 * `begin`), and returns where it then ends; -1 if the line has none. `isAscii`: the line is known to be ASCII.
 */
export type WriteKey = (bytes: Buffer, begin: number, end: number, at: number, isAscii: boolean) => number;

/** What the input looked like: whether it fits `--key` and `--delimiter`, and how the output begins. */
export interface Noticed {
  /** With --keep-empty, a line whose key is empty has no key. */
  readonly keepsEmpty?: boolean | undefined;
  /** How many keys were empty, also if they do not count. */
  emptyKeys?: number;
  /** The first input begins with a byte order mark, and no line of the output is printed yet. */
  hasMark?: boolean;
  /** Fields between commas or semicolons began with a quote, as in CSV. */
  hasQuotes?: boolean;
  /** A line had the delimiter, before or after the field. */
  hasDelimiter?: boolean;
  /** Advice, because the only field of the first row of CSV contains another delimiter. */
  delimiterAdvice?: string | undefined;
  /** The rows of an input have one field. */
  isOneField?: boolean;
  /** Advice, because an input has carriage returns and no newline. */
  returns?: string | undefined;
}

/** Counts an empty key. Returns whether it is a key like any other. */
export function takesEmpty(noticed: Noticed): boolean {
  noticed.emptyKeys = (noticed.emptyKeys ?? 0) + 1;
  return !noticed.keepsEmpty;
}

/** What to do about a row with one field, which contains another delimiter; undefined if it contains none. */
export function delimiterAdviceFor(row: readonly string[]): string | undefined {
  const [found] = (row.length === 1 && /[;\t|]/.exec(row[0] as string)) || [];
  if (found === undefined) return undefined;
  const [name, written] = found === '\t' ? ['a tab', "$'\\t'"] : [`'${found}'`, `'${found}'`];
  return `If the fields are separated by ${name}, run again with --delimiter ${written}`;
}

/** The rule for `--key` and `--delimiter`. Throws Failure if the options make no sense. */
export function keyRule(
  key: string | undefined,
  delimiter: string | undefined,
  noticed: Noticed = {},
): WriteKey {
  if (delimiter !== undefined && !isField(key))
    throw new Failure('--delimiter needs --key with a field number, such as --key 2');
  if (key === undefined)
    return (bytes, begin, end, at) =>
      begin === end && noticed.keepsEmpty ? -1 : moved(bytes, begin, end, at);
  if (isField(key)) return field(Number(key), delimiterByte(delimiter ?? '\t'), noticed);
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(key) ?? [];
  if (source !== undefined && flags !== undefined) return match(regularExpression(source, flags), noticed);
  const hint = /^[a-z]/i.test(key)
    ? '. With --csv, it may be the name of a column; for a property of JSON lines, use --json-key'
    : '';
  throw new Failure(
    `--key must be a field number (1, 2, ...) or a /regular expression/, got ${JSON.stringify(key)}${hint}`,
  );
}

/** Whether `--key` is the number of a field. */
export function isField(key: string | undefined): boolean {
  return key !== undefined && /^[1-9]\d*$/.test(key);
}

/** The byte that `--delimiter` names. Throws Failure. */
export function delimiterByte(delimiter: string): number {
  const bytes = Buffer.from(delimiter);
  if (bytes.length === 1) return bytes[0] as number;
  throw new Failure(`--delimiter must be one byte, got ${JSON.stringify(delimiter)}; the default is a tab`);
}

function regularExpression(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags.replaceAll(/[dgy]/g, ''));
  } catch (error) {
    const { message } = error as Error;
    // The end of the engine's message, such as `Unterminated group`.
    const reason = message.startsWith('Invalid flags') ? 'unknown flags' : message.replace(/^.*: /s, '');
    throw new Failure(
      `--key ${JSON.stringify(`/${source}/${flags}`)} is not a valid regular expression: ${reason}`,
    );
  }
}

function moved(bytes: Buffer, begin: number, end: number, at: number): number {
  bytes.copyWithin(at, begin, end);
  return at + end - begin;
}

const CSV_DELIMITERS = [0x2c, 0x3b];

/** The field `number`, counted from 1, of fields that `delimiter` separates. */
function field(number: number, delimiter: number, noticed: Noticed): WriteKey {
  const mayBeCsv = CSV_DELIMITERS.includes(delimiter);
  let hasDelimiter = false;
  return (bytes, begin, end, at) => {
    let start = begin;
    for (let left = number; start <= end; --left) {
      if (mayBeCsv && bytes[start] === QUOTE && start < end) noticed.hasQuotes = true;
      let stop = start;
      while (stop < end && bytes[stop] !== delimiter) ++stop;
      if (stop < end && !hasDelimiter) hasDelimiter = noticed.hasDelimiter = true;
      if (left === 1) return start === stop && !takesEmpty(noticed) ? -1 : moved(bytes, start, stop, at);
      start = stop + 1;
    }
    return -1;
  };
}

/** The first group of the match, or the whole match if there is no group. */
function match(expression: RegExp, noticed: Noticed): WriteKey {
  const located = new RegExp(expression, `${expression.flags}d`);
  return (bytes, begin, end, at, isAscii) => {
    const text = textOf(bytes, begin, end, isAscii);
    const found = matchIn(text, expression);
    const group = found === null || found.length === 1 ? 0 : 1;
    const key = found?.[group];
    if (key === undefined || (key === '' && !takesEmpty(noticed))) return -1;
    if (text.length === end - begin) return at + bytes.write(key, at, 'latin1');
    if (!isBroken(key)) return at + bytes.write(key, at);
    const [from, to] = located.exec(text)?.indices?.[group] ?? [0, 0];
    return at + bytes.write(brokenBytes(text, from, to), at, 'latin1');
  };
}

/** What `expression` matches in `text`. Throws Error if that takes too much of the stack. */
function matchIn(text: string, expression: RegExp): RegExpExecArray | null {
  try {
    return expression.exec(text);
  } catch {
    throw new Error('this line is too long for the regular expression of --key. Simplify its repetitions');
  }
}
