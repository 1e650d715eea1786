// `npm run mutants -- cpp [--sample=N --seed=S] [words]`: the native tests against mutants of the core, which are taken
// from Clang's syntax tree. Invariant: all mutants are compiled into one copy of the headers and switched by an
// environment variable, so the tests are built once; and results are kept until a file changes that they depend on.
// Words choose mutants: the name of a header chooses its mutants, any other word those whose line contains it.
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { bootstrap } from '../bootstrap.mjs';
import { root, run, say } from '../run.mjs';
import { writeMutants } from './rewrite.mjs';
import { inParallel, Kept, sampled, summarize, tell } from './shared.mjs';
import { killerOf, reachOf, testsIn } from './tests.mjs';

const build = join(root, 'build/mutants/cpp');
const headers = join(build, 'include');
/** Tests of the paper's rivals, which are not mutated. */
const NOT_RUN = /^lab/;
/** What the tests' results depend on besides the tests. */
const SOURCES = ['cpp/include', 'scripts/mutants', 'tests/mutants/cpp/mutants.h'];
const TESTS = ['tests/CMakeLists.txt', 'tests/cpp', 'tests/golden', 'tests/fuzz', 'bindings'];

/** Runs the mutants that `words` choose, all if there are none, and prints what became of them. Sets the exit code. */
export async function mutantsCpp(words) {
  const { env } = await bootstrap(['native', 'clang']);
  const kept = await Kept.open(build, SOURCES, TESTS);
  const all = await writeMutants(join(root, 'cpp/include'), headers, env);
  const chosen = chosenBy(words, all);
  say(`building the native tests with all ${all.length} mutants in them`);
  const programs = await buildTests(env);
  const { tests, reach } = await kept.once('tests', async () => {
    say('running the tests without a mutant, and recording what each reaches');
    const tests = await testsIn(programs);
    return { tests, reach: await reachOf(tests, all.length) };
  });
  const compiling = chosen.filter(({ id }) => reach[id].compiles || !reach[id].isReached);
  const mutants = sampled(compiling, words);
  say(`running ${mutants.length} of ${compiling.length} mutants`);
  await inParallel(mutants, async (mutant) => {
    const { isReached, tests: reaching } = reach[mutant.id];
    const judge = async () => ((await killerOf(mutant, reaching, tests)) ? 'killed' : 'survived');
    mutant.isReached = isReached;
    mutant.state = await kept.verdict(String(mutant.id), judge);
    if (mutant.state === 'survived') tell(mutant);
  });
  summarize(mutants);
}

function chosenBy(words, all) {
  const wanted = words.filter((word) => !word.startsWith('--'));
  const isChosenBy = ({ file, line }, word) =>
    word.endsWith('.h') ? file.endsWith(`/${word}`) : line.includes(word);
  const chosen = all.filter(
    (mutant) => wanted.length === 0 || wanted.some((word) => isChosenBy(mutant, word)),
  );
  if (chosen.length === 0) throw new Error(`no mutant for ${wanted.join(' ')}`);
  return chosen;
}

/**
 * Builds the test programs, with asserts and the way in that WebAssembly takes, and returns their paths. A shift by too
 * much stops them, because its result depends on the processor.
 */
async function buildTests(env) {
  const flags = '-O1 -w -DCUCKOO_DIRECT_PATH -fsanitize=shift -fsanitize-undefined-trap-on-error';
  const options = ['-DCMAKE_BUILD_TYPE=', `-DCMAKE_CXX_FLAGS=${flags}`, `-DCUCKOO_HEADERS=${headers}`];
  const folder = join(build, 'tests');
  await run('cmake', ['-S', root, '-B', folder, '-G', 'Ninja', ...options], { env, onlyIfFailed: true });
  const targets = (await readdir(join(root, 'tests/cpp'), { recursive: true }))
    .map((path) => basename(path))
    .filter((name) => name.endsWith('_test.cpp') && !NOT_RUN.test(name))
    .map((name) => name.slice(0, -'.cpp'.length))
    .concat('contracts_release_test'); // what breaks a contract stops the others by an assert
  await run('cmake', ['--build', folder, '--target', ...targets], { env, onlyIfFailed: true });
  return targets.map((name) => join(folder, 'tests', name));
}
