// Worker threads hammer one shared filter, and some of them are terminated in the middle: no key that is known to be in
// is ever missed. `npm run test:long` takes 15 times as long. HAMMER_SEED runs another seed.
import { expect, test } from '@jest/globals';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { SharedCuckooFilter, type SharedFilter } from 'cuckoofilter-wasm/shared';
import { IS_LONG, runs } from '../support/long';

const SEED = Number(process.env['HAMMER_SEED'] ?? 1);
const PERMANENT = 300;

interface Told {
  readonly thread?: number;
  readonly lookups: number;
  readonly refused: number;
  readonly missed: readonly unknown[];
  readonly own: number;
}

/** What `promise` gives. If it takes a minute too long, an error says what did not end, as a test's own limit does not. */
async function ended<T>(what: string, promise: Promise<T>, seconds = 0): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not end`)), (seconds + 60) * 1000);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A worker that hammers for so many seconds: its place, once it has one, and what it tells at the end. */
function hammer(
  shared: SharedFilter,
  number: number,
  seconds: number,
): { worker: Worker; thread: Promise<number>; told: Promise<Told> } {
  const worker = new Worker(join(__dirname, 'worker.mjs'), {
    workerData: { shared, permanent: PERMANENT, first: (number + 1) * 1e9, seed: SEED + number, seconds },
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
  const hammers = Array.from({ length: 4 }, (_, i) => hammer(filter.share(), i, runs(2, 30)));
  const all = await Promise.all(hammers.map(({ told }) => told));
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

/**
 * Extra seconds for a termination. Node ends a worker only after background tasks of the whole process: with other
 * workers busy that takes 0.1 to 5 s without this package, and longer on a machine with much else to do
 * (nodejs/node#47452, #54918, #58047). The test is about what the dead leave behind, not about how soon they die.
 */
const TERMINATION = 240;

test(`workers that are terminated anywhere lose no key and block nobody, seed ${SEED}`, async () => {
  const filter = hammered(300); // a place is given out again only after ten seconds
  const seconds = runs(3, 45);
  const survivors = [0, 1].map((i) => hammer(filter.share(), i, seconds));
  let state = SEED;
  let terminated = 0;
  let isOver = false;
  const free: Promise<boolean>[] = [];
  const over = ended('the survivors', Promise.all(survivors.map(({ told }) => told)), seconds).finally(
    () => (isOver = true),
  );
  while (!isOver) {
    const { worker, thread, told } = hammer(filter.share(), 10 + terminated, 1000);
    told.catch(() => undefined);
    const place = await ended(`the start of worker ${terminated}`, thread);
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    await new Promise((resolve) => setTimeout(resolve, (state / 2 ** 32) * 40));
    await ended(`the termination of worker ${terminated}`, worker.terminate(), TERMINATION);
    if (IS_LONG) free.push(filter.reclaim(place));
    ++terminated;
    // What the dead left is nobody's: it would fill the filter.
    if (filter.loadFactor > 0.9) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const all = await over;
  await Promise.all(survivors.map(({ worker }) => worker.terminate()));
  expect(all.flatMap(({ missed }) => missed)).toEqual([]);
  expect(terminated).toBeGreaterThan(2);
  await Promise.all(free);
  for (let i = 0; i < PERMANENT; ++i) expect(filter.has(`permanent ${i}`)).toBe(true);
  const saved = CuckooFilter.deserialize(filter.serialize());
  for (let i = 0; i < PERMANENT; ++i) expect(saved.has(`permanent ${i}`)).toBe(true);
}, 600_000);

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
