// SharedCuckooFilter in one thread: what CuckooFilter does, in memory that can be shared. Threads are in hammer.test.ts.
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { CuckooFilter } from 'cuckoofilter-wasm';
import {
  FilterBusyError,
  FormatError,
  SharedCuckooFilter,
  SharedMemoryError,
  type SharedCuckooFilterOptions,
} from 'cuckoofilter-wasm/shared';
import { PATIENCE } from '../support/patience';
import { thrownBy } from '../support/random';
import { reclaimed } from './reclaimed';

const OPTIONS: readonly SharedCuckooFilterOptions[] = [
  { capacity: 1000 },
  { capacity: 1000, falsePositiveRate: 0.0024, seed: 7 },
  { capacity: 1000, falsePositiveRate: 0.012, addressing: 'xor' },
  { capacity: 1000, falsePositiveRate: 0.1 },
  { capacity: 1000, falsePositiveRate: 1e-8 },
  { capacity: 300, hash: { algorithm: 'siphash-1-3', key: new Uint8Array(16).fill(5) } },
];

describe.each(OPTIONS)('a shared filter of %o', (options) => {
  test('holds its capacity, meets its rate, and saves the bytes of a plain filter', () => {
    const { capacity, falsePositiveRate = 0.001, hash } = options;
    const plan = SharedCuckooFilter.plan(options);
    expect(plan.bitsPerKey).toBeGreaterThanOrEqual(plan.plainBitsPerKey);
    expect(plan.fingerprintBits).toBe(Math.floor(64 / plan.bucketSize));
    expect(plan.expectedFalsePositiveRate).toBeLessThanOrEqual(falsePositiveRate);
    const keys = Array.from({ length: capacity }, (_, i) => `key ${i}`);
    const shared = new SharedCuckooFilter(plan.options);
    expect(shared.addMany(keys)).toBe(capacity);
    expect(shared.size).toBe(capacity);
    const { kicks } = shared.stats();
    expect(kicks.reduce((sum, count) => sum + count)).toBe(capacity);
    expect(kicks[0]).toBeLessThan(capacity); // A table that is filled to its capacity moves some entries.
    expect(keys.every((key) => shared.has(key))).toBe(true);
    expect(shared.containsMany(keys).every((answer) => answer === 1)).toBe(true);
    const loaded = CuckooFilter.deserialize(shared.serialize(), { hash });
    expect(loaded.size).toBe(capacity);
    expect(keys.every((key) => loaded.has(key))).toBe(true);
    const back = SharedCuckooFilter.deserialize(loaded.serialize(), { hash });
    expect(back.serialize()).toEqual(shared.serialize());
    expect(back.equals(shared) && shared.clone().equals(shared)).toBe(true);
  });

  test('makes the same bytes as a plain filter by the same calls', () => {
    const { options: all } = SharedCuckooFilter.plan(options);
    const shared = new SharedCuckooFilter(all);
    const plain = new CuckooFilter(all);
    for (const filter of [shared, plain]) {
      filter.addMany(Array.from({ length: Math.ceil(0.6 * options.capacity) }, (_, i) => i));
      filter.deleteMany([1, 2, 3]);
      filter.delete(4);
      filter.addIfAbsent('text');
      filter.tryAdd(5n);
    }
    expect(shared.serialize()).toEqual(plain.serialize());
    expect(shared.countMany([4, 5, 'text'])).toEqual(plain.countMany([4, 5, 'text']));
    expect(shared.addManyIfAbsent(['text', 'a', 7])).toEqual(plain.addManyIfAbsent(['text', 'a', 7]));
    expect(shared.expectedFalsePositiveRate).toBe(plain.expectedFalsePositiveRate);
    shared.clear();
    expect([shared.size, shared.has('text'), shared.shrink()]).toEqual([0, false, false]);
  });
});

test('a shared filter that is full says so, and stays as it was', () => {
  const filter = new SharedCuckooFilter({ capacity: 20 });
  let refusal: unknown;
  for (let key = 0; refusal === undefined; ++key) {
    const before = filter.serialize();
    try {
      filter.add(key);
    } catch (error) {
      refusal = error;
      expect(filter.serialize()).toEqual(before);
    }
  }
  expect(refusal).toMatchObject({ name: 'FilterFullError', reason: 'full' });
  expect(() => filter.addMany(Array.from({ length: 99 }, (_, i) => 1e6 + i))).toThrow(/larger capacity$/);
  expect(filter.stats().full).toBeGreaterThan(1);
});

test('copies of a few keys that leave no room in their buckets are told as such', () => {
  const filter = new SharedCuckooFilter({ capacity: 40 });
  expect(() => {
    for (let copies = 0; copies < 64; ++copies) for (let key = 0; key < 4; ++key) filter.add(key);
  }).toThrow(/^no room for the key \d: its buckets are full of copies of a few keys, at \d+ of 40 keys\./);
});

test('ten copies of one key are too many, by name', () => {
  const filter = new SharedCuckooFilter({ capacity: 1000 });
  while (filter.tryAdd('a') === 'added');
  expect(filter.tryAdd('a')).toBe('too-many-copies');
  expect(() => filter.addMany(['a'])).toThrow(/\. Use addManyIfAbsent, or CuckooCounter /);
  expect([4, 8]).toContain(filter.count('a'));
});

test('the same filter is attached as often as there are places, which dispose and reclaim give back', async () => {
  const first = new SharedCuckooFilter({ capacity: 100, maxThreads: 3 });
  const second = SharedCuckooFilter.attach(first.share());
  const third = SharedCuckooFilter.attach(structuredClone(first.share()));
  second.add('a');
  expect([first.has('a'), third.has('a'), first.size, third.capacity]).toEqual([
    true,
    true,
    1,
    second.capacity,
  ]);
  expect([first.thread, second.thread, third.thread]).toEqual([1, 2, 3]);
  expect(() => SharedCuckooFilter.attach(first.share())).toThrow(/^all places are taken \(maxThreads is 3\)/);
  second.dispose();
  second.dispose();
  const again = SharedCuckooFilter.attach(first.share());
  expect(again.thread).toBeGreaterThan(3);
  expect(await reclaimed(first, 3)).toBe(true);
  expect(await first.reclaim(3)).toBe(false);
  expect(SharedCuckooFilter.attach(first.share()).has('a')).toBe(true);
  for (const thread of [0, 1, -1, 1.5]) await expect(first.reclaim(thread)).rejects.toThrow(RangeError);
  expect(() => second.has('a')).toThrow(/dispose/);
});

test('what one thread does, however much, leaves the places of all as they are', () => {
  const first = new SharedCuckooFilter({ capacity: 3000, maxThreads: 2 });
  const second = SharedCuckooFilter.attach(first.share());
  expect(() => second.addMany(Float64Array.from({ length: 9000 }, (_, i) => i))).toThrow(/is full/);
  expect(() => SharedCuckooFilter.attach(first.share())).toThrow(/^all places are taken \(maxThreads is 2\)/);
  expect(first.size).toBe(second.size);
  second.dispose();
  expect(SharedCuckooFilter.attach(first.share()).thread).toBeGreaterThan(2);
});

describe('a shared filter refuses by name', () => {
  test.each([
    [{ capacity: 9, bucketSize: 3 }, 'bucketSize must be 2, 4, 5, 6 or 8'],
    [{ capacity: 9, fingerprintBits: 13 }, 'fingerprintBits must be 32, 16, 12, 10, 8'],
    [{ capacity: 9, bucketSize: 4, fingerprintBits: 12 }, 'fingerprintBits must be 16'],
    [{ capacity: 9, semiSort: true }, 'semiSort must be false'],
    [{ capacity: 9, maxThreads: 0 }, 'maxThreads must be an integer from 1 to 1,024'],
    [{ capacity: 0 }, 'capacity must be'],
  ])('%o', (options, message) => {
    expect(() => new SharedCuckooFilter(options)).toThrow(message);
    expect(() => new SharedCuckooFilter(options)).toThrow(RangeError);
  });

  test('options of growth', () => {
    for (const more of [{ maxCapacity: 20 }, { maxPause: 1 }, { onGrow: () => undefined }]) {
      const options: SharedCuckooFilterOptions = { capacity: 9, ...more };
      const [name = ''] = Object.keys(more);
      expect(() => new SharedCuckooFilter(options)).toThrow(
        `${name} must be left out, because a shared filter does not grow (set capacity to the most keys, or use a CuckooFilter), got `,
      );
    }
  });

  test('what was not shared', () => {
    const filter = new SharedCuckooFilter({ capacity: 9 });
    const shared = filter.share();
    const memory = new WebAssembly.Memory({ initial: 1 });
    for (const wrong of [undefined, {}, { ...shared, memory: {} }, { ...shared, memory }])
      expect(() => SharedCuckooFilter.attach(wrong as never)).toThrow(SharedMemoryError);
  });

  test('saved filters that cannot be shared, and bytes that are damaged', () => {
    const plain = CuckooFilter.from(['a', 'b']);
    expect(() => SharedCuckooFilter.deserialize(plain.serialize())).toThrow(
      /threads cannot share this filter/,
    );
    const bytes = SharedCuckooFilter.from(['a', 'b']).serialize();
    for (let at = 0; at < bytes.length; ++at) {
      const damaged = bytes.slice();
      damaged[at] = (damaged[at] as number) ^ 4;
      expect(() => SharedCuckooFilter.deserialize(damaged)).toThrow();
    }
    expect(() => SharedCuckooFilter.deserialize(bytes.subarray(1))).toThrow(FormatError);
    expect(() => SharedCuckooFilter.deserialize(bytes.slice(0, -1))).toThrow(FormatError);
    expect(() => SharedCuckooFilter.deserialize(bytes, { maxBytes: 1 })).toThrow(/maxBytes/);
    expect(() => SharedCuckooFilter.deserialize(bytes.slice(0, -1), { maxBytes: 1 })).toThrow(
      expect.objectContaining({ code: 'cut-short' }),
    );
  });

  test('a merge', () => {
    expect('merge' in SharedCuckooFilter.prototype || 'mergeIfAbsent' in SharedCuckooFilter.prototype).toBe(
      false,
    );
  });
});

test('a thread that may not wait, as a page, reads at once, and is told by name that a writer has the turn', async () => {
  const wait = jest.spyOn(Atomics, 'wait').mockImplementation(() => {
    throw new TypeError('Atomics.wait cannot be called in this context');
  });
  const filter = new SharedCuckooFilter({ capacity: 4_000_000 });
  wait.mockRestore();
  const waiting = SharedCuckooFilter.attach(filter.share());
  filter.addMany(['a', 'a']);
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
    const { SharedCuckooFilter } = require('cuckoofilter-wasm/shared');
    const filter = SharedCuckooFilter.attach(workerData);
    parentPort.postMessage('ready');
    for (;;) filter.serialize();`,
    { eval: true, workerData: filter.share() },
  );
  try {
    await once(worker, 'message');
    let busy: unknown;
    for (const end = Date.now() + PATIENCE; busy === undefined && Date.now() < end;) {
      expect(filter.has('a')).toBe(true);
      expect(filter.addMany(['b', 'c']) + filter.deleteMany(['b', 'c'])).toBe(4); // into buckets with room
      try {
        filter.clear();
        filter.addMany(['a', 'a']);
      } catch (error) {
        busy = error;
      }
    }
    for (let i = 0; i < 9; ++i) waiting.clear(); // as a thread that may wait
    waiting.addMany(['a', 'a']);
    while (waiting.tryAdd('b') === 'added');
    let refusal: Error | undefined;
    for (const end = Date.now() + PATIENCE; !(refusal instanceof FilterBusyError) && Date.now() < end;)
      refusal = thrownBy(Error, () => filter.addMany(['b'])); // too many copies, once it has its turn
    expect(refusal).toBeInstanceOf(FilterBusyError);
    expect(busy).toMatchObject({ name: 'FilterBusyError', code: 'filter-busy', added: 0 });
    expect((busy as Error).message).toBe(
      'another thread has the filter, and this one may not block: try later, or in a worker',
    );
    expect(filter.containsMany(['a', 'd'])).toEqual(Uint8Array.of(1, 0));
  } finally {
    await worker.terminate();
  }
  // Once the worker has gone, another thread soon takes its turn.
  let copies: number | undefined;
  for (const end = Date.now() + PATIENCE; copies === undefined && Date.now() < end;) {
    try {
      copies = filter.count('a');
    } catch (error) {
      expect(error).toBeInstanceOf(FilterBusyError);
    }
  }
  expect(copies).toBe(2);
});

test('a plan that cannot be made throws what the constructor throws', () => {
  for (const options of [
    { capacity: 163, falsePositiveRate: 8e-5, bucketCount: 1 },
    { capacity: 591, falsePositiveRate: 1e-5, bucketCount: 16 },
  ]) {
    const { message } = thrownBy(RangeError, () => new SharedCuckooFilter(options));
    expect(thrownBy(RangeError, () => SharedCuckooFilter.plan(options)).message).toBe(message);
  }
});

test('what a replaced addMany throws ends addManyAsync, and arrives as it is', async () => {
  const filter = new SharedCuckooFilter({ capacity: 9000 });
  const addMany = filter.addMany.bind(filter);
  let chunks = 0;
  const busy = new FilterBusyError(7);
  jest.spyOn(filter, 'addMany').mockImplementation((keys) => {
    if (++chunks === 3) throw busy;
    return addMany(keys);
  });
  const keys = Array.from({ length: 5000 }, (_, i) => i);
  await expect(filter.addManyAsync(keys)).rejects.toBe(busy);
  expect([filter.size, busy.added]).toEqual([2 * 1024, 7]);
});

describe('without shared memory', () => {
  const { SharedArrayBuffer: known } = globalThis;
  afterEach(() => {
    globalThis.SharedArrayBuffer = known;
    Reflect.deleteProperty(globalThis, 'crossOriginIsolated');
  });
  test('as on a page that is not isolated, the error says so; on one that is there is none', () => {
    const make = (isIsolated: boolean): SharedCuckooFilter => {
      Object.assign(globalThis, { crossOriginIsolated: isIsolated });
      return new SharedCuckooFilter({ capacity: 9 });
    };
    expect(thrownBy(SharedMemoryError, () => make(false))).toMatchObject({
      name: 'SharedMemoryError',
      code: 'no-shared-memory',
    });
    expect(make(true).add('a').has('a')).toBe(true);
  });
  test('the error names the headers', () => {
    Reflect.deleteProperty(globalThis, 'SharedArrayBuffer');
    const make = (): unknown => new SharedCuckooFilter({ capacity: 9 });
    expect(make).toThrow(SharedMemoryError);
    expect(make).toThrow(/Cross-Origin-Opener-Policy: same-origin/);
  });
});
