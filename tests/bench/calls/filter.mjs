// Speed of the package in Node beside Set on the same keys, and of its storages beside each other. Run with
// `npm run bench`; `node tests/bench/calls/filter.mjs storages` runs one part alone.
// Invariant: a contender and its reference answer the same questions, half of them with yes.

import { CuckooFilter } from 'cuckoofilter-wasm';

import { compare, printMachine, printUsed } from '../timing.mjs';
import { isChosen } from '../workload.mjs';
import { asking } from './strings.mjs';

const SEED = 1;
const MILLION = 1_000_000;

const PARTS = {
  strings() {
    strings(15);
    strings(40);
  },
  integers() {
    integers('8 MB', 5 * MILLION);
    integers('128 MB', 75 * MILLION);
  },
  storages() {
    for (const [bits, quarters] of [[8], [10, 9.75], [13], [17, 16.25]]) storages(bits, quarters ?? bits);
  },
  merging() {
    merging('1.6 MB', MILLION);
    merging('15 MB', 10 * MILLION);
  },
  bytes,
};

printMachine(SEED);
const wanted = Object.keys(PARTS).filter((name) => process.argv.includes(name));
for (const name of wanted.length === 0 ? Object.keys(PARTS) : wanted) PARTS[name]();
printUsed();

/** Semi-sorted storage beside the plain one, which takes a bit a slot more or is the next whole width: load 0.95. */
function storages(fingerprintBits, sortedBits) {
  const bucketCount = Math.round((8 * 8e6) / (4 * fingerprintBits));
  const capacity = Math.floor(3.8 * bucketCount);
  const added = numbers(capacity, 0);
  const asked = halfOf(added, 2 * MILLION);
  const sizes = { capacity, bucketCount, bucketSize: 4 };
  const plain = CuckooFilter.from(added, { ...sizes, fingerprintBits, semiSort: false });
  const sorted = CuckooFilter.from(added, { ...sizes, fingerprintBits: sortedBits, semiSort: true });
  const one =
    (filter, loop = asking('contains')) =>
    () =>
      loop(filter, asked);
  const title = `8 MB of plain slots of ${fingerprintBits} bits, semi-sorted ones of ${sortedBits} - 1`;
  compare(`${title}: a key a call`, [
    { name: 'contains, plain', count: asked.length, run: one(plain) },
    { name: 'contains, semi-sorted', count: asked.length, run: one(sorted) },
  ]);
  compare(`${title}: batches`, [
    { name: 'containsMany, plain', count: asked.length, run: () => plain.containsMany(asked)[7] },
    { name: 'containsMany, semi-sorted', count: asked.length, run: () => sorted.containsMany(asked)[7] },
  ]);
  compare(
    `${title}: filling`,
    [plain, sorted].map((filter) => ({
      name: `addMany, ${filter.semiSorted ? 'semi-sorted' : 'plain'}`,
      count: capacity,
      run: () => (filter.clear(), filter.addMany(added)),
    })),
    3,
  );
  plain.dispose();
  sorted.dispose();
}

/** Texts of `length` characters, all different; the second half is not added. */
function strings(length) {
  const keys = Array.from({ length: 2 * MILLION }, (_, i) =>
    `user:${scrambled(i).toString(36)}`.padEnd(length, '-x'),
  );
  const added = keys.slice(0, MILLION);
  const asked = shuffled(keys);
  const filter = CuckooFilter.from(added);
  const set = new Set(added);
  const each = (it, loop) => () => loop(it, asked);
  const fresh = () => new CuckooFilter({ capacity: MILLION });
  compare(`texts of ${length} characters, a million in the filter: lookups, half present`, [
    { name: 'Set.has', count: asked.length, run: each(set, asking('has')) },
    { name: 'contains', count: asked.length, run: each(filter, asking('contains')) },
    { name: 'containsMany', count: asked.length, run: () => filter.containsMany(asked)[7] },
  ]);
  compare(`texts of ${length} characters: a million added`, [
    { name: 'Set.add', count: MILLION, run: () => new Set(added).size },
    {
      name: 'add',
      count: MILLION,
      prepare: fresh,
      run: (empty) => (added.forEach((key) => empty.add(key)), finish(empty)),
    },
    {
      name: 'addMany',
      count: MILLION,
      prepare: fresh,
      run: (empty) => (empty.addMany(added), finish(empty)),
    },
    {
      name: 'addIfAbsent',
      count: MILLION,
      prepare: fresh,
      run: (empty) => (added.forEach((key) => empty.addIfAbsent(key)), finish(empty)),
    },
    {
      name: 'addManyIfAbsent',
      count: MILLION,
      prepare: fresh,
      run: (empty) => (empty.addManyIfAbsent(added), finish(empty)),
    },
  ]);
  filter.dispose();
}

/** 64-bit integers in a table of about `name`: batches beside one call a key. */
function integers(name, capacity) {
  const added = numbers(capacity, 0);
  const asked = halfOf(added, 4 * MILLION);
  const filter = new CuckooFilter({ capacity });
  const fill = () => (filter.clear(), filter.addMany(added));
  const single = asking('contains');
  const filling = [{ name: 'addMany from empty to full', count: capacity, run: fill }];
  compare(`64-bit integers, a table of ${name}: adding`, filling, capacity > 10 * MILLION ? 1 : 5);
  compare(
    `64-bit integers, ${filter.byteLength} bytes at load ${filter.loadFactor.toFixed(3)}: lookups, half present`,
    [
      {
        name: 'contains, a key a call',
        count: asked.length,
        run: () => single(filter, asked),
      },
      { name: 'containsMany', count: asked.length, run: () => filter.containsMany(asked)[7] },
    ],
  );
  filter.dispose();
}

/** Two filters of a plan, each half full, become one: beside adding the keys of the second to the first. */
function merging(name, capacity) {
  const half = capacity >> 1;
  const [one, other] = [new CuckooFilter({ capacity }), new CuckooFilter({ capacity })];
  one.addMany(numbers(half, 0));
  const keys = numbers(half, half);
  other.addMany(keys);
  const prepare = () => one.clone();
  compare(`two filters half full, a table of ${name}: keys of the second`, [
    { name: 'addMany', count: half, prepare, run: (into) => (into.addMany(keys), finish(into)) },
    { name: 'merge', count: half, prepare, run: (into) => finish(into.merge(other)) },
    { name: 'mergeIfAbsent', count: half, prepare, run: (into) => finish(into.mergeIfAbsent(other)) },
  ]);
  one.dispose();
  other.dispose();
}

/** `count` keys of which half are among those `added`, which are the first numbers there are. */
function halfOf(added, count) {
  return numbers(count, added.length).map((key, i) =>
    isChosen(i) ? added[scrambled(i) % added.length] : key,
  );
}

/** `count` different 64-bit integers, made of 32-bit halves as BigInts are slow to make. */
function numbers(count, first) {
  const halves = new Uint32Array(2 * count);
  for (let i = 0; i < count; ++i) {
    halves[2 * i] = scrambled(first + i);
    halves[2 * i + 1] = first + i;
  }
  return new BigUint64Array(halves.buffer);
}

/** Saving and loading, beside copying as many bytes. Here an operation is a byte. */
function bytes() {
  for (const semiSort of [true, false]) savedBytes(semiSort);
}

function savedBytes(semiSort) {
  const filter = CuckooFilter.from(numbers(5 * MILLION, 0), { bucketSize: 4, semiSort });
  const saved = filter.serialize();
  compare(`saved bytes, 8 MB, ${semiSort ? 'semi-sorted' : 'plain'}`, [
    { name: 'Uint8Array.slice', count: saved.length, run: () => saved.slice()[99] },
    { name: 'serialize', count: saved.length, run: () => filter.serialize()[99] },
    {
      name: 'deserialize',
      count: saved.length,
      run: () => {
        const loaded = CuckooFilter.deserialize(saved);
        return finish(loaded);
      },
    },
  ]);
}

function finish(filter) {
  const { size: stored } = filter;
  filter.dispose();
  return stored;
}

/** A bijection of 31-bit numbers that looks random. */
function scrambled(i) {
  return (Math.imul(i ^ (i >>> 15), 0x2c1b3c6d) ^ SEED) >>> 1;
}

function shuffled(list) {
  return list.map((_, i) => list[(i * 1_000_003) % list.length]);
}
