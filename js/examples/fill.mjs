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
