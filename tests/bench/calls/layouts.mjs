// What the layouts of a bucket cost: 64-bit integers in filters of 500,000 keys, `addMany` from empty to full and
// `containsMany` of as many keys, half of them present. The source of the figures in cost.h. Run with
// `npm run bench -- layouts`. Invariant: all are measured in turn, and each ratio is to plain buckets of one word, which
// hold as many keys.
import { CuckooFilter } from 'cuckoofilter-wasm';

import { median, printMachine, printUsed, use } from '../timing.mjs';
import { askedKeys, keys } from '../workload.mjs';

const COUNT = 500_000;
const ROUNDS = 15;
const LAYOUTS = [
  { bucketSize: 4, fingerprintBits: 13, semiSort: false },
  { bucketSize: 4, fingerprintBits: 16, semiSort: false },
  { bucketSize: 2, fingerprintBits: 22, semiSort: false },
  { bucketSize: 3, fingerprintBits: 16, semiSort: false },
  { bucketSize: 4, fingerprintBits: 13, semiSort: true },
  { falsePositiveRate: 0.01 },
  { falsePositiveRate: 1e-4 },
  { falsePositiveRate: 1e-5 },
  { falsePositiveRate: 1e-6 },
  { falsePositiveRate: 1e-7 },
  { falsePositiveRate: 1e-8 },
  { bucketSize: 4, fingerprintBits: 20, semiSort: false },
  { bucketSize: 4, fingerprintBits: 32, semiSort: false },
  { bucketSize: 5, fingerprintBits: 20, semiSort: false },
  { bucketSize: 6, fingerprintBits: 17, semiSort: false },
  { bucketSize: 8, fingerprintBits: 12, semiSort: false },
  { bucketSize: 8, fingerprintBits: 16, semiSort: false },
  { bucketSize: 8, fingerprintBits: 20, semiSort: false },
];

printMachine('none');
const added = keys(0, COUNT);
const asked = askedKeys(COUNT).subarray(0, COUNT);
const made = LAYOUTS.map((options) => ({
  filter: new CuckooFilter({ capacity: COUNT, ...options }),
  adds: [],
  lookups: [],
}));
for (let round = 0; round <= ROUNDS; ++round) {
  for (const { filter, adds, lookups } of made) {
    filter.clear();
    const add = timed(() => filter.addMany(added));
    const lookup = timed(() => filter.containsMany(asked)[7]);
    if (round > 0) adds.push(add);
    if (round > 0) lookups.push(lookup);
  }
}
console.log('\nns per key (best), and the median ratio to the first line');
const [{ adds: firstAdds, lookups: firstLookups }] = made;
for (const { filter, adds, lookups } of made) {
  const { bucketSize, fingerprintBits, semiSorted } = filter;
  const shape = `${bucketSize} x ${fingerprintBits}${semiSorted ? ' s' : ''}`;
  const ratio = (mine, first) => median(mine.map((time, i) => time / first[i])).toFixed(2);
  console.log(
    `  ${shape.padEnd(12)} addMany ${best(adds)} x ${ratio(adds, firstAdds)}   ` +
      `containsMany ${best(lookups)} x ${ratio(lookups, firstLookups)}`,
  );
}
printUsed();

function timed(act) {
  const start = performance.now();
  use(act());
  return ((performance.now() - start) * 1e6) / COUNT;
}

function best(times) {
  return Math.min(...times)
    .toFixed(1)
    .padStart(6);
}
