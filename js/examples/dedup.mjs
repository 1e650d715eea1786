// Removes the duplicates from the lines of real text, once with a CuckooFilter and once with an exact Set, and prints
// what each kept, lost, took and needed. Run it with `node js/examples/dedup.mjs`, or give a file of lines. It has room for
// a million distinct ones.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

import { CuckooFilter } from 'cuckoofilter-wasm';

import { sampleLines } from './sample.mjs';

const RATE = 0.001;
const file = process.argv[2];

/** The lines of the file that was given, or those of the sample. */
function lines() {
  return file ? createInterface({ input: createReadStream(file), crlfDelay: Infinity }) : sampleLines();
}

/** Counts the lines, and those that `isNew` has not seen before. */
async function dedup(isNew) {
  const start = performance.now();
  let read = 0;
  let kept = 0;
  for await (const line of lines()) {
    read += 1;
    if (isNew(line)) kept += 1;
  }
  return { read, kept, seconds: (performance.now() - start) / 1000 };
}

const filter = new CuckooFilter({ capacity: 1_000_000, falsePositiveRate: RATE });
const approximate = await dedup((line) => filter.addIfAbsent(line));

const before = process.memoryUsage().heapUsed;
const set = new Set();
const exact = await dedup((line) => set.size < set.add(line).size);
const setBytes = process.memoryUsage().heapUsed - before;

const dropped = exact.kept - approximate.kept;
const row = (name, value, unit) => console.log(`${name.padEnd(28)}${value.padStart(14)} ${unit}`);
row('lines read', approximate.read.toLocaleString('en'), '');
row('lines kept by the filter', approximate.kept.toLocaleString('en'), '');
row('lines kept by a Set', exact.kept.toLocaleString('en'), '');
row('lines wrongly dropped', String(dropped), `of ${exact.kept.toLocaleString('en')} distinct`);
row('  as a rate', `${((100 * dropped) / exact.kept).toFixed(4)} %`, `(at most ${100 * RATE} % asked for)`);
row('time of the filter', approximate.seconds.toFixed(2), 's');
row('time of the Set', exact.seconds.toFixed(2), 's');
row('memory of the filter', (filter.byteLength / 1e6).toFixed(2), 'MB');
row('memory of the Set', (setBytes / 1e6).toFixed(2), 'MB');
