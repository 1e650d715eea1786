// The command's lines, beside a Set of the same lines: whatever their length, wherever a chunk ends, whatever is in them.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { command, printed } from '../../support/command';
import { Random, sameBytes, withSeed } from '../../support/random';

/** So low that no test meets a false positive. */
const EXACT = ['--rate', '1e-8', '--capacity', '50000'];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cuckoofilter-lines-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, bytes: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** The first of the lines that are equal but for a carriage return before a newline, or the others. */
function expected(lines: readonly Buffer[], end: number, duplicates = false): Buffer[] {
  const seen = new Set<string>();
  return lines.filter((line) => {
    const { size } = seen;
    const text = line.toString('latin1');
    return (seen.add(end === 10 ? text.replace(/\r$/, '') : text).size === size) === duplicates;
  });
}

function joined(lines: readonly Buffer[], end = 10): Buffer {
  return Buffer.concat(lines.flatMap((line) => [line, Buffer.of(end)]));
}

/** Lines of any bytes but the one that ends them; some so long that they take several chunks. */
function someLines(random: Random, count: number, end: number): Buffer[] {
  const lengths = [0, 1, 2, 15, 80, 300];
  const distinct = Array.from({ length: count }, (_, i) => {
    const length = i % 400 === 7 ? 200_000 + random.below(200_000) : (lengths[random.below(6)] ?? 0);
    return Buffer.from(random.bytes(length).map((byte) => (byte === end ? 255 : byte)));
  });
  return Array.from({ length: 2 * count }, () => distinct[random.below(count)] ?? Buffer.alloc(0));
}

describe('random lines of all lengths come out as from a Set', () => {
  test.each([
    [1, 10, []],
    [2, 0, ['--zero']],
  ] as const)('seed %d, ended by byte %d', (seed, end, flags) => {
    withSeed(seed, (random) => {
      const lines = someLines(random, 3000, end);
      const input = joined(lines, end);
      const ran = command(['dedup', ...flags, ...EXACT], input);
      expect(ran.errors).toBe('');
      expect(sameBytes(ran.out, joined(expected(lines, end), end))).toBe(true);
      const dropped = command(['dedup', '--duplicates', ...flags, ...EXACT, file('lines', input)]);
      expect(sameBytes(dropped.out, joined(expected(lines, end, true), end))).toBe(true);
    })();
  });
});

test('a line whose end is the first or the last byte of a chunk is whole', () => {
  const chunk = 1 << 17;
  for (const length of [chunk - 2, chunk - 1, chunk, chunk + 1, 2 * chunk - 1, 2 * chunk]) {
    const lines = ['x'.repeat(length), 'a', 'x'.repeat(length), 'b', 'a'].map((line) => Buffer.from(line));
    const { out } = command(['dedup', ...EXACT, file('border', joined(lines))]);
    expect(sameBytes(out, joined(expected(lines, 10)))).toBe(true);
  }
});

test('empty lines alone fill chunks, and are one line', () => {
  expect(printed(['dedup', ...EXACT], '\n'.repeat(400_000))).toBe('\n');
});

test.each([
  ['nothing', '', ''],
  ['one line without its end', 'a', 'a\n'],
  ['a last line without its end that came before', 'a\nb\na', 'a\nb\n'],
  ['a last line without its end that is new', 'a\nb', 'a\nb\n'],
  ['an empty line', '\n\na\n\n', '\na\n'],
  ['Windows line ends, which are not of the key', 'a\r\nb\na\nb\r\n\r\n\n', 'a\r\nb\n\r\n'],
  ['other carriage returns, which belong to the line', 'a\r\r\na\r\nb\rc\r', 'a\r\r\na\r\nb\rc\r\n'],
  ['zero bytes, which belong to the line', 'a\0b\na\0b\na\n', 'a\0b\na\n'],
  ['what is no text', '日本\n日本\n', '日本\n'],
])('of %s the lines are kept as they are', (_, input, output) => {
  expect(printed(['dedup', ...EXACT], input)).toBe(output);
  expect(printed(['dedup', file('kept', input)])).toBe(output);
});

test('with --zero, lines end with zero bytes and newlines belong to them', () => {
  expect(printed(['dedup', '-z', ...EXACT], 'a\nb\0c\0a\nb\0c')).toBe('a\nb\0c\0');
});

test('several files are one input, each with whole lines, standard input among them', () => {
  const [one, two] = [file('one', 'a\nb'), file('two', 'b\nc')];
  expect(printed(['dedup', one, two])).toBe('a\nb\nc\n');
  expect(printed(['dedup', one, '-', two], 'c\nx\n')).toBe('a\nb\nc\nx\n');
});

describe('compressed input', () => {
  const text = Array.from({ length: 50_000 }, (_, i) => `line ${i % 20_000}\n`).join('');
  const unique = text.slice(0, text.indexOf('line 19999\n') + 11);

  test('is known by its first bytes and unzipped, from a file and from standard input', () => {
    expect(printed(['dedup', ...EXACT, file('a.gz', gzipSync(text))])).toBe(unique);
    expect(printed(['dedup', ...EXACT], gzipSync(text))).toBe(unique);
  });

  test('may be of several members, and of none', () => {
    expect(printed(['dedup'], Buffer.concat([gzipSync('a\nb'), gzipSync('c\na\n')]))).toBe('a\nbc\n');
    expect(printed(['dedup'], gzipSync(''))).toBe('');
  });

  test('that is cut short is an error that names the file', () => {
    const cut = gzipSync(text).subarray(0, 5000);
    const { code, errors } = command(['dedup', file('cut.gz', cut)]);
    expect(code).toBe(2);
    expect(errors).toMatch(/cut\.gz: the compressed data is cut off\. Get the file again\n$/);
  });

  test('is no more than two bytes of it', () => {
    expect(Buffer.compare(command(['dedup'], Buffer.of(0x1f)).out, Buffer.of(0x1f, 10))).toBe(0);
  });
});

describe('the key of a line', () => {
  // Only the rule of its own row keeps just these lines: by another field, group or flag, others would be dropped.
  test.each<readonly [string, readonly string[], readonly string[], readonly string[]]>([
    ['field 2, between tabs', ['--key', '2'], ['x\t1\ta', 'x\t2\ta', 'y\t1\tb'], ['y\t1\tb']],
    ['field 1', ['-k1'], ['x\t1', 'y\t1', 'x\t2'], ['x\t2']],
    ['the last field', ['--key=3'], ['a\t1\tc', 'a\t1\td', 'b\t2\tc'], ['b\t2\tc']],
    ['a field between other bytes', ['-k', '2', '-d', 'f'], ['1f2f\t3', '1f3f\t3', '2f2f\t4'], ['2f2f\t4']],
    ['what an expression matches', ['-k', '/[0-9]/'], ['a1b', 'a2b', 'x1y'], ['x1y']],
    ['its first group', ['-k', '/([a-z])(\\d)/'], ['a1', 'b1', 'a2'], ['a2']],
    ['a group that takes no part', ['-k', '/(q)|./'], ['ab', 'ac', 'qa', 'qb'], ['qb']],
    ['without regard to case', ['-k', '/ID=(\\d)/i'], ['id=1', 'Id=2', 'iD=1'], ['iD=1']],
    ['the first match, also by an expression for all', ['-k', '/\\d/g'], ['a1', 'b1', 'c2'], ['b1']],
    ['over a newline within the line', ['-z', '-k', '/a.(b)/s'], ['a\nb', 'xa\nb', 'a\nx'], ['xa\nb']],
  ])('may be %s', (_, parameters, lines, dropped) => {
    const end = parameters.includes('-z') ? '\0' : '\n';
    const joinedLines = (chosen: readonly string[]): string => chosen.map((line) => line + end).join('');
    const kept = lines.filter((line) => !dropped.includes(line));
    expect(printed(['dedup', ...EXACT, ...parameters], joinedLines(lines))).toBe(joinedLines(kept));
    expect(printed(['dedup', '-D', ...EXACT, ...parameters], joinedLines(lines))).toBe(joinedLines(dropped));
  });

  test('is not there in lines that lack it, which are never dropped', () => {
    expect(printed(['dedup', '-k', '2', ...EXACT], 'a\na\nb\tc\n')).toBe('a\na\nb\tc\n');
    expect(printed(['dedup', '-k', '2', '--duplicates', ...EXACT], 'a\na\nb\tc\n')).toBe('');
  });

  test('may be empty, and then is a key as any other', () => {
    expect(printed(['dedup', '-k', '2', ...EXACT], 'a\t\nb\t\nc\n')).toBe('a\t\nc\n');
  });

  test('is bytes, also where they are no text: different ones stay different', () => {
    const lines = Buffer.from([0xff, 9, 0xfe, 10, 0xff, 9, 0xfd, 10, 0xff, 9, 0xfe, 10]);
    for (const key of ['2', '/\\t(.)/']) {
      expect(sameBytes(command(['dedup', '-k', key, ...EXACT], lines).out, lines.subarray(0, 8))).toBe(true);
    }
    expect(printed(['dedup', '-k', '/ü./', ...EXACT], 'aüb\ncüb\naüc\n')).toBe('aüb\naüc\n');
  });

  test(
    'is the same as cut out by hand, for random fields',
    withSeed(5, (random) => {
      const lines = Array.from(
        { length: 20_000 },
        () => `${random.below(50)},${random.below(3000)},${random.below(9)}`,
      );
      const seen = new Set<string>();
      const kept = lines.filter((line) => seen.size < seen.add(line.split(',')[1] ?? '').size);
      expect(printed(['dedup', '-k2', '-d,', ...EXACT], lines.join('\n'))).toBe(`${kept.join('\n')}\n`);
    }),
  );
});

describe('--key /expression/ reads lines as UTF-8', () => {
  test('so that characters are keys of their own', () => {
    expect(printed(['dedup', '--key', '/([äöü])/'], 'ä1\nö2\nü3\nö4\n')).toBe('ä1\nö2\nü3\n');
    expect(printed(['dedup', '--key', '/^(.)/'], 'é1\nè2\né3\n')).toBe('é1\nè2\n');
    expect(printed(['dedup', '--key', '/^./u'], '😀1\n😁2\n😀3\n')).toBe('😀1\n😁2\n');
  });

  test('and finds what a filter of whole lines holds, also where bytes are not UTF-8', () => {
    const keys = [
      Buffer.from('naïve'),
      Buffer.from('漢字'),
      Buffer.from('😀'),
      Buffer.of(0xff, 0xe9),
      Buffer.of(0xc3),
    ];
    printed(['build', ...EXACT, '--save', join(folder, 'column'), file('keys', joined(keys))]);
    const lines = joined(keys.map((key) => Buffer.concat([Buffer.from('1,'), key, Buffer.from(',ñ\r')])));
    const query = ['query', '--load', join(folder, 'column'), '--key', '/,([^,]*),/'];
    expect(command(query, lines).out.equals(lines)).toBe(true);
    expect(command(query, '1,naive,\n1,字,\n1,\ufffd,\n').out.toString()).toBe('');
  });
});
