// Finds one row of CSV in bytes: its end, its fields and their values (RFC 4180, with any byte as the delimiter, and
// all three line breaks: newline, carriage return, or both).
// Invariant: a row is found as a whole, or refused.

export const NEWLINE = 10;
export const RETURN = 13;
export const QUOTE = 0x22;

/** The row that was read last. */
export class CsvRow {
  /** How many fields it has. */
  fieldCount = 0;
  /** How many newlines are within its fields. */
  innerLines = 0;
  readonly #delimiter: number;
  // Where the value of each field begins and ends in the bytes, without the quotes around it.
  readonly #begins: number[] = [];
  readonly #ends: number[] = [];

  constructor(delimiter: number) {
    this.#delimiter = delimiter;
  }

  /**
   * Reads the row that begins at `begin`. The input reaches to `length`, where `bytes` must hold an additional newline;
   * with `isLast`, input and row end there. Returns the end of the row, after its line break, or -1 if more bytes are
   * needed (with `isLast`, because a quote is open). Throws Error if this is not CSV.
   */
  read(bytes: Uint8Array, begin: number, length: number, isLast: boolean): number {
    this.fieldCount = 0;
    this.innerLines = 0;
    for (let at = begin; ; ++at) {
      at = bytes[at] === QUOTE ? this.#readQuoted(bytes, at + 1, length) : this.#readPlain(bytes, at);
      if (at < 0 || (at === length && !isLast)) return -1;
      if (bytes[at] === NEWLINE) return at + 1;
      if (bytes[at] !== RETURN) continue;
      // The newline after it may be the additional one.
      if (at + 1 === length) return isLast ? length : -1;
      return bytes[at + 1] === NEWLINE ? at + 2 : at + 1;
    }
  }

  /** Whether the row that begins at `begin` is only a line break, without even the quotes of an empty field. */
  isEmptyLine(begin: number): boolean {
    // With quotes, the value would begin later.
    return this.fieldCount === 1 && this.#begins[0] === begin && this.#ends[0] === begin;
  }

  /** Writes the value of a field, counted from 0, into `into` at `at`, and returns where it ends there. */
  write(bytes: Uint8Array, field: number, into: Uint8Array, at: number): number {
    const end = this.#ends[field] as number;
    let to = at;
    for (let from = this.#begins[field] as number; from < end; ++from) {
      const byte = bytes[from] as number;
      into[to++] = byte;
      // Within a value, a quote is always doubled.
      if (byte === QUOTE) ++from;
    }
    return to;
  }

  /** The values of all fields, with one character per byte. */
  values(bytes: Uint8Array): string[] {
    return Array.from({ length: this.fieldCount }, (_, field) => {
      const value = Buffer.alloc((this.#ends[field] as number) - (this.#begins[field] as number));
      return value.toString('latin1', 0, this.write(bytes, field, value, 0));
    });
  }

  #add(begin: number, end: number): void {
    this.#begins[this.fieldCount] = begin;
    this.#ends[this.fieldCount++] = end;
  }

  /** Reads a field without quotes, and returns where the delimiter or line break after it is. */
  #readPlain(bytes: Uint8Array, begin: number): number {
    const delimiter = this.#delimiter;
    let at = begin;
    let byte = bytes[at];
    while (byte !== delimiter && byte !== NEWLINE && byte !== RETURN && byte !== QUOTE) byte = bytes[++at];
    if (byte === QUOTE)
      throw new Error(
        'a quote is within a field that does not begin with one; write "a ""b"" c" for a "b" c',
      );
    this.#add(begin, at);
    return at;
  }

  /** Likewise for a field with quotes, from after the first quote. Returns -1 if more bytes are needed. */
  #readQuoted(bytes: Uint8Array, begin: number, length: number): number {
    let at = begin;
    for (; at < length; ++at) {
      const byte = bytes[at];
      if (byte === NEWLINE) ++this.innerLines;
      if (byte !== QUOTE) continue;
      if (bytes[at + 1] !== QUOTE) break;
      ++at;
    }
    if (at >= length) return -1;
    this.#add(begin, at++);
    const byte = bytes[at];
    if (byte === this.#delimiter || byte === NEWLINE || byte === RETURN) return at;
    throw new Error('text follows a closing quote; a quote within quotes is written ""');
  }
}
