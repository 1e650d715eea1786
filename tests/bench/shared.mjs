// One filter that threads share beside the plain class with buckets of the same width, in the same run: lookups and inserts
// of one thread, and of two at once; near full; and the memory that N threads take. Run with `npm run bench -- shared`.
// Invariant: all threads begin together, each with its own keys, and time is taken from the first begin to the last end.
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

import { CuckooFilter } from 'cuckoofilter-wasm';
import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';

import { compare, keep, median, printMachine, printUsed, range } from './timing.mjs';

/** Keys of thread `thread`: integers, as a typed array, which costs the least to hand over. */
function keysOf(thread, count) {
  return BigUint64Array.from({ length: count }, (_, i) => BigInt(thread * count + i) * 0x9e3779b97f4a7c15n);
}

if (isMainThread) await main();
else work();

async function main() {
  const count = process.argv.includes('--short') ? 200_000 : 2_000_000;
  printMachine('none');
  const { options, bitsPerKey, plainBitsPerKey } = SharedCuckooFilter.plan({ capacity: 2 * count });
  console.log(
    `${2 * count} keys of capacity, ${bitsPerKey.toFixed(2)} bits per key; a plain plan takes ${plainBitsPerKey.toFixed(2)}`,
  );

  const keys = keysOf(0, count);
  const texts = Array.from({ length: Math.min(count, 200_000) }, (_, i) => `user-${i}@example`);
  const plain = new CuckooFilter(options);
  const shared = new SharedCuckooFilter(options);
  for (const filter of [plain, shared]) {
    filter.addMany(keys);
    filter.addMany(texts);
  }
  const both = (run) => [
    { name: 'CuckooFilter', count: run.count, run: () => run(plain) },
    { name: 'SharedCuckooFilter', count: run.count, run: () => run(shared) },
  ];
  const measured = (amount, run) => both(Object.assign(run, { count: amount }));
  compare(
    'lookups of one thread: containsMany of integers',
    measured(count, (filter) => filter.containsMany(keys)[9]),
  );
  compare(
    'lookups of one thread: has of strings',
    measured(texts.length, (filter) => texts.reduce((sum, text) => sum + Number(filter.has(text)), 0)),
  );
  const absent = keysOf(7, count);
  compare(
    'lookups of absent keys: containsMany of integers',
    measured(count, (filter) => filter.containsMany(absent)[9]),
  );
  for (const load of [0.5, 0.85, 0.95]) {
    const some = keysOf(3, Math.floor(load * options.bucketCount * options.bucketSize));
    const into = (filter) => filter.addMany(some);
    compare(
      `inserts of one thread: from empty to ${load * 100} %`,
      [
        { name: 'CuckooFilter', count: some.length, prepare: () => new CuckooFilter(options), run: into },
        {
          name: 'SharedCuckooFilter',
          count: some.length,
          prepare: () => new SharedCuckooFilter(options),
          run: into,
        },
      ],
      3,
    );
  }
  await together('lookups: containsMany', shared, count, 'containsMany');
  for (const load of [0.5, 0.85, 0.95]) {
    const each = Math.floor((load * options.bucketCount * options.bucketSize) / 2);
    await together(`inserts: addMany, from empty to ${load * 100} %`, undefined, each, 'addMany', options);
  }
  const { memory } = shared.share();
  console.log(
    `\nmemory: ${memory.buffer.byteLength} bytes for all threads; a plain filter per thread takes ${plain.byteLength} each`,
  );
  printUsed();
}

/** The rate of one thread and of two at once, in turn, and how many times as much two do together. */
async function together(title, filter, count, call, options) {
  const rates = { 1: [], 2: [] };
  const rooms = new SharedCuckooFilter({ capacity: 10 });
  for (let round = 0; round < 5; ++round) {
    for (const threads of [1, 2]) {
      const target = filter ?? new SharedCuckooFilter(options);
      const gate = new Int32Array(new SharedArrayBuffer(8));
      // One thread does what two do.
      const workers = Array.from(
        { length: threads },
        (_, i) =>
          new Worker(new URL(import.meta.url), {
            workerData: { shared: target.share(), gate, first: i, threads, count, call },
          }),
      );
      const times = workers.map(
        (worker) => new Promise((resolve, reject) => worker.on('message', resolve).on('error', reject)),
      );
      while (Atomics.load(gate, 1) < threads) await new Promise((resolve) => setTimeout(resolve, 5));
      Atomics.store(gate, 0, 1);
      Atomics.notify(gate, 0);
      const done = await Promise.all(times);
      const seconds =
        (Math.max(...done.map(([, end]) => end)) - Math.min(...done.map(([begin]) => begin))) / 1000;
      if (round > 0) rates[threads].push((2 * count) / seconds / 1e6);
      await Promise.all(workers.map((worker) => worker.terminate()));
    }
  }
  rooms.dispose();
  const ratio = median(rates[2].map((rate, i) => rate / rates[1][i]));
  keep({
    title,
    label: 'two threads',
    reference: 'one thread',
    rates: rates[2],
    references: rates[1],
    ratio,
  });
  console.log(`\n${title}`);
  for (const threads of [1, 2])
    console.log(`  ${threads} of ${threads} threads together`.padEnd(46) + `${range(rates[threads])} M/s`);
  console.log(`  two do ${ratio.toFixed(2)} times as much`);
}

/** A worker: waits until all are ready, and tells when it began and ended. */
function work() {
  const { shared, gate, first, threads, count, call } = workerData;
  const filter = SharedCuckooFilter.attach(shared);
  const parts = Array.from({ length: 2 / threads }, (_, i) => keysOf(3 + first + i, count));
  filter.containsMany(parts[0].subarray(0, 10_000));
  Atomics.add(gate, 1, 1);
  Atomics.wait(gate, 0, 0);
  const clock = () => performance.timeOrigin + performance.now();
  const begin = clock();
  for (const part of parts) filter[call](part);
  const end = clock();
  filter.dispose();
  parentPort.postMessage([begin, end]);
}
