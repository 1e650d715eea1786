// The worker of fill.mjs: builds a filter of the keys that it is sent, and sends its bytes back.
import { CuckooFilter } from 'cuckoofilter-wasm';

// Node has no such global, and an import of its module would break bundlers.
const port = globalThis.self?.postMessage ? self : process.getBuiltinModule('node:worker_threads').parentPort;

port.onmessage = ({ data: { keys, options, port: answer } }) => {
  try {
    const filter = CuckooFilter.from(keys, options);
    const bytes = filter.serialize();
    filter.dispose();
    answer.postMessage({ bytes }, [bytes.buffer]); // moved, not copied
  } catch (error) {
    const { name, message, stack } = error; // A clone of an error would lose its name, code, reason, index and added.
    answer.postMessage({ error: { ...error, name, message, stack } });
  }
};
