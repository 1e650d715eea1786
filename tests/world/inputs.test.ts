// Inputs that caused trouble elsewhere, each with its report. The command reads their lines correctly, in pieces of any
// size, or ends with an error that says what to do.
import { describe, expect, test } from '@jest/globals';
import { constants } from 'node:buffer';
import { deflateSync, gzipSync } from 'node:zlib';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { csvReader } from '../../js/cli/input/csv';
import { property } from '../../js/cli/input/json-key';
import { keyRule } from '../../js/cli/input/key';
import { batches, KEYED, type Batch } from '../../js/cli/input/records';
import { openInput } from '../../js/cli/input/source';
import { command, printed } from '../js/support/command';
import { Random } from '../js/support/random';
import { at, file, numbered } from '../js/support/scratch';

const MARK = '\ufeff';

const UNMARKED = 'ann\r\nbob\r\nann\r\n';

/** `text` in UTF-16 with a byte order mark. */
function utf16(text: string, isBigEndian = false): Buffer {
  const bytes = Buffer.from(MARK + text, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
}

interface Settings {
  readonly key?: string;
  readonly delimiter?: string;
  readonly csv?: boolean;
}

/** The keys that are found in an input, which is read in pieces of at most `piece` bytes. */
async function keysIn(
  bytes: string | Uint8Array,
  settings: Settings = {},
  piece = Infinity,
): Promise<string[]> {
  const input = await openInput(file('input', bytes), () => {});
  const read = (into: Uint8Array): Promise<number> => input.read(into.subarray(0, piece));
  const all: AsyncGenerator<Batch> = settings.csv
    ? csvReader({ files: [], ...settings })(read, 'input')
    : batches(read, 10, keyRule(settings.key, settings.delimiter), 'input');
  const keys: string[] = [];
  try {
    for await (const { keys: packed, kinds, count } of all) {
      expect([...kinds.subarray(0, count)].filter((kind) => kind === KEYED)).toHaveLength(packed.length);
      for (const key of packed) keys.push(Buffer.from(key).toString());
    }
  } finally {
    input.close();
  }
  return keys;
}

/** Code for the process of a command: every read of a file or of standard input gives at most `length` bytes. */
function readingBy(length: number): string {
  return `import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    import { promisify } from 'node:util';
    const plain = promisify(fs.read);
    fs.read = Object.assign(() => {}, {
      [promisify.custom]: (fd, into, at, wanted, place) => plain(fd, into, at, Math.min(wanted, ${length}), place),
    });
    syncBuiltinESMExports();`;
}

describe('rows of CSV that end with a carriage return alone (mholt/PapaParse#43, haskell-hvr/cassava#54)', () => {
  test.each([1, 2, 3, 5, Infinity])('are told apart, in pieces of %d', async (piece) => {
    const rows = 'email,name\rann@x,"A\rnn"\r"bob@x",Bob\r\nann@x,Ann\n\r"eve@x",""\r';
    const keys = ['ann@x', 'bob@x', 'ann@x', 'eve@x'];
    expect(await keysIn(rows, { csv: true, key: 'email' }, piece)).toEqual(keys);
    expect(await keysIn(rows, { csv: true, key: '1' }, piece)).toEqual(['email', ...keys]);
  });

  test('come out as they are, and the filter is made for as many as there are', () => {
    const rows = Array.from({ length: 30_000 }, (_, i) => `${i % 20_000},x\r`);
    const out = printed(['dedup', '--csv', '--key', '1', '--rate', '1e-9', file('cr.csv', rows.join(''))]);
    expect(out === rows.slice(0, 20_000).join('')).toBe(true);
  });
});

describe('a byte order mark of UTF-8 (BurntSushi/ripgrep#1163)', () => {
  test.each([
    [{}, 'ann\nbob\n', ['ann', 'bob']],
    [{ key: '/^(\\w+)/' }, 'ann\nbob\n', ['ann', 'bob']],
    [{ key: '1', delimiter: ',' }, 'ann,1\nbob,2\n', ['ann', 'bob']],
    [{ key: 'name', csv: true }, '"name",n\nann,1\n', ['ann']],
  ])('is no part of the first key, with %j', async (settings, text, keys) => {
    for (const piece of [1, 2, Infinity]) {
      expect(await keysIn(MARK + text, settings, piece)).toEqual(keys);
      expect(await keysIn(gzipSync(MARK + text), settings, piece)).toEqual(keys);
    }
    expect(await keysIn(MARK)).toEqual([]);
    expect(await keysIn('\xef\xbb')).toEqual(['\xef\xbb']);
  });

  test('is printed once, where it was, whichever line comes first', () => {
    const [marked, plain] = [file('marked', `${MARK}ann\nbob\n`), file('plain', 'ann\nbob\neve\n')];
    expect(printed(['dedup', marked, marked, plain])).toBe(`${MARK}ann\nbob\neve\n`);
    expect(printed(['dedup', plain, marked])).toBe('ann\nbob\neve\n');
    printed(['build', '--save', file('bob', '')], 'bob\n');
    expect(printed(['query', '--load', at('bob'), marked])).toBe(`${MARK}bob\n`);
    expect(command(['dedup'], `${MARK}ann\nann\n`, readingBy(1)).out.toString()).toBe(`${MARK}ann\n`);
    expect(command(['dedup', '-D', marked]).out.toString()).toBe('');
  });
});

describe('UTF-16 with a mark, as of PowerShell (openwall/john#2802)', () => {
  const TEXT = 'ann,日本\r\nbob,😀\r\nann,😀\r\n';

  test.each([false, true])('is decoded, however it is cut (big-endian: %p)', async (isBigEndian) => {
    const bytes = utf16(TEXT, isBigEndian);
    for (const input of [bytes, gzipSync(bytes)])
      for (const piece of [1, 3, Infinity]) {
        expect(await keysIn(input, {}, piece)).toEqual(['ann,日本', 'bob,😀', 'ann,😀']);
        expect(await keysIn(input, { csv: true, key: '2' }, piece)).toEqual(['日本', '😀', '😀']);
        expect(await keysIn(input, { key: '/,(.)/u' }, piece)).toEqual(['日', '😀', '😀']);
      }
    const { out } = command(['dedup'], bytes, readingBy(1));
    expect(out.toString()).toBe(TEXT);
    expect(await keysIn(utf16('', isBigEndian))).toEqual([]);
  });

  test.each([
    ['an odd number of bytes', utf16('ann\n').subarray(0, -1)],
    ['half a character', utf16('a\ud83db\n')],
  ])('with %s is an error, because two keys would become one', async (_, bytes) => {
    await expect(keysIn(bytes)).rejects.toThrow(
      /input: the input begins with the byte order mark of UTF-16, but is not valid UTF-16\. It may be cut off or damaged: get the file again$/,
    );
  });

  test('is found by its keys, and finds them', () => {
    const path = file('of-utf-16', '');
    printed(['build', '--save', path, file('utf16', utf16('ann\r\nbob\r\n'))]);
    expect(printed(['query', '--load', path, file('utf8', 'eve\nbob\n')])).toBe('bob\n');
    expect(printed(['query', '--load', path, file('utf16be', utf16('eve\nbob\n', true))])).toBe('bob\n');
  });
});

describe('bytes after a member of gzip (nodejs/node#4306, nodejs/node#7502)', () => {
  const [one, two] = [gzipSync('a\nb\n'), gzipSync('c\n')];
  const large = gzipSync(Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * i * 31) >> 5)));

  test.each([
    ['another member', [one, two], ['a', 'b', 'c']],
    ['zeros', [one, Buffer.alloc(512)], ['a', 'b']],
    ['more zeros than a piece', [one, two, Buffer.alloc(200_000)], ['a', 'b', 'c']],
  ])('may be %s', async (_, parts, keys) => {
    expect(await keysIn(Buffer.concat(parts))).toEqual(keys);
  });

  test.each([
    ['zeros and a member', [one, Buffer.alloc(4), two]],
    ['a zero and lines', [one, Buffer.from('\0c\nd\n')]],
    ['many zeros and a byte', [one, Buffer.alloc(200_000), Buffer.of(1)]],
    ['the same after a large member', [large, Buffer.alloc(70_000), Buffer.of(1)]],
  ])('may not be %s', async (_, parts) => {
    await expect(keysIn(Buffer.concat(parts))).rejects.toThrow(
      /input: extra bytes follow the compressed data\. The file may be damaged: check it with gzip -t$/,
    );
  });

  test.each([
    ['lines', [one, Buffer.from('c\nd\n')]],
    ['half a member', [one, two.subarray(0, -3)]],
  ])('nor %s', async (_, parts) => {
    await expect(keysIn(Buffer.concat(parts))).rejects.toThrow(/input: /);
  });
});

describe('a format that is not read (BurntSushi/ripgrep#539)', () => {
  const bytes = (latin1: string): Buffer => Buffer.from(latin1, 'latin1');
  const tar = Buffer.alloc(1024);
  tar.write('ids.txt');
  tar.write('ustar', 257);
  const oldTar = Buffer.alloc(1024); // as tar --format=v7 writes it
  oldTar.write('ids.txt');
  oldTar.write('0000644\x000000000\x000000000\x0000000000004\x0015106624117\x00010323\0 0', 100);

  test.each([
    ['compressed with xz', 'xz -dc', bytes('\xfd7zXZ\0\0\x04')],
    ['compressed with lzma', 'xz -dc', bytes('\0\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff\0')],
    ['compressed with lzma', 'xz -dc', bytes(']\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff\0')],
    ['compressed with bzip2', 'bzip2 -dc', bytes('BZh91AY&SY\x01')],
    ['compressed with bzip2', 'bzip2 -dc', bytes('BZh9\x17rE8P\x90')],
    ['compressed with lz4', 'lz4 -dc', bytes('\x04"M\x18\x64')],
    ['compressed with lz4', 'lz4 -dc', bytes('\x02!L\x18\x0b\0\0\0')],
    ['compressed with compress', 'gzip -dc', bytes('\x1f\x9d\x90')],
    ['compressed with lzip', 'lzip -dc', bytes('LZIP\x01')],
    ['compressed with lzop', 'lzop -dc', bytes('\x89LZO\0\r\n\x1a\n')],
    ['compressed with snappy', 'snzip -dc', bytes('\xff\x06\0\0sNaPpY')],
    ['compressed with zlib', 'pigz -dc', deflateSync('a\nb\n'.repeat(1000))],
    ['compressed with zlib', 'pigz -dc', deflateSync('a\nb\n', { level: 5 })],
    ['compressed with zlib', 'pigz -dc', deflateSync(numbered(9000), { level: 3, windowBits: 9 })],
    ['a zip archive', 'unzip -p', bytes('PK\x03\x04\x0a\0'), 'archive.zip'],
    ['a 7z archive', '7z x -so', bytes("7z\xbc\xaf'\x1c\0\x04"), 'archive.7z'],
    ['a rar archive', 'unrar p -inul', bytes('Rar!\x1a\x07\x01\0'), 'archive.rar'],
    ['a tar archive', 'tar -xOf', tar],
    ['a tar archive', 'tar -xOf', oldTar],
    ['in UTF-32', 'iconv -f UTF-32 -t UTF-8', bytes('\xff\xfe\0\0a\0\0\0')],
    ['in UTF-32', 'iconv -f UTF-32 -t UTF-8', bytes('\0\0\xfe\xff\0\0\0a')],
    // PowerShell/PowerShell#9268.
    ...[UNMARKED, 'bücher-0\nb\n', '東京\r\n大阪\r\n'].map((lines): [string, string, Uint8Array] => [
      'in UTF-16 without a byte order mark',
      'iconv -f UTF-16LE -t UTF-8',
      Buffer.from(lines, 'utf16le'),
    ]),
    [
      'in UTF-16 without a byte order mark',
      'iconv -f UTF-16BE -t UTF-8',
      Buffer.from(UNMARKED, 'utf16le').swap16(),
    ],
  ])('is refused, with what to do: %s', async (is, unpack, input, inner = undefined) => {
    const name = file('input', '');
    await expect(keysIn(input)).rejects.toThrow(
      `input: the input is ${is}, which this command cannot read. Run ${unpack} ${name} | npx cuckoofilter-wasm ...`,
    );
    const unpackInner = inner === undefined ? `| ${unpack} -` : `> ${inner}, then ${unpack} ${inner}`;
    await expect(keysIn(gzipSync(input))).rejects.toThrow(
      `input: the decompressed input is ${is}, which this command cannot read. ` +
        `Run gzip -dc ${name} ${unpackInner} | npx cuckoofilter-wasm ...`,
    );
    // The first read of standard input may return less.
    if (!/tar|zlib|UTF-16/.test(is)) expect(command(['dedup'], input, readingBy(1)).code).toBe(2);
  });

  test.each([
    [
      'an Excel or other Office file',
      ', which this command cannot read. Save it as CSV first',
      bytes(`PK\x03\x04${'\0'.repeat(26)}xl/workbook.xml`),
    ],
    [
      'a saved filter',
      ', not lines. Pass it with --load, or use merge or info',
      CuckooFilter.from(['a']).serialize(),
    ],
  ])('is refused with advice if no command converts it: %s', async (is, advice, input) => {
    await expect(keysIn(input)).rejects.toThrow(`input: the input is ${is}${advice}`);
  });

  test('is not UTF-16 with --zero, but lines', () => {
    const lines = 'a\0b\0c\0d\0e\0f\0g\0h\0a\0';
    expect(printed(['dedup', '--zero'], lines)).toBe(lines.slice(0, -2));
  });

  test('is refused with a placeholder if its name needs quotes in a shell', () => {
    const { errors } = command(['dedup', file('my ids', bytes('\xfd7zXZ\0\0\x04'))]);
    expect(errors).toContain('my ids: the input is compressed with xz');
    expect(errors).toContain('Run xz -dc FILE | npx cuckoofilter-wasm ...');
  });

  test.each([
    '',
    'B',
    'BZh9',
    'PK',
    'x',
    'x\xda\n',
    'x\x9cab\n',
    'x^2\n',
    '\0\n',
    '1\x002\x003\n',
    '7z\n',
    'LZIP\n',
    'HK123456\n',
    'BZh91AY&SY\n',
    'PK00PK7\n',
    `${'-'.repeat(257)}ustar \n`,
    ']\0\0\n',
    '\xff\n',
  ])('is not taken from text that begins %j', async (begin) => {
    const rest = 'and goes on\n'.repeat(100);
    expect(await keysIn(bytes(`${begin}${rest}`))).toHaveLength((begin + rest).split('\n').length - 1);
    expect(await keysIn(bytes(begin))).toHaveLength(begin === '' ? 0 : 1);
  });

  test('is not taken from a list of positions on chromosome X, which inflates as far as it is looked at', async () => {
    const random = new Random(1);
    for (let i = 0; i < 60; ++i) {
      let at = 2_000_000 + random.below(2_000_000);
      const lines = Array.from({ length: 70 }, () => `X\t${(at += random.below(5000))}`);
      expect(await keysIn(lines.join('\n'))).toEqual(lines);
    }
  });

  test('frames of zstd that are to be skipped may come first, as pzstd writes them', () => {
    const skipped = bytes('\x50\x2a\x4d\x18\x04\0\0\0size');
    const { errors } = command(['dedup'], Buffer.concat([skipped, Buffer.from('junk')]));
    expect(errors).toMatch(/compressed with zstd, which needs|extra bytes follow|cut off|is damaged/);
  });
});

describe('CSV', () => {
  // Through `cat`, the mark of the second file is within the input.
  test.each([
    [
      'id,name\n1,a\n\ufeffid,name\n2,b\n',
      /line 3: a byte order mark begins this row, so another file begins here/,
    ],
    ['id,name\n1,a\n\ufeff"id",name\n2,b\n', /line 3: a byte order mark begins this row/],
    ['sep=;\r\nid;name\r\n', /line 1: this line tells Excel the delimiter.* use --delimiter ';'$/],
    ['sep=,\nid,name\n', /line 1: this line tells Excel the delimiter/],
  ])('%j is refused, with what to do', async (text, message) => {
    for (const settings of [{ key: '1' }, { key: 'id' }, { key: '1', delimiter: ';' }])
      await expect(keysIn(text, { csv: true, ...settings })).rejects.toThrow(message);
  });
});

test.each([
  ['gzip', (bytes: Buffer) => bytes.writeUInt8(bytes.readUInt8(bytes.length - 8) ^ 1, bytes.length - 8)],
  ['gzip', (bytes: Buffer) => bytes.fill(255, 10, 20)],
])('damaged %s is told as such, with what to do', async (_, damage) => {
  const bytes = gzipSync(numbered(1000));
  damage(bytes);
  await expect(keysIn(bytes)).rejects.toThrow(
    /input: the compressed data is damaged \(.+\)\. Get the file again$/,
  );
});

// Excel on a Mac writes such files: fivethirtyeight/data#287.
describe('text without newlines', () => {
  const advice =
    "standard input: the input has no newline but 3 carriage returns, so it is one line. Convert it with tr '\\r' '\\n' or, if it is CSV, use --csv";

  test('is one line, with advice', () => {
    const { code, out, errors } = command(['dedup', '--key', '1'], 'a\rb\ra\r');
    expect([code, out.toString(), errors]).toEqual([0, 'a\rb\ra\r\n', `cuckoofilter-wasm: ${advice}\n`]);
  });

  test.each([
    [['--quiet'], 'a\rb\r'],
    [['--zero'], 'a\rb\r'],
    [['--csv', '--key', '1'], 'a\rb\r'],
    [[], 'a\r'],
    [[], 'a\rb\n'],
    [[], 'a\nb\rc'],
    [[], ''],
  ])('gets no advice with %j and the input %j', (parameters, input) => {
    expect(command(['dedup', ...parameters], input).errors).toBe('');
  });
});

describe('a delimiter that no line has (ng-csv#28)', () => {
  test('is named if no column has the name of --key', () => {
    const { code, errors } = command(['dedup', '--csv', '--key', 'email'], 'id;email\n1;a\n');
    expect([code, errors]).toEqual([
      2,
      'cuckoofilter-wasm: standard input, line 1: no column is named "email"; there is only "id;email". ' +
        "If the fields are separated by ';', run again with --delimiter ';'\n",
    ]);
  });

  test.each([
    [
      ['--key', '1'],
      'a;1\nb;2\na;3\n',
      'no line contains a tab, so field 1 is the whole line. Check --delimiter',
    ],
    [
      ['-k1', '-d,'],
      'a;1\nb;2\na;3\n',
      'no line contains ",", so field 1 is the whole line. Check --delimiter',
    ],
    [
      ['--csv', '--key', '1'],
      'a;1\nb;2\na;3\n',
      "each row has one field, so the whole row is the key. If the fields are separated by ';', run again with --delimiter ';'",
    ],
    [
      ['--csv', '-k1', '-d|'],
      'a,1\nb,2\na,3\n',
      'each row has one field, so the whole row is the key. No row contains "|". Check --delimiter',
    ],
  ])('prints advice with %j', (parameters, input, advice) => {
    const { code, out, errors } = command(['dedup', ...parameters], input);
    expect([code, out.toString(), errors]).toEqual([0, input, `cuckoofilter-wasm: ${advice}\n`]);
    expect(command(['dedup', '--quiet', ...parameters], input).errors).toBe('');
  });

  test('prints no advice if a line contains it, or if CSV has one column', () => {
    for (const [parameters, input] of [
      [['-k1', '-d,'], 'a\nb,c\n'],
      [['--csv', '--key', '1'], 'a\nb;c\n'],
    ] as const)
      expect(printed(['dedup', ...parameters], input)).toBe(input);
  });
});

describe('a line longer than the longest string of V8 (BurntSushi/ripgrep#1511)', () => {
  test.each([
    ['--key is a regular expression', keyRule('/id/', undefined)],
    ['it is read as JSON', property('id')],
  ])('is an error if %s', (_, writeKey) => {
    expect(() => writeKey(Buffer.alloc(1), 0, constants.MAX_STRING_LENGTH + 1, 0, true)).toThrow(
      /^this line is longer than 512 MB, too long for --json-key or a regular expression\. Use a field number with --key, or omit --key$/,
    );
  });

  test('is an error with its number', async () => {
    const input = await openInput(file('lines', 'a\n'.repeat(100_000) + 'long\n'), () => {});
    const keys = batches(input.read, 10, failing, 'lines');
    const all = async (): Promise<void> => {
      for await (const batch of keys) expect(batch.count).toBeGreaterThan(0);
    };
    await expect(all()).rejects.toThrow(/^lines, line 100,001: too long$/);
    input.close();
  });

  function failing(bytes: Buffer, begin: number, end: number, at: number): number {
    if (end - begin > 1) throw new Error('too long');
    return at;
  }
});
