// What fromNodeRedis and fromIoRedis ask of a client, a cluster and a sentinel, for every command that the package sends: which node
// gets it, whether replicas may answer it, and that bytes come back.
import { describe, expect, test } from '@jest/globals';
import { fromIoRedis, fromNodeRedis } from 'cuckoofilter-wasm/redis';
import type { Words } from './fake-server';

/** Every command that the package sends, with its keys. */
const COMMANDS: readonly [words: Words, first: number, keys: number][] = [
  [['BITFIELD', 'seen:1', 'GET', 'u48', '0'], 1, 1],
  [['BITFIELD_RO', 'seen:1', 'GET', 'u48', '0'], 1, 1],
  [['EVALSHA', 'hash', '1', 'seen:1', 'change'], 3, 1],
  [['EVALSHA', 'hash', '2', 'seen:1', 'next', 'move'], 3, 2],
  [['EVAL', 'text', '1', 'seen:1', 'look'], 3, 1],
  [['EVALSHA', 'hash', '2', 'seen:1', 'next', 'drop'], 3, 2],
];

/** A client of `redis` with these properties, and what it was asked. */
function nodeRedis(properties: object = {}) {
  const asked: unknown[][] = [];
  const sendCommand = (...given: unknown[]): Promise<unknown> => {
    asked.push(given);
    return Promise.resolve('answer');
  };
  const client = { ...properties, sendCommand, withTypeMapping: String };
  return { asked, send: fromNodeRedis(client) };
}

/** What each command is given: answers are bytes, and the client's own time for commands that wait is off. */
const OPTIONS = { timeout: 0, typeMapping: { 36: Buffer } };

describe('a client of redis', () => {
  test.each(COMMANDS)('is given %j', async (command, first) => {
    const { signal } = new AbortController();
    const options = { ...OPTIONS, abortSignal: signal };
    const client = nodeRedis();
    const cluster = nodeRedis({ getRandomNode: String });
    for (const { send } of [client, cluster]) expect(await send(command, { signal })).toBe('answer');
    expect(client.asked).toEqual([[command, options]]);
    // A server's replica may lack keys, so it gets only the commands that are meant for replicas.
    expect(cluster.asked).toEqual([[command[first], command[0] === 'BITFIELD_RO', command, options]]);
  });

  test.each([{}, { getRandomNode: String }, { getSentinelNode: String }])(
    'before 6.2, which brought SUNIONCARD, is refused (%j)',
    (kind) => {
      const on = (): undefined => undefined;
      expect(() => nodeRedis({ ...kind, sUnion: on })).toThrow('update redis, or use ioredis');
      expect(() => nodeRedis({ ...kind, sUnion: on, sUnionCard: on })).not.toThrow();
    },
  );

  test.each(COMMANDS)('puts its keyPrefix before the keys of %j', async (command, first, count) => {
    const { asked, send } = nodeRedis({ _keyPrefix: 'app:' });
    await send(command);
    expect(asked).toEqual([
      [command.map((word, i) => (i >= first && i < first + count ? `app:${String(word)}` : word)), OPTIONS],
    ]);
    expect(send.keyPrefix).toBe('app:');
  });

  test('that is a sentinel sends nothing again after a lost connection, but asks the new master after READONLY', async () => {
    for (const [message, times] of [
      ['Socket closed unexpectedly', 1],
      ['READONLY', 3],
    ] as const) {
      let sent = 0;
      const node = {
        sendCommand: () => (++sent < 3 ? Promise.reject(new Error(message)) : Promise.resolve('done')),
      };
      // As node-redis does, for whatever is an Error.
      const execute = async (_: boolean, act: (given: object) => Promise<unknown>): Promise<unknown> => {
        for (;;)
          try {
            return await act(node);
          } catch (error) {
            if (!(error instanceof Error)) throw error;
          }
      };
      const send = fromNodeRedis({
        getSentinelNode: String,
        withTypeMapping: String,
        _execute: execute,
      } as never);
      const answer = await send(['DEL', 'seen']).catch((error: Error) => error.message);
      expect([sent, answer]).toEqual([times, times === 1 ? message : 'done']);
    }
  });
});

// The classes of these errors have other names where a bundler has minified the client.
test.each([
  ['The command was aborted', false, 'not-sent'],
  ['The client is closed', false, 'not-sent'],
  ['The client is offline', false, 'not-sent'],
  ['Command timeout during maintenance. Waited to write command for more than 5ms.', true, 'not-sent'],
  ['Timeout waiting for a client', undefined, 'not-sent'],
  ['The queue is full', true, 'not-sent'],
  ['The queue is full', false, 'the connection was lost: The queue is full'],
  ['The queue is full', undefined, 'The queue is full'],
  ['Timeout waiting for a client after 3000ms', undefined, 'not-sent'],
  ['Socket closed unexpectedly', true, 'Socket closed unexpectedly'],
  ['', false, 'the connection was lost: Error'],
  ['NOAUTH Authentication required.', true, 'NOAUTH Authentication required.'],
  // Of the commands by which it connects, which every command that waits is given, though it may be done.
  ['NOAUTH Authentication required.', false, 'the connection was lost: NOAUTH Authentication required.'],
  // A server that is loading its data refuses none of those.
  ['LOADING the dataset', false, 'LOADING the dataset'],
  ['NOSCRIPT No matching script.', false, 'NOSCRIPT No matching script.'],
  ['CUCKOO differs', false, 'CUCKOO differs'],
])('of %j from a client of redis that is ready: %j, becomes %j', async (given, isReady, wanted) => {
  const sendCommand = (): Promise<never> => Promise.reject(new Error(given));
  const client = { sendCommand, withTypeMapping: String, isReady };
  const error = await fromNodeRedis(client as never)(['DEL', 'seen']).catch((thrown: unknown) => thrown);
  const { code, message } = error as Error & { code?: string };
  expect(code ?? message).toBe(wanted);
});

/** A client of `ioredis` with these properties, and what it was asked. */
function ioRedis(properties: object = {}) {
  const asked: unknown[][] = [];
  const listeners = new Map<string, () => void>();
  const createBuiltinCommand = (name: string): { buffer: () => Promise<unknown> } => ({
    buffer: (...words: unknown[]) => {
      asked.push([name, ...words]);
      return name === 'lost' ? new Promise(() => undefined) : Promise.resolve(`answer of ${name}`);
    },
  });
  const client = {
    createBuiltinCommand,
    on: (event: string, listener: () => void) => listeners.set(event, listener),
    connect: (): Promise<unknown> => Promise.resolve(),
    status: 'ready',
    options: { autoResendUnfulfilledCommands: false },
    ...properties,
  };
  return { asked, client, emit: (event: string) => listeners.get(event)?.() };
}

describe('a client of ioredis', () => {
  test('is asked past its automatic pipelines, and has one listener for all filters', async () => {
    const { asked, client } = ioRedis();
    const send = fromIoRedis(client);
    expect(await send(['DEL', 'seen'])).toBe('answer of del');
    expect(asked).toEqual([['del', 'seen']]);
    expect(fromIoRedis(client)).toBe(send);
  });

  test('is refused by name where it would send a command twice', () => {
    const cluster = { nodes: () => [] };
    const twiceIfReadOnly = ({ message }: Error): 2 | false => message.startsWith('READONLY') && 2;
    for (const [options, more, setting] of [
      [{}, {}, 'autoResendUnfulfilledCommands: false'],
      [{ autoResendUnfulfilledCommands: true }, {}, 'autoResendUnfulfilledCommands: false'],
      [{ retryDelayOnFailover: 100 }, cluster, 'retryDelayOnFailover: 0'],
      [{ retryDelayOnFailover: 0, enableOfflineQueue: false }, cluster, 'enableOfflineQueue: true'],
      [
        { retryDelayOnFailover: 0, clusterNodeRetryStrategy: () => 100 },
        cluster,
        'clusterNodeRetryStrategy: null',
      ],
      [{ autoResendUnfulfilledCommands: false, reconnectOnError: twiceIfReadOnly }, {}, 'reconnectOnError'],
    ] as const)
      expect(() => fromIoRedis(ioRedis({ options, ...more }).client)).toThrow(
        `make this client of ioredis with ${setting}`,
      );
    const options = { retryDelayOnFailover: 0, redisOptions: { keyPrefix: 'app:' } };
    expect(fromIoRedis(ioRedis({ options, ...cluster }).client).keyPrefix).toBe('app:');
  });

  test('that is not connected is given nothing, so that what is aborted meanwhile is never sent', async () => {
    const { asked, client, emit } = ioRedis({ status: 'reconnecting' });
    const send = fromIoRedis(client);
    const { signal } = new AbortController();
    const aborting = new AbortController();
    const withdrawn = send(['DEL', 'a'], { signal: aborting.signal });
    const kept = send(['DEL', 'b'], { signal });
    aborting.abort();
    await expect(withdrawn).rejects.toMatchObject({ code: 'not-sent' });
    client.status = 'ready';
    emit('ready');
    expect(await kept).toBe('answer of del');
    expect(asked).toEqual([['del', 'b']]);
  });

  test('that has not begun to connect does so, and is given nothing before', async () => {
    const { asked, client, emit } = ioRedis({ status: 'wait' });
    client.connect = () => {
      client.status = 'connecting';
      return Promise.reject(new Error('connect ECONNREFUSED'));
    };
    const kept = fromIoRedis(client)(['DEL', 'a'], new AbortController());
    emit('close');
    client.status = 'ready';
    emit('ready');
    expect(await kept).toBe('answer of del');
    expect(asked).toHaveLength(1);
  });

  test('whose connection has ended is given nothing, before it says so', async () => {
    const stream = { writable: false };
    const { asked, client, emit } = ioRedis({ stream });
    const kept = fromIoRedis(client)(['DEL', 'a'], new AbortController());
    emit('close');
    expect(asked).toEqual([]);
    stream.writable = true;
    emit('ready');
    expect(await kept).toBe('answer of del');
  });

  test('that was closed, or keeps no commands, sends nothing', async () => {
    const { client } = ioRedis({ status: 'end' });
    await expect(fromIoRedis(client)(['DEL', 'a'])).rejects.toMatchObject({ code: 'not-sent' });
    const error = new Error("Stream isn't writeable and enableOfflineQueue options is false");
    const createBuiltinCommand = (): object => ({ buffer: () => Promise.reject(error) });
    const without = ioRedis({ createBuiltinCommand }).client;
    await expect(fromIoRedis(without)(['DEL', 'a'])).rejects.toMatchObject({ code: 'not-sent' });
  });

  test('that loses its connection ends what it has sent, which it forgets without a word', async () => {
    const { client, emit } = ioRedis();
    const lost = fromIoRedis(client)(['LOST', 'a']);
    emit('close');
    await expect(lost).rejects.toThrow('the connection was lost');
  });
});

test('a client of the other package, or none, is named with what to do', () => {
  const [redis, ioredis] = [{ withTypeMapping: String }, { createBuiltinCommand: String }] as never[];
  expect(() => fromNodeRedis(ioredis as never)).toThrow(
    new TypeError('this is a client of ioredis: use fromIoRedis'),
  );
  expect(() => fromIoRedis(redis as never)).toThrow(
    new TypeError('this is a client of redis: use fromNodeRedis'),
  );
  expect(() => fromNodeRedis(undefined as never)).toThrow(/^client must be of the npm package redis,/);
  expect(() => fromIoRedis(undefined as never)).toThrow(/^client must be of the npm package ioredis,/);
});
