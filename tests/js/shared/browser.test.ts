// SharedCuckooFilter on a page of Chromium: isolated, where page and workers share one filter, and not, where it says why.
import { expect, test } from '@jest/globals';
import { inChromium } from '../support/chromium';
import { esModules } from '../support/modules';

const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

const FILES: Record<string, readonly [string, string | Buffer]> = {
  '/': ['text/html', '<!doctype html><title>test</title><script type="module" src="/page.js"></script>'],
  '/page.js': [
    'text/javascript',
    `
    import { SharedCuckooFilter } from '/shared.js';
    try {
      const filter = new SharedCuckooFilter({ capacity: 1000 });
      for (let key = 0; key < 500; ++key) filter.add('page ' + key);
      const worker = () => new Promise((resolve, reject) => {
        const worker = new Worker('/worker.js', { type: 'module' });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = (event) => reject(new Error(event.message || 'the worker failed'));
        worker.postMessage(filter.share());
      });
      const answers = await Promise.all([worker(), worker()]);
      let missed = 0;
      for (let key = 0; key < 200; ++key) if (!filter.has('worker ' + key)) ++missed;
      globalThis.result = { answers, missed, size: filter.size, bytes: filter.serialize().length > 1000 };
    } catch (error) {
      globalThis.result = { code: error.code, message: error.message };
    }`,
  ],
  '/worker.js': [
    'text/javascript',
    `
    import { SharedCuckooFilter } from '/shared.js';
    onmessage = ({ data }) => {
      const filter = SharedCuckooFilter.attach(data);
      let missed = 0;
      let news = 0;
      for (let key = 0; key < 500; ++key) if (!filter.has('page ' + key)) ++missed;
      for (let key = 0; key < 200; ++key) if (filter.addIfAbsent('worker ' + key)) ++news;
      postMessage({ missed, news });
      filter.dispose();
    };`,
  ],
  ...Object.fromEntries(
    esModules().map(([name, content]) => [`/${name}`, ['text/javascript', content] as const]),
  ),
};

let headers: Record<string, string> = {};
const served = inChromium((path) => {
  const [type = '', body] = FILES[path] ?? [];
  return [type, body, headers];
});

async function resultOf(sent: Record<string, string>): Promise<Record<string, unknown>> {
  headers = sent;
  const page = await served.browser.newPage();
  try {
    await page.goto(served.address);
    const result = await page.waitForFunction(() => (globalThis as { result?: object }).result);
    return (await result.jsonValue()) as Record<string, unknown>;
  } finally {
    await page.close();
  }
}

test('a page and its workers share one filter where the page is isolated', async () => {
  const { answers, ...rest } = await resultOf(ISOLATED);
  const [one, other] = answers as { missed: number; news: number }[];
  expect([one?.missed, other?.missed]).toEqual([0, 0]);
  expect((one?.news ?? 0) + (other?.news ?? 0) + 500).toBe(rest['size']);
  expect(rest).toMatchObject({ missed: 0, bytes: true });
});

test('a page that is not isolated is told which headers it needs', async () => {
  const { code, message } = await resultOf({});
  expect(code).toBe('no-shared-memory');
  expect(message).toMatch(/Cross-Origin-Embedder-Policy/);
});
