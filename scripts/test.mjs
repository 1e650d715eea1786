// `npm test`: sets up what is missing, builds, and runs every test: native under sanitizers, Jest in Node, Chromium,
// the packed tarball. `npm run test:long` (--long) runs in full those tests that repeat something, of which `npm test` runs
// a part. Words after either choose tests by their names: those of C++, and of the files of Jest.
// Invariant: the last line is the sum over all runners, and the exit code is 0 only if none failed.
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

import { bootstrap } from './bootstrap.mjs';
import { build } from './build.mjs';
import { cmake, root, run, say } from './run.mjs';

/** What the tests need to be set up. */
export const NEEDS = ['npm', 'wasm', 'native', 'browser', 'redis'];

const JEST = join(root, 'node_modules/jest/bin/jest.js');

/** Builds what the tests test: the package and the native tests at the same time, because neither keeps all processors busy. */
export async function buildAll(env) {
  say('building the package and the native tests');
  await Promise.all([build(env), cmake('asan', env)]);
}

/** Runs every test, or with `isLong` the long form of those that have one; returns how many passed and failed. */
export async function runTests(env, { isLong = false, words = [] } = {}) {
  const long = isLong ? ', in full' : '';
  const settings = { ...env };
  delete settings.LONG_TESTS;
  if (isLong) settings.LONG_TESTS = '1';
  say(`native tests under AddressSanitizer and UndefinedBehaviorSanitizer${long}`);
  const native = await testNative(settings, isLong, words);
  say(`Jest: the package in Node, in Chromium, and installed from its tarball${long}`);
  const jest = await testJest(settings, isLong, words);
  return { passed: native.passed + jest.passed, failed: native.failed + jest.failed };
}

/** Prints the last line, and sets the exit code. */
export function report({ passed, failed }) {
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}

async function testNative(env, isLong, words) {
  // Small letters or capitals, as for Jest.
  const anyCase = (word) => word.replaceAll(/[a-z]/gi, (c) => `[${c.toLowerCase()}${c.toUpperCase()}]`);
  const chosen = words.length > 0 ? ['-R', words.map(anyCase).join('|')] : [];
  const { output } = await run(
    'ctest',
    [
      ...['--preset', 'asan', '--progress', '--parallel', String(Math.max(2, availableParallelism()))],
      ...(isLong ? ['--label-regex', 'long'] : []),
      ...chosen,
    ],
    { env, mayFail: true },
  );
  if (words.length > 0 && output.includes('No tests were found')) return { passed: 0, failed: 0 };
  const [, failures, all] = /(\d+) tests? failed out of (\d+)/.exec(output) ?? [0, 1, 1];
  return { passed: all - failures, failed: Number(failures) };
}

async function testJest(env, isLong, words) {
  const file = join(root, 'build/jest.json');
  await mkdir(join(root, 'build'), { recursive: true });
  await rm(file, { force: true });
  const files = isLong ? await longFiles(env, words) : words;
  if (isLong && files.length === 0) return { passed: 0, failed: 0 };
  const chosen = isLong ? ['--runTestsByPath', ...files] : files;
  // Processes that a test kills, browsers, and programs in documents leave files behind.
  const temporary = await mkdtemp(join(tmpdir(), 'tests-'));
  await chmod(temporary, 0o755); // some tests run the command as another user
  const own = { ...env, TMPDIR: temporary };
  await run(process.execPath, [JEST, '--json', `--outputFile=${file}`, ...chosen], {
    env: own,
    mayFail: true,
  });
  await rm(temporary, { recursive: true, force: true });
  // Jest cannot write a failure that holds itself, as the error of a program that ran out of time does.
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
    await readFile(file, 'utf8'),
  );
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
}

/** The test files that have a long form, because they import what tells how much to do, and one of `words` in their path. */
async function longFiles(env, words) {
  const source = join(root, 'tests/js/support/long.ts');
  const options = ['--listTests', '--findRelatedTests', source];
  const { output } = await run(process.execPath, [JEST, ...options], { env, quiet: true });
  const files = output.split('\n').filter((line) => line.endsWith('.test.ts'));
  return files.filter(
    (path) => words.length === 0 || words.some((word) => relative(root, path).includes(word)),
  );
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const isLong = process.argv.includes('--long');
  const words = process.argv.slice(2).filter((word) => word !== '--long');
  const { env } = await bootstrap(NEEDS);
  await buildAll(env);
  report(await runTests(env, { isLong, words }));
}
