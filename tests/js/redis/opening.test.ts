// Opening a RedisCuckooFilter on a server: by many at once, and with sizes and rates at their limits; and filters whose strings are
// gone or cut. offline/opening.strings.test.ts has what else may be found there.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, FormatError } from 'cuckoofilter-wasm';
import {
  fromNodeRedis,
  RedisBatchError,
  RedisCuckooFilter,
  type ClientSend,
  type Send,
} from 'cuckoofilter-wasm/redis';
import { until } from '../support/patience';
import { rejected } from '../support/random';
import { CLIENTS, keysTo, newName, nextOf, node, open } from './clients';

describe('opening', () => {
  test('by many at once gives one filter', async () => {
    const name = newName();
    const filters = await Promise.all(Array.from({ length: 20 }, () => open({ name, shards: 3 })));
    await Promise.all(filters.map((filter, i) => filter.add(i)));
    for (const filter of filters)
      expect(await filter.containsMany(filters.keys())).toEqual(new Uint8Array(20).fill(1));
  });

  test.each([
    [2 ** 34, 1],
    [2 ** 32, 1],
    [2 ** 32, 4],
  ])('says how many shards %d keys need, where %i are too few', async (capacity, shards) => {
    const { message } = await rejected(RangeError, open({ capacity, shards }));
    const [, enough] =
      /^a capacity of \d+ does not fit into \d shards?: set shards to (\d+) or more, or/.exec(message) ?? [];
    expect(message).toContain(String(capacity));
    expect((1.6 * capacity) / Number(enough) / 2 ** 21).toBeCloseTo(1, 1);
  });

  test.each(['utf8', 'latin1', 'hex', 'ascii'] as const)(
    'names a send that makes %s of bytes, on a server with the filter and without',
    async (encoding) => {
      const name = newName();
      const own: ClientSend = (words) =>
        node.sendCommand(
          words.map((word) => (typeof word === 'string' ? word : Buffer.from(word).toString(encoding))),
        );
      for (const make of [() => undefined, () => open({ name })]) {
        await make();
        expect(await rejected(TypeError, open({ name, send: own }))).toMatchObject({
          code: 'invalid-argument',
          message: expect.stringMatching(/^send changed the bytes/),
        });
      }
    },
  );

  test('takes the least rate that it names', async () => {
    const filter = await open({ falsePositiveRate: 2.01e-7 });
    await filter.addMany(keysTo(1000));
    expect((await filter.info()).expectedFalsePositiveRate).toBeLessThanOrEqual(2.01e-7);
  });

  test('a list is no filter, and stays as it is', async () => {
    const name = newName();
    await node.lPush(name, 'a');
    expect((await rejected(FormatError, open({ name }))).code).toBe('not-a-filter');
    expect(await node.lLen(name)).toBe(1);
  });

  test.each([0, 1])(
    'an empty string in the place of shard %i is no filter, and stays as it is',
    async (index) => {
      const options = { name: newName(), capacity: 1000, shards: 2, send: fromNodeRedis(node) };
      const filter = await open(options);
      using replica = await filter.replica({ refreshMs: 0 });
      await filter.drop();
      const key = RedisCuckooFilter.keys(options)[index] as string;
      await node.set(key, '');
      const told = new RegExp(`^${key} on the server holds something else, not a filter`);
      for (const call of [() => open(options), () => filter.publish(replica)])
        expect((await rejected(FormatError, call())).message).toMatch(told);
      await filter.drop();
      await RedisCuckooFilter.drop(options);
      expect(await node.keys(`${options.name}*`)).toEqual([key]);
    },
  );

  test('where the server takes no string so long, it leaves nothing, so that more shards may be made at once', async () => {
    const options = { name: newName(), capacity: 1_000_000 };
    await node.configSet('proto-max-bulk-len', String(2 ** 20));
    try {
      await expect(open({ ...options, shards: 1 })).rejects.toThrow(/set shards to 2 or more/);
      expect(await node.exists(options.name)).toBe(0);
      expect((await open({ ...options, shards: 2 })).created).toBe(true);
    } finally {
      await node.configSet('proto-max-bulk-len', String(2 ** 29));
    }
  });

  test('where the server takes no string so long any more, changes and `reset` fail, and no key is lost', async () => {
    const filter = await open({ capacity: 700_000, shards: 1 });
    const keys = keysTo(690_000);
    using local = new CuckooFilter((await filter.info()).options);
    local.addMany(keys);
    await filter.publish(local);
    await node.configSet('proto-max-bulk-len', String(2 ** 20));
    try {
      const { outcomes } = await rejected(RedisBatchError, filter.addMany(keysTo(2000, 'late')));
      expect(new Set(outcomes)).toEqual(new Set(['refused']));
      await expect(filter.reset()).rejects.toThrow(/nothing was changed/);
    } finally {
      await node.configSet('proto-max-bulk-len', String(2 ** 29));
    }
    using now = await filter.replica({ refreshMs: 0 });
    expect(now.containsMany(keys)).not.toContain(0);
    expect(now.size).toBe(keys.length);
  });

  test('where the server takes no string as long as the second one any more, changes go on without it', async () => {
    let moves = 0;
    const filter = await open({
      capacity: 400_000,
      maxCapacity: 1_600_000,
      shards: 1,
      send: (command, given) =>
        command.includes('move') && ++moves > 2
          ? Promise.reject(new Error('held'))
          : fromNodeRedis(node)(command, given),
    });
    const [next] = RedisCuckooFilter.keys({
      send: fromNodeRedis(node),
      name: (await filter.info()).name,
      capacity: 400_000,
      maxCapacity: 1_600_000,
      shards: 1,
    }).slice(-1);
    let stored = 0;
    while (moves < 3) stored += await filter.addMany(keysTo(50_000, `at ${stored} `));
    expect(await node.exists(next as string)).toBe(1);
    await node.configSet('proto-max-bulk-len', String(2 ** 20));
    try {
      await filter.add('late');
      expect(await node.exists(next as string)).toBe(0);
      expect(await filter.delete('late')).toBe(true);
    } finally {
      await node.configSet('proto-max-bulk-len', String(2 ** 29));
    }
    using now = await filter.replica({ refreshMs: 0 });
    expect(now.size).toBe(stored);
    for (let at = 0; at < stored; at += 50_000)
      expect(now.containsMany(keysTo(50_000, `at ${at} `))).not.toContain(0);
  });

  test('its string takes the memory that it needs and no more, also after `reset`', async () => {
    const filter = await open({ capacity: 1_000_000 });
    const { name, byteLength } = await filter.info();
    expect(await node.memoryUsage(name)).toBeLessThan(1.3 * byteLength);
    await filter.expire(1e6);
    await filter.reset();
    expect(await node.memoryUsage(name)).toBeLessThan(1.3 * byteLength);
    expect((await filter.verify())[0]?.expiresIn).toBeGreaterThan(0);
  });

  test('a string that was cut is a FormatError', async () => {
    const filter = await open();
    const { name } = await filter.info();
    await node.setRange(name, 3000, 'longer than it was');
    expect((await rejected(FormatError, open({ name }))).code).toBe('cut-short');
    expect((await rejected(FormatError, filter.add('a'))).code).toBe('inconsistent');
  });

  test.each([0, 1])(
    'a shard %i that was cut can be deleted, but not together with what is no filter',
    async (index) => {
      const options = { name: newName(), capacity: 1000, shards: 2, send: fromNodeRedis(node) };
      const { name } = options;
      const keys = [name, `${name}:1`] as const;
      for (const drop of ['by options', 'by the filter']) {
        const filter = await open(options);
        await node.setRange(keys[index] as string, 3000, 'longer than it was');
        expect((await rejected(FormatError, open(options))).message).toContain(
          'RedisCuckooFilter.drop(options)',
        );
        const other = keys[1 - index] as string;
        await node.set(other, Buffer.alloc(30, 'other'));
        await rejected(FormatError, RedisCuckooFilter.drop(options));
        await rejected(FormatError, filter.drop());
        expect(await node.exists([...keys])).toBe(2);
        await node.del(other);
        if (drop === 'by options') expect(await RedisCuckooFilter.drop(options)).toBe(true);
        else await filter.drop();
        expect(await node.exists([...keys])).toBe(0);
      }
    },
  );

  test('the second string of a doubling, which lacks keys, is none, under the name of the first one or its own', async () => {
    const options = { name: newName(), capacity: 2000, maxCapacity: 80_000, callMicros: 100 };
    const { name } = options;
    let moves = 0;
    const send: Send = (command, given) =>
      command.includes('move') && ++moves > 2
        ? Promise.reject(new Error('held'))
        : fromNodeRedis(node)(command, given);
    const filter = await open({ ...options, send });
    const keys = keysTo(2900);
    await filter.addMany(keys);
    await until(() => moves > 2);
    const next = `${name}:next:{${name}}`;
    const ask = { ...options, send: fromNodeRedis(node) };
    expect((await rejected(FormatError, open({ ...ask, name: next }))).code).toBe('cut-short');
    const reader = await open(ask);
    expect(await reader.containsMany(keys)).not.toContain(0);
    await node.rename(next, name);
    for (const each of [filter, reader]) {
      expect((await rejected(FormatError, each.contains('key 5'))).code).toBe('inconsistent');
      expect((await each.verify())[0]?.error).toBeInstanceOf(FormatError);
    }
    expect((await rejected(FormatError, open(ask))).code).toBe('cut-short');
    expect(await RedisCuckooFilter.drop(ask)).toBe(true);
  });

  test('another filter that has the name to double into outlives the one that is dropped', async () => {
    const options = { send: fromNodeRedis(node), name: newName(), capacity: 2000, maxCapacity: 80_000 };
    const growing = await open(options);
    const other = await open({ ...options, name: nextOf(options.name) });
    await other.add('alice');
    await growing.drop();
    expect(await other.contains('alice')).toBe(true);
    expect(await RedisCuckooFilter.drop(options)).toBe(false);
    expect(await other.contains('alice')).toBe(true);
  });
});

describe('a filter that is no longer there', () => {
  test('is an error for every call, and never "absent"', async () => {
    const filter = await open({ shards: 2 });
    await filter.addMany(keysTo(100));
    await filter.drop();
    for (const call of [
      () => filter.contains('key 1'),
      () => filter.count('key 1'),
      () => filter.add('key 1'),
      () => filter.addIfAbsent('key 1'),
      () => filter.delete('key 1'),
      () => filter.info(),
      () => filter.stats(),
      () => filter.reset(),
      () => filter.replica(),
    ])
      expect((await rejected(FormatError, call())).message).toMatch(
        / is gone from the server, and its keys are lost with it: /,
      );
    for (const call of [
      () => filter.addMany(['a']),
      () => filter.addManyIfAbsent(['a']),
      () => filter.containsMany(['a']),
      () => filter.deleteMany(['a']),
    ])
      expect((await rejected(RedisBatchError, call())).cause).toBeInstanceOf(FormatError);
    expect(await filter.containsMany([])).toEqual(new Uint8Array());
    await filter.drop();
    using local = await open({ shards: 2 }).then((other) => other.replica({ refreshMs: 0 }));
    await filter.publish(local);
    expect(await filter.contains('key 1')).toBe(false);
  });

  test.each([1, 2])('is an error where a string is too short, in %i shards', async (shards) => {
    for (const [, send] of CLIENTS)
      for (const capacity of [100, 10_000]) {
        const filter = await open({ send: send(), shards, capacity });
        await filter.addMany(keysTo(100));
        const { keys } = await filter.info();
        const whole = await Promise.all(
          keys.map((key) => fromNodeRedis(node)(['GET', key]) as Promise<Buffer>),
        );
        for (const kept of [1, 30, 60, 72, 80, 0.5 * (whole[0] as Buffer).length, -26, -32]) {
          await Promise.all(keys.map((key, i) => node.set(key, (whole[i] as Buffer).subarray(0, kept))));
          for (const call of [
            () => filter.contains('key 1'),
            () => filter.count('key 1'),
            () => filter.add('key 1'),
            () => filter.delete('key 1'),
            () => filter.info(),
            () => filter.stats(),
            () => filter.replica(),
          ])
            await rejected(FormatError, call());
          const error = await rejected(RedisBatchError, filter.containsMany(['key 1']));
          expect(error.cause).toBeInstanceOf(FormatError);
        }
      }
  });

  test('is another error if one with other options is in its place', async () => {
    const name = newName();
    const filter = await open({ name });
    await filter.drop();
    await open({ name, capacity: 5000 });
    expect((await rejected(FormatError, filter.contains('a'))).code).toBe('inconsistent');
    expect((await rejected(FormatError, filter.add('a'))).code).toBe('inconsistent');
  });
});

describe('opening', () => {
  const options = (): { send: ClientSend; name: string; shards: number } => ({
    send: fromNodeRedis(node),
    name: newName(),
    shards: 3,
  });

  test('never makes a lost shard anew', async () => {
    for (const lost of [0, 1, 2]) {
      const given = options();
      const filter = await open(given);
      await filter.addMany(keysTo(500));
      const name = lost === 0 ? given.name : `${given.name}:${lost}`;
      await given.send(['DEL', name]);
      const error = await rejected(FormatError, open(given));
      expect([error.code, error.message]).toEqual([
        'not-a-filter',
        expect.stringMatching(
          new RegExp(
            `^${name}(, a shard of ${given.name},)? is gone from the server, and its keys are lost with it`,
          ),
        ),
      ]);
      expect(await given.send(['EXISTS', name])).toBe(0);
      await filter.drop();
      expect((await open(given)).created).toBe(true);
    }
  });

  test('by several at once gives one filter to all, and one of them made it', async () => {
    const given = options();
    const filters = await Promise.all(Array.from({ length: 8 }, () => open(given)));
    expect(filters.filter(({ created }) => created)).toHaveLength(1);
    await filters[0]?.addMany(keysTo(200));
    for (const filter of filters) expect(await filter.containsMany(keysTo(200))).not.toContain(0);
  });
});
