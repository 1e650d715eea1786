// The mutants of the package and of the command: StrykerJS changes the sources in one place at a time, and the tests of
// the bundles made from them must fail. Invariant: everything happens in a copy under build/, with all mutants of a
// file built in at once and one switched on for a run, in the tests and in the processes that they start. StrykerJS's
// own runner for Jest does not work here: it counts coverage only in Jest's process, so code that only runs in child
// processes of tests, such as the command, would count as not covered; and without coverage, each mutant would cost all
// tests.
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { bootstrap } from '../bootstrap.mjs';
import { bundles, compile } from '../build.mjs';
import { root, run, say } from '../run.mjs';
import { askedOf, cost, reachingPart, sum } from './asked.mjs';
import { endWorkers, failureOf, runTests } from './jest.mjs';
import { inParallel, Kept, option, row, sampled, summarize, tell } from './shared.mjs';

const tools = join(root, 'tests/mutants/js');
const sandbox = join(root, 'build/mutants/js');
/** What the tests' results depend on besides the tests. */
const SOURCES = ['js', 'package.json'].concat(
  ['environment.cjs', 'switch.cjs', 'package-lock.json'].map((name) => `tests/mutants/js/${name}`),
);
const TESTS = [
  'tests/js',
  'tests/golden',
  'tests/fuzz',
  'tests/redis',
  'cpp',
  'bindings',
  'demo/src',
  'docs',
];

/**
 * Types and lists of names, whose mutants are those of other files or change nothing; and the program for servers of Redis,
 * which is text here, of which the build expects the shape.
 */
const NOT_MUTATED =
  /\.d\.ts$|^js\/(src\/(index|common|scalable|expiring|values|counter|audit|trace|reader|engine\/bindings)|redis\/index|redisbloom\/index)\.ts$/;

/**
 * Tests that need a browser, a network of packages, or the whole checkout; that wait for the collector; or that judge
 * figures by statistics, which take long and find no more.
 */
const NOT_RUN =
  /^(demo\/.*|browser\/.*|api\/symmetry|docs\/(example|readme|recipes)|engine\/bindings|filters\/(model|rate)|package\/(bundle|declarations|imports|package|versions)|scripts\/.*|shared\/browser)\.test\.ts$/;

/** A run takes this many times as long as without a mutant, and this many milliseconds more, before it is stopped. */
const PATIENCE = 3;
const MORE_PATIENCE_MS = 8_000;
/** And without a mutant for so many. */
const MOST_MS = 1_200_000;

/** A mutant is asked about by tests of so many milliseconds, the likeliest to notice it first; what others alone notice survives. */
const ASKED_MS = 2_000;
/** The remaining tests are stopped after this many milliseconds: with a mutant, even a slow test often fails early. */
const EARLY_MS = 4_000;

/** Times a mutant is reached more often than without it before it counts as an endless loop. */
const HITS = 100;

/**
 * Mutates the files that `words` name, or all, and has them tested by all tests or, with `--tests=cli/,keys/`, by those
 * whose paths in tests/js begin so; with `--sample=300`, that many mutants, evenly spread over the files, and others
 * with another `--seed=2`. Sets the exit code to 1 if too few are killed.
 */
export async function mutantsJs(words) {
  const stems = option(words, 'tests') ?? '';
  const { env } = await bootstrap(['npm', 'wasm', 'redis']);
  await run('npm', ['ci', '--prefix', tools, '--no-audit', '--no-fund'], { env, onlyIfFailed: true });
  await compile(env);
  const files = await filesToMutate(words.filter((word) => !word.startsWith('--')));
  const { sources, mutants: all } = await instrumented(files);
  const mutants = sampled(all, words);
  const kept = await Kept.open(`${sandbox}-results`, SOURCES, TESTS);
  await makeSandbox();
  const reach = async () => {
    say(`which tests reach the mutants in ${files.length} files`);
    await put(sources, files);
    return testsThatReach(stems.split(','));
  };
  const tests = await kept.once(`${stems}: tests that reach ${files.join(' ')}`, reach);
  endWorkers();
  for (const test of tests) test.reached = new Map(test.reached);
  say(`${mutants.length} of ${all.length} mutants`);
  for (const file of files) {
    await put(sources, [file]);
    const own = mutants.filter((mutant) => mutant.file === file);
    const kills = new Map();
    await inParallel(own, async (mutant) => {
      const reaching = tests
        .filter(({ reached }) => reached.has(mutant.id))
        .map((test) => reachingPart(test, mutant))
        .sort((one, other) => cost(one, file, kills) - cost(other, file, kills));
      const judge = async () => {
        const failed = await failureWith(mutant, askedOf(reaching, ASKED_MS));
        kills.set(failed, (kills.get(failed) ?? 0) + 1);
        return failed === false ? 'survived' : 'killed';
      };
      mutant.isReached = reaching.length > 0;
      mutant.state = await kept.verdict(`${stems}: ${file} ${mutant.place}`, judge);
      if (mutant.state === 'survived') tell(mutant);
    });
    endWorkers(); // The next have other bundles.
    console.log(row(file, own).text);
  }
  summarize(mutants);
}

async function filesToMutate(words) {
  const all = [];
  for (const folder of ['js/src', 'js/redis', 'js/redisbloom', 'js/cli'])
    for (const name of await readdir(join(root, folder), { recursive: true }))
      if (name.endsWith('.ts') && !NOT_MUTATED.test(`${folder}/${name}`)) all.push(`${folder}/${name}`);
  const unknown = words.filter((word) => !all.includes(word));
  if (unknown.length > 0) throw new Error(`no source of the package or the command: ${unknown.join(', ')}`);
  return words.length > 0 ? words : all;
}

/** The text of each file, StrykerJS's version of it with every mutant built in, and the mutants. */
async function instrumented(files) {
  const from = (name) => import(join(tools, 'node_modules', name));
  const { createInstrumenter } = await from('@stryker-mutator/instrumenter/dist/src/index.js');
  const { createInjector } = await from('typed-inject/dist/src/index.js');
  const quiet = { isDebugEnabled: () => false, debug() {}, info() {}, warn() {} };
  const instrumenter = createInjector().provideValue('logger', quiet).injectFunction(createInstrumenter);
  const read = async (file) => [file, await readFile(join(root, file), 'utf8')];
  const contents = new Map(await Promise.all(files.map(read)));
  const result = await instrumenter.instrument(
    files.map((name) => ({ name, mutate: true, content: contents.get(name) })),
    { excludedMutations: [], ignorers: [], plugins: null },
  );
  const mutants = result.mutants.map((mutant) => ({
    id: mutant.id,
    file: mutant.fileName,
    /** Tells it from all others of the file, whichever files are mutated. */
    place: `${Object.values(mutant.location).map(({ line, column }) => `${line}:${column}`)} ${mutant.replacement}`,
    ...linesOf(mutant, contents.get(mutant.fileName).split('\n')),
  }));
  return { sources: new Map(result.files.map(({ name, content }) => [name, content])), mutants };
}

/** Where a mutant is, the line as it stands there, and what becomes of it, both without white space that matters little. */
function linesOf({ location: { start, end }, replacement }, lines) {
  const before = lines[start.line].slice(0, start.column);
  const behind = lines[end.line].slice(end.column);
  const plain = (text) => text.replaceAll(/\s+/g, ' ').trim();
  const original = lines.slice(start.line, end.line + 1).join('\n');
  return {
    number: start.line + 1,
    line: shortened(plain(original)),
    becomes: shortened(plain(before + replacement + behind)),
  };
}

function shortened(text) {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** A copy of what the tests need, without the bundles. */
async function makeSandbox() {
  await rm(sandbox, { recursive: true, force: true });
  await mkdir(join(sandbox, 'tests'), { recursive: true });
  for (const name of ['package.json', 'tsconfig.json', 'README.md', 'tests/js', 'tests/redis', 'js'])
    await cp(join(root, name), join(sandbox, name), { recursive: true });
  for (const name of ['node_modules', 'cpp', 'demo', 'docs', 'tests/golden', 'tests/fuzz'])
    await symlink(join(root, name), join(sandbox, name));
  const jest = {
    testEnvironment: join(tools, 'environment.cjs'),
    testMatch: ['<rootDir>/tests/js/**/*.test.ts'],
    transform: { '\\.tsx?$': '<rootDir>/tests/js/transform.cjs' },
    transformIgnorePatterns: ['/node_modules/', '/dist/'],
    moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
    setupFilesAfterEnv: ['<rootDir>/tests/js/support/equality.ts'],
    testTimeout: 120_000,
    cacheDirectory: join(sandbox, 'cache'),
    reporters: ['default'],
    watchman: false,
  };
  await writeFile(join(sandbox, 'jest.config.json'), JSON.stringify(jest));
}

/** Puts `files` with their mutants into the sandbox and all others as they are, and bundles them. */
async function put(sources, files) {
  for (const [file, content] of sources) {
    const target = join(sandbox, file);
    if (files.includes(file)) await writeFile(target, content);
    else await cp(join(root, file), target);
  }
  await bundles(sandbox);
}

/** Runs every test file whose path in tests/js begins with one of `stems` without a mutant: how long it takes, and what its tests reach. */
async function testsThatReach(stems) {
  const names = (await readdir(join(sandbox, 'tests/js'), { recursive: true })).filter(
    (name) => stems.some((stem) => name.startsWith(stem)) && name.endsWith('.test.ts') && !NOT_RUN.test(name),
  );
  const files = [];
  await inParallel(names, async (name) => {
    const folder = await mkdtemp(join(sandbox, 'reached-'));
    // Processes that count every mutant are slow.
    const variables = { MUTANTS_REACHED: folder, TEST_TIME_LIMIT_MS: '600000' };
    const { code, output } = await runTests(sandbox, { name }, variables);
    const times = join(folder, 'times');
    const limits = { MUTANT: '', MUTANT_TIMES: times, TEST_TIME_LIMIT_MS: '600000' };
    const start = performance.now();
    if (code !== 0 || (await failureOf(sandbox, [{ name }], limits, MOST_MS))) {
      console.log(`left out: ${name} fails without a mutant\n${output}`);
      return;
    }
    const all = performance.now() - start;
    const durations = JSON.parse(await readFile(times, 'utf8'));
    await rm(times);
    const overhead = Math.max(0, all - sum(Object.values(durations)));
    files.push({ name, overhead, durations, reached: await reachedIn(folder) });
  });
  return files;
}

/** How often each test reached each mutant, in that process which reached it most: pairs by mutant, then by test. */
async function reachedIn(folder) {
  const reached = new Map();
  for (const name of await readdir(folder)) {
    for (const [test, hits] of JSON.parse(await readFile(join(folder, name), 'utf8'))) {
      for (const [id, times] of Object.entries(hits)) {
        if (!reached.has(id)) reached.set(id, new Map());
        const tests = reached.get(id);
        tests.set(test, Math.max(times, tests.get(test) ?? 0));
      }
    }
  }
  return [...reached].map(([id, tests]) => [id, [...tests]]);
}

/** As `failureOf`, with a mutant. A remaining test counts only if it fails before it is stopped. */
async function failureWith({ id }, { asked, milliseconds, left }) {
  const failure = (files, limit) => {
    if (files.length === 0) return false;
    const hits = Math.max(...files.map((file) => file.hits));
    const variables = { MUTANT: id, MUTANT_HITS: String(HITS * (hits + 1)), TEST_TIME_LIMIT_MS: '10000' };
    return failureOf(sandbox, files, variables, limit);
  };
  const failed = await failure(asked, PATIENCE * milliseconds + MORE_PATIENCE_MS);
  if (failed !== false) return failed;
  const early = await failure(left, EARLY_MS);
  return early === true ? false : early;
}
