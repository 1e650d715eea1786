// WebAssembly memory: it grows under filters in use, is given back, and is never seen through a stale view.
import { execFileSync } from 'node:child_process';
import { Readable } from 'node:stream';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { memoryBytes, withMemoryOf } from '../support/memory-spy';
import {
  CuckooFilter,
  dedupe,
  dedupeStream,
  InvalidKeyError,
  OutOfMemoryError,
  type Key,
} from 'cuckoofilter-wasm';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { TIME_LIMIT } from '../support/patience';
import { integers } from '../support/integers';
import { Random, sameBytes } from '../support/random';
import { HEADER_BYTES, TRAILER_BYTES } from '../support/reference/reader';

const MEGABYTE = 2 ** 20;

/** A filter whose table takes this many bytes. */
function filterOf(tableBytes: number, Class = CuckooFilter): CuckooFilter {
  return new Class({ capacity: 1, bucketCount: tableBytes / 4, bucketSize: 4, fingerprintBits: 8 });
}

/** The package as a program has it that has just started, and the memory of that one alone. */
function fresh(): typeof import('cuckoofilter-wasm') & { Other: typeof Traced; memoryBytes(): number } {
  const modules: ReturnType<typeof fresh>[] = [];
  jest.isolateModules(() => {
    const spy = jest.requireActual<typeof import('../support/memory-spy')>('../support/memory-spy');
    modules.push({
      ...jest.requireActual<typeof import('cuckoofilter-wasm')>('cuckoofilter-wasm'),
      Other:
        jest.requireActual<typeof import('cuckoofilter-wasm/trace')>('cuckoofilter-wasm/trace').CuckooFilter,
      memoryBytes: spy.memoryBytes,
    });
  });
  return modules[0] as ReturnType<typeof fresh>;
}

test('no memory is taken before the first filter, and little by a small one', () => {
  const { CuckooFilter, memoryBytes } = fresh();
  expect(memoryBytes()).toBe(0);
  new CuckooFilter({ capacity: 100 }).add('key').dispose();
  expect(memoryBytes()).toBeGreaterThan(0);
  expect(memoryBytes()).toBeLessThanOrEqual(2 * MEGABYTE);
});

test('hashing with any number of seeds and secret keys, and keys that hash others, takes no more memory', () => {
  const { hashKey, hashKeys, memoryBytes } = fresh();
  hashKey('key');
  const before = memoryBytes();
  for (let seed = 0; seed < 5000; ++seed) hashKey('key', { seed });
  const key = new Uint8Array(16);
  for (let byte = 0; byte < 256; ++byte) {
    key.fill(byte);
    hashKey('key', { hash: { algorithm: 'siphash-1-3', key } });
  }
  function* keys(): Generator<Key> {
    for (let seed = 1; seed < 4; ++seed) {
      hashKey('key', { seed });
      yield seed;
    }
  }
  for (let round = 0; round < 3000; ++round) hashKeys(keys());
  for (let round = 0; round < 3000; ++round) expect(() => hashKey(NaN, { seed: round % 2 })).toThrow();
  expect(memoryBytes()).toBe(before);
});

test('a filter goes on as before while memory grows several times under it', () => {
  const { CuckooFilter, memoryBytes } = fresh();
  const filter = new CuckooFilter({ capacity: 5000 });
  const still = new CuckooFilter({ capacity: 5000 });
  const saved = filter.serialize();
  const mask = filter.containsMany([1, 2, 3]);
  const seen = [memoryBytes()];
  for (let round = 0; round < 6; ++round) {
    const large = filterOf(2 ** (20 + round), CuckooFilter);
    seen.push(memoryBytes());
    const keys: Key[] = [
      `text ${round}`,
      round,
      BigInt(round) << 40n,
      Uint8Array.of(round),
      'é'.repeat(40),
      'x'.repeat(70_000) + round,
    ];
    for (const key of keys) expect(filter.add(key).contains(key)).toBe(true);
    filter.addMany(integers(round, 500));
    expect(filter.containsMany(integers(round, 500)).includes(0)).toBe(false);
    still.addMany(keys);
    still.addMany(integers(round, 500));
    expect(sameBytes(filter.serialize(), still.serialize())).toBe(true);
    expect(CuckooFilter.deserialize(filter.serialize()).equals(filter)).toBe(true);
    large.add('key');
  }
  expect(new Set(seen).size).toBeGreaterThan(4);
  expect(new CuckooFilter({ capacity: 5000 }).equals(CuckooFilter.deserialize(saved))).toBe(true);
  expect([...mask]).toEqual([0, 0, 0]);
});

test('memory that grows within a call is seen anew before the call ends', () => {
  const small = new CuckooFilter({ capacity: 100 }).add('key');
  const before = memoryBytes();
  const large = filterOf(32 * MEGABYTE).add('key');
  expect(memoryBytes()).toBeGreaterThan(before);
  const copy = large.clone();
  expect(copy.contains('key')).toBe(true);
  const loaded = CuckooFilter.deserialize(copy.serialize());
  expect(loaded.contains('key')).toBe(true);
  expect(small.contains('key')).toBe(true);
  for (const filter of [large, copy, loaded]) filter.dispose();
});

test('the advice to dispose of filters comes where they hold as much as is asked for, and not where they hold less', () => {
  const { CuckooFilter, Other, memoryBytes } = fresh();
  const sizes = { capacity: 1, bucketSize: 4, fingerprintBits: 8, semiSort: false } as const;
  new CuckooFilter({ ...sizes, bucketCount: 2 ** 18 }).dispose();
  const filter = new CuckooFilter({ ...sizes, bucketCount: 2 ** 20 });
  const other = new Other(sizes); // in a memory of its own
  const asks: [bucketCount: number, advice: RegExp][] = [
    [2 ** 20, /: 4194304 bytes are in 1 live filter\. Call dispose/],
    [2 ** 20 + 1, /^not enough memory for a table of 4194308 bytes for capacity 1$/],
  ];
  withMemoryOf(memoryBytes(), () => {
    for (const [bucketCount, advice] of asks)
      expect(() => new CuckooFilter({ ...sizes, bucketCount })).toThrow(advice);
  });
  for (const each of [filter, other]) each.dispose();
});

test('a program that was never refused memory is not told that it was', () => {
  const { CuckooFilter } = fresh();
  for (const bytes of [0, MEGABYTE]) {
    if (bytes > 0) filterOf(bytes, CuckooFilter).dispose(); // Memory was granted.
    const filter = new CuckooFilter({ capacity: 40, maxCapacity: 640 });
    expect(() => {
      for (let copies = 0; copies < 64; ++copies) for (let key = 0; key < 8; ++key) filter.add(key);
    }).toThrow(
      /^no room for the key \d: its buckets are full of copies of a few keys, at \d+ of 160 keys\. Use addIfAbsent/,
    );
  }
});

test('thousands of filters made and disposed take no more memory than a few', () => {
  const cycle = (): void => {
    const filter = new CuckooFilter({
      capacity: 1,
      bucketCount: 3000,
      bucketSize: 4,
      fingerprintBits: 12,
    }).add('key');
    const copy = filter.clone();
    const loaded = CuckooFilter.deserialize(filter.serialize());
    expect(() => CuckooFilter.deserialize(filter.serialize().fill(0, 100))).toThrow('checksum');
    for (const each of [filter, copy, loaded]) each.dispose();
  };
  for (let i = 0; i < 100; ++i) cycle();
  const before = memoryBytes();
  for (let i = 0; i < 2000; ++i) cycle();
  for (let i = 0; i < 200; ++i) {
    expect(() => new CuckooFilter({ capacity: 2 ** 33 })).toThrow(
      expect.objectContaining({ code: 'out-of-memory' }),
    );
    expect(CuckooFilter.plan({ capacity: 10_000 }).capacity).toBe(10_000);
  }
  expect(memoryBytes()).toBe(before);
});

test('large and small filters in any order leave no memory that cannot be used again', () => {
  const cycle = (): void => {
    const filters = [1, 4, 2, 8, 3, 5].map((megabytes) => filterOf(megabytes * MEGABYTE));
    for (const i of [2, 0, 5, 1, 4, 3]) filters[i]?.dispose();
  };
  for (let i = 0; i < 5; ++i) cycle();
  const before = memoryBytes();
  for (let i = 0; i < 40; ++i) cycle();
  expect(memoryBytes()).toBe(before);
});

test('a new table is empty, whatever its memory held before, and wherever it ends', () => {
  const random = new Random(5);
  const live: CuckooFilter[] = [];
  for (let round = 0; round < 150; ++round) {
    const capacity = Math.ceil(10 ** (random.below(5000) / 1000));
    const filter = new CuckooFilter({ capacity, semiSort: false });
    const table = filter.serialize().subarray(HEADER_BYTES, -TRAILER_BYTES);
    expect(sameBytes(table, new Uint8Array(table.length))).toBe(true);
    filter.addMany(Float64Array.from({ length: capacity }, (_, i) => i));
    live.push(filter);
    if (live.length > 5) live.splice(random.below(live.length), 1)[0]?.dispose();
  }
  for (const filter of live) filter.dispose();
});

// At the 4 GB limit: faults.test.ts.
test('where memory is full to its end, whatever is refused is refused by OutOfMemoryError, and all filters are as they were', () => {
  const before = CuckooFilter.from([1, 2, 3], { capacity: 1000 });
  const growing = CuckooFilter.from<string | number>([1, 2, 3], { capacity: 1000, maxCapacity: 1e6 });
  const saved = before.serialize();
  const live: CuckooFilter[] = [];
  const attempt = <T>(action: () => T): T | undefined => {
    try {
      return action();
    } catch (error) {
      if ((error as Error).constructor !== OutOfMemoryError) throw error;
      expect(error).toHaveProperty('code', 'out-of-memory');
      return undefined;
    }
  };
  withMemoryOf(memoryBytes() + 32 * MEGABYTE, () => {
    for (const first of [3e6, 1e6])
      for (let capacity = first; capacity >= 1; capacity /= 3)
        for (let filter; (filter = attempt(() => new CuckooFilter({ capacity: Math.ceil(capacity) })));)
          live.push(filter.add(`key ${live.length}`));
    for (let i = 0; i < 5000; ++i) attempt(() => growing.tryAdd(`key ${i}`));
    for (const filter of [before, growing, live[0] as CuckooFilter]) attempt(() => filter.clone());
    attempt(() => growing.merge(growing));
    attempt(() => CuckooFilter.deserialize(saved));
    expect(live.length).toBeGreaterThan(5);
    expect(live.every((filter, i) => filter.has(`key ${i}`) && filter.size === 1)).toBe(true);
    expect(sameBytes(before.serialize(), saved)).toBe(true);
    for (const filter of live) filter.dispose();
    using large = new CuckooFilter({ capacity: 1e7 });
    expect(large.add(1).has(1)).toBe(true);
  });
});

test('a trace that is opened again and again, or disposed of, takes no more memory', () => {
  const cycle = (): void => {
    using filter = new Traced({ capacity: 1000 });
    for (let again = 0; again < 3; ++again) filter.trace(2).add('key').takeEvents();
  };
  for (let i = 0; i < 5; ++i) cycle();
  const before = memoryBytes();
  for (let i = 0; i < 50; ++i) cycle();
  expect(memoryBytes()).toBe(before);
});

test('a filter that was disposed of and then collected is freed once', () => {
  const printed = execFileSync(process.execPath, ['--expose-gc', join(__dirname, 'disposed.mjs')], {
    encoding: 'utf8',
    ...TIME_LIMIT,
  });
  expect(printed).toBe('right\n');
});

test('dedupe and its stream free their filter at the end, however it comes', async () => {
  const options = { capacity: 100_000, key: (item: number) => (item < 5 ? item : 0.5) };
  const endings: readonly (() => Promise<void>)[] = [
    async () => {
      for (const item of dedupe([1, 2], options)) expect(item).toBeLessThan(3);
    },
    async () => {
      for (const item of dedupe([1, 2], options)) if (item === 1) break;
    },
    async () => {
      expect(() => dedupe([5], options).next()).toThrow(InvalidKeyError);
    },
    async () => {
      for await (const item of dedupe(Readable.from([1, 2]), options)) expect(item).toBeLessThan(3);
    },
    async () => {
      for await (const item of dedupe(Readable.from([1, 2]), options)) if (item === 1) break;
    },
    async () => {
      const items = dedupe(Readable.from([5]), options);
      await expect(items.next()).rejects.toMatchObject({ code: 'invalid-key' });
    },
    async () => {
      const items = new Blob(['x']).stream().pipeThrough(dedupeStream({ capacity: 100_000 }));
      for await (const item of items as unknown as AsyncIterable<Uint8Array>) expect(item).toHaveLength(1);
    },
    async () => {
      const { readable, writable } = dedupeStream<number>(options);
      const writer = writable.getWriter();
      for (const promise of [writer.closed, writer.write(5)]) promise.catch(() => undefined);
      await expect(readable.getReader().read()).rejects.toThrow(TypeError);
    },
  ];
  for (const end of endings) {
    await end();
    const before = memoryBytes();
    for (let i = 0; i < 40; ++i) await end();
    expect(memoryBytes()).toBe(before);
  }
});

test('filters that are forgotten are collected, and give their memory back', () => {
  const printed = execFileSync(process.execPath, ['--expose-gc', join(__dirname, 'forgotten.mjs')], {
    encoding: 'utf8',
    ...TIME_LIMIT,
  });
  const { large, small } = JSON.parse(printed) as Record<
    'large' | 'small',
    { collected: number; grown: number }
  >;
  // Sixty of 16 MB, and ten thousand that together take 625 MB.
  expect(large.collected).toBeGreaterThanOrEqual(57);
  expect(large.grown).toBeLessThan(200 * MEGABYTE);
  expect(small.grown).toBeLessThan(64 * MEGABYTE);
});
