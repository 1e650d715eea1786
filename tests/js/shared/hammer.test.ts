// Worker threads hammer one shared filter, and some of them are terminated in the middle: no key that is known to be in
// is ever missed. `npm run test:long` takes 15 times as long. HAMMER_SEED runs another seed.
import { expect, test } from '@jest/globals';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { SharedCuckooFilter, type SharedFilter } from 'cuckoofilter-wasm/shared';
import { IS_LONG, runs } from '../support/long';
import { PATIENCE } from '../support/patience';

const SEED = Number(process.env['HAMMER_SEED'] ?? 1);
const PERMANENT = 300;

interface Told {
  readonly thread?: number;
  readonly lookups: number;
  readonly refused: number;
  readonly missed: readonly unknown[];
  readonly own: number;
}

/**
 * What `promise` gives. If it hangs, an error says what did not end, as a test's own limit does not. To end a worker may
 * take long: Node does so only after background tasks of the whole process (nodejs/node#47452, #54918, #58047).
 */
async function ended<T>(what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not end`)), PATIENCE);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A worker that hammers for so many rounds, and until `over` is set: its place, once it has one, and what it tells at the end. */
function hammer(
  shared: SharedFilter,
  number: number,
  rounds: number,
  over?: Int32Array,
): { worker: Worker; thread: Promise<number>; told: Promise<Told> } {
  const worker = new Worker(join(__dirname, 'worker.mjs'), {
    workerData: {
      shared,
      permanent: PERMANENT,
      first: (number + 1) * 1e9,
      seed: SEED + number,
      rounds,
      over,
    },
  });
  const failed = new Promise<never>((_, reject) => worker.on('error', reject));
  const place = new Promise<number>((resolve) =>
    worker.once('message', ({ thread = NaN }: Told) => resolve(thread)),
  );
  const result = new Promise<Told>((resolve) =>
    worker.on('message', (message: Told) => message.thread ?? resolve(message)),
  );
  return { worker, thread: Promise.race([place, failed]), told: Promise.race([result, failed]) };
}

/** A filter with the permanent keys, in which a few hundred more have room. */
function hammered(maxThreads: number): SharedCuckooFilter {
  const filter = new SharedCuckooFilter({ capacity: 1000, falsePositiveRate: 0.001, maxThreads });
  filter.addMany(Array.from({ length: PERMANENT }, (_, i) => `permanent ${i}`));
  return filter;
}

test(`four threads miss no key, seed ${SEED}`, async () => {
  const filter = hammered(6);
  const hammers = Array.from({ length: 4 }, (_, i) => hammer(filter.share(), i, runs(300, 6000)));
  const all = await ended('the threads', Promise.all(hammers.map(({ told }) => told)));
  await Promise.all(hammers.map(({ worker }) => worker.terminate()));
  expect(all.flatMap(({ missed }) => missed)).toEqual([]);
  for (const { lookups, refused } of all) expect(Math.min(lookups, refused)).toBeGreaterThan(10);
  const expected = PERMANENT + all.reduce((sum, { own }) => sum + own, 0);
  expect(filter.size).toBe(expected);
  expect(CuckooFilter.deserialize(filter.serialize()).size).toBe(expected);
  // Each has given its place back.
  const again = Array.from({ length: 5 }, () => SharedCuckooFilter.attach(filter.share()));
  expect(again).toHaveLength(5);
});

const TERMINATED = runs(8, 200);

test(
  `workers that are terminated anywhere lose no key and block nobody, seed ${SEED}`,
  async () => {
    const filter = hammered(TERMINATED + 3); // a place is given out again only after ten seconds
    const over = new Int32Array(new SharedArrayBuffer(4));
    const survivors = [0, 1].map((i) => hammer(filter.share(), i, 0, over));
    let state = SEED;
    const free: Promise<boolean>[] = [];
    for (let i = 0; i < TERMINATED; ++i) {
      const { worker, thread, told } = hammer(filter.share(), 10 + i, Infinity);
      told.catch(() => undefined);
      const place = await ended(`the start of worker ${i}`, thread);
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      await new Promise((resolve) => setTimeout(resolve, (state / 2 ** 32) * 40));
      await ended(`the termination of worker ${i}`, worker.terminate());
      if (IS_LONG) free.push(filter.reclaim(place));
    }
    Atomics.store(over, 0, 1);
    const all = await ended('the survivors', Promise.all(survivors.map(({ told }) => told)));
    await Promise.all(survivors.map(({ worker }) => worker.terminate()));
    expect(all.flatMap(({ missed }) => missed)).toEqual([]);
    await Promise.all(free);
    for (let i = 0; i < PERMANENT; ++i) expect(filter.has(`permanent ${i}`)).toBe(true);
    const saved = CuckooFilter.deserialize(filter.serialize());
    for (let i = 0; i < PERMANENT; ++i) expect(saved.has(`permanent ${i}`)).toBe(true);
  },
  20 * PATIENCE,
);

test('of threads that add one key at once, one is told that it is new', async () => {
  const filter = new SharedCuckooFilter({ capacity: 20_000 });
  const program = `
    const { parentPort, workerData } = require('node:worker_threads');
    const { SharedCuckooFilter } = require('cuckoofilter-wasm/shared');
    const filter = SharedCuckooFilter.attach(workerData);
    let news = 0;
    for (let key = 0; key < 20_000; ++key) news += filter.addIfAbsent(key) ? 1 : 0;
    parentPort.postMessage(news);
    filter.dispose();`;
  const news = await Promise.all(
    Array.from(
      { length: 3 },
      () =>
        new Promise<number>((resolve, reject) => {
          const worker = new Worker(program, { eval: true, workerData: filter.share() });
          worker.once('message', resolve);
          worker.once('error', reject);
        }),
    ),
  );
  expect(news.reduce((sum, each) => sum + each, 0)).toBe(filter.size);
  expect(news.filter((each) => each > 0).length).toBeGreaterThan(0);
});
