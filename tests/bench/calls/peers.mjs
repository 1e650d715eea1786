// String keys, one call per key: the package next to the filters on npm that people use instead (those in JavaScript
// that can delete, a C++ addon, and the fastest Bloom filters), all made for a rate of 1 %. They are development
// dependencies of this bench alone (tests/bench/peers); one that is not installed is left out, and `--NAME=FOLDER` says
// where else it lies.
// Invariant: a contender gets keys made before the clock starts, in the same order; slow ones get fewer.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { CuckooFilter } from 'cuckoofilter-wasm';

import { printMachine, printRatios, printUsed, use } from '../timing.mjs';
import { isChosen } from '../workload.mjs';

const COUNT = 500_000;
const SLOW_COUNT = 20_000;
const RATE = 0.01;
const folder = fileURLToPath(new URL('../peers', import.meta.url));

/** How each makes a filter, adds, asks and deletes, and how many times as fast the package should be. */
const PEERS = {
  'bloom-filters': {
    make: ({ CuckooFilter: Filter }, n) => Filter.create(n, RATE),
    add: (filter, key) => filter.add(key),
    contains: (filter, key) => filter.has(key),
    delete: (filter, key) => filter.remove(key),
    isSlow: true,
    asked: 50,
  },
  'cuckoo-filter': {
    make: ({ CuckooFilter: Filter }, n) => new Filter(2 ** Math.ceil(Math.log2(n / 3.6)), 4, 2),
    add: (filter, key) => filter.add(key),
    contains: (filter, key) => filter.contains(key),
    delete: (filter, key) => filter.remove(key),
    isSlow: true,
    asked: 50,
  },
  '@libp2p/utils': {
    make: ({ createCuckooFilter }, n) => createCuckooFilter(n, RATE),
    add: (filter, key) => filter.add(key),
    contains: (filter, key) => filter.has(key),
    delete: (filter, key) => filter.remove(key),
    isSlow: true,
    asked: 50,
  },
  'cuckoofilter-native': {
    make: ({ default: Filter }, n) => new Filter(2 * n),
    add: (filter, key) => filter.add(key) === filter,
    contains: (filter, key) => filter.contain(key),
    delete: (filter, key) => filter.delete(key) === filter,
    asked: 2,
  },
  'fast-bloom-filter': {
    make: ({ default: Filter }, n) => Filter.createOptimal(n, RATE),
    add: (filter, key) => filter.addString(key) === undefined,
    contains: (filter, key) => filter.hasString(key),
    asked: 1.2,
    askedInBatch: 2,
  },
  bloomfilter: {
    make: ({ BloomFilter }, n) => BloomFilter.withTargetError(n, RATE),
    add: (filter, key) => filter.add(key) === undefined,
    contains: (filter, key) => filter.test(key),
    asked: 1.2,
    askedInBatch: 2,
  },
};

const KEYS = {
  '13 characters': (i) => `user:${10_000_000 + i}`,
  '40 characters': (i) => `https://example.org/articles/${String(i).padStart(11, '0')}`,
};

const ONE_BY_ONE = {
  add: (filter, key) => filter.add(key),
  contains: (filter, key) => filter.contains(key),
  delete: (filter, key) => filter.delete(key),
};
const IN_BATCH = {
  isBatch: true,
  add: (filter, keys) => filter.addMany(keys),
  contains: (filter, keys) => filter.containsMany(keys)[7],
  delete: (filter, keys) => filter.deleteMany(keys),
};
/** The package as it plans, which is for the least memory, and without semi-sorting. */
const OURS = [undefined, false].flatMap((semiSort) => {
  const make = () => new CuckooFilter({ capacity: COUNT, falsePositiveRate: RATE, semiSort });
  const how = semiSort === undefined ? '' : ', semiSort: false';
  return [
    { name: `one call a key${how}`, make, ...ONE_BY_ONE },
    { name: `all keys in one call${how}`, make, ...IN_BATCH },
  ];
});

printMachine('none');
const peers = [];
for (const [name, peer] of Object.entries(PEERS)) {
  const module = await load(name);
  if (module !== undefined) peers.push({ name, module, ...peer });
}
for (const [kind, keyOf] of Object.entries(KEYS)) await race(kind, keyOf);
printUsed();

async function race(kind, keyOf) {
  const present = Array.from({ length: COUNT }, (_, i) => keyOf(i));
  // Half of them are there, at random.
  const mixed = present.map((_, i) => keyOf(isChosen(i) ? (i * 7919) % COUNT : COUNT + i));
  const fewMixed = mixed.map((key, i) => (isChosen(i) ? present[(i * 7919) % SLOW_COUNT] : key));
  const times = { add: {}, contains: {}, delete: {} };
  for (let round = 0; round <= 5; ++round) {
    const contenders = [...OURS, ...peers];
    const filters = await Promise.all(
      contenders.map(({ make, module, isSlow }) => make(module, isSlow ? SLOW_COUNT : COUNT)),
    );
    for (const [operation, taken] of Object.entries(times)) {
      contenders.forEach(({ name, isSlow, isBatch, [operation]: operate }, i) => {
        if (operate === undefined) return;
        const all = operation !== 'contains' ? present : isSlow ? fewMixed : mixed;
        const keys = isSlow ? all.slice(0, SLOW_COUNT) : all;
        const nanoseconds = time(filters[i], isBatch ? [keys] : keys, operate);
        if (round > 0) (taken[name] ??= []).push(nanoseconds / keys.length);
      });
    }
    for (const filter of filters.slice(0, OURS.length)) filter.dispose();
  }
  for (const [operation, taken] of Object.entries(times)) {
    const measured = peers.filter(({ name }) => taken[name] !== undefined);
    const comparisons = measured.flatMap(({ name: peer, asked, askedInBatch }) =>
      OURS.map(({ name, isBatch }) => [name, name, peer, isBatch ? askedInBatch : asked]),
    );
    printRatios(
      `${operation}, text keys of ${kind}`,
      taken,
      comparisons.filter(([, , , reach]) => reach !== undefined),
    );
  }
}

/** Nanoseconds that all keys take together. A filter that throws, as some do when they are full, goes on. */
function time(filter, keys, operate) {
  let yes = 0;
  const start = performance.now();
  for (const key of keys) {
    try {
      if (operate(filter, key)) ++yes;
    } catch {
      ++yes;
    }
  }
  const spent = performance.now() - start;
  use(yes);
  return spent * 1e6;
}

/** The module of a peer, or undefined, which is said, if there is none. */
async function load(name) {
  const option = process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
  const path = option === undefined ? join(folder, 'node_modules', name) : resolve(option);
  try {
    const { version, main, exports: exported } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    const entry = typeof exported === 'string' ? exported : (exported?.['.']?.import ?? main ?? 'index.js');
    const module = await import(pathToFileURL(join(path, entry)).href);
    console.log(`${name} ${version}${option === undefined ? '' : `, from ${option}`}`);
    // What CommonJS exports may lie behind `default` alone.
    return { ...module.default, ...module };
  } catch (error) {
    console.log(`${name} is left out: ${error.message.split('\n')[0]}`);
    return undefined;
  }
}
