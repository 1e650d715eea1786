// `npm run test:matrix`: tries the packed tarball in runtimes, bundlers and versions of TypeScript from npm, and prints a
// table of what works where. Not part of `npm test`: it installs 400 MB into build/matrix. Invariant: every row runs the
// same program, or checks the same one's types; the exit code is 0 only if all rows are as expected.
import { spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { bootstrap } from './bootstrap.mjs';
import { build } from './build.mjs';
import { root, run, say } from './run.mjs';

const folder = join(root, 'build/matrix');
const file = (...names) => join(folder, ...names);
const tool = (...names) => file('node_modules', ...names);
const require = createRequire(join(folder, 'package.json'));
const use = (name) => import(pathToFileURL(require.resolve(name)).href);

const { env } = await bootstrap(['npm', 'wasm']);
await build(env);
say('installing runtimes, bundlers and compilers into build/matrix');
await mkdir(folder, { recursive: true });
await cp(join(root, 'tests/matrix/package.json'), file('package.json'));
// No scripts: what they would fetch is not in the registry, and the programs are in packages of their own.
await run('npm', ['install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'], {
  env,
  cwd: folder,
  onlyIfFailed: true,
});
const { output: packed } = await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
  env,
  quiet: true,
});
await rm(tool('cuckoofilter-wasm'), { recursive: true, force: true });
await mkdir(tool('cuckoofilter-wasm'), { recursive: true });
await run('tar', [
  '-xzf',
  file(packed.trim().split('\n').at(-1)),
  '-C',
  tool('cuckoofilter-wasm'),
  '--strip-components=1',
]);

/** What every row does: a filter of each class. */
const PROGRAM = await readFile(join(root, 'tests/matrix/program.mjs'), 'utf8');
const GOOD = 'true false true false true false true';
const IMPORTS = PROGRAM.slice(0, PROGRAM.indexOf('export'));
const BODY = PROGRAM.slice(PROGRAM.indexOf('export'));
await writeFile(file('program.mjs'), PROGRAM);
await writeFile(file('print.mjs'), "import { answers } from './program.mjs';\nconsole.log(answers());\n");
await writeFile(
  file('print.cjs'),
  `${IMPORTS.replaceAll(/import \{ (.*) \} from (.*);/g, 'const { $1 } = require($2);').replaceAll(' as ', ': ')}
${BODY.replace('export function', 'function')}
console.log(answers());`,
);
await writeFile(
  file('worker.mjs'),
  "import { answers } from './program.mjs';\nexport default { fetch: () => new Response(answers()) };\n",
);

/** Runs a program in the folder, and returns what it printed. */
async function printed(program, ...args) {
  const { output } = await run(program, args, { env, cwd: folder, quiet: true });
  return output.trim().split('\n').at(-1);
}
const bun = async () => {
  const [name] = (await readdir(tool('@oven'))).filter((each) => !each.includes('musl')).sort();
  return tool('@oven', name, 'bin/bun');
};

/** One file of the program, made by esbuild. */
async function bundled(entry, options = {}) {
  const { build: esbuild } = await use('esbuild');
  await esbuild({
    entryPoints: [file(entry)],
    bundle: true,
    outdir: file('out'),
    absWorkingDir: folder,
    ...options,
  });
  return file('out', entry.replace(/\.\w+$/, '.js'));
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.on('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** What Cloudflare's runtime answers, at a compatibility date. */
async function workerd(date) {
  await bundled('worker.mjs', {
    format: 'esm',
    conditions: ['workerd'],
    loader: { '.wasm': 'copy' },
    assetNames: '[name]',
  });
  const names = ['core', 'expiring', 'scalable', 'trace'];
  const port = await freePort();
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
  const server = spawn(tool('.bin/workerd'), ['serve', file('out/config.capnp')], { stdio: 'ignore' });
  const ended = new Promise((resolve) => server.on('exit', resolve));
  try {
    for (let i = 0; ; ++i) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      const response = await fetch(`http://127.0.0.1:${port}/`).catch((error) => {
        if (i === 50) throw error;
      });
      if (response !== undefined) return await response.text();
    }
  } finally {
    server.kill();
    await ended;
  }
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

const node = (path) => printed(process.execPath, path);
const bundlers = {
  async esbuild() {
    return node(await bundled('print.mjs', { format: 'esm', minify: true }));
  },
  async rollup() {
    const { rollup } = await use('rollup');
    const resolve = {
      // The package's exports, as any resolver of a bundler reads them.
      resolveId: (name) => (name.startsWith('cuckoofilter-wasm') ? resolvedImport(name) : null),
    };
    const bundle = await rollup({ input: file('print.mjs'), plugins: [resolve] });
    await bundle.write({ file: file('out/rollup.mjs'), format: 'es' });
    return node(file('out/rollup.mjs'));
  },
  async webpack() {
    const { default: webpack } = await use('webpack');
    await new Promise((resolve, reject) => {
      webpack(
        {
          entry: file('print.mjs'),
          mode: 'production',
          target: 'web',
          context: folder,
          output: { path: file('out'), filename: 'webpack.cjs' },
        },
        (error, stats) =>
          error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve(),
      );
    });
    return node(file('out/webpack.cjs'));
  },
  async vite() {
    const { build: vite } = await use('vite');
    await vite({
      root: folder,
      logLevel: 'error',
      configFile: false,
      build: {
        lib: { entry: file('print.mjs'), formats: ['es'], fileName: 'vite' },
        outDir: file('out/vite'),
      },
    });
    const [name] = await readdir(file('out/vite'));
    return node(file('out/vite', name));
  },
};

async function resolvedImport(name) {
  const { exports } = JSON.parse(await readFile(tool('cuckoofilter-wasm/package.json'), 'utf8'));
  return tool('cuckoofilter-wasm', exports[name.replace('cuckoofilter-wasm', '.')].import.default);
}

/** Checks the program's types with one version of TypeScript. */
async function types(version, moduleResolution, module) {
  const source = `${IMPORTS}\n${BODY.replace('answers()', 'answers(): string')}
    const bytes = CuckooFilter.from(['a']).serialize();
    export const uses = [new Blob([bytes]), new Response(bytes), crypto.subtle.digest('SHA-256', bytes)];`;
  await mkdir(file('types'), { recursive: true });
  await writeFile(file('types/program.mts'), source);
  const compilerOptions = {
    module,
    moduleResolution,
    strict: true,
    target: 'es2022',
    types: [],
    skipLibCheck: false,
    noEmit: true,
  };
  await writeFile(file('types/tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.mts'] }));
  const { output, code } = await run(
    process.execPath,
    [tool(`typescript-${version}/bin/tsc`), '-p', file('types')],
    { env, cwd: folder, quiet: true, mayFail: true },
  );
  if (code !== 0) throw new Error(output);
  return GOOD;
}

const rows = {
  'Node, ES module': () => node(file('print.mjs')),
  'Node, CommonJS': () => node(file('print.cjs')),
  Bun: async () => printed(await bun(), file('print.mjs')),
  Deno: () =>
    printed(
      tool('.bin/deno'),
      'run',
      '--allow-read',
      '--no-lock',
      '--node-modules-dir=manual',
      file('print.mjs'),
    ),
  'workerd, date 2023-01-01': () => workerd('2023-01-01'),
  'workerd, date 2026-01-01': () => workerd('2026-01-01'),
  'edge-runtime': edgeRuntime,
  jsdom,
  ...Object.fromEntries(Object.entries(bundlers).map(([name, bundle]) => [`${name}, run in Node`, bundle])),
  'TypeScript 5.0, node16': () => types('5.0', 'node16', 'node16'),
  'TypeScript 5.2, node16': () => types('5.2', 'node16', 'node16'),
  'TypeScript 5.2, bundler': () => types('5.2', 'bundler', 'esnext'),
  'TypeScript 5.4, node16': () => types('5.4', 'node16', 'node16'),
  'TypeScript 5.9, node16': () => types('5.9', 'node16', 'node16'),
  'TypeScript 5.9, bundler': () => types('5.9', 'bundler', 'esnext'),
};

const results = {};
for (const [name, attempt] of Object.entries(rows)) {
  const told = await attempt().catch((error) => error);
  results[name] = told === GOOD ? 'works' : String(told?.message ?? told).slice(0, 300);
  console.log(`${name}: ${results[name]}`);
}
const failed = Object.values(results).filter((result) => result !== 'works').length;
console.log(`\n${Object.keys(results).length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
