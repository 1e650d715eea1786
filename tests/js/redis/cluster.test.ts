// RedisCuckooFilter on a cluster, with both clients: shards grow on all masters, and only masters are asked, even by a client that
// would ask replicas, which may lack keys.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cluster } from 'ioredis';
import { createCluster } from 'redis';
import { fromIoRedis, fromNodeRedis, RedisCuckooFilter, type Send } from 'cuckoofilter-wasm/redis';
import { PATIENCE, until } from '../support/patience';
import { atEnd, disconnect, serverPorts } from './server';

const ports = serverPorts('--cluster');
const host = '127.0.0.1';
const sends: Partial<Record<'redis' | 'ioredis', Send>> = {};

function cli(port: number, ...words: string[]): string {
  return execFileSync('redis-cli', ['-h', host, '-p', String(port), ...words], { encoding: 'utf8' });
}
const portsOf = (role: string): number[] => ports.filter((port) => cli(port, 'ROLE').startsWith(role));

beforeAll(async () => {
  // A client asks any of them.
  const knowsAll = (asked: number): boolean => {
    const slots = cli(asked, 'CLUSTER', 'SLOTS');
    return ports.every((port) => slots.includes(`\n${port}\n`));
  };
  await until(() => ports.every(knowsAll));
  sends.redis = await CONNECT.redis();
  sends.ioredis = await CONNECT.ioredis();
});

/** Clients that ask as this user. */
const CONNECT = {
  redis: async (user = {}): Promise<Send> => {
    const node = createCluster({
      rootNodes: ports.map((port) => ({ socket: { host, port } })),
      defaults: user,
      useReplicas: true,
    });
    node.on('error', () => undefined);
    atEnd(() => node.destroy());
    await node.connect();
    return fromNodeRedis(node);
  },
  ioredis: async (user = {}): Promise<Send> => {
    const io = new Cluster(
      ports.map((port) => ({ host, port })),
      { retryDelayOnFailover: 0, scaleReads: 'slave', redisOptions: user },
    );
    io.on('error', () => undefined);
    atEnd(() => disconnect(io));
    return Promise.resolve(fromIoRedis(io));
  },
};

/** Calls of the commands of a filter, on these servers. */
function reads(some: readonly number[]): number {
  const stats = some.map((port) => cli(port, 'INFO', 'commandstats')).join('');
  const calls = stats.matchAll(/cmdstat_(?:bitfield|bitfield_ro|evalsha):calls=(\d+)/g);
  return [...calls].reduce((sum, [, count]) => sum + Number(count), 0);
}

describe.each(['redis', 'ioredis'] as const)('with %s', (client) => {
  test('shards grow on all masters, which alone are asked', async () => {
    for (const port of ports) cli(port, 'CONFIG', 'RESETSTAT');
    const filter = await RedisCuckooFilter.open({
      send: sends[client] as Send,
      name: `spread ${client}`,
      capacity: 300,
      maxCapacity: 5000,
      shards: 12,
      callMs: PATIENCE,
    });
    const keys = Array.from({ length: 5000 }, (_, i) => `key ${i}`);
    expect(await filter.addMany(keys)).toBe(5000);
    expect(await filter.containsMany(keys)).not.toContain(0);
    for (const key of keys.slice(0, 50)) expect(await filter.contains(key)).toBe(true);
    const few = keys.slice(0, 200);
    expect(await filter.containsMany(few)).toEqual(new Uint8Array(200).fill(1));
    expect((await filter.info()).size).toBe(5000);
    for (const port of portsOf('master')) expect(reads([port])).toBeGreaterThan(10);
    expect(reads(portsOf('slave'))).toBe(0);
  });

  test('replicas answer lookups where that is asked for', async () => {
    const send = sends[client] as Send;
    const options = { send, name: `stale ${client}`, capacity: 300, maxCapacity: 5000, shards: 6 };
    const filter = await RedisCuckooFilter.open({ ...options, callMs: PATIENCE });
    const stale = await RedisCuckooFilter.open({ ...options, callMs: PATIENCE, acceptStale: true });
    const keys = Array.from({ length: 5000 }, (_, i) => `key ${i}`);
    await filter.addMany(keys);
    for (const port of ports) cli(port, 'CONFIG', 'RESETSTAT');
    await until(async () => !(await stale.containsMany(keys)).includes(0));
    expect(reads(portsOf('slave'))).toBeGreaterThan(5);
    expect(await filter.containsMany(keys)).not.toContain(0);
  });

  test('the rights that the documents name are enough, also while a slot moves', async () => {
    const page = readFileSync(join(__dirname, '../../../docs/inside/redis-operators.md'), 'utf8');
    const rights = /## Permissions([^#]*)/.exec(page)?.[1]?.match(/\+[a-z_|]+/g) ?? [];
    for (const port of ports)
      cli(port, 'ACL', 'SETUSER', 'app', 'reset', 'on', '>secret', '~moving*', ...rights);
    const send = await CONNECT[client]({ username: 'app', password: 'secret' });
    const name = `moving ${client}`;
    const options = { send, name, capacity: 100, callMs: PATIENCE };
    const filter = await RedisCuckooFilter.open(options);
    const stale = await RedisCuckooFilter.open({ ...options, acceptStale: true });
    await filter.add('before');
    await until(() => stale.contains('before'));
    const slot = cli(ports[0] as number, 'CLUSTER', 'KEYSLOT', name).trim();
    const idOf = (port: number): string => cli(port, 'CLUSTER', 'MYID').trim();
    const masters = portsOf('master');
    const [from] = masters.filter((port) => cli(port, 'CLUSTER', 'COUNTKEYSINSLOT', slot).trim() === '1');
    const [to] = masters.filter((port) => port !== from) as [number];
    cli(to, 'CLUSTER', 'SETSLOT', slot, 'IMPORTING', idOf(from as number));
    cli(from as number, 'CLUSTER', 'SETSLOT', slot, 'MIGRATING', idOf(to));
    cli(from as number, 'MIGRATE', host, String(to), name, '0', '100000');
    await filter.add('meanwhile');
    expect(await filter.containsMany(['before', 'meanwhile'])).not.toContain(0);
    for (const port of [to, ...masters]) cli(port, 'CLUSTER', 'SETSLOT', slot, 'NODE', idOf(to));
    expect(await filter.containsMany(['before', 'meanwhile'])).not.toContain(0);
  });
});
