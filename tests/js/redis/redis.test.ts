// RedisCuckooFilter on a server of its own, with both clients: the rules and the answers of the core, and what is refused.
import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from 'redis';
import {
  CuckooFilter,
  dedupe,
  Deduper,
  FilterFullError,
  FormatError,
  hashKey,
  hashKeys,
  InvalidKeyError,
  PackedKeys,
  type Key,
} from 'cuckoofilter-wasm';
import {
  fromIoRedis,
  fromNodeRedis,
  RedisBatchError,
  RedisCuckooFilter,
  RedisFullError,
  type RedisReplica,
  savedShard,
  type Send,
} from 'cuckoofilter-wasm/redis';
import { claim, Random, thrownBy } from '../support/random';
import { otherHome, SavedFilter } from '../support/reference/reader';
import { CLIENTS, keysTo, newName, node, open, ports } from './clients';

/** What was thrown, which must be a `Kind`. */
async function rejected<T extends Error>(
  Kind: abstract new (...args: never[]) => T,
  promise: Promise<unknown>,
): Promise<T> {
  const error: unknown = await promise.then(
    () => 'nothing',
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Kind))
    throw new Error(`expected a ${Kind.name}, got ${String(error)}`, { cause: error });
  return error;
}

/** How many entries there are of each kind: a fingerprint with its pair of buckets. */
function kindsIn(saved: Uint8Array): Map<string, number> {
  const filter = new SavedFilter(saved);
  const kinds = new Map<string, number>();
  filter.slots.forEach((fingerprint, slot) => {
    if (fingerprint === 0) return;
    const bucket = Math.floor(slot / filter.bucketSize);
    const pair = [bucket, otherHome(bucket, fingerprint, filter)].sort((a, b) => a - b);
    const kind = `${fingerprint} ${pair.join(' ')}`;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  });
  return kinds;
}

describe.each(CLIENTS)('with %s', (_, send) => {
  test.each([
    [0.06, 1],
    [0.02, 3],
    [0.005, 1],
    [0.001, 1],
    [0.001, 5],
    [0.0001, 1],
    [0.00002, 2],
    [1e-6, 1],
  ])(
    'at a rate of %f in %i shards it holds all keys, and errs no more than it says',
    async (falsePositiveRate, shards) => {
      const filter = await open({ send: send(), falsePositiveRate, shards });
      const keys = keysTo(1000);
      expect(await filter.addMany(keys)).toBe(1000);
      expect(await filter.containsMany(keys)).toEqual(new Uint8Array(1000).fill(1));
      const info = await filter.info();
      expect(info).toMatchObject({ size: 1000, capacity: 1000, shards });
      expect(info.expectedFalsePositiveRate).toBeLessThanOrEqual(falsePositiveRate);
      const positives = (await filter.containsMany(keysTo(20_000, 'absent'))).reduce(
        (sum, each) => sum + each,
        0,
      );
      expect(positives).toBeLessThan(
        20_000 * falsePositiveRate + 5 * Math.sqrt(20_000 * falsePositiveRate) + 3,
      );
      expect(await filter.deleteMany(keys)).toBe(1000);
      expect((await filter.info()).size).toBe(0);
    },
  );

  test('every kind of key is the key that it is for CuckooFilter', async () => {
    const filter = await open({ send: send(), shards: 2 });
    const keys: Key[] = ['', 'é', '\ud800', 5, -1, 2n ** 63n, Uint8Array.of(1, 2), new Uint8Array(1000)];
    for (const key of keys) await filter.add(key);
    for (const key of keys) expect([await filter.has(key), await filter.count(key)]).toEqual([true, 1]);
    expect(await filter.contains('no')).toBe(false);
    expect(await filter.containsMany(new Uint32Array([5, 6]))).toEqual(Uint8Array.of(1, 0));
    expect(await filter.delete(5n)).toBe(true);
    expect(await filter.delete(5)).toBe(false);
  });

  test('the same random operations give the answers and the entries of the core', async () => {
    const random = new Random(11);
    for (const [falsePositiveRate, capacity] of [
      [0.06, 40],
      [0.001, 300],
      [0.0001, 60],
      [0.00001, 200],
    ] as const) {
      const filter = await open({ send: send(), falsePositiveRate, capacity });
      const { options } = await filter.info();
      const local = new CuckooFilter(options);
      expect(JSON.parse(JSON.stringify(options))).toEqual({ ...options, seed: Number(options.seed) });
      const added: string[] = [];
      for (let round = 0; round < 30; ++round) {
        const keys = Array.from({ length: 1 + random.below(20) }, () => `key ${random.below(capacity)}`);
        const action = random.below(4);
        if (action === 0) {
          const few = random.shuffled(added).slice(0, keys.length);
          for (const key of few) added.splice(added.indexOf(key), 1);
          expect(await filter.deleteMany(few)).toBe(local.deleteMany(few));
        } else if (local.size + keys.length > capacity) continue;
        else if (action === 1) {
          const wanted = keys.map((key) => local.addIfAbsent(key));
          expect(await filter.addManyIfAbsent(keys)).toEqual(Uint8Array.from(wanted, Number));
          added.push(...keys.filter((__, i) => wanted[i]));
        } else {
          const wanted = keys.map((key) => local.tryAdd(key));
          const outcomes = await filter.addMany(keys).then(
            () => keys.map(() => 'added'),
            (error: RedisFullError) =>
              error.outcomes.map((outcome) => (outcome === 'done' ? 'added' : outcome)),
          );
          expect(outcomes).toEqual(wanted);
          added.push(...keys.filter((__, i) => wanted[i] === 'added'));
        }
        const replica = await filter.replica({ refreshMs: 0 });
        expect(kindsIn(replica.serializeShards()[0] as Uint8Array)).toEqual(kindsIn(local.serialize()));
        replica.dispose();
        const probes = keysTo(capacity);
        const counts = await Promise.all(probes.slice(0, 20).map((key) => filter.count(key)));
        expect(counts).toEqual(probes.slice(0, 20).map((key) => local.count(key)));
        expect(await filter.containsMany(probes)).toEqual(local.containsMany(probes));
      }
    }
  });
});

describe('a filter that is full', () => {
  test('says so, and changes no byte', async () => {
    const filter = await open({ capacity: 10 });
    const { name, keys, options } = await filter.info();
    const most = keysTo((options.bucketCount ?? 0) * (options.bucketSize ?? 0) + 20);
    const error = await rejected(RedisFullError, filter.addMany(most));
    expect(error).toBeInstanceOf(FilterFullError);
    expect([error.name, error.reason]).toEqual(['RedisFullError', 'full']);
    expect(error.message).toMatch(
      /^the filter is full: it was made for 10 keys, and \d+ of \d+ keys do not fit\. Open one under another name, with a larger capacity, or with maxCapacity$/,
    );
    const done = most.filter((_, i) => error.outcomes[i] === 'done');
    expect(done.length).toBe(error.added);
    expect(done.length).toBeGreaterThanOrEqual(10);
    expect(await filter.containsMany(done)).toEqual(new Uint8Array(done.length).fill(1));
    expect(keys).toEqual([name]);
    const before = await node.get(name);
    for (const key of most.filter((_, i) => error.outcomes[i] === 'full')) {
      const refused = await filter.add(key).then(
        () => undefined,
        (thrown: FilterFullError) => thrown,
      );
      expect(refused?.reason).toBe('full');
    }
    await rejected(RedisFullError, filter.addMany(most.filter((_, i) => error.outcomes[i] === 'full')));
    expect(await node.get(name)).toBe(before);
  });

  test('has no room for too many copies of one key', async () => {
    const filter = await open();
    await filter.addMany(Array(8).fill('a') as string[]);
    expect((await rejected(FilterFullError, filter.add('a'))).reason).toBe('too-many-copies');
    expect(await filter.count('a')).toBe(8);
    await filter.add('b');
  });

  test('holds its capacity, whatever that is', async () => {
    for (const capacity of [1, 2, 3, 5, 9, 17, 33, 70, 150, 400, 1500])
      for (const falsePositiveRate of [0.01, 0.00005, 0.000001]) {
        for (let i = 0; i < 3; ++i) {
          const filter = await open({ capacity, falsePositiveRate, shards: i + 1 });
          expect(await filter.addMany(keysTo(capacity, `key ${i}`))).toBe(capacity);
          await filter.drop();
        }
      }
  });
});

test('a call that changes nothing leaves the strings and their count of changes as they are', async () => {
  for (const [, send] of CLIENTS)
    for (const falsePositiveRate of [0.001, 0.0001, 0.00001]) {
      const filter = await open({ send: send(), shards: 2, falsePositiveRate });
      const keys = keysTo(600);
      const absent = keysTo(50, 'absent');
      await filter.addMany(keys);
      await filter.addMany(Array(20).fill('a') as string[]).catch(() => undefined);
      const { keys: strings } = await filter.info();
      const bytes = (): Promise<unknown> =>
        Promise.all(strings.map((each) => fromNodeRedis(node)(['GET', each])));
      const before = [await bytes(), await filter.stats()];
      expect(await filter.addIfAbsent('key 1')).toBe(false);
      await filter.addManyIfAbsent(keys);
      await rejected(FilterFullError, filter.add('a'));
      await rejected(RedisFullError, filter.addMany(['a', 'a']));
      for (const key of absent) if (!(await filter.has(key))) expect(await filter.delete(key)).toBe(false);
      const found = await filter.containsMany(absent);
      expect(await filter.deleteMany(absent.filter((__, i) => found[i] === 0))).toBe(0);
      expect([await bytes(), await filter.stats()]).toEqual(before);
      expect(await filter.delete('key 1')).toBe(true);
      expect(await filter.stats()).not.toEqual(before[1]);
    }
});

describe('opening', () => {
  test('by many at once gives one filter', async () => {
    const name = newName();
    const filters = await Promise.all(Array.from({ length: 20 }, () => open({ name, shards: 3 })));
    await Promise.all(filters.map((filter, i) => filter.add(i)));
    for (const filter of filters)
      expect(await filter.containsMany(filters.keys())).toEqual(new Uint8Array(20).fill(1));
  });

  test.each([
    [{ capacity: 2000 }, 'made with another capacity (1000 instead of 2000)'],
    [{ falsePositiveRate: 0.01 }, 'made with another falsePositiveRate (fingerprintBits 13 instead of 11)'],
    [{ shards: 2 }, 'made with another number of shards (1 instead of 2)'],
    [
      { capacity: 2000, falsePositiveRate: 0.01 },
      'made with another capacity (1000 instead of 2000) and falsePositiveRate (fingerprintBits 13 instead of 11)',
    ],
  ])('with %j instead says what differs', async (options, message) => {
    const name = newName();
    await open({ name });
    expect((await rejected(RangeError, open({ name, ...options }))).message).toContain(
      `${name} was ${message}. Open it with the options it was made with, or choose another name`,
    );
  });

  test.each([
    [2 ** 34, 1],
    [2 ** 32, 1],
    [2 ** 32, 4],
  ])('says how many shards %d keys need, where %i are too few', async (capacity, shards) => {
    const { message } = await rejected(RangeError, open({ capacity, shards }));
    const [, enough] =
      /^a capacity of \d+ does not fit into \d shards?: give shards: (\d+), or/.exec(message) ?? [];
    expect(message).toContain(String(capacity));
    const most = 2 ** 29 / ((1.5 * capacity) / Number(enough));
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThan(4);
  });

  test('takes the least rate that it names', async () => {
    const filter = await open({ falsePositiveRate: 2.01e-7 });
    await filter.addMany(keysTo(1000));
    expect((await filter.info()).expectedFalsePositiveRate).toBeLessThanOrEqual(2.01e-7);
  });

  test('a name of something else is a FormatError, and leaves it as it is', async () => {
    const name = newName();
    for (const value of ['hello', 'x'.repeat(5000), CuckooFilter.from(['a']).serialize().slice(0, 30)]) {
      await node.set(name, typeof value === 'string' ? value : Buffer.from(value));
      expect((await rejected(FormatError, open({ name }))).message).toMatch(
        /is damaged, or another kind of filter|holds something else, not a filter/,
      );
    }
    await node.set(name, 'hello');
    expect((await rejected(FormatError, open({ name }))).code).toBe('not-a-filter');
    expect(await node.get(name)).toBe('hello');
    await node.del(name);
    await node.lPush(name, 'a');
    expect((await rejected(FormatError, open({ name }))).message).toBe(
      `${name} on the server is not a string`,
    );
    const saved = CuckooFilter.from(['a']).serialize();
    saved[8] = 2;
    await node.set(name, Buffer.from(saved));
    expect((await rejected(FormatError, open({ name }))).code).toBe('unsupported-version');
  });

  test('with a send that returns no answer says so', async () => {
    for (const [answer, shown] of [
      [undefined, 'undefined'],
      [null, 'null'],
      [1, '1'],
    ])
      expect(await rejected(TypeError, open({ send: () => Promise.resolve(answer) }))).toMatchObject({
        code: 'invalid-argument',
        message: `send returned ${shown}. It must return the server's answer`,
      });
  });

  test('with the client of the other package names the function for it', () => {
    const [redis, ioredis] = [{ withTypeMapping: String }, { callBuffer: String }] as never[];
    expect(() => fromNodeRedis(ioredis as never)).toThrow(
      new TypeError('this is a client of ioredis: use fromIoRedis'),
    );
    expect(() => fromIoRedis(redis as never)).toThrow(
      new TypeError('this is a client of redis: use fromNodeRedis'),
    );
    expect(() => fromNodeRedis(undefined as never)).toThrow(/^client must be a client or cluster of redis /);
    expect(() => fromIoRedis(undefined as never)).toThrow(/^client must be a client or cluster of ioredis/);
  });

  test('a string that was cut is a FormatError', async () => {
    const filter = await open();
    const { name } = await filter.info();
    await node.setRange(name, 3000, 'longer than it was');
    expect((await rejected(FormatError, open({ name }))).code).toBe('cut-short');
    expect((await rejected(FormatError, filter.add('a'))).code).toBe('inconsistent');
  });

  test.each([
    [{ name: '' }, RangeError, 'name must be'],
    [{ name: 'a}b' }, RangeError, 'name must be'],
    [{ name: 5 }, TypeError, 'name must be a string'],
    [
      { name: undefined },
      TypeError,
      'name is required: a string that is not empty, with { and } only around a hash tag',
    ],
    [
      { send: undefined },
      TypeError,
      'send is required: fromNodeRedis(client), fromIoRedis(client), or a fun',
    ],
    [
      { client: {} },
      TypeError,
      'send is required: fromNodeRedis(client), fromIoRedis(client), or a function',
    ],
    [
      { send: {} },
      TypeError,
      'send must be fromNodeRedis(client), fromIoRedis(client), or a function of your',
    ],
    [{ capacity: undefined }, TypeError, 'capacity is required: an integer from 1 to 2^34'],
    [
      { seed: 3 },
      TypeError,
      'unknown option seed; the options are send, name, capacity, maxCapacity, falsePositiveRate, shards',
    ],
    [{ capacity: 0 }, RangeError, 'capacity must be an integer from 1 to 2^34, got 0'],
    [{ capacity: '5' }, TypeError, 'capacity must be an integer'],
    [{ shards: 0.5 }, RangeError, 'shards must be an integer from 1 to 65,536, got 0.5'],
    [{ falsePositiveRate: 0 }, RangeError, 'falsePositiveRate must be more than 0 and less than 1, got 0'],
    [{ falsePositiveRate: 1e-9 }, RangeError, 'falsePositiveRate must be at least 2.01e-7, got 1e-9'],
    [{ falsePositiveRate: 2e-7 }, RangeError, 'falsePositiveRate must be at least 2.01e-7, got 2e-7'],
    [{ errorRate: 0.1 }, TypeError, 'unknown option errorRate; did you mean falsePositiveRate?'],
  ])('with %j is refused', async (options, Kind, message) => {
    expect((await rejected<Error>(Kind, open(options as object))).message).toContain(message);
  });
});

test('options of batches and replicas are checked before anything is sent', async () => {
  const filter = await open();
  const wrong = { onprogress: () => undefined } as object;
  for (const call of [
    () => filter.addMany(['a'], wrong),
    () => filter.addManyIfAbsent(['a'], wrong),
    () => filter.containsMany(['a'], wrong),
    () => filter.deleteMany(['a'], wrong),
  ])
    expect((await rejected(TypeError, call())).message).toBe(
      'unknown option onprogress; did you mean onProgress?',
    );
  await rejected(TypeError, filter.addMany(['a'], { onProgress: 5 as never }));
  expect((await filter.info()).size).toBe(0);
  expect((await rejected(RangeError, filter.replica({ refreshMs: 0.5 }))).message).toBe(
    'refreshMs must be 0, or an integer from 1 to 2^31 - 1, got 0.5',
  );
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
      expect((await rejected(FormatError, call())).message).toMatch(/ is gone from the server: /);
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
        for (const kept of [1, 30, 60, 72, 80, 0.5 * (whole[0] as Buffer).length, -8, -9]) {
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

describe('batches', () => {
  test('a key that is none is a TypeError with its index; those before it are in', async () => {
    const filter = await open({ shards: 3 });
    const keys = [...keysTo(50), NaN, 'after'];
    expect((await rejected(TypeError, filter.addMany(keys))).message).toMatch(/^key 50: /);
    expect((await filter.info()).size).toBe(50);
    expect((await rejected(TypeError, filter.containsMany(keys))).message).toMatch(/^key 50: /);
    await rejected(TypeError, filter.addMany('text' as unknown as string[]));
    expect(await filter.addMany([])).toBe(0);
  });

  test('tell their progress', async () => {
    const filter = await open({ capacity: 5000, shards: 3 });
    const told: number[] = [];
    await filter.addMany(keysTo(5000), { onProgress: (answered) => told.push(answered) });
    expect(told.length).toBeGreaterThan(9);
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(told.at(-1)).toBe(5000);
  });

  test('that the server answers in part tell the outcome of each key', async () => {
    let calls = 0;
    const send = fromNodeRedis(node);
    const filter = await open({
      capacity: 4000,
      send: (command) =>
        command.includes('add') && ++calls > 4 ? Promise.reject(new Error('broken')) : send(command),
    });
    const keys = keysTo(4000);
    const error = await rejected(RedisBatchError, filter.addMany(keys));
    expect(error.message).toMatch(/^the server answered for \d+ of 4000 keys: broken$/);
    const done = keys.filter((_, i) => error.outcomes[i] === 'done');
    expect(done.length).toBeGreaterThan(0);
    expect(new Set(error.outcomes)).toEqual(new Set(['done', 'unknown', 'refused']));
    expect(await filter.containsMany(done)).toEqual(new Uint8Array(done.length).fill(1));
    expect((await filter.info()).size).toBe(done.length);
  });

  test('a script that was flushed from the cache is loaded again', async () => {
    const filter = await open();
    for (let i = 0; i < 10; ++i) {
      await node.sendCommand(['SCRIPT', 'FLUSH']);
      await filter.addMany(keysTo(10, `round ${i}`));
    }
    expect((await filter.info()).size).toBe(100);
  });

  test('a delete that a client sends twice deletes once', async () => {
    const send = fromNodeRedis(node);
    const filter = await open({
      send: async (command) => {
        await send(command);
        return send(command);
      },
    });
    const once = await open({ name: (await filter.info()).name });
    await once.addMany(['a', 'a', 'a', 'b']);
    expect(await filter.delete('a')).toBe(true);
    expect(await filter.deleteMany(['a', 'b', 'c'])).toBe(2);
    expect(await once.count('a')).toBe(1);
  });

  test('a delete of an absent key that arrives again later does not delete what was added since', async () => {
    const send = fromNodeRedis(node);
    const sent: Parameters<Send>[0][] = [];
    const filter = await open({
      send: (command) => {
        if (command.includes('delete')) sent.push(command);
        return send(command);
      },
    });
    expect([await filter.delete('a'), await filter.deleteMany(['b', 'c'])]).toEqual([false, 0]);
    await filter.addMany(['a', 'b', 'c']);
    const late = await Promise.all(sent.map((command) => send(command).catch(String)));
    expect(late.map(String)).toEqual(['Error: CUCKOO late', '33.']);
    expect(await filter.containsMany(['a', 'b', 'c'])).toEqual(Uint8Array.of(1, 1, 1));
  });

  test('deletes leave as many answers as ever waited at once, however many there are', async () => {
    const filter = await open({ capacity: 3000 });
    const { name } = await filter.info();
    const answers = async (): Promise<number> => (await node.keys(`{${name}}:answer:*`)).length;
    await filter.addMany(keysTo(3000));
    for (const key of keysTo(200)) expect(await filter.delete(key)).toBe(true);
    expect(await answers()).toBe(1);
    expect(await filter.deleteMany(keysTo(1000))).toBe(800);
    expect(await answers()).toBeLessThanOrEqual(4);
    expect(await Promise.all(keysTo(1200).map((key) => filter.delete(key)))).toEqual(
      keysTo(1200).map((_, i) => i >= 1000),
    );
    expect(await answers()).toBeLessThanOrEqual(5);
    expect((await filter.info()).size).toBe(1800);
  });
});

describe('calls of one moment', () => {
  test('go to the server together, in order, and each has its own answer', async () => {
    let commands = 0;
    const send = fromNodeRedis(node);
    const counting: Send = (command) => {
      commands += Number(/^(FCALL|EVAL)/.test(String(command[0])));
      return send(command);
    };
    const filter = await open({ capacity: 2000, send: counting });
    await filter.add('a');
    commands = 0;
    const added = await Promise.all(keysTo(200).map((key, i) => filter.addIfAbsent(i % 2 === 0 ? key : 'a')));
    expect(added).toEqual(keysTo(200).map((_, i) => i % 2 === 0));
    expect(commands).toBe(1);
    const turns = [
      filter.add('b'),
      filter.delete('b'),
      filter.add('b'),
      filter.delete('b'),
      filter.delete('b'),
    ];
    expect((await Promise.all(turns)).filter((each) => each !== undefined)).toEqual([true, true, false]);
    expect((await filter.info()).size).toBe(101);
  });

  test('fail by themselves where some of their keys do not fit', async () => {
    const filter = await open();
    const adds = await Promise.allSettled(Array.from({ length: 12 }, () => filter.add('a')));
    expect(adds.map(({ status }) => status)).toEqual(
      Array.from({ length: 12 }, (_, i) => (i < 8 ? 'fulfilled' : 'rejected')),
    );
    for (const each of adds.slice(8))
      expect((each as PromiseRejectedResult).reason).toBeInstanceOf(FilterFullError);
  });
});

describe('a replica', () => {
  test('follows the server, says how old it is, and cannot be changed', async () => {
    for (const shards of [1, 4]) {
      const filter = await open({ shards });
      await filter.addMany(keysTo(500));
      const replica = await filter.replica({ refreshMs: 5 });
      expect(replica.containsMany(keysTo(500))).toEqual(new Uint8Array(500).fill(1));
      await filter.add('later');
      for (const end = Date.now() + 20_000; !replica.has('later') && Date.now() < end;)
        await new Promise((resolve) => setTimeout(resolve, 5));
      expect([replica.has('later'), replica.count('key 1'), replica.size]).toEqual([true, 1, 501]);
      expect(replica.age).toBeGreaterThanOrEqual(0);
      expect(replica.loadFactor).toBeCloseTo((await filter.info()).loadFactor);
      const changes =
        'add tryAdd addIfAbsent delete addMany addManyAsync addManyIfAbsent deleteMany shrink clear merge mergeIfAbsent';
      for (const change of changes.split(' ')) expect(replica).not.toHaveProperty(change);
      replica.dispose();
      replica.dispose();
      for (const ask of [
        () => replica.has('later'),
        () => replica.count('later'),
        () => replica.containsMany(['later']),
        () => replica.size,
        () => replica.bucketSize,
        () => replica.expectedFalsePositiveRate,
        () => replica.serializeShards(),
      ])
        expect(ask).toThrow(/after dispose/);
    }
  });

  test('takes a time that timers keep, or 0', async () => {
    const filter = await open();
    const rule = 'refreshMs must be 0, or an integer from 1 to 2^31 - 1, got';
    for (const refreshMs of [Infinity, 2 ** 31, NaN, -1, 0.5, 1.5])
      expect((await rejected(RangeError, filter.replica({ refreshMs }))).message).toBe(
        `${rule} ${refreshMs}`,
      );
    for (const refreshMs of ['1', null, 5n])
      expect((await rejected(TypeError, filter.replica({ refreshMs: refreshMs as never }))).message).toMatch(
        rule,
      );
    for (const refreshMs of [0, 1, 2 ** 31 - 1]) (await filter.replica({ refreshMs })).dispose();
  });

  test('fetches only shards that have changed', async () => {
    const fetched: string[] = [];
    const send = fromNodeRedis(node);
    const filter = await open({
      shards: 4,
      send: (command) => {
        if (command[0] === 'GET') fetched.push(String(command[1]));
        return send(command);
      },
    });
    const replica = await filter.replica({ refreshMs: 0 });
    expect(fetched.splice(0).length).toBe(4);
    await replica.refresh();
    expect(fetched).toEqual([]);
    await filter.add('a');
    await replica.refresh();
    expect(fetched.length).toBe(1);
    expect(replica.has('a')).toBe(true);
    await filter.reset();
    await replica.refresh();
    expect([fetched.length, replica.has('a'), replica.size]).toEqual([5, false, 0]);
    replica.dispose();
  });

  test('has all that was added before `refresh` was called, though one was under way', async () => {
    const name = newName();
    let checks = 0;
    let release: (() => void) | undefined;
    let held = Promise.resolve();
    const send = fromNodeRedis(node);
    const slow: Send = async (command) => {
      const answer = await send(command);
      if (String(command[0]).startsWith('BITFIELD')) ++checks;
      await held;
      return answer;
    };
    const filter = await open({ name });
    using replica = await (await open({ name, send: slow })).replica({ refreshMs: 0 });
    checks = 0;
    held = new Promise((resolve) => (release = resolve));
    const first = replica.refresh();
    while (checks === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await filter.add('new');
    const later = [replica.refresh(), replica.refresh(), replica.refresh()];
    release?.();
    await first;
    expect(replica.contains('new')).toBe(false);
    await Promise.all(later);
    expect(replica.contains('new')).toBe(true);
    expect(checks).toBe(2);
  });

  test('stays as it was where a refresh fails, and says why', async () => {
    const filter = await open();
    await filter.add('a');
    const replica = await filter.replica({ refreshMs: 0 });
    await filter.drop();
    await rejected(FormatError, replica.refresh());
    expect([replica.has('a'), replica.error instanceof FormatError]).toEqual([true, true]);
    replica.dispose();
  });
});

/** A local filter with the content of each shard. */
function localsOf(replica: RedisReplica): CuckooFilter[] {
  return replica.serializeShards().map((bytes) => CuckooFilter.deserialize(bytes));
}

describe('a replica is no filter', () => {
  test('and is refused by name wherever one is wanted, with nothing changed', async () => {
    for (const shards of [1, 2]) {
      const filter = await open({ shards });
      await filter.addMany(keysTo(300));
      using replica = await filter.replica({ refreshMs: 0 });
      expect(replica).not.toBeInstanceOf(CuckooFilter);
      using local = new CuckooFilter((await filter.info()).options);
      using deduper = new Deduper({ capacity: 10 });
      const wrong = replica as never;
      for (const given of [
        () => local.merge(wrong),
        () => local.mergeIfAbsent(wrong),
        () => local.equals(wrong),
        () => deduper.merge(wrong),
        () => new Deduper(wrong),
        () => new CuckooFilter(wrong),
        () => CuckooFilter.from(wrong),
        () => CuckooFilter.deserialize(wrong),
        () => dedupe(['new'], { deduper: wrong }),
      ])
        expect(given).toThrow(TypeError);
      expect([local.size, deduper.size, replica.size]).toEqual([0, 0, 300]);
    }
  });

  test.each([1, 3])(
    'but %i shards become local filters, which merge with nothing dropped',
    async (shards) => {
      const filter = await open({ shards });
      const keys = keysTo(300);
      await filter.addMany(keys);
      using replica = await filter.replica({ refreshMs: 0 });
      const { options } = await filter.info();
      const parts = localsOf(replica);
      expect(parts).toHaveLength(shards);
      expect(parts.reduce((sum, { size }) => sum + size, 0)).toBe(300);
      for (const key of keys) expect(parts.some((part) => part.has(key))).toBe(true);
      if (shards === 1)
        for (const merge of ['merge', 'mergeIfAbsent'] as const) {
          using local = new CuckooFilter(options);
          local.add('mine');
          for (const part of parts) local[merge](part);
          expect([local.size, local.has('mine')]).toEqual([301, true]);
          expect(local.containsMany(keys)).toEqual(new Uint8Array(300).fill(1));
        }
      // They are copies.
      for (const part of parts) part.clear();
      expect(replica.containsMany(keys)).toEqual(new Uint8Array(300).fill(1));
      await filter.add('more');
      await replica.refresh();
      expect(localsOf(replica).some((part) => part.has('more'))).toBe(true);
      for (const part of parts) expect(part.has('more')).toBe(false);
    },
  );

  test.each([1, 2])(
    'but of %i shards has the parameters of the server, and content of its own',
    async (shards) => {
      const [filter, other] = [await open({ shards }), await open({ shards })];
      await filter.addMany(keysTo(100));
      await other.addMany(keysTo(100, 'other'));
      using replica = await filter.replica({ refreshMs: 0 });
      using same = await filter.replica({ refreshMs: 0 });
      using different = await other.replica({ refreshMs: 0 });
      const info = await filter.info();
      const { maxKicks, fingerprintBits, bucketSize, bucketCount, semiSort, seed } = info.options;
      expect(maxKicks).toBe(250);
      expect(replica).toMatchObject({ maxKicks, fingerprintBits, bucketSize, semiSorted: semiSort, seed });
      const parts = localsOf(replica);
      const { addressing, hashAlgorithm } = parts[0] as CuckooFilter;
      expect(replica).toMatchObject({ addressing, hashAlgorithm, size: 100 });
      expect(replica.bucketCount).toBe(shards * (bucketCount as number));
      for (const total of ['size', 'currentCapacity', 'maxCapacity', 'bucketCount', 'byteLength'] as const)
        expect(replica[total]).toBe(parts.reduce((sum, part) => sum + part[total], 0));
      expect(replica.loadFactor).toBeCloseTo(info.loadFactor);
      expect(replica.bitsPerKey).toBeCloseTo((8 * replica.byteLength) / 100);
      expect(replica.expectedFalsePositiveRate).toBeCloseTo(info.expectedFalsePositiveRate);
      expect(same.serializeShards()).toEqual(replica.serializeShards());
      expect(different.serializeShards()).not.toEqual(replica.serializeShards());
    },
  );

  test('follows a table that doubles', async () => {
    const filter = await open({ capacity: 50, maxCapacity: 1000 });
    await filter.addMany(keysTo(50));
    using replica = await filter.replica({ refreshMs: 0 });
    const { byteLength, currentCapacity, maxCapacity } = replica;
    await filter.addMany(keysTo(900, 'more'));
    await replica.refresh();
    expect(replica.byteLength).toBeGreaterThan(4 * byteLength);
    expect(replica.currentCapacity).toBeGreaterThan(4 * currentCapacity);
    expect(replica.maxCapacity).toBe(maxCapacity);
    expect(replica.containsMany(keysTo(900, 'more'))).toEqual(new Uint8Array(900).fill(1));
    const [copy] = localsOf(replica);
    expect([copy?.bucketCount, copy?.size]).toEqual([replica.bucketCount, 950]);
  });

  test('refuses keys that are none, with the index in a batch, in one shard and in several', async () => {
    for (const shards of [1, 2]) {
      using replica = await (await open({ shards })).replica({ refreshMs: 0 });
      expect(thrownBy(InvalidKeyError, () => replica.has(1.5)).code).toBe('invalid-key');
      const { message, index } = thrownBy(InvalidKeyError, () => replica.containsMany(['a', 1.5]));
      expect([message, index]).toEqual([expect.stringMatching(/^key 1: a key must be /), 1]);
      expect(() => replica.containsMany('text' as never)).toThrow(TypeError);
    }
  });
});

describe('publishing', () => {
  test('puts a local filter in place of the one on the server', async () => {
    const filter = await open({ capacity: 500 });
    await filter.add('before');
    const replica = await filter.replica({ refreshMs: 0 });
    using local = new CuckooFilter((await filter.info()).options);
    local.addMany(keysTo(500));
    await filter.publish(local);
    expect(await filter.containsMany(keysTo(500))).toEqual(new Uint8Array(500).fill(1));
    expect([await filter.contains('before'), (await filter.info()).size]).toEqual([false, 500]);
    await replica.refresh();
    expect(kindsIn(replica.serializeShards()[0] as Uint8Array)).toEqual(kindsIn(local.serialize()));
    expect(localsOf(replica)[0]?.equals(local)).toBe(true);
    expect(await filter.delete('key 7')).toBe(true);
    replica.dispose();
  });

  test('copies a filter of several shards to another name', async () => {
    const [one, other] = [await open({ shards: 3 }), await open({ shards: 3 })];
    await one.addMany(keysTo(900));
    const replica = await one.replica({ refreshMs: 0 });
    await other.publish(replica);
    expect(await other.containsMany(keysTo(900))).toEqual(new Uint8Array(900).fill(1));
    replica.dispose();
  });

  test('another shape is a RangeError, what is no filter a TypeError, and changes nothing', async () => {
    const filter = await open();
    await filter.add('a');
    await rejected(RangeError, filter.publish(CuckooFilter.from(['b'])));
    for (const other of [null, undefined, 5, {}, CuckooFilter.from(['b']).serialize()])
      expect((await rejected(TypeError, filter.publish(other as never))).message).toMatch(
        /^filter must be a CuckooFilter or a RedisReplica, got /,
      );
    const two = await open({ shards: 2 });
    await rejected(RangeError, two.publish(CuckooFilter.from(['b'])));
    using replica = await two.replica({ refreshMs: 0 });
    expect((await rejected(RangeError, filter.publish(replica))).message).toMatch(
      /^filter must have 1 shard, got 2: publish a replica /,
    );
    expect(await filter.contains('a')).toBe(true);
  });
});

test('random calls by several filters at once lose no key', async () => {
  const name = newName();
  const filters = await Promise.all(
    CLIENTS.flatMap(([, send]) =>
      [0, 1].map(() => open({ name, send: send(), shards: 3, capacity: 3000, falsePositiveRate: 0.01 })),
    ),
  );
  const kept = await Promise.all(
    filters.map(async (filter, i) => {
      const random = new Random(i);
      const model = new Set<string>();
      for (let round = 0; round < 60; ++round) {
        const keys = keysTo(20, `${i} ${random.below(20)}`).filter((key) => !model.has(key));
        const all = [...model];
        if (random.below(3) > 0 && model.size < 400) {
          await filter.addMany(keys);
          for (const key of keys) model.add(key);
        } else if (all.length > 0) {
          const few = random.shuffled(all).slice(0, 15);
          expect(await filter.deleteMany(few)).toBe(few.length);
          for (const key of few) model.delete(key);
        }
        const found = await filter.containsMany(model);
        claim(!found.includes(0), () => `filter ${i}, round ${round}: a key is lost`);
      }
      return [...model];
    }),
  );
  const [filter] = filters as [RedisCuckooFilter];
  expect((await filter.info()).size).toBe(kept.flat().length);
  expect(await filter.containsMany(kept.flat())).toEqual(new Uint8Array(kept.flat().length).fill(1));
  const sizes = (await filter.stats()).map(({ size }) => size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(kept.flat().length);
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

test('lookups of one moment go to the server together', async () => {
  const sent: string[] = [];
  const filter = await open({
    capacity: 100_000,
    send: (command) => {
      sent.push(String(command[0]));
      return fromNodeRedis(node)(command);
    },
  });
  const keys = keysTo(40);
  await filter.addMany(keys);
  sent.splice(0);
  const few = await Promise.all([...keys.slice(0, 5), 'absent'].map((key) => filter.count(key)));
  expect([few, sent.splice(0)]).toEqual([[1, 1, 1, 1, 1, 0], ['BITFIELD_RO']]);
  const found = await Promise.all([...keys, 'absent'].map((key) => filter.contains(key)));
  expect([found.filter(Boolean).length, sent.splice(0)]).toEqual([40, ['BITFIELD_RO']]);
  const batches = await Promise.all(
    [keysTo(400), keysTo(900), keys].map((each) => filter.containsMany(each)),
  );
  expect(batches.map((each) => each.length)).toEqual([400, 900, 40]);
  expect(sent).toEqual(['GET']);
});

test('a filter is opened, and not made with new', () => {
  expect(
    () => new (RedisCuckooFilter as unknown as new (options?: object) => unknown)({ capacity: 5 }),
  ).toThrow('make a filter with await RedisCuckooFilter.open(options)');
});

test('keys that are hashed once are taken like others', async () => {
  for (const shards of [1, 3]) {
    const filter = await open({ shards });
    const { options } = await filter.info();
    const keys = keysTo(300);
    const hashed = hashKeys(keys, { seed: options.seed });
    expect(await filter.addMany(hashed)).toBe(300);
    expect(await filter.containsMany(keys)).toEqual(new Uint8Array(300).fill(1));
    expect(await filter.count(hashKey('key 7', { seed: options.seed }))).toBe(1);
    expect(await filter.containsMany(new PackedKeys(Buffer.from('key 1no'), Uint32Array.of(5, 7)))).toEqual(
      Uint8Array.of(1, 0),
    );
    await rejected(TypeError, filter.contains(hashKey('key 7', { seed: 99 })));
    using replica = await filter.replica({ refreshMs: 0 });
    expect(replica.containsMany(hashed)).toEqual(new Uint8Array(300).fill(1));
  }
});

describe('the string of a shard', () => {
  test('is a saved filter but for the checksum', async () => {
    const filter = await open();
    await filter.addMany(keysTo(500));
    const string = (await fromNodeRedis(node)(['GET', (await filter.info()).name])) as Buffer;
    expect(() => CuckooFilter.deserialize(string)).toThrow(FormatError);
    using local = CuckooFilter.deserialize(savedShard(string));
    expect(local.containsMany(keysTo(500))).toEqual(new Uint8Array(500).fill(1));
    using replica = await filter.replica({ refreshMs: 0 });
    expect([savedShard(string)]).toEqual(replica.serializeShards());
  });

  test('of several holds its share of the keys', async () => {
    const filter = await open({ shards: 3 });
    await filter.addMany(keysTo(500));
    const { keys } = await filter.info();
    const strings = await Promise.all(keys.map((key) => fromNodeRedis(node)(['GET', key])));
    const locals = strings.map((string) => CuckooFilter.deserialize(savedShard(string as Buffer)));
    expect(locals.reduce((sum, { size }) => sum + size, 0)).toBe(500);
    for (const { size } of locals) expect(size).toBeLessThan(300);
    for (const key of keysTo(500)) expect(locals.some((local) => local.has(key))).toBe(true);
    for (const local of locals) local.dispose();
  });

  test('is refused where it is cut, or is something else', async () => {
    const { name } = await (await open()).info();
    const string = new Uint8Array((await fromNodeRedis(node)(['GET', name])) as Buffer);
    expect(() => savedShard(string.subarray(0, -1))).toThrow(
      `this shard has ${string.length - 1} of ${string.length} bytes`,
    );
    expect(() => savedShard(string.subarray(0, 50))).toThrow(FormatError);
    expect(() => savedShard(new Uint8Array(200))).toThrow(FormatError);
    expect(() => savedShard('text' as never)).toThrow(TypeError);
    expect(() => savedShard(null as never)).toThrow(
      new TypeError(
        'string must be bytes, as GET gives them if the client returns Buffers, got null: the server has no such key',
      ),
    );
    const gone = new Uint8Array(string);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    for (const each of [gone, gone.buffer])
      expect(() => savedShard(each)).toThrow(
        /^string has lost its buffer, which was transferred away or has shrunk$/,
      );
  });
});

describe('opening', () => {
  const options = (): { send: Send; name: string; shards: number } => ({
    send: fromNodeRedis(node),
    name: newName(),
    shards: 3,
  });

  test('says whether it made the filter, and obeys create', async () => {
    const given = options();
    const absent = await rejected(FormatError, open({ ...given, create: false }));
    expect([absent.code, absent.message]).toEqual([
      'not-a-filter',
      `there is no filter ${given.name} on the server. Leave out create to make it, or look for its name`,
    ]);
    expect((await open({ ...given, create: true })).created).toBe(true);
    const there = await rejected(RangeError, open({ ...given, create: true }));
    expect(there.message).toMatch(/ is on the server already\. /);
    expect((await open({ ...given, create: false })).created).toBe(false);
    expect((await open(given)).created).toBe(false);
    await rejected(TypeError, open({ ...given, create: 'yes' as never }));
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
        expect.stringContaining(`${name}, a shard of ${given.name}, is gone from the server with its keys`),
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
