// `npm run bench`: builds, then measures the package in Node and the same workloads natively, one after the other.
// `npm run bench -- sizes` (or `kicks`, `load`) runs that native bench alone, with the arguments behind its name.
// Invariant: nothing else runs meanwhile, and every figure is printed beside its reference from the same run.
import { join } from 'node:path';

import { bootstrap } from './bootstrap.mjs';
import { build } from './build.mjs';
import { cmake, root, run, say } from './run.mjs';

const [name, ...words] = process.argv.slice(2);
const native = join(root, 'build/dev/tests/bench');
if (name !== undefined && !['sizes', 'kicks', 'load'].includes(name)) {
  console.error(`no bench has the name ${name}: sizes, kicks or load`);
  process.exit(2);
}

const { env } = await bootstrap(name === undefined ? ['npm', 'wasm', 'native'] : ['native']);
say('building');
if (name === undefined) await build(env);
await cmake('dev', env);

if (name !== undefined) {
  say(`${name} (tests/bench/${name}.cpp)`);
  await run(join(native, name), words, { env });
} else {
  say('the package in Node (tests/bench/filter.mjs)');
  await run(process.execPath, [join(root, 'tests/bench/filter.mjs')], { env });
  say('the library natively (tests/bench/filter.cpp)');
  await run(
    join(native, 'filter_bench'),
    ['--benchmark_repetitions=5', '--benchmark_report_aggregates_only'],
    { env },
  );
}
