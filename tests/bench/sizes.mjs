// `npm run bench -- bundles`: what a program loads for each entry of the package, alone and together: raw, gzip and brotli.
// First as a bundler (esbuild) puts what is imported into one file, in the table that docs/performance.md has, then file by
// file, as without a bundler.
// Invariant: the files are those of dist/, followed by their imports; each file is compressed by itself, as servers do.
// With `--json` and a folder of ES modules or CommonJS: the figures of that folder, for the tests that hold the limits.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { buildSync } from 'esbuild';

const SETS = [
  ['index'],
  ['scalable'],
  ['expiring'],
  ['values'],
  ['counter'],
  ['index', 'values', 'counter'],
  ['trace'],
  ['reader'],
  ['redis'],
  ['index', 'scalable'],
  ['index', 'expiring'],
  ['index', 'scalable', 'expiring'],
  ['index', 'reader'],
  ['index', 'scalable', 'expiring', 'trace'],
];

/** The files that `entries` load in `folder`, and those that these import. */
function filesOf(folder, entries) {
  const found = new Set();
  const waiting = entries.map((entry) => `${entry}.js`);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    const text = readFileSync(join(folder, name), 'utf8');
    for (const [, to] of text.matchAll(/(?:from|import|require\()"\.\/([^"]+)"/g)) waiting.push(to);
  }
  return [...found].map((name) => join(folder, name));
}

/** Bytes of what a set of entries loads. */
function figuresOf(folder, entries) {
  const contents = filesOf(folder, entries).map((file) => readFileSync(file));
  return { entries: entries.join(' + '), files: contents.length, ...bytesOf(contents) };
}

function bytesOf(contents) {
  const sum = (bytes) => contents.reduce((all, content) => all + bytes(content), 0);
  return {
    raw: sum((content) => content.length),
    gzip: sum((content) => gzipSync(content, { level: 9 }).length),
    brotli: sum((content) => brotliCompressSync(content).length),
  };
}

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
  '`cuckoofilter-wasm`, `ScalableCuckooFilter` and `ExpiringFilter`': [
    "export * from './index.js'",
    "export { ScalableCuckooFilter } from './scalable.js'",
    "export { ExpiringFilter } from './expiring.js'",
  ],
};

/** Likewise, by a bundler that puts the core, which is imported when it is used, into a file of its own: without that file. */
const WITHOUT_CORE = {
  '`RedisCuckooFilter`, until a shard doubles or a replica is made': [
    "export { RedisCuckooFilter } from './redis.js'",
  ],
  'all of `cuckoofilter-wasm/redis`, likewise': ["export * from './redis.js'"],
};

/** Bytes of what a bundler makes of what `lines` import from `folder`; if `splitting`, without what is imported later. */
function bundleOf(folder, lines, splitting) {
  const { outputFiles, metafile } = buildSync({
    stdin: { contents: lines.join('\n'), resolveDir: folder },
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
  return bytesOf(outputFiles.filter(isLoaded).map(({ contents }) => contents));
}

/** The table of docs/performance.md. */
function bundleTable() {
  const dist = fileURLToPath(new URL('../../dist', import.meta.url));
  const rowsOf = (bundles, splitting) =>
    Object.entries(bundles).map(([name, lines]) => [name, bundleOf(join(dist, 'esm'), lines, splitting)]);
  const rows = [...rowsOf(BUNDLES, false), ...rowsOf(WITHOUT_CORE, true)];
  const script = readFileSync(join(dist, 'cuckoofilter-wasm.min.js'));
  rows.push(['`dist/cuckoofilter-wasm.min.js`, for a plain `<script>`', bytesOf([script])]);
  const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
  return [
    '| imported | minified | gzip | Brotli |',
    '| --- | --- | --- | --- |',
    ...rows.map(([name, sizes]) => `| ${[name, ...Object.values(sizes).map(kilobytes)].join(' | ')} |`),
  ].join('\n');
}

const [flag, given] = process.argv.slice(2);
if (flag === '--json') {
  console.log(JSON.stringify(SETS.map((entries) => figuresOf(given, entries))));
} else {
  console.log(`\nin one bundle\n${bundleTable()}`);
  for (const format of ['esm', 'cjs']) {
    console.log(`\n${format}, bytes`);
    const folder = fileURLToPath(new URL(`../../dist/${format}`, import.meta.url));
    console.table(
      Object.fromEntries(
        SETS.map((set) => figuresOf(folder, set)).map(({ entries, ...figures }) => [entries, figures]),
      ),
    );
  }
}
