// A page and a worker of Chromium use the package, without a bundler; tests/js/browser has every class, policy and host.
import { expect, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { inChromium } from '../support/chromium';
import { esModules } from '../support/local-server';

const files = new Map<string, string | Buffer>(esModules().map(([name, content]) => [`/${name}`, content]));
const USE = "CuckooFilter.from(['a', 'é', 5])";
files.set('/worker.js', `import { CuckooFilter } from './index.js'; postMessage(${USE}.serialize());`);

const served = inChromium((path) =>
  path === '/' ? ['text/html', '<!doctype html><title>-</title>'] : ['text/javascript', files.get(path)],
);

test('a page and a worker make the bytes that Node makes', async () => {
  const page = await served.browser.newPage();
  await page.goto(served.address);
  const made = await page.evaluate(`(async () => {
    const { CuckooFilter } = await import('/index.js');
    const worker = new Worker('/worker.js', { type: 'module' });
    const theirs = await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = reject;
    });
    return [${USE}.serialize(), theirs].map((bytes) => Array.from(bytes));
  })()`);
  const bytes = Array.from(CuckooFilter.from(['a', 'é', 5]).serialize());
  expect(made).toEqual([bytes, bytes]);
});
