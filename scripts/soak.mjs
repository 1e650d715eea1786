// `npm run soak -- operations [seed]`: builds the soak and lets it do that many random operations; a billion take minutes.
// `npm run hammer -- seconds [seed] [threads]`: builds the hammer and lets threads hammer shared filters that long.
// Invariant: what is printed is enough to do the same operations again; how threads interleave is the machine's affair.
import { join } from 'node:path';

import { bootstrap } from './bootstrap.mjs';
import { cmake, root, run, say } from './run.mjs';

const [program, ...words] = process.argv.slice(2);
const { env } = await bootstrap(['native']);
say(`building the ${program} (tests/soak/${program}.cpp)`);
await cmake('dev', env, { targets: [program] });
await run(join(root, 'build/dev/tests', program), words, { env });
