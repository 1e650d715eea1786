// The native tests with every mutant in them: which test reaches which mutant, and whether they notice one that is on.
// Invariant: a mutant is run only against tests in which it changes a value at its place. If a test calls a function
// often, only some of the calls are recorded (tests/mutants/cpp/mutants.h), so a test may be left out. A mutant that
// counts as killed was certainly noticed; a survivor might be noticed by a test that was not run.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { run } from '../run.mjs';
import { inParallel } from './shared.mjs';

/**
 * Tests that run a model or count millions of keys for longer than all quick tests together. What they alone notice counts
 * as survived.
 */
const NOT_ASKED = [
  'Expiring.AgreesWithTheModelForEveryShapeAndWindow',
  'Growth.AtEveryStageAFilterHoldsWhatTheFullyGrownOneWould',
  'Plan/Builds.TenThousandTakeAllKeysTheyAreMadeFor/*',
  'ScalableLoss.ChainsWithAHashPerLayerOrErasesFromTheOldestLoseKeysAndThisOneNone',
  'Trace.WithoutLookingAheadAWalkIsAlgorithmOneAndARefusalStillChangesNothing',
  'Values.AgreeWithTheModelForEveryShape',
];
/** A mutant may ask for any amount of memory; the tests need far less than this many kilobytes. */
const MEMORY_KB = 4_000_000;
/** Tests that take less are run together with those of their program. */
const QUICK_MS = 100;
/** Bits in the bytes that tests/mutants/cpp/mutants.h records. */
const COMPILES = 2;
const DIFFERS = 4;

/** All tests in these programs, with the milliseconds that each takes. Throws if one fails. */
export async function testsIn(programs) {
  const tests = [];
  await inParallel(programs, async (path) => {
    const file = `${path}.json`;
    const args = [`--gtest_output=json:${file}`, `--gtest_filter=-${NOT_ASKED.join(':')}`];
    // The shell's `times`: of the processor, which other work on the machine does not lengthen.
    const { output, code } = await run('sh', ['-c', '"$0" "$@" >&2 && times', path, ...args], {
      mayFail: true,
      quiet: true,
    });
    if (code !== 0) throw new Error(`${path} fails without a mutant:\n${output}`);
    const [user, system] = [...output.matchAll(/(\d+)m([\d.]+)s/g)]
      .slice(-2)
      .map(([, m, s]) => 60 * m + Number(s));
    const { time, testsuites } = JSON.parse(await readFile(file, 'utf8'));
    const share = Math.min(1, (user + system) / (parseFloat(time) || 1));
    for (const { name, testsuite } of testsuites)
      for (const test of testsuite)
        if (test.status === 'RUN')
          tests.push({
            path,
            name: `${name}.${test.name}`,
            milliseconds: 1000 * share * parseFloat(test.time),
          });
  });
  return tests;
}

/**
 * By the ids of `count` mutants: whether a test reaches it, whether it compiles, and the numbers of the tests in which it
 * would differ from the original.
 */
export async function reachOf(tests, count) {
  const folder = await mkdtemp(join(tmpdir(), 'mutants-'));
  const reach = Array.from({ length: count + 1 }, () => ({ isReached: false, compiles: false, tests: [] }));
  await inParallel(
    tests.map((test, number) => [test, number]),
    async ([{ path, name }, number]) => {
      const file = join(folder, String(number));
      await writeFile(file, new Uint8Array(count + 1));
      const end = await endOf(path, [`--gtest_filter=${name}`], { CUCKOO_REACHED: file }, 600);
      if (end !== 0) throw new Error(`${name} fails while it is recorded what it reaches: ${end}`);
      (await readFile(file)).forEach((bits, id) => {
        if (bits === 0) return;
        reach[id].isReached = true;
        if (bits & COMPILES) reach[id].compiles = true;
        if (bits & DIFFERS) reach[id].tests.push(number);
      });
      await rm(file);
    },
  );
  await rm(folder, { recursive: true });
  return reach;
}

/** The name of the first test program that notices the mutant with this `id` in the header `file`, of those in `reaching`. */
export async function killerOf({ id, file, function: number }, reaching, tests) {
  for (const { path, names, milliseconds } of runsOf(file, reaching, tests)) {
    const variables = { CUCKOO_MUTANT: id, CUCKOO_FUNCTION: number };
    const filter = `--gtest_filter=${names.join(':')}`;
    const seconds = 2 + Math.ceil((3 * milliseconds) / 1000);
    const end = await endOf(path, [filter, '--gtest_fail_fast', '--gtest_brief=1'], variables, seconds);
    if (end !== 0) return end === 'SIGKILL' ? `${basename(path)}, time` : basename(path);
  }
  return undefined;
}

/** Quick tests of a program run together, each other by itself; the header's own test comes first, then the cheapest. */
function runsOf(file, reaching, tests) {
  const runs = new Map();
  const stem = basename(file, '.h');
  for (const number of reaching) {
    const { path, name, milliseconds } = tests[number];
    const key = milliseconds < QUICK_MS ? path : name;
    if (!runs.has(key)) runs.set(key, { path, names: [], milliseconds: 0 });
    const run = runs.get(key);
    run.names.push(name);
    run.milliseconds += milliseconds;
  }
  const cost = ({ path, milliseconds }) => (milliseconds + 10) / (basename(path) === `${stem}_test` ? 20 : 1);
  return [...runs.values()].sort((one, other) => cost(one) - cost(other));
}

/**
 * How a run ended: its exit code, or the signal that ended it; 0 if it passed. The limit is `seconds` of the processor's
 * time, which other work on the machine does not shorten.
 */
function endOf(path, args, variables, seconds) {
  return new Promise((resolve, reject) => {
    const limits = `ulimit -v ${MEMORY_KB}; ulimit -t ${seconds}; exec "$0" "$@"`;
    const env = { ...process.env, ...variables };
    const child = spawn('sh', ['-c', limits, path, ...args], { env, stdio: 'ignore' });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
}
