// A Redis server, or a cluster of six, for a test file: started before its tests and ended after them.
import { afterAll, beforeAll } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const PROGRAM = join(__dirname, '../../redis/servers.mjs');

/** The ports, once `beforeAll` has run. */
export function serverPorts(...flags: string[]): number[] {
  const ports: number[] = [];
  let ended: Promise<unknown>;
  let servers: ChildProcess;
  beforeAll(async () => {
    servers = spawn(process.execPath, [PROGRAM, ...flags], { stdio: ['pipe', 'pipe', 'ignore'] });
    ended = once(servers, 'exit');
    const printed = once(servers.stdout as NodeJS.EventEmitter, 'data') as Promise<[Buffer]>;
    const line = await Promise.race([printed, ended.then(() => undefined)]);
    if (line === undefined) throw new Error(`${PROGRAM} ended without ports`);
    ports.push(...(JSON.parse(line.toString()) as number[]));
  });
  afterAll(async () => {
    servers.stdin?.end();
    await ended;
  });
  return ports;
}
