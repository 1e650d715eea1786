// Values and counters: how often other keys' values are found, next to the promised rate; how far counts are off; bits
// per key; and speeds compared with a CuckooFilter and a Map. Run with `npm run bench -- values`.
// Invariant: all are asked the same keys, and the filters are full.
import { CuckooFilter } from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { CuckooValues } from 'cuckoofilter-wasm/values';

import { compare, printMachine, printUsed, use } from '../timing.mjs';

const CAPACITY = 1_000_000;
const ASKED = 4_000_000;
const ROUNDS = 5;

printMachine(0);
const keys = integers(0, CAPACITY);
console.log(`\nvalues found, ${CAPACITY} keys set once, ${ASKED} absent keys asked; intervals of 99.9 %`);
const rows = [
  [1, undefined],
  [8, 0.01],
  [8, undefined],
  [16, undefined],
  [20, 0.01],
  [24, undefined],
];
console.table(rows.map(([valueBits, falsePositiveRate]) => found(valueBits, falsePositiveRate)));
console.log('counts, copies of each key drawn from 1 to 20, then half of them deleted');
console.table(
  [
    [undefined, 8],
    [0.01, 8],
    [undefined, 4],
  ].map(([rate, bits]) => counted(rate, bits)),
);
speeds();
printUsed();

/** The integers from row 2^32 on. */
function integers(row, count) {
  return new BigUint64Array(count).map((_, i) => (BigInt(row) << 32n) | BigInt(i));
}

/** A mean number of values beside the promised one. */
function beside(mean, promised, count) {
  const error = 3.29 * Math.sqrt(promised / count);
  return `${mean.toPrecision(4)} ± ${error.toPrecision(2)}`;
}

function found(valueBits, falsePositiveRate) {
  const table = new CuckooValues({ capacity: CAPACITY, valueBits, falsePositiveRate });
  const values = Uint32Array.from(keys, (_, i) => i % 2 ** valueBits);
  table.setMany(keys, values);
  const own = table.getMany(keys);
  let at = 0;
  for (const each of own)
    if (!each.includes(values[at++])) throw new Error(`key ${at - 1} has lost its value`);
  const rate = table.expectedFalsePositiveRate;
  const others = table.getMany(integers(1, ASKED)).values.length / ASKED;
  const row = {
    'value bits': valueBits,
    'asked for': falsePositiveRate ?? 'default',
    'promised ε': rate.toPrecision(4),
    'absent key': beside(others, rate, ASKED),
    'present key, less 1': beside(own.values.length / CAPACITY - 1, rate, CAPACITY),
    'bits per key': table.bitsPerKey.toFixed(2),
  };
  table.dispose();
  return row;
}

function counted(falsePositiveRate, counterBits) {
  const filter = new CuckooCounter({ capacity: CAPACITY, falsePositiveRate, counterBits });
  const copies = Uint32Array.from(keys, (_, i) => 1 + ((i * 7919) % 20));
  const deleted = copies.map((each) => Math.floor(each / 2));
  filter.addMany(keys, copies);
  const present = keys.filter((_, i) => deleted[i] > 0);
  filter.deleteMany(
    present,
    deleted.filter((each) => each > 0),
  );
  let tooHigh = 0;
  for (const [i, count] of filter.countMany(keys).entries()) {
    const truth = Math.min(copies[i] - deleted[i], filter.maxCount);
    if (count < truth) throw new Error(`key ${i} is counted too low`);
    tooHigh += count > truth;
  }
  const rate = filter.expectedFalsePositiveRate;
  const row = {
    'counter bits': counterBits,
    'promised ε': rate.toPrecision(4),
    'counts too high': (tooHigh / CAPACITY).toPrecision(4),
    'counts too low': 0,
    saturated: (filter.stats().saturated / filter.size).toPrecision(3),
    'bits per key': filter.bitsPerKey.toFixed(2),
  };
  filter.dispose();
  return row;
}

function speeds() {
  const filter = new CuckooFilter({ capacity: CAPACITY });
  const table = new CuckooValues({ capacity: CAPACITY, valueBits: 8 });
  const counter = new CuckooCounter({ capacity: CAPACITY });
  const texts = Array.from({ length: CAPACITY }, (_, i) => `user-${i * 7}`);
  const values = Uint8Array.from(texts, (_, i) => i);
  const map = new Map();
  const run = (name, act) => ({ name, count: CAPACITY, run: act });
  const refill = (into, act) => (into.clear(), act(), into.size);
  compare(
    'batches of integers, from empty to full, and all asked',
    [
      run('CuckooFilter addMany', () => refill(filter, () => filter.addMany(keys))),
      run('CuckooValues setMany', () => refill(table, () => table.setMany(keys, values))),
      run('CuckooCounter addMany', () => refill(counter, () => counter.addMany(keys))),
      run('CuckooFilter containsMany', () => filter.containsMany(keys)[1]),
      run('CuckooValues containsMany', () => table.containsMany(keys)[1]),
      run('CuckooValues getMany', () => table.getMany(keys).length),
      run('CuckooCounter countMany', () => counter.countMany(keys)[1]),
    ],
    ROUNDS,
  );
  compare(
    'texts one by one, from empty to full, and all asked',
    [
      run('CuckooFilter add', () => refill(filter, () => texts.forEach((text) => filter.add(text)))),
      run('CuckooValues set', () =>
        refill(table, () => texts.forEach((text, i) => table.set(text, values[i]))),
      ),
      run('CuckooCounter add', () => refill(counter, () => texts.forEach((text) => counter.add(text)))),
      run('Map set', () => refill(map, () => texts.forEach((text, i) => map.set(text, values[i])))),
      run('CuckooFilter contains', () => texts.reduce((sum, text) => sum + filter.contains(text), 0)),
      run('CuckooValues get', () => texts.reduce((sum, text) => sum + table.get(text)[0], 0)),
      run('CuckooValues has', () => texts.reduce((sum, text) => sum + table.has(text), 0)),
      run('CuckooCounter count', () => texts.reduce((sum, text) => sum + counter.count(text), 0)),
      run('Map get', () => texts.reduce((sum, text) => sum + map.get(text), 0)),
    ],
    ROUNDS,
  );
  use(map.size);
}
