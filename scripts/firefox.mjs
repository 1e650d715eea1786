// `npm run test:firefox`: the program of tests/world/hosts in pages and workers of Firefox, isolated and not, under a strict
// content security policy, a filter that a page and its workers share, and the main path through the demo
// (tests/js/demo/main-path.mjs). Invariant: all give the answers and the bytes that Node gives. Firefox (firefox-esr on Debian)
// must be installed; if it is not on PATH, set FIREFOX_PATH. No driver is needed, because the pages send their results.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { bootstrap } from './bootstrap.mjs';
import { build } from './build.mjs';
import { buildDemo } from './pages/demo.mjs';
import { fileFor } from './pages/serve.mjs';
import { root } from './run.mjs';
import withPaths from '../tests/world/hosts/paths.cjs';

const REPORT = "const report = (from, body) => fetch('/result/' + from, { method: 'POST', body });";
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; frame-src 'self'";

const { env } = await bootstrap(['npm', 'wasm']);
await build(env);
await buildDemo();
const hosts = join(root, 'tests/world/hosts');
const scripts = {
  ...Object.fromEntries(
    readdirSync(join(root, 'dist/esm'))
      .filter((name) => name.endsWith('.js'))
      .map((name) => [`/${name}`, readFileSync(join(root, 'dist/esm', name))]),
  ),
  ...Object.fromEntries(
    readdirSync(hosts).map((name) => [`/hosts/${name}`, withPaths(readFileSync(join(hosts, name), 'utf8'))]),
  ),
  '/start.js': `import { results } from '/hosts/page.mjs'; ${REPORT}
    const name = location.pathname === '/' ? 'isolated' : 'plain';
    results().catch(String).then((result) => report(name, JSON.stringify(result)));`,
  '/main-path.js': readFileSync(join(root, 'tests/js/demo/main-path.mjs')),
  '/walk.js': `import { walk } from '/main-path.js'; ${REPORT}
    walk(document.querySelector('iframe')).then((steps) => report('demo', JSON.stringify(steps)));`,
};
const results = new Map();
const PLAIN = '<!doctype html><script type="module" src="/start.js"></script>';
const PAGE = `${PLAIN}
  <iframe src="/demo/" width="1280" height="900"></iframe><script type="module" src="/walk.js"></script>`;
const WANTED = ['isolated', 'plain', 'demo'];
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
    ...(request.url === '/plain' ? {} : ISOLATED),
  });
  if (request.method === 'GET') return response.end(script ?? (request.url === '/plain' ? PLAIN : PAGE));
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
const firefox = spawn(
  program,
  ['--headless', '--no-remote', '--profile', profile, address, `${address}plain`],
  {
    env,
    stdio: 'ignore',
  },
);
firefox.on('error', (error) => {
  console.error(
    `${program} cannot be started (${error.code}): install Firefox, on Debian the package firefox-esr`,
  );
  process.exit(1);
});
const patience = setTimeout(finish, 600_000);

async function finish() {
  clearTimeout(patience);
  const ended = once(firefox, 'exit');
  firefox.kill();
  await ended;
  rmSync(profile, { recursive: true, force: true });
  server.close();
  const { check } = await import(join(hosts, 'program.mjs'));
  const { hashes } = await check();
  const steps = JSON.parse(results.get('demo') ?? '[["the main path through the demo", false]]');
  const checks = [...checksOf('isolated', hashes), ...checksOf('plain', hashes), ...steps];
  for (const [name, isSo] of checks) console.log(`${isSo ? 'passed' : 'FAILED'}  ${name}`);
  const failed = checks.filter(([, isSo]) => !isSo).length;
  console.log(`${checks.length - failed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

/** The checks that the page `name` reported, each as `[name, isSo]`. Prints what failed. */
function checksOf(name, { SharedCuckooFilter, ...others }) {
  const isIsolated = name === 'isolated';
  const { isolated, page, worker, threads } = JSON.parse(results.get(name) ?? '{}');
  const wanted = isIsolated ? { SharedCuckooFilter, ...others } : others;
  const told = Array.from({ length: 3 }, () => ({ missed: 0, isShared: false }));
  const whole = { missed: 0, told, isWhole: true };
  return [
    [`every class in a page, ${name}, as in Node`, isEqual(page, { failures: [], hashes: wanted })],
    [`every class in a worker, ${name}, as in Node`, isEqual(worker, { failures: [], hashes: wanted })],
    isIsolated
      ? ['a filter that a page and its workers share', isolated && isEqual(threads, whole)]
      : ['a page that is not isolated is told why', !isolated && threads?.code === 'no-shared-memory'],
  ];
}

function isEqual(one, other) {
  if (isDeepStrictEqual(one, other)) return true;
  console.log(one);
  return false;
}
