// 64-bit keys, half of the lookups present, tables of 2^20 and 2^24 buckets of four slots filled to 95 %: the package, the
// core in WebAssembly, the core natively, the paper's own C++ code (`npm run bench -- race <its src folder>`, or `--alone`
// to leave it out), and what bounds them all: two random reads a key and nothing else. `--short` leaves out the large tables.
// Invariant: the contenders of a round run one after the other, and a ratio is the median of the rounds' ratios.
import { CuckooFilter } from 'cuckoofilter-wasm';

import { printMachine, printRatios, printUsed, rounds } from '../timing.mjs';
import { ASKED, askedKeys, fillPackage, startNative, time } from '../workload.mjs';

const [nativeProgram, wasmModule, ...flags] = process.argv.slice(2);

const native = startNative(nativeProgram);
const { default: makeWasm } = await import(wasmModule);
const wasm = await makeWasm();
const has = { paper: flags.includes('--paper') };

printMachine(1);
const logs = flags.includes('--short') ? [20] : [20, 24];
for (const log2Buckets of logs) {
  for (const fingerprintBits of [12, 16]) await race(fingerprintBits, log2Buckets);
}
native.end();
printUsed();

async function race(fingerprintBits, log2Buckets) {
  const bucketCount = 2 ** log2Buckets;
  const count = Math.floor(0.95 * 4 * bucketCount);
  const sizes = { capacity: 4 * bucketCount, bucketCount, bucketSize: 4, fingerprintBits, semiSort: false };
  const filter = new CuckooFilter(sizes);
  const bytes = await native.ask(`table ${fingerprintBits} ${log2Buckets}`);
  wasm._race_table(fingerprintBits, log2Buckets);
  const title = `${fingerprintBits} bits, ${(bytes / 1e6).toFixed(0)} MB`;
  const isLarge = log2Buckets > 22;

  const inserts = await rounds(isLarge ? 1 : 3, {
    paper: has.paper && (() => native.ask('paper_insert')),
    native: () => native.ask('insert'),
    nativeMany: () => native.ask('insert_many'),
    wasmMany: () => wasm._race_insert_many(),
    package: () => fillPackage(filter, count),
  });
  printRatios(`${title}: inserts from empty to 95 %`, inserts, [
    ['native insert', 'native', 'paper', 1.2],
    ['native insert_many', 'nativeMany', 'paper', 2],
    ['the core in WebAssembly, insert_many', 'wasmMany', 'nativeMany', undefined],
    ['the package, addMany', 'package', 'nativeMany', 0.6],
  ]);

  const asked = askedKeys(count);
  const lookups = await rounds(isLarge ? 5 : 7, {
    paper: has.paper && (() => native.ask('paper_contains')),
    native: () => native.ask('contains'),
    nativeHash: () => native.ask('contains_hash'),
    nativeMany: () => native.ask('contains_many'),
    nativeReads: () => native.ask('reads'),
    wasmMany: () => wasm._race_contains_many(),
    wasmReads: () => wasm._race_reads(),
    package: () => time(ASKED, () => filter.containsMany(asked)[7]),
  });
  printRatios(`${title}: lookups at 95 %`, lookups, [
    ['native contains', 'native', 'paper', 0.85],
    ['native contains of a hash', 'nativeHash', 'paper', 1],
    ['native contains_many', 'nativeMany', 'paper', 2],
    ['native contains_many', 'nativeMany', 'nativeReads', undefined],
    ['the core in WebAssembly, contains_many', 'wasmMany', 'wasmReads', undefined],
    ['the package, containsMany', 'package', 'wasmReads', isLarge ? 0.8 : 0.4],
    ['the package, containsMany', 'package', 'paper', isLarge ? 1.6 : 0.7],
  ]);
  filter.dispose();
}
