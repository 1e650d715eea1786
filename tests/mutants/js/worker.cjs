// Runs chosen tests for one mutant after the other in one process, because starting Jest takes longer than most tests.
// Invariant: each run has module registries and environments of its own, as every test file has in Jest. A message names
// the variables and the tests of a run; the answer is the first test file that failed, or none.
const { join } = require('node:path');
const { createRequire } = require('node:module');

const [, , sandbox] = process.argv;
const fromJest = createRequire(createRequire(join(sandbox, 'package.json')).resolve('jest'));
const fromCore = createRequire(fromJest.resolve('@jest/core'));
const { readConfigs } = fromCore('jest-config');
const { default: Runtime } = fromCore('jest-runtime');
const { default: TestRunner } = fromCore('jest-runner');

const started = (async () => {
  const argv = { config: join(sandbox, 'jest.config.json'), runInBand: true, silent: true, _: [], $0: '' };
  const { globalConfig, configs } = await readConfigs(argv, [sandbox]);
  const quiet = new console.Console({ stdout: process.stderr });
  const context = await Runtime.createContext(configs[0], {
    console: quiet,
    maxWorkers: 1,
    watch: false,
    watchman: false,
  });
  return { globalConfig, context };
})();

async function passes(path) {
  const { globalConfig, context } = await started;
  const runner = new TestRunner(globalConfig, {});
  let hasPassed = false;
  runner.on(
    'test-file-success',
    ([, result]) => (hasPassed = result.numFailingTests === 0 && !result.testExecError),
  );
  await runner.runTests([{ context, path }], { isInterrupted: () => false }, { serial: true });
  return hasPassed;
}

process.on('message', async ({ names, variables }) => {
  Object.assign(process.env, variables);
  for (const name of names) {
    if (await passes(join(sandbox, 'tests/js', name))) continue;
    return process.send({ failed: name });
  }
  return process.send({});
});
