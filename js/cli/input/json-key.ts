// The key of a line that is a JSON object, as in NDJSON.
// Invariant: different strings give different keys, and so do different numbers, at any depth; if they could not, that is
// an error.
import { takesEmpty, type Noticed, type WriteKey } from './key.js';
import { isBroken, textOf } from './text.js';

/** In JSON: a string, a mark, or a number, `true`, `false` or `null`. */
const TOKENS = /"(?:[^"\\]+|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g;

/** In every line with a number that a double may not hold: it has at least 16 digits, or an exponent of three. */
const MAY_ROUND = /[\d.]{16}|\d[eE][-+]?\d{3}/;

/** The property `name`: a string without its quotes, and anything else as JSON. A line without it has no key. */
export function property(name: string, noticed: Noticed = {}): WriteKey {
  return (bytes, begin, end, at, isAscii) => {
    const text = isAscii ? bytes.toString('latin1', begin, end) : textOf(bytes, begin, end);
    if (text.trim() === '') return -1;
    const object = parsed(text);
    if (typeof object !== 'object' || object === null || !Object.hasOwn(object, name)) return -1;
    const value: unknown = (object as Record<string, unknown>)[name];
    if ((value === null || value === '') && !takesEmpty(noticed)) return -1;
    const key = typeof value === 'string' ? value : jsonOf(value, text, name);
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

/** The JSON of `value`, which is the property `name` of the object in `line`. */
function jsonOf(value: unknown, line: string, name: string): string {
  const tokens = MAY_ROUND.test(line) ? tokensOf(line, name) : [];
  if (!tokens.every(isExact)) return tokens.map((token) => exact(token, name)).join('');
  try {
    return JSON.stringify(value);
  } catch {
    throw new Error(`the value of ${JSON.stringify(name)} is nested too deeply to be compared`);
  }
}

/** The tokens of the last property `name` of the object in `line`, whose value counts. */
function tokensOf(line: string, name: string): string[] {
  let found: string[] = [];
  let isWanted = false;
  let depth = 0;
  let before = '';
  for (const [token] of line.matchAll(TOKENS)) {
    if (token === ']' || token === '}') --depth;
    if (depth === 1 && token === ':') {
      isWanted = JSON.parse(before) === name;
      if (isWanted) found = [];
    } else if (depth === 0 || (depth === 1 && token === ',')) isWanted = false;
    else if (isWanted) found.push(token);
    if (token === '{' || token === '[') ++depth;
    before = token;
  }
  return found;
}

/** Whether a token is no number, or one that a double holds: it prints the same digits. */
function isExact(token: string): boolean {
  return !/^[-\d]/.test(token) || digitsOf(token) === digitsOf(String(Number(token)));
}

/** The digits of a number, without zeros around them, which depend on how it is written. */
function digitsOf(number: string): string {
  return number.replaceAll(/e.*|[-.]/gi, '').replaceAll(/^0+|(?<!0)0+$/g, '');
}

/** A token in the form that `JSON.stringify` gives it, or a whole number of any length as it is. Throws Error. */
function exact(token: string, name: string): string {
  if (/^[[\]{}:,]/.test(token)) return token;
  if (isExact(token)) return JSON.stringify(JSON.parse(token));
  if (/^-?\d+$/.test(token)) return token;
  throw new Error(
    `a number in ${JSON.stringify(name)} has more digits than can be compared. Write it as a string`,
  );
}
