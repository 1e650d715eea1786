// What a bundler makes of programs that use a part of the package: the rest stays out.
import { expect, test } from '@jest/globals';
import { buildSync } from 'esbuild';

/** The code for a program that uses these names of the package. */
function bundled(names: string): string {
  const { outputFiles } = buildSync({
    stdin: {
      contents: `import { ${names} } from 'cuckoofilter-wasm'; console.log(${names});`,
      resolveDir: __dirname,
    },
    bundle: true,
    format: 'esm',
    write: false,
    minify: true,
  });
  return outputFiles[0]?.text ?? '';
}

test('the deduper and its streams are left out where they are not used', () => {
  expect(bundled('CuckooFilter')).not.toMatch(/"Deduper"|TransformStream/);
  expect(bundled('Deduper')).not.toMatch(/TransformStream/);
  expect(bundled('dedupeStream')).toMatch(/"Deduper".*TransformStream/s);
});
