// The key of a line that is a JSON object: which value it is, and what is refused because two values would be one key.
import { describe, expect, test } from '@jest/globals';
import { isAscii } from 'node:buffer';
import { property } from '../../../../js/cli/input/json-key';
import { command, printed } from '../../support/command';

/** The key in `line`, whose bytes are Latin-1; undefined if there is none. Bytes around it must stay. */
function keyOf(line: string, name = 'id'): string | undefined {
  const bytes = Buffer.from(`before ${line} behind`, 'latin1');
  const end = property(name)(bytes, 7, 7 + line.length, 3, isAscii(Buffer.from(line, 'latin1')));
  expect(bytes.toString('latin1', 7 + line.length)).toBe(' behind');
  return end < 0 ? undefined : bytes.toString('utf8', 3, end);
}

const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');

test.each([
  ['{"id":"alice","n":1}', 'alice'],
  ['{ "n": {"id": "no"}, "id": "" }\r', ''],
  ['{"id":5}', '5'],
  ['{"id":"5"}', '5'],
  ['{"id":-0.5}', '-0.5'],
  ['{"id":9007199254740991}', '9007199254740991'],
  // jqlang/jq#2509: longer numbers were rounded, and two ids became one.
  ['{"id":9007199254740992}', '9007199254740992'],
  ['{"id":9007199254740993}', '9007199254740993'],
  ['{"id":-12345678901234567891 }', '-12345678901234567891'],
  [
    '{"id":1,"id": [ 9007199254740993, 1.50, "\\u0061]", {"\\u0062":-0}]}',
    '[9007199254740993,1.5,"a]",{"b":0}]',
  ],
  ['{"n":{"id":9007199254740993},"\\u0069d":[1.0],"x":[9007199254740993]}', '[1]'],
  ['{"id":1.0}', '1'],
  ['{"id":1.50000000000000000000}', '1.5'],
  ['{"id":10e-1}', '1'],
  ['{"id":0.00e999}', '0'],
  ['{"id":["\\ud800"]}', '["\\ud800"]'],
  ['{"id":true}', 'true'],
  ['{"id":null}', 'null'],
  ['{"id": [1, "a"]}', '[1,"a"]'],
  ['{"id":"a\\"b\\u00e9\\n"}', 'a"bé\n'],
  [bytesOf('{"id":"é😀"}'), 'é😀'],
  ['{"n":"\xff","id":"a"}', 'a'],
  ['{"other":1}', undefined],
  ['[1]', undefined],
  ['{"id":1234567890123456789012}', '1234567890123456789012'],
  // A double writes it as 1e+21, and a string does not.
  ['{"id":1000000000000000000000}', '1000000000000000000000'],
  ['{"id":-1.25e21, "n":"..................."}', '-1250000000000000000000'],
  ['{"id":1e-7}', '1e-7'],
  ['{"id":["\\udce9"],"n":"\xe9"}', '["\\udce9"]'],
  ['"id"', undefined],
  ['null', undefined],
  [' ', undefined],
])('the key of %j is %j', (line, key) => {
  expect(keyOf(line)).toBe(key);
});

test('is a property of the object itself', () => {
  expect(['length', '0'].map((name) => keyOf('[12345678901234567890]', name))).toEqual([
    undefined,
    undefined,
  ]);
  expect([keyOf('{}', 'toString'), keyOf('{"__proto__":"a"}', '__proto__')]).toEqual([undefined, 'a']);
});

test('is found in a line of any length', () => {
  const long = '\\n'.repeat(12_000_000);
  expect(keyOf(`{"n":"${long}","id":12345678901234567890}`)).toBe('12345678901234567890');
});

describe('a line is refused', () => {
  test.each([
    [
      'that is not JSON',
      '{"id":',
      /^this line is not JSON\. --json-key needs one JSON object per line: jq -c '\.\[\]' makes them of an array$/,
    ],
    [
      'that begins the next file of cat (jq#45)',
      '\xef\xbb\xbf{"id":1}',
      /^a byte order mark begins this line, so another file/,
    ],
    ...['0.10000000000000000001', '[1e400]', '{"n":1e-400}', '1.00000000000000001', '4e-324'].map(
      (number): [string, string, RegExp] => [
        `with the number ${number}`,
        `{"id":${number}}`,
        /has more digits than can be compared\. Write it as a string$/,
      ],
    ),
    [
      'with a value of too many arrays',
      `{"id":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
      /nested too deeply/,
    ],
    [
      'with a number longer than the line',
      '{"id":1e15}',
      /have exponents\. Write them without, or as strings$/,
    ],
    ['with an even longer one', '{"id":1e300}', /have exponents/],
    ['with half a character', '{"id":"\\ud83d"}', /is not valid Unicode\. Correct it, or remove the line$/],
    [
      'with a key that is not UTF-8',
      '{"id":"\xff"}',
      /is not valid Unicode\. Correct it, or remove the line$/,
    ],
    ['with a string in its key that is not UTF-8', '{"id":["\xe9"]}', /is not valid Unicode/],
    ['with a name in its key that is not UTF-8', '{"id":[{"\xe9":1}]}', /is not valid Unicode/],
  ])('%s', (_, line, message) => {
    expect(() => keyOf(line)).toThrow(message);
  });
});

describe('the command', () => {
  const LINES = '{"id":1,"n":1}\n{"id":2}\n{"id":"1","n":2}\n{"n":3}\n';

  test('compares the property, and prints the lines unchanged', () => {
    expect(printed(['dedup', '--json-key', 'id'], LINES)).toBe('{"id":1,"n":1}\n{"id":2}\n{"n":3}\n');
  });

  test('with --keep-empty takes null and empty strings for no key, and else counts them', () => {
    const lines = '{"id":""}\n{"id":null}\n{"id":""}\n{"id":null}\n{"id":1}\n{"id":1}\n';
    const kept = command(['dedup', '--json-key', 'id', '--keep-empty', '--summary'], lines);
    expect(kept.out.toString()).toBe(lines.slice(0, -9));
    expect(kept.errors).toMatch(/ 4 without the key, about 0 /);
    const counted = command(['dedup', '--json-key', 'id', '--summary'], lines);
    expect(counted.out.toString()).toBe('{"id":""}\n{"id":null}\n{"id":1}\n');
    expect(counted.errors).toMatch(/ 4 with an empty key, about 0 /);
  });

  test.each([
    ['where a line is not JSON', ['--json-key', 'id'], '{"id":1}\nid\n', 2, /line 2: this line is not JSON/],
    ['with another kind of key', ['--json-key', 'id', '--key', '1'], '', 2, /leave out --key and --csv/],
    ['with CSV', ['--json-key', 'id', '--csv'], '', 2, /leave out --key and --csv/],
    ['with a delimiter', ['--json-key', 'id', '-d', ','], '', 2, /--delimiter needs --key/],
    [
      'if no line has the property',
      ['-q', '--json-key', 'no'],
      LINES,
      2,
      /no line has a property "no"\. Check/,
    ],
    ['if it is a path', ['--json-key', 'a.b'], '{"a":{"b":1}}\n', 2, /not a path/],
  ])('says what to do %s', (_, options, input, code, message) => {
    const { code: ended, errors } = command(['dedup', ...options], input);
    expect([ended, errors]).toEqual([code, expect.stringMatching(message)]);
  });
});
