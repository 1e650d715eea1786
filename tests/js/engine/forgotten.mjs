// Makes filters and forgets them; prints, for each of two ways, how many were collected and by how many bytes WebAssembly
// memory grew. memory.test.ts runs it in a process of its own, with --expose-gc: whether an engine tells of what it has
// collected depends on what else its process did.
import { CuckooFilter } from 'cuckoofilter-wasm';

const MEGABYTE = 2 ** 20;
let memory;
const { Instance } = WebAssembly;
WebAssembly.Instance = function (...parameters) {
  const made = new Instance(...parameters);
  memory = Object.values(made.exports).find((value) => value instanceof WebAssembly.Memory);
  return made;
};

let collected = 0;
const registry = new FinalizationRegistry(() => ++collected);

/** Adds a key to a filter whose table takes this many bytes, and keeps nothing. */
function makeOne(tableBytes) {
  const sizes = { capacity: 1, bucketCount: tableBytes / 4, bucketSize: 4, fingerprintBits: 8 };
  // Callbacks may know their filter.
  const filter = new CuckooFilter({ ...sizes, onGrow: () => filter.size });
  registry.register(filter.add('key'), undefined);
}

/** The engine tells of what it collected in tasks of its own. */
async function collect() {
  globalThis.gc();
  await new Promise((resolve) => setImmediate(resolve));
}

new CuckooFilter({ capacity: 1 }).dispose();
async function measure(count, tableBytes, afterEach) {
  collected = 0;
  const before = memory.buffer.byteLength;
  for (let made = 1; made <= count; ++made) {
    makeOne(tableBytes);
    await afterEach(made);
  }
  return { collected, grown: memory.buffer.byteLength - before };
}

const large = await measure(60, 16 * MEGABYTE, async (made) => {
  // It may hold on to the last few objects for a while.
  for (let round = 0; round < 100 && collected < made - 3; ++round) await collect();
});
const small = await measure(10_000, MEGABYTE / 16, async (made) => {
  if (made % 100 === 0) await collect();
});
console.log(JSON.stringify({ large, small }));
