// The identity that the strings of a RedisCuckooFilter bear: what is lost, swapped, foreign or made again is never taken for it.
import { describe, expect, test } from '@jest/globals';
import { FormatError } from 'cuckoofilter-wasm';
import { fromNodeRedis, RedisBatchError, RedisCuckooFilter, type Send } from 'cuckoofilter-wasm/redis';
import { until } from '../../support/patience';
import { CLIENTS, keysTo, newName, node, open } from '../clients';

/** Large enough that a lookup of few keys fetches no whole string. */
const SHARDS = { shards: 3, capacity: 30_000 };

/** The error that `promise` ends with, which must be a FormatError, or that of a batch. */
async function formatError(promise: Promise<unknown>): Promise<FormatError> {
  const thrown: unknown = await promise.then(
    () => 'nothing',
    (error: unknown) => error,
  );
  const error = thrown instanceof RedisBatchError ? thrown.cause : thrown;
  if (!(error instanceof FormatError)) throw new Error(`no FormatError, but ${String(error)}`);
  return error;
}

/** The bytes under the keys, as text. */
function bytesOf(...keys: string[]): Promise<unknown> {
  return Promise.all(keys.map(async (key) => String(await fromNodeRedis(node)(['GET', key]))));
}

/** Every kind of call that reads or changes, of enough keys to meet all shards. */
function callsOf(filter: RedisCuckooFilter): readonly (() => Promise<unknown>)[] {
  const keys = keysTo(60);
  return [
    () => filter.addMany(keys),
    () => filter.addManyIfAbsent(keys),
    () => filter.deleteMany(keys),
    () => filter.containsMany(keys),
    () => filter.containsMany(keysTo(900)), // by GET
    () => Promise.all(keys.slice(0, 30).map((key) => filter.contains(key))), // by BITFIELD
    () => Promise.all(keys.slice(0, 30).map((key) => filter.count(key))),
    () => filter.info(),
    () => filter.stats(),
    () => filter.reset(),
    () => filter.replica({ refreshMs: 0 }),
  ];
}

describe.each(CLIENTS)('with %s', (_, send) => {
  test('swapped shards are an error of every call and of open, which says which is where', async () => {
    const name = newName();
    const filter = await open({ name, ...SHARDS, send: send() });
    await filter.addMany(keysTo(500));
    const [, one, two] = (await filter.info()).keys as [string, string, string];
    const swap = async (): Promise<void> => {
      await node.rename(one, `${name} aside`);
      await node.rename(two, one);
      await node.rename(`${name} aside`, two);
    };
    await swap();
    const before = await bytesOf(one, two);
    for (const call of callsOf(filter))
      expect((await formatError(call())).message).toMatch(/ is shard [12] of a filter, /);
    const { code, message } = await formatError(open({ name, ...SHARDS, send: send() }));
    expect(code).toBe('inconsistent');
    expect(message).toMatch(
      /^.*:[12] on the server is shard [12] of a filter, where shard [12] should be: .* Give each shard, and each filter, its own name$/,
    );
    expect(await bytesOf(one, two)).toEqual(before);
    await swap();
    expect(await filter.containsMany(keysTo(500))).toHaveLength(500);
    expect((await open({ name, ...SHARDS, send: send() })).created).toBe(false);
  });

  test('a shard of another filter with the same options is an error of every call and of open', async () => {
    for (const shard of [1, 2]) {
      const [name, other] = [newName(), newName()];
      const filter = await open({ name, ...SHARDS, send: send() });
      await open({ name: other, ...SHARDS, send: send() });
      await filter.addMany(keysTo(500));
      const key = `${name}:${shard}`;
      await node.rename(key, `${name} aside`);
      await node.copy(`${other}:${shard}`, key);
      const before = await bytesOf(key);
      for (const call of callsOf(filter))
        expect((await formatError(call())).message).toMatch(
          / belongs to another filter than the one you opened: /,
        );
      expect((await formatError(open({ name, ...SHARDS, send: send() }))).message).toMatch(
        new RegExp(
          `^${key} on the server belongs to another filter than the one you opened: .* To repair the filter, restore it from a backup`,
        ),
      );
      expect(await bytesOf(key)).toEqual(before);
      await node.rename(`${name} aside`, key);
      expect(await filter.containsMany(keysTo(500))).toHaveLength(500);
    }
  });

  test.each([1, 3])(
    'a filter of %i shards that was made again is not the one that was opened',
    async (shards) => {
      const options = { name: newName(), shards, capacity: 30_000, send: send() };
      const filter = await open(options);
      await filter.addMany(keysTo(100));
      await filter.drop();
      const again = await open(options);
      expect(again.created).toBe(true);
      for (const call of callsOf(filter))
        expect((await formatError(call())).message).toMatch(
          /To use the filter that is there, open it without identity\. /,
        );
      expect((await again.info()).size).toBe(0);
      await again.addMany(keysTo(100));
      expect(await again.containsMany(keysTo(100))).not.toContain(0);
    },
  );
});

test('a filter whose strings were all renamed, or saved and restored, is the same filter', async () => {
  const [name, other] = [newName(), newName()];
  const filter = await open({ name, ...SHARDS });
  await filter.addMany(keysTo(300));
  for (const key of (await filter.info()).keys) await node.copy(key, key.replace(name, other));
  const copy = await open({ name: other, ...SHARDS, create: false });
  expect(await copy.containsMany(keysTo(300))).not.toContain(0);
  await filter.drop();
  for (const key of (await copy.info()).keys) await node.rename(key, key.replace(other, name));
  expect(await filter.containsMany(keysTo(300))).not.toContain(0);
});

describe('names that meet', () => {
  test('are errors: of a filter that has the name of another one’s shard, whatever its options', async () => {
    const name = newName();
    await open({ name, ...SHARDS });
    for (const options of [SHARDS, { shards: 1 }, { capacity: 50 }, { maxCapacity: 10_000 }])
      await expect(open({ name: `${name}:1`, ...options })).rejects.toThrow(
        `${name}:1 on the server is shard 1 of a filter, where shard 0 should be`,
      );
  });

  test('are errors: of a filter one of whose shards would have the name of another filter', async () => {
    const name = newName();
    const own = await open({ name: `${name}:1`, ...SHARDS });
    await own.addMany(keysTo(300));
    const { message } = await formatError(open({ name, ...SHARDS }));
    expect(message).toMatch(new RegExp(`^${name}:1 on the server is shard 0 of a filter`));
    expect(await own.containsMany(keysTo(300))).not.toContain(0);
    expect(await node.exists([name, `${name}:2`])).toBe(0);
  });
});

describe('making', () => {
  test('goes on where a process died between two shards', async () => {
    for (let left = 1; left < 8; ++left) {
      const name = newName();
      let commands = left;
      const send = fromNodeRedis(node);
      const dying = open({
        name,
        ...SHARDS,
        send: (command) =>
          command.includes('make') || command.includes('made')
            ? --commands >= 0
              ? send(command)
              : Promise.reject(new Error('the process died'))
            : send(command),
      }).catch((error: unknown) => String(error));
      const made = await dying;
      if (left < 4) expect(made).toMatch(/died/);
      if (left < 4)
        await expect(open({ name, ...SHARDS, create: false })).rejects.toThrow(
          /does not exist, or is still being made/,
        );
      const filters = await Promise.all(Array.from({ length: 4 }, () => open({ name, ...SHARDS })));
      await filters[0]?.addMany(keysTo(300));
      for (const filter of filters) expect(await filter.containsMany(keysTo(300))).not.toContain(0);
      await node.del(`${name}:2`);
      expect((await formatError(open({ name, ...SHARDS }))).message).toMatch(/:2 is gone/);
    }
  });

  test('is ended by another process where one gave up', async () => {
    const options = { name: newName(), ...SHARDS };
    const send = fromNodeRedis(node);
    const stop = new AbortController();
    let helping: Promise<RedisCuckooFilter> | undefined;
    const given = open({
      ...options,
      signal: stop.signal,
      send: async (command) => {
        if (command.includes('make') && !command.includes(options.name)) {
          await (helping ??= open(options));
          stop.abort();
        }
        return send(command);
      },
    });
    await expect(given).rejects.toThrow();
    expect((await helping)?.created).toBe(true);
    expect((await open(options)).created).toBe(false);
  });

  test('takes over shards that are not a filter’s yet, and no others', async () => {
    const name = newName();
    const send = fromNodeRedis(node);
    const dying = open({
      name,
      ...SHARDS,
      send: (command) =>
        command.includes('made') ? Promise.reject(new Error('the process died')) : send(command),
    });
    await expect(dying).rejects.toThrow('the process died');
    await node.del(name);
    const filter = await open({ name, ...SHARDS });
    expect(filter.created).toBe(true);
    await filter.addMany(keysTo(300));
    expect(await filter.containsMany(keysTo(300))).not.toContain(0);
    // Where the first is lost, its keys are, even if the others had none.
    await filter.reset();
    await node.del([name, `${name}:1`]);
    for (const create of [undefined, true, false])
      expect((await formatError(open({ name, ...SHARDS, create }))).message).toMatch(
        new RegExp(`^${name} is gone from the server, and its keys are lost with it`),
      );
  });

  test('makes nothing anew that was lost since another process has made all, however late it is', async () => {
    const name = newName();
    const lost = `${name}:2`;
    /** Opens the filter, but holds the command of this action for the shard that is lost, until it is released. */
    const holding = async (action: string): Promise<{ opened: Promise<string>; release: () => void }> => {
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      let holds = (): void => undefined;
      const held = new Promise<void>((resolve) => (holds = resolve));
      const send = fromNodeRedis(node);
      const opened = open({
        name,
        ...SHARDS,
        send: async (command) => {
          if (command.includes(action) && command.includes(lost)) {
            holds();
            await released;
          }
          return send(command);
        },
      }).then(() => 'opened', String);
      await held;
      return { opened, release };
    };
    const making = await holding('make');
    const ending = await holding('made');
    const filter = await open({ name, ...SHARDS });
    await filter.addMany(keysTo(300));
    await node.del(lost);
    making.release();
    expect(await making.opened).toMatch(/:2 is gone from the server, and its keys are lost with it/);
    ending.release();
    expect(await ending.opened).toMatch(/FormatError/);
    // A shard that is made again is not taken for the lost one, and expires.
    expect((await formatError(filter.containsMany(keysTo(300)))).code).toBe('not-a-filter');
    expect(await node.pTTL(lost)).toBeGreaterThan(0);
    expect(await Promise.all([name, `${name}:1`].map((key) => node.pTTL(key)))).toEqual([-1, -1]);
    expect((await formatError(open({ name, ...SHARDS }))).message).toMatch(/:2 is gone from/);
  });
});

test.each([1, 3])(
  'with its identity, a filter of %i shards is not taken for another one, or a new one',
  async (shards) => {
    const options = { name: newName(), shards, capacity: 30_000 };
    const filter = await open(options);
    await filter.add('a');
    const { identity } = filter;
    expect(identity).toMatch(/^[0-9a-f]{12}$/);
    const again = await open({ ...options, identity });
    expect([again.identity, again.created, await again.has('a')]).toEqual([identity, false, true]);
    await filter.drop();
    expect((await formatError(open({ ...options, identity }))).message).toMatch(/ is gone from the server/);
    const other = await open(options);
    expect(other.identity).not.toBe(identity);
    const { message, code } = await formatError(open({ ...options, identity }));
    expect([message, code]).toEqual([expect.stringMatching(/ it was made again, /), 'inconsistent']);
    await expect(open({ ...options, identity: 'it' })).rejects.toThrow(
      new RangeError('identity must be 12 hexadecimal digits, got "it"'),
    );
    await expect(open({ ...options, identity: 5 as never })).rejects.toThrow(TypeError);
  },
);

describe('drop', () => {
  test('of a filter that was made again, or replaced, is an error, and deletes nothing', async () => {
    const name = newName();
    const old = await open({ name, ...SHARDS });
    await old.drop();
    await old.drop(); // There is nothing to delete.
    const again = await open({ name, ...SHARDS });
    await again.addMany(keysTo(500));
    expect((await formatError(old.drop())).code).toBe('inconsistent');
    expect(await again.containsMany(keysTo(500))).not.toContain(0);
    // Not even what is its own, where one shard is something else's.
    await node.del(`${name}:1`);
    await node.hSet(`${name}:1`, 'user', '1');
    for (const filter of [old, again]) expect((await formatError(filter.drop())).code).toMatch(/^not-a|^inc/);
    expect(await node.exists([name, `${name}:1`, `${name}:2`])).toBe(3);
    await node.del(`${name}:1`);
    await again.drop();
    expect(await node.exists([name, `${name}:2`])).toBe(0);
  });

  test('by options needs no filter, and takes what is left of one, and nothing else', async () => {
    const options = { name: newName(), ...SHARDS, maxCapacity: 300_000, send: fromNodeRedis(node) };
    const { name } = options;
    expect(await RedisCuckooFilter.drop(options)).toBe(false);
    const { identity } = await open(options);
    await node.del([name, `${name}:1`]);
    await formatError(open(options));
    await node.set(`${name}:1`, 'of somebody else');
    await formatError(RedisCuckooFilter.drop(options));
    await node.del(`${name}:1`);
    await formatError(RedisCuckooFilter.drop({ ...options, identity: '0123456789ab' }));
    await expect(RedisCuckooFilter.drop({ ...options, falsePositiveRate: 0.01 })).rejects.toThrow(
      /other options/,
    );
    expect(await node.exists(`${name}:2`)).toBe(1);
    expect(await RedisCuckooFilter.drop({ ...options, identity })).toBe(true);
    expect(await RedisCuckooFilter.drop(options)).toBe(false);
    expect((await open(options)).created).toBe(true);
  });

  /** A `send` that holds the first command with each of these actions, once, until it is released; `met` resolves when it comes. */
  function holding(action: string, key = '') {
    let release = (): void => undefined;
    let meet = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const met = new Promise<void>((resolve) => (meet = resolve));
    const given = fromNodeRedis(node);
    const send: Send = async (command) => {
      if (command.includes(action) && (key === '' || command.includes(key))) {
        meet();
        await released;
      }
      return given(command);
    };
    return { send, met, release };
  }

  test('of a filter that is being made leaves nothing of it, however far that gets meanwhile', async () => {
    const name = newName();
    const dropping = holding('drop');
    const others = holding('made');
    const making = open({ name, ...SHARDS, send: others.send }).catch(String);
    await others.met;
    const dropped = RedisCuckooFilter.drop({ name, ...SHARDS, send: dropping.send });
    await dropping.met;
    const first = holding('made', name);
    // Another one gives all but the first their identity.
    const completing = open({ name, ...SHARDS, send: first.send }).catch(String);
    await first.met;
    dropping.release();
    expect(await dropped).toBe(true);
    for (const { release } of [first, others]) release();
    for (const opened of [making, completing]) expect(await opened).toMatch(/ is gone from the server/);
    expect(await node.keys(`${name}*`)).toEqual([]);
    expect((await open({ name, ...SHARDS })).created).toBe(true);
  });

  test('of a filter that another process has dropped leaves alone what is being made since', async () => {
    const name = newName();
    const { send, met, release } = holding('drop');
    const filter = await open({ name, ...SHARDS, send });
    const dropped = filter.drop();
    await met;
    await RedisCuckooFilter.drop({ name, ...SHARDS, send: fromNodeRedis(node) });
    const hold = holding('hold');
    const making = open({ name, ...SHARDS, send: hold.send });
    await hold.met;
    release();
    await dropped;
    // Nor is it what the former filter's identity asks for.
    expect((await formatError(filter.drop())).code).toBe('inconsistent');
    hold.release();
    expect((await making).created).toBe(true);
  });

  test('takes a filter that is doubling with both strings, and one of which others are still to be made', async () => {
    const options = { name: newName(), capacity: 1000, maxCapacity: 8000, send: fromNodeRedis(node) };
    const filter = await open(options);
    await filter.addMany(keysTo(800));
    await RedisCuckooFilter.drop(options);
    expect(await node.keys(`*${options.name}*`)).toEqual([]);
    const many = { ...options, shards: 3 };
    const dying = open({
      ...many,
      send: (command) =>
        command.includes('made')
          ? Promise.reject(new Error('the process died'))
          : fromNodeRedis(node)(command),
    });
    await expect(dying).rejects.toThrow('the process died');
    expect(await RedisCuckooFilter.drop(many)).toBe(true);
    expect(await node.keys(`*${options.name}*`)).toEqual([]);
  });
});

test('with its identity, a filter whose first shard went back to before it was complete is gone', async () => {
  const options = { name: newName(), ...SHARDS };
  const given = fromNodeRedis(node);
  let half: unknown;
  const filter = await open({
    ...options,
    send: async (command) => {
      if (command.includes('made') && command.includes(options.name))
        half = await given(['GET', options.name]);
      return given(command);
    },
  });
  await filter.addMany(keysTo(300));
  const { identity, epochs } = filter;
  await given(['SET', options.name, half as Buffer]);
  for (const kept of [{ identity }, { identity, epochs }])
    expect(await formatError(open({ ...options, ...kept }))).toMatchObject({
      code: 'not-a-filter',
      message: expect.stringMatching(new RegExp(`^${options.name} is gone from the server`)),
    });
  expect(await RedisCuckooFilter.drop({ ...options, identity, send: given })).toBe(true);
  expect(await node.keys(`${options.name}*`)).toEqual([]);
});

test('verify tells which shard is not what it should be', async () => {
  const [name, other] = [newName(), newName()];
  const options = { capacity: 30_000, shards: 6, maxCapacity: 70_000 };
  const filter = await open({ name, ...options });
  await open({ name: other, ...options });
  const [first, ...keys] = (await filter.info()).keys as [string, ...string[]];
  expect(await filter.verify()).toEqual([first, ...keys].map((key) => ({ key, error: undefined })));
  const [gone, swapped, foreign, cut, list] = keys as [string, string, string, string, string];
  await node.copy(first, swapped, { REPLACE: true });
  await node.copy(`${other}:3`, foreign, { REPLACE: true });
  await node.setRange(cut, 100_000, 'longer');
  await node.del([gone, list]);
  await node.lPush(list, 'a');
  const told = await filter.verify();
  expect(told.map(({ key, error }) => [key, error?.message])).toEqual([
    [first, undefined],
    [gone, expect.stringMatching(/ is gone from the server/)],
    [swapped, expect.stringMatching(/ is shard 0 of a filter, where shard 2 should be/)],
    [foreign, expect.stringMatching(/ belongs to another filter than the one you opened: /)],
    [cut, expect.stringMatching(/ belongs to another filter than the one you opened: /)],
    [list, expect.stringMatching(/ holds something else, not a filter\. /)],
  ]);
});

test('verify tells what may delete a shard: its time, and a policy that evicts', async () => {
  const filter = await open({ shards: 2 });
  const told = async (): Promise<unknown[]> =>
    (await filter.verify()).map(({ expiresIn = -1, evictionPolicy }) => [
      Math.ceil(expiresIn / 1e6),
      evictionPolicy,
    ]);
  expect(await told()).toEqual(Array(2).fill([-0, undefined]));
  try {
    await node.configSet('maxmemory-policy', 'volatile-lru');
    expect(await told()).toEqual(Array(2).fill([-0, undefined]));
    await filter.expire(9e6);
    expect(await told()).toEqual(Array(2).fill([9, 'volatile-lru']));
    await node.configSet('maxmemory-policy', 'allkeys-lfu');
    await filter.expire(null);
    expect(await told()).toEqual(Array(2).fill([-0, 'allkeys-lfu']));
  } finally {
    await node.configSet('maxmemory-policy', 'noeviction');
  }
});

test('expire sets and takes away the time to live of all shards, which growing keeps', async () => {
  const filter = await open({ capacity: 100, maxCapacity: 3000, shards: 2 });
  const { keys } = await filter.info();
  const times = (): Promise<number[]> => Promise.all(keys.map((key) => node.pTTL(key)));
  await filter.expire(600_000);
  await filter.addMany(keysTo(2000));
  for (const time of await times()) expect(time > 500_000 && time <= 600_000).toBe(true);
  await filter.expire(null);
  expect(await times()).toEqual([-1, -1]);
  for (const wrong of [0, -1, 1.5, 2 ** 48, NaN])
    await expect(filter.expire(wrong)).rejects.toThrow(
      new RangeError(`milliseconds must be null, or an integer from 1 to 2^47, got ${wrong}`),
    );
  await expect(filter.expire('1 h' as never)).rejects.toThrow(TypeError);
  await filter.expire(1);
  await until(async () => (await node.exists([...keys])) === 0);
  expect((await formatError(filter.add('a'))).message).toMatch(/ has expired/);
});
