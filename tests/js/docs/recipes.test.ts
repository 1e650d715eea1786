// The recipes in docs/guides that need more than Node: their files are run as they stand there, in Chromium, under Jest,
// and as a server would run them. What runs in Node alone is tested in readme.test.ts, and Next.js and
// Vitest themselves by `npm run test:matrix`.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { FLAGS, inChromium } from '../support/chromium';
import { close, esModules, listen } from '../support/local-server';
import { PATIENCE, TIME_LIMIT } from '../support/patience';

const ROOT = join(__dirname, '../../..');
const KEYS = ['alice', 'bob', 'spam.example'];
const saved = Buffer.from(CuckooFilter.from(KEYS).serialize());
let folder: string;

/** The file that a guide gives below a line with its name. */
function fileOf(recipe: string, name: string): string {
  const page = ['passwords', 'block-list'].includes(recipe) ? 'ship-a-list' : 'platforms';
  const text = readFileSync(join(ROOT, `docs/guides/${page}.md`), 'utf8');
  const before = text.indexOf(`\`${name}\``);
  const [, code] = /```\w+\n(.*?)^```/ms.exec(text.slice(before)) ?? [];
  if (before === -1 || code === undefined) throw new Error(`${page}.md has no ${name}`);
  return code;
}

/** Writes files of a recipe, and returns the folder. */
function written(recipe: string, ...names: string[]): string {
  const into = join(folder, recipe);
  for (const name of names) {
    mkdirSync(dirname(join(into, name)), { recursive: true });
    writeFileSync(join(into, name), fileOf(recipe, name));
  }
  return into;
}

/** What Node prints as JSON for the text of a module in `cwd`. */
async function node(text: string, cwd: string): Promise<unknown> {
  writeFileSync(join(cwd, 'main.mjs'), text);
  const { stdout } = await promisify(execFile)(process.execPath, ['main.mjs'], { cwd, ...TIME_LIMIT });
  return JSON.parse(stdout) as unknown;
}

beforeAll(() => {
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  folder = mkdtempSync(join(ROOT, 'build/recipes-')); // In the checkout, so that the package is found by its name.
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('in Node', () => {
  test('passwords: a lookup reads parts of the file on a server', async () => {
    let sent = 0;
    const server = createServer((request, response) => {
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
      const part = saved.subarray(Number(first), Number(last) + 1);
      sent += part.length;
      const range = `bytes ${first}-${Number(first) + part.length - 1}/${saved.length}`;
      response.writeHead(206, { etag: '"1"', 'content-range': range }).end(part);
    });
    const url = `${await listen(server)}leaked.cuckoo`;
    const text = `
      import { openLeaked } from './leaked.mjs';
      const leaked = await openLeaked('${url}');
      console.log(JSON.stringify([await leaked.has('alice'), await leaked.has('carol')]));`;
    try {
      expect(await node(text, written('passwords', 'leaked.mjs'))).toEqual([true, false]);
    } finally {
      server.closeAllConnections();
      await close(server);
    }
    expect(sent).toBeLessThanOrEqual(96 + 2 * 66);
  });

  /** Bundles a Worker as wrangler does: with the condition workerd, and .wasm files as compiled modules. */
  async function bundledWorker(name: string): Promise<string> {
    const at = written('cloudflare-worker', name);
    await build({
      entryPoints: [join(at, name)],
      outfile: join(at, 'bundled.mjs'),
      bundle: true,
      format: 'esm',
      conditions: ['workerd'],
      plugins: [
        {
          name: 'compiled',
          setup: (plugin) =>
            plugin.onLoad({ filter: /\.wasm$/ }, ({ path }) => ({
              contents: `const { readFileSync } = process.getBuiltinModule('fs');
                export default new WebAssembly.Module(readFileSync(${JSON.stringify(path)}));`,
            })),
        },
      ],
    });
    return at;
  }

  test('cloudflare-worker: addresses on the list get 403, and a failed load is tried again', async () => {
    const at = await bundledWorker('worker.mjs');
    writeFileSync(join(at, 'blocked.cuckoo'), CuckooFilter.from(['192.0.2.1']).serialize());
    const text = `
      import { readFile } from 'node:fs/promises';
      import worker from './bundled.mjs';
      let reads = 0;
      const get = async (name) => {
        if (++reads === 1) throw new Error('not reached');
        const bytes = await readFile(name);
        return { arrayBuffer: async () => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) };
      };
      const env = { FILES: { get }, ORIGIN: { fetch: async () => new Response('page') } };
      const ask = async (address) => {
        const request = new Request('http://site.example/', { headers: { 'cf-connecting-ip': address } });
        return (await worker.fetch(request, env)).status;
      };
      const first = await ask('192.0.2.1').catch(({ message }) => message);
      console.log(JSON.stringify([first, await ask('192.0.2.1'), await ask('192.0.2.2'), reads]));`;
    expect(await node(text, at)).toEqual(['not reached', 403, 200, 2]);
  });

  test('kv-worker: the cron trigger builds the filter, each minute it is read again, and the list decides', async () => {
    const at = await bundledWorker('kv-worker.mjs');
    const text = `
      import worker from './bundled.mjs';
      const rows = Array.from({ length: 2000 }, (_, i) => ({ address: 'blocked ' + i }));
      const counts = { read: 0, asked: 0 };
      const store = new Map();
      const env = {
        FILTERS: {
          put: async (name, bytes) => void store.set(name, bytes.slice().buffer),
          get: async (name, type) => (++counts.read, type === 'arrayBuffer' && store.get(name)),
        },
        DB: {
          prepare: () => ({
            all: async () => ({ results: rows }),
            bind: (wanted) => ({
              first: async () => (++counts.asked, rows.find(({ address }) => address === wanted) ?? null),
            }),
          }),
        },
        ORIGIN: { fetch: async () => new Response('page') },
      };
      let now = 1e12;
      Date.now = () => now;
      const ask = async (address) => {
        const request = new Request('http://site.example/', { headers: { 'cf-connecting-ip': address } });
        return (await worker.fetch(request, env)).status;
      };
      await worker.scheduled({}, env);
      const listed = await Promise.all(rows.map(({ address }) => ask(address)));
      const askedForListed = counts.asked;
      const others = await Promise.all(rows.map(({ address }) => ask('un' + address)));
      rows.push({ address: 'late' });
      await worker.scheduled({}, env);
      const before = await ask('late');
      now += 60_001;
      const reads = counts.read;
      const late = await Promise.all([ask('late'), ask('late'), ask('late')]);
      console.log(JSON.stringify([
        [...new Set(listed)], askedForListed, [...new Set(others)], counts.asked - askedForListed < 50,
        before, [...new Set(late)], counts.read > reads,
      ]));`;
    expect(await node(text, at)).toEqual([[403], 2000, [200], true, 200, [403], true]);
  });

  test('a Worker that is bundled without the condition gets an error that names it', async () => {
    const at = written('cloudflare-worker', 'kv-worker.mjs');
    await build({
      entryPoints: [join(at, 'kv-worker.mjs')],
      outfile: join(at, 'plain.mjs'),
      bundle: true,
      format: 'esm',
    });
    // As workerd does with bytes.
    const text = `
      WebAssembly.Module = function () {
        throw new WebAssembly.CompileError('WebAssembly.Module(): Wasm code generation disallowed by embedder');
      };
      const { default: worker } = await import('./plain.mjs');
      const env = { DB: { prepare: () => ({ all: async () => ({ results: [{ address: 'a' }] }) }) } };
      await worker.scheduled({}, env).catch(({ code, message }) => console.log(JSON.stringify([code, message])));`;
    const [code, message] = (await node(text, at)) as string[];
    expect(code).toBe('no-webassembly');
    expect(message).toMatch(/--conditions=workerd/);
  });

  test('useFilter: each effect has a filter of its own, in StrictMode, too, and none is used after its end', async () => {
    const at = written('react', 'useFilter.js');
    // What the hook needs of React: state, and an effect that StrictMode runs, ends and runs again.
    mkdirSync(join(at, 'node_modules/react'), { recursive: true });
    writeFileSync(
      join(at, 'node_modules/react/package.json'),
      '{ "name": "react", "type": "module", "exports": "./index.js" }',
    );
    writeFileSync(
      join(at, 'node_modules/react/index.js'),
      `let state, cleanup, inputs;
      export const useState = (first) => {
        state ??= first;
        return [state, (next) => (state = next)];
      };
      const pending = [];
      export const useEffect = (effect, given) => {
        if (inputs?.every((each, i) => each === given[i])) return;
        inputs = given;
        pending.push(effect);
      };
      /** Ends the effects of the last commit and runs those of this one; twice in StrictMode, if it is the first. */
      export const commit = () => {
        for (const effect of pending.splice(0)) {
          const isFirst = cleanup === undefined;
          cleanup?.();
          cleanup = effect();
          if (!isFirst) continue;
          cleanup();
          cleanup = effect();
        }
      };
      export const unmount = () => cleanup();`,
    );
    writeFileSync(join(at, 'package.json'), '{ "type": "module" }');
    const text = `
      import { commit, unmount } from 'react';
      import { CuckooFilter } from 'cuckoofilter-wasm';
      import { useFilter } from './useFilter.js';
      const files = { '/a': CuckooFilter.from(['in a']), '/b': CuckooFilter.from(['in b']) };
      const made = [];
      const { deserialize } = CuckooFilter;
      CuckooFilter.deserialize = (bytes) => (made.push(deserialize(bytes)), made.at(-1));
      globalThis.fetch = async (url, { signal }) => {
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
        if (files[url] === undefined) return new Response('', { status: 404 });
        return new Response(files[url].serialize());
      };
      const turns = async () => { for (let i = 0; i < 50; ++i) await new Promise((resolve) => setImmediate(resolve)); };
      const told = [];
      const render = (url, key) => told.push(useFilter(url)?.has(key) ?? null);
      const isOpen = (filter) => { try { return filter.size > 0; } catch { return false; } };
      render('/a', 'in a'); commit(); await turns();
      render('/a', 'in a'); commit();
      render('/b', 'in b'); commit(); // not the filter of the other file
      render('/b', 'in b'); await turns();
      render('/b', 'in b'); commit();
      told.push(made.length, made.filter(isOpen).length);
      unmount();
      told.push(made.filter(isOpen).length);
      render('/c', 'x'); commit(); await turns();
      try { render('/c', 'x'); } catch ({ message }) { told.push(message); }
      console.log(JSON.stringify(told));`;
    expect(await node(text, at)).toEqual([null, true, null, null, true, 2, 1, 0, null, '/c: status 404']);
  });

  test('nextjs: both routes answer', async () => {
    const routes = ['app/taken/[name]/route.js', 'app/taken-edge/[name]/route.js'];
    const at = written('nextjs', ...routes);
    writeFileSync(join(at, 'names.cuckoo'), saved);
    const text = `
      import { readFileSync } from 'node:fs';
      const bytes = readFileSync('names.cuckoo');
      process.env.NAMES_FILE = 'names.cuckoo';
      globalThis.fetch = async (url) => new Response(String(url) === 'http://site.example/names.cuckoo' ? bytes : '');
      const answers = [];
      for (const route of ${JSON.stringify(routes)})
        for (const name of ['alice', 'carol']) {
          const { GET } = await import('./' + route);
          const response = await GET(new Request('http://site.example/taken'), { params: Promise.resolve({ name }) });
          answers.push((await response.json()).taken);
        }
      console.log(JSON.stringify(answers));`;
    expect(await node(text, at)).toEqual([true, false, true, false]);
  });

  test('jest-and-vitest: the tests pass, and the second one also under Jest', async () => {
    const at = written('jest-and-vitest', 'seen.test.cjs', 'seen.test.mjs');
    const vitest = readFileSync(join(at, 'seen.test.mjs'), 'utf8');
    writeFileSync(join(at, 'seen.test.mjs'), vitest.replace("'vitest'", "'@jest/globals'"));
    const config = {
      rootDir: at,
      testMatch: ['**/*.test.*'],
      transform: {},
      cacheDirectory: join(folder, 'jest'),
      testTimeout: PATIENCE,
    };
    const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
    const flags = [
      '--experimental-vm-modules',
      jest,
      '--config',
      JSON.stringify({ ...config, moduleFileExtensions: ['mjs', 'cjs', 'js'] }),
    ];
    const { stderr } = await promisify(execFile)(process.execPath, flags, { cwd: at, ...TIME_LIMIT });
    expect(stderr).toMatch(/^Tests: +2 passed, 2 total$/m);
  });
});

describe('in Chromium', () => {
  const requests: string[] = [];

  /** No bundler runs here: the reader is named by its address. */
  const page = fileOf('block-list', 'block-list.mjs').replace("'cuckoofilter-wasm/reader'", "'/reader.js'");
  const modules = Object.fromEntries(esModules());
  const files: Record<string, string | Buffer> = {
    '/': '<!doctype html><title>test</title>',
    '/block-list.mjs': page,
    '/avatars-worker.js': fileOf('service-worker', 'avatars-worker.js'),
    '/is-blocked?host=spam.example': 'true',
    '/is-blocked?host=bob': 'false',
    '/blocked.cuckoo': saved,
    '/avatars.cuckoo': saved,
    '/avatars/alice': 'a picture',
  };

  const site = inChromium((path) => {
    requests.push(path);
    const body =
      files[path] ?? modules[path.replace('/node_modules/cuckoofilter-wasm/dist/esm', '').slice(1)];
    const type =
      path === '/' ? 'text/html' : /js$/.test(path) ? 'text/javascript' : 'application/octet-stream';
    // The reader needs no WebAssembly.
    return [type, body, { 'content-security-policy': "default-src 'self'" }];
  });

  test('block-list: only addresses that the filter knows are asked for', async () => {
    const tab = await site.browser.newPage();
    await tab.goto(site.address);
    const answers = await tab.evaluate(async () => {
      const path = '/block-list.mjs';
      const { isBlocked } = (await import(path)) as { isBlocked: (host: string) => Promise<boolean> };
      return Promise.all(['spam.example', 'bob', 'good.example'].map((host) => isBlocked(host)));
    });
    expect(answers).toEqual([true, false, false]);
    expect(requests.filter((url) => url.startsWith('/is-blocked')).sort()).toEqual([
      '/is-blocked?host=bob',
      '/is-blocked?host=spam.example',
    ]);
    await tab.close();
  });

  test('service-worker: what does not exist is answered without the network', async () => {
    const tab = await site.browser.newPage();
    await tab.goto(site.address);
    const answers = await tab.evaluate(async () => {
      const controlled = new Promise((resolve) => (navigator.serviceWorker.oncontrollerchange = resolve));
      await navigator.serviceWorker.register('/avatars-worker.js', { type: 'module' });
      await controlled;
      const ask = async (user: string): Promise<unknown> => {
        const response = await fetch(`/avatars/${user}`);
        return [response.status, await response.text()];
      };
      return [await ask('alice'), await ask('carol')];
    });
    expect(answers).toEqual([
      [200, 'a picture'],
      [404, 'no avatar'],
    ]);
    expect(requests.filter((url) => url.startsWith('/avatars/'))).toEqual(['/avatars/alice']);
    await tab.close();
  });

  /** What an extension's service worker answers, under the policy of the manifest or without it. */
  async function extension(
    name: string,
    change: (manifest: Record<string, unknown>) => void,
  ): Promise<unknown> {
    const at = join(folder, name);
    mkdirSync(at);
    const manifest = JSON.parse(fileOf('browser-extension', 'manifest.json')) as Record<string, unknown>;
    change(manifest);
    writeFileSync(join(at, 'manifest.json'), JSON.stringify(manifest));
    writeFileSync(join(at, 'background.js'), fileOf('browser-extension', 'background.js'));
    writeFileSync(join(at, 'page.html'), '<!doctype html><script type="module" src="page.js"></script>');
    writeFileSync(
      join(at, 'page.js'),
      `const { CuckooFilter } = await import('./cuckoofilter-wasm/index.js');
      const { FilterReader } = await import('./cuckoofilter-wasm/reader.js');
      const reader = new FilterReader(Uint8Array.from(${JSON.stringify([...saved])}));
      try { new CuckooFilter({ capacity: 10 }); document.title = 'made ' + reader.has('alice'); }
      catch ({ message }) { document.title = message.slice(0, 27) + ' ' + reader.has('alice'); }`,
    );
    cpSync(join(ROOT, 'dist/esm'), join(at, 'cuckoofilter-wasm'), { recursive: true });
    const profile = mkdtempSync(join(tmpdir(), 'cuckoofilter-profile-'));
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: process.env['CHROMIUM_PATH'] ?? '',
      headless: true,
      ignoreDefaultArgs: ['--disable-extensions'],
      args: [...FLAGS, `--disable-extensions-except=${at}`, `--load-extension=${at}`],
      timeout: PATIENCE,
    });
    context.setDefaultTimeout(PATIENCE);
    try {
      const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
      const tab = await context.newPage();
      await tab.goto(worker.url().replace(/\w+\.js$/, 'page.html'));
      // Not waitForFunction, which evaluates a text, as the policy forbids.
      let title = '';
      while (title === '') title = await tab.title();
      if (!title.startsWith('made')) return [title];
      const ask = (message: object): Promise<unknown> =>
        tab.evaluate(`chrome.runtime.sendMessage(${JSON.stringify(message)})`);
      return [
        title,
        await ask({ host: 'spam.example' }),
        await ask({ host: 'good.example' }),
        await ask({ action: 'block', host: 'good.example' }),
      ];
    } finally {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    }
  }

  test('browser-extension: its service worker and its pages have filters', async () => {
    expect(await extension('allowed', () => undefined)).toEqual(['made true', true, false, true]);
  });

  test('browser-extension: without the line there is only the reader', async () => {
    const background = { service_worker: 'empty.js' };
    const refused = await extension('refused', (manifest) => {
      delete manifest['content_security_policy'];
      writeFileSync(join(folder, 'refused/empty.js'), '');
      manifest['background'] = background;
    });
    expect(refused).toEqual(['the content security policy true']);
  });
});
