// A Redis server for a test file, with a client of each package connected to it, and keys to add.
import { beforeAll } from '@jest/globals';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import {
  fromIoRedis,
  fromNodeRedis,
  RedisCuckooFilter,
  type RedisFilterOptions,
  type ClientSend,
} from 'cuckoofilter-wasm/redis';
import { PATIENCE } from '../support/patience';
import { atEnd, disconnect, serverPorts } from './server';

export { keysTo } from './keys';

export const ports = serverPorts();
/** Connected once `beforeAll` has run. */
export let node: ReturnType<typeof createClient>;
export let io: Redis;

beforeAll(async () => {
  const port = ports[0] as number;
  node = createClient({ socket: { host: '127.0.0.1', port } });
  node.on('error', () => undefined);
  atEnd(() => node.destroy());
  await node.connect();
  io = new Redis({ host: '127.0.0.1', port, autoResendUnfulfilledCommands: false });
  io.on('error', () => undefined);
  atEnd(() => disconnect(io));
});

export const CLIENTS: readonly [string, () => ClientSend][] = [
  ['redis', () => fromNodeRedis(node)],
  ['ioredis', () => fromIoRedis(io)],
];

let names = 0;
/** A name that no other filter of the test file has. */
export const newName = (): string => `filter ${++names}`;

/** The key of the string that shard `key` doubles into. */
export const nextOf = (key: string): string => `${key}:next:{${key}}`;

/** A new filter on the server. */
export function open(options: Partial<RedisFilterOptions> = {}): Promise<RedisCuckooFilter> {
  return RedisCuckooFilter.open({
    send: fromNodeRedis(node),
    name: newName(),
    capacity: 1000,
    callMs: PATIENCE,
    ...options,
  });
}

/** The same, of one that grows. */
export function openGrowing(options: Partial<RedisFilterOptions> = {}): Promise<RedisCuckooFilter> {
  return open({ capacity: 100, maxCapacity: 3000, ...options });
}
