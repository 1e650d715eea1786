// A user without one of the rights that a filter needs: an error that names the command, and nothing is changed. And a doubling that
// cannot end, which is told before the table is full.
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createClient } from 'redis';
import {
  fromNodeRedis,
  RedisBatchError,
  RedisGrowthError,
  type RedisCuckooFilter,
  type Send,
} from 'cuckoofilter-wasm/redis';
import { until } from '../../support/patience';
import { rejected } from '../../support/random';
import { keysTo, newName, nextOf, node, open, ports } from '../clients';
import { atEnd } from '../server';

const RIGHTS = 'get set del bitfield getrange setrange strlen rename pttl pexpire persist evalsha eval'.split(
  ' ',
);
afterEach(() => {
  jest.restoreAllMocks();
});

/** What sends as a user without this right. */
async function without(right: string): Promise<Send> {
  const rights = RIGHTS.filter((each) => each !== right).map((each) => `+${each}`);
  await node.sendCommand(['ACL', 'SETUSER', `no-${right}`, 'reset', 'on', '>secret', '~*', ...rights]);
  const client = createClient({
    socket: { host: '127.0.0.1', port: ports[0] as number },
    username: `no-${right}`,
    password: 'secret',
  });
  client.on('error', () => undefined);
  atEnd(() => client.destroy());
  await client.connect();
  return fromNodeRedis(client);
}

const GROWING = { capacity: 1000, maxCapacity: 4000 };

test('these rights are enough for every call', async () => {
  const send = await without('none');
  const filter = await open({ send, ...GROWING, shards: 2 });
  await filter.addMany(keysTo(4000));
  expect(await filter.containsMany(keysTo(4000))).not.toContain(0);
  await filter.deleteMany(keysTo(10));
  using replica = await filter.replica({ refreshMs: 0 });
  await filter.publish(replica);
  await filter.expire(60_000);
  await filter.expire(null);
  expect((await filter.verify()).map(({ error }) => error)).toEqual([undefined, undefined]);
  await filter.reset();
  await filter.drop();
});

describe.each(RIGHTS.filter((right) => !/^eval/.test(right)))('without %s', (right) => {
  const CALLS: Readonly<Record<string, (filter: RedisCuckooFilter) => Promise<unknown>>> = {
    add: (filter) => filter.add('new'),
    delete: (filter) => filter.delete('key 1'),
    expire: (filter) => filter.expire(100_000),
    never: (filter) => filter.expire(null),
    reset: (filter) => filter.reset(),
    drop: (filter) => filter.drop(),
  };
  test.each(Object.entries(CALLS))(
    '%s is done or changes nothing, and says what is missing',
    async (_, call) => {
      const name = newName();
      const whole = await open({ name, ...GROWING });
      await whole.addMany(keysTo(500));
      const before = await node.sendCommand(['DUMP', name]);
      const filter = await open({ name, ...GROWING, send: await without(right) }).catch(
        (error: Error) => error,
      );
      if (filter instanceof Error) {
        expect(filter.message.toLowerCase()).toContain(right);
        return;
      }
      const error = (await call(filter).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )) as (Error & { outcomes?: string[] }) | undefined;
      if (error === undefined) return;
      expect(error.message.toLowerCase()).toContain(right);
      expect(error.outcomes ?? ['refused']).toEqual(['refused']);
      expect(await node.sendCommand(['DUMP', name])).toEqual(before);
      expect(await whole.containsMany(keysTo(500))).not.toContain(0);
    },
  );
});

test.each(['rename', 'del', 'pexpire', 'pttl', 'persist'])(
  'a doubling that cannot end without %s is told, not tried again for a time, and an error once a key needs it',
  async (right) => {
    const given = await without(right);
    let moves = 0;
    const { name } = await (await open(GROWING)).info();
    const filter = await open({
      ...{ ...GROWING, name },
      send: (command, options) => {
        moves += Number(command.includes('move'));
        return given(command, options);
      },
    });
    await filter.addMany(keysTo(1000));
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    let more = 0;
    await until(async () => {
      const [shard] = await filter.stats();
      await filter.addIfAbsent(shard?.growth === 'none' ? `more ${++more}` : 'key 1');
      return shard?.growth === 'failed';
    });
    const tried = moves;
    for (let i = 0; i < 100; ++i) await filter.addIfAbsent('key 1');
    expect(moves).toBe(tried);
    clock.mockRestore();
    const [health] = await filter.verify();
    expect(health?.error).toBeInstanceOf(RedisGrowthError);
    expect(health?.error?.message.toLowerCase()).toContain(right);
    expect((await filter.stats())[0]).toMatchObject({ growth: 'failed' });
    // A process that has not tried sees that it is due.
    const other = await open({ ...GROWING, name: (await filter.info()).name });
    expect((await other.stats())[0]?.growth).toMatch(/due|doubling/);
    const error = await rejected(Error, filter.addMany(keysTo(2000, 'late')));
    expect((error as Error & { cause: Error }).cause).toBeInstanceOf(RedisGrowthError);
    // The batch ends there, though some of the keys after that would fit.
    const { outcomes } = error as unknown as { outcomes: string[] };
    expect(new Set(outcomes.slice(outcomes.indexOf('refused')))).toEqual(new Set(['refused']));
    expect(outcomes).not.toContain('unknown');
    // Who may, doubles it, and then all is well.
    expect(await other.addMany(keysTo(500, 'other'))).toBe(500);
    await until(async () => {
      await other.addIfAbsent('other 1');
      return (await other.stats())[0]?.growth === 'none';
    });
    expect((await filter.verify())[0]?.error).toBeUndefined();
  },
);

test('a right that is taken away as a table doubles, and given back, leaves nothing that has to be mended', async () => {
  const given = await without('none');
  const may = (right: string): Promise<unknown> => node.sendCommand(['ACL', 'SETUSER', 'no-none', right]);
  for (const right of ['rename', 'persist']) {
    let moves = 0;
    const send: Send = async (command, its) => {
      if (command.includes('move') && ++moves === 3) await may(`-${right}`);
      return given(command, its);
    };
    const options = { name: newName(), capacity: 2000, maxCapacity: 8000, callMicros: 100 };
    const filter = await open({ ...options, send });
    const error = await rejected(RedisBatchError, filter.addMany(keysTo(4000)));
    expect([String(error.cause), moves > 2]).toEqual([expect.stringContaining(right.toUpperCase()), true]);
    const stored = keysTo(4000).filter((_, i) => error.outcomes[i] === 'done');
    await may(`+${right}`);
    const other = await open({ ...options, send: given });
    expect(await other.addMany(keysTo(5000, 'other'))).toBe(5000);
    expect(await filter.containsMany(stored)).not.toContain(0);
  }
});

test('who may not read the memory limit gives back what a doubling took, once there is too little', async () => {
  const send = await without('none');
  const filter = await open({ send, capacity: 150_000, maxCapacity: 600_000, shards: 1 });
  await filter.addMany(keysTo(140_000));
  const { keys, byteLength, size, loadFactor } = await filter.info();
  const used = Number(/used_memory:(\d+)/.exec(await node.info('memory'))?.[1]);
  await node.configSet('maxmemory', String(used + byteLength));
  try {
    const more = keysTo(Math.ceil((0.86 * size) / loadFactor) - size, 'more');
    await filter.addMany(more).catch(() => undefined);
    await until(async () => (await filter.stats())[0]?.growth === 'failed');
    expect(String((await filter.verify())[0]?.error)).toContain('OOM');
    expect(await node.exists(nextOf(keys[0] as string))).toBe(0);
    expect(await node.set('of another', 'a')).toBe('OK');
    await filter.add('alice');
  } finally {
    await node.configSet('maxmemory', '0');
  }
});

test('a user who may not use a string of the filter is told which there are', async () => {
  const send = await without('none');
  const options = { send, name: newName().replace(' ', '-'), ...GROWING };
  const filter = await open(options);
  const allowOnly = (...patterns: string[]): Promise<unknown> =>
    node.sendCommand(['ACL', 'SETUSER', 'no-none', 'resetkeys', ...patterns]);
  const told = new RegExp(`^NOPERM .*: ${options.name} or ${nextOf(options.name)}$`);
  await allowOnly(`~${options.name}`);
  await filter.add('a');
  await expect(open(options)).rejects.toThrow(told);
  await allowOnly();
  await expect(open(options)).rejects.toThrow(told);
  await expect(filter.contains('a')).rejects.toThrow(told);
  await expect(filter.drop()).rejects.toThrow(told);
  const error = (await rejected(Error, filter.add('b'))) as Error & { outcomes?: string[] };
  expect([told.test(error.message), error.outcomes]).toEqual([true, ['refused']]);
});

test('what an open that fails at any step has made is completed by the next one, and otherwise goes', async () => {
  const given = fromNodeRedis(node);
  for (let at = 1; at < 30; ++at) {
    const options = { name: newName(), capacity: 4000, shards: 4 };
    let left = at;
    const opened = await open({
      ...options,
      send: (command, its) =>
        --left === 0
          ? Promise.reject(new Error("OOM command not allowed when used memory > 'maxmemory'."))
          : given(command, its),
    }).catch((error: Error) => error.message);
    if (typeof opened !== 'string') {
      expect(at).toBeGreaterThan(12);
      return;
    }
    const there = await node.keys(`*${options.name}*`);
    const times = await Promise.all(there.map((key) => node.pTTL(key)));
    const isExpiring = times.every((time) => time > 0);
    expect([at, opened, isExpiring || there.length === 4]).toEqual([
      at,
      expect.stringContaining('OOM'),
      true,
    ]);
    const filter = await open(options);
    expect(filter.created).toBe(true);
    expect(await filter.addMany(keysTo(1000))).toBe(1000);
    const { keys } = await filter.info();
    expect(await Promise.all(keys.map((key) => node.pTTL(key)))).toEqual([-1, -1, -1, -1]);
  }
});

test('a failed open deletes nothing of a filter that another process has finished', async () => {
  const name = newName();
  const given = fromNodeRedis(node);
  const options = { name, capacity: 4000, shards: 4 };
  let made = 0;
  const send: Send = async (command, asking) => {
    const answer = await given(command, asking);
    if (command.includes('made') && ++made === 3) {
      const other = await open(options);
      await other.addMany(keysTo(500));
      throw new Error('lost');
    }
    return answer;
  };
  await expect(open({ ...options, send })).rejects.toThrow('lost');
  const filter = await open({ ...options, create: false });
  expect(await filter.containsMany(keysTo(500))).not.toContain(0);
});

test('the filter that a failed open has found is left alone', async () => {
  const name = newName();
  const filter = await open({ name, shards: 3 });
  await filter.addMany(keysTo(500));
  await expect(open({ name, shards: 2 })).rejects.toThrow(RangeError);
  await node.del(`${name}:1`);
  await expect(open({ name, shards: 3 })).rejects.toThrow(/is gone from the server/);
  expect(await node.exists([name, `${name}:2`])).toBe(2);
});
