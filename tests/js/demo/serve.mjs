// The page for the tests in demo/page and demo/rooms: built once for a run of Jest, before its first test, and served until
// the run ends. Its address is in DEMO_ADDRESS.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const demo = fileURLToPath(new URL('../../../demo', import.meta.url));

/** In a process of its own, so that it ends, and its folder is gone, however Jest ends. */
const SERVE = `
  import { mkdtempSync, rmSync } from 'node:fs';
  import { tmpdir } from 'node:os';
  import { join } from 'node:path';
  import { build, preview } from 'vite';
  const outDir = mkdtempSync(join(tmpdir(), 'cuckoo-demo-'));
  process.on('exit', () => rmSync(outDir, { recursive: true, force: true }));
  process.on('disconnect', () => process.exit());
  const common = { root: process.cwd(), logLevel: 'error', build: { outDir, emptyOutDir: true } };
  await build(common);
  const server = await preview({ ...common, preview: { host: '127.0.0.1', port: 0 } });
  process.send(server.resolvedUrls.local[0]);
`;

let server;

export default async function serve() {
  server?.disconnect(); // Of the run before, where Jest watches files.
  server = spawn(process.execPath, ['--input-type=module', '--eval', SERVE], {
    cwd: demo,
    // Jest's own NODE_ENV would make a build for tests.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const failed = once(server, 'exit').then(([code]) => {
    throw new Error(`the page's server exited with ${code}`);
  });
  [process.env.DEMO_ADDRESS] = await Promise.race([once(server, 'message'), failed]);
  server.unref();
  server.channel.unref();
}
