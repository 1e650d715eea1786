// `npm run test:stress -- [ROUNDS] [BUSY] [GROUPS]`: runs the tests of `npm test`, or of the groups of scripts/test.mjs
// that are named (`all` for every test), again and again while BUSY processes take the processors, and prints how often each
// test failed. Invariant: a round that fails ends nothing, and the busy processes end with this one, however it ends.
import { spawn } from 'node:child_process';

import { bootstrap } from './bootstrap.mjs';
import { buildFor, groupOf, report, runTests, sumOf } from './test.mjs';

const [rounds = 10, busy = 8] = process.argv.slice(2, 4).map(Number);
const names = process.argv.slice(4);
if (!(rounds > 0 && busy >= 0)) {
  console.error(
    'npm run test:stress -- 10 8 core: how many rounds, how many busy processes, which groups of tests',
  );
  process.exit(2);
}
const group = groupOf(names.length > 0 ? names : ['core']);
const { env } = await bootstrap(group.needs);
await buildFor(group, env);

const LOOP = 'const parent = process.ppid; while (process.ppid === parent);';
const loops = Array.from({ length: busy }, () => spawn(process.execPath, ['-e', LOOP], { stdio: 'ignore' }));
process.on('exit', () => loops.forEach((loop) => loop.kill('SIGKILL')));

const results = [];
for (let round = 1; round <= rounds; ++round) {
  const start = Date.now();
  const result = await runTests(group, env);
  results.push(result);
  const minutes = ((Date.now() - start) / 60_000).toFixed(1);
  const { passed, failed, failures, left } = result;
  console.log(
    `\nround ${round} of ${rounds}, ${busy} busy: ${passed} passed, ${failed} failed, ${minutes} min`,
  );
  for (const name of failures) console.log(`  failed: ${name}`);
  if (left.length > 0) console.log(`  left in the temporary folder: ${left.join(' ')}`);
}
const sum = sumOf(results);
const counts = new Map();
for (const name of sum.failures) counts.set(name, (counts.get(name) ?? 0) + 1);
console.log(`\nof ${rounds} rounds beside ${busy} busy processes:`);
for (const [name, count] of counts) console.log(`  failed ${count} times: ${name}`);
report(sum);
process.exit();
