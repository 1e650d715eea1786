// The classes of the package as the suite calls them. Their answers are those of the manifest, which generate.mjs writes.
import { CuckooFilter } from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooValues } from 'cuckoofilter-wasm/values';

const TABLE = {
  Class: CuckooFilter,
  ask: (filter, key) => filter.count(key),
  add: (filter, key) => filter.tryAdd(key),
  delete: (filter, key) => filter.delete(key),
};
const OF_VALUES = [
  {
    Class: CuckooValues,
    ask: (filter, key) => filter.get(key).sort((one, other) => one - other),
    add: (filter, key, value) => (filter.set(key, value), 'added'),
    delete: (filter, key, value) => filter.delete(key, value),
  },
  {
    Class: CuckooCounter,
    ask: (filter, key) => filter.count(key),
    add: (filter, key, copies) => filter.tryAdd(key, copies),
    delete: (filter, key, copies) => filter.delete(key, copies),
  },
  { Class: ExpiringFilter, ask: ageOf, add: (filter, key) => (filter.isNew(key), 'added') },
];
const SCALABLE = { ...TABLE, Class: ScalableCuckooFilter };

/** The class that reads these bytes. */
function kindOf(bytes) {
  if (bytes[3] === 0x53) return SCALABLE;
  return bytes[16] & 2 && bytes[8] === 1 ? (OF_VALUES[bytes[72] - 1] ?? OF_VALUES[0]) : TABLE;
}

/** How many periods ago a key was seen; -1 if it was not. The class tells only whether, so periods are begun until not. */
function ageOf(filter, key) {
  const copy = filter.clone();
  const { periods } = filter;
  let left = 0;
  for (; left <= periods && copy.hasSeen(key); ++left) copy.advance();
  copy.dispose();
  return left === 0 ? -1 : periods - left;
}

let kind = TABLE;
let filter;

export function open(bytes, secret, limit) {
  filter?.dispose();
  filter = undefined;
  kind = kindOf(bytes);
  filter = kind.Class.deserialize(bytes, { hash: hashOf(secret), maxBytes: limit });
  return filter.size;
}

/** A new filter by the fields of a case in the manifest. */
export function create({
  class: name,
  buckets,
  slots,
  bits,
  storage,
  addressing,
  reserved,
  capacity,
  ...more
}) {
  filter?.dispose();
  const sizes =
    name === 'scalable'
      ? JSON.parse(more.options)
      : {
          bucketCount: buckets,
          bucketSize: slots,
          fingerprintBits: bits,
          semiSort: storage === 'semi-sorted',
          addressing,
          ...(reserved > 0 ? { capacity: 1, maxCapacity: capacity } : { capacity }),
        };
  const values = {
    values: { valueBits: more.valueBits },
    counter: { counterBits: more.valueBits },
    expiring: { periods: more.periods },
  };
  const hash =
    more.secret === undefined
      ? { seed: BigInt(more.seed) }
      : { hash: hashOf(Buffer.from(more.secret, 'hex')) };
  kind =
    { values: OF_VALUES[0], counter: OF_VALUES[1], expiring: OF_VALUES[2], scalable: SCALABLE }[name] ??
    TABLE;
  filter = new kind.Class({ ...sizes, ...values[name], ...hash });
}

/** Carries out a word of the manifest, and returns it with the sign of what came of it. */
export function change(word) {
  if (word === '*') return (filter.clear(), word);
  if (word === '>') return (filter.advance(), word);
  const [hex, number] = word.slice(1).split('=');
  const key = Buffer.from(hex, 'hex');
  const given = number === undefined ? undefined : Number(number);
  const sign = '-='.includes(word[0])
    ? kind.delete(filter, key, given)
      ? '-'
      : '='
    : { added: '+', full: '!', 'too-many-copies': '#' }[kind.add(filter, key, given)];
  return sign + word.slice(1);
}

export const ask = (key) => kind.ask(filter, key);
export const save = () => filter.serialize();
export const size = () => filter.size;

function hashOf(secret) {
  return secret && { algorithm: 'siphash-1-3', key: secret };
}
