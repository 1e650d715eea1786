// Reads options: they must be a plain object without unknown names, and each is read once and checked by its rule.
// Invariant: no code of the caller runs afterwards, so the values that were checked are the ones used.
import { argumentError, FIELDS, shownKind } from '../errors.js';
import { kindOf } from '../class-names.js';
import { viewOf } from '../engine/bytes.js';
import { isPlain } from './plain.js';
import { checkOption, type Rules } from './rules.js';

/** What other libraries call our options, by their letters alone. */
const OTHER_NAMES = {
  falsePositiveRate: 'error errorrate fpr fprate rate falsepositive falsepositives falsepositiveprobability',
  capacity: 'n size items maxitems expecteditems expectedelements initialcapacity',
  bucketSize: 'slots',
  fingerprintBits: 'fingerprintlength',
  every: 'ttl ttlms expiry expiresin maxage window',
  hash: 'hashalgorithm',
  counterBits: 'maxcount',
};

/**
 * The options in `given`, each read once, without those that are undefined; the same for the properties of `hash`, of
 * whose key it is a copy: the caller may wipe his own before a filter is made.
 * `what` is their name in errors, and `example` is shown to a caller who gave none. Throws TypeError for anything but a
 * plain object, and for a name that has no rule; and TypeError or RangeError for a value that breaks its rule.
 */
export function readOptions<Options>(
  given: unknown,
  rules: Rules,
  what = 'options',
  example = '{ capacity: 1000 }',
): Options {
  const names = Object.keys(rules);
  if (given === undefined) throw argumentError(`${what} are required, such as ${example}`);
  if (!isPlain(given))
    throw argumentError(
      `${what} must be a plain object, got ${shownKind(given)}${adviceFor(given, names, example)}`,
    );
  const prefix = what === 'options' ? '' : `${what}.`;
  const read = Object.create(null) as Record<string, unknown>; // It inherits nothing.
  for (const name of Object.keys(given)) {
    const value = given[name];
    if (value === undefined) continue;
    if (!names.includes(name)) throw argumentError(unknownMessage(name, names, prefix));
    const isHash = name === 'hash' && typeof value === 'object' && value !== null;
    read[name] = isHash ? hashOf(value, `${prefix}hash`) : value;
  }
  for (const name of names) {
    const rule = rules[name];
    if (rule !== undefined && name in read) checkOption(name, read[name], rule);
  }
  return read as Options;
}

/** The option `hash`, with a copy of its key. What is no key is left for `secretOf` to refuse. */
function hashOf(value: object, what: string): object {
  const hash = readOptions<{ key?: unknown }>(value, { algorithm: undefined, key: undefined }, what);
  const key = viewOf(hash.key, `${what}.key`)?.slice();
  return key === undefined ? hash : Object.assign(hash, { key });
}

/** Advice for a caller who passes a filter, a number (as other libraries do), keys, a signal, or an object that inherits options. */
function adviceFor(value: unknown, names: readonly string[], example: string): string {
  if (typeof value === 'number' && names.includes('capacity')) {
    const isRate = value > 0 && value < 1;
    const meant = isRate ? `capacity: 1000, falsePositiveRate: ${value}` : `capacity: ${value}`;
    const others = example.slice(2, -2).replace(/(, )?capacity: 1000(, )?/, '');
    return `: pass { ${others === '' ? meant : `${meant}, ${others}`} }`;
  }
  if (kindOf(value) !== undefined) return ': for a copy, call clone()';
  const tag = Object.prototype.toString.call(value);
  if (tag === '[object Map]') return ': pass Object.fromEntries(map)';
  if (names.includes('signal') && tag.includes('Abort')) return ': pass { signal }';
  if (names.includes('capacity') && /Array]|Set]/.test(tag))
    return '. Keys come first: CuckooFilter.from(keys, options)';
  return tag === '[object Object]'
    ? '. Inherited options are not read: copy them with { ...defaults, ...options }'
    : '';
}

function unknownMessage(name: string, names: readonly string[], prefix: string): string {
  if (name === 'doublings') return 'this is a plan, not options: pass plan.options';
  return `unknown option ${prefix}${name}; ${adviceForName(name, names, prefix)}`;
}

function adviceForName(name: string, names: readonly string[], prefix: string): string {
  const ours = ourNameOf(lettersOf(name));
  if (ours === 'every') {
    const periods = "periods: 25, every: '1 h'";
    return names.includes('every')
      ? `for a day, pass { ${periods} }`
      : `for keys that expire: new ExpiringFilter({ capacity: 1000, ${periods} }) from cuckoofilter-wasm/expiring`;
  }
  const isField = (FIELDS as readonly string[]).includes(name) || name === 'counterBits';
  if (isField && names.includes('maxBytes')) return 'the saved bytes hold it: leave it out';
  // An option of another class is not a misspelling.
  const nearest = isField && ours === undefined ? undefined : nearestOf(name, names);
  return nearest === undefined ? `the options are ${names.join(', ')}` : `did you mean ${prefix}${nearest}?`;
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
