// What a bundler makes of programs that use a part of the package: the rest stays out.
import { expect, test } from '@jest/globals';
import { buildSync, transformSync } from 'esbuild';
import { gzipSync } from 'node:zlib';

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
  expect(modules(bundled('RedisBloomFilter', '/redis'))).toBe(0);
});

test('the reader takes less than 5,300 bytes gzipped, has no WebAssembly, and is ES2020', () => {
  const code = bundled('FilterReader, FormatError, RemoteFilter, REMOTE_HEADER_BYTES', '/reader');
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(5300);
  expect(code).not.toMatch(/fetch|content-range/);
  const withRanges = bundled('fetchRanges, FilterReader', '/reader');
  expect(gzipSync(withRanges, { level: 9 }).length).toBeLessThan(6300);
  expect(code).not.toMatch(/WebAssembly|TextEncoder|\bBigInt\b|performance|\d+n\b/);
  const written = (target: string): string => transformSync(withRanges, { target, minifySyntax: false }).code;
  expect(written('es2020')).toBe(written('esnext'));
});
