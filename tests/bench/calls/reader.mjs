// What a lookup without WebAssembly costs: FilterReader beside CuckooFilter and Set, round by round, so that the ratios
// hold on a machine that others use. Run with `npm run bench -- reader`.
// The engine specializes its code for the first reader, and makes it general for the next, so the first is faster.
// Invariant: all hold the same million keys and are asked the same ones, half of them present.
import { CuckooFilter } from 'cuckoofilter-wasm';
import { FilterReader } from 'cuckoofilter-wasm/reader';

import { compare, printMachine, printUsed } from '../timing.mjs';
import { isChosen } from '../workload.mjs';

const MILLION = 1_000_000;
const ASKED = 2 ** 19;
const text = (i) => `user-${`${i}`.padStart(10, '0')}`;
const hash = { algorithm: 'siphash-1-3', key: Uint8Array.from({ length: 16 }, (_, i) => 17 * i) };

printMachine('none');
const keys = Array.from({ length: MILLION }, (_, i) => text(i));
const asked = Array.from({ length: ASKED }, (_, i) => text(isChosen(i) ? (i * 7919) % MILLION : MILLION + i));
const set = new Set(keys);
for (const [name, options] of [
  ['planned', {}],
  ['plain', { semiSort: false }],
  ['with a secret key', { hash }],
])
  lookups(name, options);
printUsed();

function lookups(name, options) {
  const filter = CuckooFilter.from(keys, options);
  const saved = filter.serialize();
  const limits = { hash: options.hash };
  const reader = new FilterReader(saved, limits);
  const contender = (label, ask) => ({
    name: label,
    count: ASKED,
    run: () => asked.reduce((sum, key) => sum + Number(ask(key)), 0),
  });
  compare(`a million texts of 15 characters, ${name}: lookups`, [
    contender('CuckooFilter.contains', (key) => filter.contains(key)),
    contender('FilterReader.contains', (key) => reader.contains(key)),
    contender('Set.has', (key) => set.has(key)),
  ]);
  compare(`the same filter, ${name}: loads, in keys per second`, [
    {
      name: 'CuckooFilter.deserialize',
      count: MILLION,
      run: () => load(CuckooFilter.deserialize(saved, limits)),
    },
    { name: 'new FilterReader', count: MILLION, run: () => new FilterReader(saved, limits).size },
  ]);
  filter.dispose();
}

function load(filter) {
  const { size } = filter;
  filter.dispose();
  return size;
}
