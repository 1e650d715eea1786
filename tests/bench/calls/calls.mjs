// `npm run bench -- calls`: one key a call beside the same keys in a batch, beside `Set` and beside filters from npm
// (tests/bench/peers). The native rows are those of `race`. A part alone by its name: `batches`, `sets`, `inserts`, `growable`.
// Invariant: contenders take turns on the same keys, strings are made anew for each turn where they are to be fresh, each
// ratio is the median over the turns, and each part has a process of its own.
import { CuckooFilter } from 'cuckoofilter-wasm';

import { printRatios, rounds, runParts, use } from '../timing.mjs';
import { asking, calling, fresh, mixed, peer, stringOf, timed } from './strings.mjs';

const ROUNDS = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 9);
const RATE = 0.01;

await runParts(import.meta.url, { batches, sets, inserts, growable });

function batch(keys, act) {
  const start = performance.now();
  use(act(keys)[7]);
  return ((performance.now() - start) * 1e6) / keys.length;
}

/** One call a key beside a batch. */
async function batches() {
  for (const [count, title] of [
    [10_000, 'a table in the cache: 10,000 keys'],
    [1_000_000, 'a million keys'],
  ]) {
    const present = Array.from({ length: count }, (_, i) => i);
    const asked = mixed(count);
    const integers = CuckooFilter.from(present, { falsePositiveRate: RATE });
    const texts = CuckooFilter.from(present.map(stringOf), { falsePositiveRate: RATE });
    const askedTexts = fresh(asked);
    const askedNumbers = Float64Array.from(asked);
    const [integerLoop, textLoop] = [asking('contains'), asking('contains')];
    const repeat = Math.max(1, 300_000 / count);
    const repeated = (act) => () => {
      let sum = 0;
      for (let i = 0; i < repeat; ++i) sum += act();
      return sum / repeat;
    };
    const times = await rounds(ROUNDS, {
      'contains, integers': repeated(() => timed(integerLoop, integers, asked)),
      'containsMany, integers': repeated(() => batch(askedNumbers, (keys) => integers.containsMany(keys))),
      'contains, strings': repeated(() => timed(textLoop, texts, askedTexts)),
      'containsMany, strings': repeated(() => batch(askedTexts, (keys) => texts.containsMany(keys))),
    });
    printRatios(`one call a key beside a batch, ${title}`, times, [
      ['containsMany, integers', 'containsMany, integers', 'contains, integers'],
      ['containsMany, 13 characters', 'containsMany, strings', 'contains, strings'],
    ]);
    for (const filter of [integers, texts]) filter.dispose();
  }
}

/** Beside Set, with strings that are new to it and with strings that it has hashed before. */
async function sets() {
  for (const count of [1000, 10_000, 100_000, 1_000_000]) {
    const present = fresh(Array.from({ length: count }, (_, i) => i));
    const asked = mixed(count);
    const known = fresh(asked);
    const set = new Set(present);
    const filter = CuckooFilter.from(present);
    const [ours, theirs] = [asking('contains'), asking('has')];
    use(theirs(set, known));
    const turns = Math.max(1, 100_000 / count);
    const over = (strings, loop, it) => () => {
      let sum = 0;
      for (let i = 0; i < turns; ++i) sum += timed(loop, it, strings());
      return sum / turns;
    };
    const times = await rounds(ROUNDS, {
      'contains, fresh': over(() => fresh(asked), ours, filter),
      'Set.has, fresh': over(() => fresh(asked), theirs, set),
      'contains, known': over(() => known, ours, filter),
      'Set.has, known': over(() => known, theirs, set),
    });
    const reach = count === 1_000_000 ? 5 : undefined;
    printRatios(`beside Set, ${count.toLocaleString('en')} strings of 13 characters`, times, [
      ['contains, fresh strings', 'contains, fresh', 'Set.has, fresh', reach],
      ['contains, strings that the Set has seen', 'contains, known', 'Set.has, known'],
    ]);
    filter.dispose();
  }
}

/** Inserts beside others. */
async function inserts() {
  const count = 500_000;
  const numbers = Array.from({ length: count }, (_, i) => i);
  const { BloomFilter } = await peer('bloomfilter');
  const { default: Native } = await peer('cuckoofilter-native');
  const adding =
    (make, loop = calling('add')) =>
    () => {
      const filter = make();
      const spent = timed(loop, filter, fresh(numbers));
      filter.dispose?.();
      return spent;
    };
  const ours = (prefer) =>
    adding(() => new CuckooFilter({ capacity: count, falsePositiveRate: RATE, prefer }));
  const full = CuckooFilter.from(numbers.map(stringOf), { falsePositiveRate: RATE });
  const lookups = asking('contains');
  const times = await rounds(ROUNDS, {
    add: ours(),
    speed: ours('speed'),
    bloom: adding(() => BloomFilter.withTargetError(count, RATE)),
    native: adding(() => new Native(2 * count)),
    lookup: () => timed(lookups, full, fresh(numbers)),
  });
  full.dispose();
  printRatios('add, 13 characters, rate 1 %, 500,000 keys', times, [
    ['add', 'add', 'bloom', 1],
    ["add, prefer: 'speed'", 'speed', 'bloom', 1.5],
    ['add', 'add', 'native', 1.3],
    ['contains, which no add can beat', 'lookup', 'bloom'],
  ]);
}

/** Batches in tables that grow and in tables of long fingerprints. */
async function growable() {
  const count = 500_000;
  const present = Float64Array.from({ length: count }, (_, i) => i);
  const asked = Float64Array.from(mixed(count));
  const made = {
    default: {},
    'maxCapacity x 64': { maxCapacity: 64 * count },
    'rate 1e-6': { falsePositiveRate: 1e-6 },
  };
  const contenders = Object.fromEntries(
    Object.entries(made).map(([name, options]) => {
      const filter = CuckooFilter.from(present, { capacity: count, ...options });
      return [name, () => batch(asked, (keys) => filter.containsMany(keys))];
    }),
  );
  const times = await rounds(ROUNDS, contenders);
  printRatios('containsMany beside the default (the ratio is its share of the time)', times, [
    ['default over maxCapacity x 64', 'default', 'maxCapacity x 64'],
    ['default over rate 1e-6', 'default', 'rate 1e-6'],
  ]);
}
