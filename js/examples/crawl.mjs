// `node js/examples/crawl.mjs [workers]`: workers crawl a made-up web of 200,000 pages, and share one set of the pages
// that were seen. Each page is fetched once, whichever workers find links to it.
import { Worker } from 'node:worker_threads';
import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';

const PAGES = 200_000;
const count = Number(process.argv[2] ?? 4);

/** Adds `keys` to `filter` with so many workers at once. Returns how many keys were new to each worker. */
export async function fillShared(filter, keys, workers = 4) {
  const share = Math.ceil(keys.length / workers);
  const parts = Array.from({ length: workers }, (_, i) => keys.slice(i * share, (i + 1) * share));
  return Promise.all(parts.map((part) => inWorker({ shared: filter.share(), keys: part })));
}

/** What a worker of crawl-worker.mjs answers. */
function inWorker(workerData) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('crawl-worker.mjs', import.meta.url), { workerData });
    worker.once('message', resolve).once('error', reject);
  });
}

const seen = new SharedCuckooFilter({ capacity: PAGES, falsePositiveRate: 0.001 });
const known = Array.from({ length: PAGES / 10 }, (_, i) => `page ${10 * i + 3}`); // of the last crawl
await fillShared(seen, known, count);
const began = performance.now();
const fetched = await Promise.all(
  Array.from({ length: count }, (_, i) =>
    inWorker({ shared: seen.share(), pages: PAGES, start: Math.floor((i * PAGES) / count) }),
  ),
);
const all = fetched.reduce((sum, each) => sum + each, known.length);
const time = Math.round(performance.now() - began);
console.log(`${count} workers fetched ${fetched.join(' + ')} pages in ${time} ms, each page once`);
console.log(`with the ${known.length} known before these are ${all} pages; the filter holds ${seen.size}`);
