// Rows of distinct integer keys, in the form that a filter takes fastest.

/** The integers from row 2^32 on, `count` of them: rows share none. */
export function integers(row: number, count: number): BigUint64Array {
  const words = new Uint32Array(2 * count);
  for (let i = 0; i < count; ++i) {
    words[2 * i] = i;
    words[2 * i + 1] = row;
  }
  return new BigUint64Array(words.buffer);
}
