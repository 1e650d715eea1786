// The filter whose keys expire: its bits a key, its speed beside a Deduper of the same capacity and rate, and its longest
// calls. Run with `npm run bench -- expiring`; `against` compares `advance` with another build's. Invariant: both are asked the
// same keys, and are full.
import { Deduper } from 'cuckoofilter-wasm';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';

import { compare, keep, median, printMachine, printUsed, use } from '../timing.mjs';

const PERIODS = 4;
const ROUNDS = 3;
const CALLS = 200_000;

printMachine(0);
for (const capacity of [1_000_000, 10_000_000]) measure(capacity);
printUsed();

function measure(capacity) {
  const keys = new BigUint64Array(capacity).map((_, i) => BigInt(i));
  const filter = new ExpiringFilter({ capacity, periods: PERIODS });
  const deduper = new Deduper({ capacity });
  const bits = ({ byteLength }) => ((8 * byteLength) / capacity).toFixed(2);
  console.log(
    `\n${capacity} keys in ${PERIODS} periods, at 0.1 %: ${bits(filter)} bits a key; Deduper ${bits(Deduper.plan({ capacity }))}`,
  );
  const own = longest(keys);
  console.log(`  advance, a quarter of a full table forgotten: ${shown(own.advance)}`);
  console.log(`  each of the next ${CALLS} calls of isNew, new keys: ${shown(own.isNew)}`);
  console.log(`  the same calls before advance: ${shown(own.before)}`);
  keep({ title: `longest calls, ${capacity} keys`, ...own });
  const refill = (into) => ((into.clear(), into.areNew(keys)), into.size);
  compare(
    'keys one after the other, from empty to full, then all again',
    [
      { name: 'Deduper areNew, new', count: capacity, run: () => refill(deduper) },
      { name: 'ExpiringFilter areNew, new', count: capacity, run: () => refill(filter) },
      { name: 'Deduper areNew, seen', count: capacity, run: () => deduper.areNew(keys)[1] },
      { name: 'ExpiringFilter areNew, seen', count: capacity, run: () => filter.areNew(keys)[1] },
    ],
    ROUNDS,
  );
  filter.dispose();
  deduper.dispose();
}

/**
 * What calls take on a full filter when a period begins. Every round makes the same calls on the same content, and of
 * each call the best round counts: so the longest call is one of the filter, and not one that the system interrupted.
 */
function longest(keys) {
  const each = keys.length / PERIODS;
  const rounds = { before: [], advance: [], isNew: [] };
  for (let round = 0; round < ROUNDS; ++round) {
    const filter = new ExpiringFilter({ capacity: keys.length, periods: PERIODS });
    for (let period = 0; period < PERIODS; ++period) {
      if (period > 0) use(filter.advance());
      const first = period * each;
      const last = first + each - (period < PERIODS - 1 ? 0 : CALLS);
      use(filter.areNew(keys.subarray(first, last))[0]);
    }
    rounds.before.push(timesOf(CALLS, (i) => filter.isNew(keys[keys.length - CALLS + i])));
    rounds.advance.push(timesOf(1, () => filter.advance()));
    rounds.isNew.push(timesOf(CALLS, (i) => filter.isNew(BigInt(keys.length + i))));
    filter.dispose();
  }
  return Object.fromEntries(
    Object.entries(rounds).map(([name, times]) => {
      const best = times[0].map((_, i) => Math.min(...times.map((round) => round[i])));
      return [name, { longest: best.reduce((one, next) => Math.max(one, next)), median: median(best) }];
    }),
  );
}

/** Milliseconds of each call. */
function timesOf(count, call) {
  const times = new Float64Array(count);
  for (let i = 0; i < count; ++i) {
    const start = performance.now();
    use(call(i));
    times[i] = performance.now() - start;
  }
  return times;
}

function shown({ longest, median }) {
  return `at most ${longest.toFixed(3)} ms, median ${(1000 * median).toFixed(2)} us`;
}
