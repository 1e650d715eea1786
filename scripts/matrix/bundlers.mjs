// The rows of `npm run test:matrix` that are bundlers: each makes files of the program, which Node runs.
import { readdir, readFile, writeFile } from 'node:fs/promises';

import { bundled, expectedWithout, file, folder, node, printed, tool, use } from './place.mjs';

async function esbuild() {
  return node(await bundled('print.mjs', { format: 'esm', minify: true }));
}

async function rollup() {
  const { rollup: bundle } = await use('rollup');
  const { exports } = JSON.parse(await readFile(tool('cuckoofilter-wasm/package.json'), 'utf8'));
  const pathOf = (entry) => tool('cuckoofilter-wasm', exports[entry].import.default);
  const resolve = {
    // The package's exports, as any resolver of a bundler reads them.
    resolveId: (name) =>
      name.startsWith('cuckoofilter-wasm') ? pathOf(name.replace('cuckoofilter-wasm', '.')) : null,
  };
  const { write } = await bundle({ input: file('print.mjs'), plugins: [resolve] });
  await write({ file: file('out/rollup.mjs'), format: 'es' });
  return node(file('out/rollup.mjs'));
}

/** webpack and Rspack, whose options are the same. */
async function webpack(bundle, filename, { entry = 'print.mjs', target = 'web', start = [] } = {}) {
  const options = {
    entry: file(entry),
    mode: 'production',
    target,
    context: folder,
    output: { path: file('out'), filename },
  };
  await new Promise((resolve, reject) => {
    bundle(options, (error, stats) =>
      error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve(),
    );
  });
  return node(...start, file('out', filename));
}

async function rsbuild() {
  const { createRsbuild } = await use('@rsbuild/core');
  const bundler = await createRsbuild({
    cwd: folder,
    rsbuildConfig: {
      source: { entry: { rsbuild: file('print.mjs') } },
      logLevel: 'error',
      performance: { chunkSplit: { strategy: 'all-in-one' } },
      output: { distPath: { root: 'out/rsbuild', js: '' }, filename: { js: '[name].cjs' } },
    },
  });
  await bundler.build();
  return node(file('out/rsbuild/rsbuild.cjs'));
}

async function vite({ entry = 'print.mjs', format = 'es', name = 'vite', start = [] } = {}) {
  const { build } = await use('vite');
  await build({
    root: folder,
    logLevel: 'error',
    configFile: false,
    build: {
      lib: { entry: file(entry), formats: [format], fileName: name, name: 'Bundle' },
      outDir: file('out', name),
    },
  });
  const [made] = await readdir(file('out', name));
  return node(...start, file('out', name, made));
}

/** The worker of docs/guides/save.md, which start-worker.mjs runs. */
const WORKER = { entry: 'fill-worker.mjs', start: [file('start-worker.mjs')] };

async function esbuildWorker() {
  return node(...WORKER.start, await bundled(WORKER.entry, { format: 'iife' }));
}

/** With its own settings, so it reads no exports. */
async function parcel() {
  const folders = ['--dist-dir', 'out/parcel', '--cache-dir', 'out/parcel-cache'];
  const flags = ['--no-cache', '--no-autoinstall', '--no-source-maps', ...folders];
  await printed(tool('.bin/parcel'), 'build', 'print.mjs', ...flags);
  return node(file('out/parcel/print.js'));
}

/** React Native's bundler, with React Native's settings of Babel. */
async function metro() {
  await node(file('metro.mjs'), file('print.mjs'), file('out/metro.js'));
  return node(file('out/metro.js'));
}

/** The same bundle in React Native's engine, which has neither WebAssembly nor `console` here. */
async function hermes() {
  await node(file('metro.mjs'), file('without.mjs'), file('out/hermes.js'));
  const code = await readFile(file('out/hermes.js'), 'utf8');
  await writeFile(file('out/hermes.js'), `globalThis.console = { log: print };\n${code}`);
  return printed(tool('hermes-engine-cli/linux64-bin/hermes'), file('out/hermes.js'));
}

export const BUNDLERS = [
  { name: 'esbuild', version: 'esbuild', attempt: esbuild },
  { name: 'Rollup', version: 'rollup', attempt: rollup },
  {
    name: 'webpack',
    version: 'webpack',
    attempt: async () => webpack((await use('webpack')).default, 'webpack.cjs'),
  },
  {
    name: 'Rspack',
    version: '@rspack/core',
    attempt: async () => webpack((await use('@rspack/core')).rspack, 'rspack.cjs'),
  },
  { name: 'Rsbuild', version: '@rsbuild/core', attempt: rsbuild },
  { name: 'Vite', version: 'vite', attempt: () => vite() },
  {
    name: 'the documented worker in esbuild',
    version: 'esbuild',
    attempt: esbuildWorker,
    wants: 'true false',
  },
  {
    name: 'the documented worker in webpack',
    version: 'webpack',
    attempt: async () =>
      webpack((await use('webpack')).default, 'worker.cjs', { ...WORKER, target: 'webworker' }),
    wants: 'true false',
  },
  {
    name: 'the documented worker in Vite',
    version: 'vite',
    attempt: () => vite({ ...WORKER, format: 'iife', name: 'worker' }),
    wants: 'true false',
  },
  { name: 'Parcel', version: 'parcel', attempt: parcel },
  { name: 'Metro, as React Native sets it', version: 'metro', attempt: metro },
  {
    name: 'Hermes after Metro, only the reader',
    version: 'hermes-engine-cli',
    attempt: hermes,
    wants: expectedWithout,
  },
];
