// Disposes of filters, makes others in their place, collects what was disposed of, and fills the rest; prints how many of
// the others hold what they should. memory.test.ts runs it in a process of its own, with --expose-gc.
import { CuckooFilter } from 'cuckoofilter-wasm';

const COUNT = 50;
const make = () => new CuckooFilter({ capacity: 500 });
const fill = (filter, i) => filter.addMany([`a ${i}`, `b ${i}`, `c ${i}`]);

(() => {
  for (const filter of Array.from({ length: COUNT }, make)) filter.dispose();
})();
const living = Array.from({ length: COUNT }, make);
for (let round = 0; round < 10; ++round) {
  globalThis.gc();
  await new Promise((resolve) => setImmediate(resolve));
}
// If one was freed a second time, its memory goes to one of these too.
const others = Array.from({ length: COUNT }, make);
for (const [i, filter] of living.entries()) fill(filter, i);
for (const [i, filter] of others.entries()) fill(filter, COUNT + i);
const isRight = (filter, i) => {
  const right = make();
  fill(right, i);
  return right.equals(filter);
};
const all = [...living, ...others];
console.log(all.filter((filter, i) => isRight(filter, i)).length === all.length ? 'right' : 'wrong');
