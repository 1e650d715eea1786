// Builds the npm package into dist/: WebAssembly by CMake, bundles by esbuild, declarations by TypeScript.
// Invariant: the bundles carry the WebAssembly module inside, so that a user has no file to locate and nothing to
// fetch. Run with `node scripts/build.mjs`; what the build needs is set up first.
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { bootstrap } from './bootstrap.mjs';
import { cmake, root, run } from './run.mjs';

/** Builds everything in `dist`. `env` comes from `bootstrap`. */
export async function build(env) {
  await cmake('wasm', env);
  await rm(join(root, 'dist'), { recursive: true, force: true });
  await Promise.all([
    bundle('esm'),
    bundle('cjs'),
    bundleCommand(),
    declare('esm', env),
    declare('cjs', env),
  ]);
  await writeFile(join(root, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n');
  await settleModes();
}

/** A tarball holds the modes of its files, which are those of whoever checked out and built, if they are not set. */
async function settleModes() {
  const { files } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const built = (await readdir(join(root, 'dist'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const others = [...files.filter((file) => file !== 'dist'), 'package.json', 'README.md', 'LICENSE'];
  await Promise.all(
    [...built, ...others.map((file) => join(root, file))].map((file) =>
      chmod(file, file.endsWith('cli.js') ? 0o755 : 0o644),
    ),
  );
}

/** Every entry in one module format, each over a core of its own. */
async function bundle(format) {
  const { build: esbuild } = await import('esbuild');
  await Promise.all(
    [
      { entry: 'index', module: 'core' },
      { entry: 'trace', module: 'trace' },
      { entry: 'expiring', module: 'expiring' },
      { entry: 'scalable', module: 'scalable' },
    ].map(({ entry, module }) =>
      esbuild({
        entryPoints: [join(root, `js/src/${entry}.ts`)],
        outfile: join(root, `dist/${format}/${entry}.js`),
        bundle: true,
        format,
        target: 'es2022',
        platform: 'neutral',
        minify: true,
        // First in the file, as gzip then codes most of it apart from the rest: 0.37 kB less.
        inject: ['#core'],
        plugins: [inlineCore(join(root, 'build/wasm/bindings', module))],
      }),
    ),
  );
}

/** The command, which uses the package as any program does. */
async function bundleCommand() {
  const { build: esbuild } = await import('esbuild');
  const outfile = join(root, 'dist/cli.js');
  await esbuild({
    entryPoints: [join(root, 'js/cli/main.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    target: 'node20',
    platform: 'node',
    external: ['cuckoofilter-wasm'],
    banner: { js: '#!/usr/bin/env node' },
  });
  await chmod(outfile, 0o755);
}

/** Puts the module's bytes in place of `#core`. */
function inlineCore(path) {
  return {
    name: 'inline-core',
    setup(plugin) {
      plugin.onResolve({ filter: /^#core$/ }, () => ({ path: `${path}.wasm`, namespace: 'wasm' }));
      plugin.onLoad({ filter: /.*/, namespace: 'wasm' }, async () => ({
        contents: encode(await readFile(`${path}.wasm`)),
        loader: 'text',
      }));
    },
  };
}

/**
 * Bytes as printable ASCII that compresses as well as they do: the 91 commonest values are one character each, from `#`
 * on without the backslash, the others are the same after a space or an exclamation mark. Before them stand the marks of
 * the commonest, four values a hexadecimal digit. js/src/module.ts decodes it. A module of 35.6 kB, 17.3 kB gzipped as it
 * is, takes 17.4 kB so, 19.1 in hexadecimal and 22.9 as base64.
 */
function encode(bytes) {
  const counts = new Uint32Array(256);
  for (const byte of bytes) ++counts[byte];
  const values = Array.from(counts.keys());
  const frequent = new Set(values.toSorted((a, b) => counts[b] - counts[a]).slice(0, 91));
  const order = values.toSorted((a, b) => frequent.has(b) - frequent.has(a));
  const symbols = [];
  for (const [rank, value] of order.entries()) {
    const code = 35 + (rank % 91);
    symbols[value] = ['', ' ', '!'][Math.floor(rank / 91)] + String.fromCharCode(code + (code > 91 ? 1 : 0));
  }
  const marks = Array.from({ length: 64 }, (_, digit) =>
    [0, 1, 2, 3].reduce((sum, bit) => sum | (frequent.has(4 * digit + bit) << bit), 0).toString(16),
  );
  return marks.join('') + Array.from(bytes, (byte) => symbols[byte]).join('');
}

async function declare(format, env) {
  const outDir = join(root, 'dist', format);
  await mkdir(outDir, { recursive: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [tsc, '-p', join(root, 'js/tsconfig.json'), '--outDir', outDir], { env });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { env } = await bootstrap(['npm', 'wasm']);
  await build(env);
}
