// What others have reported about filters whose bytes did not reach a server's replica, or reached a client too late. Each test
// names its report.
import { expect, test } from '@jest/globals';
import { createClient } from 'redis';
import { fromNodeRedis, RedisCuckooFilter } from 'cuckoofilter-wasm/redis';
import { atEnd, serverPorts } from '../js/redis/server';
import { PATIENCE, until } from '../js/support/patience';

const ports = serverPorts('--sentinel');
const connected = async (
  port: number | undefined,
  more: object = {},
): Promise<ReturnType<typeof createClient>> => {
  const options = { socket: { host: '127.0.0.1', port: port as number }, ...more };
  const client = (createClient as (given: object) => ReturnType<typeof createClient>)(options);
  client.on('error', () => undefined);
  atEnd(() => client.destroy());
  await client.connect();
  return client;
};
const keys = Array.from({ length: 3000 }, (_, i) => `key ${i}`);

// RedisBloom/RedisBloom#1014: replicas got only the header of a filter that was loaded in chunks. #1034: they did not get what a command
// had done before it failed.
test('a server’s replica has the same bytes, after each piece of a doubling and each call that replaces or fails', async () => {
  const master = await connected(ports[0]);
  const given = fromNodeRedis(master);
  const copied = fromNodeRedis(await connected(ports[1]));
  let checked = 0;
  const check = async (): Promise<void> => {
    const strings = await master.keys('copied*');
    await until(async () => Number(await master.sendCommand(['WAIT', '1', '1000'])) === 1);
    const dumps = (send: typeof given): Promise<unknown[]> =>
      Promise.all(strings.map((key) => send(['DUMP', key])));
    expect(await dumps(copied)).toEqual(await dumps(given));
    checked += strings.length;
  };
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = (): Promise<unknown> => (turn = turn.then(check));
  const filter = await RedisCuckooFilter.open({
    // One command at a time, so that nothing changes while the bytes are compared.
    send: (command, options) => {
      const answer = turn.then(() => given(command, options));
      turn = answer.then(
        () => (command.includes('move') ? check() : undefined),
        () => undefined,
      );
      return answer;
    },
    ...{ name: 'copied', capacity: 200, maxCapacity: 3000, shards: 2, callMs: PATIENCE },
  });
  await filter.addMany(keys);
  using replica = await filter.replica({ refreshMs: 0 });
  await inTurn();
  await filter.deleteMany(keys.slice(0, 1000));
  await inTurn();
  await filter.publish(replica);
  await inTurn();
  await expect(filter.addMany(keys)).rejects.toMatchObject({ code: 'filter-full' });
  await inTurn();
  await filter.expire(1e9);
  await filter.reset();
  await inTurn();
  expect(checked).toBeGreaterThan(20);
  await filter.drop();
  await until(async () => (await copied(['EXISTS', 'copied', 'copied:1'])) === 0);
});

// redis/redis#15632: a client's cache is stale once it has missed an invalidation. The filter's commands must bypass it.
test('a client with clientSideCache finds what others add', async () => {
  const cache = { ttl: 0, maxEntries: 100, evictPolicy: 'LRU' } as const;
  const cached = await connected(ports[0], { RESP: 3, clientSideCache: cache });
  const options = { name: 'cached', capacity: 100, maxCapacity: 3000, callMs: PATIENCE };
  const one = await RedisCuckooFilter.open({ send: fromNodeRedis(cached), ...options });
  const two = await RedisCuckooFilter.open({ send: fromNodeRedis(await connected(ports[0])), ...options });
  await cached.sendCommand(['CLIENT', 'TRACKING', 'OFF']); // as if each invalidation were lost
  expect(await one.contains('a')).toBe(false);
  await two.add('a');
  expect(await one.contains('a')).toBe(true);
  await two.addMany(keys.slice(1000));
  expect(await one.containsMany(keys.slice(1000))).not.toContain(0);
});
