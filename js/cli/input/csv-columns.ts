// Which field of a row of CSV is its key, by its number or its name in the header.
// Invariant: a key never comes from another column by mistake, because all rows of an input have as many fields as the
// first, and all inputs have the same header.
import { count, counted } from '../words/figures.js';
import { delimiterAdviceFor, isField } from './key.js';
import { HEADER, REPEATED_HEADER } from './records.js';

/** The columns of all inputs of a run. */
export class Columns {
  readonly hasHeader: boolean;
  readonly #key: string;
  #header: readonly string[] | undefined;
  #at: number;

  constructor(key: string, hasHeader: boolean) {
    this.#key = Buffer.from(key).toString('latin1');
    this.hasHeader = hasHeader;
    this.#at = isField(key) ? Number(key) - 1 : -1;
  }

  /**
   * The index of the key in a row of `fieldCount` fields, if the first row has `width`. Throws Error with what is
   * wrong.
   */
  keyOf(fieldCount: number, width: number): number {
    if (fieldCount !== width)
      throw new Error(
        `this row has ${counted(fieldCount, 'field')}, and the first row has ${count(width)}. Check the delimiter and the quotes`,
      );
    if (this.#at >= width)
      throw new Error(
        `--key ${this.#key} is too large: the rows have ${counted(width, 'field')}. Check the delimiter`,
      );
    return this.#at;
  }

  /** Takes the header of the input `name`, and returns its kind. Throws Error with what is wrong. */
  readHeader(row: readonly string[], name: string): number {
    const kind = this.#header === undefined ? HEADER : REPEATED_HEADER;
    if (this.#header !== undefined && JSON.stringify(row) !== JSON.stringify(this.#header))
      throw new Error(
        `the header of ${name} differs from that of the previous file; run the command once for each`,
      );
    this.#header = row;
    if (this.#at < 0) this.#at = row.indexOf(this.#key);
    if (this.#at < 0) throw new Error(unknownColumn(text(this.#key), row.map(text)));
    if (row[this.#at] === this.#key && row.lastIndexOf(this.#key) !== this.#at)
      throw new Error(
        `two columns are named ${JSON.stringify(text(this.#key))}; give the number of the one you mean`,
      );
    return kind;
  }
}

function unknownColumn(key: string, names: readonly string[]): string {
  const all = names.map((name) => JSON.stringify(name)).join(', ');
  const advice = delimiterAdviceFor(names);
  const rest = advice === undefined ? '' : `. ${advice}`;
  return `no column is named ${JSON.stringify(key)}; there ${names.length === 1 ? 'is only' : 'are'} ${all}${rest}`;
}

function text(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString();
}
