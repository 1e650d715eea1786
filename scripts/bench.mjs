// `npm run bench`: builds, then measures the package in Node and the same workloads natively, one after the other.
// `npm run bench -- sizes` (or `kicks`, `load`, `attack`) runs that native bench alone, with the arguments behind its
// name; `npm run bench -- hash` compares the package's hashes in Node.
// Invariant: nothing else runs meanwhile, and every figure is printed beside its reference from the same run.
import { join } from 'node:path';

import { bootstrap } from './bootstrap.mjs';
import { build } from './build.mjs';
import { cmake, root, run, say } from './run.mjs';

const [name, ...words] = process.argv.slice(2);
const native = join(root, 'build/dev/tests/bench');
if (name !== undefined && !['sizes', 'kicks', 'load', 'attack', 'hash'].includes(name)) {
  console.error(`no bench has the name ${name}: sizes, kicks, load, attack or hash`);
  process.exit(2);
}

const isPackage = name === undefined || name === 'hash';
const isNative = name !== 'hash';
const { env } = await bootstrap([...(isPackage ? ['npm', 'wasm'] : []), ...(isNative ? ['native'] : [])]);
say('building');
if (isPackage) await build(env);
if (isNative) await cmake('dev', env);

if (name === 'hash') {
  say('XXH64 beside SipHash-1-3 in Node (tests/bench/hash.mjs)');
  await run(process.execPath, [join(root, 'tests/bench/hash.mjs')], { env });
} else if (name !== undefined) {
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
