// Finds where a frame of zstd ends (RFC 8878, section 3.1.1). Node's decoder stops at the end of the first frame, and
// accepts one that is cut short, so each frame gets its own decoder, and its end is found here.
// Invariant: no byte of the input is skipped silently.
import { pipeline, Readable, type Duplex } from 'node:stream';
import zlib from 'node:zlib';

/** The number that begins a frame. */
const ZSTD_MAGIC = 0xfd2fb528;

/** Likewise of frames without data, but for the lowest four bits, which may be any. */
const SKIPPABLE_MAGIC = 0x184d2a5;

/** A block that repeats one byte. */
const RLE_BLOCK = 1;

type Pieces = AsyncGenerator<Uint8Array, void, undefined>;

/** Decompresses `pieces`, which are whole frames of zstd. Throws Error if they are cut short, damaged, or not zstd. */
export async function* unzstd(pieces: AsyncIterator<Uint8Array>): Pieces {
  const create = (zlib as { createZstdDecompress?: () => Duplex }).createZstdDecompress;
  if (create === undefined)
    throw new Error(
      `the input is compressed with zstd, which needs Node 22.15, 23.8 or newer, and this is ${process.versions.node}. Decompress it first: zstd -dc FILE | npx cuckoofilter-wasm ...`,
    );
  let rest: Uint8Array = new Uint8Array();
  const hasMore = async (): Promise<boolean> => {
    for (let step; rest.length === 0; rest = step.value) if ((step = await pieces.next()).done) return false;
    return true;
  };
  /** The next `count` bytes. */
  async function* next(count: number): Pieces {
    for (let left = count; left > 0;) {
      if (!(await hasMore()))
        throw Object.assign(new Error('unexpected end of file'), { code: 'Z_BUF_ERROR' }); // as of gunzip
      const part = rest.subarray(0, left);
      rest = rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }
  while (await hasMore()) {
    const decoder = create();
    // The callback is for pipeline alone: the iterator throws whatever fails.
    pipeline(Readable.from(frame(next)), decoder, () => {});
    yield* decoder as AsyncIterable<Uint8Array>;
  }
}

/** The bytes of the next frame, of which each header tells how many follow. */
async function* frame(next: (count: number) => Pieces): Pieces {
  const header = async (count: number): Promise<Buffer> => {
    const parts: Uint8Array[] = [];
    for await (const part of next(count)) parts.push(part);
    return Buffer.concat(parts);
  };
  const begin = await header(5);
  const magic = begin.readUInt32LE();
  if (magic >>> 4 === SKIPPABLE_MAGIC) {
    const more = await header(3);
    yield begin;
    yield more;
    yield* next(Buffer.concat([begin, more]).readUInt32LE(4));
    return;
  }
  if (magic !== ZSTD_MAGIC) throw extraBytes('zstd -t');
  yield begin;
  const descriptor = begin[4] as number;
  const isOneSegment = (descriptor >> 5) & 1;
  const sizeBytes = [isOneSegment, 2, 4, 8][descriptor >> 6] as number;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] as number;
  yield* next(1 - isOneSegment + dictionaryBytes + sizeBytes);
  for (let isLast = false; !isLast;) {
    const block = await header(3);
    yield block;
    const bits = block.readUIntLE(0, 3);
    isLast = (bits & 1) === 1;
    yield* next(((bits >> 1) & 3) === RLE_BLOCK ? 1 : bits >> 3);
  }
  yield* next(descriptor & 4); // the checksum
}

/** The error for compressed data that other bytes follow. */
export function extraBytes(test: string): Error {
  return new Error(`extra bytes follow the compressed data. The file may be damaged: check it with ${test}`);
}
