// What operators of RedisCuckooFilter do: back up and restore; what a filter needs of the server; and the code in the documents.
import { describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import {
  fromIoRedis,
  fromNodeRedis,
  RedisBatchError,
  RedisCuckooFilter,
  type Send,
} from 'cuckoofilter-wasm/redis';
import { until } from '../support/patience';
import { rejected } from '../support/random';
import { keysTo, newName, nextOf, node, open, ports } from './clients';
import { disconnect, serverPorts } from './server';

const otherPorts = serverPorts();

test('all shards are backed up by DUMP and restored on another server, where the filter is opened as it was', async () => {
  const options = { name: newName(), capacity: 1000, maxCapacity: 8000, shards: 3 };
  const filter = await open(options);
  await filter.addMany(keysTo(5000));
  const io = new Redis({ host: '127.0.0.1', port: ports[0] as number, autoResendUnfulfilledCommands: false });
  const other = new Redis({
    host: '127.0.0.1',
    port: otherPorts[0] as number,
    autoResendUnfulfilledCommands: false,
  });
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
  for (const client of [io, other]) await disconnect(client);
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
  await expect(RedisCuckooFilter.open(options)).rejects.toThrow(
    /is gone from the server, and its keys are lost with it/,
  );
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
  const own = code.replaceAll('localhost:6379', `127.0.0.1:${ports[0]}`);
  if (code.includes('server.listen')) return;
  const { status, said } = await runText(`${own}\nprocess.exit();`);
  expect([status, said]).toEqual([0, '']);
});

/** Runs the text of a module until it ends. */
async function runText(text: string): Promise<{ status: unknown; said: string; printed: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', text], { cwd: __dirname });
  let [said, printed] = ['', ''];
  child.stderr.on('data', (data) => (said += String(data)));
  child.stdout.on('data', (data) => (printed += String(data)));
  const status = await new Promise((resolve) => child.once('exit', resolve));
  return { status, said, printed };
}

test('the program for metrics outlives an outage and a lost shard, and says healthy 0', async () => {
  const [, , code = ''] = blocks.find(([, , each]) => each.includes('server.listen')) ?? [];
  const { name } = (await (await open({ name: 'seen', capacity: 1_000_000 })).info()) ?? {};
  // The server takes no commands for a time, and then has lost the filter.
  const own = code
    .replace('localhost:6379', `127.0.0.1:${ports[0]}`)
    .replace('9464', '0')
    .replace('callMs: 5000', 'callMs: 300')
    .replaceAll('console.error', 'String');
  const asking = `
    const other = await createClient({ url: 'redis://127.0.0.1:${ports[0]}' }).connect();
    const ask = async () => (await fetch('http://127.0.0.1:' + server.address().port)).text();
    const healthy = async () => /^cuckoofilter_healthy (\\d)$/m.exec(await ask())?.[1];
    const told = [];
    while (await healthy() !== '1');
    await other.sendCommand(['CLIENT', 'PAUSE', '100000', 'WRITE']);
    told.push(await healthy());
    await other.sendCommand(['CLIENT', 'UNPAUSE']);
    while (await healthy() !== '1');
    await other.del('${name}');
    told.push(await healthy());
    await RedisCuckooFilter.drop({ send: given, name: '${name}', capacity: 1_000_000 });
    console.log(JSON.stringify(told));
    process.exit();`;
  const { status, said, printed } = await runText(own + asking);
  expect([status, said, printed.trim()]).toEqual([0, '', '["0","0"]']);
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
    await node.sendCommand(['SCRIPT', 'FLUSH']);
    const given = fromNodeRedis(client);
    const send: Send = async (command, options) => {
      calls.push(String(command[0]));
      try {
        return await given(command, options);
      } catch (error) {
        if (/permission|not allowed/i.test(String(error))) refusals.push(String(error));
        throw error;
      }
    };
    try {
      const filter = await open({ name, send, shards: 2, capacity: 100, maxCapacity: 20_000 });
      await filter.addMany(keysTo(10_000));
      await filter.add('a');
      expect(await filter.addIfAbsent('a')).toBe(false);
      expect(await filter.delete('a')).toBe(true);
      expect(await filter.containsMany(keysTo(10_000))).toEqual(new Uint8Array(10_000).fill(1));
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
    } finally {
      client.destroy();
      await node.sendCommand(['ACL', 'DELUSER', user]);
    }
    expect(refusals).toEqual([]);
    expect(new Set(calls)).toEqual(new Set(['BITFIELD', 'EVAL', 'EVALSHA', 'GETRANGE']));
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

  /** Does this while the server has no more than so many bytes of memory left. */
  async function withLeft(bytes: number, act: () => Promise<void>): Promise<void> {
    const used = Number(/used_memory:(\d+)/.exec(await node.info('memory'))?.[1]);
    await node.configSet('maxmemory', String(used + bytes));
    await act().finally(() => node.configSet('maxmemory', '0'));
  }

  test('is memory: a filter that does not fit is not made, and takes none from others', async () => {
    const options = { name: newName(), capacity: 6_000_000, shards: 4 };
    await withLeft(1_000_000, async () => {
      await expect(open(options)).rejects.toThrow(/^OOM .* a string of \d+ bytes would exceed maxmemory$/);
      expect(await node.set('of another', 'a')).toBe('OK');
    });
    expect(await node.exists(options.name)).toBe(0);
    expect((await open(options)).created).toBe(true);
  });

  test('is memory: a table that it does not suffice to double says so, takes keys, and leaves the memory to others', async () => {
    const filter = await open({ capacity: 150_000, maxCapacity: 600_000, shards: 1 });
    await filter.addMany(keysTo(140_000));
    const { keys, byteLength, size, loadFactor } = await filter.info();
    await withLeft(byteLength, async () => {
      await filter.addMany(keysTo(Math.ceil((0.86 * size) / loadFactor) - size, 'more'));
      expect((await filter.stats())[0]?.growth).toBe('failed');
      expect(String((await filter.verify())[0]?.error)).toMatch(/would exceed maxmemory/);
      expect(await node.exists(nextOf(keys[0] as string))).toBe(0);
      expect(await node.set('of another', 'b')).toBe('OK');
      await filter.add('alice');
    });
    expect(await filter.contains('alice')).toBe(true);
    // Until another process has doubled it.
    const other = await open({ name: keys[0] as string, capacity: 150_000, maxCapacity: 600_000, shards: 1 });
    await other.addMany(keysTo(1000, 'other'));
    await until(async () => (await filter.stats())[0]?.growth === 'none');
    await other.addMany(keysTo(160_000, 'full'));
    expect((await filter.verify())[0]?.error).toBe(undefined);
  });
});
