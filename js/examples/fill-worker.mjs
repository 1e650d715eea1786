// The worker of fill.mjs, for browsers and Node: builds a filter of the keys it is sent and gives its bytes away.
import { CuckooFilter } from 'cuckoofilter-wasm';

const port = globalThis.self?.postMessage ? self : (await import('node:worker_threads')).parentPort;

port.onmessage = ({ data: { keys, options } }) => {
  const filter = CuckooFilter.from(keys, options);
  const bytes = filter.serialize();
  filter.dispose();
  port.postMessage(bytes, [bytes.buffer]); // moved, not copied
};
