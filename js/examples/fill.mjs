// Fills a filter in a worker and uses it on the thread that asked, in browsers and Node: what moves between the threads
// are bytes, of the keys one way and of the filter the other, and neither is copied or goes through JSON.
import { CuckooFilter } from 'cuckoofilter-wasm';

/**
 * A filter of `keys`, built by `worker`: a `Worker` of fill-worker.mjs, from the browser or from node:worker_threads.
 * Keys in a typed array are moved to the worker, so the array is empty afterwards.
 */
export async function fillInWorker(worker, keys, options = {}) {
  const answer = answerOf(worker);
  worker.postMessage({ keys, options }, ArrayBuffer.isView(keys) ? [keys.buffer] : []);
  return CuckooFilter.deserialize(await answer);
}

/**
 * One filter of several shards of keys, each built by a worker of its own at the same time. `options.capacity` is that of
 * all shards together, so that their filters are alike.
 */
export async function fillInWorkers(workers, shards, options) {
  const filters = await Promise.all(shards.map((keys, i) => fillInWorker(workers[i], keys, options)));
  const [all, ...others] = filters;
  for (const filter of others) {
    all.merge(filter);
    filter.dispose();
  }
  return all;
}

function answerOf(worker) {
  return new Promise((resolve, reject) => {
    if ('once' in worker) {
      worker.once('message', resolve).once('error', reject);
    } else {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
    }
  });
}
