// A worker of hammer.test.ts: asks for every key that is known to be in, while it inserts until the filter is full
// and deletes its own. Goes on for so many rounds, and until `over` is set, if that is given. Tells how often it looked, and
// every key that it did not find.
import { parentPort, workerData } from 'node:worker_threads';
import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';

const { shared, permanent, first, seed, rounds, over } = workerData;
const filter = SharedCuckooFilter.attach(shared);
parentPort.postMessage({ thread: filter.thread });
let state = seed;
const below = (bound) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * bound);
};
const keys = Array.from({ length: permanent }, (_, i) => `permanent ${i}`);
const own = [];
const missed = [];
let next = first;
let lookups = 0;
let refused = 0;
const ask = (key) => {
  ++lookups;
  if (!filter.has(key)) missed.push(key);
};
const drop = () => {
  const at = below(own.length);
  const key = own[at];
  own[at] = own[own.length - 1];
  own.pop();
  if (!filter.delete(key)) missed.push(key);
};
for (let round = 0; round < rounds || (over && Atomics.load(over, 0) === 0); ++round) {
  for (let i = 0; i < 200; ++i) {
    ask(keys[below(keys.length)]);
    const what = below(8);
    if (what < 5) {
      if (filter.tryAdd(next) === 'added') own.push(next);
      else {
        ++refused;
        for (let j = 0; j < 10 && own.length > 0; ++j) drop();
      }
      ++next;
    } else if (own.length > 0) drop();
    if (own.length > 0) ask(own[below(own.length)]);
  }
  filter.containsMany(keys).forEach((found, i) => {
    ++lookups;
    if (found === 0) missed.push(keys[i]);
  });
  if (below(10) === 0) filter.serialize();
}
filter.dispose();
parentPort.postMessage({ lookups, refused, rounds, missed: missed.slice(0, 5), own: own.length });
