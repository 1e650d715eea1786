// What fromNodeRedis and fromIoRedis ask of a client, a cluster and a sentinel, for every command that the package sends: which node
// gets it, whether replicas may answer it, and that bytes come back.
import { describe, expect, test } from '@jest/globals';
import { fromIoRedis, fromNodeRedis } from 'cuckoofilter-wasm/redis';
import type { Words } from './fake-server';

/** Every command that the package sends, with its first key, and whether it only reads. */
const COMMANDS: readonly [words: Words, key: string | undefined, isReading: boolean][] = [
  [['GET', 'seen:1'], 'seen:1', true],
  [['BITFIELD_RO', 'seen:1', 'GET', 'u48', '0'], 'seen:1', true],
  [['BITFIELD', 'seen:1', 'GET', 'u48', '0'], 'seen:1', false],
  [['FCALL_RO', 'library_read', '1', 'seen:1', 'changed'], 'seen:1', true],
  [['FCALL', 'library', '2', 'seen:1', 'next', 'add'], 'seen:1', false],
  [['EVALSHA', 'hash', '1', 'seen:1', 'add'], 'seen:1', false],
  [['EVAL', 'text', '1', 'seen:1', 'add'], 'seen:1', false],
  [['DEL', 'seen:1', 'next'], 'seen:1', false],
  [['FUNCTION', 'LOAD', 'text'], undefined, false],
];

/** A client of `redis` with these properties, and what it was asked. */
function nodeRedis(properties: object = {}) {
  const asked: unknown[][] = [];
  const mappings: object[] = [];
  const sendCommand = (...given: unknown[]): Promise<unknown> => {
    asked.push(given);
    return Promise.resolve('answer');
  };
  const withTypeMapping = (mapping: object): object => {
    mappings.push(mapping);
    return { sendCommand };
  };
  return { asked, mappings, send: fromNodeRedis({ ...properties, withTypeMapping }) };
}

describe('a client of redis', () => {
  test('returns text as bytes', () => {
    expect(nodeRedis().mappings).toEqual([{ 36: Buffer }]);
  });

  test.each(COMMANDS)('is given %j', async (command, key, isReading) => {
    const [client, sentinel, cluster] = [{}, { getSentinelNode: String }, { getRandomNode: String }].map(
      nodeRedis,
    ) as [ReturnType<typeof nodeRedis>, ReturnType<typeof nodeRedis>, ReturnType<typeof nodeRedis>];
    for (const { send } of [client, sentinel, cluster]) expect(await send(command)).toBe('answer');
    expect(client.asked).toEqual([[command]]);
    expect(sentinel.asked).toEqual([[isReading, command]]);
    expect(cluster.asked).toEqual([[key, isReading, command]]);
  });
});

describe('a client of ioredis', () => {
  /** With `callBuffer`, and methods of their own for these commands. */
  function ioRedis(...methods: string[]) {
    const asked: unknown[][] = [];
    const method =
      (name: string) =>
      (...words: unknown[]): Promise<unknown> => {
        asked.push([name, ...words]);
        return Promise.resolve(`answer of ${name}`);
      };
    const own = Object.fromEntries(methods.map((name) => [name, method(name)]));
    return { asked, client: { callBuffer: method('callBuffer'), ...own } };
  }

  test('is asked by the method of the command, because callBuffer loses it with enableAutoPipelining', async () => {
    const { asked, client } = ioRedis('getBuffer', 'fcallBuffer');
    const send = fromIoRedis(client);
    expect(await send(['GET', 'seen'])).toBe('answer of getBuffer');
    expect(await send(['FCALL', 'library', '1', 'seen'])).toBe('answer of fcallBuffer');
    expect(asked).toEqual([
      ['getBuffer', 'seen'],
      ['fcallBuffer', 'library', '1', 'seen'],
    ]);
  });

  test('is asked by callBuffer for a command that it has no method for', async () => {
    const { asked, client } = ioRedis();
    expect(await fromIoRedis(client)(['FCALL_RO', 'library', '1', 'seen'])).toBe('answer of callBuffer');
    expect(asked).toEqual([['callBuffer', 'FCALL_RO', 'library', '1', 'seen']]);
  });

  test('of a cluster loads the program on every master, and asks one node for all else', async () => {
    const masters = [ioRedis(), ioRedis()] as const;
    const { asked, client } = ioRedis('getBuffer');
    const roles: string[] = [];
    const nodes = (role: string): object[] => {
      roles.push(role);
      return masters.map((master) => master.client);
    };
    const send = fromIoRedis({ ...client, nodes: nodes as never });
    await send(['FUNCTION', 'LOAD', 'text']);
    expect(roles).toEqual(['master']);
    for (const master of masters) expect(master.asked).toEqual([['callBuffer', 'FUNCTION', 'LOAD', 'text']]);
    expect(asked).toEqual([]);
    await send(['GET', 'seen']);
    expect([asked, roles]).toEqual([[['getBuffer', 'seen']], ['master']]);
  });

  test('that is no cluster loads the program itself', async () => {
    const { asked, client } = ioRedis('functionBuffer');
    await fromIoRedis(client)(['FUNCTION', 'LOAD', 'text']);
    expect(asked).toEqual([['functionBuffer', 'LOAD', 'text']]);
  });
});

test('a client of the other package, or none, is named with what to do', () => {
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
