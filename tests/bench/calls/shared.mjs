// One filter that threads share beside the plain class with buckets of the same width, in the same run: lookups and inserts
// of one thread, and of two at once; near full; and the memory that N threads take. Run with `npm run bench -- shared`,
// after its native half (shared.cpp).
// Invariant: all threads begin together, each with its own keys, and time is taken from the first begin to the last end.
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

import { CuckooFilter } from 'cuckoofilter-wasm';
import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';

import { keep, median, printMachine, printUsed, range, use } from '../timing.mjs';

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
  const texts = Array.from({ length: 20_000 }, (_, i) => `user-${i}@example`);
  const plain = new CuckooFilter(options);
  const shared = new SharedCuckooFilter(options);
  for (const filter of [plain, shared]) {
    filter.addMany(keys);
    filter.addMany(texts);
  }
  const filters = { CuckooFilter: plain, SharedCuckooFilter: shared };
  const some = keys.subarray(0, 20_000);
  const absent = keysOf(7, 20_000);
  const sum = (answers) => answers.reduce((total, answer) => total + answer, 0);
  const asksAll = (filter) => texts.reduce((total, text) => total + Number(filter.has(text)), 0);
  least('lookups of one thread: containsMany of integers', 0.9, some.length, filters, (it) =>
    sum(it.containsMany(some)),
  );
  least('lookups of one thread: containsMany of absent integers', 0.9, absent.length, filters, (it) =>
    sum(it.containsMany(absent)),
  );
  least('lookups of one thread: has of strings', 0.9, texts.length, filters, asksAll);
  // Text is encoded outside of shared memory, then copied.
  const addresses = texts.map((text) => `https://${text}.org/a/page`);
  least('lookups of one thread: has of long strings', 0.9, addresses.length, filters, (it) =>
    addresses.reduce((total, text) => total + Number(it.has(text)), 0),
  );
  least('lookups of one thread: containsMany of strings', 0.9, texts.length, filters, (it) =>
    sum(it.containsMany(texts)),
  );
  const small = SharedCuckooFilter.plan({ capacity: 20_000 }).options;
  const empty = { CuckooFilter: new CuckooFilter(small), SharedCuckooFilter: new SharedCuckooFilter(small) };
  let before = 0;
  for (const load of [0.5, 0.85, 0.95]) {
    const slots = small.bucketCount * small.bucketSize;
    const [old, added] = [
      keysOf(3, Math.floor(before * slots)),
      keysOf(4, Math.floor((load - before) * slots)),
    ];
    least(
      `inserts of one thread: addMany from ${before * 100} to ${load * 100} %`,
      undefined,
      added.length,
      empty,
      (it) => it.addMany(added),
      (it) => {
        it.clear();
        it.addMany(old);
      },
    );
    before = load;
  }
  await together('lookups: containsMany', 1.8, shared, count, 'containsMany');
  for (const load of [0.5, 0.85, 0.95]) {
    const each = Math.floor((load * options.bucketCount * options.bucketSize) / 2);
    const asked = load < 0.9 ? 1.8 : undefined;
    await together(
      `inserts: addMany, from empty to ${load * 100} %`,
      asked,
      undefined,
      each,
      'addMany',
      options,
    );
  }
  console.log('\nmemory, in bytes');
  for (const maxThreads of [2, 8]) {
    const { memory } = new SharedCuckooFilter({ ...options, maxThreads }).share();
    const [one, all] = [memory.buffer.byteLength, maxThreads * plain.byteLength];
    console.log(
      `  ${maxThreads} threads: ${one} for one filter, ${all} for a plain one each: x ${(all / one).toFixed(2)}`,
    );
  }
  printUsed();
}

/** The least time of many short turns by each filter in turn: what holds on a machine that has other work. */
function least(title, asked, count, filters, run, prepare) {
  const times = Object.fromEntries(Object.keys(filters).map((name) => [name, Infinity]));
  for (let turn = 0; turn < 120; ++turn) {
    for (const [name, filter] of Object.entries(filters)) {
      prepare?.(filter);
      const begin = performance.now();
      use(run(filter));
      times[name] = Math.min(times[name], ((performance.now() - begin) * 1e6) / count);
    }
  }
  const ratio = times.CuckooFilter / times.SharedCuckooFilter;
  const verdict = asked === undefined ? '' : `, asked ${asked}: ${ratio >= asked ? '' : 'not '}reached`;
  keep({ title, label: 'SharedCuckooFilter', reference: 'CuckooFilter', nanoseconds: times, ratio });
  console.log(
    `${title.padEnd(58)}${times.SharedCuckooFilter.toFixed(1).padStart(7)} ns, CuckooFilter ${times.CuckooFilter.toFixed(1).padStart(6)} ns: x ${ratio.toFixed(2)}${verdict}`,
  );
}

/** The rate of one thread and of two at once, in turn, how many times as much two do together, and what more would do. */
async function together(title, asked, filter, count, call, options) {
  const rates = { 1: [], 2: [] };
  // Not a new one for each round, whose memory the system would still have to give, page by page.
  const target = filter ?? new SharedCuckooFilter(options);
  for (let round = 0; round < 5; ++round) {
    for (const threads of [1, 2]) {
      if (filter === undefined) target.clear();
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
  // Amdahl's law, with the share that cannot be done at once from what two do.
  const alone = Math.max(0, 2 / ratio - 1);
  const model = [4, 8].map((n) => `${n} would do ${(1 / (alone + (1 - alone) / n)).toFixed(1)}`).join(', ');
  const verdict = asked === undefined ? '' : `, asked ${asked}: ${ratio >= asked ? '' : 'not '}reached`;
  console.log(`  two do ${ratio.toFixed(2)} times as much${verdict}; ${model}`);
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
