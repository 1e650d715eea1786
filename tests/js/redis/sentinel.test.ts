// RedisCuckooFilter where a sentinel tells which server is the master: with both clients, and when a replica takes over.
import { beforeAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { Redis } from 'ioredis';
import { createSentinel } from 'redis';
import { fromIoRedis, fromNodeRedis, RedisCuckooFilter, type Send } from 'cuckoofilter-wasm/redis';
import { PATIENCE, until } from '../support/patience';
import { atEnd, disconnect, serverPorts } from './server';

const ports = serverPorts('--sentinel');
const host = '127.0.0.1';
const name = 'main';
const sends: Send[] = [];
const keysTo = (count: number): string[] => Array.from({ length: count }, (_, i) => `key ${i}`);

beforeAll(async () => {
  const port = ports[2] as number;
  const node = createSentinel({ name, sentinelRootNodes: [{ host, port }], replicaPoolSize: 0 });
  node.on('error', () => undefined);
  atEnd(() => node.destroy());
  await node.connect();
  const io = new Redis({ sentinels: [{ host, port }], name, autoResendUnfulfilledCommands: false });
  io.on('error', () => undefined);
  atEnd(() => disconnect(io));
  sends.push(fromNodeRedis(node), fromIoRedis(io));
});

test('both clients find the master by a sentinel, share a filter, and go on when a replica takes over', async () => {
  const options = { name: 'shared', capacity: 500, maxCapacity: 10_000, shards: 2, callMs: PATIENCE };
  const filters = await Promise.all(sends.map((send) => RedisCuckooFilter.open({ send, ...options })));
  const [one, two] = filters as [RedisCuckooFilter, RedisCuckooFilter];
  expect(await one.addMany(keysTo(3000))).toBe(3000);
  expect(await two.containsMany(keysTo(3000))).not.toContain(0);
  expect([await two.delete('key 1'), await one.contains('absent')]).toEqual([true, false]);
  using replica = await one.replica({ refreshMs: 0 });
  expect(replica.size).toBe(2999);
  const cli = (at: number, ...words: string[]): string =>
    execFileSync('redis-cli', ['-h', host, '-p', String(ports[at]), ...words], { encoding: 'utf8' });
  // WAIT would wait for the writes of its own connection, and it has none.
  const written = (at: number): string | undefined =>
    /master_repl_offset:\d+/.exec(cli(at, 'INFO', 'replication'))?.[0];
  await until(() => written(1) === written(0));
  // Until it is told of the new master, the old one takes changes, which are lost.
  const roleOf = (at: number): string => {
    try {
      return cli(at, 'ROLE');
    } catch {
      return ''; // A server ends its connections as its role changes.
    }
  };
  await until(() => {
    if (roleOf(1).startsWith('master')) return roleOf(0).startsWith('slave');
    // It has no effect during a failover, nor until the sentinel has lately heard from the replica.
    cli(2, 'SENTINEL', 'FAILOVER', name);
    return false;
  });
  for (const filter of filters) {
    // Calls fail until the client knows the new master: READONLY, or the connection ends.
    await until(() =>
      filter.addMany(['after']).then(
        () => true,
        () => false,
      ),
    );
    expect(
      await filter.containsMany([...keysTo(3000).filter((key) => key !== 'key 1'), 'after']),
    ).not.toContain(0);
  }
});
