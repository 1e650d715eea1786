// Keys in buffers and batches in typed arrays, of every class: shared, resizable, of other realms, and changed by another
// thread while they are read. Each key is the bytes that its array holds, whatever properties were put over it.
import { describe, expect, test } from '@jest/globals';
import vm from 'node:vm';
import { Worker } from 'node:worker_threads';
import {
  CuckooFilter,
  hashKey,
  hashKeys,
  InvalidKeyError,
  PackedKeys,
  type Key,
  type Keys,
} from 'cuckoofilter-wasm';
import { runModule } from '../support/command';
import { thrownBy, withSeed } from '../support/random';
import { options, METHODS } from './counted';

/** Each way to hold bytes. */
const HOLDERS: Record<string, (bytes: Uint8Array) => Key> = {
  Uint8Array: (bytes) => bytes.slice(),
  Buffer: (bytes) => Buffer.from(bytes),
  ArrayBuffer: (bytes) => bytes.slice().buffer,
  SharedArrayBuffer: (bytes) => sharedBytes(bytes).buffer,
  'a view of shared memory': (bytes) => sharedBytes(bytes),
  DataView: (bytes) => new DataView(bytes.slice().buffer),
  'an ArrayBuffer of another realm': (bytes) => {
    const buffer = vm.runInNewContext(`new ArrayBuffer(${bytes.length})`) as ArrayBuffer;
    new Uint8Array(buffer).set(bytes);
    return buffer;
  },
  'a SharedArrayBuffer of another realm': (bytes) => {
    const buffer = vm.runInNewContext(`new SharedArrayBuffer(${bytes.length})`) as SharedArrayBuffer;
    new Uint8Array(buffer).set(bytes);
    return buffer;
  },
};

function sharedBytes(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

describe('bytes in every kind of buffer', () => {
  test(
    'are one key, whichever kind came before',
    withSeed(1, (random) => {
      const hold = Object.values(HOLDERS);
      using filter = new CuckooFilter(options);
      const contents = Array.from({ length: 500 }, (_, i) => random.bytes(4 + (i % 20)));
      const held = contents.map((bytes) => (hold[random.below(hold.length)] as (typeof hold)[0])(bytes));
      for (const [i, key] of held.entries()) if (i % 2 === 0) filter.add(key);
      filter.addMany(held.filter((_, i) => i % 2 === 1));
      expect(filter.containsMany(contents).includes(0)).toBe(false);
      for (const holder of hold)
        for (const bytes of contents) expect([bytes, filter.has(holder(bytes))]).toEqual([bytes, true]);
      expect(filter.containsMany(hashKeys(held)).includes(0)).toBe(false);
    }),
  );

  test('stay that where others come between that are no keys', () => {
    using filter = new CuckooFilter(options).add(Uint8Array.of(1, 2));
    for (const holder of Object.values(HOLDERS)) {
      expect(() => filter.has({} as Key)).toThrow(TypeError);
      expect([filter.has(holder(Uint8Array.of(1, 2))), filter.has(holder(Uint8Array.of(1, 3)))]).toEqual([
        true,
        false,
      ]);
    }
  });
});

test('shared memory is a key also where its class is hidden, as on a page that is not isolated', () => {
  const program = `
    delete globalThis.SharedArrayBuffer;
    const { CuckooFilter } = await import('cuckoofilter-wasm');
    const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const zeros = new Uint8Array(65_536);
    const filter = new CuckooFilter({ capacity: 10, fingerprintBits: 32 }).add(buffer).add(new ArrayBuffer(3));
    const found = [zeros, buffer, zeros.buffer, new Uint8Array(3), new DataView(buffer, 7, 3), new Uint8Array(buffer, 9, 4)];
    let message = '';
    try {
      filter.has({});
    } catch (error) {
      ({ message } = error);
    }
    console.log(found.map((key) => Number(filter.has(key))).join(''), [...filter.containsMany(found)].join(''), message);`;
  expect(runModule(program)).toMatch(
    /^111110 111110 a key must be .*, got an object: pass a property, String\(value\) of an ObjectId, or JSON\.stringify\(value\)\n$/,
  );
});

const CLASSES = [
  ...[Uint16Array, Int16Array, Uint32Array, Int32Array],
  ...[Float32Array, Float64Array, BigUint64Array, BigInt64Array],
] as const;
type Numbers = Float64Array;
const NAMED = CLASSES.map((Class) => [Class.name, Class as unknown as Float64ArrayConstructor] as const);

/** `length` values of `Class`: small ones of both signs, and where they fit the ends of its range. */
function valuesOf(Class: Float64ArrayConstructor, length: number): Numbers {
  const isBig = Class.name.startsWith('Big');
  const most = Class.name.startsWith('Float64') ? 2 ** 53 - 1 : 2 ** 24;
  const ends = [0, -0, -1, 1, 127, -128, 255, 65_535, most, -most];
  const numberAt = (i: number): number => ends[i] ?? i * 7919;
  return Class.from({ length }, (_, i) => (isBig ? BigInt(numberAt(i)) : numberAt(i)) as number);
}

describe.each(NAMED)('a batch in a %s', (_, Class) => {
  const large = { ...options, capacity: 2_000_000, fingerprintBits: 13 };

  test.each([0, 1, 9, 4095, 4096, 4097, 12_289])('of %d numbers is each of them', (length) => {
    const numbers = valuesOf(Class, length);
    const list: Key[] = Array.from(numbers);
    using filter = new CuckooFilter(options);
    // Short classes have few different values, and one key has at most eight copies.
    const isNew = filter.addManyIfAbsent(numbers);
    expect(isNew).toEqual(Uint8Array.from(list, (key, i) => Number(list.indexOf(key) === i)));
    expect([...filter.containsMany(list), ...filter.containsMany(numbers)].includes(0)).toBe(false);
    for (const key of list.slice(0, 20)) expect(filter.has(key)).toBe(true);
    expect(filter.deleteMany(numbers)).toBe(filter.size === 0 ? new Set(list).size : NaN);
  });

  test('that is a part of a buffer, shared, or of another realm, is what it shows', () => {
    const numbers = valuesOf(Class, 9);
    const size = Class.BYTES_PER_ELEMENT;
    const shared = new Class(new SharedArrayBuffer(11 * size) as unknown as ArrayBuffer, size, 9);
    shared.set(numbers);
    const foreign = vm.runInNewContext(`new ${Class.name}(9)`) as Numbers;
    foreign.set(numbers);
    for (const keys of [numbers.subarray(2, 7), shared, shared.subarray(3), foreign]) {
      using filter = new CuckooFilter(large);
      const count = filter.addMany(keys);
      expect([count, filter.size]).toEqual([keys.length, keys.length]);
      expect(filter.containsMany(Array.from(keys)).includes(0)).toBe(false);
    }
  });

  test('of a subclass, or with properties of its own, is what it holds', () => {
    class Own extends Class {
      static get [Symbol.species](): Float64ArrayConstructor {
        throw new Error('not asked for');
      }
    }
    const own = new Own(valuesOf(Class, 6).buffer as ArrayBuffer);
    for (const name of ['byteOffset', 'buffer', 'BYTES_PER_ELEMENT'])
      Object.defineProperty(own, name, {
        get() {
          throw new Error('not asked for');
        },
      });
    using filter = new CuckooFilter(options);
    expect(filter.addMany(own as unknown as Keys)).toBe(6);
    expect(filter.containsMany(Array.from(valuesOf(Class, 6))).includes(0)).toBe(false);
  });

  test('whose buffer shrinks or goes away is an error or shorter, and no key is read from elsewhere', () => {
    const size = Class.BYTES_PER_ELEMENT;
    const Resizable = ArrayBuffer as unknown as new (
      length: number,
      options: { maxByteLength: number },
    ) => ArrayBuffer & { resize(length: number): void };
    const buffer = new Resizable(8 * size, { maxByteLength: 16 * size });
    const tracking = new Class(buffer);
    tracking.set(valuesOf(Class, 8));
    const fixed = new Class(buffer, 0, 6);
    using filter = new CuckooFilter(large);
    expect(filter.addMany(tracking)).toBe(8);
    buffer.resize(4 * size);
    expect([...filter.containsMany(tracking)]).toEqual([1, 1, 1, 1]);
    expect(thrownBy(InvalidKeyError, () => filter.addMany(fixed)).message).toMatch(/no bytes left/);
    buffer.resize(12 * size);
    expect(filter.containsMany(tracking)).toHaveLength(12);
    structuredClone(buffer, { transfer: [buffer] });
    expect(thrownBy(InvalidKeyError, () => filter.addMany(tracking)).message).toMatch(/no bytes left/);
    expect(filter.size).toBe(8);
  });
});

test.each([Float32Array, Float64Array])('in a %p, what is no integer is an error with its index', (Class) => {
  for (const [at, bad, advice] of [
    [0, NaN, ''],
    [1, 1.5, ': pass String(value)'],
    [4095, Infinity, ''],
    [4096, -Infinity, ''],
    [5000, 2 ** 53, ', maybe rounded: use bigints or strings'],
  ] as const) {
    const keys = new Class(6000).map((_, i) => i);
    keys[at] = bad;
    for (const method of METHODS) {
      using filter = new CuckooFilter(options);
      const { message } = thrownBy(TypeError, () => filter[method](keys));
      expect(message).toBe(
        `key ${at}: a key must be a string, safe integer, 64-bit bigint or bytes, got ${bad}${advice}`,
      );
      const added = method.startsWith('add') ? at : 0;
      expect(filter.size).toBe(added);
      expect(filter.containsMany(keys.subarray(0, added)).includes(0)).toBe(false);
    }
  }
});

test('every form of 5 is one key, alone and in a batch', () => {
  using filter = new CuckooFilter(options).add(5);
  const alone: Key[] = [
    5,
    5n,
    Uint8Array.of(5, 0, 0, 0, 0, 0, 0, 0),
    ...NAMED.flatMap(([, Class]) => [...valuesOf5(Class)]),
  ];
  for (const key of alone) expect([key, filter.has(key)]).toEqual([key, true]);
  const batches: Keys[] = [alone, new Set(alone), ...NAMED.map(([, Class]) => valuesOf5(Class))];
  for (const keys of batches) {
    expect(filter.containsMany(keys).includes(0)).toBe(false);
    expect(filter.containsMany(hashKeys(keys)).includes(0)).toBe(false);
  }
  expect(filter.containsMany(alone.values()).includes(0)).toBe(false);
  expect(filter.has(hashKey('5'))).toBe(false);
  expect([filter.has('5'), filter.has(Uint8Array.of(5)), filter.has(Float64Array.of(5))]).toEqual([
    false,
    false,
    false,
  ]);
});

function valuesOf5(Class: Float64ArrayConstructor): Numbers {
  return Class.of((Class.name.startsWith('Big') ? 5n : 5) as number);
}

test('keys that another thread changes while they are read leave the filter sound, and are read once each', async () => {
  const buffer = new SharedArrayBuffer(8 * 4096);
  const bytes = new Uint8Array(buffer);
  const numbers = new Float64Array(buffer);
  for (let i = 0; i < numbers.length; ++i) numbers[i] = i * 7919;
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     const bytes = new Uint8Array(workerData), numbers = new Float64Array(workerData);
     parentPort.postMessage('begun');
     for (let i = 0; ; i = (i + 1) | 0) {
       bytes[i & 32767] = i >> 15;
       if ((i & 63) === 0) numbers[(i >> 6) & 4095] = (i & 4096) === 0 ? NaN : i;
     }`,
    { eval: true, workerData: buffer },
  );
  try {
    await new Promise((resolve) => worker.once('message', resolve));
    using filter = new CuckooFilter({ capacity: 2_000_000 });
    const ends = Uint32Array.from({ length: 512 }, (_, i) => 64 * (i + 1));
    let added = 0;
    /** A batch of numbers may meet what is no key; the keys before it are then added. */
    const add = (keys: Keys): void => {
      const before = filter.size;
      try {
        const news = filter.addManyIfAbsent(keys).reduce((sum, isNew) => sum + isNew, 0);
        expect(news).toBe(filter.size - before);
      } catch (error) {
        expect((error as Error).message).toMatch(
          /^key \d+: a key must be .*, got (NaN|-?Infinity|-?[\d.]+(e[-+]\d+)?)(: pass String\(value\)|, maybe rounded.*)?$/,
        );
      }
      added += filter.size - before;
    };
    // More rounds where the other thread gets little of a busy processor.
    for (let round = 0; round < 50 || (added <= 500 && round < 5000); ++round) {
      add(numbers);
      add([
        buffer,
        bytes,
        bytes.subarray(round % 50, 4 * (round % 50)),
        new DataView(buffer, round % 50, 16),
      ]);
      add(new PackedKeys(bytes, ends));
      add(hashKeys(new Uint16Array(buffer, 0, 100)));
    }
    expect([filter.size, added > 500]).toEqual([added, true]);
    using loaded = CuckooFilter.deserialize(filter.serialize());
    expect(loaded.equals(filter)).toBe(true);
  } finally {
    await worker.terminate();
  }
});
