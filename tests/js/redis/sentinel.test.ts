// RedisCuckooFilter where a sentinel tells which server is the master: with both clients, and when a replica takes over.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { Redis } from 'ioredis';
import { createSentinel } from 'redis';
import { fromIoRedis, fromNodeRedis, RedisCuckooFilter, type Send } from 'cuckoofilter-wasm/redis';
import { serverPorts } from './server';

const ports = serverPorts('--sentinel');
const host = '127.0.0.1';
const name = 'main';
const sends: Send[] = [];
const ends: (() => unknown)[] = [];
const keysTo = (count: number): string[] => Array.from({ length: count }, (_, i) => `key ${i}`);

beforeAll(async () => {
  const port = ports[2] as number;
  const node = createSentinel({ name, sentinelRootNodes: [{ host, port }], replicaPoolSize: 0 });
  node.on('error', () => undefined);
  await node.connect();
  const io = new Redis({ sentinels: [{ host, port }], name, autoResendUnfulfilledCommands: false });
  io.on('error', () => undefined);
  ends.push(
    () => node.destroy(),
    () => io.disconnect(),
  );
  sends.push(fromNodeRedis(node), fromIoRedis(io));
});
afterAll(() => ends.forEach((end) => end()));

test('both clients find the master by a sentinel, share a filter, and go on when a replica takes over', async () => {
  const options = { name: 'shared', capacity: 500, maxCapacity: 10_000, shards: 2 };
  const filters = await Promise.all(sends.map((send) => RedisCuckooFilter.open({ send, ...options })));
  const [one, two] = filters as [RedisCuckooFilter, RedisCuckooFilter];
  expect(await one.addMany(keysTo(3000))).toBe(3000);
  expect(await two.containsMany(keysTo(3000))).not.toContain(0);
  expect([await two.delete('key 1'), await one.contains('absent')]).toEqual([true, false]);
  using replica = await one.replica({ refreshMs: 0 });
  expect(replica.size).toBe(2999);
  const cli = (at: number, ...words: string[]): string =>
    execFileSync('redis-cli', ['-h', host, '-p', String(ports[at]), ...words], { encoding: 'utf8' });
  expect(cli(0, 'WAIT', '1', '10000').trim()).toBe('1');
  cli(2, 'SENTINEL', 'FAILOVER', name);
  // Until it is told of the new master, the old one takes changes, which are lost.
  const roleOf = (at: number): string => {
    try {
      return cli(at, 'ROLE');
    } catch {
      return ''; // A server ends its connections as its role changes.
    }
  };
  const isOver = (): boolean => roleOf(1).startsWith('master') && roleOf(0).startsWith('slave');
  for (const end = Date.now() + 30_000; !isOver() && Date.now() < end;)
    await new Promise((resolve) => setTimeout(resolve, 100));
  for (const filter of filters) {
    // Calls fail until the client knows the new master: READONLY, or the connection ends.
    for (const end = Date.now() + 30_000; ;) {
      const error: unknown = await filter.addMany(['after']).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (error === undefined) break;
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(
      await filter.containsMany([...keysTo(3000).filter((key) => key !== 'key 1'), 'after']),
    ).not.toContain(0);
  }
}, 90_000);
