// What growable filters cost beside fixed ones, in WebAssembly: `containsMany`, `contains`, `addMany` and `add` on filters
// of the same keys, of which one may not grow, and others may grow 16-, 64- and 1,024-fold but have not yet. Run with
// `npm run bench -- grow`. Invariant: the filters take turns, each figure is the best of several, half of what is asked
// for is present, and all filters answer the same of present keys.
import { CuckooFilter } from 'cuckoofilter-wasm';

import { keep, printMachine, printUsed, use } from '../timing.mjs';

const TURNS = 15;
const FACTORS = [1, 16, 64, 1024];

printMachine(0);
for (const [keys, options] of [
  [320_000, { falsePositiveRate: 0.001 }],
  [320_000, { falsePositiveRate: 0.001, semiSort: false }],
  [5_000_000, { falsePositiveRate: 0.001 }],
]) {
  const present = Float64Array.from({ length: keys }, (_, i) => i * 7919);
  const asked = present.map((key, i) => (i % 2 === 0 ? key : -1 - i));
  const make = (factor) =>
    new CuckooFilter({ ...options, capacity: keys, ...(factor > 1 && { maxCapacity: factor * keys }) });
  const filters = FACTORS.map((factor) => {
    const filter = make(factor);
    filter.addMany(present);
    return filter;
  });
  const single = asked.subarray(0, 500_000);
  const works = {
    containsMany: (filter) => filter.containsMany(asked)[5],
    contains: (filter) => single.reduce((sum, key) => sum + filter.contains(key), 0),
    'clear and addMany': (filter) => (filter.clear(), filter.addMany(present)),
  };
  console.log(`\n${keys} keys, ${JSON.stringify(options)}: ns per key of a fixed filter, and times as long`);
  for (const [name, work] of Object.entries(works)) {
    const best = FACTORS.map(() => Infinity);
    for (let turn = 0; turn < (keys > 1e6 ? 5 : TURNS); ++turn) {
      filters.forEach((filter, i) => {
        const start = performance.now();
        use(work(filter));
        best[i] = Math.min(best[i], performance.now() - start);
      });
    }
    const ratios = best.map((time) => time / best[0]);
    FACTORS.forEach((factor, i) =>
      keep({ title: name, label: `${keys} keys, ${factor} times`, ratio: ratios[i] }),
    );
    const ns = (1e6 * best[0]) / (name === 'contains' ? single.length : keys);
    console.log(
      `  ${name.padEnd(20)}${ns.toFixed(1).padStart(7)} ns  ` +
        FACTORS.map((factor, i) => `${factor}-fold x ${ratios[i].toFixed(2)}`)
          .slice(1)
          .join(', '),
    );
  }
  for (const filter of filters) {
    use(filter.containsMany(present).every((is) => is === 1));
    filter.dispose();
  }
}
printUsed();
