// Opening a RedisCuckooFilter where other strings are on the server, or are put there meanwhile: which error says what, and what is
// taken over from a process that has died.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, FormatError } from 'cuckoofilter-wasm';
import {
  RedisTimeoutError,
  type RedisCuckooFilter,
  type RedisFilterOptions,
  type SendOptions,
} from 'cuckoofilter-wasm/redis';
import { turns } from '../../support/patience';
import { rejected } from '../../support/random';
import { FakeServer } from './fake-server';

type Options = Partial<RedisFilterOptions>;

const backup = (shards: number): string =>
  `To repair the filter, restore it from a backup; or delete all its strings (${['', 'seen', 'seen to seen:1', 'seen to seen:2'][shards] ?? ''}) with RedisCuckooFilter.drop(options), or DEL if that throws, open it again (without identity), and add all keys again`;
const ELSEWHERE = `For a new filter, choose another name. ${backup(1)}`;
const lost = (key: string, shards = 1): string =>
  `${key} is gone from the server, and its keys are lost with it: it was deleted, has expired, was evicted, or was never made whole. ${backup(shards)}`;
const foreign = (key: string, shards = 1): string =>
  `${key} on the server belongs to another filter than the one you opened: it was made again, renamed, restored or overwritten. To use the filter that is there, open it without identity. ${backup(shards)}`;

describe('a filter with other options is named with what differs', () => {
  test.each<[Options, Options, string]>([
    [
      { capacity: 2000 },
      {},
      'capacity (maxCapacity) of a shard 2000 instead of 1000, buckets (capacity) 576 instead of 320',
    ],
    [
      { shards: 2 },
      {},
      'shards 2 instead of 1, capacity (maxCapacity) of a shard 635 instead of 1000, buckets (capacity) 192 instead of 320',
    ],
    [
      { capacity: 2000, shards: 3 },
      { shards: 3 },
      'capacity (maxCapacity) of a shard 822 instead of 443, buckets (capacity) 235 instead of 150',
    ],
    [{ maxCapacity: 8000 }, { maxCapacity: 9000 }, 'capacity (maxCapacity) of a shard 8000 instead of 9000'],
    [{ maxCapacity: 8000 }, { capacity: 1100, maxCapacity: 8000 }, 'buckets (capacity) 338 instead of 676'],
    [
      { falsePositiveRate: 0.01 },
      {},
      'fingerprintBits (falsePositiveRate) 11 instead of 13, buckets (capacity) 333 instead of 320',
    ],
    [
      { falsePositiveRate: 1e-6 },
      {},
      'bucketSize (falsePositiveRate) 2 instead of 4, fingerprintBits (falsePositiveRate) 24 instead of 13, buckets (capacity) 661 instead of 320',
    ],
  ])('%j where %j is wanted', async (there, wanted, told) => {
    // A name like that of a shard is as good as any.
    for (const name of ['seen', 'seen:1']) {
      const server = new FakeServer();
      await server.open({ name, ...there });
      const { message } = await rejected(RangeError, server.open({ name, ...wanted }));
      expect(message).toBe(
        `${name} was made with other options: ${told}. Open it with the options it was made with, or choose another name`,
      );
    }
  });
});

describe('a string of something else', () => {
  test.each(['seen', 'seen:1'])('is told by its kind, under the name %j, and left as it is', async (name) => {
    const ELSE = 'holds something else, not a filter';
    const OTHER = 'holds a damaged filter, or one of another kind or version';
    const saved = Buffer.from(CuckooFilter.from(['a']).serialize());
    const later = Buffer.from(saved).fill(2, 8, 9);
    const marked = Buffer.alloc(80).fill(1, 56, 57); // as a shard has its number
    for (const [string, code, what] of [
      [Buffer.from('hello'), 'not-a-filter', ELSE],
      [Buffer.from('x'.repeat(5000)), 'not-a-filter', ELSE],
      [marked, 'not-a-filter', ELSE],
      [saved.subarray(0, 30), 'cut-short', OTHER],
      [later, 'unsupported-version', OTHER],
    ] as const) {
      const server = new FakeServer();
      server.strings.set(name, Buffer.from(string));
      expect(await rejected(FormatError, server.open({ name }))).toMatchObject({
        code,
        message: `${name} on the server ${what}. Choose another name`,
      });
      expect(server.strings.get(name)).toEqual(string);
    }
  });

  test('is told of a shard that is longer or shorter than it was', async () => {
    const server = new FakeServer();
    await server.open();
    server.strings.set('seen', Buffer.concat([server.strings.get('seen') as Buffer, Buffer.of(0)]));
    expect(await rejected(FormatError, server.open())).toMatchObject({
      code: 'cut-short',
      message: `seen on the server is not as long as its header says, or half copied. ${ELSEWHERE}`,
    });
  });

  test('is told of another type than a string', async () => {
    const server = new FakeServer();
    server.answer = () => Promise.reject(new Error('WRONGTYPE Operation against a key'));
    expect(await rejected(FormatError, server.open())).toMatchObject({
      code: 'not-a-filter',
      message: `seen on the server holds something else, not a filter. ${ELSEWHERE}`,
    });
  });

  test('is not taken for a shard of a filter, though it has the number of one by chance', async () => {
    const server = new FakeServer();
    const saved = Buffer.from(CuckooFilter.from(['a']).serialize());
    const name = `seen:${saved.readUInt16LE(56)}`;
    server.strings.set(name, saved);
    expect((await rejected(RangeError, server.open({ name }))).message).toMatch(
      / was made with other options: /,
    );
  });
});

describe('a shard under another name', () => {
  /** Shard `index` of a filter of twelve, alone, under `name`. */
  async function renamed(index: number, name: string): Promise<FakeServer> {
    const [server, other] = [new FakeServer(), new FakeServer()];
    await other.open({ name: 'other', shards: 12 });
    server.strings.set(name, other.strings.get(`other:${index}`) as Buffer);
    return server;
  }

  test.each(['seen', 'seen:1b', 'seen:01', ':1'])('such as %j is told by its number', async (name) => {
    const server = await renamed(1, name);
    expect(await rejected(FormatError, server.open({ name, shards: 12 }))).toMatchObject({
      code: 'inconsistent',
      message: `${name} on the server is shard 1 of a filter, where shard 0 should be: it was renamed or restored under that name, or two filters use that name. Give each shard, and each filter, its own name`,
    });
  });

  test.each([
    [1, 'seen:1'],
    [11, 'seen:11'],
    [2, 'a:1:2'],
  ])('%i, which is %j, is not taken for a filter of that name', async (index, name) => {
    const server = await renamed(index, name);
    const { message } = await rejected(FormatError, server.open({ name, shards: 12 }));
    expect(
      message.startsWith(`${name} on the server is shard ${index} of a filter, where shard 0 should be`),
    ).toBe(true);
  });
});

describe('create', () => {
  test.each([1, 3])('finds %i shards, whoever has made them, or says that there are none', async (shards) => {
    const server = new FakeServer();
    const none = await rejected(FormatError, server.open({ shards, create: false }));
    expect(none).toMatchObject({
      code: 'not-a-filter',
      message:
        'seen on the server does not exist, or is still being made. To make it, leave out create: false; otherwise check the name',
    });
    expect((await server.open({ shards, create: true })).created).toBe(true);
    expect((await server.open({ shards, create: false })).created).toBe(false);
    expect((await rejected(RangeError, server.open({ shards, create: true }))).message).toBe(
      'seen is on the server already. Leave out create to use it, or choose another name',
    );
  });

  test('does not find a filter that is still being made', async () => {
    const server = await half();
    expect((await rejected(FormatError, server.open({ shards: 3, create: false }))).message).toMatch(
      /^seen on the server does not exist, or is still being made/,
    );
    expect((await server.open({ shards: 3 })).created).toBe(true);
    expect((await server.open({ shards: 3, create: false })).created).toBe(false);
  });

  test('completes a filter that is still being made, and says who did', async () => {
    const server = await half();
    expect((await server.open({ shards: 3, create: true })).created).toBe(true);
    await rejected(RangeError, server.open({ shards: 3, create: true }));
  });
});

test.each([1, 3])('a filter of %i shards that is gone is not made for an identity', async (shards) => {
  const server = new FakeServer();
  const { identity } = await server.open({ shards });
  expect((await server.open({ shards, identity })).created).toBe(false);
  server.strings.clear();
  const error = await rejected(FormatError, server.open({ shards, identity }));
  expect(error).toMatchObject({
    code: 'not-a-filter',
    message: lost('seen', shards),
  });
  const other = await server.open({ shards });
  expect(other.identity).not.toBe(identity);
  expect(await rejected(FormatError, server.open({ shards, identity }))).toMatchObject({
    code: 'inconsistent',
    message: foreign('seen', shards),
  });
});

test('calls of a filter that is gone say so', async () => {
  const server = new FakeServer();
  const filter = await server.open();
  server.strings.clear();
  for (const call of [() => filter.add('a'), () => filter.contains('a'), () => filter.info()])
    expect(await rejected(FormatError, call())).toMatchObject({
      code: 'not-a-filter',
      message: lost('seen'),
    });
});

/** A server on which a process has died that was making three shards: only the first is there. */
async function half(): Promise<FakeServer> {
  const server = new FakeServer();
  server.answer = ({ action, keys }) => {
    if (action === 'make' && keys[0] !== 'seen') throw new Error('died');
  };
  await expect(server.open({ shards: 3 })).rejects.toThrow('died');
  server.answer = () => undefined;
  return server;
}

test('a server that hangs while a filter of many shards is made ends open after callMs, and the next one makes the rest', async () => {
  const server = new FakeServer();
  server.answer = ({ action, keys }) =>
    action === 'make' && keys[0] !== 'seen' ? new Promise(() => undefined) : undefined;
  await rejected(RedisTimeoutError, server.open({ shards: 100, callMs: 200 }));
  server.answer = () => undefined;
  expect((await server.open({ shards: 100 })).created).toBe(true);
  expect(server.strings.size).toBe(100);
});

describe('while a filter is made', () => {
  /** Calls `act` once, before the command that does this with the shard `key`. */
  function before(server: FakeServer, wanted: string, key: string, act: () => unknown): void {
    let times = 0;
    server.answer = async ({ action, keys }) => {
      if (action === wanted && keys[0] === key && ++times === 1) await act();
    };
  }

  test('a shard of another filter is not taken over', async () => {
    const server = await half();
    const other = new FakeServer();
    await other.open({ shards: 3 });
    server.strings.set('seen:1', other.strings.get('seen:1') as Buffer);
    expect(await rejected(FormatError, server.open({ shards: 3 }))).toMatchObject({
      code: 'inconsistent',
      message: foreign('seen:1', 3),
    });
  });

  test('a shard that goes is an error', async () => {
    for (const key of ['seen:1', 'seen:2']) {
      const server = new FakeServer();
      before(server, 'made', key, () => server.strings.delete(key));
      expect((await rejected(FormatError, server.open({ shards: 3 }))).message).toBe(lost(key, 3));
    }
    const server = new FakeServer();
    before(server, 'hold', 'seen', () => server.strings.delete('seen'));
    expect((await rejected(FormatError, server.open({ shards: 3 }))).message).toBe(lost('seen', 3));
  });

  test('another one that takes its place is an error', async () => {
    const server = new FakeServer();
    before(server, 'hold', 'seen', async () => {
      server.strings.clear();
      await server.open({ shards: 3 });
    });
    expect(await rejected(FormatError, server.open({ shards: 3 }))).toMatchObject({
      code: 'inconsistent',
      message: foreign('seen', 3),
    });
  });

  test('a first one that was lost is not made for others that have an identity', async () => {
    const server = new FakeServer();
    before(server, 'make', 'seen', async () => {
      await server.open({ shards: 3 });
      server.strings.delete('seen');
      server.sent.splice(0);
    });
    expect((await rejected(FormatError, server.open({ shards: 3 }))).message).toBe(foreign('seen:1', 3));
    expect(server.takeActions()).not.toContain('hold seen');
  });

  test('the same one, made by another process, is found', async () => {
    const server = new FakeServer();
    let isFirst = true;
    server.answer = async ({ action, keys }) => {
      if (action !== 'look' || keys[0] !== 'seen' || !isFirst) return;
      isFirst = false;
      await server.open({ shards: 3 });
      return Buffer.concat([Buffer.alloc(6), Buffer.from('seen')]); // as it was before
    };
    expect((await server.open({ shards: 3 })).created).toBe(false);
  });
});

test('a first string that vanishes whenever it is made is an error in the end', async () => {
  const server = new FakeServer();
  server.answer = ({ action }) => (action === 'make' ? 'created' : undefined);
  await expect(server.open()).rejects.toMatchObject({ code: 'not-a-filter' });
});

describe('a call that fails while the server has not answered all of its commands', () => {
  test('withdraws them: by open', async () => {
    const server = new FakeServer();
    const signals: AbortSignal[] = [];
    const opening = server.open({
      shards: 3,
      send: async (words, options) => {
        if (words.includes('make') && words.includes('seen:1')) throw new Error('NOPERM no');
        if (!words.includes('make') || !words.includes('seen:2')) return server.send(words, options);
        signals.push((options as SendOptions).signal);
        return new Promise(() => undefined);
      },
    });
    await expect(opening).rejects.toThrow('NOPERM no');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test.each<[string, (filter: RedisCuckooFilter) => Promise<unknown>]>([
    ['reset', (filter) => filter.reset()],
    ['expire', (filter) => filter.expire(60_000)],
    ['drop', (filter) => filter.drop()],
  ])('waits for them, because they may be carried out: %s', async (action, call) => {
    const server = new FakeServer();
    const filter = await server.open({ shards: 3 });
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    server.answer = async (command) => {
      if (command.action !== action) return;
      if (command.keys[0] === 'seen:1') throw new Error('NOPERM no');
      if (command.keys[0] === 'seen:2') await answered;
    };
    let hasEnded = false;
    const ended = expect(call(filter).finally(() => (hasEnded = true))).rejects.toThrow('NOPERM no');
    await turns();
    expect(hasEnded).toBe(false);
    answer();
    await ended;
  });
});
