// The worker of crawl.mjs: adds the keys that it is given, or crawls from page to page as long as it finds new ones.
import { parentPort, workerData } from 'node:worker_threads';
import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';

const { shared, keys, pages, start } = workerData;
const seen = SharedCuckooFilter.attach(shared);

/** The pages that a page of the made-up web links to. */
const linksOf = (page) => [page + 1, 2 * page + 1, 7 * page + 3].map((link) => link % pages);

/** Crawls from `first` on; how many pages nobody had seen before. */
function crawl(first) {
  const waiting = [first];
  let fetched = 0;
  for (let page; (page = waiting.pop()) !== undefined;) {
    if (!seen.addIfAbsent(`page ${page}`)) continue;
    ++fetched;
    waiting.push(...linksOf(page));
  }
  return fetched;
}

const answer =
  keys === undefined ? crawl(start) : seen.addManyIfAbsent(keys).reduce((sum, isNew) => sum + isNew, 0);
seen.dispose();
parentPort.postMessage(answer);
