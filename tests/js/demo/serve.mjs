// The page for the tests in demo/page and demo/rooms: built once for a run of Jest, before its first test, and served until
// the run ends, with one browser for all of them. The page's address is in DEMO_ADDRESS,
// its files in DEMO_FOLDER, and the browser's address in DEMO_BROWSER.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const flags = createRequire(import.meta.url)('../support/chromium-flags.json');
const demo = fileURLToPath(new URL('../../../demo', import.meta.url));

/** In a process of its own, so that it ends, and its folder is gone, however Jest ends. */
const SERVE = `
  import { mkdtempSync, rmSync } from 'node:fs';
  import { tmpdir } from 'node:os';
  import { join } from 'node:path';
  import { chromium } from 'playwright-core';
  import { build, preview } from 'vite';
  const executablePath = process.env.CHROMIUM_SHELL_PATH ?? process.env.CHROMIUM_PATH;
  if (!executablePath) throw new Error('CHROMIUM_PATH must name the Chromium to test in');
  const outDir = mkdtempSync(join(tmpdir(), 'cuckoo-demo-'));
  process.on('exit', () => rmSync(outDir, { recursive: true, force: true }));
  // The address that link previews name, wherever the page is served.
  process.env.DEMO_ADDRESS = 'https://example.org/learn/';
  const common = { root: process.cwd(), logLevel: 'error', build: { outDir, emptyOutDir: true } };
  await build(common);
  // Nothing changes while it is served: the browser need not ask again for forty files a page.
  const headers = { 'cache-control': 'max-age=86400, immutable' };
  const server = await preview({ ...common, preview: { host: '127.0.0.1', port: 0, headers } });
  const browser = await chromium.launchServer({ executablePath, headless: true, args: ${JSON.stringify(flags)}, timeout: 500_000 });
  process.on('disconnect', () => void browser.close().finally(() => process.exit()));
  process.send({ page: server.resolvedUrls.local[0], folder: outDir, browser: browser.wsEndpoint() });
`;

let server;

export default async function serve() {
  await end(); // Of the run before, where Jest watches files.
  server = spawn(process.execPath, ['--input-type=module', '--eval', SERVE], {
    cwd: demo,
    // Jest's own NODE_ENV would make a build for tests.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const failed = once(server, 'exit').then(([code]) => {
    throw new Error(`the page's server exited with ${code}`);
  });
  const [addresses] = await Promise.race([once(server, 'message'), failed]);
  process.env.DEMO_ADDRESS = addresses.page;
  process.env.DEMO_FOLDER = addresses.folder;
  process.env.DEMO_BROWSER = addresses.browser;
  server.unref();
  server.channel.unref();
}

/** Ends it, if it was started, and waits until its folder is gone. */
export async function end() {
  if (server?.connected !== true) return;
  server.ref();
  const ended = once(server, 'exit');
  server.disconnect();
  await ended;
}
