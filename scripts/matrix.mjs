// `npm run test:matrix`: tries the packed tarball in runtimes, bundlers, frameworks and versions of TypeScript from npm.
// Prints a table of what works where, and writes it into docs/inside/tried.md. With words after the command, runs only the
// rows that contain one of them, and writes nothing.
// Not part of `npm test`: it installs 2.4 GB into build/matrix and takes about a quarter of an hour. Invariant: every row runs the same
// program, or checks the same one's types; the exit code is 0 only if all rows are as expected.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { bootstrap } from './bootstrap.mjs';
import { build } from './build.mjs';
import { BUNDLERS } from './matrix/bundlers.mjs';
import { EDGES } from './matrix/edges.mjs';
import { FRAMEWORKS } from './matrix/frameworks.mjs';
import { expected, file, folder, tool } from './matrix/place.mjs';
import { RUNTIMES } from './matrix/runtimes.mjs';
import { TYPES } from './matrix/types.mjs';
import { root, run, say } from './run.mjs';

const words = process.argv.slice(2);
const { env } = await bootstrap(['npm', 'wasm']);
await build(env);
say('installing runtimes, bundlers, frameworks and compilers into build/matrix');
await mkdir(folder, { recursive: true });
await cp(join(root, 'tests/matrix'), folder, { recursive: true });
// No scripts: what they would fetch is not in the registry, and the programs are in packages of their own.
await run('npm', ['install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'], {
  env,
  cwd: folder,
  onlyIfFailed: true,
});
await installPackage();
await writePrograms();

const rows = [...RUNTIMES, ...BUNDLERS, ...FRAMEWORKS, ...EDGES, ...TYPES].filter(
  ({ name }) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word.toLowerCase())),
);
let failed = 0;
const lines = [];
for (const { name, version, attempt, wants = expected } of rows) {
  const told = await attempt().catch((error) => error);
  const result =
    told === wants
      ? 'works'
      : String(told?.message ?? told)
          .replaceAll(/\s+/g, ' ')
          .slice(0, 300);
  if (result !== 'works') ++failed;
  console.log(`${name}: ${result}`);
  lines.push(`| ${name} | ${await versionOf(version)} | ${result} |`);
}
const table = ['| with | version | result |', '| --- | --- | --- |', ...lines].join('\n');
console.log(`\n${table}`);
if (words.length === 0) await writeTable(table);
console.log(`\n${rows.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Puts the table, and the commit that was tried, into docs/inside/tried.md; a commit with changes on top is `-dirty`. */
async function writeTable(table) {
  const tried = join(root, 'docs/inside/tried.md');
  const { output } = await run('git', ['describe', '--always', '--dirty', '--exclude=*'], { quiet: true });
  const text = await readFile(tried, 'utf8');
  await writeFile(
    tried,
    text.replace(
      /^This is commit .*\n\n(?:\|.*\n)*/m,
      () => `This is commit \`${output.trim()}\`.\n\n${table}\n`,
    ),
  );
}

/** The tarball in node_modules, as if it came from npm. */
async function installPackage() {
  const { output } = await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
    env,
    quiet: true,
  });
  const into = tool('cuckoofilter-wasm');
  await rm(into, { recursive: true, force: true });
  await mkdir(into, { recursive: true });
  await run('tar', ['-xzf', file(output.trim().split('\n').at(-1)), '-C', into, '--strip-components=1']);
}

/** The program in its other forms: printing, as CommonJS; a saved filter; and what the recipes say. */
async function writePrograms() {
  const program = await readFile(file('program.mjs'), 'utf8');
  const common = program
    .replaceAll(/import \{ (.*) \} from (.*);/g, 'const { $1 } = require($2);')
    .replaceAll(' as ', ': ')
    .replace('export function', 'exports.answers = function');
  const { CuckooFilter } = await import(tool('cuckoofilter-wasm/dist/esm/index.js'));
  const saved = CuckooFilter.from(['alice', 5], { capacity: 20 }).serialize();
  const texts = {
    'program.cjs': common,
    'print.mjs': "import { answers } from './program.mjs';\nconsole.log(answers());\n",
    'print-reader.mjs': "import { answers } from './reader.mjs';\nconsole.log(answers());\n",
    'print.cjs': "console.log(require('./program.cjs').answers());\n",
    'worker.mjs':
      "import { answers } from './program.mjs';\nexport default { fetch: () => new Response(answers()) };\n",
    'saved.mjs': `export const SAVED = [${saved.join()}];\n`,
    'fill-worker.mjs': await readFile(join(root, 'js/examples/fill-worker.mjs')),
    'next/public/names.cuckoo': saved,
    'vitest/seen.test.mjs': await recipe('seen.test.mjs'),
  };
  for (const route of ['app/taken/[name]/route.js', 'app/taken-edge/[name]/route.js'])
    texts[`next/${route}`] = await recipe(route);
  for (const [name, text] of Object.entries(texts)) {
    await mkdir(dirname(file(name)), { recursive: true });
    await writeFile(file(name), text);
  }
}

/** A file that stands in docs/guides/platforms.md, below a line with its name. */
async function recipe(name) {
  const text = await readFile(join(root, 'docs/guides/platforms.md'), 'utf8');
  return /```\w+\n(.*?)^```/ms.exec(text.slice(text.indexOf(`\`${name}\``)))[1];
}

/** The version of a tool that is installed, by its name; of Node, that of this process. */
async function versionOf(name) {
  if (name === 'node') return process.versions.node;
  return JSON.parse(await readFile(tool(name, 'package.json'), 'utf8')).version;
}
