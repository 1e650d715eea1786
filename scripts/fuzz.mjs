// `npm run fuzz [-- seconds]`: builds the fuzz bodies with libFuzzer and runs each from the stored corpus.
// Invariant: new inputs go to build/corpus, so that the stored corpus changes only on purpose.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { bootstrap } from './bootstrap.mjs';
import { cmake, root, run, say } from './run.mjs';

const seconds = Number(process.argv[2] ?? 60);
const { env } = await bootstrap(['native']);
say('building the fuzz bodies (they need clang with its libFuzzer runtime)');
await cmake('fuzz', env);
for (const body of ['operations', 'format']) {
  say(`fuzzing ${body} for ${seconds} seconds`);
  const found = join(root, 'build/corpus', body);
  await mkdir(found, { recursive: true });
  const limits = [`-max_total_time=${seconds}`, '-max_len=4096', '-print_final_stats=1'];
  await run(
    join(root, 'build/fuzz/tests', `fuzz_${body}`),
    [...limits, found, join(root, 'tests/fuzz/corpus', body)],
    { env },
  );
}
