// Batches of a RedisCuckooFilter, and calls made at the same moment: the outcome of each key, and what is sent.
import { describe, expect, test } from '@jest/globals';
import { FilterFullError } from 'cuckoofilter-wasm';
import { fromNodeRedis, RedisBatchError, type Send } from 'cuckoofilter-wasm/redis';
import { rejected } from '../support/random';
import { keysTo, node, open } from './clients';

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
        command.includes('change') && ++calls > 4 ? Promise.reject(new Error('broken')) : send(command),
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
});

describe('calls of one moment', () => {
  test('go to the server together, in order, and each has its own answer', async () => {
    let commands = 0;
    const send = fromNodeRedis(node);
    const counting: Send = (command) => {
      commands += Number(/^(EVAL)/.test(String(command[0])));
      return send(command);
    };
    const filter = await open({ capacity: 2000, send: counting });
    await filter.add('a');
    commands = 0;
    const added = await Promise.all(keysTo(160).map((key, i) => filter.addIfAbsent(i % 2 === 0 ? key : 'a')));
    expect(added).toEqual(keysTo(160).map((_, i) => i % 2 === 0));
    expect(commands).toBe(1);
    const turns = [
      filter.add('b'),
      filter.delete('b'),
      filter.add('b'),
      filter.delete('b'),
      filter.delete('b'),
    ];
    expect((await Promise.all(turns)).filter((each) => each !== undefined)).toEqual([true, true, false]);
    expect((await filter.info()).size).toBe(81);
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

test.each([
  [0.001, 500, 1000], // 52 bits
  [1e-5, 500, 4000], // 46 bits
  [1e-4, 500, 2000], // 54 bits
])(
  'lookups at a rate of %f find their buckets, wherever those begin in a byte',
  async (falsePositiveRate, capacity, maxCapacity) => {
    const filter = await open({ falsePositiveRate, capacity, maxCapacity });
    await filter.addMany(keysTo(400));
    expect(await filter.containsMany(keysTo(400))).toEqual(new Uint8Array(400).fill(1));
    const counts = await Promise.all(keysTo(100).map((key) => filter.count(key)));
    expect(Math.min(...counts)).toBe(1);
    const found = await filter.containsMany(keysTo(400, 'absent'));
    expect(found.filter((each) => each > 0).length).toBeLessThan(8);
  },
);

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
  expect([few, sent.splice(0)]).toEqual([[1, 1, 1, 1, 1, 0], ['BITFIELD']]);
  const found = await Promise.all([...keys, 'absent'].map((key) => filter.contains(key)));
  expect([found.filter(Boolean).length, sent.splice(0)]).toEqual([40, ['BITFIELD']]);
  const batches = await Promise.all(
    [keysTo(400), keysTo(900), keys].map((each) => filter.containsMany(each)),
  );
  expect(batches.map((each) => each.length)).toEqual([400, 900, 40]);
  expect(new Set(sent)).toEqual(new Set(['BITFIELD']));
  expect(sent.length).toBeLessThan(5);
});
