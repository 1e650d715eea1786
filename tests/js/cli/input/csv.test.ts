// Rows of CSV: which belong together, what their key is, and what is no CSV.
import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { csvReader } from '../../../../js/cli/input/csv';
import { Failure } from '../../../../js/cli/words/failure';
import { command, printed } from '../../support/command';
import { IS_LONG } from '../../support/long';
import { Random, sameBytes, thrownBy } from '../../support/random';
import { file, folder } from '../../support/scratch';

const MARK = '\ufeff';

describe('rows with the key of a row before them are dropped, and all others come out as they are', () => {
  test.each<readonly [string, readonly string[], string, string]>([
    ['a field after a comma in quotes', ['-k2'], '1,"a,b"\n2,"a,c"\n3,"a,b"\n', '1,"a,b"\n2,"a,c"\n'],
    ['quotes that need not be there', ['-k1'], '"a",1\na,2\nb,3\n', '"a",1\nb,3\n'],
    ['quotes within quotes', ['-k1'], '"a""b",1\n"a""b",2\n"a""c",3\n', '"a""b",1\n"a""c",3\n'],
    ['line breaks in quotes', ['-k2'], '1,"a\nb"\n2,"a\nb"\n3,"a\r\nb"\n', '1,"a\nb"\n3,"a\r\nb"\n'],
    ['both line breaks', ['-k2'], '1,a\r\n2,a\n3,b\r\n', '1,a\r\n3,b\r\n'],
    ['a last row without its end', ['-k1'], 'a,1\nb,2', 'a,1\nb,2\n'],
    ['a last row without its end, quoted', ['-k1'], 'a,1\nb,"2"', 'a,1\nb,"2"\n'],
    ['empty fields', ['-k2'], 'a,\nb,""\nc,d\n', 'a,\nc,d\n'],
    ['empty lines', ['-k1'], 'a,1\n\na,2\n\n\nb,3\n', 'a,1\n\n\n\nb,3\n'],
    ['empty lines of one column', ['-k1'], 'a\n\nb\n\r\na\n\n', 'a\n\nb\n\r\n\n'],
    ['empty fields of one column', ['-k1'], '""\n\na\n""\n\n""', '""\n\na\n\n'],
    ['an empty field after a mark', ['-k1'], `${MARK}""\n""\n\n`, `${MARK}""\n\n`],
    ['empty lines before the first row', ['-k1'], '\n\r\na,1\na,2\n', '\n\r\na,1\n'],
    ['empty lines before the header', ['-k', 'id'], `${MARK}\n\nid,x\n1,a\n1,b\n`, `${MARK}\n\nid,x\n1,a\n`],
    ['another delimiter', ['-k2', '-d;'], '1;"a;b"\n2;"a;b"\n', '1;"a;b"\n'],
    ['tabs', ['-k2', '-d\t'], '1\t"a"\n2\ta\n', '1\t"a"\n'],
    ['a byte order mark', ['-k1'], `${MARK}a,1\na,2\n`, `${MARK}a,1\n`],
    ['a column by its name', ['-k', 'id'], 'name,id\na,1\nb,1\nc,2\n', 'name,id\na,1\nc,2\n'],
    [
      'a quoted name after a mark',
      ['-k', 'my "id"'],
      `${MARK}"my ""id""",x\n1,a\n1,b\n`,
      `${MARK}"my ""id""",x\n1,a\n`,
    ],
    ['a name beyond ASCII', ['-k', 'größe'], 'x,größe\na,1\nb,1\n', 'x,größe\na,1\n'],
    ['a header by number', ['-k2', '--header'], 'a,id\nb,id\nc,id\n', 'a,id\nb,id\n'],
    ['nothing', ['-k', 'id'], '', ''],
    ['a header alone', ['-k', 'id'], 'id', 'id\n'],
    ['duplicates, with the header', ['-k', 'id', '-D'], 'id,x\n1,a\n1,b\n', 'id,x\n1,b\n'],
  ])('%s', (_, flags, input, output) => {
    expect(printed(['dedup', '--csv', ...flags], input)).toBe(output);
    if (IS_LONG || flags.length > 1)
      expect(printed(['dedup', '--csv', ...flags, file('zipped', gzipSync(input))])).toBe(output);
  });

  test('bytes that are no text stay as they are, and make different keys', () => {
    const input = Buffer.from([0xff, 44, 49, 10, 0xfe, 44, 50, 10, 0xff, 44, 51, 10]);
    expect(sameBytes(command(['dedup', '--csv', '-k1'], input).out, input.subarray(0, 8))).toBe(true);
  });

  test('several files have one header, which is printed once', () => {
    const [one, two] = [file('one', 'id,x\n1,a\n2,b'), file('two', 'id,x\n2,c\n3,d\n')];
    expect(printed(['dedup', '--csv', '-k', 'id', one, two])).toBe('id,x\n1,a\n2,b\n3,d\n');
    const { errors, code } = command(['dedup', '--csv', '-k', 'id', one, file('other', 'x,id\na,1\n')]);
    expect([code, errors]).toEqual([
      2,
      expect.stringMatching(
        /other, line 1: the header of .*other differs from that of the previous file; run the command once for each\n$/,
      ),
    ]);
  });

  test('the filter is that of the values, without quotes or header', () => {
    const filter = join(folder, 'filter');
    expect(printed(['build', '--csv', '-k', 'id', '-s', filter], 'id,x\n"a,b",1\nc,2\n')).toBe('');
    expect(printed(['query', '-l', filter], 'a,b\n"a,b"\nc\nid\n')).toBe('a,b\nc\n');
    const query = ['query', '--csv', '-k', 'id', '-l', filter];
    expect(printed(query, 'x,id\n1,c\n2,d\n')).toBe('x,id\n1,c\n');
    expect(command(query, 'x,id\n2,d\n')).toMatchObject({ code: 1, errors: '' });
    expect(printed([...query, '-v'], 'x,id\n1,c\n2,d\n')).toBe('x,id\n2,d\n');
  });
});

/** Fields of all kinds, each as its value and as it is written. */
function someField(random: Random): { value: string; written: string } {
  const letters = ['a', 'b', ',', '"', '\n', '\r\n', 'ü', ' ', 'x'.repeat(random.below(3000))];
  const value = Array.from({ length: random.below(5) }, () => letters[random.below(letters.length)]).join('');
  const isPlain = !/[",\r\n]/.test(value) && random.below(2) === 0;
  return { value, written: isPlain ? value : `"${value.replaceAll('"', '""')}"` };
}

describe('random rows, read in pieces of any size', () => {
  test.each([1, 2, 3])('seed %d', async (seed) => {
    const random = new Random(seed);
    const rows = Array.from(
      { length: seed === 1 ? 60 : 300 },
      () => [someField(random), someField(random)] as const,
    );
    // A row longer than a chunk.
    const long = `${'ab\n'.repeat(100_000)},`;
    if (seed === 2)
      rows.splice(random.below(300), 0, [someField(random), { value: long, written: `"${long}"` }]);
    const ends = rows.map(() => (random.below(2) === 0 ? '\n' : '\r\n'));
    const texts = rows.map((row, i) => `${row.map(({ written }) => written).join(',')}${ends[i]}`);
    const input = Buffer.from(texts.join(''));
    let at = 0;
    const read = async (into: Uint8Array): Promise<number> => {
      const length = Math.min(1 + random.below(seed === 1 ? 3 : 5000), into.length, input.length - at);
      into.set(input.subarray(at, at + length));
      at += length;
      return length;
    };
    const seen: string[] = [];
    const keys: string[] = [];
    for await (const batch of csvReader({ files: [], csv: true, key: '2' })(read, 'rows')) {
      let begin = 0;
      for (const end of batch.ends) {
        seen.push(Buffer.from(batch.bytes.subarray(begin, end)).toString());
        begin = end;
      }
      keys.push(...Array.from(batch.keys, (key) => Buffer.from(key).toString()));
    }
    expect(seen).toEqual(texts);
    expect(keys).toEqual(rows.map(([, { value }]) => value));
  });
});

describe('what is no CSV ends the run with the line that its row begins with, after the rows before it', () => {
  test.each<readonly [string, string, string, string]>([
    [
      'a quote that stays open',
      'a,1\nb,"2\nc,3\n',
      'a,1\n',
      'line 2: a quote is opened in this row and never closed',
    ],
    [
      'a quote within a field',
      'a,1\nb,"x\ny"\nc,3"4"\n',
      'a,1\nb,"x\ny"\n',
      'line 4: a quote is within a field that does not begin with one; write "a ""b"" c" for a "b" c',
    ],
    [
      'text after quotes',
      'a,1\r\nb,"2"3\r\n',
      'a,1\r\n',
      'line 2: text follows a closing quote; a quote within quotes is written ""',
    ],
    [
      'too few fields',
      'a,1\n\n"b"\nc,3\n',
      'a,1\n\n',
      'line 3: this row has 1 field, and the first row has 2. Check the delimiter and the quotes',
    ],
    [
      'too many',
      'a,1\nb,2,3',
      'a,1\n',
      'line 2: this row has 3 fields, and the first row has 2. Check the delimiter and the quotes',
    ],
    [
      'no such field',
      'a\nb\n',
      '',
      'line 1: --key 2 is too large: the rows have 1 field. Check the delimiter',
    ],
  ])('%s', (_, input, output, message) => {
    const { code, out, errors } = command(['dedup', '--csv', '-k2', file('bad', input)]);
    expect([code, out.toString(), errors]).toEqual([
      2,
      output,
      `cuckoofilter-wasm: ${join(folder, 'bad')}, ${message}\n`,
    ]);
  });

  test('a quote that stays open over megabytes', () => {
    const open = file('open', `a\n"b\n${'c\n'.repeat(9_000_000)}`);
    const { code, errors } = command(['dedup', '--csv', '-k1', open]);
    expect([code, errors]).toEqual([
      2,
      `cuckoofilter-wasm: ${open}, line 2: this row is longer than 16 MB; a quote is probably never closed\n`,
    ]);
  });

  test('a name that no column has', () => {
    expect(command(['dedup', '--csv', '-k', 'ID'], 'größe,"a ""b"""\n').errors).toBe(
      'cuckoofilter-wasm: standard input, line 1: no column is named "ID"; there are "größe", "a \\"b\\""\n',
    );
  });

  test('a name that two columns have', () => {
    expect(command(['dedup', '--csv', '-k', 'id'], 'id,n,id\n1,2,3\n').errors).toBe(
      'cuckoofilter-wasm: standard input, line 1: two columns are named "id"; give the number of the one you mean\n',
    );
  });

  const KEY = '--csv needs --key with the number or name of a column, not a /regular expression/';
  const DELIMITER = '--delimiter must not be a quote or a line break with --csv';
  test.each([
    [{ key: '/ab/' }, KEY],
    [{ key: '/a/i' }, KEY],
    [{ key: '1', delimiter: '"' }, DELIMITER],
    [{ key: '1', delimiter: '\n' }, DELIMITER],
    [{ key: '1', delimiter: '\r' }, DELIMITER],
    [{ key: '1', delimiter: 'ab' }, '--delimiter must be one byte, got "ab"; the default is a tab'],
  ])('options that make no sense: %j', (settings, message) => {
    expect(thrownBy(Failure, () => csvReader({ files: [], csv: true, ...settings })).message).toBe(message);
  });

  test.each(['a/b/', '/a/ (km)'])('a column with the name %j is none of these', (key) => {
    expect(() => csvReader({ files: [], csv: true, key })).not.toThrow();
  });
});

describe('--delimiter without --csv says so where the input looks like CSV', () => {
  test.each([
    [['-k2', '-d,'], '1,"a,b"\n', true],
    [['-k3', '-d;'], '1;"a";b\n', true],
    [['-k1', '-d,'], '"a",b\n', true],
    [['-k1', '-d,'], 'a,"b"\n', false],
    [['-k2', '-d,'], 'a,b"c"\n', false],
    [['-k2', '-d,'], 'a,\n"\n', true],
    [['-k2', '-d,'], 'a,\n', false],
    [['-k2'], 'a\t"b"\n', false],
    [['-k2', '-d,', '-q'], '1,"a,b"\n', false],
  ])('%j for %j: %p', (flags, input, isTold) => {
    const { code, out, errors } = command(['dedup', ...flags], input);
    expect([code, out.toString()]).toEqual([0, input]);
    expect(errors).toBe(
      isTold
        ? 'cuckoofilter-wasm: some fields begin with a quote, which --delimiter treats as part of the field. If the input is CSV, run again with --csv\n'
        : '',
    );
  });
});
