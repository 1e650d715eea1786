// `npm run test:demo`: the tests of the demo with the long matrix: every place, in both languages, both themes and two
// widths, and more seeds. `npm test` runs the same tests on a part of it.
import { join } from 'node:path';

import { bootstrap } from './bootstrap.mjs';
import { build } from './build.mjs';
import { root, run } from './run.mjs';

const { env } = await bootstrap(['npm', 'wasm', 'browser']);
await build(env);
const jest = join(root, 'node_modules/jest/bin/jest.js');
await run(process.execPath, [jest, 'tests/js/demo', 'tests/js/timeline'], {
  env: { ...env, DEMO_MATRIX: 'long' },
});
