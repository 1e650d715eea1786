// `npm run mutants -- FILE... [TEST...]`: changes a source in one small place after another, and prints the changes that no
// test notices. Sources of JavaScript are changed by StrykerJS, headers by the rules below; words that name no source choose
// the tests. Invariant: only copies under build/ are changed, and what survives was built without a switch.
import { spawnSync } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

import { bootstrap } from './bootstrap.mjs';
import { root, run, say } from './run.mjs';

// Switches of mutant `n`, for a program that holds all mutants: what is put before the code that changes, and after it.

const twice = (operator) => (n) => ['', `mutants::At<${n}>() ${operator} `];
const lazy = (operator) => (n) => [`mutants::At<${n}>() ${operator} [&] { return `, '; }'];
const stepped = (n) => ['', `mutants::At<${n}>()->*`];
const increased = (n) => [`(mutants::is_on<${n}>() + `, ')'];
const unequal = (n) => ['(', ` != mutants::is_on<${n}>())`];
const skipped = (n) => [`if (!mutants::is_on<${n}>()) `, ''];
const negation = (n) => ['static_cast<bool>(', `) != mutants::is_on<${n}>()`];

/** What is put in place of what, wherever it stands in code, and its switch. An empty text leaves out a statement. */
const CHANGES = [
  ...['< <=', '> >=', '== !=', '&& ||', '+ -', '* /', '<< >>', '& |', '+= -='].flatMap((pair) => {
    const [one, other] = pair.split(' ');
    const switched = pair === '&& ||' ? lazy : twice;
    return [
      [` ${one} `, ` ${other} `, switched(one)],
      [` ${other} `, ` ${one} `, switched(other)],
    ];
  }),
  ['++', '--', stepped],
  ['--', '++', stepped],
  [/\btrue\b/, 'false', unequal],
  [/\bfalse\b/, 'true', unequal],
  [
    /\b\d+u?(?=[;,) \]])/,
    (number) => number.replace(/\d+/, (digits) => String(Number(digits) + 1)),
    increased,
  ],
  [/^ +(?!return|using|const|auto)[\w.>(-]+(\(.*\)| [+|&^-]?= .*);$/, '', skipped],
];

/** What ends the right operand of a logical operator. */
const OPERAND_ENDS = { ' && ': /^( (&&|\|\||[?:]) |[;,)\]}])/, ' || ': /^( (\|\||[?:]) |[;,)\]}])/ };

/** Lines that hold no code, or what is checked when it is compiled. */
const NO_CODE = /^\s*(\/\/|#|static_assert|assert|template|namespace|using|\}|$)/;

/**
 * The mutants of C++: each is the number of a line, from 0 on, and what it becomes; or the part of the line that a switch
 * stands around.
 */
export function mutantsOf(text) {
  return text.split('\n').flatMap((line, at) => {
    const code = line.replace(/ *\/\/.*/, '');
    if (NO_CODE.test(code)) return [];
    return [...CHANGES.flatMap((change) => changed(code, change)), ...negated(code)].map((mutant) => ({
      at,
      ...mutant,
    }));
  });
}

/** `code` with a change made at each place in turn. */
function changed(code, [from, to, switched]) {
  const pattern = typeof from === 'string' ? from.replaceAll(/[^\w ]/g, '\\$&') : from.source;
  return Array.from(code.matchAll(new RegExp(pattern, 'g')), ({ 0: found, index }) => {
    const put = typeof to === 'string' ? to : to(found);
    const after = index + found.length;
    const [begin, end] =
      found in OPERAND_ENDS ? [after, endOf(code, after, OPERAND_ENDS[found])] : [index, after];
    return { to: code.slice(0, index) + put + code.slice(after), begin, end, switched };
  });
}

/** `code` with the condition of its `if` negated, where the condition ends in this line. */
function negated(code) {
  const begin = code.indexOf('if (') + 4;
  const end = endOf(code, begin, /^\)/);
  if (begin < 4 || end === code.length) return [];
  const to = `${code.slice(0, begin)}!(${code.slice(begin, end)})${code.slice(end)}`;
  return [{ to, begin, end, switched: negation }];
}

/** Where `code` first matches after `begin`, outside of parentheses that are opened there; or its end. */
function endOf(code, begin, pattern) {
  let depth = 0;
  for (let end = begin; end < code.length; ++end) {
    if (depth === 0 && pattern.test(code.slice(end))) return end;
    depth += { '(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1 }[code[end]] ?? 0;
  }
  return code.length;
}

/** `text` with a switch for each of these mutants, which have numbers: see tests/mutants/switch.h. */
export function withSwitches(text, mutants) {
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    const added = mutants
      .filter((mutant) => mutant.at === at)
      .flatMap(({ begin, end, switched, number }) => {
        const [before, after] = switched(number);
        // Where several meet, the shortest ends first and begins last.
        return [
          { where: begin, order: 1000 - (end - begin), put: before },
          { where: end, order: end - begin - 1000, put: after },
        ];
      })
      .sort((one, other) => one.where - other.where || one.order - other.order);
    lines[at] = added.reduceRight(
      (all, { where, put }) => all.slice(0, where) + put + all.slice(where),
      line,
    );
  }
  // In place of the licence, so that all lines keep their numbers.
  return lines.with(0, `#include "${join(root, 'tests/mutants/switch.h')}"`).join('\n');
}

/** Mutates one header after the other, and runs the native tests `targets` with each mutant. */
async function mutateHeaders(files, targets) {
  const { headers, ...programs } = await configure(targets);
  const counts = { killed: 0, survived: 0, 'not built': 0 };
  for (const file of files) {
    const copy = join(headers, relative('cpp/include', file));
    const text = await readFile(copy, 'utf8');
    const lines = text.split('\n');
    const mutants = mutantsOf(text).map((mutant, number) => ({ ...mutant, number }));
    say(`${file}: ${mutants.length} mutants`);
    const switched = await writeSwitched(copy, text, mutants, programs.outputIfFails);
    const limits = targets.map((name) => [name, programs.secondsOf(name)]);
    const isNoticed = (number) => limits.some(([name, limit]) => !programs.passes(name, limit, number));
    // Switches do nothing in constant expressions, so a mutant that no test noticed is built once more without one.
    const alone = mutants.filter((mutant) => !switched.includes(mutant) || !isNoticed(mutant.number));
    counts.killed += mutants.length - alone.length;
    for (const { at, to } of alone) {
      await writeFile(copy, lines.with(at, to).join('\n'));
      // After a test fails, the others are not built.
      let fate = 'survived';
      for (const [name, limit] of limits) {
        if (fate !== 'survived') break;
        fate = !programs.builds(name) ? 'not built' : programs.passes(name, limit) ? 'survived' : 'killed';
      }
      ++counts[fate];
      if (fate === 'survived')
        console.log(`survived: ${file}:${at + 1}\n  - ${lines[at].trim()}\n  + ${to.trim()}`);
    }
    await writeFile(copy, text);
  }
  console.log(`${counts.killed} killed, ${counts.survived} survived, ${counts['not built']} not built`);
}

/** A folder with a copy of all headers, and what can be asked of the native tests `targets` there. */
async function configure(targets) {
  const { env } = await bootstrap(['native']);
  const folder = join(root, 'build/mutants/cpp');
  const headers = join(folder, 'include');
  await cp(join(root, 'cpp/include'), headers, { recursive: true });
  // A shift by too much ends a test, because its result depends on the processor; so does an index past the end of an array.
  // Inserts have the direct path that they have in WebAssembly.
  const checks = '-fsanitize=shift -fsanitize-undefined-trap-on-error -D_GLIBCXX_ASSERTIONS';
  const flags = `-O1 -w -DCUCKOO_DIRECT_PATH ${checks}`;
  const options = ['-DCMAKE_BUILD_TYPE=', `-DCMAKE_CXX_FLAGS=${flags}`, `-DCUCKOO_HEADERS=${headers}`];
  options.push('-DCMAKE_EXPORT_COMPILE_COMMANDS=ON');
  await run('cmake', ['-S', root, '-B', folder, '-G', 'Ninja', ...options], { env, onlyIfFailed: true });
  const commands = JSON.parse(await readFile(join(folder, 'compile_commands.json'), 'utf8'))
    .filter(({ command }) => targets.some((name) => command.includes(`/${name}.dir/`)))
    .map(({ command }) => `${command} -fsyntax-only`);
  const quiet = { env, cwd: folder, stdio: 'ignore', timeout: 600_000, killSignal: 'SIGKILL' };
  const succeeds = (...words) => spawnSync(words[0], words.slice(1), quiet).status === 0;
  const builds = (name) => succeeds('cmake', '--build', folder, '--target', name);
  // A mutant may allocate without limit, or never finish.
  const passes = (name, seconds = 600, number = -1) => {
    const limited = `ulimit -v 4000000; ulimit -t ${seconds}; CUCKOO_MUTANT=${number} exec tests/${name} --gtest_fail_fast`;
    return succeeds('sh', '-c', limited);
  };
  return {
    headers,
    builds,
    passes,
    /** What compilers say of a header that does not compile, which takes them seconds. */
    outputIfFails() {
      const told = { ...quiet, stdio: 'pipe', encoding: 'utf8', maxBuffer: 2 ** 28 };
      const results = commands.map((command) => spawnSync('sh', ['-c', command], told));
      return results.map(({ status, stderr }) => (status === 0 ? '' : `${stderr}failed`)).join('');
    },
    /** Builds a test and runs it without a mutant. The limit is on processor time, which other work changes little. */
    secondsOf(name) {
      if (!builds(name)) throw new Error(`does not build without a mutant: ${name}`);
      const begin = performance.now();
      if (!passes(name)) throw new Error(`fails without a mutant: ${name}`);
      return Math.ceil(2 + (3 * (performance.now() - begin)) / 1000);
    },
  };
}

/** Writes the header `copy` with switches for those mutants that then compile. Returns these mutants. */
async function writeSwitched(copy, text, mutants, outputIfFails) {
  for (let switched = mutants; ;) {
    await writeFile(copy, withSwitches(text, switched));
    const output = outputIfFails();
    if (output === '' || switched.length === 0) return switched;
    const named = new RegExp(`/${basename(copy)}:(\\d+):\\d+: +(error|required from)`, 'g');
    const faulty = new Set(Array.from(output.matchAll(named), ([, line]) => Number(line) - 1));
    const rest = switched.filter(({ at }) => !faulty.has(at));
    switched = rest.length < switched.length ? rest : [];
  }
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
