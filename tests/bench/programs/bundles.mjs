// `npm run bench -- bundles`: what a bundler (esbuild) makes of programs that use each entry of the package, alone and together:
// minified, gzip and Brotli. It prints the table that docs/inside/performance.md has.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { buildSync } from 'esbuild';

/** What programs import, by what docs/inside/performance.md calls it. */
const BUNDLES = {
  '`CuckooFilter`': ["export { CuckooFilter } from './index.js'"],
  '`CuckooFilter`, `Deduper`': ["export { CuckooFilter, Deduper } from './index.js'"],
  'all of `cuckoofilter-wasm`': ["export * from './index.js'"],
  'all of `cuckoofilter-wasm/scalable`': ["export * from './scalable.js'"],
  'all of `cuckoofilter-wasm/expiring`': ["export * from './expiring.js'"],
  'all of `cuckoofilter-wasm/values`': ["export * from './values.js'"],
  'all of `cuckoofilter-wasm/counter`': ["export * from './counter.js'"],
  'all of `cuckoofilter-wasm/shared`': ["export * from './shared.js'"],
  'all of `cuckoofilter-wasm/trace`': ["export * from './trace.js'"],
  '`FilterReader`': ["export { FilterReader } from './reader.js'"],
  'all of `cuckoofilter-wasm/reader`': ["export * from './reader.js'"],
  '`RedisBloomFilter`': ["export { RedisBloomFilter } from './redisbloom.js'"],
  '`cuckoofilter-wasm`, `ScalableCuckooFilter` and `ExpiringFilter`': [
    "export * from './index.js'",
    "export { ScalableCuckooFilter } from './scalable.js'",
    "export { ExpiringFilter } from './expiring.js'",
  ],
};

/** Likewise, by a bundler that puts the core, which is imported when it is used, into a file of its own: without that file. */
const WITHOUT_CORE = {
  '`RedisCuckooFilter`, until a replica is made': ["export { RedisCuckooFilter } from './redis.js'"],
  'all of `cuckoofilter-wasm/redis`, likewise': ["export * from './redis.js'"],
};

const dist = new URL('../../../dist/', import.meta.url);

/** The files that a bundler makes of what `lines` import; if `splitting`, without what is imported later. */
function bundleOf(lines, splitting) {
  const { outputFiles, metafile } = buildSync({
    stdin: { contents: lines.join('\n'), resolveDir: fileURLToPath(new URL('esm', dist)) },
    bundle: true,
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
    for (const { path: next, kind } of outputs[path].imports)
      if (kind === 'import-statement') loaded.add(next);
  const isLoaded = ({ path }) => [...loaded].some((each) => path.replaceAll('\\', '/').endsWith(each));
  return outputFiles.filter(isLoaded).map(({ contents }) => contents);
}

/** The line of the table for what is called `name`. Each file is compressed by itself, as servers do. */
function rowOf(name, files) {
  const sums = [(file) => file, (file) => gzipSync(file, { level: 9 }), brotliCompressSync].map(
    (compressed) => files.reduce((sum, file) => sum + compressed(file).length, 0),
  );
  return `| ${[name, ...sums.map((sum) => `${(sum / 1000).toFixed(1)} kB`)].join(' | ')} |`;
}

console.log('| imported | minified | gzip | Brotli |\n| --- | --- | --- | --- |');
for (const [name, lines] of Object.entries(BUNDLES)) console.log(rowOf(name, bundleOf(lines, false)));
for (const [name, lines] of Object.entries(WITHOUT_CORE)) console.log(rowOf(name, bundleOf(lines, true)));
const script = readFileSync(new URL('cuckoofilter-wasm.min.js', dist));
console.log(rowOf('`dist/cuckoofilter-wasm.min.js`, for a plain `<script>`', [script]));
