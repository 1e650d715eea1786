// The filter whose keys expire: its bits a key, its speed beside a Deduper of the same capacity and rate, and how long
// `advance` takes. Run with `npm run bench -- expiring`. Invariant: both are asked the same keys, and are full.
import { Deduper } from 'cuckoofilter-wasm';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';

import { compare, median, printMachine, printUsed, use } from './timing.mjs';

const PERIODS = 4;
const ROUNDS = 3;

printMachine(0);
for (const capacity of [1_000_000, 10_000_000]) measure(capacity);
printUsed();

function measure(capacity) {
  const keys = new BigUint64Array(capacity).map((_, i) => BigInt(i));
  const each = capacity / PERIODS;
  const filter = new ExpiringFilter({ capacity, periods: PERIODS });
  const deduper = new Deduper({ capacity });
  const bits = ({ byteLength }) => ((8 * byteLength) / capacity).toFixed(2);
  console.log(
    `\n${capacity} keys in ${PERIODS} periods, at 0.1 %: ${bits(filter)} bits a key; Deduper ${bits(deduper)}`,
  );
  const pauses = [];
  for (let period = 0; period < 3 * PERIODS; ++period) {
    const first = (period % PERIODS) * each;
    use(filter.areNew(keys.subarray(first, first + each))[0]);
    const start = performance.now();
    const dropped = filter.advance();
    // At first there is nothing to drop.
    if (period >= PERIODS - 1) pauses.push(performance.now() - start);
    use(dropped);
  }
  const sorted = pauses.sort((a, b) => a - b).map((pause) => pause.toFixed(1));
  console.log(
    `  advance, a quarter of a full table dropped: ${median(pauses).toFixed(1)} ms (${sorted[0]} to ${sorted.at(-1)})`,
  );
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
