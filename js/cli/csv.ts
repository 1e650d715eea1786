// The rows of CSV, many at a time, each with its key. The parser finds where rows end and what their fields are.
// Invariant: the bytes of a row are never changed, and no row is passed over: what is not CSV is an error with its line.
import { PackedKeys } from 'cuckoofilter-wasm';
import { Parser, type CsvError, type Info } from 'csv-parse';
import { Failure } from './failure.js';
import { count } from './figures.js';
import { delimiterByte, isField } from './key.js';
import type { Settings } from './options.js';
import { HEADER, KEYED, KEYLESS, REPEATED_HEADER, type Batch } from './records.js';
import { STANDARD_INPUT, type Read } from './source.js';

const CHUNK_BYTES = 1 << 16;

/** A longer row is taken for one with a quote that nobody closed. */
const MAX_ROW_BYTES = 1 << 24;

const NEWLINE = 10;
const QUOTE = 0x22;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** A row: where it ends in the input, what it is, and its key if it is KEYED. */
interface Row {
  readonly end: number;
  readonly kind: number;
  readonly key: string;
}

const EMPTY_LINE = { kind: KEYLESS, key: '' };

/** Makes the batches of each input; all have one header. Throws Failure if the options about keys make no sense. */
export function csvReader(
  settings: Settings,
): (read: Read, name: string) => AsyncGenerator<Batch, void, undefined> {
  const { key = '', delimiter = ',' } = settings;
  if (/^\/.*\/[a-z]*$/s.test(key))
    throw new Failure('--csv needs --key with the number or name of a column, not a /regular expression/');
  const byte = delimiterByte(delimiter);
  if (byte === QUOTE || byte === NEWLINE || byte === 13)
    throw new Failure('--delimiter must not be a quote or a line break with --csv');
  const columns = new Columns(key, settings.header === true || !isField(key));
  return (read, name) => rowBatches(read, name, byte, columns);
}

/** Which field of a row is its key, by its number or the header. */
class Columns {
  readonly #key: string;
  readonly #hasHeader: boolean;
  #header: readonly string[] | undefined;
  #at: number;

  constructor(key: string, hasHeader: boolean) {
    this.#key = Buffer.from(key).toString('latin1');
    this.#hasHeader = hasHeader;
    this.#at = isField(key) ? Number(key) - 1 : -1;
  }

  /** The key of `row`, number `index` of its input from 0, empty lines not counted. Throws Error with what is wrong with it. */
  read(row: readonly string[], index: number, width: number, name: string): Omit<Row, 'end'> {
    if (index === 0 && this.#hasHeader) {
      const kind = this.#header === undefined ? HEADER : REPEATED_HEADER;
      this.#readHeader(row, name);
      return { kind, key: '' };
    }
    if (row.length !== width)
      throw new Error(
        `this row has ${counted(row.length)}, and the first row has ${count(width)}. Check the delimiter and the quotes`,
      );
    if (this.#at >= width)
      throw new Error(
        `--key ${this.#key} is too large: the rows have ${counted(width)}. Check the delimiter`,
      );
    return { kind: KEYED, key: row[this.#at] ?? '' };
  }

  #readHeader(row: readonly string[], name: string): void {
    if (this.#header !== undefined && JSON.stringify(row) !== JSON.stringify(this.#header))
      throw new Error(
        `the header of ${name} differs from that of the file before it; run one command for each`,
      );
    this.#header = row;
    if (this.#at < 0) this.#at = row.indexOf(this.#key);
    const names = row.map((each) => JSON.stringify(text(each))).join(', ');
    if (this.#at < 0)
      throw new Error(`no column is named ${JSON.stringify(text(this.#key))}; there are ${names}`);
    if (row[this.#at] === this.#key && row.lastIndexOf(this.#key) !== this.#at)
      throw new Error(
        `two columns are named ${JSON.stringify(text(this.#key))}; give the number of the one that counts`,
      );
  }
}

function counted(fields: number): string {
  return `${count(fields)} ${fields === 1 ? 'field' : 'fields'}`;
}

function text(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString();
}

async function* rowBatches(
  read: Read,
  name: string,
  delimiter: number,
  columns: Columns,
): AsyncGenerator<Batch, void, undefined> {
  const input = new CsvInput(name, delimiter, columns);
  for (;;) {
    const piece = Buffer.alloc(CHUNK_BYTES);
    let length = 0;
    // Enough to see a byte order mark.
    for (let got = 1; got > 0 && length < BYTE_ORDER_MARK.length; length += got)
      got = await read(piece.subarray(length));
    const failure = length > 0 ? await input.push(piece.subarray(0, length)) : await input.end();
    const batch = input.batch();
    if (batch !== undefined) yield batch;
    if (failure !== undefined) throw failure;
    if (length === 0) return;
  }
}

/** The bytes of one input that no batch has had yet, and their rows. */
class CsvInput {
  readonly #name: string;
  readonly #parser: Parser;
  #rows: Row[] = [];
  #held = Buffer.alloc(0);
  /** Where the bytes held begin in the input. */
  #begin = 0;
  /** How many bytes the parser does not see: a byte order mark. */
  #hidden = 0;
  #isStarted = false;
  #rowCount = 0;
  #width = 0;
  /** The number of the line that the bytes held begin with. */
  #line = 1;

  constructor(name: string, delimiter: number, columns: Columns) {
    this.#name = name === STANDARD_INPUT ? 'standard input' : name;
    this.#parser = new Parser({
      // One character a byte, so that no two keys become one.
      encoding: 'latin1',
      delimiter: String.fromCharCode(delimiter),
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      max_record_size: MAX_ROW_BYTES,
      on_record: (row: string[], { bytes }: Info) => {
        const end = bytes + this.#hidden;
        this.#rows.push({ ...(this.#isEmptyLine(row) ? EMPTY_LINE : this.#read(row, columns)), end });
        return null;
      },
    });
    this.#parser.resume();
  }

  /** Whether the row has nothing but its line break, and not even the quotes of an empty field. */
  #isEmptyLine(row: readonly string[]): boolean {
    const begin = this.#rows.at(-1)?.end ?? Math.max(this.#begin, this.#hidden);
    return row.length === 1 && row[0] === '' && this.#held[begin - this.#begin] !== QUOTE;
  }

  #read(row: readonly string[], columns: Columns): Omit<Row, 'end'> {
    if (this.#rowCount === 0) this.#width = row.length;
    return columns.read(row, this.#rowCount++, this.#width, this.#name);
  }

  /** Takes the next bytes. Returns what is wrong with them. */
  push(bytes: Buffer): Promise<Failure | undefined> {
    this.#held = Buffer.concat([this.#held, bytes]);
    const isMarked = !this.#isStarted && BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte);
    this.#isStarted = true;
    if (isMarked) this.#hidden = BYTE_ORDER_MARK.length;
    return this.#parsed((done) => this.#parser.write(isMarked ? bytes.subarray(3) : bytes, done));
  }

  /** All bytes were given. A last row without a line break is given one. */
  async end(): Promise<Failure | undefined> {
    const failure = await this.#parsed((done) => this.#parser.end(done));
    const last = this.#rows.at(-1);
    const isOpen = last?.end === this.#begin + this.#held.length && this.#held.at(-1) !== NEWLINE;
    if (isOpen) {
      this.#held = Buffer.concat([this.#held, Buffer.of(NEWLINE)]);
      this.#rows.splice(-1, 1, { ...last, end: last.end + 1 });
    }
    return failure;
  }

  #parsed(act: (done: (error?: Error | null) => void) => void): Promise<Failure | undefined> {
    return new Promise((resolve) => {
      const settle = (error?: Error | null): void =>
        resolve(error ? this.#failure(error as CsvError) : undefined);
      this.#parser.once('error', settle);
      act((error) => {
        this.#parser.off('error', settle);
        // Emitted as well, later.
        if (error) this.#parser.on('error', () => {});
        settle(error);
      });
    });
  }

  /** In the words of the command line, with the line that the row begins with. */
  #failure({ code, message }: CsvError): Failure {
    const done = (this.#rows.at(-1)?.end ?? this.#begin) - this.#begin;
    const line = this.#line + linesIn(this.#held.subarray(0, done));
    return new Failure(`${this.#name}, line ${count(line)}: ${PROBLEMS[code] ?? message}`);
  }

  /** The rows that were found; undefined if there are none. */
  batch(): Batch | undefined {
    const rows = this.#rows;
    const last = rows.at(-1);
    if (last === undefined) return undefined;
    const length = last.end - this.#begin;
    const bytes = this.#held.subarray(0, length);
    const batch = batchOf(bytes, rows, this.#begin);
    this.#line += linesIn(bytes);
    this.#begin = last.end;
    this.#held = this.#held.subarray(length);
    this.#rows = [];
    return batch;
  }
}

const PROBLEMS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened in this row and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote; a quote within quotes is written ""',
  INVALID_OPENING_QUOTE:
    'a quote is within a field that does not begin with one; write "a ""b"" c" for a "b" c',
  CSV_MAX_RECORD_SIZE: 'this row is longer than 16 MB; a quote is probably never closed',
};

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) ++lines;
  return lines;
}

function batchOf(bytes: Buffer, rows: readonly Row[], begin: number): Batch {
  const keys = Buffer.alloc(bytes.length);
  const keyEnds: number[] = [];
  let end = 0;
  for (const { kind, key } of rows) {
    if (kind !== KEYED) continue;
    end += keys.write(key, end, 'latin1');
    keyEnds.push(end);
  }
  return {
    bytes,
    count: rows.length,
    ends: Uint32Array.from(rows, (row) => row.end - begin),
    kinds: Uint8Array.from(rows, ({ kind }) => kind),
    keys: new PackedKeys(keys, Uint32Array.from(keyEnds)),
  };
}
