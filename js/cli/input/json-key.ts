// The key of a line that is a JSON object, as in NDJSON.
// Invariant: different strings give different keys, and so do different numbers, at any depth; if they could not, that is
// an error.
import { takesEmpty, type Noticed, type WriteKey } from './key.js';
import { isBroken, markWithin, textOf } from './text.js';

/** In JSON: the quote that begins a string, a mark, or a number, `true`, `false` or `null`. */
const TOKEN = /["[\]{}:,]|[^\s[\]{}:,"]+/g;

/** In every line with a number that a double may not hold: it has at least 16 digits, or an exponent of three. */
const MAY_ROUND = /[\d.]{16}|\d[eE][-+]?\d{3}/;

/** The property `name`: a string without its quotes, and anything else as JSON. A line without it has no key. */
export function property(name: string, noticed: Noticed = {}): WriteKey {
  return (bytes, begin, end, at, isAscii) => {
    const text = textOf(bytes, begin, end, isAscii);
    const trimmed = text.trim();
    if (trimmed === '') return -1;
    const object = parsed(text) as Record<string, unknown>;
    // Only objects count: strings and arrays also have own properties, such as `length` and `0`.
    if (!trimmed.startsWith('{') || !Object.hasOwn(object, name)) return -1;
    const value = object[name];
    if ((value === null || value === '') && !takesEmpty(noticed)) return -1;
    const key = typeof value === 'string' ? value : jsonOf(value, text, name);
    if (isBroken(key)) throw notUnicode(name);
    // Only digits can be longer than they were written, as in 1e15.
    if (Buffer.byteLength(key) > end - begin)
      throw new Error(
        `the numbers in ${JSON.stringify(name)} have exponents. Write them without, or as strings`,
      );
    return at + bytes.write(key, at);
  };
}

function notUnicode(name: string): Error {
  return new Error(
    `the value of ${JSON.stringify(name)} is not valid Unicode. Correct it, or remove the line`,
  );
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    if (line.startsWith('\ufeff')) throw markWithin('line');
    throw new Error(
      "this line is not JSON. --json-key needs one JSON object per line: jq -c '.[]' makes them of an array",
    );
  }
}

/** The JSON of `value`, which is the property `name` of the object in `line`. */
function jsonOf(value: unknown, line: string, name: string): string {
  const tokens = MAY_ROUND.test(line) || isBroken(line) ? tokensOf(line, name) : [];
  // A byte that is not UTF-8 would become the same JSON as an escape for half a character.
  if (tokens.some(isBroken)) throw notUnicode(name);
  if (!tokens.every(isExact)) return tokens.map((token) => exact(token, name)).join('');
  try {
    return withoutExponent(JSON.stringify(value));
  } catch {
    throw new Error(`the value of ${JSON.stringify(name)} is nested too deeply to be compared`);
  }
}

/** A number such as `1e+21` as the digits that a string would have; any other JSON as it is. */
function withoutExponent(json: string): string {
  const [, sign = '', first = '', rest = '', exponent] = /^(-?)(\d)\.?(\d*)e\+(\d+)$/.exec(json) ?? [];
  return exponent === undefined ? json : sign + (first + rest).padEnd(1 + Number(exponent), '0');
}

/** The tokens of the last property `name` of the object in `line`, whose value counts. */
function tokensOf(line: string, name: string): string[] {
  let found: string[] = [];
  let isWanted = false;
  let depth = 0;
  let before = '';
  for (const token of allTokensOf(line)) {
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

/** All tokens of `json`, which is valid. An expression for whole strings would run out of stack in long ones. */
function* allTokensOf(json: string): Generator<string> {
  const next = new RegExp(TOKEN);
  for (let found = next.exec(json); found !== null; found = next.exec(json)) {
    const [token] = found;
    if (token === '"') next.lastIndex = endOfString(json, found.index);
    yield token === '"' ? json.slice(found.index, next.lastIndex) : token;
  }
}

/** Where the string that begins at `begin` ends. */
function endOfString(json: string, begin: number): number {
  let at = begin + 1;
  for (; json[at] !== '"'; ++at) if (json[at] === '\\') ++at;
  return at + 1;
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
