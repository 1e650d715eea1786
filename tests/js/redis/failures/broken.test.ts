// RedisCuckooFilter where answers are lost or are none, and the strings on the server are not its own.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, FormatError, type Key } from 'cuckoofilter-wasm';
import { fromNodeRedis, RedisBatchError, type KeyOutcome } from 'cuckoofilter-wasm/redis';
import { keysTo, newName, node, openGrowing as open } from '../clients';

test('the outcomes of a batch that broke off are those of all its keys', async () => {
  const send = fromNodeRedis(node);
  let left = Infinity;
  const filter = await open({
    capacity: 20_000,
    maxCapacity: undefined,
    send: (command) => (--left < 0 ? Promise.reject(new Error('connection lost')) : send(command)),
  });
  left = 4;
  const keys = keysTo(20_000);
  const error = await filter.addMany(keys).catch((thrown: unknown) => thrown);
  left = Infinity;
  expect(error).toBeInstanceOf(RedisBatchError);
  const { outcomes } = error as RedisBatchError;
  expect(outcomes).toHaveLength(keys.length);
  await filter.addMany(keys.filter((_, i) => outcomes[i] !== 'done'));
  expect((await filter.containsMany(keys)).every((each) => each === 1)).toBe(true);
});

test('a bad key, an iterator or onProgress that throws end a batch with that error, and the outcomes are told', async () => {
  const filter = await open({ capacity: 20_000, maxCapacity: undefined });
  const keys = keysTo(5000);
  const own = new Error('the caller stops here');
  const stop = (): never => {
    throw own;
  };
  function* breaking(): Generator<Key> {
    yield* keys.slice(2000, 4000);
    stop();
  }
  const caught = async (asking: Promise<unknown>) =>
    (await asking.catch((thrown: unknown) => thrown)) as TypeError & { outcomes: readonly KeyOutcome[] };

  const bad = await caught(filter.addManyIfAbsent([...keys.slice(0, 2000), 1.5, 'not asked']));
  expect(bad.message).toMatch(/^key 2000: a key must be/);
  const absent = keys.slice(0, 2000).map((_, i) => (bad.outcomes[i] === 'done' ? 'done' : 'nothing'));
  expect(bad.outcomes).toEqual([...absent, 'refused', 'refused']);
  expect(absent.filter((outcome) => outcome === 'nothing').length).toBeLessThan(20);

  const outcomes: KeyOutcome[] = [];
  expect(await caught(filter.addMany(breaking(), { outcomes }))).toBe(own);
  expect(outcomes).toEqual(Array(2000).fill('done'));
  expect(Object.getOwnPropertyNames(own)).toEqual(['stack', 'message']);

  expect(await caught(filter.addMany(keys, { onProgress: stop, outcomes }))).toBe(own);
  expect(outcomes).toHaveLength(keys.length);
  expect(outcomes[0]).toBe('done');
  const added = keys.filter((_, i) => outcomes[i] === 'done');
  expect((await filter.containsMany(added)).includes(0)).toBe(false);
});

describe('an answer that is none', () => {
  test.each([[undefined], [null], ['QUEUED'], [''], [{}], [[]], [new Error('lost')]])(
    'such as %p is an error of every change',
    async (nothing) => {
      const send = fromNodeRedis(node);
      let isBroken = false;
      const filter = await open({ send: (command) => (isBroken ? Promise.resolve(nothing) : send(command)) });
      await filter.add('a');
      using local = new CuckooFilter((await filter.info()).options);
      isBroken = true;
      for (const call of [
        () => filter.add('b'),
        () => filter.addIfAbsent('b'),
        () => filter.delete('a'),
        () => filter.addMany(['b', 'c']),
        () => filter.deleteMany(['a']),
        () => filter.reset(),
        () => filter.publish(local),
        () => filter.drop(),
      ])
        await expect(call()).rejects.toThrow(/send returned .*\. It must return the server's answer/);
      isBroken = false;
      expect(await filter.containsMany(['a', 'b', 'c'])).toEqual(Uint8Array.of(1, 0, 0));
    },
  );
});

test('an error that speaks of something unknown does not repeat an add', async () => {
  const send = fromNodeRedis(node);
  let isBroken = false;
  const filter = await open({
    send: async (command) => {
      const answer = await send(command);
      if (isBroken && command.includes('change')) throw new Error('connection lost, state unknown');
      return answer;
    },
  });
  isBroken = true;
  await expect(filter.add('a')).rejects.toThrow('state unknown');
  expect(await filter.count('a')).toBe(1);
});

describe('what is not its own', () => {
  test('is not opened: a string of another filter', async () => {
    const name = newName();
    const options = { capacity: 1000, maxCapacity: undefined, shards: 3 };
    const filter = await open({ name, ...options });
    await filter.addMany(keysTo(900));
    await expect(open({ name: `${name}:1`, ...options })).rejects.toThrow(
      `${name}:1 on the server is shard 1 of a filter, where shard 0 should be`,
    );
    expect((await filter.containsMany(keysTo(900))).every((each) => each === 1)).toBe(true);
    // Not a string of that filter, nor one of a filter that is not there.
    await open({ name: `${name}:3`, ...options });
    await open({ name: 'no such filter:1', ...options });
  });

  test('is not published over: another type, or a filter with other options', async () => {
    const name = newName();
    const filter = await open({ name });
    using local = new CuckooFilter((await filter.info()).options);
    await filter.drop();
    await node.rPush(name, 'a');
    await expect(filter.publish(local)).rejects.toThrow(FormatError);
    expect(await node.lLen(name)).toBe(1);
    await node.del(name);
    const other = await open({ name, capacity: 5000, maxCapacity: 5000 });
    await other.add('a');
    await expect(filter.publish(local)).rejects.toThrow(FormatError);
    expect(await other.contains('a')).toBe(true);
    await other.drop();
    local.add('b');
    await filter.publish(local);
    expect(await filter.contains('b')).toBe(true);
    // As many bytes, but other hashes.
    const { options } = await filter.info();
    using seeded = new CuckooFilter({ ...options, seed: 5 });
    expect(seeded.byteLength).toBe(local.byteLength);
    await expect(filter.publish(seeded)).rejects.toThrow(/other options/);
  });
});

test('a time to live of 2^47 milliseconds is the longest', async () => {
  const filter = await open();
  await filter.expire(2 ** 47);
  await expect(filter.expire(2 ** 47 + 1)).rejects.toThrow(/from 1 to 2\^47/);
  expect(await filter.contains('a')).toBe(false);
});
