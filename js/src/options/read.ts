// Reads options: they must be a plain object without unknown names, and each is read once.
// Invariant: no code of the caller runs afterwards, so the values that were checked are the ones used.
import { argumentError, FIELD_RULES, ruleError } from '../errors.js';

/** What other libraries call our options, by their letters alone. */
const OTHER_NAMES = {
  falsePositiveRate: 'error errorrate fpr fprate rate falsepositive falsepositives falsepositiveprobability',
  capacity: 'n size items maxitems expecteditems expectedelements initialcapacity',
  bucketSize: 'slots',
  fingerprintBits: 'fingerprintlength',
  maxKicks: 'maxretries',
  every: 'ttl maxage window',
  hash: 'hashalgorithm',
};

/**
 * The options in `given`, each read once, without those that are undefined; the same for the properties of `hash`.
 * `what` is their name in errors, and `example` is shown to a caller who gave none. Throws TypeError for anything but a
 * plain object, and for a name that is not in `names`.
 */
export function readOptions<Options>(
  given: unknown,
  names: readonly string[],
  what = 'options',
  example = '{ capacity: 1000 }',
): Options {
  if (given === undefined) throw argumentError(`${what} are required, such as ${example}`);
  if (!isPlain(given)) throw ruleError(what, `a plain object${adviceFor(given, names)}`, given);
  const prefix = what === 'options' ? '' : `${what}.`;
  const read: Record<string, unknown> = {};
  for (const name of Object.keys(given)) {
    const value = given[name];
    if (value === undefined) continue;
    if (!names.includes(name)) throw argumentError(unknownMessage(name, names, prefix));
    const isHash = name === 'hash' && typeof value === 'object' && value !== null;
    read[name] = isHash ? readOptions(value, ['algorithm', 'key'], `${prefix}hash`) : value;
  }
  return read as Options;
}

/** Advice for who gives a number, as other libraries take it, an array of keys, or an object of a class. */
function adviceFor(value: unknown, names: readonly string[]): string {
  if (names.includes('capacity')) {
    if (typeof value === 'number') return `: { capacity: ${value} }`;
    if (Array.isArray(value)) return ' (keys come first: CuckooFilter.from(keys, options))';
  }
  const tag: unknown = Object.prototype.toString.call(value);
  return tag === '[object Object]' ? ', such as { ...options }' : '';
}

/** A plain object of any realm has no prototype, or one without a prototype, such as `Object.prototype`. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function unknownMessage(name: string, names: readonly string[], prefix: string): string {
  if (ourNameOf(lettersOf(name)) === 'every' && !names.includes('every'))
    return `unknown option ${prefix}${name}; for keys that expire, use ExpiringFilter of cuckoofilter-wasm/expiring`;
  // An option of another class is not a misspelling.
  const isOption = (FIELD_RULES as Partial<Record<string, string>>)[name];
  const nearest = isOption ? undefined : nearestOf(name, names);
  const advice =
    nearest === undefined ? `the options are ${names.join(', ')}` : `did you mean ${prefix}${nearest}?`;
  return `unknown option ${prefix}${name}; ${advice}`;
}

/** The one of `names` that was probably meant, if any is close. */
export function nearestOf(name: string, names: readonly string[]): string | undefined {
  const letters = lettersOf(name);
  const other = ourNameOf(letters);
  if (other !== undefined && names.includes(other)) return other;
  const distances = names.map((each) => distance(letters, lettersOf(each)));
  const least = Math.min(...distances);
  return least <= Math.min(3, letters.length / 2) ? names[distances.indexOf(least)] : undefined;
}

function ourNameOf(letters: string): string | undefined {
  return Object.entries(OTHER_NAMES).find(([, others]) => others.split(' ').includes(letters))?.[0];
}

function lettersOf(name: string): string {
  return name
    .replace(/[^a-z]/gi, '')
    .toLowerCase()
    .slice(0, 40);
}

/** How many letters must be inserted, removed or replaced to turn one into the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 0; i < one.length; ++i) {
    const next = [i + 1];
    for (let j = 0; j < other.length; ++j) {
      const [before = 0, above = 0] = row.slice(j);
      next[j + 1] = Math.min(before + Number(one[i] !== other[j]), above + 1, (next[j] ?? 0) + 1);
    }
    row = next;
  }
  return row[other.length] as number;
}
