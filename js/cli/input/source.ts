// Bytes from files and standard input, decompressed if they begin like gzip or zstd.
// Invariant: bytes are read into the caller's memory, only when asked for, so memory is constant for input of any size.
import { closeSync, openSync, read } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import { fileFailure, naming } from '../words/failure.js';
import { unzstd, ZSTD_MAGIC } from './zstd.js';

/** Puts the next bytes at the start of `into` and returns how many; 0 at the end. `into` must not be empty. */
export type Read = (into: Uint8Array) => Promise<number>;

/** The name that stands for standard input. */
export const STANDARD_INPUT = '-';
export const STANDARD_INPUT_FD = 0;

/** Ways to compress, known by the first bytes. */
const FORMATS = [
  { magic: [0x1f, 0x8b], open: gunzip },
  { magic: ZSTD_MAGIC, open: unzstd },
];
const HEAD_BYTES = Math.max(...FORMATS.map(({ magic }) => magic.length));
const PIECE_BYTES = 1 << 16;
const readFile = promisify(read);

/** Whether bytes begin as those of a compressed file do. */
export function isCompressed(bytes: Uint8Array): boolean {
  return formatOf(bytes) !== undefined;
}

function formatOf(bytes: Uint8Array): (typeof FORMATS)[number] | undefined {
  return FORMATS.find(({ magic }) => magic.every((byte, at) => bytes[at] === byte));
}

/** An input that is open. */
export interface Input {
  /** Throws Failure with the name of the input if it cannot be read. */
  readonly read: Read;
  close(): void;
}

/** Opens the input `name`, and calls `count` with the number of bytes read, before any decompression. Throws Failure. */
export async function openInput(name: string, count: (bytes: number) => void): Promise<Input> {
  const isStandardInput = name === STANDARD_INPUT;
  const fd = naming(name, () => (isStandardInput ? STANDARD_INPUT_FD : openSync(name, 'r')));
  const raw = isStandardInput ? standardInput() : (into: Uint8Array) => readBytes(fd, into);
  const close = (): void => (isStandardInput ? undefined : closeSync(fd));
  try {
    const read = await decompressed(counted(raw, count));
    return {
      read: (into) =>
        read(into).catch((error: unknown) => {
          throw fileFailure(name, error);
        }),
      close,
    };
  } catch (error) {
    close();
    throw fileFailure(name, error);
  }
}

async function readBytes(fd: number, into: Uint8Array): Promise<number> {
  return (await readFile(fd, into, 0, into.length, null)).bytesRead;
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
      return await readBytes(STANDARD_INPUT_FD, into);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0; // The end of a pipe on Windows.
      if (code !== 'EAGAIN') throw error;
      return (stream = readsOf(process.stdin))(into);
    }
  };
}

function counted(read: Read, count: (bytes: number) => void): Read {
  return async (into) => {
    const length = await read(into);
    count(length);
    return length;
  };
}

/** `read` itself, or what its bytes decompress to. */
async function decompressed(read: Read): Promise<Read> {
  const head = new Uint8Array(HEAD_BYTES);
  let length = 0;
  for (let got = 1; got > 0 && length < head.length; length += got) got = await read(head.subarray(length));
  const whole = behind(head.subarray(0, length), read);
  const format = formatOf(head.subarray(0, length));
  return format === undefined ? whole : readsOf(format.open(pieces(whole)));
}

function gunzip(compressed: AsyncGenerator<Uint8Array>): AsyncIterable<Uint8Array> {
  // The callback is for pipeline alone: the iterator of the last stream throws whatever fails in any of them.
  return pipeline(Readable.from(compressed), createGunzip(), () => {});
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
