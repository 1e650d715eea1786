// How many lines files hold, from their sizes and a few pieces of each.
// Invariant: what is read does not grow with the files.
import { closeSync, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { naming } from './failure.js';
import { isGzip, STANDARD_INPUT } from './source.js';

const PIECES = 16;
const PIECE_BYTES = 1 << 14;

/** Added to an estimate, as lines may be shorter where no piece was read. */
const MARGIN = 1.1;

/** The bytes of all files together; undefined if one is a stream. Throws Failure for a file that is not there. */
export function totalBytes(files: readonly string[]): number | undefined {
  const sizes = files.map(statsOf);
  if (!sizes.every((each) => each.isFile())) return undefined;
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

/** About as many lines as the files hold, rather more; undefined if one is a stream or compressed. */
export function lineCount(files: readonly string[], endOfLine: number): number | undefined {
  let lines = 0;
  for (const file of files) {
    if (file === STANDARD_INPUT || !statsOf(file).isFile()) return undefined;
    const own = linesOf(file, endOfLine);
    if (own === undefined) return undefined;
    lines += own;
  }
  return Math.ceil(MARGIN * lines) + files.length;
}

function statsOf(file: string): Stats {
  return file === STANDARD_INPUT ? fstatSync(0) : naming(file, () => statSync(file));
}

function linesOf(file: string, endOfLine: number): number | undefined {
  const fd = naming(file, () => openSync(file, 'r'));
  try {
    const { size } = fstatSync(fd);
    const piece = Buffer.alloc(PIECE_BYTES);
    let read = 0;
    let ends = 0;
    for (let i = 0; i < PIECES && read < size; ++i) {
      const length = readSync(fd, piece, 0, piece.length, Math.max(read, Math.floor((i * size) / PIECES)));
      if (i === 0 && isGzip(piece.subarray(0, length))) return undefined;
      read += length;
      ends += piece.subarray(0, length).reduce((sum, byte) => sum + Number(byte === endOfLine), 0);
    }
    return read === 0 ? 0 : (ends * size) / read;
  } finally {
    closeSync(fd);
  }
}
