// Lines as text for a regular expression, and parts of that text as bytes again.
// Invariant: different parts give different bytes, except halves of one character. What is valid UTF-8 is decoded as such,
// and gives its UTF-8 again.
import { constants } from 'node:buffer';

/** What decoding puts in place of bytes that are not UTF-8. */
const REPLACEMENT = '\ufffd';

/**
 * A byte that is not UTF-8 becomes one character, this plus the byte: half of a surrogate pair, which valid UTF-8 never
 * gives alone. Python's surrogateescape. Written as Latin-1, which keeps the low byte, it is the byte again.
 */
const ESCAPE = 0xdc00;

/** In bytes read as Latin-1: a sequence as long as a character outside ASCII, or else a single byte outside ASCII. */
const SEQUENCES = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\x80-\xff]/g;

/**
 * The bytes from `begin` to `end` as text. It has one character per byte only if each is ASCII or an escaped byte.
 * `isAscii`: they are known to be ASCII. Throws Error if they are too many for a string.
 */
export function textOf(bytes: Buffer, begin: number, end: number, isAscii: boolean): string {
  if (end - begin > constants.MAX_STRING_LENGTH)
    throw new Error(
      'this line is longer than 512 MB, too long for --json-key or a regular expression. Use a field number with --key, or omit --key',
    );
  if (isAscii) return bytes.toString('latin1', begin, end);
  const text = bytes.toString('utf8', begin, end);
  return text.includes(REPLACEMENT)
    ? bytes.toString('latin1', begin, end).replaceAll(SEQUENCES, decoded)
    : text;
}

function decoded(sequence: string): string {
  if (sequence.length === 1) return escaped(sequence);
  const text = Buffer.from(sequence, 'latin1').toString();
  // As many characters as bytes: none of the bytes is UTF-8.
  return text.length < sequence.length ? text : sequence.replaceAll(/[^]/g, escaped);
}

function escaped(byte: string): string {
  return String.fromCharCode(ESCAPE + byte.charCodeAt(0));
}

/** Whether a part of a text holds an escaped byte or half a character. */
export function isBroken(part: string): boolean {
  return /\p{Surrogate}/u.test(part);
}

/**
 * The part of `text` from `begin` to `end`, to be written as Latin-1. A character of which only half is in it, as an
 * expression without the flag `u` may match, is in it as a whole: halves of different characters can be the same.
 */
export function brokenBytes(text: string, begin: number, end: number): string {
  const isWithin = (at: number): boolean =>
    /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(at - 1, at + 1));
  const part = text.slice(begin - Number(isWithin(begin)), end + Number(isWithin(end)));
  return part.replaceAll(/[^\0-\x7f]/gu, (character) =>
    isBroken(character) ? character : Buffer.from(character).toString('latin1'),
  );
}

/** The error for a byte order mark that begins a `line` or `row` after the first. */
export function markWithin(line: string): Error {
  return new Error(
    `a byte order mark begins this ${line}, so another file begins here. Name the files instead of joining them, or remove the mark`,
  );
}
