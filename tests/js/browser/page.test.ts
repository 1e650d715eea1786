// The package in a real browser: a page and a module worker under a strict content security policy, no bundler.
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inChromium } from '../support/chromium';
import { esModules } from '../support/modules';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';

/** Without what WebAssembly needs. */
const STRICT = "default-src 'none'; script-src 'self'";
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'";

/** The same operations everywhere; what they give, as plain numbers. */
const OPERATIONS = `
  export function operate(CuckooFilter) {
    const filter = new CuckooFilter({ capacity: 1000 });
    filter.add('alice').add('日本語').add(5);
    filter.addMany(Array.from({ length: 500 }, (_, i) => 'user-' + i));
    const answers = [filter.contains('alice'), filter.contains('bob'), filter.delete('alice'), filter.contains('alice')];
    const bytes = filter.serialize();
    const loaded = CuckooFilter.deserialize(bytes);
    return { answers: [...answers, loaded.contains(5n)], size: loaded.size, bytes: Array.from(bytes) };
  }`;

const FILES: Record<string, readonly [string, string | Buffer]> = {
  '/': [
    'text/html',
    '<!doctype html><meta charset="utf-8"><title>test</title><script type="module" src="/page.js"></script>',
  ],
  '/page.js': [
    'text/javascript',
    `
    import { CuckooFilter, dedupe, dedupeStream } from '/index.js';
    import { operate } from '/operations.js';
    import { ScalableCuckooFilter } from '/scalable.js';
    globalThis.fromPage = operate(CuckooFilter);
    const layers = ScalableCuckooFilter.from(Array.from({ length: 2000 }, (_, i) => i), { capacity: 10 });
    globalThis.fromLayers = [layers.layers, Array.from(layers.serialize())];
    const source = new ReadableStream({
      start(controller) {
        for (const text of ['a', 'b', 'a', 'c', 'c']) controller.enqueue(text);
        controller.close();
      },
    });
    const kept = [];
    await source.pipeThrough(dedupeStream({ capacity: 10 })).pipeTo(new WritableStream({ write: (text) => kept.push(text) }));
    for await (const text of dedupe(['x', 'x', 'y'], { capacity: 10 })) kept.push(text);
    globalThis.fromStreams = kept.join('');
    const worker = new Worker('/worker.js', { type: 'module' });
    worker.onmessage = ({ data }) => { globalThis.fromWorker = data; };
    worker.onerror = (event) => { globalThis.fromWorker = event.message || 'the worker failed'; };`,
  ],
  '/worker.js': [
    'text/javascript',
    `
    import { CuckooFilter } from '/index.js';
    import { operate } from '/operations.js';
    postMessage(operate(CuckooFilter));`,
  ],
  '/operations.js': ['text/javascript', OPERATIONS],
  ...Object.fromEntries(
    esModules().map(([name, content]) => [`/${name}`, ['text/javascript', content] as const]),
  ),
};

FILES['/strict'] = [
  'text/html',
  '<!doctype html><title>-</title><script type="module" src="/strict.js"></script>',
];
FILES['/strict.js'] = [
  'text/javascript',
  `import { CuckooFilter, preload } from '/index.js';
  import { FilterReader } from '/reader.js';
  const said = [];
  try { new CuckooFilter({ capacity: 1 }); } catch (error) { said.push(error.message); }
  try { await preload(); } catch (error) { said.push(error.message); }
  const bytes = Uint8Array.from(${JSON.stringify(Array.from(CuckooFilter.from(['a']).serialize()))});
  said.push(new FilterReader(bytes).has('a'));
  globalThis.said = said;`,
];

let page: Page;
const requests: string[] = [];
const complaints: string[] = [];

const served = inChromium((path) => {
  requests.push(path);
  const [type = '', body] = FILES[path] ?? [];
  return [type, body, { 'content-security-policy': path.startsWith('/strict') ? STRICT : POLICY }];
});

beforeAll(async () => {
  page = await served.browser.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => complaints.push(message.text()));
  await page.goto(served.address);
});

/** What Node gives for the same operations. */
function expected(): unknown {
  const operate = new Function(`${OPERATIONS.replace('export', '')}; return operate;`)() as (
    Filter: typeof CuckooFilter,
  ) => { answers: boolean[] };
  const result = operate(CuckooFilter);
  expect(result.answers).toEqual([true, false, true, false, true]);
  return result;
}

test.each(['fromPage', 'fromWorker'])(
  '%s come the same answers and the same bytes as from Node',
  async (name) => {
    const handle = await page.waitForFunction((key) => (globalThis as Record<string, unknown>)[key], name, {
      timeout: 20_000,
    });
    expect(await handle.jsonValue()).toEqual(expected());
  },
);

test('a filter without a largest size gives the same bytes in the page', async () => {
  const handle = await page.waitForFunction(() => (globalThis as Record<string, unknown>)['fromLayers']);
  const filter = ScalableCuckooFilter.from(
    Array.from({ length: 2000 }, (_, i) => i),
    { capacity: 10 },
  );
  expect(filter.layers).toBeGreaterThan(1);
  expect(await handle.jsonValue()).toEqual([filter.layers, Array.from(filter.serialize())]);
});

test('streams and iterators are without duplicates in the page, too', async () => {
  const handle = await page.waitForFunction(() => (globalThis as Record<string, unknown>)['fromStreams']);
  expect(await handle.jsonValue()).toBe('abcxy');
});

test('the page fetches the modules and nothing else of the package, and nothing is complained of', () => {
  const known = Object.keys(FILES);
  expect(requests.filter((url) => !known.includes(url) && url !== '/favicon.ico')).toEqual([]);
  // The policy forbids the icon that a browser asks for on its own.
  expect(complaints.filter((text) => !text.includes('favicon'))).toEqual([]);
});

test('a content security policy without WebAssembly is named with what to add; a reader works under it', async () => {
  const strict = await served.browser.newPage();
  await strict.goto(new URL('/strict', page.url()).href);
  const handle = await strict.waitForFunction(() => (globalThis as { said?: unknown[] }).said, undefined, {
    timeout: 20_000,
  });
  const message =
    "the page's content security policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src; without " +
    'WebAssembly, use FilterReader of cuckoofilter-wasm/reader';
  expect(await handle.jsonValue()).toEqual([message, message, true]);
  await strict.close();
});
