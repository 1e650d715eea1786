// Finds where a frame of zstd ends (RFC 8878, section 3.1.1). Node's decoder stops at the end of the first frame, and
// accepts one that is cut short, so each frame gets its own decoder, and its end is found here.
// Invariant: no byte of the input is skipped silently.
import { pipeline, Readable, type Duplex } from 'node:stream';
import zlib from 'node:zlib';

const ZSTD_MAGIC = [0x28, 0xb5, 0x2f, 0xfd];

/** The magic of frames without data; the low half of the first byte may be anything. */
const SKIPPABLE_MAGIC = [0x50, 0x2a, 0x4d, 0x18];

const BLOCK_HEADER_BYTES = 3;

/** A block that repeats one byte. */
const RLE_BLOCK = 1;

/** Decompresses `pieces`, which are whole frames of zstd. Throws Error if they are cut short, damaged, or not zstd. */
export async function* unzstd(
  pieces: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const create = (zlib as { createZstdDecompress?: () => Duplex }).createZstdDecompress;
  if (create === undefined)
    throw new Error(
      `the input is compressed with zstd, which needs Node 22.15, 23.8 or newer, and this is ${process.versions.node}. Decompress it first: zstd -dc FILE | npx cuckoofilter-wasm ...`,
    );
  let rest: Uint8Array | undefined = await next(pieces);
  async function* frame(): AsyncGenerator<Uint8Array, void, undefined> {
    const walk = new FrameWalk();
    for (; rest !== undefined; rest = await next(pieces)) {
      const length = walk.lengthIn(rest);
      yield rest.subarray(0, length);
      if (!walk.isAtEnd) continue;
      rest = length < rest.length ? rest.subarray(length) : await next(pieces);
      return;
    }
    throw Object.assign(new Error('unexpected end of file'), { code: 'Z_BUF_ERROR' }); // as of gunzip
  }
  while (rest !== undefined) {
    const decoder = create();
    // The callback is for pipeline alone: the iterator throws whatever fails.
    pipeline(Readable.from(frame()), decoder, () => {});
    yield* decoder as AsyncIterable<Uint8Array>;
  }
}

async function next(pieces: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  const step = await pieces.next();
  return step.done ? undefined : step.value;
}

/** Goes from header to header of one frame. */
class FrameWalk {
  isAtEnd = false;
  /** Bytes to pass over before the next header. */
  #skip = 0;
  readonly #header: number[] = [];
  #wanted = 5;
  #step: 'frame' | 'block' | 'end' = 'frame';
  #checksumBytes = 0;

  /** How many of the next bytes of the input belong to the frame. */
  lengthIn(bytes: Uint8Array): number {
    let at = 0;
    for (;;) {
      const passed = Math.min(this.#skip, bytes.length - at);
      at += passed;
      this.#skip -= passed;
      this.isAtEnd = this.#step === 'end' && this.#skip === 0;
      if (this.isAtEnd || at === bytes.length) return at;
      this.#header.push(bytes[at++] as number);
      if (this.#header.length === this.#wanted) this.#take();
    }
  }

  #take(): void {
    const header = this.#header;
    if (this.#step === 'frame' && !this.#takeFrame()) return;
    if (this.#step === 'block') this.#takeBlock();
    header.length = 0;
    this.#wanted = BLOCK_HEADER_BYTES;
    if (this.#step === 'frame') this.#step = 'block';
  }

  /** False if more of the header is needed. */
  #takeFrame(): boolean {
    const header = this.#header;
    if (isSkippable(header)) {
      if (header.length < 8) return this.#wants(8);
      this.#skip = Buffer.from(header).readUInt32LE(4);
      this.#step = 'end';
      return true;
    }
    if (!ZSTD_MAGIC.every((byte, at) => header[at] === byte))
      throw new Error(
        'extra bytes follow the compressed data. The file may be damaged: check it with zstd -t',
      );
    const descriptor = header[4] as number;
    const isOneSegment = (descriptor >> 5) & 1;
    const sizeBytes = [isOneSegment, 2, 4, 8][descriptor >> 6] as number;
    const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] as number;
    this.#skip = 1 - isOneSegment + dictionaryBytes + sizeBytes;
    this.#checksumBytes = descriptor & 4;
    return true;
  }

  #takeBlock(): void {
    const header = Buffer.from(this.#header).readUIntLE(0, BLOCK_HEADER_BYTES);
    const isLast = (header & 1) === 1;
    this.#skip = ((header >> 1) & 3) === RLE_BLOCK ? 1 : header >> 3;
    if (!isLast) return;
    this.#skip += this.#checksumBytes;
    this.#step = 'end';
  }

  #wants(bytes: number): false {
    this.#wanted = bytes;
    return false;
  }
}

function isSkippable([first = 0, ...others]: readonly number[]): boolean {
  const [low, ...rest] = SKIPPABLE_MAGIC;
  return (first & 0xf0) === low && rest.every((byte, at) => others[at] === byte);
}
