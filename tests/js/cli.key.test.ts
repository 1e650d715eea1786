// The key of a line, by rules read from --key and --delimiter: which bytes it is, and where they are put.
import { describe, expect, test } from '@jest/globals';
import { Failure } from '../../js/cli/failure';
import { keyRule } from '../../js/cli/key';
import { thrownBy } from './random';

/** The key that the rule finds in `line`, as Latin-1; undefined if there is none. Bytes around it must stay. */
function keyOf(key: string | undefined, line: string, delimiter?: string): string | undefined {
  const before = 'tab\there 7 ';
  const bytes = Buffer.from(`${before}${line}and 8\tbehind`, 'latin1');
  const same = Buffer.from(bytes);
  const end = keyRule(key, delimiter)(bytes, before.length, before.length + line.length, 3);
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
        const end = rule(bytes, 0, bytes.length, 0);
        expect(bytes.toString('latin1', 0, end)).toBe(/\d/.exec(line)?.[0]);
      }
    },
  );

  test('is read as the bytes that it is written with', () => {
    expect(keyOf('/ü(.)/', Buffer.from('aüb').toString('latin1'))).toBe('b');
    expect(keyOf('/[\\xff](.)/', '\xff\xfe')).toBe('\xfe');
  });
});

test.each([
  ['0', undefined, '--key must be a field number (1, 2, ...) or a /regular expression/, got "0"'],
  ['01', undefined, '--key must be a field number (1, 2, ...) or a /regular expression/, got "01"'],
  ['1x', undefined, '--key must be a field number (1, 2, ...) or a /regular expression/, got "1x"'],
  [
    'x1',
    undefined,
    '--key must be a field number (1, 2, ...) or a /regular expression/, got "x1". With --csv, it may be the name of a column',
  ],
  ['', undefined, '--key must be a field number (1, 2, ...) or a /regular expression/, got ""'],
  ['/a', undefined, '--key must be a field number (1, 2, ...) or a /regular expression/, got "/a"'],
  [
    'a/b/',
    undefined,
    '--key must be a field number (1, 2, ...) or a /regular expression/, got "a/b/". With --csv, it may be the name of a column',
  ],
  ['/a/I', undefined, '--key must be a field number (1, 2, ...) or a /regular expression/, got "/a/I"'],
  ['/a/i2', undefined, '--key must be a field number (1, 2, ...) or a /regular expression/, got "/a/i2"'],
  [undefined, ',', '--delimiter needs --key with a field number, such as --key 2'],
  ['/a/', ',', '--delimiter needs --key with a field number, such as --key 2'],
  ['1', '', '--delimiter must be one byte, got ""'],
  ['1', 'ab', '--delimiter must be one byte, got "ab"'],
  ['1', 'é', '--delimiter must be one byte, got "é"'],
])('--key %j with --delimiter %j is refused', (key, delimiter, message) => {
  expect(thrownBy(Failure, () => keyRule(key, delimiter)).message).toBe(message);
});

test.each([
  ['/a/ii', '--key "/a/ii" is not a valid regular expression: unknown flags'],
  ['/[/', '--key "/[/" is not a valid regular expression: Unterminated character class'],
])('--key %j is refused with what is wrong in it', (key, message) => {
  expect(thrownBy(Failure, () => keyRule(key, undefined)).message).toBe(message);
});
