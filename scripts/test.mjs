// `npm test`: sets up what is missing, builds, and runs every test: native under sanitizers, Jest in Node, Chromium,
// the packed tarball. Invariant: the last line is the sum over all runners, and the exit code is 0 only if none failed.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { bootstrap } from './bootstrap.mjs';
import { build } from './build.mjs';
import { cmake, root, run, say } from './run.mjs';

const { env } = await bootstrap(['npm', 'wasm', 'native', 'browser', 'redis']);

say('building the package');
await build(env);
const runners = [
  ['native tests under AddressSanitizer and UndefinedBehaviorSanitizer', testNative],
  ['Jest: the package in Node, in Chromium, and installed from its tarball', testJest],
];
let passed = 0;
let failed = 0;
for (const [title, test] of runners) {
  say(title);
  const result = await test();
  passed += result.passed;
  failed += result.failed;
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

async function testNative() {
  await cmake('asan', env);
  const { output } = await run('ctest', ['--preset', 'asan', '--parallel', '2', '--progress'], {
    env,
    mayFail: true,
  });
  const [, failures, all] = /(\d+) tests? failed out of (\d+)/.exec(output) ?? [0, 1, 1];
  return { passed: all - failures, failed: Number(failures) };
}

async function testJest() {
  const report = join(root, 'build/jest.json');
  await mkdir(join(root, 'build'), { recursive: true });
  await rm(report, { force: true });
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  await run(process.execPath, [jest, '--json', `--outputFile=${report}`], { env, mayFail: true });
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
    await readFile(report, 'utf8'),
  );
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
}
