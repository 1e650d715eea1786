// `npm run mutants -- FILE... [TEST...]`: changes a source in one small place after another, and prints the changes that no
// test notices. Sources of JavaScript are changed by StrykerJS, headers by the rules below; words that name no source choose
// the tests. Invariant: only copies under build/ are changed.
import { spawnSync } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

import { bootstrap } from './bootstrap.mjs';
import { root, run, say } from './run.mjs';

/** What is put in place of what, wherever it stands in code. An empty text leaves out a statement. */
const CHANGES = [
  ...['< <=', '> >=', '== !=', '&& ||', '+ -', '* /', '<< >>', '& |', '+= -='].flatMap((pair) => {
    const [one, other] = pair.split(' ');
    return [
      [` ${one} `, ` ${other} `],
      [` ${other} `, ` ${one} `],
    ];
  }),
  ['++', '--'],
  ['--', '++'],
  ['true', 'false'],
  ['false', 'true'],
  [/\b\d+(?=[u;,) \]])/, (number) => String(Number(number) + 1)],
  [/^ +(?!return|using|const|auto)[\w.>(-]+(\(.*\)| [+|&^-]?= .*);$/, ''],
];

/** Lines that hold no code, or what is checked when it is compiled. */
const NO_CODE = /^\s*(\/\/|#|static_assert|assert|template|namespace|using|\}|$)/;

/** The mutants of C++: each is the number of a line, from 0 on, and what it becomes. */
export function mutantsOf(text) {
  return text.split('\n').flatMap((line, at) => {
    const code = line.replace(/ *\/\/.*/, '');
    if (NO_CODE.test(code)) return [];
    return [...CHANGES.flatMap((change) => changed(code, change)), ...negated(code)].map((to) => ({
      at,
      to,
    }));
  });
}

/** `code` with a change made at each place in turn. */
function changed(code, [from, to]) {
  const pattern = typeof from === 'string' ? from.replaceAll(/[^\w ]/g, '\\$&') : from.source;
  return Array.from(code.matchAll(new RegExp(pattern, 'g')), ({ 0: found, index }) => {
    const put = typeof to === 'string' ? to : to(found);
    return code.slice(0, index) + put + code.slice(index + found.length);
  });
}

/** `code` with the condition of its `if` negated, where the condition ends in this line. */
function negated(code) {
  const begin = code.indexOf('if (') + 3;
  let end = begin;
  for (let depth = 1; depth > 0 && ++end < code.length;) depth += { '(': 1, ')': -1 }[code[end]] ?? 0;
  if (begin < 3 || end >= code.length) return [];
  return [`${code.slice(0, begin)}(!${code.slice(begin, end + 1)})${code.slice(end + 1)}`];
}

/** Mutates one header after the other, and runs the native tests `targets` with each mutant. */
async function mutateHeaders(files, targets) {
  const { env } = await bootstrap(['native']);
  const folder = join(root, 'build/mutants/cpp');
  const headers = join(folder, 'include');
  await cp(join(root, 'cpp/include'), headers, { recursive: true });
  // A shift by too much ends a test, because its result depends on the processor. The way in is that of WebAssembly.
  const flags = '-O1 -w -DCUCKOO_DIRECT_PATH -fsanitize=shift -fsanitize-undefined-trap-on-error';
  const options = ['-DCMAKE_BUILD_TYPE=', `-DCMAKE_CXX_FLAGS=${flags}`, `-DCUCKOO_HEADERS=${headers}`];
  await run('cmake', ['-S', root, '-B', folder, '-G', 'Ninja', ...options], { env, onlyIfFailed: true });
  const quiet = { env, stdio: 'ignore', timeout: 600_000, killSignal: 'SIGKILL' };
  const builds = (name) => spawnSync('cmake', ['--build', folder, '--target', name], quiet).status === 0;
  // A mutant may allocate without limit, or never finish.
  const passes = (name, seconds = 600) => {
    const limited = `ulimit -v 4000000; ulimit -t ${seconds}; exec "$0" --gtest_fail_fast`;
    return spawnSync('sh', ['-c', limited, join(folder, 'tests', name)], quiet).status === 0;
  };
  const limits = new Map();
  for (const name of targets) {
    if (!builds(name)) throw new Error(`does not build without a mutant: ${name}`);
    const begin = performance.now();
    if (!passes(name)) throw new Error(`fails without a mutant: ${name}`);
    // The limit is on processor time, which depends less on what else is running.
    limits.set(name, Math.ceil(2 + (3 * (performance.now() - begin)) / 1000));
  }
  // Undefined if the headers do not compile. After a test fails, the others are not built.
  const isNoticed = () => {
    for (const [name, seconds] of limits) {
      if (!builds(name)) return undefined;
      if (!passes(name, seconds)) return true;
    }
    return false;
  };
  const counts = { killed: 0, survived: 0 };
  for (const file of files) {
    const copy = join(headers, relative('cpp/include', file));
    const text = await readFile(copy, 'utf8');
    const lines = text.split('\n');
    const mutants = mutantsOf(text);
    say(`${file}: ${mutants.length} mutants`);
    for (const { at, to } of mutants) {
      await writeFile(copy, lines.with(at, to).join('\n'));
      const isKilled = isNoticed();
      if (isKilled === undefined) continue;
      ++counts[isKilled ? 'killed' : 'survived'];
      if (!isKilled) console.log(`survived: ${file}:${at + 1}\n  - ${lines[at].trim()}\n  + ${to.trim()}`);
    }
    await writeFile(copy, text);
  }
  console.log(`${counts.killed} killed, ${counts.survived} survived`);
}

/** Has StrykerJS mutate `files` all at once, build the bundles once, and run the tests of these `folders` with each mutant. */
async function mutateSources(files, folders) {
  const { env } = await bootstrap(['npm', 'wasm', 'redis']);
  const tools = join(root, 'tests/mutants/js');
  await run('npm', ['ci', '--prefix', tools, '--no-audit', '--no-fund'], { env, onlyIfFailed: true });
  const paths = folders.map((name) => `tests/js/${name}`).join(' ');
  const config = {
    mutate: files,
    ignorePatterns: ['/build', '!/build/wasm', '/dist', '/site', '/tests/bench', '/tests/mutants'],
    buildCommand: 'node scripts/build.mjs --bundles',
    // The command runs in processes and threads of the tests, which take the mutant from a variable.
    testRunner: 'command',
    timeoutMS: 20_000,
    commandRunner: {
      command: `node node_modules/jest/bin/jest.js --selectProjects core redis -i --bail ${paths}`,
    },
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { allowColor: false, reportTests: false },
    tempDirName: 'build/stryker',
    incremental: true,
    incrementalFile: 'build/mutants/stryker.json',
    allowConsoleColors: false,
  };
  await mkdir(join(root, 'build/mutants'), { recursive: true });
  const path = join(root, 'build/mutants/stryker.config.json');
  await writeFile(path, JSON.stringify(config));
  const stryker = join(tools, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const { code } = await run(process.execPath, [stryker, 'run', path], { env, mayFail: true });
  await rm(join(root, 'build/stryker'), { recursive: true, force: true });
  process.exitCode = code;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const words = process.argv.slice(2);
  const [headers, sources] = ['.h', '.ts'].map((ending) => words.filter((word) => word.endsWith(ending)));
  const tests = words.filter((word) => !/\.(h|ts)$/.test(word));
  if (headers.length > 0)
    await mutateHeaders(
      headers,
      tests.length > 0 ? tests : headers.map((file) => `${basename(file, '.h')}_test`),
    );
  if (sources.length > 0)
    // A folder of tests has the name of the sources that it is about.
    await mutateSources(
      sources,
      tests.length > 0 ? tests : ['api/', ...sources.map((file) => `${file.split('/').at(-2)}/`)],
    );
  if (headers.length + sources.length === 0) {
    console.error('name sources: npm run mutants -- js/src/keys/keys.ts keys/ filters/');
    process.exitCode = 2;
  }
}
