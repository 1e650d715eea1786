// What each form of a key and of a batch costs beside the commonest one, and what it saves to hash a key once and ask many
// filters. Run with `npm run bench -- keys`; a part alone by its name: `forms`, `ids`, `batches`, `kept`,
// `hashed`, `equality`.
// Invariant: the contenders of a table ask the same filters about the same keys, and each part has a process of its own.
import { CuckooFilter, hashKey, hashKeys } from 'cuckoofilter-wasm';

import { coreOf } from '../core.mjs';
import { compare, printRatios, rounds, runParts, use } from '../timing.mjs';
import { asking } from './strings.mjs';

const COUNT = 200_000;
const ROUNDS = 15;

await runParts(import.meta.url, { forms, ids, batches, kept, hashed, equality });

/** One key a call, as bytes of several classes. */
function forms() {
  const texts = Array.from({ length: COUNT }, (_, i) => `key:${i * 7919}`.padEnd(16, '-'));
  const buffers = texts.map((text) => Buffer.from(text));
  const copied = (Class) =>
    buffers.map((bytes) => {
      const copy = new Class(bytes.length);
      new Uint8Array(copy).set(bytes);
      return copy;
    });
  const lists = {
    Buffer: buffers,
    Uint8Array: buffers.map((bytes) => new Uint8Array(bytes)),
    ArrayBuffer: copied(ArrayBuffer),
    SharedArrayBuffer: copied(SharedArrayBuffer),
    DataView: copied(ArrayBuffer).map((buffer) => new DataView(buffer)),
    string: texts,
  };
  const filter = CuckooFilter.from(texts.slice(COUNT / 2));
  const contenders = (loopOf) =>
    Object.entries(lists).map(([name, keys]) => {
      const loop = loopOf();
      return { name, count: COUNT, run: () => loop(filter, keys) };
    });
  const inOneCall = (it, keys) => it.containsMany(keys)[7];
  compare(
    'keys of 16 bytes: contains',
    contenders(() => asking('contains')),
    ROUNDS,
  );
  compare(
    'keys of 16 bytes: containsMany',
    contenders(() => inOneCall),
    ROUNDS,
  );
  filter.dispose();
}

/** Ids as people keep them, asked one a call of a small table, so that what counts is the call and not the memory. */
function ids() {
  const COUNT = 10_000;
  const keys = Array.from({ length: COUNT }, (_, i) =>
    BigInt.asUintN(64, BigInt(i) * 0x9e37_79b9_7f4a_7c15n),
  );
  const texts = keys.map((key) => key.toString(16).padStart(16, '0'));
  const lists = {
    'safe integer': keys.map((key) => Number(key >> 11n)),
    'bigint of 64 bits': keys,
    'small bigint': keys.map((_, i) => BigInt(i)),
    'text of 16 characters': texts,
    'bytes of 16': texts.map((text) => new Uint8Array(Buffer.from(text))),
    'Buffer of 20': texts.map((text) => Buffer.from(`${text}0000`)),
  };
  const filters = Object.values(lists).map((list) => CuckooFilter.from(list));
  compare(
    '10,000 ids: contains',
    Object.entries(lists).map(([name, list], i) => {
      const loop = asking('contains');
      const run = () => Array.from({ length: 20 }, () => loop(filters[i], list))[0];
      return { name, count: 20 * COUNT, run };
    }),
    ROUNDS,
  );
  for (const filter of filters) filter.dispose();
}

/** The same integers or texts, in each form that a batch may have. */
function batches() {
  const small = Array.from({ length: COUNT }, (_, i) => i & 127);
  const filter = CuckooFilter.from(Uint32Array.from({ length: 128 }, (_, i) => 2 * i));
  const types = [Uint32Array, Int32Array, Uint16Array, Int16Array, Float32Array, Float64Array];
  compareBatches('integers in typed arrays', filter, {
    ...Object.fromEntries(types.map((Type) => [Type.name, Type.from(small)])),
    BigUint64Array: BigUint64Array.from(small, BigInt),
  });
  const integers = Array.from({ length: COUNT }, (_, i) => i * 7919);
  const texts = integers.map((i) => `user:${i}`);
  for (const [name, keys] of Object.entries({ integers, texts })) {
    const held = CuckooFilter.from(keys.slice(COUNT / 2));
    compareBatches(name, held, {
      Array: keys,
      Set: new Set(keys),
      'Map.keys()': new Map(keys.map((key) => [key, 0])),
      generator: keys,
      ...(name === 'integers' ? { Float64Array: Float64Array.from(keys) } : {}),
    });
    held.dispose();
  }
  filter.dispose();
}

function compareBatches(title, filter, lists) {
  const again = {
    'Map.keys()': (map) => map.keys(),
    generator: function* (keys) {
      for (let i = 0; i < keys.length; ++i) yield keys[i];
    },
  };
  compare(
    `a batch of ${title}: containsMany`,
    Object.entries(lists).map(([name, keys]) => ({
      name,
      count: COUNT,
      run: () => filter.containsMany(again[name]?.(keys) ?? keys)[7],
    })),
    ROUNDS,
  );
}

/** A million integers asked in one call: with a new array for the answers, with one that is kept, and the core alone. */
async function kept() {
  const { CuckooFilter, askCore } = await coreOf();
  const keys = BigUint64Array.from({ length: 1_000_000 }, (_, i) =>
    BigInt.asUintN(64, BigInt(i) * 0x9e37_79b9_7f4a_7c15n),
  );
  const filter = CuckooFilter.from(keys.subarray(0, keys.length / 2));
  const into = new Uint8Array(keys.length);
  const timed = (ask) => () => {
    const start = performance.now();
    use(ask());
    return ((performance.now() - start) * 1e6) / keys.length;
  };
  const times = await rounds(25, {
    core: timed(() => askCore(filter, keys)),
    kept: timed(() => filter.containsMany(keys, into)[7]),
    made: timed(() => filter.containsMany(keys)[7]),
  });
  printRatios('a million integers: containsMany', times, [
    ['in an array that is kept', 'kept', 'core', 0.952],
    ['in a new array', 'made', 'core'],
    ['in a kept array, beside a new one', 'kept', 'made'],
  ]);
  filter.dispose();
}

/** A loop of its own that asks each filter about one key. */
function overFilters() {
  return new Function(
    'filters',
    'key',
    'let sum = 0; for (const filter of filters) sum += Number(filter.contains(key)); return sum;',
  );
}

/** One key asked of 1,000 filters, and a batch of a million asked of ten: hashed by each filter, and once for all. */
function hashed() {
  const filters = Array.from({ length: 1000 }, (_, i) =>
    CuckooFilter.from(Uint32Array.from({ length: 100 }, (_, j) => 100 * i + j)),
  );
  for (const length of [8, 15, 40, 200, 2000]) {
    const texts = Array.from({ length: 20 }, (_, i) => `${i}`.padEnd(length, '-x'));
    const count = texts.length * filters.length;
    const contender = (name, keyOf, loop = overFilters()) => {
      const run = () => texts.reduce((sum, text) => sum + loop(filters, keyOf(text)), 0);
      return { name, count, run };
    };
    compare(
      `a text of ${length} characters asked of 1,000 filters`,
      [contender('contains(key)', (text) => text), contender('contains(hashKey(key))', hashKey)],
      ROUNDS,
    );
  }
  for (const filter of filters) filter.dispose();

  const million = Array.from({ length: 1_000_000 }, (_, i) => `user:${i * 7919}`);
  const lists = {
    texts: million,
    'Float64Array of integers': Float64Array.from(million, (_, i) => i * 7919),
  };
  for (const [name, keys] of Object.entries(lists)) {
    const ten = Array.from({ length: 10 }, (_, i) =>
      CuckooFilter.from(keys.slice(50_000 * i, 50_000 * (i + 1))),
    );
    const all = (batch) => ten.reduce((sum, filter) => sum + filter.containsMany(batch)[7], 0);
    compare(
      `a million ${name} asked of ten filters`,
      [
        { name: 'containsMany(keys)', count: 1e7, run: () => all(keys) },
        { name: 'containsMany(hashKeys(keys))', count: 1e7, run: () => all(hashKeys(keys)) },
        { name: 'hashKeys alone', count: 1e7, run: () => hashKeys(keys).length },
      ],
      5,
    );
    for (const filter of ten) filter.dispose();
  }
}

/** Filters of ten million keys compared, beside saving one. */
function equality() {
  const keys = new Float64Array(10_000_000).map((_, i) => i);
  for (const semiSort of [true, false]) {
    const filter = CuckooFilter.from(keys, { bucketSize: 4, semiSort });
    const same = filter.clone();
    compare(
      `ten million keys, ${filter.byteLength} bytes, ${semiSort ? 'semi-sorted' : 'plain'}`,
      [
        { name: 'serialize', count: 1e7, run: () => filter.serialize()[99] },
        { name: 'equals, the same', count: 1e7, run: () => Number(filter.equals(same)) },
      ],
      7,
    );
    filter.dispose();
    same.dispose();
  }
}
