// How the cost of a key grows: with the number of keys, from about a thousand to a hundred million in the package and on to
// a billion slots natively, and with the load, from an empty table to 95 %. Run with `npm run bench -- scale`; `--short`
// ends at a million. Invariant: tables have 4 slots a bucket and 12 bits a fingerprint, keys are 64-bit integers, and a
// lookups find half of theirs; making keys is not timed.
import { CuckooFilter } from 'cuckoofilter-wasm';

import { keep, median, printMachine, printUsed } from '../timing.mjs';
import { ASKED, askedKeys, fillPackage, keys, startNative, time } from '../workload.mjs';

const LOAD = 0.95;
const [nativeProgram, ...flags] = process.argv.slice(2);
const isShort = flags.includes('--short');

printMachine(1);
await bySize();
for (const semiSort of [false, true]) byLoad(semiSort);
printUsed();

async function bySize() {
  const native = startNative(nativeProgram);
  console.log(
    '\nns a key in a table at 95 % (median): slots, MB, native insert_many, contains_many, contains;',
  );
  console.log('  the package: addMany, containsMany, contains');
  for (let log2Buckets = 8; log2Buckets <= (isShort ? 18 : 28); log2Buckets += 2) {
    const bytes = await native.ask(`table 12 ${log2Buckets}`);
    const rounds = log2Buckets <= 16 ? 9 : log2Buckets <= 22 ? 3 : 1;
    const figures = {
      'native insert_many': await medianOf(rounds, () => native.ask('insert_many')),
      'native contains_many': await medianOf(rounds + 2, () => native.ask('contains_many')),
      'native contains': await medianOf(rounds + 2, () => native.ask('contains')),
      // A table of 400 MB is what is reasonable in the 4 GB that WebAssembly may address.
      ...(log2Buckets <= 26 ? await ofPackage(log2Buckets, rounds) : {}),
    };
    const slots = 4 * 2 ** log2Buckets;
    for (const [label, nanoseconds] of Object.entries(figures)) {
      keep({ title: 'by size', label, slots, nanoseconds });
    }
    const columns = Object.values(figures).map((figure) => figure.toFixed(1).padStart(8));
    console.log(
      `  ${String(slots).padStart(11)} ${(bytes / 1e6).toFixed(3).padStart(9)} ${columns.join('')}`,
    );
  }
  native.end();
}

async function ofPackage(log2Buckets, rounds) {
  const filter = filterOf(log2Buckets, false);
  const count = Math.floor(LOAD * 4 * 2 ** log2Buckets);
  const asked = askedKeys(count);
  const figures = {
    addMany: await medianOf(rounds, () => fillPackage(filter, count)),
    containsMany: await medianOf(rounds + 2, () => time(ASKED, () => filter.containsMany(asked)[7])),
    contains: await medianOf(rounds + 2, () =>
      time(ASKED, () => asked.reduce((found, key) => found + Number(filter.contains(key)), 0)),
    ),
  };
  filter.dispose();
  return figures;
}

/** What an insert costs at each load: every step fills another 2.5 % of the slots. */
function byLoad(semiSort) {
  const [STEP, ROUNDS, LOG2_BUCKETS] = [0.025, 15, 16];
  const slots = 4 * 2 ** LOG2_BUCKETS;
  const filter = filterOf(LOG2_BUCKETS, semiSort);
  const step = Math.floor(STEP * slots);
  const taken = Array.from({ length: Math.round(LOAD / STEP) }, () => []);
  for (let round = 0; round <= ROUNDS; ++round) {
    filter.clear();
    taken.forEach((times, i) => {
      const block = keys(i * step, step);
      const nanoseconds = time(step, () => filter.addMany(block));
      if (round > 0) times.push(nanoseconds);
    });
  }
  filter.dispose();
  const label = semiSort ? 'semi-sorted' : 'plain';
  console.log(`\nns an addMany of a key, ${label}, ${slots} slots: load before and after, median`);
  taken.forEach((times, i) => {
    const nanoseconds = median(times);
    keep({ title: 'by load', label, load: (i + 1) * STEP, nanoseconds });
    const [from, to] = [i, i + 1].map((at) => (100 * at * STEP).toFixed(1).padStart(5));
    console.log(`  ${from} % to ${to} %  ${nanoseconds.toFixed(1).padStart(7)}`);
  });
}

function filterOf(log2Buckets, semiSort) {
  const bucketCount = 2 ** log2Buckets;
  return new CuckooFilter({
    capacity: 4 * bucketCount,
    bucketCount,
    bucketSize: 4,
    fingerprintBits: 12,
    semiSort,
  });
}

async function medianOf(rounds, run) {
  const figures = [];
  for (let round = 0; round < rounds; ++round) figures.push(await run());
  return median(figures);
}
