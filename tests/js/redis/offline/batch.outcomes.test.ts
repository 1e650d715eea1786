// What a RedisCuckooFilter says of the keys of a batch, by the digits that the program answers: 0 done, 1 full, 2 too many copies,
// 3 nothing to do, 4 not decided. And how many keys it takes out of an iterator that a failure makes useless.
import { describe, expect, test } from '@jest/globals';
import { FilterFullError, RedisBatchError, RedisFullError, type KeyOutcome } from 'cuckoofilter-wasm/redis';
import { rejected } from '../../support/random';
import { keysTo } from '../keys';
import { FakeServer } from './fake-server';

/** A filter whose changes are answered with these digits, one after the other. */
async function answering(digits: string, options: object = {}) {
  const server = new FakeServer();
  const filter = await server.open(options);
  let at = 0;
  server.answer = ({ action, count }) => {
    if (action !== 'change') return undefined;
    return `${digits.slice(at, (at += count))}.`;
  };
  server.takeNames();
  return { server, filter };
}

const FULL = 'the filter is full: it was made for';
const LARGER = 'Open one under another name, with a larger';
const COPIED = '; or use addIfAbsent, if keys repeat';
const COPIES = 'too many copies of one key';
const ONCE = 'Use addIfAbsent to store a key once';

describe('keys that do not fit', () => {
  test.each<[digits: string, outcomes: KeyOutcome[], message: string, options?: object]>([
    [
      '1',
      ['full'],
      `${FULL} 1000 keys, and the key does not fit. ${LARGER} capacity, or with maxCapacity${COPIED}`,
    ],
    [
      '1',
      ['full'],
      `${FULL} 2000 keys, and the key does not fit. ${LARGER} maxCapacity${COPIED}`,
      { maxCapacity: 2000 },
    ],
    [
      '1',
      ['full'],
      `${FULL} 1 key, and the key does not fit. ${LARGER} capacity, or with maxCapacity${COPIED}`,
      { capacity: 1 },
    ],
    ['2', ['too-many-copies'], `${COPIES}; the key does not fit. ${ONCE}`],
    ['0203', ['done', 'too-many-copies', 'done', 'nothing'], `${COPIES}; 1 of 4 keys do not fit. ${ONCE}`],
    [
      '0123',
      ['done', 'full', 'too-many-copies', 'nothing'],
      `${FULL} 1000 keys, and 2 of 4 keys do not fit. ${LARGER} capacity, or with maxCapacity${COPIED}`,
    ],
  ])('%j are told as %j', async (digits, outcomes, message, ...[options]) => {
    const keys = keysTo(digits.length);
    const isFull = digits.includes('1');
    for (const method of ['addMany', 'addManyIfAbsent'] as const) {
      const { filter } = await answering(digits, options);
      const error = await rejected(RedisFullError, filter[method](keys));
      expect(error).toBeInstanceOf(FilterFullError);
      expect(error).toMatchObject({
        name: 'RedisFullError',
        code: 'filter-full',
        reason: isFull ? 'full' : 'too-many-copies',
        added: outcomes.filter((outcome) => outcome === 'done').length,
        outcomes,
        message,
      });
    }
    if (keys.length > 1) return;
    for (const method of ['add', 'addIfAbsent'] as const) {
      const { filter } = await answering(digits, options);
      expect(await rejected(RedisFullError, filter[method]('a'))).toMatchObject({ outcomes, message });
    }
  });
});

test('the filter and its errors have their names, although the bundles are minified', async () => {
  const { filter } = await answering('');
  expect([filter.constructor.name, RedisFullError.name, RedisBatchError.name]).toEqual([
    ...['RedisCuckooFilter', 'RedisFullError', 'RedisBatchError'],
  ]);
});

test('what was done, and what was not, is counted and answered', async () => {
  const { filter } = await answering('030303');
  expect(await filter.addManyIfAbsent(keysTo(3))).toEqual(Uint8Array.of(1, 0, 1));
  expect(await filter.deleteMany(keysTo(3))).toBe(1);
  const one = await answering('0303');
  expect([await one.filter.addIfAbsent('a'), await one.filter.addIfAbsent('a')]).toEqual([true, false]);
  expect([await one.filter.delete('a'), await one.filter.delete('a')]).toEqual([true, false]);
});

test('keys that were not decided about are refused, and not counted as answered', async () => {
  const server = new FakeServer();
  const filter = await server.open();
  const told: number[] = [];
  let calls = 0;
  server.answer = () => (++calls === 1 ? '004.' : Promise.reject(new Error('OOM no memory')));
  const adding = filter.addMany(keysTo(3), { onProgress: (answered) => told.push(answered) });
  expect(await rejected(RedisBatchError, adding)).toMatchObject({
    message: 'the server answered for 2 of 3 keys: OOM no memory',
    outcomes: ['done', 'done', 'refused'],
  });
  expect(told).toEqual([]);
});

describe('lookups', () => {
  /** A filter that looks up a few keys a command, of which number `failing` is lost. */
  async function looking(failing: number) {
    const server = new FakeServer();
    const filter = await server.open({ capacity: 100_000, callMicros: 100 });
    server.takeNames();
    let reads = 0;
    server.answer = () => (++reads === failing ? Promise.reject(new Error('lost')) : undefined);
    return { server, filter };
  }

  test('say which keys were answered, and which were not asked', async () => {
    const { filter } = await looking(7);
    const { outcomes, message } = await rejected(RedisBatchError, filter.containsMany(keysTo(200)));
    const answered = outcomes.filter((outcome) => outcome === 'nothing').length;
    expect(answered).toBeGreaterThan(0);
    const unknown = outcomes.filter((outcome) => outcome === 'unknown').length;
    expect([unknown > 0, unknown <= 25]).toEqual([true, true]); // one command
    expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(200 - answered - unknown);
    expect(message).toBe(`the server answered for ${answered} of 200 keys: lost`);
  });

  test('tell no more progress once that has thrown', async () => {
    const { server, filter } = await looking(Infinity);
    const told: number[] = [];
    const own = new Error('enough');
    const onProgress = (answered: number): never => {
      told.push(answered);
      throw own;
    };
    expect(await rejected(Error, filter.containsMany(keysTo(1000), { onProgress }))).toBe(own);
    expect(told).toHaveLength(1);
    expect(server.sent.length).toBeLessThan(10);
  });
});

describe('an iterator', () => {
  /** Keys, and how many of them have been taken. */
  function counted(count: number) {
    const taken = { count: 0 };
    function* keys(): Generator<string> {
      for (const key of keysTo(count)) {
        ++taken.count;
        yield key;
      }
    }
    return { taken, keys: keys() };
  }

  test('is left after a failure, of which the error tells as many keys as were taken', async () => {
    const { server, filter } = await answering('');
    server.answer = () => Promise.reject(new Error('OOM no memory'));
    for (const call of ['addMany', 'containsMany'] as const) {
      const { taken, keys } = counted(20_000);
      const { outcomes } = await rejected(RedisBatchError, filter[call](keys));
      expect(taken.count).toBeLessThanOrEqual(2001);
      expect(outcomes).toHaveLength(taken.count);
      server.takeNames();
    }
  });

  test('is not begun where the signal has ended the call', async () => {
    const { server, filter } = await answering('');
    const { taken, keys } = counted(5);
    const own = new Error('stopped');
    const outcomes: KeyOutcome[] = ['done'];
    const signal = AbortSignal.abort(own);
    expect(await rejected(Error, filter.addMany(keys, { signal, outcomes }))).toBe(own);
    expect([outcomes, taken.count, server.sent]).toEqual([[], 0, []]);
    expect(await rejected(Error, filter.add('a', { signal, outcomes }))).toBe(own);
    expect([outcomes, own]).toEqual([['refused'], new Error('stopped')]);
    expect(Object.getOwnPropertyNames(own)).toEqual(['stack', 'message']);
    expect(server.sent).toEqual([]);
  });

  test('is taken to its end where all goes well', async () => {
    for (const count of [0, 1, 999, 1000, 1001, 2000, 2500]) {
      const { filter } = await answering('0'.repeat(count));
      expect(await filter.addMany(counted(count).keys)).toBe(count);
    }
  });
});

test('of a typed array the numbers are the keys, even if it iterates in another way', async () => {
  const places: string[] = [];
  const { server, filter } = await answering('');
  server.answer = ({ action, given }) => void (action === 'change' && places.push(given.toString('hex')));
  const numbers = Uint32Array.of(1, 2, 3);
  await filter.addMany(numbers);
  await filter.addMany(Object.assign(numbers, { [Symbol.iterator]: () => [7, 8].values() }));
  expect(places).toHaveLength(2);
  expect(places[1]).toBe(places[0]);
});
