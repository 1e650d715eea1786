// What csvReader makes of any bytes, cut anywhere, is what csv-parse says of them whole.
import { describe, expect, test } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'csv-parse/sync';
import { csvReader } from '../../../../js/cli/input/csv';
import { KEYED } from '../../../../js/cli/input/records';
import { runs } from '../../support/long';
import { Random } from '../../support/random';

/** The rows up to the first that is refused, and why that is. */
interface Outcome {
  readonly rows: string[];
  readonly keys: string[];
  readonly problem: string | undefined;
}

/** What the reader makes of `input`, which it is given in pieces as long as `pieceLength` says. */
async function read(input: Buffer, delimiter: string, pieceLength: () => number): Promise<Outcome> {
  let at = 0;
  const next = async (into: Uint8Array): Promise<number> => {
    const length = Math.min(pieceLength(), into.length, input.length - at);
    into.set(input.subarray(at, at + length));
    at += length;
    return length;
  };
  const rows: string[] = [];
  const keys: string[] = [];
  let problem: string | undefined;
  try {
    for await (const batch of csvReader({ files: [], csv: true, key: '1', delimiter })(next, 'file')) {
      let begin = 0;
      let key = 0;
      for (let i = 0; i < batch.count; ++i) {
        const end = batch.ends[i] as number;
        rows.push(Buffer.from(batch.bytes.subarray(begin, end)).toString('latin1'));
        keys.push(batch.kinds[i] === KEYED ? latin1([...batch.keys][key++]) : 'no key');
        begin = end;
      }
    }
  } catch (error) {
    problem = (error as Error).message.replace(/(this row has).*/, '$1');
  }
  return { rows, keys, problem };
}

function latin1(key: Uint8Array | undefined): string {
  return `key ${Buffer.from(key ?? []).toString('latin1')}`;
}

const PROBLEMS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened in this row and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote; a quote within quotes is written ""',
  INVALID_OPENING_QUOTE:
    'a quote is within a field that does not begin with one; write "a ""b"" c" for a "b" c',
};

/** What csv-parse makes of it, with the rules about rows that are not of CSV: empty lines, widths, and the last line break. */
function parsed(input: Buffer, delimiter: string): Outcome {
  const rows: string[] = [];
  const keys: string[] = [];
  let width: number | undefined;
  let begin = 0;
  let problem: string | undefined;
  const take = (row: string[], end: number): void => {
    const isEmpty = row.length === 1 && row[0] === '' && input[begin] !== '"'.charCodeAt(0);
    if (!isEmpty && row.length !== (width ??= row.length)) throw new Error('this row has');
    keys.push(isEmpty ? 'no key' : `key ${row[0]}`);
    const bytes = input.toString('latin1', begin, end);
    rows.push(end === input.length && !/[\r\n]$/.test(bytes) ? `${bytes}\n` : bytes);
    begin = end;
  };
  try {
    parse(input, {
      encoding: 'latin1',
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      on_record: (row: string[], { bytes }) => (take(row, bytes), null),
    });
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    const line = rows.join('').split(/\r\n|\n|\r/).length;
    problem = `file, line ${line}: ${PROBLEMS[code ?? ''] ?? message}`;
  }
  return { rows, keys, problem };
}

const PARTS = [
  ...['a', 'a,b', ';', ',', ',', '\n', '\n', '\r\n', '\r', '\n\n', 'ü', 'a\ufeff', 'a\0', ' '],
  ...['"', '""', '"",', '"a"', '"a""b"', '"a,b"', '"\n"', '"\r\n"', '"a";', ',"', '",', '"\n', '"\r\n'],
].map((part) => Buffer.from(part));

/** Rows of one width, in half of the cases with an oddity, and in some cut short. */
function someBytes(random: Random): Buffer {
  const isOdd = random.below(2) === 0;
  const part = (): Buffer => PARTS[random.below(PARTS.length)] as Buffer;
  const fields = ['', 'a', '"a"', '"a""b"', '"x,y;z"', '"\n"', '"\r\n"', '""', '""""', 'b\r', 'ü', '"ü"'];
  const field = (): Buffer => Buffer.from(fields[random.below(fields.length)] as string);
  const width = 1 + random.below(3);
  const row = (): Buffer[] => [
    ...Array.from({ length: width }, (_, i) => (i === 0 ? [field()] : [Buffer.from(','), field()])).flat(),
    Buffer.from(['\n', '\r\n', '\n\n', '\r\n\r\n', '\r', '\r\r'][random.below(6)] as string),
  ];
  const rows = Array.from({ length: random.below(6) }, row).flat();
  if (isOdd) rows.splice(random.below(rows.length + 1), random.below(3), part(), part());
  if (random.below(4) === 0) rows.splice(random.below(rows.length + 1), 0, Buffer.of(0xff, 0xc3));
  const bytes = Buffer.concat(rows);
  return random.below(3) === 0 ? bytes.subarray(0, random.below(bytes.length + 1)) : bytes;
}

describe('any bytes, cut anywhere, are the rows or the problem that csv-parse finds', () => {
  test.each([1, 2, 3, 4])('seed %d', async (seed) => {
    const random = new Random(seed);
    const problems = new Set<string | undefined>();
    for (let run = 0; run < runs(150, 1000); ++run) {
      const input = someBytes(random);
      const delimiter = [',', ',', ',', ';', ' '][random.below(5)] as string;
      const expected = parsed(input, delimiter);
      problems.add(expected.problem?.replace(/^.*: /, ''));
      const all: Outcome[] = [await read(input, delimiter, () => 1)];
      for (let cut = 1; cut <= input.length; ++cut) {
        const lengths = [cut];
        all.push(await read(input, delimiter, () => lengths.shift() ?? Infinity));
      }
      for (const [cut, found] of all.entries())
        // Sooner than `expect`, which takes most of the time.
        if (!isDeepStrictEqual(found, expected))
          expect({ input: input.toString('latin1'), cut, ...found }).toEqual(expected);
    }
    expect(problems.size).toBe(5);
  });
});

test('a NUL behind a closing quote is text as any other', async () => {
  expect(await read(Buffer.from('a,1\n"a"\0,2\n'), ',', () => 4)).toEqual({
    rows: ['a,1\n'],
    keys: ['key a'],
    problem: 'file, line 2: text follows a closing quote; a quote within quotes is written ""',
  });
});
