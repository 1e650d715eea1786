// What a secret key costs: the same calls on a filter with XXH64 and on one with SipHash-1-3, round by round, so that
// the ratio holds on a machine that others use. Run with `npm run bench -- hash`.
// Invariant: both filters hold the same keys and are asked the same ones, half of them present.
import { CuckooFilter } from 'cuckoofilter-wasm';

import { compare, printMachine, printUsed } from '../timing.mjs';

const COUNT = 200_000;
const hash = { algorithm: 'siphash-1-3', key: Uint8Array.from({ length: 16 }, (_, i) => 17 * i) };

printMachine('none');
for (const length of [8, 15, 40, 200, 2000]) {
  const count = Math.min(COUNT, 2e7 / length);
  texts(
    length,
    Array.from({ length: count }, (_, i) => `${i}`.padEnd(length, '-x')),
  );
}
integers(BigUint64Array.from({ length: COUNT }, (_, i) => BigInt(i) * 0x9e3779b97f4a7c15n));
printUsed();

/** Both filters, with every second key. */
function filters(keys) {
  const added = keys.filter((_, i) => i % 2 === 0);
  return { xxh64: CuckooFilter.from(added), 'siphash-1-3': CuckooFilter.from(added, { hash }) };
}

function texts(length, keys) {
  const both = Object.entries(filters(keys));
  const contenders = (run) =>
    both.map(([name, filter]) => ({ name, count: keys.length, run: () => run(filter) }));
  compare(
    `texts of ${length} characters: contains`,
    contenders((filter) => keys.reduce((sum, key) => sum + Number(filter.contains(key)), 0)),
    15,
  );
  compare(
    `texts of ${length} characters: containsMany`,
    contenders((filter) => filter.containsMany(keys)[7]),
    15,
  );
}

function integers(keys) {
  const both = Object.entries(filters(keys));
  const contenders = (run) =>
    both.map(([name, filter]) => ({ name, count: keys.length, run: () => run(filter) }));
  const numbers = Array.from({ length: COUNT }, (_, i) => i);
  compare(
    'numbers: contains',
    contenders((filter) => numbers.reduce((sum, key) => sum + Number(filter.contains(key)), 0)),
    15,
  );
  compare(
    'BigUint64Array: containsMany',
    contenders((filter) => filter.containsMany(keys)[7]),
    15,
  );
}
