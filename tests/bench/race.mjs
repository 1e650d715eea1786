// 64-bit keys, half of the lookups present, tables of 2^20 and 2^24 buckets of four slots filled to 95 %: the package, the
// core in WebAssembly, the core natively, the paper's own C++ code (where `npm run bench -- race <its src folder>` says
// where it is), and what bounds them all: two random reads a key and nothing else. `--short` leaves out the large tables.
// Invariant: the contenders of a round run one after the other, and a ratio is the median of the rounds' ratios.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { CuckooFilter } from 'cuckoofilter-wasm';

import { keep, median, printMachine, range } from './timing.mjs';

const ASKED = 2 ** 21;
const [nativeProgram, wasmModule, ...flags] = process.argv.slice(2);

const native = startNative();
const { default: makeWasm } = await import(wasmModule);
const wasm = await makeWasm();
const has = { paper: flags.includes('--paper') };

printMachine(1);
if (!has.paper)
  console.log(
    "\nThe paper's own code is not there: `npm run bench -- race <folder of its headers>` takes it in.",
  );
const logs = flags.includes('--short') ? [20] : [20, 24];
for (const log2Buckets of logs) {
  for (const fingerprintBits of [12, 16]) await race(fingerprintBits, log2Buckets);
}
native.end();

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
  print(`${title}: inserts from empty to 95 %`, inserts, [
    ['native insert', 'native', 'paper', 1.2],
    ['native insert_many', 'nativeMany', 'paper', 2],
    ['the core in WebAssembly, insert_many', 'wasmMany', 'nativeMany', undefined],
    ['the package, addMany', 'package', 'nativeMany', 0.6],
  ]);

  const asked = askedKeys(count);
  const lookups = await rounds(isLarge ? 5 : 7, {
    paper: has.paper && (() => native.ask('paper_contains')),
    native: () => native.ask('contains'),
    nativeMany: () => native.ask('contains_many'),
    nativeReads: () => native.ask('reads'),
    wasmMany: () => wasm._race_contains_many(),
    wasmReads: () => wasm._race_reads(),
    package: () => time(ASKED, () => filter.containsMany(asked)[7]),
  });
  print(`${title}: lookups at 95 %`, lookups, [
    ['native contains', 'native', 'paper', 1.2],
    ['native contains_many', 'nativeMany', 'paper', 2.5],
    ['native contains_many', 'nativeMany', 'nativeReads', undefined],
    ['the core in WebAssembly, contains_many', 'wasmMany', 'wasmReads', undefined],
    ['the package, containsMany', 'package', 'wasmReads', isLarge ? 0.8 : 0.4],
    ['the package, containsMany', 'package', 'paper', isLarge ? 1.6 : 0.7],
  ]);
  filter.dispose();
}

/** Nanoseconds a key of each contender, round by round; the first round is not counted where there are several. */
async function rounds(count, contenders) {
  const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let round = count === 1 ? 1 : 0; round <= count; ++round) {
    for (const [name, run] of Object.entries(contenders)) {
      const nanoseconds = run ? await run() : undefined;
      if (round > 0 && run) times[name].push(nanoseconds);
    }
  }
  return times;
}

/** A line for each comparison: nanoseconds a key, the reference's, and how many times as fast that is. */
function print(title, times, comparisons) {
  console.log(`\n${title}, ns a key (median, least to most)`);
  for (const [label, name, reference, reach] of comparisons) {
    if (times[reference].length === 0) continue;
    const ratio = median(times[name].map((time, i) => times[reference][i] / time));
    const verdict =
      reach === undefined ? '' : `asked ${reach}: ${ratio >= reach ? 'reached' : 'not reached'}`;
    keep({ title, label, reference, nanoseconds: times[name], references: times[reference], ratio, reach });
    console.log(
      `  ${label.padEnd(40)}${range(times[name]).padEnd(22)}${reference.padStart(12)} ${range(times[reference]).padEnd(22)}` +
        ` x ${ratio.toFixed(2)}  ${verdict}`,
    );
  }
}

function time(count, act) {
  const start = performance.now();
  wasm.used = act();
  return ((performance.now() - start) * 1e6) / count;
}

/** `addMany` in blocks that are made before the clock starts. */
function fillPackage(filter, count) {
  filter.clear();
  let spent = 0;
  for (let first = 0; first < count; first += 65_536) {
    const block = keys(first, Math.min(65_536, count - first));
    spent += time(1, () => filter.addMany(block));
  }
  return spent / count;
}

/** Keys to ask a filter of the keys 0 to `count` - 1: every second one is there, in random order. */
function askedKeys(count) {
  const numbers = new Float64Array(ASKED);
  for (let i = 0; i < ASKED; ++i) numbers[i] = i % 2 === 0 ? mixed(i) % count : count + i;
  return keysOf(numbers);
}

function keys(first, count) {
  return keysOf(Float64Array.from({ length: count }, (_, i) => first + i));
}

/** For each number a key that looks random and is another for every number. */
function keysOf(numbers) {
  const halves = new Uint32Array(2 * numbers.length);
  numbers.forEach((number, i) => {
    halves[2 * i] = number;
    halves[2 * i + 1] = mixed(number);
  });
  return new BigUint64Array(halves.buffer);
}

function mixed(i) {
  const once = Math.imul(i ^ (i >>> 16), 0x21f0aaad);
  return Math.imul(once ^ (once >>> 15), 0x735a2d97) >>> 0;
}

/** The native program, which answers each line with a number. */
function startNative() {
  const child = spawn(nativeProgram, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    ask: async (command) => {
      child.stdin.write(`${command}\n`);
      return Number((await lines.next()).value);
    },
    end: () => child.stdin.end(),
  };
}
