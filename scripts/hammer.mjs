// `npm run hammer -- seconds [seed] [threads]`: builds the hammer and lets threads hammer shared filters that long.
// Invariant: what it prints is enough to run the same rounds again; how their threads interleave is the machine's affair.
import { join } from 'node:path';

import { bootstrap } from './bootstrap.mjs';
import { cmake, root, run, say } from './run.mjs';

const { env } = await bootstrap(['native']);
say('building the hammer (tests/soak/hammer.cpp)');
await cmake('dev', env);
await run(join(root, 'build/dev/tests/hammer'), process.argv.slice(2), { env });
