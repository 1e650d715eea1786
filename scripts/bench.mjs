// `npm run bench`: builds, then measures the package in Node and the same workloads natively, one after the other.
// `npm run bench -- NAME …` runs one bench alone, with the arguments behind its name; the table below has the names.
// `--save=NAME` keeps the figures in tests/bench/results.
// Invariant: nothing else runs meanwhile, and every figure is printed beside its reference from the same run. A bench whose
// reference is missing installs it, or says what to do and fails.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { bootstrap } from './bootstrap.mjs';
import { provideNpmPackages } from './bootstrap/npm.mjs';
import { build } from './build.mjs';
import { buildDemo } from './pages/demo.mjs';
import { cmake, root, run, say } from './run.mjs';

const [name, ...words] = process.argv.slice(2);
const native = join(root, 'build/dev/tests/bench');
const inNode = (file, args = words) =>
  run(process.execPath, [join(root, `tests/bench/${file}.mjs`), ...args], { env });

/** Runs a bench that measures filters from npm as well, which are in a folder of their own. */
const withPeers = (file) => async () => {
  await provideNpmPackages(join(root, 'tests/bench/peers'));
  await inNode(file);
};

/** What a bench needs to be built, what is checked before that, and how it is run with what the check found. */
const BENCHES = {
  package: { needs: ['npm', 'wasm'], run: () => inNode('calls/filter') },
  hash: { needs: ['npm', 'wasm'], run: () => inNode('calls/hash') },
  keys: { needs: ['npm', 'wasm'], run: () => inNode('calls/keys') },
  calls: { needs: ['npm', 'wasm'], run: withPeers('calls/calls') },
  expiring: { needs: ['npm', 'wasm'], run: () => inNode('calls/expiring') },
  values: { needs: ['npm', 'wasm'], run: () => inNode('calls/values') },
  pauses: { needs: ['npm', 'wasm'], run: () => inNode('growth/pauses') },
  peers: { needs: ['npm', 'wasm'], run: withPeers('calls/peers') },
  layouts: { needs: ['npm', 'wasm'], run: () => inNode('calls/layouts') },
  refused: { needs: ['npm', 'wasm'], run: () => inNode('calls/refused') },
  reader: { needs: ['npm', 'wasm'], run: () => inNode('calls/reader') },
  redis: { needs: ['npm', 'wasm', 'redis'], run: () => inNode('redis/redis') },
  ready: { needs: ['npm', 'wasm'], run: () => inNode('programs/ready') },
  replaced: { needs: ['npm', 'wasm'], run: () => inNode('programs/replaced') },
  scale: {
    needs: ['npm', 'wasm', 'native'],
    run: () => inNode('paper/scale', [join(native, 'race'), ...words]),
  },
  against: { needs: ['npm', 'wasm'], run: () => inNode('calls/against') },
  bundles: { needs: ['npm', 'wasm'], run: () => inNode('programs/bundles') },
  readme: { needs: ['npm', 'wasm'], run: withPeers('programs/readme') },
  plots: { needs: ['npm'], run: () => inNode('plots') },
  race: { needs: ['npm', 'wasm', 'native'], check: paperOrAlone, run: race },
  paper: { needs: ['npm', 'native'], run: () => inNode('paper/paper', [join(native, 'paper'), ...words]) },
  demo: { needs: ['npm', 'wasm', 'browser'], run: page },
  shared: { needs: ['npm', 'wasm', 'native'], check: checkouts, run: shared },
  grow: {
    needs: ['npm', 'wasm', 'native'],
    run: async () => {
      await run(join(native, 'grow'), words, { env });
      await inNode('growth/grow');
    },
  },
  ...Object.fromEntries(
    ['sizes', 'small', 'scalable', 'kicks', 'load', 'attack'].map((program) => [
      program,
      { needs: ['native'], run: () => run(join(native, program), words, { env }) },
    ]),
  ),
  native: {
    needs: ['native'],
    run: () =>
      run(
        join(native, 'filter_bench'),
        ['--benchmark_repetitions=5', '--benchmark_report_aggregates_only', ...words],
        { env },
      ),
  },
};

const names = name === undefined ? ['package', 'native'] : [name];
if (BENCHES[names[0]] === undefined) {
  console.error(`no bench has the name ${name}: ${Object.keys(BENCHES).join(', ')}`);
  process.exit(2);
}
const found = BENCHES[names[0]].check?.();
const needs = [...new Set(names.flatMap((each) => BENCHES[each].needs))];
const { env } = await bootstrap(needs);
say('building');
if (needs.includes('wasm')) await build(env);
if (needs.includes('native')) await cmake('dev', env);
for (const each of names) {
  say(`${each} (tests/bench)`);
  await BENCHES[each].run(found);
}

/** The folder `given`, which must have `file`: headers of other people, which the repository does not have. */
function headers(given, file, source) {
  if (given !== undefined && existsSync(resolve(given, file))) return resolve(given);
  console.error(`${given ?? 'no folder was given, and that'} has no ${file}: give ${source}`);
  return process.exit(2);
}

function paperHeaders(given, instead = '') {
  return headers(
    given,
    'cuckoofilter.h',
    `the folder src of a clone of github efficient/cuckoofilter${instead}`,
  );
}

/** The folder of the paper's code, or undefined if it is to be left out. */
function paperOrAlone() {
  if (words.includes('--alone')) return undefined;
  const given = words.find((word) => !word.startsWith('--'));
  return paperHeaders(given, ', or --alone to measure without it');
}

/** `npm run bench -- race PAPER|--alone [--short]` */
async function race(paper) {
  await cmake('dev', env, { options: [`-DCUCKOO_PAPER=${paper ?? ''}`] });
  await cmake('wasm-bench', env);
  const flags = words.filter((word) => word.startsWith('--'));
  const wasm = join(root, 'build/wasm-bench/tests/bench/race.mjs');
  await inNode('paper/race', [
    join(native, 'race'),
    wasm,
    ...flags,
    ...(paper === undefined ? [] : ['--paper']),
  ]);
}

/** The checkouts that `shared` is to be compared with, as CMake's definitions. */
function checkouts() {
  const folderOf = (option) => words.find((word) => word.startsWith(`--${option}=`))?.split('=')[1];
  const [paper, libcuckoo] = [folderOf('paper'), folderOf('libcuckoo')];
  const map = 'libcuckoo/cuckoohash_map.hh';
  return [
    `-DCUCKOO_PAPER=${paper === undefined ? '' : paperHeaders(paper)}`,
    `-DCUCKOO_LIBCUCKOO=${libcuckoo === undefined ? '' : headers(libcuckoo, map, 'a clone of github efficient/libcuckoo')}`,
  ];
}

/** `npm run bench -- shared [--short] [--paper=HEADERS] [--libcuckoo=CHECKOUT]` */
async function shared(definitions) {
  await cmake('dev', env, { options: definitions });
  await run(join(native, 'shared_bench'), words.includes('--short') ? ['4e5'] : [], { env });
  await inNode('calls/shared');
}

/** `npm run bench -- demo`: the page in Chromium; a limit that is missed makes the exit code 1. */
async function page() {
  await buildDemo();
  const { code } = await run(process.execPath, [join(root, 'tests/bench/programs/demo.mjs')], {
    env,
    mayFail: true,
  });
  process.exitCode = code;
}
