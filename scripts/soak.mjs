// `npm run soak -- operations [seed]`: builds the soak and lets it do that many random operations; a billion take minutes.
// Invariant: what it prints is enough to run it again: the same words give the same operations on every machine.
import { join } from 'node:path';

import { bootstrap } from './bootstrap.mjs';
import { cmake, root, run, say } from './run.mjs';

const { env } = await bootstrap(['native']);
say('building the soak (tests/soak/soak.cpp)');
await cmake('dev', env);
await run(join(root, 'build/dev/tests/soak'), process.argv.slice(2), { env });
