// Fills a filter in a worker, in browsers and Node. Keys in a typed array, and the filter's bytes, move without a copy.
import { CuckooFilter } from 'cuckoofilter-wasm';

/** A filter of `keys`, built by a `Worker` of fill-worker.mjs. A typed array is empty afterwards, because it moves. */
export async function fillInWorker(worker, keys, options = {}) {
  const answer = answerOf(worker);
  worker.postMessage({ keys, options }, ArrayBuffer.isView(keys) ? [keys.buffer] : []);
  return CuckooFilter.deserialize(await answer);
}

/** One filter of several shards, each built by its own worker. `options.capacity` is that of all shards together. */
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
