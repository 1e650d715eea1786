// The mutants of the package and of the command: StrykerJS changes the sources in one place at a time, and the tests of
// the bundles made from them must fail. Invariant: everything happens in a copy under build/, with all mutants of a file
// built in at once and one switched on for a run, in the tests and in the processes that they start.
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';

import { bootstrap } from './bootstrap.mjs';
import { bundles, compile } from './build.mjs';
import { root, run, say } from './run.mjs';

/** Of the mutants that change anything, this share must be killed. */
const SHARE = 0.95;

const tools = join(root, 'tests/mutants/js');
const sandbox = join(root, 'build/mutants/js');

/** Types and lists of names, whose mutants are those of other files or change nothing. */
const NOT_MUTATED =
  /\.d\.ts$|^js\/src\/(index|scalable|expiring|values|counter|trace|reader|redis|wasm\/bindings)\.ts$/;

/**
 * Tests that need a browser, a network of packages, or the whole checkout; that wait for the collector; or that judge
 * figures by statistics, which take long and find no more.
 */
const NOT_RUN =
  /^(bindings|browser|bundle|demo\..*|demo|example|imports|package|plots|readme|store|timeline|filter\.(model|rate))\.test\.ts$/;

/** A run takes this many times as long as without a mutant, and this many milliseconds more, before it is stopped. */
const PATIENCE = 3;
const MORE_PATIENCE_MS = 20_000;

/** Times a mutant is reached more often than without it before it counts as an endless loop. */
const HITS = 100;

/**
 * Mutates the files that `words` name, or all, and has them tested by all tests or, with `--tests=cli,keys`, by those
 * whose names begin so; with `--sample=300`, that many mutants, evenly spread over the files, and others with another
 * `--seed=2`. Sets the exit code to 1 if too few mutants are killed.
 */
export async function mutantsJs(words) {
  const option = (name) => words.map((word) => word.split(`--${name}=`)[1]).find(Boolean);
  const stems = option('tests') ?? '';
  const { env } = await bootstrap(['npm', 'wasm']);
  await run('npm', ['ci', '--prefix', tools, '--no-audit', '--no-fund'], { env, onlyIfFailed: true });
  await compile(env);
  const files = await filesToMutate(words.filter((word) => !word.startsWith('--')));
  const equivalents = new Equivalents(JSON.parse(await readFile(join(tools, 'equivalent.json'), 'utf8')));
  const { sources, mutants: all } = await instrumented(files);
  const mutants = sampled(all, Number(option('sample') ?? all.length), Number(option('seed') ?? 0));
  await makeSandbox();

  say(`${mutants.length} mutants in ${files.length} files: which tests reach them`);
  await put(sources, files);
  const tests = await testsThatReach(stems.split(','));
  const results = [];
  for (const file of files) {
    await put(sources, [file]);
    const own = mutants.filter((mutant) => mutant.file === file);
    results.push(await judge(file, own, tests, equivalents));
  }
  await writeFile(join(sandbox, 'results.json'), JSON.stringify(results.flatMap(({ judged }) => judged)));
  summarize(results, mutants.length < all.length ? [] : equivalents.unused(files));
}

/** `count` of the mutants, at equal distances; which ones, `seed` says. */
function sampled(mutants, count, seed) {
  if (count >= mutants.length) return mutants;
  // Multiples of the golden ratio lie far from each other, so few mutants are in the samples of two seeds.
  const first = (0.5 + 0.618034 * seed) % 1;
  return Array.from({ length: count }, (_, i) => mutants[Math.floor(((i + first) * mutants.length) / count)]);
}

async function filesToMutate(words) {
  const all = [];
  for (const folder of ['js/src', 'js/cli'])
    for (const name of await readdir(join(root, folder), { recursive: true }))
      if (name.endsWith('.ts') && !NOT_MUTATED.test(`${folder}/${name}`)) all.push(`${folder}/${name}`);
  const unknown = words.filter((word) => !all.includes(word));
  if (unknown.length > 0) throw new Error(`no source of js/src or js/cli: ${unknown.join(', ')}`);
  return words.length > 0 ? words : all;
}

/** StrykerJS's sources with every mutant in them, by file, and the mutants. */
async function instrumented(files) {
  const from = (name) => import(join(tools, 'node_modules', name));
  const { createInstrumenter } = await from('@stryker-mutator/instrumenter/dist/src/index.js');
  const { createInjector } = await from('typed-inject/dist/src/index.js');
  const quiet = { isDebugEnabled: () => false, debug() {}, info() {}, warn() {} };
  const instrumenter = createInjector().provideValue('logger', quiet).injectFunction(createInstrumenter);
  const contents = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
  const result = await instrumenter.instrument(
    files.map((name, i) => ({ name, mutate: true, content: contents[i] })),
    { excludedMutations: [], ignorers: [], plugins: null },
  );
  const mutants = result.mutants.map((mutant) => ({
    id: mutant.id,
    file: mutant.fileName,
    name: mutant.mutatorName,
    ...linesOf(mutant, contents[files.indexOf(mutant.fileName)].split('\n')),
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
  for (const name of ['package.json', 'tsconfig.json', 'tests/js', 'js'])
    await cp(join(root, name), join(sandbox, name), { recursive: true });
  for (const name of ['node_modules', 'cpp', 'demo', 'docs', 'tests/golden', 'tests/fuzz'])
    await symlink(join(root, name), join(sandbox, name));
  const jest = {
    testEnvironment: join(tools, 'environment.cjs'),
    testSequencer: join(tools, 'sequencer.cjs'),
    testMatch: ['<rootDir>/tests/js/**/*.test.ts'],
    transform: { '\\.tsx?$': '<rootDir>/tests/js/transform.cjs' },
    transformIgnorePatterns: ['/node_modules/', '/dist/'],
    moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
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

/** Runs every test file whose name begins with one of `stems` without a mutant: how long it takes, and what its tests reach. */
async function testsThatReach(stems) {
  const names = (await readdir(join(sandbox, 'tests/js'))).filter(
    (name) => stems.some((stem) => name.startsWith(stem)) && name.endsWith('.test.ts') && !NOT_RUN.test(name),
  );
  const files = [];
  await inParallel(names, async (name) => {
    const folder = await mkdtemp(join(sandbox, 'reached-'));
    const start = performance.now();
    // Processes that count every mutant are slow.
    const variables = { MUTANTS_REACHED: folder, TEST_TIME_LIMIT_MS: '600000' };
    const { code, output } = await runTests([{ name }], variables, Infinity);
    if (code !== 0) throw new Error(`${name} fails without a mutant:\n${output}`);
    files.push({ name, milliseconds: performance.now() - start, reached: await reachedIn(folder) });
  });
  return files;
}

/** How often each test reached each mutant, in that process which reached it most: by mutant, then by test. */
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
  return reached;
}

/** Switches on each of a file's mutants and runs the tests that reach it. */
async function judge(file, mutants, testFiles, equivalents) {
  const judged = [];
  await inParallel(mutants, async (mutant) => {
    const equivalent = equivalents.take(mutant);
    const reaching = testFiles
      .filter(({ reached }) => reached.has(mutant.id))
      .sort((one, other) => cost(one, file) - cost(other, file));
    const state = equivalent ? 'equivalent' : (await isKilled(mutant, reaching)) ? 'killed' : 'survived';
    judged.push({ ...mutant, state, reached: reaching.length > 0 });
    if (state === 'survived') tell(mutant, reaching);
  });
  const counted = (state) => judged.filter((mutant) => mutant.state === state).length;
  const result = {
    file,
    judged,
    killed: counted('killed'),
    survived: counted('survived'),
    equivalent: counted('equivalent'),
  };
  console.log(row(result));
  return result;
}

/** What it costs to ask a test about a file's mutants: its time, but the file's own tests come first. */
function cost({ name, milliseconds }, file) {
  const [stem] = basename(file).split('.');
  return name.split(/[.-]/).includes(stem) ? milliseconds / 100 : milliseconds;
}

async function isKilled({ id }, testFiles) {
  if (testFiles.length === 0) return false;
  const hits = Math.max(...testFiles.flatMap(({ reached }) => [...reached.get(id).values()]));
  const milliseconds = testFiles.reduce((sum, file) => sum + file.milliseconds, 0);
  const { code } = await runTests(
    testFiles.map(({ name, reached }) => {
      const tests = [...reached.get(id).keys()];
      // What is reached outside of a test may change each of them.
      return tests.includes('') ? { name } : { name, tests };
    }),
    { MUTANT: id, MUTANT_HITS: String(HITS * (hits + 1)), TEST_TIME_LIMIT_MS: '30000' },
    PATIENCE * milliseconds + MORE_PATIENCE_MS,
  );
  return code !== 0;
}

/** Process groups that run tests now. */
const groups = new Set();

process.on('exit', () => groups.forEach(stop));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

function stop(group) {
  groups.delete(group);
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/**
 * Runs the chosen tests of files, or all of a file, one file after the other up to the first failure. The code is not 0
 * where one failed or took too long.
 */
async function runTests(chosen, variables, milliseconds) {
  const folder = await mkdtemp(join(sandbox, 'temporary-'));
  const list = join(folder, 'tests.json');
  await writeFile(list, JSON.stringify(chosen));
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const paths = chosen.map(({ name }) => join(sandbox, 'tests/js', name));
  const parameters = ['--config', 'jest.config.json', '--runInBand', '--bail', '--runTestsByPath', ...paths];
  const child = spawn(process.execPath, [jest, ...parameters], {
    cwd: sandbox,
    // A group of its own, so that what the tests start ends with them.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: folder, MUTANT_TESTS: list, ...variables },
  });
  groups.add(child.pid);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const timer = Number.isFinite(milliseconds) ? setTimeout(stop, milliseconds, child.pid) : undefined;
  const code = await new Promise((resolve) => child.on('exit', resolve));
  clearTimeout(timer);
  stop(child.pid);
  await rm(folder, { recursive: true, force: true });
  return { code, output };
}

/** Runs `action` on each value, as many at a time as there are processors. */
async function inParallel(values, action) {
  const left = [...values];
  const work = async () => {
    while (left.length > 0) await action(left.shift());
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

/** The list of mutants that change nothing that anybody could notice. */
class Equivalents {
  #left;

  constructor(groups) {
    this.#left = groups.flatMap(({ file, mutants }) =>
      Object.entries(mutants).flatMap(([line, all]) =>
        all.map((becomes) => ({ file, line, becomes, used: false })),
      ),
    );
  }

  /** Whether `mutant` is listed. */
  take(mutant) {
    const found = this.#left.filter(
      ({ file, line, becomes }) => file === mutant.file && line === mutant.line && becomes === mutant.becomes,
    );
    for (const entry of found) entry.used = true;
    return found.length > 0;
  }

  /** Entries for one of `files` that fit none of its mutants any more. */
  unused(files) {
    return this.#left.filter(({ file, used }) => !used && files.includes(file));
  }
}

function tell({ file, number, name, line, becomes }, reaching) {
  const by = reaching.length === 0 ? ', reached by no test' : '';
  console.log(`survived: ${file}:${number} ${name}${by}\n  - ${line}\n  + ${becomes}`);
}

function row({ file, killed, survived, equivalent }) {
  const share = killed + survived === 0 ? 1 : killed / (killed + survived);
  const counts = `${killed} killed, ${survived} survived, ${equivalent} equivalent`;
  return `${file.padEnd(24)}${counts}, ${(100 * share).toFixed(1)} %`;
}

function summarize(results, unused) {
  say('killed, survived and equivalent mutants, and the share killed of those that are not equivalent');
  for (const result of results) console.log(row(result));
  const sum = (name) => results.reduce((total, result) => total + result[name], 0);
  const [killed, survived, equivalent] = ['killed', 'survived', 'equivalent'].map(sum);
  console.log(row({ file: 'all', killed, survived, equivalent }));
  for (const { file, line, becomes } of unused)
    console.log(`equivalent.json: ${file} has this mutant no more:\n  - ${line}\n  + ${becomes}`);
  if (killed < SHARE * (killed + survived) || unused.length > 0) process.exitCode = 1;
}
