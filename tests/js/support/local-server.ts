// Servers that only this machine reaches, and the package's ES modules, which they serve to browsers.
import { readdirSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** Starts `server` at a port that is free, and returns its address, which ends with a slash. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Stops `server`, if a test came far enough to make it. */
export async function close(server: Server | undefined): Promise<void> {
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
}

/** Name and content of each ES module of the package. */
export function esModules(): [name: string, content: Buffer][] {
  const folder = join(__dirname, '../../../dist/esm');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, readFileSync(join(folder, name))]);
}
