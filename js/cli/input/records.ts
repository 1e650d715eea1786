// The lines of an input, as bytes, many at a time, each with its key.
// Memory holds one chunk, or the longest line if that is longer. Invariant: the bytes of a line are never changed; a
// last line without a line end gets one.
import { isAscii } from 'node:buffer';
import { PackedKeys } from 'cuckoofilter-wasm';
import { Failure, placeOf } from '../words/failure.js';
import { count, counted, sized } from '../words/figures.js';
import { NEWLINE, RETURN } from './csv-row.js';
import { endsIn } from './estimate.js';
import type { Noticed, WriteKey } from './key.js';
import type { Read } from './source.js';

/** How many bytes are read at once. More is no faster. */
const CHUNK_BYTES = 1 << 17;

/** A longer line is an error: its key would not fit into memory, and the input probably has no lines. */
const MAX_LINE_BYTES = 1 << 30;

/** Kinds of lines: without and with a key, the header of a table, and the same header again, of another file. */
export const KEYLESS = 0;
export const KEYED = 1;
export const HEADER = 2;
export const REPEATED_HEADER = 3;

/** Whole lines that follow each other in `bytes`, and their keys. Good until the next batch is asked for. */
export interface Batch {
  readonly bytes: Uint8Array;
  readonly count: number;
  /** Where each line ends in `bytes`, after its line end. */
  readonly ends: Uint32Array;
  /** What each line is: KEYED or one of the others. */
  readonly kinds: Uint8Array;
  /** The keys of the lines that are KEYED. */
  readonly keys: PackedKeys;
}

/** Makes the batches of the input `name`. */
export type BatchesOf = (read: Read, name: string) => AsyncGenerator<Batch, void, undefined>;

/**
 * The lines that `read` returns, ending with the byte `endOfLine`, with the keys that `writeKey` finds in them. Throws
 * Failure, with the line in the input `name`, if `writeKey` throws or the line is too long.
 */
export async function* batches(
  read: Read,
  endOfLine: number,
  writeKey: WriteKey,
  name: string,
  noticed: Noticed = {},
): AsyncGenerator<Batch, void, undefined> {
  let room = new Room(CHUNK_BYTES);
  let held = 0;
  let before = 0;
  const failureIn = (line: number, { message }: Error): Failure =>
    new Failure(`${placeOf(name)}, line ${count(before + line + 1)}: ${message}`);
  const advice =
    endOfLine === NEWLINE ? '; if they end with a zero byte, use --zero' : ' that end with a zero byte';
  for (;;) {
    if (held === MAX_LINE_BYTES)
      throw failureIn(0, new Error(`this line is longer than 1 GB. Check that the input has lines${advice}`));
    if (held === room.bytes.length) room = twice(room, failureIn);
    const got = await read(room.bytes.subarray(held, held + CHUNK_BYTES));
    if (got === 0 && held === 0) return;
    if (got === 0 && before === 0 && endOfLine === NEWLINE)
      noticed.returns ??= returnsAdvice(room.bytes.subarray(0, held), name);
    if (got === 0) room.bytes[held] = endOfLine;
    const length = held + Math.max(got, 1);
    const lines = room.split(held, length, endOfLine);
    const done = room.endOf(lines);
    if (lines > 0) yield room.batch(lines, writeKey, failureIn);
    before += lines;
    if (done > 0) room.bytes.copyWithin(0, done, length);
    held = length - done;
  }
}

/** A room twice as large, with the same bytes. Throws what `failureIn` makes of the error if there is no memory for it. */
function twice({ bytes }: Room, failureIn: (line: number, error: Error) => Failure): Room {
  try {
    const larger = new Room(2 * bytes.length);
    larger.bytes.set(bytes);
    return larger;
  } catch {
    throw failureIn(
      0,
      new Error(`not enough memory for this line, which is longer than ${sized(bytes.length)}`),
    );
  }
}

/** What to do about an input that is one line without an end; undefined if no carriage return is within it. */
function returnsAdvice(line: Uint8Array, name: string): string | undefined {
  if (!line.subarray(0, -1).includes(RETURN)) return undefined;
  const returns = endsIn(Buffer.from(line.buffer, line.byteOffset, line.length), RETURN);
  return `${placeOf(name)}: the input has no newline but ${counted(returns, 'carriage return')}, so it is one line. Convert it with tr '\\r' '\\n' or, if it is CSV, use --csv`;
}

/** Where the line from `begin` to `end` stops, without its line end. `\r\n`, as on Windows, is one line end. */
function withoutEnd(bytes: Buffer, begin: number, end: number): number {
  const stop = end - 1;
  return bytes[stop] === NEWLINE && stop > begin && bytes[stop - 1] === RETURN ? stop - 1 : stop;
}

/** The memory of a batch. */
class Room {
  readonly bytes: Uint8Array;
  readonly #keys: Buffer;
  readonly #ends: Uint32Array;
  readonly #keyEnds: Uint32Array;
  readonly #kinds: Uint8Array;

  constructor(length: number) {
    this.bytes = new Uint8Array(length);
    this.#keys = Buffer.alloc(length);
    // A chunk holds at most as many line ends as bytes, and the bytes kept from before it hold none.
    this.#ends = new Uint32Array(CHUNK_BYTES);
    this.#keyEnds = new Uint32Array(CHUNK_BYTES);
    this.#kinds = new Uint8Array(CHUNK_BYTES);
  }

  /**
   * Finds the lines in the first `length` bytes, of which the first `searched` contain no line end, and returns how
   * many there are.
   */
  split(searched: number, length: number, endOfLine: number): number {
    // A Buffer's indexOf takes half as long as that of the same bytes as a Uint8Array.
    const bytes = Buffer.from(this.bytes.buffer, 0, length);
    const ends = this.#ends;
    let count = 0;
    for (let at = bytes.indexOf(endOfLine, searched); at >= 0; at = bytes.indexOf(endOfLine, at + 1)) {
      ends[count++] = at + 1;
    }
    return count;
  }

  /** Where the first `count` lines end. */
  endOf(count: number): number {
    return count === 0 ? 0 : (this.#ends[count - 1] as number);
  }

  /** The first `count` lines. Throws what `failureIn` makes of an error about one of them. */
  batch(count: number, writeKey: WriteKey, failureIn: (line: number, error: Error) => Failure): Batch {
    const ends = this.#ends.subarray(0, count);
    const keys = this.#keys;
    const lines = this.bytes.subarray(0, this.endOf(count));
    const areAscii = isAscii(lines);
    // The keys are moved together within a copy of the lines: that takes half as long as copying each key.
    keys.set(lines);
    let keyCount = 0;
    let keyEnd = 0;
    let begin = 0;
    let i = 0;
    try {
      for (; i < count; ++i) {
        const end = ends[i] as number;
        const written = writeKey(keys, begin, withoutEnd(keys, begin, end), keyEnd, areAscii);
        this.#kinds[i] = written < 0 ? KEYLESS : KEYED;
        if (written >= 0) this.#keyEnds[keyCount++] = keyEnd = written;
        begin = end;
      }
    } catch (error) {
      throw failureIn(i, error as Error);
    }
    return {
      bytes: this.bytes,
      count,
      ends,
      kinds: this.#kinds,
      keys: new PackedKeys(keys, this.#keyEnds.subarray(0, keyCount)),
    };
  }
}
