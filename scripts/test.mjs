// `npm test`: sets up what is missing, builds, and proves the package: the native core under sanitizers, every class, key,
// stream and command in Node, and a smoke of what needs more. `npm run test:all` and its parts run the rest; words choose
// tests of all of them by their names. `npm run test:long` (--long) runs in full those tests that repeat something, of
// which the others run a part.
// Invariant: the last line is the sum over all runners, and the exit code is 0 only if none failed.
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

import { bootstrap } from './bootstrap.mjs';
import { build } from './build.mjs';
import { cmake, root, run, say } from './run.mjs';

/** What a command runs: projects of jest.config.js, labels of CTest, what they need set up, and minutes on two processors. */
const GROUPS = {
  core: {
    jest: ['core', 'smoke'],
    native: ['core'],
    needs: ['npm', 'wasm', 'native', 'browser', 'redis'],
    minutes: 4,
  },
  demo: { jest: ['demo', 'page'], native: [], needs: ['npm', 'wasm', 'browser'], minutes: 4 },
  'redis-server': { jest: ['redis'], native: [], needs: ['npm', 'wasm', 'redis'], minutes: 2 },
  package: { jest: ['package'], native: [], needs: ['npm', 'wasm', 'browser', 'redis'], minutes: 3 },
  conformance: { jest: ['conformance'], native: [], needs: ['npm', 'wasm', 'browser', 'python'], minutes: 1 },
  lint: { jest: ['lint'], native: [], needs: ['npm', 'wasm'], minutes: 0 },
  native: { jest: [], native: ['rest'], needs: ['native'], minutes: 4 },
};

const JEST = join(root, 'node_modules/jest/bin/jest.js');

/** The groups of these names, as one; `all` stands for every group. */
export function groupOf(names) {
  const groups = (names.includes('all') ? Object.keys(GROUPS) : names).map((name) => GROUPS[name]);
  if (groups.includes(undefined))
    throw new Error(`unknown group among ${names.join(' ')}; known are all ${Object.keys(GROUPS).join(' ')}`);
  const joined = (key) => [...new Set(groups.flatMap((group) => group[key]))];
  return {
    jest: joined('jest'),
    native: joined('native'),
    needs: joined('needs'),
    minutes: groups.reduce((sum, { minutes }) => sum + minutes, 0),
  };
}

/** Builds what a group tests: the package and the native tests at the same time, because neither keeps all processors busy. */
export async function buildFor({ jest, native }, env) {
  say(
    `building ${[jest.length > 0 && 'the package', native.length > 0 && 'the native tests'].filter(Boolean).join(' and ')}`,
  );
  const targets = native.map((label) => `${label}_tests`);
  await Promise.all([jest.length > 0 && build(env), native.length > 0 && cmake('asan', env, { targets })]);
}

/**
 * Runs the tests of a group, or with `isLong` the long form of those that have one. Returns how many passed and failed, the
 * names of those that failed, and what they left in the folder for temporary files.
 */
export async function runTests({ jest, native }, env, { isLong = false, words = [] } = {}) {
  const settings = { ...env };
  delete settings.LONG_TESTS;
  if (isLong) settings.LONG_TESTS = '1';
  const results = [];
  if (native.length > 0) results.push(await testNative(native, settings, isLong, words));
  if (jest.length > 0) results.push(await testJest(jest, settings, isLong, words));
  return sumOf(results);
}

/** The sum of several results. */
export function sumOf(results) {
  const sum = { passed: 0, failed: 0, failures: [], left: [] };
  for (const { passed, failed, failures, left = [] } of results) {
    sum.passed += passed;
    sum.failed += failed;
    sum.failures.push(...failures);
    sum.left.push(...left);
  }
  return sum;
}

/** Prints the last line, and sets the exit code. */
export function report({ passed, failed }) {
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}

async function testNative(labels, env, isLong, words) {
  say('native tests under AddressSanitizer and UndefinedBehaviorSanitizer');
  // Small letters or capitals, as for Jest.
  const anyCase = (word) => word.replaceAll(/[a-z]/gi, (c) => `[${c.toLowerCase()}${c.toUpperCase()}]`);
  const chosen = words.length > 0 ? ['-R', words.map(anyCase).join('|')] : [];
  const { output } = await run(
    'ctest',
    [
      ...['--preset', 'asan', '--progress', '--parallel', String(Math.max(2, availableParallelism()))],
      ...['--label-regex', `^(${labels.join('|')})${isLong ? '_long' : ''}`],
      ...chosen,
    ],
    { env, mayFail: true },
  );
  if (words.length > 0 && output.includes('No tests were found')) return sumOf([]);
  const [, failed, all] = /(\d+) tests? failed out of (\d+)/.exec(output) ?? [0, 1, 1];
  const failures = Array.from(output.matchAll(/^\s+\d+ - (\S+) \(/gm), ([, name]) => name);
  return { passed: all - failed, failed: Number(failed), failures };
}

async function testJest(projects, env, isLong, words) {
  say(`Jest: ${projects.join(', ')}`);
  const file = join(root, 'build/jest.json');
  await mkdir(join(root, 'build'), { recursive: true });
  await rm(file, { force: true });
  const selected = ['--selectProjects', ...projects, '--passWithNoTests'];
  const files = isLong ? await longFiles(selected, env, words) : words;
  if (isLong && files.length === 0) return sumOf([]);
  // Processes that a test kills, browsers, and programs in documents leave files behind.
  const temporary = await mkdtemp(join(tmpdir(), 'tests-'));
  await chmod(temporary, 0o755); // some tests run the command as another user
  const own = { ...env, TMPDIR: temporary };
  await run(
    process.execPath,
    [JEST, ...selected, '--json', `--outputFile=${file}`, ...(isLong ? ['--runTestsByPath'] : []), ...files],
    { env: own, mayFail: true },
  );
  const left = readdirSync(temporary);
  await rm(temporary, { recursive: true, force: true });
  // Jest cannot write a failure that holds itself, as the error of a program that ran out of time does.
  if (!existsSync(file)) return { passed: 0, failed: 1, failures: ['Jest ended without results'], left };
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults } = JSON.parse(
    await readFile(file, 'utf8'),
  );
  const failures = testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const names = assertionResults.filter(({ status }) => status === 'failed').map((each) => each.fullName);
      return (names.length > 0 ? names : ['the whole file']).map(
        (each) => `${relative(root, name)}: ${each}`,
      );
    });
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites, failures, left };
}

/** The test files that have a long form, because they import what tells how much to do, and one of `words` in their path. */
async function longFiles(selected, env, words) {
  const source = join(root, 'tests/js/support/long.ts');
  const options = [...selected, '--listTests', '--findRelatedTests', source];
  const { output } = await run(process.execPath, [JEST, ...options], { env, quiet: true });
  const files = output.split('\n').filter((line) => line.endsWith('.test.ts'));
  return files.filter(
    (path) => words.length === 0 || words.some((word) => relative(root, path).includes(word)),
  );
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const isLong = process.argv.includes('--long');
  const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  const [, only] = process.argv.map((word) => /^--only=(.*)$/.exec(word)).find(Boolean) ?? [];
  const group = groupOf((only ?? (isLong || words.length > 0 ? 'all' : 'core')).split(','));
  if (words.length === 0 && !isLong)
    say(
      `about ${group.minutes} minutes on two processors, once everything is installed and built` +
        (only === undefined
          ? '; the first time 3 to 5 minutes more. `npm run test:all` runs every test'
          : ''),
    );
  const { env } = await bootstrap(group.needs);
  await buildFor(group, env);
  report(await runTests(group, env, { isLong, words }));
}
