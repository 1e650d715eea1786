// The parameters that options of RedisCuckooFilter stand for, which must never change: another version of the package opens the
// same filter. The server keeps strings in memory.
import { describe, expect, test } from '@jest/globals';
import type { RedisFilterOptions } from 'cuckoofilter-wasm/redis';
import { rejected } from '../../support/random';
import { FakeServer, lengthOf, type Command } from './fake-server';

/** The header that `open` sends to make a filter; nothing is made. */
async function headerFor(options: Partial<RedisFilterOptions>): Promise<Buffer> {
  const server = new FakeServer();
  server.answer = ({ action }) => {
    if (action === 'make') throw new Error('nothing is made');
    return undefined;
  };
  await expect(server.open(options)).rejects.toThrow('nothing is made');
  return (server.sent.at(-1) as Command).header;
}

/** A server that takes no string of the size that is asked for. */
async function shardsNamed(capacity: number, shards: number): Promise<string | undefined> {
  const server = new FakeServer();
  server.answer = ({ action }) => {
    if (action === 'make') throw new Error('ERR string exceeds maximum allowed size (proto-max-bulk-len)');
    return undefined;
  };
  const { message } = await rejected(RangeError, server.open({ capacity, shards }));
  return /: (set shards to \d+) or more, or lower the capacity$/.exec(message)?.[1];
}

test.each([
  // Every shape, at the rate that it just has.
  [1000, 1000, 0.235, 1, [4, 5, 1, 0, 322, 1000]],
  [1000, 1000, 0.06, 1, [4, 7, 1, 0, 300, 1000]],
  [1000, 1000, 0.02, 1, [4, 9, 1, 0, 289, 1000]],
  [1000, 1000, 0.005, 1, [4, 11, 1, 0, 333, 1000]],
  [1000, 1000, 0.001, 1, [4, 13, 1, 0, 320, 1000]],
  [1000, 1000, 0.0001, 1, [3, 16, 0, 0, 406, 1000]],
  [1000, 1000, 0.00006, 1, [2, 16, 0, 0, 736, 1000]],
  [1000, 1000, 0.00001, 1, [2, 20, 0, 0, 691, 1000]],
  [1000, 1000, 0.000001, 1, [2, 24, 0, 0, 661, 1000]],
  // Shares of several shards.
  [1000, 1000, 0.001, 3, [4, 13, 1, 0, 150, 443]],
  [1_000_000, 3_000_000, 0.001, 5, [4, 13, 1, 1, 109_110, 604_648]],
  [1e9, 1e9, 0.001, 761, [4, 13, 1, 0, 436_460, 1_320_939]],
  // As many doublings as the capacity doubles, but for small tables; and no more than there are bits.
  [1, 1, 0.001, 1, [4, 13, 1, 0, 6, 1]],
  [1000, 1999, 0.001, 1, [4, 13, 1, 0, 576, 1999]],
  [1000, 2000, 0.001, 1, [4, 13, 1, 1, 330, 2000]],
  [1000, 4100, 0.001, 1, [4, 13, 1, 2, 335, 4100]],
  [3, 6, 0.001, 1, [4, 13, 1, 1, 3, 6]],
  [1, 100, 0.001, 1, [4, 13, 1, 4, 3, 100]],
  [100, 3000, 0.001, 2, [4, 13, 1, 4, 36, 1733]],
  [1, 2 ** 34, 0.000001, 64, [2, 24, 0, 8, 698_368, 268_533_760]],
  // The most buckets that a table may have, 2^32.
  [27_564, 27_564 * 2 ** 19, 0.001, 1, [4, 13, 1, 19, 8192, 27_564 * 2 ** 19]],
])(
  'a capacity of %i to %i at a rate of %f in %i shards has the same slots, width, storage, doublings, buckets and keys',
  async (capacity, maxCapacity, falsePositiveRate, shards, wanted) => {
    const header = await headerFor({ capacity, maxCapacity, falsePositiveRate, shards });
    const [slots, width, storage, spared] = [13, 14, 10, 15].map((at) => header[at] as number);
    const [buckets, keys, seed] = [24, 32, 48].map((at) => Number(header.readBigUInt64LE(at)));
    expect([slots, width, storage, (spared as number) >> 2, buckets, keys, seed]).toEqual([
      ...wanted,
      shards - 1,
    ]);
  },
);

test('a string has the memory that an allocator with four sizes between two powers of two gives it, of 2 MiB by default at most', async () => {
  for (let capacity = 10_000; capacity < 2e9; capacity = Math.ceil(1.7 * capacity))
    for (const falsePositiveRate of [0.1, 0.001, 0.00001]) {
      const bytes = 10 + lengthOf(await headerFor({ capacity, falsePositiveRate }));
      const step = 2 ** Math.floor(Math.log2(bytes - 1)) / 4;
      const given = Math.ceil(bytes / step) * step;
      expect(given).toBeLessThanOrEqual(2 ** 21);
      expect(given - bytes).toBeLessThan(40 + given / 250);
    }
});

test('without the option, there are as many shards as keep each string at 2 MiB', async () => {
  expect((await headerFor({ capacity: 1e9 })).readBigUInt64LE(48)).toBe(776n);
  expect((await headerFor({ capacity: 1e6 })).readBigUInt64LE(48)).toBe(0n);
});

describe('where the server takes no string so long', () => {
  test.each([
    // As many as there are by default.
    [672_589_046, 1, 'set shards to 523'],
    // A server that refuses strings this short is set to take less than the default; the least that one takes is 1 MiB.
    [1000, 4, 'set shards to 8'],
    [8_000_000, 1, 'set shards to 14'],
  ])('%i keys in %i shards are an error that names enough', async (capacity, shards, advice) => {
    expect(await shardsNamed(capacity, shards)).toBe(advice);
  });
});

test('the string has as many records as the server counts, where the table may have 256 blocks or few', async () => {
  for (const [capacity, maxCapacity] of [
    [1000, 1000],
    [5000, 5000],
    [1000, 100_000],
    [3000, 256 * 3000], // 256 blocks of 1024 buckets
    [3400, 256 * 3400], // fewer, of 2048
  ] as const) {
    const server = new FakeServer();
    const filter = await server.open({ capacity, maxCapacity });
    expect((await filter.info()).byteLength).toBe(server.strings.get('seen')?.length);
    expect((await server.open({ capacity, maxCapacity })).created).toBe(false);
  }
});

test.each([
  [0.001, 1, 'seen 144,74,4612'],
  [0.000001, 1, 'seen 298,466,3039305'],
  [0.0001, 300, 'seen:53 5,10,12503'],
])('at a rate of %f in %i shards a key has the same place', async (falsePositiveRate, shards, wanted) => {
  const server = new FakeServer();
  const filter = await server.open({ capacity: 1000, falsePositiveRate, shards });
  const places: string[] = [];
  server.answer = ({ action, keys, given }) => {
    if (action !== 'change') return undefined;
    places.push(`${String(keys)} ${[0, 4, 8].map((at) => given.readUInt32LE(at)).join()}`);
    return '0.';
  };
  await filter.add('alice');
  expect(places).toEqual([wanted]);
});
