// Estimates how many lines files hold, from their sizes and a few pieces of each.
// The number of bytes read for an estimate does not grow with the files.
import { closeSync, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { naming } from '../words/failure.js';
import { NEWLINE, RETURN } from './csv-row.js';
import { compressionOf } from './formats.js';
import { STANDARD_INPUT, STANDARD_INPUT_FD } from './source.js';

const PIECES = 16;
const PIECE_BYTES = 1 << 14;
const COUNTED_BYTES = 1 << 20;

/** The estimate adds this many standard deviations to the sampled line count, and then this many lines. */
const CAUTION = 3;

/** The estimate is multiplied by this, because lines may be shorter where no piece was read. */
const MARGIN = 1.1;

/** The byte that ends a line; or the rows of CSV. */
export type EndOfLine = number | 'csv';

/** The total size of all files in bytes; undefined if one is a stream. Throws Failure if a file does not exist. */
export function totalBytes(files: readonly string[]): number | undefined {
  const sizes = files.map(statsOf);
  if (!sizes.every((each) => each.isFile())) return undefined;
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

/**
 * The number of lines, at most one too many per file, of files for which `lineCount` has an estimate. Reads everything.
 */
export function countLines(files: readonly string[], endOfLine: EndOfLine): number {
  const room = Buffer.alloc(COUNTED_BYTES);
  const linesIn = (fd: number): number => {
    let lines = 1;
    for (let at = 0, length; (length = readSync(fd, room, 0, room.length, at)) > 0; at += length)
      lines += endsIn(room.subarray(0, length), endOfLine);
    return lines;
  };
  return files.reduce((sum, file) => sum + withFile(file, linesIn), 0);
}

/**
 * How many lines end in `bytes`. Rows of CSV may end with a newline, a carriage return, or both: counts the more frequent
 * byte.
 */
export function endsIn(bytes: Buffer, endOfLine: EndOfLine): number {
  if (endOfLine === 'csv') return Math.max(endsIn(bytes, NEWLINE), endsIn(bytes, RETURN));
  let ends = 0;
  for (let at = bytes.indexOf(endOfLine); at >= 0; at = bytes.indexOf(endOfLine, at + 1)) ++ends;
  return ends;
}

/**
 * An estimate of the number of lines, more likely too high than too low; undefined if a file is a stream or compressed.
 * Throws Failure.
 */
export function lineCount(files: readonly string[], endOfLine: EndOfLine): number | undefined {
  let lines = 0;
  for (const file of files) {
    const own = statsOf(file).isFile() ? withFile(file, (fd) => linesIn(fd, endOfLine)) : undefined;
    if (own === undefined) return undefined;
    lines += own;
  }
  return Math.ceil(lines) + files.length;
}

function statsOf(file: string): Stats {
  return file === STANDARD_INPUT ? fstatSync(STANDARD_INPUT_FD) : naming(file, () => statSync(file));
}

function withFile<T>(file: string, use: (fd: number) => T): T {
  if (file === STANDARD_INPUT) return use(STANDARD_INPUT_FD);
  const fd = naming(file, () => openSync(file, 'r'));
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

/** Reads at given positions, so that the file's own position does not move. */
function linesIn(fd: number, endOfLine: EndOfLine): number | undefined {
  const { size } = fstatSync(fd);
  const room = Buffer.alloc(PIECE_BYTES);
  let read = 0;
  let ends = 0;
  for (let i = 0; i < PIECES && read < size; ++i) {
    const position = Math.max(read, Math.floor((i * size) / PIECES));
    const piece = room.subarray(0, readSync(fd, room, 0, room.length, position));
    if (i === 0 && compressionOf(piece) !== undefined) return undefined;
    read += piece.length;
    ends += endsIn(piece, endOfLine);
  }
  if (read >= size) return ends;
  return (MARGIN * (ends + CAUTION * Math.sqrt(ends) + CAUTION) * size) / read;
}
