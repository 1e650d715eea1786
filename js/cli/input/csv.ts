// The rows of CSV, many at a time, each with its key.
// Invariant: the bytes of a row are never changed, and no row is skipped: anything that is not CSV is an error with its
// line. Memory holds one chunk, or the longest row if that is longer.
import { PackedKeys } from 'cuckoofilter-wasm';
import { Failure, placeOf } from '../words/failure.js';
import { count } from '../words/figures.js';
import type { Settings } from '../words/options.js';
import { Columns } from './csv-columns.js';
import { CsvRow, NEWLINE, QUOTE, RETURN } from './csv-row.js';
import { delimiterAdviceFor, delimiterByte, isField, takesEmpty, type Noticed } from './key.js';
import { KEYED, KEYLESS, type Batch, type BatchesOf } from './records.js';
import { MARK, type Read } from './source.js';
import { markWithin } from './text.js';

const CHUNK_BYTES = 1 << 17;

/** A longer row is assumed to have a quote that is never closed. */
const MAX_ROW_BYTES = 1 << 24;

/** Makes the batches of each input; all have one header. Throws Failure if the options about keys make no sense. */
export function csvReader(settings: Settings, noticed: Noticed = {}): BatchesOf {
  const { key = '', delimiter = ',' } = settings;
  if (/^\/.*\/[a-z]*$/s.test(key))
    throw new Failure('--csv needs --key with the number or name of a column, not a /regular expression/');
  const byte = delimiterByte(delimiter);
  if (byte === QUOTE || byte === NEWLINE || byte === RETURN)
    throw new Failure('--delimiter must not be a quote or a line break with --csv');
  const columns = new Columns(key, settings.header === true || !isField(key));
  return async function* (read, name) {
    const input = new CsvInput(name, byte, columns, noticed);
    for (;;) {
      const isLast = !(await input.fill(read));
      const failure = input.readRows(isLast);
      const batch = input.batch();
      if (batch.count > 0) yield batch;
      if (failure !== undefined) throw failure;
      if (isLast) return;
      input.drop();
    }
  };
}

/** The bytes of one input that no batch has had yet, and their rows. */
class CsvInput {
  readonly #name: string;
  readonly #columns: Columns;
  readonly #noticed: Noticed;
  readonly #row: CsvRow;
  // With room for one newline more than the input has.
  #bytes = new Uint8Array(CHUNK_BYTES + 1);
  #keys = new Uint8Array(CHUNK_BYTES);
  /** How many bytes are held. */
  #length = 0;
  /** The number of the line that the next row begins with. */
  #line = 1;
  #rowCount = 0;
  #width = 0;
  #ends: number[] = [];
  #kinds: number[] = [];
  #keyEnds: number[] = [];

  constructor(name: string, delimiter: number, columns: Columns, noticed: Noticed) {
    this.#name = placeOf(name);
    this.#columns = columns;
    this.#noticed = noticed;
    this.#row = new CsvRow(delimiter);
  }

  /** Reads as many bytes as there are. Returns whether more may follow. */
  async fill(read: Read): Promise<boolean> {
    if (this.#length === this.#keys.length) this.#grow();
    const room = this.#keys.length;
    // A row longer than a chunk is read again only once twice as many of its bytes have arrived.
    const wanted = this.#length >= CHUNK_BYTES ? room : 0;
    do {
      const got = await read(this.#bytes.subarray(this.#length, room));
      if (got === 0) return false;
      this.#length += got;
    } while (this.#length < wanted);
    return true;
  }

  #grow(): void {
    const bytes = this.#bytes;
    this.#bytes = new Uint8Array(2 * this.#keys.length + 1);
    this.#bytes.set(bytes);
    this.#keys = new Uint8Array(2 * this.#keys.length);
  }

  /**
   * Finds the rows that are held completely. With `isLast`, the last one needs no line break. Returns what is wrong
   * with the next row.
   */
  readRows(isLast: boolean): Failure | undefined {
    this.#bytes[this.#length] = NEWLINE;
    let begin = 0;
    let keyEnd = 0;
    try {
      while (begin < this.#length) {
        const end = this.#rowEnd(begin, isLast);
        if (end < 0) break;
        let kind = this.#kindOf(begin, end);
        if (kind === KEYED) {
          const written = this.#writeKey(keyEnd);
          if (written === keyEnd && !takesEmpty(this.#noticed)) kind = KEYLESS;
          else this.#keyEnds.push((keyEnd = written));
        }
        this.#kinds.push(kind);
        this.#ends.push(end);
        this.#line += 1 + this.#row.innerLines;
        begin = end;
      }
    } catch (error) {
      return new Failure(`${this.#name}, line ${count(this.#line)}: ${(error as Error).message}`);
    }
    return undefined;
  }

  /** Where the row that begins at `begin` ends; -1 if it does not end in the bytes held. */
  #rowEnd(begin: number, isLast: boolean): number {
    if (this.#bytes[begin] === MARK[0] && MARK.equals(this.#bytes.subarray(begin, begin + MARK.length)))
      throw markWithin('row');
    const end = this.#row.read(this.#bytes, begin, this.#length, isLast);
    if ((end < 0 ? this.#length : end) - begin > MAX_ROW_BYTES)
      throw new Error('this row is longer than 16 MB; a quote is probably never closed');
    if (end < 0 && isLast) throw new Error('a quote is opened in this row and never closed');
    return end;
  }

  #kindOf(begin: number, end: number): number {
    const row = this.#row;
    if (row.isEmptyLine(begin)) return KEYLESS;
    if (this.#rowCount++ > 0) return KEYED;
    const [, separator] = /^sep=(.)\s*$/.exec(Buffer.from(this.#bytes.subarray(begin, end)).toString()) ?? [];
    if (separator !== undefined)
      throw new Error(
        `this line tells Excel the delimiter, and is no row. Remove it, for example with tail -n +2, and use --delimiter '${separator}'`,
      );
    this.#width = row.fieldCount;
    const values = row.values(this.#bytes);
    this.#noticed.isOneField ||= values.length === 1;
    this.#noticed.delimiterAdvice ??= delimiterAdviceFor(values);
    return this.#columns.hasHeader ? this.#columns.readHeader(values, this.#name) : KEYED;
  }

  #writeKey(at: number): number {
    const field = this.#columns.keyOf(this.#row.fieldCount, this.#width);
    return this.#row.write(this.#bytes, field, this.#keys, at);
  }

  /** The rows that were found. */
  batch(): Batch {
    return {
      bytes: this.#bytes,
      count: this.#ends.length,
      ends: new Uint32Array(this.#ends),
      kinds: new Uint8Array(this.#kinds),
      keys: new PackedKeys(this.#keys, new Uint32Array(this.#keyEnds)),
    };
  }

  /** Forgets the rows that were found, and their bytes. */
  drop(): void {
    const done = this.#ends.at(-1) ?? 0;
    this.#bytes.copyWithin(0, done, this.#length);
    this.#length -= done;
    this.#ends = [];
    this.#kinds = [];
    this.#keyEnds = [];
  }
}
