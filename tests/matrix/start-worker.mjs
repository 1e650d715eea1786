// Runs a bundle, whose name is the argument, as a worker of a browser does: asks it for a filter, and prints two answers.
import { readFile } from 'node:fs/promises';
import { runInThisContext } from 'node:vm';

import { CuckooFilter } from 'cuckoofilter-wasm';

globalThis.self = globalThis;
globalThis.postMessage = (bytes) => {
  const filter = CuckooFilter.deserialize(bytes);
  console.log(filter.has('alice'), filter.has('bob'));
};
runInThisContext(await readFile(process.argv[2], 'utf8'));
globalThis.onmessage({ data: { keys: ['alice'], options: { capacity: 10 } } });
