// `npm run bench`: builds, then measures the package in Node and the same workloads natively, one after the other.
// Invariant: nothing else runs meanwhile, and every figure is printed beside its reference from the same run.
import { join } from 'node:path';

import { bootstrap } from './bootstrap.mjs';
import { build } from './build.mjs';
import { cmake, root, run, say } from './run.mjs';

const { env } = await bootstrap(['npm', 'wasm', 'native']);
say('building');
await build(env);
await cmake('dev', env);

say('the package in Node (tests/bench/filter.mjs)');
await run(process.execPath, [join(root, 'tests/bench/filter.mjs')], { env });
say('the library natively (tests/bench/filter.cpp)');
await run(
  join(root, 'build/dev/tests/bench/filter_bench'),
  ['--benchmark_repetitions=5', '--benchmark_report_aggregates_only'],
  { env },
);
