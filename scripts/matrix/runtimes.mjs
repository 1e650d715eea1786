// The rows of `npm run test:matrix` that are runtimes: they run the program as it is, or as one file of it.
import { readdir, readFile, writeFile } from 'node:fs/promises';

import { answersOf, bundled, expectedWithout, file, node, printed, tool, use } from './place.mjs';

/** The path of a program that lies in a package for this platform, among the packages of `scope`. */
async function binary(scope, program) {
  const isOurs = (name) => name.startsWith(`${program}-`) && !name.includes('musl');
  const [name] = (await readdir(tool(scope))).filter(isOurs).sort();
  return tool(scope, name, 'bin', program);
}

async function bun(program) {
  return printed(await binary('@oven', 'bun'), file(program));
}

function deno(program, ...permissions) {
  const flags = ['--allow-read', ...permissions, '--no-lock', '--node-modules-dir=manual'];
  return printed(tool('.bin/deno'), 'run', ...flags, file(program));
}

/** What tests/matrix/files.mjs prints. */
const expectedOfFiles = '640 9 FormatError EISDIR ENOENT EISDIR RangeError 9 false link';

/** What Cloudflare's runtime answers, at a compatibility date. */
async function workerd(date) {
  await bundled('worker.mjs', {
    format: 'esm',
    conditions: ['workerd'],
    loader: { '.wasm': 'copy' },
    assetNames: '[name]',
  });
  const names = ['core', 'scalable', 'trace', 'expiring', 'values', 'counter'];
  const [answer] = await answersOf(
    async (port) => {
      await writeFile(
        file('out/config.capnp'),
        `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .program)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
const program :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    ${names.map((name) => `(name = "${name}.wasm", wasm = embed "${name}.wasm")`).join(',\n    ')}
  ],
  compatibilityDate = "${date}"
);
`,
      );
      // Not the script in .bin, which would leave the program behind when it is ended.
      return [await binary('@cloudflare', 'workerd'), 'serve', file('out/config.capnp')];
    },
    ['/'],
  );
  return answer;
}

/** What the edge runtime of Next.js and Vercel answers, given the modules that their bundlers compile. */
async function edgeRuntime() {
  const { EdgeRuntime } = await use('edge-runtime');
  const compiled = {
    name: 'compiled',
    setup(plugin) {
      plugin.onResolve({ filter: /\.wasm\?module$/ }, ({ path }) => ({ path, namespace: 'compiled' }));
      plugin.onLoad({ filter: /.*/, namespace: 'compiled' }, ({ path }) => ({
        contents: `export default MODULES[${JSON.stringify(path.match(/(\w+)\.wasm/)[1])}]`,
      }));
    },
  };
  const path = await bundled('worker.mjs', {
    format: 'iife',
    globalName: 'worker',
    conditions: ['edge-light'],
    plugins: [compiled],
  });
  const modules = {};
  for (const name of await readdir(tool('cuckoofilter-wasm/dist/wasm')))
    modules[name.replace('.wasm', '')] = new WebAssembly.Module(
      await readFile(tool('cuckoofilter-wasm/dist/wasm', name)),
    );
  const code = `${await readFile(path, 'utf8')}
    addEventListener('fetch', (event) => event.respondWith(worker.default.fetch()));`;
  const runtime = new EdgeRuntime({
    initialCode: code,
    extend: (context) => Object.assign(context, { MODULES: modules }),
  });
  return (await runtime.dispatchFetch('http://127.0.0.1/')).text();
}

/** What a page of jsdom answers, which has no TextEncoder. */
async function jsdom() {
  const { JSDOM } = await use('jsdom');
  const path = await bundled('print.mjs', { format: 'iife' });
  const { window } = new JSDOM('', { runScripts: 'outside-only' });
  let answer = '';
  window.WebAssembly = WebAssembly;
  window.console.log = (text) => (answer = text);
  window.eval(await readFile(path, 'utf8'));
  return answer;
}

/** What QuickJS prints, an engine without WebAssembly and TextEncoder. */
async function quickjs() {
  const { getQuickJS } = await use('quickjs-emscripten');
  const code = await readFile(await bundled('without.mjs', { format: 'iife' }), 'utf8');
  const context = (await getQuickJS()).newContext();
  let answer = '';
  const log = context.newFunction('log', (text) => {
    answer = context.dump(text);
  });
  const console = context.newObject();
  context.setProp(console, 'log', log);
  context.setProp(context.global, 'console', console);
  const { error } = context.evalCode(code);
  return error === undefined ? answer : JSON.stringify(context.dump(error));
}

export const RUNTIMES = [
  { name: 'Node, ES module', version: 'node', attempt: () => node(file('print.mjs')) },
  { name: 'Node, CommonJS', version: 'node', attempt: () => node(file('print.cjs')) },
  {
    name: 'Node without WebAssembly (`--jitless`), only the reader',
    version: 'node',
    attempt: () => node('--jitless', file('without.mjs')),
    wants: expectedWithout,
  },
  {
    name: 'QuickJS, only the reader',
    version: 'quickjs-emscripten',
    attempt: quickjs,
    wants: expectedWithout,
  },
  { name: 'Bun', version: 'bun', attempt: () => bun('print.mjs') },
  { name: 'Deno', version: 'deno', attempt: () => deno('print.mjs') },
  {
    name: 'Node, files',
    version: 'node',
    attempt: () => node(file('files.mjs')),
    wants: expectedOfFiles,
  },
  { name: 'Bun, files', version: 'bun', attempt: () => bun('files.mjs'), wants: expectedOfFiles },
  {
    name: 'Deno, files',
    version: 'deno',
    attempt: () => deno('files.mjs', '--allow-write', '--allow-env'),
    wants: expectedOfFiles,
  },
  { name: 'workerd, date 2023-01-01', version: 'workerd', attempt: () => workerd('2023-01-01') },
  { name: 'workerd, date 2026-01-01', version: 'workerd', attempt: () => workerd('2026-01-01') },
  { name: 'edge-runtime', version: 'edge-runtime', attempt: edgeRuntime },
  { name: 'jsdom', version: 'jsdom', attempt: jsdom },
];
