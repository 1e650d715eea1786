// `npm run fuzz [-- seconds]`: builds the fuzz targets with libFuzzer and runs each from the stored corpus and the
// golden files. Invariant: new inputs go to build/corpus, so that the stored corpus changes only on purpose: `npm run
// fuzz -- --merge` adds the new inputs that cover more than the stored ones.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { bootstrap } from './bootstrap.mjs';
import { cmake, root, run, say } from './run.mjs';

const isMerge = process.argv[2] === '--merge';
const seconds = Number((isMerge ? undefined : process.argv[2]) ?? 60);
const { env } = await bootstrap(['native']);
say('building the fuzz bodies (they need clang with its libFuzzer runtime)');
await cmake('fuzz', env);
for (const body of ['operations', 'format']) {
  const found = join(root, 'build/corpus', body);
  const stored = join(root, 'tests/fuzz/corpus', body);
  const program = join(root, 'build/fuzz/tests', `fuzz_${body}`);
  await mkdir(found, { recursive: true });
  if (isMerge) {
    say(`merging what was found for ${body}`);
    await run(program, ['-merge=1', stored, found], { env });
    continue;
  }
  say(`fuzzing ${body} for ${seconds} seconds`);
  const limits = [`-max_total_time=${seconds}`, '-max_len=4096', '-timeout=10', '-use_value_profile=1'];
  const golden = body === 'format' ? [join(root, 'tests/golden')] : [];
  await run(program, [...limits, '-print_final_stats=1', found, stored, ...golden], { env });
}
