// What others reported about clients of Redis, and what it must not do to a filter. Each test names the report.
import { expect, test } from '@jest/globals';
import { Cluster, Redis } from 'ioredis';
import { createClient, createClientPool } from 'redis';
import { fromIoRedis, fromNodeRedis, RedisCuckooFilter } from 'cuckoofilter-wasm/redis';
import { atEnd, disconnect, serverPorts } from '../js/redis/server';
import { PATIENCE, until } from '../js/support/patience';

const ports = serverPorts();
const cluster = serverPorts('--cluster');
const host = '127.0.0.1';

// redis/ioredis#2193: with this setting, ioredis up to 6.0.0 never settles the commands that were on their way.
test('commands that ioredis drops with autoResendUnfulfilledCommands: false end, and later ones are answered', async () => {
  const port = ports[0] as number;
  const admin = new Redis({ host, port });
  const io = new Redis({ host, port, autoResendUnfulfilledCommands: false });
  for (const client of [admin, io]) {
    client.on('error', () => undefined);
    atEnd(() => disconnect(client));
  }
  const filter = await RedisCuckooFilter.open({ send: fromIoRedis(io), name: 'dropped', capacity: 1000 });
  await filter.add('warm');
  const id = await io.client('ID');
  await admin.call('CLIENT', 'PAUSE', String(PATIENCE), 'WRITE'); // so that the command is on its way
  const lost = filter.add('alice').catch((error: { outcomes?: string[] }) => error.outcomes);
  await until(async () =>
    String(await admin.call('CLIENT', 'LIST', 'ID', String(id))).includes('cmd=evalsha'),
  );
  await admin.call('CLIENT', 'KILL', 'ID', String(id));
  await admin.call('CLIENT', 'UNPAUSE');
  expect(await lost).toEqual(['unknown']);
  await filter.add('bob');
  expect(await filter.addMany(['carol', 'dave'])).toBe(2);
  expect(await filter.delete('bob')).toBe(true);
});

// redis/node-redis#3454 (and #3312): raw commands do not get the keyPrefix of the client.
test.each([
  ['createClient', createClient],
  ['createClientPool', createClientPool],
] as const)('two programs with two prefixes do not share a filter: %s', async (name, create) => {
  const url = `redis://${host}:${ports[0]}`;
  const filters = [];
  for (const keyPrefix of ['app1:', 'app2:']) {
    const client = (create as typeof createClient)({ url, keyPrefix } as object);
    client.on('error', () => undefined);
    atEnd(() => client.destroy());
    await client.connect();
    const options = { send: fromNodeRedis(client), callMs: PATIENCE, name, capacity: 100, maxCapacity: 2000 };
    filters.push(await RedisCuckooFilter.open(options));
  }
  const [one, two] = filters as [RedisCuckooFilter, RedisCuckooFilter];
  await one.addMany(Array.from({ length: 2000 }, (_, i) => `key ${i}`));
  expect([await one.contains('key 5'), await two.contains('key 5')]).toEqual([true, false]);
  expect([await one.delete('key 5'), await two.delete('key 5')]).toEqual([true, false]);
  await one.drop();
  await two.add('a');
});

// redis/ioredis#1933: with keyPrefix on a cluster, strings that belong together got different slots.
test.each(['seen', 'a{tag}seen'])(
  'keyPrefix of an ioredis cluster is applied to all strings of %s',
  async (name) => {
    const client = new Cluster([{ host, port: cluster[0] as number }], {
      keyPrefix: 'app:',
      retryDelayOnFailover: 0,
    });
    client.on('error', () => undefined);
    atEnd(() => disconnect(client));
    const options = {
      send: fromIoRedis(client),
      callMs: PATIENCE,
      name,
      capacity: 100,
      maxCapacity: 20_000,
      shards: 2,
    };
    const filter = await RedisCuckooFilter.open(options);
    const keys = Array.from({ length: 20_000 }, (_, i) => `key ${i}`);
    expect(await filter.addMany(keys)).toBe(20_000);
    expect(await filter.deleteMany(keys.slice(0, 100))).toBe(100);
    expect(await filter.containsMany(keys.slice(100))).not.toContain(0);
    await filter.reset();
    await filter.drop();
  },
);
