// `npm run bench -- bundles`: what a bundler (esbuild) makes of programs that use each entry of the package, alone and together:
// minified, gzip and Brotli. Prints a table, and what takes more than its limit, which makes the exit code 1; with `--write`,
// puts the table into docs/inside/performance.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { buildSync } from 'esbuild';

/** What programs import, by what docs/inside/performance.md calls it, and the most kilobytes that it may take with gzip. */
const BUNDLES = {
  '`CuckooFilter`': { most: 47.3, imports: ["export { CuckooFilter } from './index.js'"] },
  '`CuckooFilter`, `Deduper`': {
    most: 48.4,
    imports: ["export { CuckooFilter, Deduper } from './index.js'"],
  },
  'all of `cuckoofilter-wasm`': { most: 52.5, imports: ["export * from './index.js'"] },
  'all of `cuckoofilter-wasm/scalable`': { most: 54.8, imports: ["export * from './scalable.js'"] },
  'all of `cuckoofilter-wasm/expiring`': { most: 54.3, imports: ["export * from './expiring.js'"] },
  'all of `cuckoofilter-wasm/values`': { most: 53.7, imports: ["export * from './values.js'"] },
  'all of `cuckoofilter-wasm/counter`': { most: 53.1, imports: ["export * from './counter.js'"] },
  'all of `cuckoofilter-wasm/shared`': { most: 41.7, imports: ["export * from './shared.js'"] },
  'all of `cuckoofilter-wasm/trace`': { most: 82.9, imports: ["export * from './trace.js'"] },
  '`FilterReader`': { most: 6.7, imports: ["export { FilterReader } from './reader.js'"] },
  'all of `cuckoofilter-wasm/reader`': { most: 8.0, imports: ["export * from './reader.js'"] },
  '`RedisBloomFilter`': { most: 6.7, imports: ["export { RedisBloomFilter } from './redisbloom.js'"] },
  'all of `cuckoofilter-wasm/file`, without a class': { most: 5.5, imports: ["export * from './file.js'"] },
  '`cuckoofilter-wasm`, `ScalableCuckooFilter` and `ExpiringFilter`': {
    most: 68.0,
    imports: [
      "export * from './index.js'",
      "export { ScalableCuckooFilter } from './scalable.js'",
      "export { ExpiringFilter } from './expiring.js'",
    ],
  },
};

/** Likewise, by a bundler that puts the core, which is imported when it is used, into a file of its own: without that file. */
const WITHOUT_CORE = {
  '`RedisCuckooFilter`, until a replica is made': {
    most: 28.0,
    imports: ["export { RedisCuckooFilter } from './redis.js'"],
  },
  'all of `cuckoofilter-wasm/redis`, likewise': { most: 29.8, imports: ["export * from './redis.js'"] },
};

const SCRIPT = { name: '`dist/cuckoofilter-wasm.min.js`, for a plain `<script>`', most: 86.0 };

const dist = new URL('../../../dist/', import.meta.url);
const PAGE = new URL('../../../docs/inside/performance.md', import.meta.url);

/** The files that a bundler makes of what `lines` import; if `splitting`, without what is imported later. */
function bundleOf(lines, splitting) {
  const { outputFiles, metafile } = buildSync({
    stdin: { contents: lines.join('\n'), resolveDir: fileURLToPath(new URL('esm', dist)) },
    bundle: true,
    external: ['node:*'],
    splitting,
    minify: true,
    format: 'esm',
    outdir: 'out',
    write: false,
    metafile: true,
  });
  const { outputs } = metafile;
  const loaded = new Set(Object.keys(outputs).filter((path) => outputs[path].entryPoint === '<stdin>'));
  for (const path of loaded)
    for (const { path: next, kind, external } of outputs[path].imports)
      if (kind === 'import-statement' && !external) loaded.add(next);
  const isLoaded = ({ path }) => [...loaded].some((each) => path.replaceAll('\\', '/').endsWith(each));
  return outputFiles.filter(isLoaded).map(({ contents }) => contents);
}

/** The line of the table for what is called `name`. Each file is compressed by itself, as servers do. */
function rowOf(name, most, files) {
  const sizes = [(file) => file, (file) => gzipSync(file, { level: 9 }), brotliCompressSync].map(
    (compressed) => files.reduce((sum, file) => sum + compressed(file).length, 0) / 1000,
  );
  if (sizes[1] > most)
    over.push(`${name} takes ${sizes[1].toFixed(2)} kB gzipped, more than its limit of ${most}`);
  return `| ${[name, ...sizes.map((size) => `${size.toFixed(1)} kB`)].join(' | ')} |`;
}

const over = [];
const table = [
  '| imported | minified | gzip | Brotli |',
  '| --- | --- | --- | --- |',
  ...Object.entries(BUNDLES).map(([name, { most, imports }]) => rowOf(name, most, bundleOf(imports, false))),
  ...Object.entries(WITHOUT_CORE).map(([name, { most, imports }]) =>
    rowOf(name, most, bundleOf(imports, true)),
  ),
  rowOf(SCRIPT.name, SCRIPT.most, [readFileSync(new URL('cuckoofilter-wasm.min.js', dist))]),
  '',
].join('\n');
console.log(table);
if (process.argv.includes('--write')) {
  const text = readFileSync(PAGE, 'utf8');
  writeFileSync(
    PAGE,
    text.replace(/^\| imported \| minified .*\n(?:\|.*\n)*/m, () => table),
  );
}
for (const line of over) console.error(line);
process.exitCode = over.length === 0 ? 0 : 1;
