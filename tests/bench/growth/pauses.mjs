// The longest calls of `add` while filters grow to ten million keys, in WebAssembly: one that doubles in place, one without a
// largest size, and one whose layers never double, so that no key is ever moved. Run with `npm run bench -- pauses`.
// Invariant: every call is timed; the garbage collector's work and the machine's are among what is.
import { CuckooFilter } from 'cuckoofilter-wasm';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';

import { printMachine } from '../timing.mjs';

const FIRST = 10_000;
const LAST = 10_000_000;
const ROUNDS = 4;

printMachine(0);
console.log(
  `\n${FIRST} to ${LAST} keys at 0.1 %: milliseconds of the longest calls of add, the least of ${ROUNDS} rounds\n`,
);
const growing = { capacity: FIRST, maxCapacity: LAST };
for (const [name, make] of [
  ['CuckooFilter that doubles in place', () => new CuckooFilter(growing)],
  ['the same at once, maxPause: Infinity', () => new CuckooFilter({ ...growing, maxPause: Infinity })],
  ['ScalableCuckooFilter', () => new ScalableCuckooFilter({ capacity: FIRST })],
  [
    'ScalableCuckooFilter, maxCapacity = capacity',
    () => new ScalableCuckooFilter({ capacity: FIRST, maxCapacity: FIRST }),
  ],
]) {
  // The same calls do the same in every round, so what is long in each is no accident.
  let least;
  let layers = 1;
  for (let round = 0; round < ROUNDS; ++round) {
    const times = new Map();
    const filter = make();
    for (let key = 0; key < LAST; ++key) {
      const begin = performance.now();
      filter.add(key);
      const time = performance.now() - begin;
      if (time > 0.1) times.set(key, Math.min(time, least?.get(key) ?? Infinity));
    }
    least = new Map([...times].filter(([key]) => least === undefined || least.has(key)));
    layers = filter.layers ?? 1;
    filter.dispose();
  }
  const longest = [...least].sort(([, one], [, other]) => other - one).slice(0, 5);
  const shown = longest.map(([key, time]) => `${time.toFixed(2)} at ${key}`);
  console.log(`${name}, ${layers} layers: ${shown.join(', ')}`);
}
