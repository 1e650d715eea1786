// What operators of RedisCuckooFilter do: preload the program, upgrade it under running processes, count, back up and restore;
// and what a filter needs of the server.
import { describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import {
  fromIoRedis,
  fromNodeRedis,
  installRedisProgram,
  measured,
  RedisBatchError,
  RedisCuckooFilter,
  redisProgram,
  type Send,
} from 'cuckoofilter-wasm/redis';
import { rejected } from '../support/random';
import { keysTo, newName, node, open, ports } from './clients';
import { serverPorts } from './server';

const otherPorts = serverPorts();

test('the program can be loaded beforehand, by a client or by hand, and then is not loaded again', async () => {
  const { name, text } = await redisProgram();
  const send = fromNodeRedis(node);
  for (const load of [() => installRedisProgram(send), () => node.sendCommand(['FUNCTION', 'LOAD', text])]) {
    await node.sendCommand(['FUNCTION', 'FLUSH']);
    expect(await load()).toBe(name);
    expect(await installRedisProgram(send)).toBe(name);
    const sent: string[] = [];
    const filter = await open({
      send: (command) => {
        sent.push(String(command[0]));
        return send(command);
      },
    });
    await filter.add('a');
    expect(new Set(sent)).toEqual(new Set(['FCALL']));
  }
  const none: Send = () => Promise.reject(new Error("ERR unknown command 'FUNCTION'"));
  await expect(installRedisProgram(none)).rejects.toThrow('unknown command');
});

test('programs of several versions share a filter while it grows: old processes go on during an upgrade', async () => {
  const { name: own } = await redisProgram();
  const name = newName();
  const options = { name, capacity: 100, maxCapacity: 8000, callMicros: 100 };
  const given = fromNodeRedis(node);
  /** As of another version of the package: under another name, with another text. */
  const older: Send = (command) =>
    given(
      command.map((word) =>
        typeof word === 'string' && word.includes(own)
          ? `${word.replaceAll(own, 'cuckoofilter_older')}`
          : word,
      ),
    );
  const scripts: Send = (command) =>
    /^(FCALL|FUNCTION)/.test(String(command[0]))
      ? Promise.reject(new Error("ERR unknown command 'FCALL'"))
      : given(command);
  const filters = await Promise.all([given, older, scripts].map((send) => open({ ...options, send })));
  await Promise.all(
    filters.map(async (filter, i) => {
      for (let round = 0; round < 25; ++round) await filter.addMany(keysTo(100, `${i} ${round}`));
    }),
  );
  const all = filters.flatMap((_, i) => keysTo(25).flatMap((__, round) => keysTo(100, `${i} ${round}`)));
  for (const filter of filters) expect(await filter.containsMany(all)).not.toContain(0);
  expect((await filters[0]?.info())?.size).toBe(7500);
  const libraries = JSON.stringify(await node.sendCommand(['FUNCTION', 'LIST']));
  for (const library of [own, 'cuckoofilter_older']) expect(libraries).toContain(library);
  await node.sendCommand(['FUNCTION', 'DELETE', 'cuckoofilter_older']);
  expect(await filters[1]?.delete(all[0] as string)).toBe(true);
});

test('measured counts what is sent, refused and doubled, and changes nothing', async () => {
  const given = fromNodeRedis(node);
  let refusal: string | undefined;
  const { send, stats } = measured((command) =>
    refusal === undefined ? given(command) : Promise.reject(new Error(refusal)),
  );
  const still = await open({ send, name: 'move' });
  await still.add('a');
  await still.drop();
  expect(stats()).toMatchObject({ pieces: 0, doublings: 0 });
  const filter = await open({ send, capacity: 100, maxCapacity: 3000, retryMs: 30 });
  await filter.addMany(keysTo(3000));
  const before = stats();
  expect(before).toMatchObject({ refused: before.errors['CUCKOO'] ?? 0, failed: 0, retried: 0 });
  expect(before.doublings).toBeGreaterThan(2);
  expect(before.pieces).toBeGreaterThanOrEqual(before.doublings);
  expect(before.milliseconds).toBeGreaterThan(0);
  for (const [message, code] of [
    ['LOADING', 'LOADING'],
    ['OOM no memory', 'OOM'],
    ['socket closed', 'other'],
  ] as const) {
    refusal = message;
    await expect(filter.add('a')).rejects.toThrow(message);
    expect(stats().errors[code]).toBeGreaterThan(0);
  }
  const { refused, retried, failed } = stats();
  expect([refused - before.refused, failed]).toEqual([retried + 1, 1]);
  expect(retried).toBeGreaterThan(1);
});

test('all shards are backed up by DUMP and restored on another server, where the filter is opened as it was', async () => {
  const options = { name: newName(), capacity: 1000, maxCapacity: 8000, shards: 3 };
  const filter = await open(options);
  await filter.addMany(keysTo(5000));
  const io = new Redis({ host: '127.0.0.1', port: ports[0] as number });
  const other = new Redis({ host: '127.0.0.1', port: otherPorts[0] as number });
  const { keys } = await filter.info();
  for (const key of keys) await other.restore(key, 0, (await io.dumpBuffer(key)) as Buffer);
  const copy = await RedisCuckooFilter.open({ ...options, send: fromIoRedis(other), create: false });
  expect(copy.created).toBe(false);
  expect(await copy.containsMany(keysTo(5000))).not.toContain(0);
  expect((await copy.verify()).map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
  expect(await copy.deleteMany(keysTo(5000))).toBe(5000);
  // And under another name, all together.
  const renamed = newName();
  for (const [i, key] of keys.entries()) await other.rename(key, i === 0 ? renamed : `${renamed}:${i}`);
  const again = await RedisCuckooFilter.open({
    ...options,
    name: renamed,
    send: fromIoRedis(other),
    create: false,
  });
  expect((await again.info()).size).toBe(0);
  io.disconnect();
  other.disconnect();
});

test('a shard that is lost, two identities and a full memory are told, and nothing is read from what is foreign', async () => {
  const client = await createClient({
    socket: { host: '127.0.0.1', port: otherPorts[0] as number },
  }).connect();
  const options = { send: fromNodeRedis(client), name: newName(), capacity: 4000, shards: 4 };
  const filter = await RedisCuckooFilter.open(options);
  await filter.addMany(keysTo(3000));
  await client.configSet('maxmemory', '1');
  await expect(filter.add('refused')).rejects.toThrow(/^OOM/);
  await client.configSet('maxmemory', '0');
  await filter.add('taken');
  await client.del(`${options.name}:2`);
  await expect(RedisCuckooFilter.open(options)).rejects.toThrow(/is gone from the server with its keys/);
  client.destroy();
});

test.each([
  ['maxmemory', 'OOM'],
  ['min-replicas-to-write', 'NOREPLICAS'],
])(
  'a server that refuses changes, by %s, lets processes open the filter, look up and verify',
  async (option, code) => {
    const client = await createClient({
      socket: { host: '127.0.0.1', port: otherPorts[0] as number },
    }).connect();
    const options = {
      send: fromNodeRedis(client),
      name: newName(),
      capacity: 100,
      maxCapacity: 4000,
      shards: 2,
    };
    const filter = await RedisCuckooFilter.open(options);
    await filter.addMany(keysTo(2000));
    await client.configSet(option, '1');
    try {
      await expect(filter.add('refused')).rejects.toThrow(code);
      const reader = await RedisCuckooFilter.open({ ...options, create: false });
      expect(await reader.containsMany(keysTo(2000))).not.toContain(0);
      for (const { error } of await reader.verify()) expect(error).toBe(undefined);
      using replica = await reader.replica({ refreshMs: 0 });
      expect(replica.size).toBe(2000);
    } finally {
      await client.configSet(option, '0');
      client.destroy();
    }
  },
);

const PAGES = ['guides/redis.md', 'inside/redis-operators.md', 'inside/redis.md'];
const blocks = PAGES.flatMap((page) =>
  [
    ...readFileSync(join(__dirname, '../../../docs', page), 'utf8').matchAll(
      /^```(?:js|javascript)\n(.*?)^```/gms,
    ),
  ].map(([, code = ''], i) => [page, i, code] as const),
);

test.each(blocks)('block %#, of docs/%s, runs alone', async (_, __, code) => {
  await open({ name: 'seen', capacity: 1_000_000 });
  // A server, of metrics, is asked once.
  const asking = `const answer = await fetch('http://127.0.0.1:' + server.address().port);
    if (!/^cuckoofilter_healthy 1$/m.test(await answer.text())) throw new Error('no metrics');`;
  const own = code.replaceAll('localhost:6379', `127.0.0.1:${ports[0]}`).replace('9464', '0');
  const text = `${own}\n${code.includes('server.listen') ? asking : ''}\nprocess.exit();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', text], { cwd: __dirname });
  let said = '';
  child.stderr.on('data', (data) => (said += String(data)));
  const status = await new Promise((resolve) => child.once('exit', resolve));
  expect([status, said]).toEqual([0, '']);
});

test('a filter has by default as many shards as keep each string at about 2 MiB', async () => {
  for (const [capacity, shards] of [
    [1_000_000, 1],
    [3_000_000, 3],
  ] as const) {
    const filter = await open({ capacity });
    const { byteLength, keys } = await filter.info();
    expect(keys).toHaveLength(shards);
    expect(byteLength / shards).toBeLessThan(1.05 * 2 ** 21);
    await filter.drop();
  }
});

describe('what a filter needs of the server', () => {
  /** Refuses commands whose name begins so, as servers do. */
  const without =
    (refusal: string, ...commands: string[]): Send =>
    (command) =>
      commands.includes(String(command[0]))
        ? Promise.reject(new Error(refusal))
        : fromNodeRedis(node)(command);

  test.each([
    ["ERR unknown command 'FCALL'", ['FCALL', 'FCALL_RO', 'FUNCTION']],
    ['NOPERM this user has no permissions to run the command', ['FCALL', 'FCALL_RO', 'FUNCTION']],
    ['NOPERM this user has no permissions to run the command', ['FUNCTION']],
    ['ERR Command is not available', ['FCALL', 'FCALL_RO', 'FUNCTION', 'EVALSHA']],
    ["ERR unknown command 'BITFIELD_RO'", ['BITFIELD_RO', 'FCALL', 'FCALL_RO', 'FUNCTION']],
  ])('is not that it takes, besides scripts, what is refused with %j: %j', async (refusal, commands) => {
    await node.sendCommand(['FUNCTION', 'FLUSH']);
    await node.sendCommand(['SCRIPT', 'FLUSH']);
    const refusing = without(refusal, ...commands);
    const scripts: string[] = [];
    const filter = await open({
      capacity: 100_000,
      send: (command) => {
        scripts.push(String(command[0]));
        if (commands.includes('EVALSHA') && command[0] === 'EVALSHA')
          return Promise.reject(new Error('NOSCRIPT No matching script'));
        return refusing(command);
      },
    });
    const keys = keysTo(600);
    expect(await filter.addMany(keys)).toBe(600);
    expect(await filter.containsMany(keys)).toEqual(new Uint8Array(600).fill(1));
    expect(await filter.contains('key 1')).toBe(true);
    expect(await filter.deleteMany(keys)).toBe(600);
    expect(await filter.containsMany(keys)).toEqual(new Uint8Array(600));
    expect(scripts.some((name) => name.startsWith('EVAL'))).toBe(true);
  });

  test('is no other command than docs/inside/redis-operators.md lists, in keys that begin with its name', async () => {
    const page = readFileSync(join(__dirname, '../../../docs/inside/redis-operators.md'), 'utf8');
    const [, rules] = /ACL SETUSER app on >secret (.*)/.exec(page) as unknown as [string, string];
    const user = newName().replace(' ', '-');
    const name = `seen-${user}`;
    const words = rules.replaceAll('seen', name).split(' ');
    await node.sendCommand(['ACL', 'SETUSER', user, 'on', '>secret', ...words]);
    const socket = { host: '127.0.0.1', port: ports[0] as number };
    const client = createClient({ socket, username: user, password: 'secret' });
    client.on('error', () => undefined);
    await client.connect();
    const calls: string[] = [];
    const refusals: string[] = [];
    for (const what of ['FUNCTION', 'SCRIPT']) await node.sendCommand([what, 'FLUSH']);
    try {
      for (const refuses of [[], ['FCALL', 'FCALL_RO', 'FUNCTION']]) {
        const given = fromNodeRedis(client);
        const send: Send = async (command) => {
          if (refuses.includes(String(command[0]))) throw new Error("ERR unknown command 'FCALL'");
          calls.push(String(command[0]));
          try {
            return await given(command);
          } catch (error) {
            if (/permission|can't run/i.test(String(error))) refusals.push(String(error));
            throw error;
          }
        };
        const filter = await open({ name, send, shards: 2, capacity: 100, maxCapacity: 20_000 });
        await filter.addMany(keysTo(10_000));
        await filter.add('a');
        expect(await filter.addIfAbsent('a')).toBe(false);
        expect(await filter.delete('a')).toBe(true);
        expect(await filter.containsMany(keysTo(10_000))).toEqual(new Uint8Array(10_000).fill(1));
        expect(await filter.containsMany(keysTo(60))).toEqual(new Uint8Array(60).fill(1));
        expect(await filter.contains('key 1')).toBe(true);
        using replica = await filter.replica({ refreshMs: 0 });
        await filter.add('one more');
        await replica.refresh();
        await filter.publish(replica);
        await filter.expire(600_000);
        await filter.expire(null);
        await filter.reset();
        expect((await filter.verify()).map(({ error }) => error)).toEqual([undefined, undefined]);
        expect([(await filter.info()).size, (await filter.stats()).length]).toEqual([0, 2]);
        await filter.drop();
      }
    } finally {
      client.destroy();
      await node.sendCommand(['ACL', 'DELUSER', user]);
    }
    expect(refusals).toEqual([]);
    expect(new Set(calls)).toEqual(
      new Set('BITFIELD_RO DEL EVAL EVALSHA FCALL FCALL_RO FUNCTION GET'.split(' ')),
    );
  });

  test('is memory: where that ends, changes fail with its error, and nothing is lost', async () => {
    const filter = await open({ shards: 2 });
    const keys = keysTo(200);
    await filter.addMany(keys);
    const used = /used_memory:(\d+)/.exec(String(await node.info('memory')))?.[1];
    await node.configSet('maxmemory', String(used));
    try {
      const error = await rejected(RedisBatchError, filter.addMany(keysTo(200, 'more')));
      expect(error.message).toMatch(/answered for 0 of 200 keys: OOM/);
      expect(new Set(error.outcomes)).toEqual(new Set(['refused']));
      await expect(filter.add('more')).rejects.toThrow(/OOM/);
      expect(await filter.containsMany(keys)).toEqual(new Uint8Array(200).fill(1));
    } finally {
      await node.configSet('maxmemory', '0');
    }
    expect((await filter.info()).size).toBe(200);
    expect(await filter.addMany(keysTo(200, 'more'))).toBe(200);
  });
});
