// Input that is compressed with zstd, frame by frame. Frames are made by hand, of blocks as they are, so that a decoder of
// a few lines stands in for that of newer versions of Node, which stops after one frame and takes a cut one for whole.
import { describe, expect, test } from '@jest/globals';
import * as zlib from 'node:zlib';
import { command } from '../../support/command';

const hasDecoder = 'createZstdDecompress' in zlib;

/** A frame of zstd that holds `text`, in raw blocks of at most `length` bytes, with `zeros` at its end if any. */
function frame(text: string, { length = 100, hasChecksum = false, zeros = 0 } = {}): Buffer {
  const bytes = Buffer.from(text);
  const blocks: Buffer[] = [];
  const header = (size: number, kind: number, isLast: boolean): Buffer => {
    const three = Buffer.alloc(3);
    three.writeUIntLE((size << 3) | (kind << 1) | Number(isLast), 0, 3);
    return three;
  };
  for (let at = 0; at < bytes.length; at += length) {
    const part = bytes.subarray(at, at + length);
    blocks.push(header(part.length, 0, at + length >= bytes.length && zeros === 0), part);
  }
  if (zeros > 0) blocks.push(header(zeros, 1, true), Buffer.of(0));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length + zeros);
  // One segment, its size in four bytes.
  const begin = Buffer.concat([Buffer.of(0x28, 0xb5, 0x2f, 0xfd, hasChecksum ? 0xa4 : 0xa0), size]);
  return Buffer.concat([begin, ...blocks, Buffer.alloc(hasChecksum ? 4 : 0, 7)]);
}

const SKIPPED = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);

/** Decodes the frames above, one per stream. */
const DECODER = `import zlib from 'node:zlib';
  import { syncBuiltinESMExports } from 'node:module';
  import { Transform } from 'node:stream';
  zlib.createZstdDecompress = () => {
    let all = Buffer.alloc(0);
    return new Transform({
      transform: (bytes, _, done) => ((all = Buffer.concat([all, bytes])), done()),
      flush(done) {
        if (all[0] !== 0x28) return done();
        for (let at = 9, last = 0; last === 0; ) {
          const header = all.readUIntLE(at, 3);
          last = header & 1;
          const isRepeated = ((header >> 1) & 3) === 1;
          const bytes = all.subarray(at + 3, at + 3 + (isRepeated ? 1 : header >> 3));
          this.push(isRepeated ? Buffer.alloc(header >> 3, bytes[0]) : bytes);
          at += 3 + bytes.length;
        }
        done();
      },
    });
  };
  syncBuiltinESMExports();`;

const NONE = `import zlib from 'node:zlib';
  import { syncBuiltinESMExports } from 'node:module';
  zlib.createZstdDecompress = undefined;
  syncBuiltinESMExports();`;

const LINES = 'one\ntwo\none\nthree\ntwo\n';

describe('input compressed with zstd', () => {
  test.each<readonly [string, Buffer, string]>([
    ['one frame', frame(LINES), 'one\ntwo\nthree\n'],
    ['blocks of one byte', frame(LINES, { length: 1 }), 'one\ntwo\nthree\n'],
    ['a block of one repeated byte', frame('a', { zeros: 5 }), 'a\0\0\0\0\0\n'],
    [
      'two frames, one with a checksum',
      Buffer.concat([frame('a\nb', { hasChecksum: true }), frame('\nc\na\n')]),
      'a\nb\nc\n',
    ],
    ['a frame to skip', Buffer.concat([frame('a\n'), SKIPPED, frame('b\n')]), 'a\nb\n'],
    [
      'frames longer than a piece',
      Buffer.concat([frame('x'.repeat(200_000), { length: 100_000 }), frame('\na\n')]),
      `${'x'.repeat(200_000)}\na\n`,
    ],
  ])('is decompressed: %s', (_, input, output) => {
    const { out, errors, code } = command(['dedup'], input, hasDecoder ? '' : DECODER);
    expect([errors, code, out.toString()]).toEqual(['', 0, output]);
  });

  test.each<readonly [string, Buffer, string]>([
    ['is cut short', frame(LINES).subarray(0, -1), 'the compressed data is cut off. Get the file again'],
    [
      'is cut in its checksum',
      frame(LINES, { hasChecksum: true }).subarray(0, -1),
      'the compressed data is cut off. Get the file again',
    ],
    [
      'is cut in a second frame',
      Buffer.concat([frame('a\n'), frame('b\n').subarray(0, 6)]),
      'the compressed data is cut off. Get the file again',
    ],
    ...[[...Buffer.from('junk')], [0x27, 0xb5, 0x2f, 0xfd], [0x60, 0x2a, 0x4d, 0x18], [0x50, 0x2a, 0, 0]].map(
      (begin) =>
        [
          `goes on with ${begin.join(' ')}`,
          Buffer.concat([frame('a\n'), Buffer.from(begin), Buffer.alloc(20, 1)]),
          'extra bytes follow the compressed data. The file may be damaged: check it with zstd -t',
        ] as const,
    ),
  ])('that %s is an error', (_, input, message) => {
    const { errors, code } = command(['dedup'], input, hasDecoder ? '' : DECODER);
    expect([errors, code]).toEqual([`cuckoofilter-wasm: standard input: ${message}\n`, 2]);
  });

  test('is refused by a Node that does not know it, with what to do', () => {
    const { errors, out, code } = command(['dedup'], frame(LINES), NONE);
    expect([code, out.length, errors]).toEqual([
      2,
      0,
      'cuckoofilter-wasm: standard input: the input is compressed with zstd, which needs Node 22.15, 23.8 or newer, and this is ' +
        `${process.versions.node}. Decompress it first: zstd -dc FILE | npx cuckoofilter-wasm ...\n`,
    ]);
  });
});
