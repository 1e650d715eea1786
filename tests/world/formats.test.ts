// Saved filters and options in the forms in which users passed them to other packages.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, FormatError } from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { FilterReader } from 'cuckoofilter-wasm/reader';
import { gzipSync } from 'node:zlib';

const KEYS = Array.from({ length: 1000 }, (_, i) => `key ${i}`);
const saved = CuckooFilter.from(KEYS).serialize();

// node#35351, node#11132, pdf2json#427: a small Buffer begins anywhere in its ArrayBuffer, also at odd bytes.
test('a saved filter may begin at any byte of its buffer, also a shared one', () => {
  for (const kind of [ArrayBuffer, SharedArrayBuffer])
    for (let begin = 0; begin < 17; ++begin) {
      const bytes = new Uint8Array(new kind(begin + saved.length + 9), begin, saved.length);
      bytes.set(saved);
      for (const filter of [CuckooFilter.deserialize(bytes), new FilterReader(bytes)])
        expect(filter.containsMany(KEYS).every(Boolean)).toBe(true);
    }
});

describe('what is not a saved filter is refused with the reason', () => {
  const text = Buffer.from(saved);
  const whole = new ArrayBuffer(8192);
  new Uint8Array(whole).set(saved, 656);
  test.each<[string, Uint8Array | ArrayBuffer, string, RegExp]>([
    [
      'an HTML page (sql.js#454, vite#15929)',
      Buffer.from('<!DOCTYPE html><title>404'),
      'not-a-filter',
      /<!DOCTYPE/,
    ],
    [
      'gzip, as some servers and stores leave it (http-server#780, Pagefind#27)',
      gzipSync(saved),
      'not-a-filter',
      /they are gzip: decompress/,
    ],
    [
      'zstd (cri-o#3634, zenodo#1705: compressed once more than its reader knew)',
      Buffer.concat([Buffer.of(0x28, 0xb5, 0x2f, 0xfd), saved]),
      'not-a-filter',
      /they are zstd: decompress/,
    ],
    [
      'the body of a form, with its headers',
      Buffer.concat([Buffer.from('--x\r\ncontent-type: application/octet-stream\r\n\r\n'), saved]),
      'not-a-filter',
      /begins at byte 47: pass its view/,
    ],
    [
      'a pointer of Git LFS (git-lfs#4240, speedofsound#93)',
      Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:2d6c72\nsize 10\n'),
      'not-a-filter',
      /this is a pointer: run git lfs pull$/,
    ],
    ['bytes that were read as text', Buffer.from(text.toString('utf8')), 'not-a-filter', /read as text/],
    [
      'bytes that were read in code page 1252, which TextDecoder calls latin1 (whatwg/encoding#172)',
      Buffer.from(new TextDecoder('latin1').decode(saved)),
      'not-a-filter',
      /read as text/,
    ],
    [
      'bytes that were read as text and written with a mark',
      Buffer.from(`\ufeff${text.toString('latin1')}`),
      'not-a-filter',
      /read as text/,
    ],
    [
      'bytes that Windows PowerShell redirected (PowerShell#1908)',
      Buffer.from(`\ufeff${new TextDecoder('latin1').decode(saved)}`, 'utf16le'),
      'not-a-filter',
      /read as text/,
    ],
    [
      'bytes that were read as Latin-1 and sent as UTF-8 (node-postgres#807, axios#20)',
      Buffer.from(text.toString('latin1')),
      'not-a-filter',
      /read as text/,
    ],
    ...(
      [
        ['LF to CRLF (OpenFrontIO#4601, aribb24#4)', /\n/g, '\r\n'],
        ['LF to CRLF, but not CRLF', /(?<!\r)\n/g, '\r\n'],
        ['CRLF to LF (BetterTrumpet#54)', /\r\n/g, '\n'],
      ] as const
    ).map(
      ([what, from, to]) =>
        [
          `line ends that git changed, from ${what}`,
          Buffer.from(text.toString('latin1').replace(from, to), 'latin1'),
          'not-a-filter',
          /line ends were converted.*\.gitattributes/,
        ] as [string, Buffer, string, RegExp],
    ),
    [
      'base64, as API gateways leave it (lambda-api#54, serverless-express#39)',
      Buffer.from(text.toString('base64')),
      'not-a-filter',
      /base64: decode/,
    ],
    ...[text.toString('hex'), '\\x' + text.toString('hex'), text.toString('hex').toUpperCase()].map(
      (digits) =>
        [
          `digits of a database's hex, ${digits.slice(0, 8)} (node-postgres#161, ruby-pg#73)`,
          Buffer.from(digits),
          'not-a-filter',
          /hexadecimal: Buffer\.from\(.*'hex'\)$/,
        ] as [string, Buffer, string, RegExp],
    ),
    [
      'the buffer of a pooled Buffer (node#35351)',
      whole,
      'not-a-filter',
      /begins at byte 656.*not its buffer/,
    ],
    ['two filters in one file (guava#2357)', Buffer.concat([saved, saved]), 'cut-short', /more bytes follow/],
    ['a line end behind it', Buffer.concat([saved, Buffer.from('\n')]), 'cut-short', /more bytes follow/],
    ['no bytes (tsfile#360)', new Uint8Array(0), 'not-a-filter', /0 bytes/],
  ])('%s', (_, bytes, code, message) => {
    const load = (): unknown => CuckooFilter.deserialize(bytes);
    expect(load).toThrow(FormatError);
    expect(load).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }) as unknown as Error,
    );
    expect(() => new FilterReader(bytes)).toThrow(expect.objectContaining({ code }) as unknown as Error);
  });
});

// java-bloomfilter#9, guava#1028, bitpay/bloom-filter#10, fastbloom#17: division by zero, or a hang.
test('a filter of no keys is empty, in every way to make it', async () => {
  const none: string[] = [];
  async function* later(): AsyncGenerator<string> {}
  const filters: CuckooFilter[] = [
    CuckooFilter.from(none),
    CuckooFilter.from(new Set<string>()),
    CuckooFilter.from(new Uint32Array(0)),
    await CuckooFilter.fromAsync(later()),
  ];
  for (const filter of filters) {
    expect([filter.size, filter.has(''), filter.has('a'), filter.delete('a')]).toEqual([
      0,
      false,
      false,
      false,
    ]);
    expect(CuckooFilter.deserialize(filter.serialize()).equals(filter)).toBe(true);
  }
  expect(() => new CuckooFilter({ capacity: 0 })).toThrow(RangeError);
});

// RedisBloom#10, #196 and #720, rust-hyperloglog#13: rates out of range gave slow or broken filters, or a crash.
test('any rate between 0 and 1 gives a filter that finds its keys, and any other is refused', () => {
  for (const falsePositiveRate of [0.999999, 0.99, 0.5, 0.3, 1e-3, 1e-8])
    for (const capacity of [1, 2, 3, 100]) {
      const keys = KEYS.slice(0, capacity);
      const filter = CuckooFilter.from(keys, { capacity, falsePositiveRate });
      expect(filter.containsMany(keys).every(Boolean)).toBe(true);
    }
  for (const falsePositiveRate of [0, 1, 2, -0.1, 10.1, NaN, Infinity, 1e-300])
    expect(() => new CuckooFilter({ capacity: 3, falsePositiveRate })).toThrow(/falsePositiveRate/);
});

// xor_singleheader#13, xorf#25, xorfilter#30: keys given twice made an endless loop.
test('keys given many times end with an error that says so, and at once with areNew', () => {
  const keys = Array.from({ length: 10_000 }, () => 'a');
  expect(() => CuckooFilter.from(keys)).toThrow(
    expect.objectContaining({ reason: 'too-many-copies' }) as unknown as Error,
  );
  const filter = new CuckooFilter({ capacity: 9 });
  expect(filter.addManyIfAbsent(keys).reduce((sum, each) => sum + each, 0)).toBe(1);
});

// fastfilter_java#16 and #20, bloom-rs#9: a counter that was full began again at 0, or lost keys.
test('a counter at its maximum stays there, and its key is found', () => {
  for (const counterBits of [1, 2, 4, 8]) {
    const counter = new CuckooCounter({ capacity: 100, counterBits });
    const maximum = 2 ** counterBits;
    for (let i = 0; i < maximum + 5; ++i) counter.add('a');
    expect(counter.count('a')).toBe(maximum);
    for (let i = 0; i < maximum + 5; ++i) counter.delete('a');
    expect([counter.count('a'), counter.has('a')]).toEqual([maximum, true]);
  }
});

// jest#13535, fast-equals#91: objects whose content is private were all equal.
test('filters that differ are not equal to a test either', () => {
  const make = (key: string): CuckooFilter => CuckooFilter.from([key]);
  expect(make('a')).not.toEqual(make('b'));
  expect(make('a')).not.toStrictEqual(make('b'));
  expect(make('a')).toStrictEqual(make('a'));
});
