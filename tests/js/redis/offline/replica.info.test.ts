// Replicas and figures of a RedisCuckooFilter: when a replica asks the server, what it says of itself, what it frees; and how full the
// shards are.
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { DisposedError } from 'cuckoofilter-wasm/redis';
import { rejected } from '../../support/random';
import { FakeServer } from './fake-server';

const { now } = performance;
afterEach(() => {
  performance.now = now;
  jest.restoreAllMocks();
});

describe('a replica', () => {
  // First, because the class is made once.
  test('shows its properties, also where it is empty', async () => {
    using replica = await (await new FakeServer().open({ shards: 2 })).replica({ refreshMs: 0 });
    expect(replica.constructor.name).toBe('RedisReplica');
    const { size, byteLength } = replica;
    expect(size).toBe(0);
    expect(JSON.parse(JSON.stringify(replica))).toEqual({ size, byteLength });
  });

  test('is not made where its signal has ended the call', async () => {
    const server = new FakeServer();
    const filter = await server.open();
    server.takeNames();
    const own = new Error('stopped');
    expect(await rejected(Error, filter.replica({ signal: AbortSignal.abort(own) }))).toBe(own);
    expect(server.sent).toEqual([]);
  });

  test('asks nothing by itself if refreshMs is 0', async () => {
    const timer = jest.spyOn(globalThis, 'setInterval');
    const server = new FakeServer();
    using replica = await (await server.open()).replica({ refreshMs: 0 });
    server.takeNames();
    expect([timer.mock.calls, server.sent, replica.size]).toEqual([[], [], 0]);
  });

  test('follows the server where timers are numbers', async () => {
    const timer = jest.spyOn(globalThis, 'setInterval').mockReturnValue(5 as never);
    using replica = await (await new FakeServer().open()).replica({ refreshMs: 70 });
    expect(timer.mock.calls).toEqual([[expect.any(Function), 70]]);
    expect(replica.size).toBe(0);
  });

  test('tells its age, and asks once for what has changed', async () => {
    const server = new FakeServer();
    const filter = await server.open();
    let time = 1e6;
    performance.now = () => time;
    using replica = await filter.replica({ refreshMs: 0 });
    time += 500;
    expect(replica.age).toBe(500);
    server.takeNames();
    await replica.refresh();
    expect([replica.age, server.takeActions()]).toEqual([0, ['changed seen']]);
  });

  test('takes only the blocks that have changed', async () => {
    const server = new FakeServer();
    const filter = await server.open({ capacity: 12_000 });
    using replica = await filter.replica({ refreshMs: 0 });
    const before = replica.serializeShards();
    const string = server.change('seen');
    const [buckets, bytes] = [string.readUIntLE(24, 6), string.readUIntLE(64, 6)];
    const [first, end] = [1024 * (Math.ceil(buckets / 1024) - 1), 72 + bytes];
    const tail = string.length - 32;
    string.fill(1, tail - 6, tail); // a change in the last block
    const block = string.subarray(72 + (first * bytes) / buckets, end);
    server.answer = ({ action }) =>
      action === 'changed'
        ? Buffer.concat([Buffer.of(1), string.subarray(tail), string.subarray(end, tail), block])
        : undefined;
    server.sent.length = 0;
    await replica.refresh();
    expect(server.takeActions()).toEqual(['changed seen']);
    expect(replica.serializeShards()).toEqual(before);
    server.answer = ({ action }) => (action === 'changed' ? 'text' : undefined);
    await expect(replica.refresh()).rejects.toThrow(/^send returned text/);
  });

  test('says why a refresh failed until one succeeds', async () => {
    const server = new FakeServer();
    using replica = await (await server.open()).replica({ refreshMs: 0 });
    expect(replica.error).toBe(undefined);
    const lost = new Error('lost');
    server.answer = () => Promise.reject(lost);
    expect(await rejected(Error, replica.refresh())).toBe(lost);
    expect(replica.error).toBe(lost);
    server.answer = () => undefined;
    await replica.refresh();
    expect(replica.error).toBe(undefined);
  });

  test.each([
    ['has fetched both shards', 2],
    ['has found no change', 0],
  ])('that is disposed while a refresh %s keeps no copy', async (_, fetched) => {
    const server = new FakeServer();
    const filter = await server.open({ shards: 2 });
    const replica = await filter.replica({ refreshMs: 0 });
    if (fetched > 0) for (const key of server.strings.keys()) server.change(key);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    server.answer = () => held;
    const refreshing = replica.refresh();
    const disposing = jest.spyOn(CuckooFilter.prototype, 'dispose');
    replica.dispose();
    expect(disposing).toHaveBeenCalledTimes(2);
    release();
    await refreshing;
    expect(new Set(disposing.mock.contexts).size).toBe(2 + fetched);
    server.takeNames();
    const error = await rejected(DisposedError, replica.refresh());
    expect([error.message, server.sent]).toEqual(['the replica cannot be used after dispose()', []]);
  });
});

describe('figures', () => {
  test('are those of all shards, and of each', async () => {
    const server = new FakeServer();
    const filter = await server.open({ shards: 2, maxCapacity: 1500 });
    server.change('seen', 600);
    server.change('seen:1', 500);
    const info = await filter.info();
    const { bucketCount, bucketSize } = info.options as { bucketCount: number; bucketSize: number };
    const slots = bucketCount * bucketSize;
    expect(slots).toBeGreaterThan(600);
    expect(slots).toBeLessThan(1200);
    const strings = [...server.strings.values()];
    expect(info).toMatchObject({
      ...{ name: 'seen', keys: ['seen', 'seen:1'], shards: 2, size: 1100, capacity: 1000, maxCapacity: 1500 },
      ...{ loadFactor: 1100 / (2 * slots), byteLength: strings.reduce((sum, { length }) => sum + length, 0) },
    });
    expect(info.expectedFalsePositiveRate).toBeLessThan(0.001);
    expect(info.expectedFalsePositiveRate).toBeGreaterThan(0.0003);
    expect(await filter.stats()).toEqual([
      { key: 'seen', size: 600, loadFactor: 600 / slots, epoch: 2, growth: 'none' },
      { key: 'seen:1', size: 500, loadFactor: 500 / slots, epoch: 2, growth: 'none' },
    ]);
  });

  test('of shards that are lost are told by verify, but not an error that says nothing of them', async () => {
    const server = new FakeServer();
    const filter = await server.open({ shards: 2 });
    server.strings.delete('seen:1');
    const [first, second] = await filter.verify();
    expect(first).toEqual({ key: 'seen', error: undefined });
    expect(second).toMatchObject({ key: 'seen:1', error: { code: 'not-a-filter' } });
    server.answer = () => Promise.reject(new Error('Socket closed'));
    await expect(filter.verify()).rejects.toThrow('Socket closed');
  });
});
