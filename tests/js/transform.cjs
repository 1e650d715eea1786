// Turns TypeScript into CommonJS for Jest. Types are checked by `npm run check`, not here.
const { transformSync } = require('esbuild');

module.exports = {
  process(source, path) {
    const { code, map } = transformSync(source, {
      loader: path.endsWith('x') ? 'tsx' : 'ts',
      format: 'cjs',
      target: 'node20',
      sourcefile: path,
      sourcemap: 'external',
      jsx: 'automatic',
      jsxImportSource: 'preact',
    });
    return { code, map };
  },
};
