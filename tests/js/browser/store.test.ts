// The recipes that keep filters, as they stand in js/examples: in a real browser over a reload and a new tab, and from a
// worker's thread to this one.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { buildSync } from 'esbuild';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { inChromium } from '../support/chromium';
import { runModule } from '../support/command';
import { esModules } from '../support/local-server';

const EXAMPLES = join(__dirname, '../../../js/examples');
const KEYS = ['alice', 'bob', '日本語'];

/** The page with an import map, as it stands in docs/guides/runtimes.md. */
const [, PAGE = ''] =
  /^```html\n(<script type="importmap">.*?)^```/ms.exec(
    readFileSync(join(__dirname, '../../../docs/guides/runtimes.md'), 'utf8'),
  ) ?? [];

function served(url: string): string | Buffer | undefined {
  if (url === '/') return '<!doctype html><title>test</title>';
  if (url === '/page.html') return PAGE;
  if (url === '/blocked.cuckoo') return Buffer.from(CuckooFilter.from(['spam.example']).serialize());
  const file = url.replace('/node_modules/cuckoofilter-wasm/dist/esm', '');
  const [, found] = esModules().find(([name]) => file === `/${name}`) ?? [];
  if (found !== undefined) return found;
  if (url === '/bundled-worker.mjs') return bundled('fill-worker.mjs');
  if (!/^\/[\w-]+\.mjs$/.test(url)) return undefined;
  // No bundler runs here, and a worker has no import map: the package is named by its address.
  return readFileSync(join(EXAMPLES, url), 'utf8').replace("'cuckoofilter-wasm'", "'/index.js'");
}

/** An example as esbuild bundles it for browsers, without a top-level await. */
function bundled(name: string): Buffer {
  const { outputFiles, warnings } = buildSync({
    entryPoints: [join(EXAMPLES, name)],
    bundle: true,
    format: 'iife',
    write: false,
  });
  expect(warnings).toEqual([]);
  return Buffer.from(outputFiles[0]?.contents ?? '');
}

/** What `use` gives for a filter of KEYS. */
const expected = [true, true, false, 3];
const use = `filter.has('alice'), filter.has('日本語'), filter.has('dave'), filter.size`;

describe('in a browser', () => {
  const site = inChromium((path) => [
    /(^\/|\.html)$/.test(path) ? 'text/html' : 'text/javascript',
    served(path),
  ]);
  let context: BrowserContext;

  beforeAll(async () => {
    context = await site.browser.newContext();
  });

  async function openPage(): Promise<Page> {
    const page = await context.newPage();
    await page.goto(site.address);
    return page;
  }

  /** What `code`, the body of an async function, gives in the page. */
  function inPage(page: Page, code: string): Promise<unknown> {
    return page.evaluate(`(async () => { ${code} })()`);
  }

  describe.each(['store-indexeddb', 'store-cache'])('%s', (recipe) => {
    const save = (keys: readonly string[]): string => `
      const { CuckooFilter } = await import('/index.js');
      const { saveTo } = await import('/${recipe}.mjs');
      await saveTo('seen', CuckooFilter.from(${JSON.stringify(keys)}, { capacity: 100 }));`;
    const load = (name: string): string => `
      const { loadFrom } = await import('/${recipe}.mjs');
      const filter = await loadFrom('${name}');
      return filter && Array.from(filter.serialize());`;
    const bytesOf = (keys: readonly string[]): number[] =>
      Array.from(CuckooFilter.from(keys, { capacity: 100 }).serialize());

    test('a filter that was saved is back after a reload, and in another tab', async () => {
      const page = await openPage();
      await inPage(page, save(KEYS));
      await page.reload();
      expect(await inPage(page, load('seen'))).toEqual(bytesOf(KEYS));
      await page.close();
      const other = await openPage();
      expect(await inPage(other, load('seen'))).toEqual(bytesOf(KEYS));
      await inPage(other, save(['carol']));
      await other.reload();
      expect(await inPage(other, load('seen'))).toEqual(bytesOf(['carol']));
      await other.close();
    });

    test('what was never saved is undefined', async () => {
      const page = await openPage();
      expect(await inPage(page, load('never'))).toBeUndefined();
      await page.close();
    });

    test('a deduper is loaded as one', async () => {
      const page = await openPage();
      const asked = `
        const { Deduper } = await import('/index.js');
        const { saveTo, loadFrom } = await import('/${recipe}.mjs');
        const deduper = new Deduper({ capacity: 10 });
        deduper.isNew('a');
        await saveTo('deduper', deduper);
        const loaded = await loadFrom('deduper', Deduper);
        return [loaded.isNew('a'), loaded.isNew('b')];`;
      expect(await inPage(page, asked)).toEqual([false, true]);
      await page.close();
    });
  });

  test('a page without a bundler asks a filter that was served as a file', async () => {
    const page = await context.newPage();
    await page.goto(`${site.address}page.html`);
    await page.waitForFunction(`document.title !== ''`);
    expect(await page.title()).toBe('blocked');
    await page.close();
  });

  test.each([
    ['as it stands', "new Worker('/fill-worker.mjs', { type: 'module' })"],
    ['bundled for a worker that is no module', "new Worker('/bundled-worker.mjs')"],
  ])('a filter that a worker fills, %s, is used on the main thread', async (_, worker) => {
    const page = await openPage();
    const asked = `
      const { fillInWorker } = await import('/fill.mjs');
      const worker = ${worker};
      const filter = await fillInWorker(worker, ${JSON.stringify(KEYS)}, { capacity: 100 });
      const numbers = new BigUint64Array(1000).map((_, i) => BigInt(i));
      const integers = await fillInWorker(worker, numbers);
      worker.terminate();
      return [[${use}], integers.size, integers.has(999n), numbers.length];`;
    expect(await inPage(page, asked)).toEqual([expected, 1000, true, 0]);
    await page.close();
  });
});

describe('in Node', () => {
  test('a filter that a worker fills is used on the main thread', () => {
    const asked = `
      import { Worker } from 'node:worker_threads';
      import { fillInWorker } from '${EXAMPLES}/fill.mjs';
      const worker = new Worker('${EXAMPLES}/fill-worker.mjs', { execArgv: [] });
      const filter = await fillInWorker(worker, ${JSON.stringify(KEYS)}, { capacity: 100 });
      const numbers = new BigUint64Array(1000).map((_, i) => BigInt(i));
      const integers = await fillInWorker(worker, numbers);
      console.log(JSON.stringify([[${use}], integers.size, integers.has(999n), numbers.length]));
      await worker.terminate();`;
    expect(JSON.parse(runModule(asked))).toEqual([expected, 1000, true, 0]);
  });

  test('an error of the worker arrives with its name, code, reason, index and added', () => {
    const asked = `
      import { Worker } from 'node:worker_threads';
      import { fillInWorker } from '${EXAMPLES}/fill.mjs';
      const worker = new Worker('${EXAMPLES}/fill-worker.mjs', { execArgv: [] });
      const told = [];
      for (const [keys, options] of [[['a'], { capacity: 0 }], [['a', null]], [Array(99).fill('a')]])
        await fillInWorker(worker, keys, options).catch((error) => {
          const { message, stack, ...rest } = error;
          told.push({ ...rest, isError: error instanceof Error && message !== '' && stack.startsWith(error.name) });
        });
      console.log(JSON.stringify(told));
      await worker.terminate();`;
    expect(JSON.parse(runModule(asked))).toMatchObject([
      { name: 'RangeError', code: 'invalid-argument', isError: true },
      { name: 'InvalidKeyError', code: 'invalid-key', index: 1 },
      { name: 'FilterFullError', code: 'filter-full', reason: 'too-many-copies', added: 8, isError: true },
    ]);
  });

  test('shards of keys filled in several workers become one filter', () => {
    const asked = `
      import { Worker } from 'node:worker_threads';
      import { fillInWorkers } from '${EXAMPLES}/fill.mjs';
      const workers = [1, 2, 3].map(() => new Worker('${EXAMPLES}/fill-worker.mjs', { execArgv: [] }));
      const shards = workers.map((_, shard) => new BigUint64Array(1000).map((_, i) => BigInt(3 * i + shard)));
      const filter = await fillInWorkers(workers, shards, { capacity: 3000 });
      const all = new BigUint64Array(3000).map((_, i) => BigInt(i));
      console.log(JSON.stringify([filter.size, filter.containsMany(all).includes(0)]));
      process.exit();`;
    expect(JSON.parse(runModule(asked))).toEqual([3000, false]);
  });
});
