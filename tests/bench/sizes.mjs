// `npm run bench -- bundles`: what a bundler (esbuild) makes of programs that use each entry of the package, alone and together:
// minified, gzip and Brotli. It prints the table that docs/performance.md has.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { buildSync } from 'esbuild';

/** What programs import, by what docs/performance.md calls it. */
const BUNDLES = {
  '`CuckooFilter`': ["export { CuckooFilter } from './index.js'"],
  '`CuckooFilter`, `Deduper`': ["export { CuckooFilter, Deduper } from './index.js'"],
  'all of `cuckoofilter-wasm`': ["export * from './index.js'"],
  'all of `cuckoofilter-wasm/scalable`': ["export * from './scalable.js'"],
  'all of `cuckoofilter-wasm/expiring`': ["export * from './expiring.js'"],
  'all of `cuckoofilter-wasm/values`': ["export * from './values.js'"],
  'all of `cuckoofilter-wasm/counter`': ["export * from './counter.js'"],
  'all of `cuckoofilter-wasm/trace`': ["export * from './trace.js'"],
  'all of `cuckoofilter-wasm/reader`': ["export * from './reader.js'"],
  '`RedisBloomFilter`': ["export { RedisBloomFilter } from './redis.js'"],
  'all of `cuckoofilter-wasm/redis`': ["export * from './redis.js'"],
  '`cuckoofilter-wasm`, `ScalableCuckooFilter` and `ExpiringFilter`': [
    "export * from './index.js'",
    "export { ScalableCuckooFilter } from './scalable.js'",
    "export { ExpiringFilter } from './expiring.js'",
  ],
};

const dist = new URL('../../dist/', import.meta.url);

/** One file that a bundler makes of what `lines` import. */
function bundleOf(lines) {
  const { outputFiles } = buildSync({
    stdin: { contents: lines.join('\n'), resolveDir: fileURLToPath(new URL('esm', dist)) },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  return outputFiles[0].contents;
}

/** The line of the table for what is called `name`. */
function rowOf(name, content) {
  const sizes = [content, gzipSync(content, { level: 9 }), brotliCompressSync(content)];
  return `| ${[name, ...sizes.map(({ length }) => `${(length / 1000).toFixed(1)} kB`)].join(' | ')} |`;
}

console.log('| imported | minified | gzip | Brotli |\n| --- | --- | --- | --- |');
for (const [name, lines] of Object.entries(BUNDLES)) console.log(rowOf(name, bundleOf(lines)));
const script = readFileSync(new URL('cuckoofilter-wasm.min.js', dist));
console.log(rowOf('`dist/cuckoofilter-wasm.min.js`, for a plain `<script>`', script));
