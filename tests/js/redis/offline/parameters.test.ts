// The parameters that options of RedisCuckooFilter stand for, which must never change: another version of the package opens the
// same filter. The server keeps strings in memory.
import { describe, expect, test } from '@jest/globals';
import type { RedisFilterOptions } from 'cuckoofilter-wasm/redis';
import { rejected } from '../../support/random';
import { FakeServer, type Command } from './fake-server';

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
  [1000, 1000, 0.235, 1, [4, 5, 1, 0, 283, 1000]],
  [1000, 1000, 0.06, 1, [4, 7, 1, 0, 283, 1000]],
  [1000, 1000, 0.02, 1, [4, 9, 1, 0, 283, 1000]],
  [1000, 1000, 0.005, 1, [4, 11, 1, 0, 283, 1000]],
  [1000, 1000, 0.001, 1, [4, 13, 1, 0, 283, 1000]],
  [1000, 1000, 0.0001, 1, [3, 16, 0, 0, 393, 1000]],
  [1000, 1000, 0.00006, 1, [2, 16, 0, 0, 629, 1000]],
  [1000, 1000, 0.00001, 1, [2, 20, 0, 0, 629, 1000]],
  [1000, 1000, 0.000001, 1, [2, 24, 0, 0, 629, 1000]],
  // Shares of several shards.
  [1000, 1000, 0.001, 3, [4, 13, 1, 0, 130, 443]],
  [1_000_000, 3_000_000, 0.001, 5, [4, 13, 1, 1, 89_114, 604_648]],
  [1e9, 1e9, 0.001, 761, [4, 13, 1, 0, 351_890, 1_320_939]],
  // As many doublings as the capacity doubles, but for small tables; and no more than there are bits.
  [1, 1, 0.001, 1, [4, 13, 1, 0, 2, 1]],
  [1000, 1999, 0.001, 1, [4, 13, 1, 0, 556, 1999]],
  [1000, 2000, 0.001, 1, [4, 13, 1, 1, 311, 2000]],
  [1000, 4100, 0.001, 1, [4, 13, 1, 2, 311, 4100]],
  [3, 6, 0.001, 1, [4, 13, 1, 1, 3, 6]],
  [1, 100, 0.001, 1, [4, 13, 1, 4, 3, 100]],
  [100, 3000, 0.001, 2, [4, 13, 1, 4, 34, 1733]],
  [1, 2 ** 34, 0.000001, 64, [2, 24, 0, 8, 624_445, 268_533_760]],
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

test('without the option, there are as many shards as keep each string at 2 MiB', async () => {
  expect((await headerFor({ capacity: 1e9 })).readBigUInt64LE(48)).toBe(760n);
  expect((await headerFor({ capacity: 1e6 })).readBigUInt64LE(48)).toBe(0n);
});

describe('where the server takes no string so long', () => {
  test.each([
    // As many as there are by default.
    [672_589_046, 1, 'set shards to 512'],
    // A server that refuses a string this short is set to take less than the default.
    [1000, 4, 'set shards to 8'],
  ])('%i keys in %i shards are an error that names enough', async (capacity, shards, advice) => {
    expect(await shardsNamed(capacity, shards)).toBe(advice);
  });
});

test('the string has as many records as the server counts, where the table may have 256 blocks or few', async () => {
  for (const [capacity, maxCapacity] of [
    [1000, 1000],
    [5000, 5000],
    [1000, 100_000],
    [3377, 256 * 3377], // 2^18 buckets
    [3400, 256 * 3400],
  ] as const) {
    const server = new FakeServer();
    const filter = await server.open({ capacity, maxCapacity });
    expect((await filter.info()).byteLength).toBe(server.strings.get('seen')?.length);
    expect((await server.open({ capacity, maxCapacity })).created).toBe(false);
  }
});

test.each([
  [0.001, 1, 'seen 127,66,4612'],
  [0.000001, 1, 'seen 284,443,3039305'],
  [0.0001, 300, 'seen:53 5,9,12503'],
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
