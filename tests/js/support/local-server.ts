// Servers that only this machine reaches.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts `server` at a port that is free, and returns its address, which ends with a slash. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Stops `server`, if a test came far enough to make it. */
export async function close(server: Server | undefined): Promise<void> {
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
}
