// The function that sends a command, for the clients `redis` (node-redis) and `ioredis`, single, cluster and by Sentinel. Nothing is
// imported from them. Invariant: text in answers comes as bytes, because a filter is bytes.
import { argumentError } from '../src/errors.js';
import { check } from '../src/reader/arguments.js';
import type { Send } from './program/program.js';

type Words = (string | Uint8Array)[];

/** What is used of a client of `redis`. */
export interface NodeRedisClient {
  withTypeMapping(mapping: object): unknown;
}

/** What is used of a client of `ioredis`. */
export interface IoRedisClient {
  callBuffer(command: string, ...words: never[]): Promise<unknown>;
  /** Of a cluster. */
  nodes?(role: 'master'): IoRedisClient[];
}

/** Type of an answer that is text or bytes, in the protocol. */
const BLOB_STRING = 36;

/** Makes `send` from a client, a cluster or a sentinel of `redis`, version 5 or newer. It must be connected. */
export function fromNodeRedis(client: NodeRedisClient): Send {
  if (typeof (client as Partial<IoRedisClient> | undefined)?.callBuffer === 'function')
    throw argumentError('this is a client of ioredis: use fromIoRedis');
  check(
    'client',
    'a client or cluster of redis 5 or newer',
    client,
    typeof client?.withTypeMapping === 'function',
  );
  const { Buffer } = globalThis as { Buffer?: unknown };
  const typed = client.withTypeMapping({ [BLOB_STRING]: Buffer }) as {
    sendCommand(...given: unknown[]): Promise<unknown>;
  };
  const isReading = (command: Words): boolean => READING.includes(String(command[0]));
  if ('getSentinelNode' in client) return (command) => typed.sendCommand(isReading(command), command);
  // A cluster needs the key that decides the node. A command without a key goes to all masters that need it.
  if (!('getRandomNode' in client)) return (command) => typed.sendCommand(command);
  return (command) => typed.sendCommand(keyOf(command), isReading(command), command);
}

/**
 * Makes `send` from a client or a cluster of `ioredis`, version 5 or newer. A client may find its master through
 * Sentinel.
 */
export function fromIoRedis(client: IoRedisClient): Send {
  if (typeof (client as Partial<NodeRedisClient> | undefined)?.withTypeMapping === 'function')
    throw argumentError('this is a client of redis: use fromNodeRedis');
  check('client', 'a client or cluster of ioredis', client, typeof client?.callBuffer === 'function');
  // By the command's own method, because callBuffer loses the command where enableAutoPipelining is on.
  const methods = client as unknown as Record<
    string,
    ((...words: unknown[]) => Promise<unknown>) | undefined
  >;
  return async ([command, ...words]) => {
    const { nodes } = client;
    if (command === 'FUNCTION' && nodes !== undefined)
      return Promise.all(
        nodes.call(client, 'master').map((node) => node.callBuffer(command, ...(words as never[]))),
      );
    const name = `${String(command).toLowerCase()}Buffer`;
    return methods[name]?.(...words) ?? client.callBuffer(command as string, ...(words as never[]));
  };
}

/** Commands that replicas answer too, if the client is made to ask them. */
const READING = ['BITFIELD_RO', 'FCALL_RO', 'GET'];

/** The first key in a command. */
function keyOf(command: Words): string | Uint8Array | undefined {
  const name = String(command[0]);
  return name === 'FUNCTION' ? undefined : command[/^(EVAL|FCALL)/.test(name) ? 3 : 1];
}
