// The key of a line, by rules read from --key and --delimiter: which bytes it is, and where they are put.
import { describe, expect, test } from '@jest/globals';
import { isAscii } from 'node:buffer';
import { keyRule } from '../../../../js/cli/input/key';
import { Failure } from '../../../../js/cli/words/failure';
import { runs } from '../../support/long';
import { claim, Random, thrownBy, withSeed } from '../../support/random';

/** The key that the rule finds in `line`, as Latin-1; undefined if there is none. Bytes around it must stay. */
function keyOf(key: string | undefined, line: string, delimiter?: string): string | undefined {
  const before = 'tab\there 7 ';
  const bytes = Buffer.from(`${before}${line}and 8\tbehind`, 'latin1');
  const same = Buffer.from(bytes);
  const end = keyRule(key, delimiter)(
    bytes,
    before.length,
    before.length + line.length,
    3,
    isAscii(Buffer.from(line, 'latin1')),
  );
  const from = before.length + line.length;
  expect(bytes.subarray(from)).toEqual(same.subarray(from));
  expect(bytes.subarray(0, 3)).toEqual(same.subarray(0, 3));
  if (end >= 0) return bytes.toString('latin1', 3, end);
  expect(end).toBe(-1);
  expect(bytes).toEqual(same);
  return undefined;
}

test.each([
  [undefined, 'a line\twith all', 'a line\twith all'],
  [undefined, '', ''],
  ['1', 'one\ttwo', 'one'],
  ['2', 'one\ttwo', 'two'],
  ['2', 'one\ttwo\tthree', 'two'],
  ['3', 'one\ttwo', undefined],
  ['1', '', ''],
  ['2', '', undefined],
  ['1', '\ttwo', ''],
  ['2', 'one\t', ''],
  ['2', '\t\t', ''],
  ['3', '\t\t', ''],
  ['4', '\t\t', undefined],
  ['10', '1\t2\t3\t4\t5\t6\t7\t8\t9\tten', 'ten'],
  ['/\\d/', 'a1b2', '1'],
  ['/\\d/', 'none', undefined],
  ['/$/', 'empty', ''],
  ['/(b)(c)/', 'abc', 'b'],
  ['/a(b?)/', 'ac', ''],
  ['/(q)|a/', 'ab', undefined],
  ['/a/(.)/', 'a/b', 'b'],
  ['/(\\w)=/', 'x=1', 'x'],
])('by %j the key of %j is %j', (key, line, found) => {
  expect(keyOf(key, line)).toBe(found);
});

test('a field ends at the delimiter that is given, and at no other byte', () => {
  expect(keyOf('2', 'a,b\tc,d', ',')).toBe('b\tc');
  expect(keyOf('2', 'a,b\tc,d')).toBe('c,d');
  expect(keyOf('2', 'a\0b\0c', '\0')).toBe('b');
});

describe('an expression', () => {
  test.each([
    ['/(id)/', 'ID', undefined],
    ['/(id)/i', 'ID', 'ID'],
    ['/a.b/', 'a\nb', undefined],
    ['/a.b/s', 'a\nb', 'a\nb'],
    ['/^b/', 'a\nb', undefined],
    ['/^b/m', 'a\nb', 'b'],
    ['/a\n(b)/', 'a\nb', 'b'],
  ])('%j has its flags, found in %j: %j', (key, line, found) => {
    expect(keyOf(key, line)).toBe(found);
  });

  test.each(['g', 'y', 'gy', 'yig'])(
    'finds the first match in every line, also with the flags %s',
    (flags) => {
      const rule = keyRule(`/\\d/${flags}`, undefined);
      for (const line of ['a1', 'b2', '3', 'x 4 5']) {
        const bytes = Buffer.from(line);
        const end = rule(bytes, 0, bytes.length, 0, true);
        expect(bytes.toString('latin1', 0, end)).toBe(/\d/.exec(line)?.[0]);
      }
    },
  );

  test.each([
    ['/([äöü])/', 'ö2', 'ö'],
    ['/^(.)/', 'è2', 'è'],
    ['/^(..)/', '漢字仮名', '漢字'],
    ['/[^,]{1,2}/', 'äöü', 'äö'],
    ['/(\\p{L}+)/u', '1 nè 2', 'nè'],
    ['/\\p{L}{2}/v', 'nñ', 'nñ'],
    ['/É/i', 'é', 'é'],
    ['/^.$/', '漢', '漢'],
    ['/^.$/u', '😀', '😀'],
    ['/^./', '😀a', '😀'],
    ['/.$/', '😀😁', '😁'],
    ['/^.(..)/', '😀😁a', '😀😁'],
    ['/[😀-😂]/u', 'a😁', '😁'],
    ['/ü(.)/', 'aüb', 'b'],
    ['/\\ufffd(.)/', '\ufffdb', 'b'],
    ['/^.a/', '\ufeffa', '\ufeffa'],
  ])('%j matches characters of UTF-8: in %j, %j', (key, line, found) => {
    expect(keyOf(key, Buffer.from(line).toString('latin1'))).toBe(Buffer.from(found).toString('latin1'));
  });

  test.each([
    ['/^./', '\xff\xfe', '\xff'],
    ['/.$/', 'ä\x80', '\x80'],
    ['/^..$/', '\xc3x', '\xc3x'],
    ['/[\\udcff](.)/', '\xff\xfe', '\xfe'],
    ['/^...$/', '\xed\xa0\x80', '\xed\xa0\x80'],
    ['/^..$/u', '\xe2\x82', '\xe2\x82'],
  ])('%j matches each byte that is not UTF-8 as one character: in %j, %j', (key, line, found) => {
    expect(keyOf(key, line)).toBe(found);
  });
});

describe('lines of any bytes, by an expression', () => {
  /** One character: its text, and what tells it from all others. Bytes that are not UTF-8 are one each. */
  interface Character {
    readonly text: string;
    readonly name: string;
  }

  function charactersOf(line: Uint8Array): Character[] {
    const characters: Character[] = [];
    for (let at = 0; at < line.length;) {
      const length = [1, 2, 3, 4].find((each) => isCharacter(line.subarray(at, at + each))) ?? 0;
      const text = Buffer.from(line.subarray(at, at + length)).toString();
      characters.push(
        length > 0
          ? { text, name: text }
          : { text: String.fromCharCode(0xdc00 + (line[at] ?? 0)), name: `byte ${line[at]}` },
      );
      at += Math.max(1, length);
    }
    return characters;
  }

  function isCharacter(bytes: Uint8Array): boolean {
    try {
      return [...new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)].length === 1;
    } catch {
      return false;
    }
  }

  /** The characters of which the expression matches any part in the decoded line; undefined for no match. */
  function modelOf(line: Uint8Array, expression: RegExp): string[] | undefined {
    const characters = charactersOf(line);
    const found = expression.exec(characters.map(({ text }) => text).join(''));
    const [from, to] = found?.indices?.[found.length > 1 ? 1 : 0] ?? [];
    if (from === undefined) return undefined;
    const units = characters.flatMap((character) =>
      Array.from(character.text, () => character).concat(character.text.length > 1 ? character : []),
    );
    return [...new Set(units.slice(from, to))].map(({ name }) => name);
  }

  const PIECES = ['a', 'b', ' ', '\r', 'é', 'É', 'ß', '漢', '\ufffd', '\ufeff', '😀', '😁', '𐂀', '\u{10ffff}']
    .map((text): Uint8Array => Buffer.from(text))
    .concat(
      [[0x80], [0xff], [0xc3], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98], [0xc0, 0x80]].map(
        (bytes) => Uint8Array.from(bytes),
      ),
    );

  function someLine(random: Random): Buffer {
    if (random.below(4) === 0) {
      const bytes = random.bytes(random.below(6));
      return Buffer.from(bytes.map((byte) => (byte === 10 ? 255 : byte)));
    }
    const pieces = Array.from({ length: random.below(5) }, () => PIECES[random.below(PIECES.length)]);
    return Buffer.concat(pieces.map((piece) => piece ?? Buffer.of()));
  }

  test.each<readonly [string, string]>([
    ['.*', 's'],
    ['^.', ''],
    ['^.', 'u'],
    ['.$', ''],
    ['.$', 'u'],
    ['^.(.*)', ''],
    ['(.*).$', ''],
    ['^.(.+).$', ''],
    ['(..)', 'su'],
    ['[^a ]+', ''],
    ['\\p{L}+', 'u'],
    ['(\\p{L}+)', 'v'],
    ['é(.)', 'i'],
    ['[\\udc80-\\udcff]', ''],
    ['[\\udc80-\\udcff]+', 'u'],
    ['(?<=a)(.?)', ''],
    ['.*\\r', ''],
  ])(
    '/%s/%s: the same key exactly where JavaScript matches the same, and valid text as its UTF-8',
    (source, flags) =>
      withSeed(7, (random) => {
        const rule = keyRule(`/${source}/${flags}`, undefined);
        const expression = new RegExp(source, `${flags}d`);
        const keys = new Map<string, string>();
        const matches = new Map<string, string>();
        for (let i = 0; i < runs(500, 2000); ++i) {
          const line = someLine(random);
          const bytes = Buffer.concat([line, Buffer.of(10)]);
          const end = rule(bytes, 0, line.length, 0, isAscii(line));
          const model = modelOf(line, expression);
          claim(end < 0 === (model === undefined), () => `${line.toString('hex')}: match or none`);
          if (model === undefined) continue;
          claim(bytes[line.length] === 10, () => `${line.toString('hex')}: written too far`);
          const key = bytes.toString('hex', 0, end);
          const match = JSON.stringify(model);
          const whole = Buffer.concat(model.map(bytesNamed));
          claim(whole.toString('hex') === key, () => `${line.toString('hex')}: ${key}`);
          claim(
            (keys.get(match) ?? key) === key,
            () => `${match} has the keys ${key} and ${keys.get(match)}`,
          );
          claim((matches.get(key) ?? match) === match, () => `${match} and ${matches.get(key)} have one key`);
          keys.set(match, key);
          matches.set(key, match);
        }
        claim(keys.size > 1, () => 'nothing was compared');
      })(),
  );

  function bytesNamed(name: string): Uint8Array {
    const [, byte] = /^byte (\d+)$/.exec(name) ?? [];
    return byte === undefined ? Buffer.from(name) : Buffer.of(Number(byte));
  }
});

test.each([
  ['0', undefined, '--key must be a field number (1, 2, ...) or a /regular expression/, got "0"'],
  ['01', undefined, '--key must be a field number (1, 2, ...) or a /regular expression/, got "01"'],
  ['1x', undefined, '--key must be a field number (1, 2, ...) or a /regular expression/, got "1x"'],
  [
    'x1',
    undefined,
    '--key must be a field number (1, 2, ...) or a /regular expression/, got "x1". With --csv, it may be the name of a column; for a property of JSON lines, use --json-key',
  ],
  ['', undefined, '--key must be a field number (1, 2, ...) or a /regular expression/, got ""'],
  ['/a', undefined, '--key must be a field number (1, 2, ...) or a /regular expression/, got "/a"'],
  [
    'a/b/',
    undefined,
    '--key must be a field number (1, 2, ...) or a /regular expression/, got "a/b/". With --csv, it may be the name of a column; for a property of JSON lines, use --json-key',
  ],
  ['/a/I', undefined, '--key must be a field number (1, 2, ...) or a /regular expression/, got "/a/I"'],
  ['/a/i2', undefined, '--key must be a field number (1, 2, ...) or a /regular expression/, got "/a/i2"'],
  [undefined, ',', '--delimiter needs --key with a field number, such as --key 2'],
  ['/a/', ',', '--delimiter needs --key with a field number, such as --key 2'],
  ['1', '', '--delimiter must be one byte, got ""; the default is a tab'],
  ['1', 'ab', '--delimiter must be one byte, got "ab"; the default is a tab'],
  ['1', 'é', '--delimiter must be one byte, got "é"; the default is a tab'],
])('--key %j with --delimiter %j is refused', (key, delimiter, message) => {
  expect(thrownBy(Failure, () => keyRule(key, delimiter)).message).toBe(message);
});

test.each([
  ['/a/ii', '--key "/a/ii" is not a valid regular expression: unknown flags'],
  ['/[/', '--key "/[/" is not a valid regular expression: Unterminated character class'],
])('--key %j is refused with what is wrong in it', (key, message) => {
  expect(thrownBy(Failure, () => keyRule(key, undefined)).message).toBe(message);
});

test('a line too long for the stack of the regular expression is refused', () => {
  const line = Buffer.from('ab'.repeat(1e7));
  expect(() => keyRule('/^(?:a|b)*$/', undefined)(line, 0, line.length, 0, true)).toThrow(
    /^this line is too long for the regular expression of --key\. Simplify its repetitions$/,
  );
});
