// The demo without a network: kept by its service worker, and as one file opened from a folder; and served from a
// sub-path. Invariant: in each, an insert plays to its end, and no other host is asked for anything.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { complaintsOf, launchChromium } from '../../support/chromium';
import { TIME_LIMIT } from '../../support/command';

const demo = join(__dirname, '../../../../demo');
/** The page as serve.mjs built it. */
const served = process.env['DEMO_FOLDER'] ?? '';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
/** Where a pages host would put it. */
const PATH = '/some/project/';

let folder: string;
let server: Server;
let browser: Browser;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cuckoo-offline-'));
  // Jest's own NODE_ENV would make a build for tests.
  const env = { ...process.env, NODE_ENV: 'production' };
  const vite = join(__dirname, '../../../../node_modules/vite/bin/vite.js');
  const options = ['--outDir', join(folder, 'single'), '--mode', 'single', '--logLevel', 'error'];
  expect(
    spawnSync(process.execPath, [vite, 'build', demo, ...options], { encoding: 'utf8', env, ...TIME_LIMIT })
      .stderr,
  ).toBe('');
  // A file alone in a folder: nothing beside it can help.
  cpSync(join(folder, 'single/cuckoo-filter.html'), join(folder, 'alone/cuckoo-filter.html'));
  server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    const name = path === PATH ? 'index.html' : path.replace(PATH, '');
    try {
      const body = readFileSync(join(served, name));
      response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'text/plain' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  server?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

async function expectToWork(page: Page): Promise<void> {
  await page.getByLabel('Key', { exact: true }).fill('without a network');
  await page.getByRole('button', { name: 'Insert', exact: true }).click();
  await page.locator('.transport [data-action=toEnd]').click();
  expect(await page.locator('.caption-text').innerText()).toContain('“without a network” is');
}

test('from a sub-path, and then without the network, as the service worker keeps all files', async () => {
  const context = await browser.newContext({ locale: 'en' });
  const page = await context.newPage();
  const failed: string[] = [];
  page.on('requestfailed', (request) => {
    // What a new address cuts short has not failed.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') failed.push(request.url());
  });
  const { port } = server.address() as AddressInfo;
  await page.goto(`http://127.0.0.1:${port}${PATH}`);
  await expectToWork(page);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    while ((await navigator.serviceWorker.getRegistration())?.active?.state !== 'activated')
      await new Promise((go) => setTimeout(go, 50));
  });
  await context.setOffline(true);
  await page.reload();
  await page.goto(`http://127.0.0.1:${port}${PATH}#v=1&s=bits&l=zh`);
  await page.locator('h1', { hasText: '每个键要多少比特' }).waitFor();
  await page.goto(`http://127.0.0.1:${port}${PATH}?again#v=1&l=en`);
  await expectToWork(page);
  // The browser asks for the icon beside the page, past its service worker.
  expect(failed.filter((url) => !url.endsWith('icon.svg'))).toEqual([]);
  await context.close();
});

test('the picture of a link preview has a whole address; one file alone has none, and no service worker', () => {
  const site = readFileSync(join(served, 'index.html'), 'utf8');
  const alone = readFileSync(join(folder, 'alone/cuckoo-filter.html'), 'utf8');
  expect(site).toContain('property="og:image" content="https://example.org/learn/og.png"');
  expect(alone).not.toContain('og:image');
  // Its own policy would refuse a service worker.
  expect(alone).not.toContain('sw.js');
});

test('as one file from a folder, in both languages, with every place', async () => {
  const context = await browser.newContext({ locale: 'en' });
  const page = await context.newPage();
  const complaints = complaintsOf(page, 'file:');
  const address = pathToFileURL(join(folder, 'alone/cuckoo-filter.html')).href;
  await page.goto(address);
  await expectToWork(page);
  for (const [place, text] of [
    ['lab', 'Fill it'],
    ['be', 'How hard'],
    ['teach', 'Exercise sheet'],
    ['bits', 'How many bits per key'],
    ['lab', 'Drop a .cuckoo file here, or choose one'],
  ] as const) {
    await page.goto(`${address}#v=1&s=${place}`);
    await page.getByText(text, { exact: true }).first().waitFor();
  }
  await page.goto(`${address}#v=1&s=kick&l=zh`);
  await page.getByRole('heading', { name: '踢出链' }).first().waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
