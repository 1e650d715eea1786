// A Redis server for a test file, with a client of each package connected to it, and keys to add.
import { afterAll, beforeAll } from '@jest/globals';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { fromIoRedis, fromNodeRedis, type Send } from 'cuckoofilter-wasm/redis';
import { serverPorts } from './redis-server';

export const ports = serverPorts();
/** Connected once `beforeAll` has run. */
export let node: ReturnType<typeof createClient>;
export let io: Redis;

beforeAll(async () => {
  const port = ports[0] as number;
  node = createClient({ socket: { host: '127.0.0.1', port } });
  node.on('error', () => undefined); // The server ends first.
  await node.connect();
  io = new Redis({ host: '127.0.0.1', port });
  io.on('error', () => undefined);
});
afterAll(() => {
  node.destroy();
  io.disconnect();
});

export const CLIENTS: readonly [string, () => Send][] = [
  ['redis', () => fromNodeRedis(node)],
  ['ioredis', () => fromIoRedis(io)],
  ['a client that returns text', () => (command) => node.sendCommand(command as (string | Buffer)[])],
];

export const keysTo = (count: number, prefix = 'key'): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix} ${i}`);
