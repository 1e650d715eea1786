// Which commands RedisCuckooFilter sends, with which keys and when; and what it makes of their answers.
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { RedisBatchError, RedisGrowthError, type KeyOutcome } from 'cuckoofilter-wasm/redis';
import { turns } from '../../support/patience';
import { rejected } from '../../support/random';
import { keysTo } from '../keys';
import { FakeServer, type Command } from './fake-server';

const GROWING = { capacity: 1000, maxCapacity: 4000 };
const OOM = "OOM command not allowed when used memory > 'maxmemory'.";

/** Answers changes with these texts, one after the other; an Error is thrown. The last is for all that follow. */
function answering(server: FakeServer, action: string, ...answers: readonly (string | Error)[]): void {
  const left = [...answers];
  const before = server.answer;
  server.answer = (command) => {
    if (command.action !== action) return before(command);
    const answer = left.length > 1 ? left.shift() : left[0];
    if (answer instanceof Error) throw answer;
    return answer;
  };
}

describe('the second string is named only where it is needed, as a server that moves a slot refuses keys that are not there', () => {
  test.each([
    [{}, []],
    [GROWING, ['seen:next:{seen}']],
  ])('in a filter with %j', async (options, second) => {
    const server = new FakeServer();
    const filter = await server.open(options);
    server.takeActions();
    await filter.add('a');
    await filter.reset();
    using local = new CuckooFilter((await filter.info()).options);
    await filter.publish(local);
    await filter.drop();
    expect(server.takeActions()).toEqual([
      ...['change seen', 'reset seen', 'look seen', 'replace seen', 'look seen'],
      ['drop seen', ...second].join(' '),
    ]);
  });

  test('for changes once the program has said that the table is doubling', async () => {
    const server = new FakeServer();
    const filter = await server.open(GROWING);
    server.takeActions();
    answering(server, 'change', new Error('CUCKOO moving'), '0.');
    const next = 'change seen seen:next:{seen}';
    await filter.add('a');
    await filter.add('b');
    expect(server.takeActions()).toEqual(['change seen', next, next]);
  });
});

test('a change for which there was no memory does not stand in the way of those after it', async () => {
  const server = new FakeServer();
  const filter = await server.open();
  const refusal = new RangeError('Array buffer allocation failed');
  jest.spyOn(Uint32Array, 'from').mockImplementationOnce(() => {
    throw refusal;
  });
  await expect(filter.add('a')).rejects.toBe(refusal);
  await expect(filter.add('b')).resolves.toBeUndefined();
});

describe('calls of one moment', () => {
  test('are sent in as many commands as a batch of them, each of a time that callMicros allows', async () => {
    const server = new FakeServer();
    const filter = await server.open({ capacity: 1e6, callMicros: 1200 });
    const keys = keysTo(700);
    for (const [together, alone, commands] of [
      [() => filter.addMany(keys), () => Promise.all(keys.map((key) => filter.add(key))), 7],
      [() => filter.containsMany(keys), () => Promise.all(keys.map((key) => filter.contains(key))), 3],
    ] as const) {
      server.takeActions();
      await together();
      expect(server.takeActions()).toHaveLength(commands);
      await alone();
      expect(server.takeActions()).toHaveLength(commands);
    }
  });

  test('have several lookups under way, but few, and one change', async () => {
    const server = new FakeServer();
    const filter = await server.open({ capacity: 1e6, callMicros: 100 });
    const keys = keysTo(300);
    let [underWay, most] = [0, 0];
    server.answer = async () => {
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setTimeout(resolve));
      --underWay;
      return undefined;
    };
    expect(await Promise.all(keys.map((key) => filter.contains(key)))).toEqual(keys.map(() => false));
    expect(most).toBe(4);
    most = 0;
    await Promise.all(keys.map((key) => filter.add(key)));
    expect(most).toBe(1);
  });

  test('end together if the server does not answer the first of them', async () => {
    const server = new FakeServer();
    const filter = await server.open({ capacity: 1e6, callMs: 300 });
    server.answer = () => new Promise(() => undefined);
    const keys = keysTo(10_000);
    const asking: [call: (key: string) => Promise<unknown>, sent: number][] = [
      [(key) => filter.add(key), 1],
      [(key) => filter.contains(key), 4],
    ];
    for (const [call, sent] of asking) {
      server.takeActions();
      const settled = await Promise.allSettled(keys.map(call));
      expect(server.takeActions()).toHaveLength(sent);
      const errors = settled.map((each) => (each as PromiseRejectedResult).reason as { code: string });
      expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['timeout']));
      if (sent > 1) continue;
      const outcomes = errors.flatMap((error) => (error as unknown as { outcomes: string[] }).outcomes);
      const count = (outcome: string): number => outcomes.filter((each) => each === outcome).length;
      expect([count('unknown'), count('refused')]).toEqual([167, 9833]);
    }
  });

  test('fail by themselves: only those whose keys the command had', async () => {
    const server = new FakeServer();
    const filter = await server.open({ capacity: 1e6, callMicros: 1200 });
    answering(server, 'change', new Error(OOM), `${'0'.repeat(100)}.`);
    const settled = await Promise.allSettled(keysTo(400).map((key) => filter.add(key)));
    const failed = settled.map(({ status }) => status === 'rejected');
    expect(failed).toEqual(failed.map((_, i) => i < 100));
  });

  test('fail by themselves: not those that were answered before a command failed', async () => {
    const server = new FakeServer();
    const filter = await server.open();
    answering(server, 'change', '04.', new Error(OOM));
    const [one, two] = await Promise.allSettled([filter.add('a'), filter.add('b')]);
    expect([one.status, (two as PromiseRejectedResult).reason]).toEqual(['fulfilled', new Error(OOM)]);
  });
});

describe('calls of several moments', () => {
  test('have four commands under way, and those that wait for one of them go together', async () => {
    const server = new FakeServer();
    const filter = await server.open({ capacity: 1e6 });
    const keys = keysTo(30);
    for (const call of ['add', 'contains'] as const) {
      server.takeActions();
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      server.answer = () => released;
      const calls: Promise<unknown>[] = [];
      for (const key of keys) {
        calls.push(filter[call](key));
        await new Promise((resolve) => setTimeout(resolve));
      }
      expect(server.sent).toHaveLength(4);
      release();
      await Promise.all(calls);
      expect(server.sent).toHaveLength(5);
    }
  });

  test('end callMs after they were made, also where they have waited for others', async () => {
    jest.useFakeTimers();
    const server = new FakeServer();
    const filter = await server.open({ callMs: 1000 });
    server.takeActions();
    server.answer = () => new Promise(() => undefined);
    const ends: number[] = [];
    const begun = performance.now();
    for (let i = 0; i < 6; ++i) {
      void filter.add('a').catch(() => ends.push(Math.round((performance.now() - begun) / 100)));
      await jest.advanceTimersByTimeAsync(100);
    }
    expect(server.sent).toHaveLength(4);
    await jest.advanceTimersByTimeAsync(1000);
    expect(ends).toEqual([10, 11, 12, 13, 14, 15]);
    expect(server.sent).toHaveLength(5);
    jest.useRealTimers();
  });
});

describe('a batch', () => {
  test.each([
    [['0.'], 'the server answered for 1 of 3 keys', ['unknown', 'unknown', 'unknown']],
    [['0444.'], 'the server answered for 4 of 3 keys', ['unknown', 'unknown', 'unknown']],
    [['044.', '000.'], 'the server answered for 3 of 2 keys', ['done', 'unknown', 'unknown']],
    [['034.', new Error(OOM)], OOM, ['done', 'nothing', 'refused']],
    [
      ['024!', new Error('no table')],
      'seen must double, but that failed. Keys are still added while they fit. ' +
        `Mend the cause; the next add that finds no room tries again. The cause: ${OOM}`,
      ['done', 'too-many-copies', 'refused'],
    ],
  ])('that is answered with %j says so, and what became of each key', async (answers, message, outcomes) => {
    const server = new FakeServer();
    const filter = await server.open(GROWING);
    answering(server, 'change', ...answers);
    answering(server, 'move', new Error(OOM));
    const error = await rejected(RedisBatchError, filter.addMany(['a', 'b', 'c']));
    expect([(error.cause as Error).message, error.outcomes]).toEqual([message, outcomes]);
  });
});

function bucketsOf(server: FakeServer): number {
  return (server.strings.get('seen') as Buffer).readUInt32LE(24);
}

/** The number of entries that fill so much of its slots. */
function sizeAt(server: FakeServer, share: number): number {
  const bucketSize = (server.strings.get('seen') as Buffer)[13] as number;
  return Math.floor(share * bucketsOf(server) * bucketSize);
}

describe('a table doubles', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  test('where the next key needs it, and before that only if the server says that it is due', async () => {
    const server = new FakeServer();
    const filter = await server.open(GROWING);
    const next = 'seen:next:{seen}';
    answering(server, 'change', '0.', '04!', '0.');
    server.takeActions();
    await filter.add('a');
    expect(server.takeActions()).toEqual(['change seen']);
    await filter.addMany(['b', 'c']);
    expect(server.takeActions()).toEqual(['change seen', `move seen ${next}`, 'look seen', 'change seen']);
    expect((await filter.info()).byteLength).toBe(server.strings.get('seen')?.length);
  });

  test('but a call that waits for it ends after callMs, and its key is refused', async () => {
    const server = new FakeServer();
    const filter = await server.open({ ...GROWING, callMs: 100 });
    let piece = 0;
    server.answer = ({ action, count }) => {
      if (action === 'change') return `${'4'.repeat(count)}!`;
      if (action !== 'move') return undefined;
      ++piece;
      return `moving ${8 * piece} ${8 * piece + 8}`;
    };
    const message = 'the shard did not double within 100 ms: try again, or raise callMs';
    const [one, many] = await Promise.allSettled([filter.add('a'), filter.addMany(['b', 'c'])]);
    expect((one as PromiseRejectedResult).reason).toMatchObject({
      code: 'timeout',
      message,
      outcomes: ['refused'],
    });
    const error = (many as PromiseRejectedResult).reason as RedisBatchError;
    expect([(error.cause as Error).message, error.outcomes]).toEqual([message, ['refused', 'refused']]);
    expect(await filter.contains('a')).toBe(false);
    server.answer = () => undefined;
    await filter.add('a');
  });

  test('in pieces, and leaves half of the time to others, or more where other processes move pieces too', async () => {
    jest.useFakeTimers();
    const server = new FakeServer();
    const filter = await server.open({ ...GROWING, callMs: 10_000 });
    const times: number[] = [];
    // After the first piece, another process moves two; and thousands, after the third.
    const pieces = ['moving 0 8', 'moving 24 32', 'moving 32 40', 'moving 80000 80008', undefined];
    answering(server, 'change', '0+');
    server.answer = ((before) => async (command: Command) => {
      if (command.action !== 'move') return before(command);
      times.push(performance.now());
      await new Promise((resolve) => setTimeout(resolve, 10));
      return pieces[times.length - 1];
    })(server.answer);
    server.takeActions();
    await filter.add('a');
    await filter.add('b');
    await jest.advanceTimersByTimeAsync(2000);
    const begun = times[0] as number;
    expect(times.map((time) => time - begun)).toEqual([0, 20, 80, 100, 1110]);
    const actions = server.sent.map(({ action }) => action).filter((action) => action !== 'change');
    expect(actions).toEqual(['move', 'move', 'move', 'move', 'move', 'look']);
  });

  test('as fast as it fills: of changes that are ahead of its pieces, four are sent', async () => {
    const server = new FakeServer();
    const filter = await server.open(GROWING);
    const buckets = bucketsOf(server);
    let [sent, moved] = [0, 0];
    let release = (): void => undefined;
    server.answer = async ({ action }) => {
      // Half of the way from 85 % of the slots, where it is due, to 88 %, where it is to have doubled.
      if (action === 'change') return `0+${1 + sent++} ${sizeAt(server, 0.865)}`;
      if (action !== 'move' || moved > buckets / 2) return undefined;
      await new Promise<void>((resolve) => (release = resolve));
      return `moving ${moved} ${(moved += Math.ceil(buckets / 3))}`;
    };
    const sentAfter = async (act: () => void): Promise<number> => {
      act();
      await turns();
      return sent;
    };
    for (const [i, key] of keysTo(4).entries()) {
      expect(await sentAfter(() => void filter.add(key))).toBe(i + 1);
    }
    const last = filter.addMany(['five']);
    expect(await sentAfter(() => undefined)).toBe(4);
    expect(await sentAfter(() => release())).toBe(4);
    expect(await sentAfter(() => release())).toBe(5);
    expect(await last).toBe(1);
  });

  test('and of one tick, four commands are sent ahead of its pieces, too', async () => {
    const server = new FakeServer();
    const filter = await server.open({ ...GROWING, callMicros: 1200 });
    const size = sizeAt(server, 0.87);
    let sent = 0;
    server.answer = ({ action, count }) => {
      if (action === 'change') return `${'0'.repeat(count)}+${++sent} ${size}`;
      return action === 'move' ? new Promise((_, reject) => (end = reject)) : undefined;
    };
    let end: (why: Error) => void = () => undefined;
    const adding = Promise.all(keysTo(400).map((key) => filter.add(key)));
    await turns();
    expect(sent).toBe(4);
    await adding;
    end(new Error(OOM));
  });

  test('or cannot, and keys that fit are added all the same', async () => {
    const server = new FakeServer();
    const filter = await server.open(GROWING);
    const size = sizeAt(server, 0.87);
    answering(server, 'change', `044+1 ${size}`, `00+2 ${size}`);
    answering(server, 'move', new Error(OOM));
    expect(await filter.addMany(keysTo(3))).toBe(3);
    expect(server.takeActions().slice(-3)).toEqual([
      'change seen',
      'move seen seen:next:{seen}',
      'change seen',
    ]);
  });

  test('or begins again and again, as something takes its string away, and this is told', async () => {
    const server = new FakeServer();
    const told: unknown[] = [];
    const filter = await server.open({ ...GROWING, onProblem: (problem: unknown) => told.push(problem) });
    answering(server, 'change', `4!1 ${sizeAt(server, 0.9)}`);
    answering(server, 'move', 'moving 0 8');
    const { message, cause } = await rejected(RedisGrowthError, filter.add('a'));
    expect(String(cause)).toMatch(
      /seen:next:\{seen\} had to be begun again and again: it is deleted, evicted or reset$/,
    );
    expect(told).toMatchObject([{ message }]);
  });

  test.each([1, 10_000])(
    'or does not in time, and changes do not wait for long: %i at once',
    async (count) => {
      const server = new FakeServer();
      const filter = await server.open({ ...GROWING, callMs: 400 });
      const size = sizeAt(server, 0.87);
      let [sent, moved] = [0, 0];
      server.answer = ({ action, count: keys }) => {
        if (action === 'change') return `${'0'.repeat(keys)}+${++sent} ${size}`;
        if (action !== 'move') return undefined;
        return new Promise((resolve) => setTimeout(resolve, 10, isOver ? OOM : `moving ${moved} ${++moved}`));
      };
      let isOver = false;
      for (const key of keysTo(5)) await filter.add(key);
      const settled = await Promise.allSettled(keysTo(count).map((key) => filter.add(key)));
      isOver = true;
      if (count === 1) expect(settled).toEqual([{ status: 'fulfilled', value: undefined }]);
      else
        expect((settled.at(-1) as PromiseRejectedResult).reason).toMatchObject({
          message: 'the shard did not double within 400 ms: try again, or raise callMs',
          outcomes: ['refused'],
        });
    },
  );

  test('a call that is given up as the answer comes does not wait for a doubling, nor for its failure', async () => {
    const server = new FakeServer();
    const filter = await server.open(GROWING);
    const stop = new AbortController();
    server.answer = async ({ action }) => {
      if (action === 'move') throw new Error(OOM);
      if (action !== 'change') return undefined;
      stop.abort(new Error('enough'));
      return '4!';
    };
    const outcomes: KeyOutcome[] = [];
    const { signal } = stop;
    await expect(filter.add('a', { signal, outcomes })).rejects.toThrow('enough');
    expect(outcomes).toEqual(['refused']);
    // A rejection that nobody handles fails the test.
    await new Promise((resolve) => setTimeout(resolve));
  });

  test('without pauses, and not after other shards, where keys wait for it', async () => {
    jest.useFakeTimers();
    const server = new FakeServer();
    const filter = await server.open({ ...GROWING, shards: 2, callMs: 10_000 });
    const begun = performance.now();
    const times: number[] = [];
    let state = '+';
    server.answer = async ({ action, count, keys: [key] }) => {
      const isFull = state === '!' && key === 'seen:1';
      if (action === 'change')
        return isFull ? '4'.repeat(count) + state : '0'.repeat(count) + (state === '!' ? '.' : state);
      if (action !== 'move') return undefined;
      if (key === 'seen:1') times.push(performance.now() - begun);
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (times.length < 3) return 'moving 0 1';
      state = '.';
      return undefined;
    };
    // Both shards are due, and one of them is full 15 ms later.
    await filter.addMany(keysTo(100));
    await jest.advanceTimersByTimeAsync(15);
    expect(times).toEqual([]);
    state = '!';
    const waiting = filter.addMany(keysTo(100));
    await jest.advanceTimersByTimeAsync(100);
    expect(times).toEqual([15, 26, 37]);
    await waiting;
  });
});

describe('lookups', () => {
  test('count a key once whose two buckets are one', async () => {
    const server = new FakeServer();
    const filter = await server.open({ capacity: 1 });
    using local = new CuckooFilter((await filter.info()).options);
    for (const key of keysTo(20)) {
      local.clear();
      local.add(key);
      await filter.publish(local);
      expect(await filter.count(key)).toBe(1);
    }
  });
});

test('calls of one signal, however many, leave one listener on it, and none once they have ended', async () => {
  const server = new FakeServer();
  const filter = await server.open({ shards: 40 });
  const { signal } = new AbortController();
  let [listeners, most] = [0, 0];
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = ((...given: Parameters<typeof add>) => {
    most = Math.max(most, ++listeners);
    add(...given);
  }) as typeof add;
  signal.removeEventListener = ((...given: Parameters<typeof remove>) => {
    --listeners;
    remove(...given);
  }) as typeof remove;
  const keys = keysTo(100);
  await Promise.all([
    ...keys.map((key) => filter.add(key, { signal })),
    filter.containsMany(keys, { signal }),
    filter.info({ signal }),
    filter.stats({ signal }),
  ]);
  expect([listeners, most]).toEqual([0, 1]);
});

test('a send that returns text is named when the filter is made, not when it first doubles', async () => {
  const server = new FakeServer();
  const send: typeof server.send = async (command) => {
    const answer = await server.send(command);
    return Buffer.isBuffer(answer) ? answer.toString() : answer;
  };
  await expect(server.open({ ...GROWING, send })).rejects.toThrow(
    new TypeError(
      'send returned text, which damages bytes. It must return Buffers, as fromNodeRedis and fromIoRedis do',
    ),
  );
});

test.each([
  "ERR Can't execute 'evalsha': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context",
  'Connection in subscriber mode, only subscriber commands may be used',
])('a connection that is subscribed does nothing: %s', async (message) => {
  const server = new FakeServer();
  const filter = await server.open();
  server.answer = () => Promise.reject(new Error(message));
  const told = 'the command was not sent: the connection is subscribed to channels. Use one of its own';
  await expect(filter.delete('a')).rejects.toMatchObject({
    code: 'not-sent',
    message: told,
    outcomes: ['refused'],
  });
  await expect(filter.contains('a')).rejects.toMatchObject({ code: 'not-sent' });
});

test('onProblem is told of a doubling that fails, and of lost changes, once each', async () => {
  const server = new FakeServer();
  const told: string[] = [];
  const filter = await server.open({ ...GROWING, onProblem: ({ code }) => told.push(code) });
  answering(server, 'change', '0+', '0.');
  answering(server, 'move', new Error(OOM));
  await filter.add('a'); // No call throws it.
  await new Promise((resolve) => setTimeout(resolve));
  expect(told.splice(0)).toEqual(['growth-failed']);
  const before = Buffer.from(server.strings.get('seen') as Buffer);
  server.answer = () => undefined;
  await filter.add('b');
  server.strings.set('seen', before);
  for (let i = 0; i < 3; ++i) await filter.verify();
  await expect(filter.contains('a')).rejects.toMatchObject({ code: 'rollback' });
  expect(told).toEqual(['rollback']);
});

test('where there is no Buffer, words are bytes all the same', async () => {
  const server = new FakeServer();
  const given = globalThis.Buffer;
  try {
    globalThis.Buffer = undefined as never;
    await (await server.open()).add('a');
  } finally {
    globalThis.Buffer = given;
  }
  expect(server.sent.at(-1)?.words[6]).toBeInstanceOf(Uint8Array);
});
