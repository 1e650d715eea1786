// Runs a bundle, whose name is the argument, as a worker of a browser does: asks it for a filter, and prints two answers.
import { readFile } from 'node:fs/promises';
import { runInThisContext } from 'node:vm';

import { CuckooFilter } from 'cuckoofilter-wasm';

globalThis.self = globalThis;
globalThis.postMessage = () => undefined; // by which a browser's worker is recognized
runInThisContext(await readFile(process.argv[2], 'utf8'));
const port = {
  postMessage({ bytes, error }) {
    if (error !== undefined) throw error;
    const filter = CuckooFilter.deserialize(bytes);
    console.log(filter.has('alice'), filter.has('bob'));
  },
};
globalThis.onmessage({ data: { keys: ['alice'], options: { capacity: 10 }, port } });
