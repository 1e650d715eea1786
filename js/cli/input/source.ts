// Bytes from files and standard input, decompressed if they begin like gzip or zstd, and in UTF-8 if they begin with the
// byte order mark of UTF-16.
// Invariant: bytes are read into the caller's memory, only when asked for, so memory is constant for input of any size.
// No byte of an input is skipped silently, except its byte order mark.
import { read } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import { fileFailure } from '../words/failure.js';
import { NEWLINE } from './csv-row.js';
import { checkText, compressionOf, HEAD_BYTES, LEAST_HEAD_BYTES, type Opening } from './formats.js';
import { extraBytes, unzstd } from './zstd.js';

/** Puts the next bytes at the start of `into` and returns how many; 0 at the end. `into` must not be empty. */
export type Read = (into: Uint8Array) => Promise<number>;

/** The name that stands for standard input. */
export const STANDARD_INPUT = '-';
export const STANDARD_INPUT_FD = 0;

/** UTF-8's byte order mark. */
export const MARK = Buffer.from('\ufeff');

const DECOMPRESS = { gzip: gunzip, zstd: unzstd };
const PIECE_BYTES = 1 << 16;
const readFile = promisify(read);

/** An input that is open. */
export interface Input {
  /** Whether it begins with the byte order mark of UTF-8, which `read` does not return. */
  readonly hasMark: boolean;
  /** Throws Failure with the name of the input if it cannot be read. */
  readonly read: Read;
  /** The promise waits for a read that has begun, even from a pipe to which nobody writes. */
  close(): Promise<void>;
}

/**
 * Opens the input `name`, and calls `count` with the number of bytes read, before any decompression. `isZero`: lines end
 * with a zero byte. Throws Failure.
 */
export async function openInput(
  name: string,
  count: (bytes: number) => void,
  isZero = false,
): Promise<Input> {
  const fail = (error: unknown): never => {
    throw fileFailure(name, error);
  };
  const { read: raw, close } =
    name === STANDARD_INPUT
      ? { read: standardInput(), close: () => Promise.resolve() }
      : await openedFile(name).catch(fail);
  const counted: Read = async (into) => {
    const length = await raw(into);
    count(length);
    return length;
  };
  try {
    const { read, hasMark } = await textOf(counted, { name, isZero });
    return { hasMark, read: (into) => read(into).catch(fail), close };
  } catch (error) {
    void close();
    return fail(error);
  }
}

/** A file that is open. A decompressor that reads ahead may go on to read it when it is closed. */
async function openedFile(name: string): Promise<Pick<Input, 'read' | 'close'>> {
  const handle = await open(name);
  let isClosed = false;
  return {
    read: async (into) => (isClosed ? 0 : (await handle.read(into, 0, into.length, null)).bytesRead),
    close: () => {
      isClosed = true;
      return handle.close().catch(() => undefined);
    },
  };
}

/**
 * Reads standard input as a file, which unlike a stream takes no memory for each piece. If another process has made the
 * pipe non-blocking (EAGAIN), it is read as a stream from then on.
 */
function standardInput(): Read {
  let stream: Read | undefined;
  return async (into) => {
    if (stream !== undefined) return stream(into);
    try {
      return (await readFile(STANDARD_INPUT_FD, into, 0, into.length, null)).bytesRead;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0; // The end of a pipe on Windows.
      if (code !== 'EAGAIN') throw error;
      return (stream = readsOf(process.stdin))(into);
    }
  };
}

/** The text of an input: decompressed, in UTF-8, and without a byte order mark. Throws Error if it is not text. */
async function textOf(raw: Read, opening: Opening): Promise<Pick<Input, 'read' | 'hasMark'>> {
  let { head, read } = await peeked(raw);
  const compression = compressionOf(head);
  if (compression !== undefined)
    ({ head, read } = await peeked(readsOf(DECOMPRESS[compression](pieces(read)))));
  checkText(head, compression, opening);
  if (head.length > 1 && (head.readUInt16LE() === 0xfeff || head.readUInt16BE() === 0xfeff))
    return {
      read: readsOf(decoded(head[0] === 0xff ? 'utf-16le' : 'utf-16be', pieces(read))),
      hasMark: false,
    };
  const hasMark = MARK.equals(head.subarray(0, MARK.length));
  if (hasMark) await read(Buffer.alloc(MARK.length));
  return { read, hasMark };
}

/** The first bytes that `read` returns, and a way to read all. Does not wait for more than the first line. */
async function peeked(read: Read): Promise<{ head: Buffer; read: Read }> {
  const room = Buffer.alloc(HEAD_BYTES);
  let length = 0;
  for (let got = 1; got > 0 && length < LEAST_HEAD_BYTES && !room.includes(NEWLINE); length += got)
    got = await read(room.subarray(length));
  const head = room.subarray(0, length);
  return { head, read: behind(head, read) };
}

/** UTF-16 as UTF-8, without its byte order mark. Throws Error at half a character, which UTF-8 cannot hold. */
async function* decoded(
  encoding: 'utf-16le' | 'utf-16be',
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const piece of bytes) yield Buffer.from(decoder.decode(piece, { stream: true }));
    yield Buffer.from(decoder.decode());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    throw new Error(
      'the input begins with the byte order mark of UTF-16, but is not valid UTF-16. It may be cut off or damaged: get the file again',
      { cause: error },
    );
  }
}

/** Decompresses gzip. Node's decoder drops whatever follows a zero byte after the end, but only zeros may. */
async function* gunzip(compressed: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = createGunzip();
  let length = 0;
  let lengthWithoutZeros = 0;
  // Without for await, which would end `compressed` together with the decoder.
  async function* watched(): AsyncGenerator<Uint8Array> {
    for (let step; !(step = await compressed.next()).done; yield step.value) {
      const last = Buffer.from(step.value).findLastIndex((byte) => byte !== 0);
      if (last >= 0) lengthWithoutZeros = length + last + 1;
      length += step.value.length;
    }
  }
  // The callback is for pipeline alone: the iterator of the last stream throws whatever fails in any of them.
  yield* pipeline(Readable.from(watched()), decoder, () => {}) as AsyncIterable<Uint8Array>;
  for await (const piece of watched()) void piece;
  if (lengthWithoutZeros > decoder.bytesWritten) throw extraBytes('gzip -t');
}

/** The bytes of `head`, then those of `read`. */
function behind(head: Uint8Array, read: Read): Read {
  let rest = head;
  return async (into) => {
    if (rest.length === 0) return read(into);
    const length = Math.min(rest.length, into.length);
    into.set(rest.subarray(0, length));
    rest = rest.subarray(length);
    return length;
  };
}

async function* pieces(read: Read): AsyncGenerator<Uint8Array> {
  for (;;) {
    const piece = new Uint8Array(PIECE_BYTES);
    const length = await read(piece);
    if (length === 0) return;
    yield piece.subarray(0, length);
  }
}

/** The bytes of all pieces. */
function readsOf(stream: AsyncIterable<Uint8Array>): Read {
  const iterator = stream[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);
  return async (into) => {
    while (rest.length === 0) {
      const step = await iterator.next();
      if (step.done) return 0;
      rest = step.value;
    }
    const length = Math.min(rest.length, into.length);
    into.set(rest.subarray(0, length));
    rest = rest.subarray(length);
    return length;
  };
}
