// `npm start`: sets up what is missing, builds, runs the main job on real input, then serves the demo.
// Invariant: every figure printed comes from the example's run just now.
import { join } from 'node:path';

import { bootstrap } from './bootstrap.mjs';
import { build } from './build.mjs';
import { buildDemo } from './pages/demo.mjs';
import { root, run, say } from './run.mjs';

const { env } = await bootstrap(['npm', 'wasm']);

say('building the package');
await build(env);

say('removing duplicate lines from the source code that npm installed (js/examples/dedup.mjs)');
await run(process.execPath, [join(root, 'js/examples/dedup.mjs')], { env });

say('building the demo');
await buildDemo();
const { preview } = await import('vite');
const server = await preview({
  root: join(root, 'demo'),
  logLevel: 'warn',
  preview: { port: Number(env.PORT ?? 4173) },
});
say(`the demo is at ${server.resolvedUrls.local[0]} (Ctrl-C ends it)`);
