// Fills a filter in a worker, in browsers and Node. Keys in a typed array, and the filter's bytes, move without a copy.
import { CuckooFilter } from 'cuckoofilter-wasm';

/** A filter of `keys`, built by a `Worker` of fill-worker.mjs. A typed array is empty afterwards, because it moves. */
export async function fillInWorker(worker, keys, options = {}) {
  const { port1, port2 } = new MessageChannel(); // one for each call, so that answers cannot be mistaken
  const moved = ArrayBuffer.isView(keys) ? [keys.buffer] : [];
  const answer = new Promise((resolve, reject) => {
    port1.onmessage = ({ data }) => resolve(data);
    port1.addEventListener('close', () =>
      reject(new Error('The worker ended. Listen to its error event to know why')),
    );
  });
  worker.postMessage({ keys, options, port: port2 }, [port2, ...moved]);
  const { bytes, error } = await answer.finally(() => port1.close());
  if (error !== undefined) throw Object.assign(new Error(), error);
  return CuckooFilter.deserialize(bytes);
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
