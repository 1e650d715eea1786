// Every call ends: at its deadline, at its signal, and when the client drops a command. What was not handed to the client by then is
// never sent, and what may have been done is `unknown`.
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import {
  fromIoRedis,
  fromNodeRedis,
  RedisBatchError,
  RedisTimeoutError,
  type KeyOutcome,
  type RedisCuckooFilter,
  type Send,
} from 'cuckoofilter-wasm/redis';
import { turns, until } from '../../support/patience';
import { rejected } from '../../support/random';
import { keysTo, newName, node, open, ports } from '../clients';
import { atEnd, disconnect } from '../server';

const socket = (): { host: string; port: number } => ({ host: '127.0.0.1', port: ports[0] as number });
afterEach(() => {
  jest.restoreAllMocks();
});

/** A `callMs` that ends at once, but not before `hurry`. */
const CALL_MS = 2 ** 30;
function hurry(): void {
  const { setTimeout } = globalThis;
  jest
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((run: () => void, ms?: number) =>
      setTimeout(run, ms === CALL_MS ? 1 : ms)) as never);
}

/** A filter whose commands are not answered while it is held, and what was handed to the client meanwhile. */
async function held(options: object = {}) {
  const given = fromNodeRedis(node);
  const name = newName();
  let isHeld = false;
  const handed: string[] = [];
  const send: Send = async (command, { signal }) => {
    if (!isHeld) return given(command);
    handed.push(String(command[3 + Number(command[2])] ?? command[0]));
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  };
  const filter = await open({ name, send, capacity: 50_000, ...options });
  await filter.addMany(keysTo(100));
  isHeld = true;
  return { filter, name, handed, release: () => (isHeld = false) };
}

type Call = (filter: RedisCuckooFilter, options?: { signal: AbortSignal }) => Promise<unknown>;
const CALLS: Readonly<Record<string, Call>> = {
  add: (filter, options) => filter.add('x', options),
  addIfAbsent: (filter, options) => filter.addIfAbsent('x', options),
  delete: (filter, options) => filter.delete('key 1', options),
  contains: (filter, options) => filter.contains('x', options),
  count: (filter, options) => filter.count('x', options),
  addMany: (filter, options) => filter.addMany(keysTo(3000, 'x'), options),
  addManyIfAbsent: (filter, options) => filter.addManyIfAbsent(keysTo(3000, 'x'), options),
  deleteMany: (filter, options) => filter.deleteMany(keysTo(100), options),
  containsMany: (filter, options) => filter.containsMany(keysTo(3000, 'x'), options),
  info: (filter, options) => filter.info(options),
  stats: (filter, options) => filter.stats(options),
  verify: (filter, options) => filter.verify(options),
  expire: (filter, options) => filter.expire(1000, options),
  reset: (filter, options) => filter.reset(options),
  drop: (filter, options) => filter.drop(options),
  replica: (filter, options) => filter.replica({ refreshMs: 0, ...options }),
};

describe.each(Object.entries(CALLS))('%s, while the server does not answer,', (name, call) => {
  test('ends with its signal', async () => {
    const { filter, handed } = await held();
    const own = new Error('enough');
    const stop = new AbortController();
    const outcomes: KeyOutcome[] = [];
    const isChange = /^(add|delete)/.test(name);
    const calling = rejected(Error, call(filter, { signal: stop.signal, ...(isChange ? { outcomes } : {}) }));
    await until(() => handed.length > 0);
    const before = handed.length;
    stop.abort(own);
    expect(await calling).toBe(own);
    await turns();
    expect(handed).toHaveLength(before);
    expect(Object.getOwnPropertyNames(own)).toEqual(['stack', 'message']);
    if (isChange) expect(outcomes).toContain('unknown');
  });

  test('is not sent at all if its signal aborts in the same moment', async () => {
    const { filter, handed } = await held();
    const stop = new AbortController();
    const outcomes: KeyOutcome[] = [];
    const isChange = /^(add|delete)/.test(name);
    const calling = rejected(Error, call(filter, { signal: stop.signal, ...(isChange ? { outcomes } : {}) }));
    stop.abort(new Error('never mind'));
    await calling;
    await turns();
    // Calls of whole shards are handed over at once.
    if (/^(info|stats|verify|expire|reset|drop|replica)$/.test(name)) return;
    expect(handed).toEqual([]);
    expect(new Set(outcomes)).toEqual(new Set(isChange ? ['refused'] : []));
  });
});

test('every call ends after callMs while the server does not answer', async () => {
  const filters = await Promise.all(Object.keys(CALLS).map(() => held({ callMs: CALL_MS })));
  hurry();
  const ending = Object.entries(CALLS).map(async ([name, call], i) => {
    const { filter } = filters[i] as (typeof filters)[number];
    const error = await rejected(Error, call(filter));
    const cause = error instanceof RedisBatchError ? error.cause : error;
    expect([name, cause]).toEqual([name, expect.any(RedisTimeoutError)]);
    expect((cause as Error).message).toBe(
      `the server did not answer within ${CALL_MS} ms: check the server, or raise callMs`,
    );
    if (/^(add|delete)/.test(name))
      expect((error as unknown as { outcomes: unknown }).outcomes).toContain('unknown');
  });
  await Promise.all(ending);
});

test('a lost answer does not stand in the way of later calls', async () => {
  const { filter, handed, release } = await held();
  const stop = new AbortController();
  const lost = filter.add('lost', { signal: stop.signal }).catch(() => 'ended');
  await until(() => handed.length > 0);
  release();
  const later = filter.add('later');
  stop.abort();
  await later;
  expect(await filter.addMany(['a', 'b'])).toBe(2);
  expect(await filter.delete('later')).toBe(true);
  expect(await lost).toBe('ended');
});

test('a call that gives up leaves the others of its command alone', async () => {
  const given = fromNodeRedis(node);
  let [isSent, release] = [false, (): void => undefined];
  let released = Promise.resolve();
  const filter = await open({
    send: async (command) => {
      isSent = true;
      await released;
      return given(command);
    },
  });
  isSent = false;
  released = new Promise((resolve) => (release = resolve));
  const stop = new AbortController();
  const own = new Error('enough');
  const outcomes: KeyOutcome[] = [];
  const calls = [filter.add('a'), filter.add('b', { signal: stop.signal, outcomes }), filter.add('c')];
  await until(() => isSent);
  stop.abort(own);
  release();
  const [a, b, c] = await Promise.allSettled(calls);
  expect([a?.status, b?.status, c?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect([(b as PromiseRejectedResult).reason, outcomes]).toEqual([own, ['unknown']]);
  expect(await filter.containsMany(['a', 'c'])).toEqual(Uint8Array.of(1, 1));
});

test('what `send` says it has not sent is refused, by whatever client', async () => {
  const given = fromNodeRedis(node);
  let isLost = false;
  const filter = await open({
    send: (command) =>
      isLost ? Promise.reject(Object.assign(new Error('no'), { code: 'not-sent' })) : given(command),
  });
  isLost = true;
  await expect(filter.add('a')).rejects.toMatchObject({ outcomes: ['refused'] });
});

describe('while a client cannot connect', () => {
  /** What stands between a client and the server, and can be taken away, or keep what the client sends. */
  async function between() {
    const sockets = new Set<Socket>();
    let keep: (() => void) | undefined;
    const proxy = createServer((client) => {
      const server = connect(socket());
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const) {
        sockets.add(one);
        one.on('error', () => undefined).on('close', () => other.destroy());
        one.on('data', (bytes) => (keep !== undefined && one === client ? keep() : other.write(bytes)));
      }
    });
    const listen = (port: number): Promise<unknown> =>
      new Promise((resolve) => proxy.listen(port, '127.0.0.1', () => resolve(undefined)));
    await listen(0);
    const { port } = proxy.address() as AddressInfo;
    atEnd(() => proxy.close());
    const cut = (): void => {
      proxy.close();
      for (const each of sockets) each.destroy();
    };
    const kept = (): Promise<void> => new Promise((resolve) => (keep = resolve));
    const restore = (): Promise<unknown> => {
      keep = undefined;
      return listen(port);
    };
    return { port, cut, kept, restore };
  }

  test.each(['redis', 'ioredis', 'ioredis with enableAutoPipelining'] as const)(
    'an aborted delete is never done (%s)',
    async (kind) => {
      const { port, cut, kept, restore } = await between();
      const name = newName();
      const other = await open({ name });
      let send: Send;
      if (kind === 'redis') {
        const client = createClient({ socket: { host: '127.0.0.1', port, reconnectStrategy: 100 } });
        client.on('error', () => undefined);
        atEnd(() => client.destroy());
        await client.connect();
        send = fromNodeRedis(client);
      } else {
        const client = new Redis({
          ...{ host: '127.0.0.1', port, autoResendUnfulfilledCommands: false },
          ...{ retryStrategy: () => 100, maxRetriesPerRequest: null },
          enableAutoPipelining: kind !== 'ioredis',
        });
        client.on('error', () => undefined);
        atEnd(() => disconnect(client));
        send = fromIoRedis(client);
      }
      const filter = await open({ name, send });
      const impatient = await open({ name, send, callMs: CALL_MS });
      await filter.addMany(['alice', 'bob']);
      // One command is lost on its way.
      const arrived = kept();
      const lost = filter.contains('alice').catch((error: Error) => error);
      await arrived;
      cut();
      expect(await lost).toBeInstanceOf(Error);
      const unsent = {
        message: `the client could not send the command within ${CALL_MS} ms: check its connection and the server, or raise callMs`,
        code: 'timeout',
      };
      hurry();
      await expect(impatient.delete('bob')).rejects.toMatchObject({ ...unsent, outcomes: ['refused'] });
      const [own, late] = [new Error('enough'), new AbortController()];
      const { signal } = late;
      const [ofOne, ofMany]: [KeyOutcome[], KeyOutcome[]] = [[], []];
      const deleting = rejected(Error, filter.delete('alice', { signal, outcomes: ofOne }));
      const many = rejected(Error, filter.deleteMany(['bob'], { signal, outcomes: ofMany }));
      await turns();
      late.abort(own);
      expect([await deleting, await many, ofOne, ofMany]).toEqual([own, own, ['refused'], ['refused']]);
      await restore();
      await filter.add('works again');
      expect(await other.containsMany(['alice', 'bob', 'works again'])).toEqual(Uint8Array.of(1, 1, 1));
    },
  );
});

test('what a client of redis has written while it connects again is not refused, whatever its error says', async () => {
  const keys = keysTo(5);
  const client = createClient({ socket: { ...socket(), reconnectStrategy: 50 }, commandsQueueMaxLength: 5 });
  client.on('error', () => undefined);
  atEnd(() => client.destroy());
  await client.connect();
  const [name, send] = [newName(), fromNodeRedis(client)];
  const filters = await Promise.all(keys.map((_, i) => open({ name: `${name} ${i}` })));
  await Promise.all(filters.map((filter, i) => filter.add(keys[i] as string)));
  const deleting = await Promise.all(filters.map((_, i) => open({ name: `${name} ${i}`, send })));
  const lost = new Promise((resolve) => client.once('reconnecting', resolve));
  await node.sendCommand(['CLIENT', 'KILL', 'ID', String(await client.sendCommand(['CLIENT', 'ID']))]);
  await lost;
  // So many that its own first commands find no place.
  const outcomes = await Promise.all(
    deleting.map((filter, i) =>
      filter.delete(keys[i] as string).then(
        () => 'done',
        (error: unknown) => (error as { outcomes: string[] }).outcomes[0],
      ),
    ),
  );
  await client.ping(); // Whatever it has sent before has been done.
  const left = await Promise.all(filters.map((filter, i) => filter.contains(keys[i] as string)));
  outcomes.forEach((outcome, i) => {
    if (outcome === 'refused') expect(left[i]).toBe(true);
    if (outcome === 'done') expect(left[i]).toBe(false);
  });
});

test('500 adds and 500 deletes of one moment go in a few commands, in their order', async () => {
  const given = fromNodeRedis(node);
  let commands = 0;
  const filter = await open({
    capacity: 5000,
    send: (command) => {
      ++commands;
      return given(command);
    },
  });
  const keys = keysTo(500);
  await filter.addMany(keys);
  commands = 0;
  const answers = await Promise.all(
    keys.flatMap((key, i) => [filter.add(`new ${i}`), filter.delete(key), filter.addIfAbsent(`new ${i}`)]),
  );
  expect(commands).toBeLessThan(15);
  expect(answers).toEqual(keys.flatMap(() => [undefined, true, false]));
  expect((await filter.info()).size).toBe(500);
});
