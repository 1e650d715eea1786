// The one file for a plain <script>: in a page of Chromium under a strict content security policy, and in a context of
// node:vm, which has neither modules nor anything of Node.
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import * as root from 'cuckoofilter-wasm';
import * as reader from 'cuckoofilter-wasm/reader';
import { inChromium } from '../support/chromium';

const ROOT = join(__dirname, '../../..');
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";
const FILE = 'dist/cuckoofilter-wasm.min.js';
const code = readFileSync(join(ROOT, FILE), 'utf8');

/** Uses every class; what it gives, as JSON. */
const USE = `(() => {
  const { CuckooFilter, Deduper, ExpiringFilter, FilterReader, FormatError, ScalableCuckooFilter } = CuckooFilters;
  const filter = new CuckooFilter({ capacity: 3 }).add('alice').add('bob').add(5);
  const bytes = filter.serialize();
  const scalable = new ScalableCuckooFilter({ capacity: 10 });
  for (let i = 0; i < 100; ++i) scalable.add(i);
  const seen = new ExpiringFilter({ capacity: 100, periods: 3 });
  const deduper = new Deduper({ capacity: 10 });
  let caught;
  try { new FilterReader(new Uint8Array(3)); } catch (error) { caught = error instanceof FormatError; }
  return JSON.stringify([
    filter.has('alice'), filter.has('carol'), new FilterReader(bytes).has('bob'), scalable.has(99),
    seen.isNew('x'), seen.isNew('x'), deduper.isNew('a'), deduper.isNew('a'), caught, Array.from(bytes),
  ]);
})()`;

/** The page as it stands in docs/guides/runtimes.md. */
const [, PAGE = ''] =
  /^```html\n(.*?)^```/ms.exec(readFileSync(join(ROOT, 'docs/guides/runtimes.md'), 'utf8')) ?? [];

function expected(): unknown[] {
  const bytes = Array.from(root.CuckooFilter.from(['alice', 'bob', 5]).serialize());
  return [true, false, true, true, true, false, true, false, true, bytes];
}

const FILES: Record<string, readonly [string, string]> = {
  '/': [
    'text/html',
    '<!doctype html><title>-</title><script src="/f.js"></script><script src="/page.js"></script>',
  ],
  '/f.js': ['text/javascript', code],
  '/documented': ['text/html', `<!doctype html><title>-</title>${PAGE}`],
  [`/node_modules/cuckoofilter-wasm/${FILE}`]: ['text/javascript', code],
  '/empty': ['text/html', '<!doctype html><title>-</title>'],
  '/page.js': ['text/javascript', `globalThis.answer = ${USE};`],
};

const served = inChromium((path) => {
  const [type = '', body] = FILES[path] ?? [];
  // The documented page has a script inside.
  return [type, body, path === '/documented' ? {} : { 'content-security-policy': POLICY }];
});

test('a page with a plain <script> has every class', async () => {
  const page = await served.browser.newPage();
  await page.goto(`${served.address}empty`);
  const before = await page.evaluate(() => Object.getOwnPropertyNames(globalThis));
  await page.goto(served.address);
  const answer = await page.evaluate('globalThis.answer');
  expect(JSON.parse(answer as string)).toEqual(expected());
  const after = (await page.evaluate(() => Object.getOwnPropertyNames(globalThis))) as string[];
  expect(after.filter((name) => !before.includes(name)).sort()).toEqual(['CuckooFilters', 'answer']);
});

test('the page in docs/guides/runtimes.md works', async () => {
  const page = await served.browser.newPage();
  await page.goto(`${served.address}documented`);
  expect(await page.title()).toBe('found');
});

test('a context without modules has every class, also where WebAssembly starts only asynchronously', async () => {
  const context = createContext({});
  runInContext(code, context);
  expect(JSON.parse(runInContext(USE, context) as string)).toEqual(expected());
  const strict = createContext({});
  runInContext(
    `const { Module, Instance } = WebAssembly;
    const refuse = (Original) => new Proxy(Original, { construct() { throw new RangeError('not on this thread'); } });
    WebAssembly.Module = refuse(Module);
    WebAssembly.Instance = refuse(Instance);`,
    strict,
  );
  runInContext(code, strict);
  expect(() => runInContext(USE, strict)).toThrow('WebAssembly does not start (not on this thread)');
  await runInContext('CuckooFilters.preload()', strict);
  expect(JSON.parse(runInContext(USE, strict) as string)).toEqual(expected());
});

test('it has every name of the main entry and of the reader, and the other classes', () => {
  const context = createContext({});
  runInContext(code, context);
  const names = JSON.parse(
    runInContext('JSON.stringify(Object.keys(CuckooFilters))', context) as string,
  ) as string[];
  const wanted = new Set([
    ...Object.keys(root),
    ...Object.keys(reader),
    'CuckooCounter',
    'CuckooValues',
    'ExpiringFilter',
    'FoundValues',
    'ScalableCuckooFilter',
  ]);
  expect(names.sort()).toEqual([...wanted].sort());
});

test('the package names it for CDNs', () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest).toMatchObject({ unpkg: `./${FILE}`, jsdelivr: `./${FILE}` });
});
