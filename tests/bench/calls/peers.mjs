// String keys, one call per key: the package next to filters on npm (those in JavaScript that can delete, a C++ addon, and
// a Bloom filter), all made for a rate of 1 %. They are development dependencies of this bench (tests/bench/peers);
// `--NAME=FOLDER` takes one from elsewhere. npm does not have `fast-bloom-filter`, so it takes part only if that is given.
// Invariant: a contender gets keys made before the clock starts, in the same order; slow ones get fewer; each length of
// keys has a process of its own.
import { CuckooFilter } from 'cuckoofilter-wasm';

import { printRatios, runParts } from '../timing.mjs';
import { isChosen } from '../workload.mjs';
import { asking, calling, peer, timed } from './strings.mjs';

const COUNT = 500_000;
const SLOW_COUNT = 20_000;
const ROUNDS = 5;
const RATE = 0.01;
const SLOW = { isSlow: true, asked: 50 };
const BLOOM = { asked: 1.2, askedInBatch: 2 };

/** How each makes a filter, what it calls its methods, and how many times as fast the package should be. */
const PEERS = {
  'bloom-filters': {
    make: ({ CuckooFilter: Filter }, n) => Filter.create(n, RATE),
    methods: { add: 'add', contains: 'has', delete: 'remove' },
    ...SLOW,
  },
  'cuckoo-filter': {
    make: ({ CuckooFilter: Filter }, n) => new Filter(2 ** Math.ceil(Math.log2(n / 3.6)), 4, 2),
    methods: { add: 'add', contains: 'contains', delete: 'remove' },
    ...SLOW,
  },
  '@libp2p/utils': {
    make: ({ createCuckooFilter }, n) => createCuckooFilter(n, RATE),
    methods: { add: 'add', contains: 'has', delete: 'remove' },
    ...SLOW,
  },
  'cuckoofilter-native': {
    make: ({ default: Filter }, n) => new Filter(2 * n),
    methods: { add: 'add', contains: 'contain', delete: 'delete' },
    asked: 2,
  },
  'fast-bloom-filter': {
    make: ({ default: Filter }, n) => Filter.createOptimal(n, RATE),
    methods: { add: 'addString', contains: 'hasString' },
    isElsewhere: true,
    ...BLOOM,
  },
  bloomfilter: {
    make: ({ BloomFilter }, n) => BloomFilter.withTargetError(n, RATE),
    methods: { add: 'add', contains: 'test' },
    ...BLOOM,
  },
};

const ONE_BY_ONE = { add: 'add', contains: 'contains', delete: 'delete' };
const IN_BATCH = {
  add: (filter, keys) => filter.addMany(keys),
  contains: (filter, keys) => filter.containsMany(keys)[7],
  delete: (filter, keys) => filter.deleteMany(keys),
};
/** The package as it plans, which is for the least memory, and without semi-sorting. */
const OURS = [undefined, false].flatMap((semiSort) => {
  const make = () => new CuckooFilter({ capacity: COUNT, falsePositiveRate: RATE, semiSort });
  const how = semiSort === undefined ? '' : ', semiSort: false';
  return [
    { name: `one call a key${how}`, make, methods: ONE_BY_ONE },
    { name: `all keys in one call${how}`, make, methods: IN_BATCH, isBatch: true },
  ];
});

await runParts(import.meta.url, {
  short: () => race('13 characters', (i) => `user:${10_000_000 + i}`),
  long: () => race('40 characters', (i) => `https://example.org/articles/${String(i).padStart(11, '0')}`),
});

async function race(kind, keyOf) {
  const peers = [];
  for (const [name, { isElsewhere, ...rest }] of Object.entries(PEERS)) {
    if (isElsewhere && !process.argv.some((word) => word.startsWith(`--${name}=`)))
      console.log(`${name} is left out: npm does not have it; --${name}=FOLDER takes it from a folder`);
    else peers.push({ name, module: await peer(name), ...rest });
  }
  const contenders = [...OURS, ...peers].map((contender) => ({ ...contender, loops: loopsOf(contender) }));
  const present = Array.from({ length: COUNT }, (_, i) => keyOf(i));
  // Half of them are there, at random.
  const mixed = present.map((_, i) => keyOf(isChosen(i) ? (i * 7919) % COUNT : COUNT + i));
  const fewMixed = mixed.map((key, i) => (isChosen(i) ? present[(i * 7919) % SLOW_COUNT] : key));
  const times = { add: {}, contains: {}, delete: {} };
  for (let round = 0; round <= ROUNDS; ++round) {
    const filters = await Promise.all(
      contenders.map(({ make, module, isSlow }) => make(module, isSlow ? SLOW_COUNT : COUNT)),
    );
    for (const [operation, taken] of Object.entries(times)) {
      contenders.forEach(({ name, isSlow, loops }, i) => {
        if (loops[operation] === undefined) return;
        const all = operation !== 'contains' ? present : isSlow ? fewMixed : mixed;
        const keys = isSlow ? all.slice(0, SLOW_COUNT) : all;
        const nanoseconds = timed(loops[operation], filters[i], keys);
        if (round > 0) (taken[name] ??= []).push(nanoseconds);
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

/** A loop for each operation that a contender has. */
function loopsOf({ methods, isBatch }) {
  if (isBatch) return methods;
  return Object.fromEntries(
    Object.entries(methods).map(([operation, method]) => [
      operation,
      operation === 'contains' ? asking(method) : calling(method),
    ]),
  );
}
