// A Redis server, or a cluster of six, for a test file: started before its tests and ended after them, and its clients before it.
import { afterAll, beforeAll } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once, type EventEmitter } from 'node:events';
import { join } from 'node:path';

const PROGRAM = join(__dirname, '../../redis/servers.mjs');

/** What ends a client, for `atEnd`. */
type End = () => unknown;
const ends: End[] = [];

/** Calls `end` after the tests of the file, while the servers still run. */
export function atEnd(end: End): void {
  ends.push(end);
}

/** Ends a client of ioredis for good: until it has ended, a timer of its own keeps the process. */
export async function disconnect(
  client: EventEmitter & { status: string; disconnect(): void },
): Promise<void> {
  const ended = once(client, 'end');
  client.disconnect();
  if (client.status !== 'end') await ended;
}

/** The ports, once `beforeAll` has run. */
export function serverPorts(...flags: string[]): number[] {
  const ports: number[] = [];
  let ended: Promise<unknown>;
  let servers: ChildProcess;
  beforeAll(async () => {
    servers = spawn(process.execPath, [PROGRAM, ...flags], { stdio: ['pipe', 'pipe', 'ignore'] });
    ended = once(servers, 'exit');
    const printed = once(servers.stdout as EventEmitter, 'data') as Promise<[Buffer]>;
    const line = await Promise.race([printed, ended.then(() => undefined)]);
    if (line === undefined) throw new Error(`${PROGRAM} ended without ports`);
    ports.push(...(JSON.parse(line.toString()) as number[]));
  });
  afterAll(async () => {
    for (const end of ends.splice(0)) await end();
    servers.stdin?.end();
    await ended;
  });
  return ports;
}
