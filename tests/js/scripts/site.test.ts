// The site of `npm run site`, built under a path as a pages host gives one, in Chromium. In npm run test:long alone, because
// it installs VitePress. Invariant: no page asks another host for anything, and none writes an error to its console.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { complaintsOf, launchChromium } from '../support/chromium';
import { runModule } from '../support/command';
import { close, listen } from '../support/local-server';
import { IS_LONG } from '../support/long';
import { TIME_LIMIT } from '../support/patience';

const ROOT = join(__dirname, '../../..');
const PATH = '/some/project/';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
/** Both builds write to the folders that they are given: `dist`, which other tests use, is only read. */
const BUILD = `
  import { build } from 'vite';
  import { join } from 'node:path';
  import { buildSite } from './scripts/pages/site.mjs';
  const [folder] = process.argv.slice(1);
  const demo = join(folder, 'demo');
  await build({ root: 'demo', logLevel: 'error', build: { outDir: demo, emptyOutDir: true } });
  await buildSite(process.env, join(folder, 'site'), demo);
`;

let folder: string;
let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let address: string;
let complaints: string[];
const site = (name = ''): string => join(folder, 'site', name);

(IS_LONG ? describe : describe.skip)('the site', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cuckoo-site-'));
    // Jest's own NODE_ENV would make a build for tests.
    const env = { ...process.env, NODE_ENV: 'production', SITE_BASE: PATH };
    const options = ['--input-type=module', '--eval', BUILD, folder];
    const built = spawnSync(process.execPath, options, {
      cwd: ROOT,
      env,
      encoding: 'utf8',
      ...TIME_LIMIT,
    });
    expect([built.status, built.stderr]).toEqual([0, expect.anything()]);
    server = createServer((request, response) => {
      const path = decodeURI((request.url ?? '').replace(/[?#].*/, ''));
      const name = path.endsWith('/') ? `${path}index.html` : path;
      try {
        if (!name.startsWith(PATH)) throw new Error('outside');
        const body = readFileSync(site(name.slice(PATH.length)));
        const type = TYPES[extname(name)] ?? 'text/plain; charset=utf-8';
        response.writeHead(200, { 'content-type': type }).end(body);
      } catch {
        response.writeHead(404).end();
      }
    });
    address = `${await listen(server)}${PATH.slice(1)}`;
    browser = await launchChromium();
  });

  beforeEach(async () => {
    context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 900 } });
    page = await context.newPage();
    complaints = complaintsOf(page, address);
  });

  afterEach(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    await close(server);
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  test('has a page for each document of the package and each of docs/inside', () => {
    const files = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
    const pages = files.filter((name) => name.endsWith('.md') && !/README|\.zh/.test(name));
    expect(pages.filter((name) => !existsSync(site(`docs/${name.replace(/md$/, 'html')}`)))).toEqual([]);
    for (const name of ['index.html', 'zh/index.html', 'zh/docs/start.html', 'docs/inside/index.html'])
      expect([name, existsSync(site(name))]).toEqual([name, true]);
  });

  test('has a page for each entry of the package, with all that it exports', async () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: object };
    const entries = Object.keys(manifest.exports).filter((key) => /^\.(\/[a-z]+)?$/.test(key));
    expect(entries.length).toBeGreaterThan(9);
    for (const entry of entries) {
      const name = `cuckoofilter-wasm${entry.slice(1)}`;
      const page = readFileSync(site(`docs/reference/${entry.slice(2) || 'index'}.html`), 'utf8');
      const program = `console.log(Object.keys(await import('${name}')).join())`;
      const own = runModule(program).trim().split(',');
      const first = readFileSync(site('docs/reference/index.html'), 'utf8');
      const isThere = (text: string, one: string): boolean => new RegExp(`<h3 id="${one}"`, 'i').test(text);
      expect([name, own.filter((one) => !isThere(page, one) && !isThere(first, one))]).toEqual([name, []]);
      expect(page).toMatch(new RegExp(`<title>${name}( \\||<)`));
    }
    const expiring = readFileSync(site('docs/reference/expiring.html'), 'utf8');
    for (const id of ['isnew', 'contains', 'advance', 'deserialize'])
      expect(expiring).toContain(`id="${id}"`);
  });

  test('is made by code whose types fit', () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const checked = spawnSync(process.execPath, [tsc, '-p', join(ROOT, 'site')], { encoding: 'utf8' });
    expect(checked.stdout).toBe('');
  });

  test('has every heading that a link names', () => {
    const lost = htmlFiles().flatMap((name) =>
      [...readFileSync(site(name), 'utf8').matchAll(/href="([^"#]*)#([^"]+)"/g)]
        .map(([, path = '', heading = '']) => {
          const to = path === '' ? name : path.replace(PATH, '').replace(/(^|\/)$/, '$1index.html');
          return [to, decodeURI(heading)] as const;
        })
        .filter(([to]) => htmlFiles().includes(to))
        .filter(([to, heading]) => !readFileSync(site(to), 'utf8').includes(` id="${heading}"`))
        .map(([to, heading]) => `${name}: ${to}#${heading}`),
    );
    expect(lost).toEqual([]);
  });

  test('runs each example, which then prints what its comments say, and fits a phone', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    let count = 0;
    for (const name of htmlFiles()) {
      await page.goto(address + name);
      await page.locator('main').waitFor();
      const [width, room] = await page.evaluate(() => {
        const root = document.documentElement;
        return [root.scrollWidth, root.clientWidth] as const;
      });
      expect([name, width <= room]).toEqual([name, true]);
      for (const example of await page.locator('.runnable').all()) {
        const code = (await example.locator('pre code').textContent()) ?? '';
        await example.getByRole('button', { name: /Run|运行/ }).click();
        await example.locator('[data-state=done]').waitFor();
        const printed = (await example.locator('.runnable-output').innerText()).split('\n');
        for (const [, line = ''] of code.matchAll(/console\.log\(.*\); \/\/ (.*)/g))
          expect([name, printed, printed.includes(line)]).toEqual([name, printed, true]);
        expect([name, await example.locator('.error').allInnerTexts()]).toEqual([name, []]);
        ++count;
      }
    }
    expect(count).toBeGreaterThan(20);
  });

  test('runs what the reader wrote, shows errors, and stops a program that does not end', async () => {
    await page.clock.install();
    await page.goto(`${address}docs/start.html`);
    const example = page.locator('.runnable').first();
    const field = example.getByRole('textbox');
    const output = example.locator('.runnable-output');
    await field.fill(
      "import { CuckooFilter } from 'cuckoofilter-wasm';\nconsole.log(new CuckooFilter({ capacity: 9 }).add(7).has(7));",
    );
    await field.press('Control+Enter');
    await example.locator('[data-state=done]').waitFor();
    expect((await output.innerText()).trim()).toBe('true');
    await field.fill(
      "import { CuckooFilter } from 'cuckoofilter-wasm';\nnew CuckooFilter({ capacity: 'x' });",
    );
    await example.getByRole('button', { name: 'Run' }).click();
    await example.locator('.error').waitFor();
    expect(await output.innerText()).toMatch(/^TypeError: capacity must be/);
    await field.fill('while (true);');
    await example.getByRole('button', { name: 'Run' }).click();
    await example.locator('[data-state=running]').waitFor();
    await page.clock.runFor(11_000);
    await example.locator('[data-state=done]').waitFor();
    expect((await output.innerText()).trim()).toBe('stopped after 10 seconds');
  });

  test.each([
    ['', 'Search', 'addIfAbsent delete', /Pitfalls/],
    ['zh/', '搜索', '误报', /cuckoofilter-wasm/],
  ])('finds words on the pages below "%s"', async (path, name, words, found) => {
    await page.goto(address + path);
    await page.getByRole('button', { name }).first().click();
    await page.locator('#localsearch-input').fill(words);
    await page.locator('.VPLocalSearchBox .result').first().waitFor();
    expect((await page.locator('.VPLocalSearchBox .result').allInnerTexts()).join('\n')).toMatch(found);
  });

  test('leads to the other language, and to the demo in the same language', async () => {
    await page.goto(address);
    await page.getByRole('link', { name: '简体中文' }).first().click();
    await page.waitForURL(`${address}zh/`);
    await page.getByRole('link', { name: '动手学' }).first().click();
    await page.getByRole('button', { name: '插入', exact: true }).waitFor();
    expect(page.url().startsWith(`${address}learn/`)).toBe(true);
    await page.goto(`${address}docs/start.html`);
    await page.getByRole('link', { name: 'Learn', exact: true }).first().click();
    await page.getByLabel('Key', { exact: true }).fill('from the site');
    await page.getByRole('button', { name: 'Insert', exact: true }).click();
    await page.locator('.transport [data-action=toEnd]').click();
    expect(await page.locator('.caption-text').innerText()).toContain('“from the site” is');
  });

  test('has llms.txt, which names every page once, as files that are there', () => {
    const targets = [...readFileSync(site('llms.txt'), 'utf8').matchAll(/^- \[.*?\]\((.*?)\): \S/gm)].map(
      ([, target = '']) => target,
    );
    expect(targets.filter((target) => !existsSync(site(target)))).toEqual([]);
    expect(new Set(targets).size).toBe(targets.length);
    expect(targets).toContain('docs/guides/save.md');
    const all = readFileSync(site('llms-full.txt'), 'utf8');
    expect(all).toContain(readFileSync(join(ROOT, 'docs/api.md'), 'utf8'));
  });
});

/** Every page, as paths in the site; the demo has tests of its own. */
function htmlFiles(): string[] {
  return readdirSync(site(), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.html') && !name.startsWith('learn/') && name !== '404.html');
}
