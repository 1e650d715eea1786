// The function that sends a command, for the clients `redis` (node-redis) and `ioredis`, single and cluster. Nothing is
// imported from them. Invariant: text in answers comes as bytes, because a filter is bytes.
import { check } from '../reader/given.js';
import type { Send } from './shard.js';

type Words = (string | Uint8Array)[];

/** What is used of a client of `redis`. */
export interface NodeRedisClient {
  withTypeMapping(mapping: object): unknown;
}

/** What is used of a client of `ioredis`. */
export interface IoRedisClient {
  callBuffer(command: string, ...words: never[]): Promise<unknown>;
}

/** Type of an answer that is text or bytes, in the protocol. */
const BLOB_STRING = 36;

/** `send` for a client or a cluster of `redis`, version 5 or newer. It must be connected. */
export function fromNodeRedis(client: NodeRedisClient): Send {
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
  // A cluster has to be told which key decides the node.
  if (!('getRandomNode' in client)) return (command) => typed.sendCommand(command);
  return (command) => typed.sendCommand(keyOf(command), command[0] === 'BITFIELD_RO', command);
}

/** `send` for a client or a cluster of `ioredis`, version 5 or newer. */
export function fromIoRedis(client: IoRedisClient): Send {
  check('client', 'a client or cluster of ioredis', client, typeof client?.callBuffer === 'function');
  // By the command's own method, because callBuffer loses the command where enableAutoPipelining is on.
  const methods = client as unknown as Record<
    string,
    ((...words: unknown[]) => Promise<unknown>) | undefined
  >;
  return async ([command, ...words]) => {
    const name = `${String(command).toLowerCase()}Buffer`;
    return methods[name]?.(...words) ?? client.callBuffer(command as string, ...(words as never[]));
  };
}

/** The first key in a command. */
function keyOf(command: Words): string | Uint8Array | undefined {
  return command[String(command[0]).startsWith('EVAL') ? 3 : 1];
}
