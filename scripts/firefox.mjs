// `npm run test:firefox`: the package in a page and a module worker of Firefox, under a strict content security policy, a
// filter that both share, and the main path through the demo (tests/js/demo/main-path.mjs).
// Invariant: page and worker give the answers and the bytes that Node gives for the same operations. Firefox (firefox-esr on Debian)
// must be installed; FIREFOX_PATH names it where it is not on PATH. It needs no driver: the page reports by itself.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { bootstrap } from './bootstrap.mjs';
import { build } from './build.mjs';
import { buildDemo } from './pages/demo.mjs';
import { fileFor } from './pages/serve.mjs';
import { root } from './run.mjs';

const OPERATIONS = `export function operate(CuckooFilter) {
  const filter = new CuckooFilter({ capacity: 1000 });
  filter.add('alice').add('\\u65e5\\u672c\\u8a9e').add(5);
  filter.addMany(Array.from({ length: 500 }, (_, i) => 'user-' + i));
  const answers = [filter.has('alice'), filter.has('bob'), filter.delete('alice'), filter.has('alice'), filter.has(5n)];
  return JSON.stringify([answers, Array.from(filter.serialize())]);
}`;
const IMPORTS = "import { CuckooFilter } from '/index.js'; import { operate } from '/operations.js';";
const REPORT = "const report = (from, body) => fetch('/result/' + from, { method: 'POST', body });";
// The page is isolated, so its main thread and its worker may share a filter.
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};
const SHARED = "import { SharedCuckooFilter } from '/shared.js';";
const EXPECTED_SHARED = JSON.stringify({ missed: 0, found: 500, isCounted: true });
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; frame-src 'self'";

const { env } = await bootstrap(['npm', 'wasm']);
await build(env);
await buildDemo();
const scripts = {
  ...Object.fromEntries(
    readdirSync(join(root, 'dist/esm'))
      .filter((name) => name.endsWith('.js'))
      .map((name) => [`/${name}`, readFileSync(join(root, 'dist/esm', name))]),
  ),
  '/operations.js': OPERATIONS,
  '/page.js': `${IMPORTS} ${REPORT}
    try { report('page', operate(CuckooFilter)); } catch (error) { report('page', String(error)); }
    new Worker('/worker.js', { type: 'module' }).onmessage = ({ data }) => report('worker', data);`,
  '/shared-page.js': `${SHARED} ${REPORT}
    try {
      const filter = new SharedCuckooFilter({ capacity: 1000 });
      const keys = (first) => Array.from({ length: 500 }, (_, i) => first + i);
      filter.addMany(keys(0));
      const worker = new Worker('/shared-worker.js', { type: 'module' });
      worker.onmessage = ({ data: { missed, news } }) => {
        const found = filter.containsMany(keys(1000)).reduce((sum, it) => sum + it, 0);
        report('shared', JSON.stringify({ missed, found, isCounted: filter.size === 500 + news }));
      };
      worker.postMessage(filter.share());
    } catch (error) { report('shared', String(error)); }`,
  '/shared-worker.js': `${SHARED} onmessage = ({ data }) => {
    const filter = SharedCuckooFilter.attach(data);
    let missed = 0, news = 0;
    for (let key = 0; key < 500; ++key) {
      missed += filter.has(key) ? 0 : 1;
      news += filter.addIfAbsent(1000 + key) ? 1 : 0;
    }
    filter.dispose();
    postMessage({ missed, news });
  };`,
  '/main-path.js': readFileSync(join(root, 'tests/js/demo/main-path.mjs')),
  '/walk.js': `import { walk } from '/main-path.js'; ${REPORT}
    walk(document.querySelector('iframe')).then((steps) => report('demo', JSON.stringify(steps)));`,
  '/worker.js': `${IMPORTS} postMessage(operate(CuckooFilter));`,
};
const results = new Map();
const PAGE = `<!doctype html><script type="module" src="/page.js"></script><script type="module" src="/shared-page.js"></script>
  <iframe src="/demo/" width="1280" height="900"></iframe><script type="module" src="/walk.js"></script>`;
const WANTED = ['page', 'worker', 'shared', 'demo'];
const server = createServer((request, response) => {
  if (request.url.startsWith('/demo/')) {
    const file = fileFor(join(root, 'demo/dist'), request.url.slice('/demo'.length));
    return file === null
      ? response.writeHead(404).end()
      : response.writeHead(200, { ...file[0], ...ISOLATED }).end(file[1]);
  }
  const script = scripts[request.url];
  const type = script ? 'text/javascript' : 'text/html';
  response.writeHead(200, {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': POLICY,
    ...ISOLATED,
  });
  if (request.method === 'GET') return response.end(script ?? PAGE);
  let body = '';
  request.on('data', (piece) => (body += piece));
  request.on('end', () => {
    results.set(request.url.split('/').pop(), body);
    response.end();
    if (results.size === WANTED.length) finish();
  });
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

const profile = mkdtempSync(join(tmpdir(), 'cuckoofilter-firefox-'));
const address = `http://127.0.0.1:${server.address().port}/`;
const program = env.FIREFOX_PATH ?? 'firefox-esr';
const firefox = spawn(program, ['--headless', '--no-remote', '--profile', profile, address], {
  env,
  stdio: 'ignore',
});
firefox.on('error', (error) => {
  console.error(
    `${program} cannot be started (${error.code}): install Firefox, on Debian the package firefox-esr`,
  );
  process.exit(1);
});
const patience = setTimeout(finish, 240_000);

async function finish() {
  clearTimeout(patience);
  firefox.kill();
  server.close();
  const { operate } = await import(`data:text/javascript,${encodeURIComponent(OPERATIONS)}`);
  const { CuckooFilter } = await import(join(root, 'dist/esm/index.js'));
  const expected = operate(CuckooFilter);
  const steps = JSON.parse(results.get('demo') ?? '[["the main path through the demo", false]]');
  const checks = [
    ...['page', 'worker'].map((from) => [
      `the package in a ${from}, as in Node`,
      results.get(from) === expected,
    ]),
    ['a filter that a page and its worker share', results.get('shared') === EXPECTED_SHARED],
    ...steps,
  ];
  for (const [name, isSo] of checks) console.log(`${isSo ? 'passed' : 'FAILED'}  ${name}`);
  const failed = checks.filter(([, isSo]) => !isSo).length;
  console.log(`${checks.length - failed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
