// How soon the first filter is there: a fresh Node that imports the package, compiles its WebAssembly and makes a filter,
// beside one that imports an empty module. Run with `npm run bench -- ready`.
// Invariant: both run in turn, each in a process of its own, and the time is taken inside of it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { fail, keep, median, printMachine, range } from '../timing.mjs';

const ROUNDS = 41;
const ASKED = 6;
const folder = mkdtempSync(join(tmpdir(), 'cuckoofilter-wasm-ready-'));
const importOf = (file) => `await import(${JSON.stringify(pathToFileURL(file).href)});`;
const empty = join(folder, 'empty.mjs');
writeFileSync(empty, '');
const packed = fileURLToPath(import.meta.resolve('cuckoofilter-wasm'));
const filterOf = (capacity) =>
  `const { CuckooFilter } = ${importOf(packed)} new CuckooFilter({ capacity: ${capacity} }).add('a');`;
const measured = {
  'an empty module': importOf(empty),
  'the package, a filter for 10,000 keys': filterOf(10_000),
  'the package, a filter for 1,000,000 keys': filterOf(1_000_000),
  'the package alone': importOf(packed),
};

printMachine('none');
const times = Object.fromEntries(Object.keys(measured).map((name) => [name, []]));
for (let round = 0; round <= ROUNDS; ++round) {
  for (const [name, script] of Object.entries(measured)) {
    const milliseconds = run(script);
    if (round > 0) times[name].push(milliseconds);
  }
}
console.log('\nms in a fresh Node (median, least to most)');
for (const [name, taken] of Object.entries(times)) console.log(`  ${name.padEnd(42)}${range(taken)}`);
const [nothing, filter] = Object.values(times);
const more = median(filter.map((time, i) => time - nothing[i]));
rmSync(folder, { recursive: true });
keep({ title: 'first filter ready', milliseconds: times, more, reach: ASKED });
console.log(
  `  the first filter takes ${more.toFixed(1)} ms more than an empty module; asked at most ${ASKED}: ` +
    (more <= ASKED ? 'reached' : 'not reached'),
);

function run(script) {
  const timed = `const start = performance.now(); ${script} console.log(performance.now() - start);`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', timed], {
    encoding: 'utf8',
  });
  return status === 0 ? Number(stdout) : fail(stderr);
}
