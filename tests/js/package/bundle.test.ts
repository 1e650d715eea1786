// What a bundler makes of programs that use a part of the package: the rest stays out.
import { expect, test } from '@jest/globals';
import { buildSync, transformSync } from 'esbuild';
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { TIME_LIMIT } from '../support/command';

/** The code for a program that uses these names of an entry of the package. */
function bundled(names: string, entry = ''): string {
  const { outputFiles, warnings } = buildSync({
    stdin: {
      contents: `import { ${names} } from 'cuckoofilter-wasm${entry}'; console.log(${names});`,
      resolveDir: __dirname,
    },
    bundle: true,
    format: 'esm',
    write: false,
    minify: true,
  });
  expect(warnings).toEqual([]);
  return outputFiles[0]?.text ?? '';
}

test('the deduper and its streams are left out where they are not used', () => {
  expect(bundled('CuckooFilter')).not.toMatch(/"Deduper"|TransformStream/);
  expect(bundled('Deduper')).not.toMatch(/TransformStream/);
  expect(bundled('dedupeStream')).toMatch(/"Deduper".*TransformStream/s);
});

test('a program carries the WebAssembly of the classes it uses, and no other', () => {
  /** How many modules and parts, by the marks that each begins with (scripts/build.mjs). */
  const modules = (code: string): number => code.match(/["'`][0-9a-f]{64}/g)?.length ?? 0;
  expect(modules(bundled('CuckooFilter, Deduper'))).toBe(1);
  expect(modules(bundled('ExpiringFilter', '/expiring'))).toBe(2);
  expect(modules(bundled('CuckooValues', '/values'))).toBe(2);
  expect(modules(bundled('CuckooCounter', '/counter'))).toBe(2);
  expect(modules(bundled('ScalableCuckooFilter', '/scalable'))).toBe(2);
  expect(modules(bundled('CuckooFilter', '/trace'))).toBe(1);
  expect(modules(bundled('CuckooFilter, Deduper', '/trace'))).toBe(2);
  expect(modules(bundled('RedisBloomFilter', '/redisbloom'))).toBe(0);
});

test.each(['browser', 'workerd', 'edge-light'])(
  'a program for %s, where there are no files, is not bundled with what keeps them, and the message says which import it is',
  (condition) => {
    const bundle = (conditions: string[]): unknown =>
      buildSync({
        stdin: { contents: "import 'cuckoofilter-wasm/file';", resolveDir: __dirname },
        bundle: true,
        write: false,
        platform: 'neutral',
        external: ['node:*'],
        conditions,
        logLevel: 'silent',
      });
    expect(() => bundle([condition])).toThrow(/Could not resolve "cuckoofilter-wasm\/file"/);
    expect(() => bundle([])).not.toThrow();
  },
);

test('no program takes more than its limit', () => {
  const bench = join(__dirname, '../../bench/programs/bundles.mjs');
  const { stdout, stderr } = spawnSync(process.execPath, [bench], { encoding: 'utf8', ...TIME_LIMIT });
  expect(stderr).toBe('');
  expect(stdout.split('\n').length).toBeGreaterThan(7);
});

test('the reader has no WebAssembly, and is ES2020', () => {
  const code = bundled('FilterReader, FormatError, RemoteFilter, REMOTE_HEADER_BYTES', '/reader');
  expect(code).not.toMatch(/fetch|content-range/);
  const withRanges = bundled('fetchRanges, FilterReader', '/reader');
  expect(code).not.toMatch(/WebAssembly|TextEncoder|\bBigInt\b|performance|\d+n\b/);
  const written = (target: string): string => transformSync(withRanges, { target, minifySyntax: false }).code;
  expect(written('es2020')).toBe(written('esnext'));
});

/** The files of a bundle that are loaded at once, for a bundler that puts what is imported later into files of its own. */
function loadedAtOnce(names: string, entry: string): readonly Uint8Array[] {
  const { outputFiles, metafile } = buildSync({
    stdin: { contents: `export { ${names} } from 'cuckoofilter-wasm${entry}';`, resolveDir: __dirname },
    bundle: true,
    splitting: true,
    format: 'esm',
    outdir: 'out',
    write: false,
    minify: true,
    metafile: true,
  });
  const outputs = Object.entries(metafile.outputs);
  const found = new Set(
    outputs.filter(([, { entryPoint }]) => entryPoint === '<stdin>').map(([path]) => path),
  );
  for (const path of found)
    for (const { path: next, kind } of metafile.outputs[path]?.imports ?? [])
      if (kind === 'import-statement') found.add(next);
  expect(found.size).toBeGreaterThan(0);
  return [...found].map(
    (path) =>
      outputFiles.find((file) => file.path.replaceAll('\\', '/').endsWith(path))?.contents as Uint8Array,
  );
}

test('RedisCuckooFilter comes without the core, which is loaded when it is used', () => {
  const files = loadedAtOnce('RedisCuckooFilter', '/redis');
  const code = files.map((bytes) => Buffer.from(bytes).toString()).join('\n');
  expect(code).not.toMatch(/WebAssembly|["'`][0-9a-f]{64}/);
  expect(code).toMatch(/\bimport\(/);
});

/** Opens, fills and asks a filter on a server that is a function, without WebAssembly; then copies it, with WebAssembly. */
const WITHOUT_WEBASSEMBLY = `
  const { WebAssembly } = globalThis;
  delete globalThis.WebAssembly;
  let string;
  const send = async ([name, ...words]) => {
    const numberAt = (at) => Buffer.concat([string.subarray(at, at + 6), Buffer.alloc(6)]).readUIntBE(0, 6);
    if (name === 'BITFIELD') return words.filter((_, i) => i > 0 && i % 3 === 0).map((bit) => numberAt(bit / 8));
    const [action, header, bytes] = words.slice(2 + Number(words[1]));
    if (action === 'look' && string === undefined) return Buffer.concat([Buffer.alloc(6), Buffer.from('a')]);
    if (action === 'look') {
      const length = Buffer.alloc(6);
      length.writeUIntBE(string.length, 0, 6);
      return Buffer.concat([length, string.subarray(0, 72), string.subarray(-32), Buffer.from('a')]);
    }
    if (action === 'made') header.copy(string, 56, 56, 64);
    if (action === 'hold' || action === 'made') return 'made';
    if (action === 'change') return '0'.repeat(bytes.length / 12) + '.1';
    const end = 72 + header.readUInt32LE(64);
    const parts = [[-32], [end, -32], [72, end]];
    if (action === 'changed') return Buffer.concat([Buffer.of(0), ...parts.map((part) => string.subarray(...part))]);
    string = Buffer.alloc(end + 6 + 32);
    header.copy(string);
    string.fill(0, 58, 64); // Until it is made, a shard has no identity.
    bytes.copy(string, string.length - 8, 0, 6);
    string[string.length - 21] = 1;
    return 'created';
  };
  const run = async ({ RedisCuckooFilter }) => {
    const filter = await RedisCuckooFilter.open({ send, name: 'a', capacity: 1000 });
    const added = await filter.addMany(['a', 5, 7n, new Uint8Array(3)]);
    const before = [added, await filter.containsMany(['a', 'b', 'c', 'd', 'e', 'f'])];
    globalThis.WebAssembly = WebAssembly;
    const replica = await filter.replica({ refreshMs: 0 });
    console.log([...before, replica.has('a'), replica.size].join());
  };`;

test.each([
  ['an ES module', "import('cuckoofilter-wasm/redis').then(run);", 'module'],
  ['CommonJS', "run(require('cuckoofilter-wasm/redis'));", 'commonjs'],
])('from %s, RedisCuckooFilter needs WebAssembly for replicas only', (_, load, type) => {
  const args = [`--input-type=${type}`, '--eval', WITHOUT_WEBASSEMBLY + load];
  expect(execFileSync(process.execPath, args, { cwd: __dirname, encoding: 'utf8' })).toBe(
    '4,0,0,0,0,0,0,false,0\n',
  );
});
