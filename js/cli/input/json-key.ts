// The key of a line that is a JSON object, as in NDJSON.
// Invariant: different strings give different keys, and so do different numbers; if they could not, that is an error.
import type { WriteKey } from './key.js';
import { isBroken, textOf } from './text.js';

/** The property `name`: a string without its quotes, and anything else as JSON. A line without it has no key. */
export function property(name: string): WriteKey {
  return (bytes, begin, end, at, isAscii) => {
    const text = isAscii ? bytes.toString('latin1', begin, end) : textOf(bytes, begin, end);
    if (text.trim() === '') return -1;
    const object = parsed(text);
    if (typeof object !== 'object' || object === null || !Object.hasOwn(object, name)) return -1;
    const value: unknown = (object as Record<string, unknown>)[name];
    if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
      throw new Error(
        `the number in ${JSON.stringify(name)} is beyond 2^53, where different numbers become one. Write it as a string`,
      );
    const key = typeof value === 'string' ? value : JSON.stringify(value);
    if (isBroken(key))
      throw new Error(
        `the value of ${JSON.stringify(name)} is not valid Unicode. Correct it, or remove the line`,
      );
    // Only digits can be longer than they were written, as in 1e15.
    if (Buffer.byteLength(key) > end - begin)
      throw new Error(
        `the numbers in ${JSON.stringify(name)} have exponents. Write them without, or as strings`,
      );
    return at + bytes.write(key, at);
  };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error('this line is not JSON. --json-key needs one JSON object per line');
  }
}
