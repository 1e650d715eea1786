// What browsers do to threads that share a filter.
import { expect, test } from '@jest/globals';
import { inChromium } from '../js/support/chromium';
import { esModules } from '../js/support/modules';

const PAGE = `
  import { SharedCuckooFilter } from '/shared.js';
  const filter = new SharedCuckooFilter({ capacity: 2_000_000, maxThreads: 2 });
  const acknowledged = new Int32Array(new SharedArrayBuffer(64));
  const begin = (turn) => new Promise((resolve) => {
    const worker = new Worker('/worker.js', { type: 'module' });
    worker.onmessage = ({ data }) => resolve({ worker, thread: data });
    worker.postMessage({ shared: filter.share(), acknowledged, turn });
  });
  for (let turn = 0; turn < 5; ++turn) {
    const { worker, thread } = await begin(turn);
    await new Promise((resolve) => setTimeout(resolve, 100));
    worker.terminate();
    await filter.reclaim(thread);
  }
  let missed = 0;
  let known = 0;
  for (let turn = 0; turn < 5; ++turn)
    for (let i = 0; i < acknowledged[turn]; ++i, ++known) if (!filter.has('key ' + i + ' of turn ' + turn)) ++missed;
  globalThis.result = { missed, known };`;

const WORKER = `
  import { SharedCuckooFilter } from '/shared.js';
  onmessage = ({ data: { shared, acknowledged, turn } }) => {
    const filter = SharedCuckooFilter.attach(shared);
    postMessage(filter.thread);
    // Never returns to the event loop, so Chromium lets it run for two seconds after terminate().
    for (let i = 0; filter.tryAdd('key ' + i + ' of turn ' + turn) === 'added';) Atomics.store(acknowledged, turn, ++i);
  };`;

const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};
const FILES: Record<string, readonly [string, string | Buffer]> = {
  '/': ['text/html', '<!doctype html><title>test</title><script type="module" src="/page.js"></script>'],
  '/page.js': ['text/javascript', PAGE],
  '/worker.js': ['text/javascript', WORKER],
  ...Object.fromEntries(
    esModules().map(([name, content]) => [`/${name}`, ['text/javascript', content] as const]),
  ),
};
const served = inChromium((path) => [...(FILES[path] ?? ['', undefined]), ISOLATED]);

// emscripten-core/emscripten#18675: after terminate(), a busy worker of Chromium runs on for two seconds.
test('workers that run on after terminate() lose no key when their places are given to others', async () => {
  const page = await served.browser.newPage();
  await page.goto(served.address);
  const handle = await page.waitForFunction(() => (globalThis as { result?: object }).result, undefined, {
    timeout: 100_000,
  });
  const { missed, known } = (await handle.jsonValue()) as { missed: number; known: number };
  await page.close();
  expect(known).toBeGreaterThan(1000);
  expect(missed).toBe(0);
});
