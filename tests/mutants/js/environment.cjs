// The environment of a test file while mutants run: it switches one mutant on, in the file and in the processes that
// the file starts, runs the tests that reach it, and skips the rest after the first that fails. Without a mutant it stores
// which mutants each test reaches, or how long each takes.
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { TestEnvironment } = require('jest-environment-node');

const { activate, storeReached } = require('./switch.cjs');

module.exports = class extends TestEnvironment {
  /** The names of the tests to run; undefined: all. */
  #chosen;
  #hasFailed = false;
  /** Milliseconds by name. */
  #times = {};

  constructor(config, context) {
    super(config, context);
    const chosen = JSON.parse(readFileSync(process.env.MUTANT_TESTS, 'utf8'));
    this.#chosen = chosen.find(({ name }) => context.testPath.endsWith(join('/tests/js', name))).tests;
  }

  async setup() {
    await super.setup();
    activate(this.global);
    // Node's own process, as the processes that a test starts are given its environment, not that of Jest's copy.
    process.env.MUTANT_CHILD = '1';
    process.env.NODE_OPTIONS = `--require ${JSON.stringify(require.resolve('./switch.cjs'))}`;
  }

  handleTestEvent({ name, test }) {
    // One failure is enough: the mutant is killed.
    if (process.env.MUTANT && (name === 'test_fn_failure' || name === 'hook_failure')) this.#hasFailed = true;
    if (name === 'test_start') {
      const isChosen = this.#chosen === undefined || this.#chosen.includes(nameOf(test));
      if (!isChosen || this.#hasFailed) test.mode = 'skip';
      this.#reachedBy(nameOf(test));
    }
    if (name === 'test_done') {
      this.#reachedBy('');
      this.#times[nameOf(test)] = (this.#times[nameOf(test)] ?? 0) + (test.duration ?? 0);
    }
  }

  /** What is reached from now on is reached by this test; by the whole file if there is none. */
  #reachedBy(name) {
    process.env.MUTANT_TEST = name;
    this.global.__stryker__.currentTestId = name;
  }

  async teardown() {
    storeReached(this.global);
    if (process.env.MUTANT_TIMES) writeFileSync(process.env.MUTANT_TIMES, JSON.stringify(this.#times));
    await super.teardown();
  }
};

/** The test's name behind those of the groups that it is in. */
function nameOf(test) {
  return test.parent === undefined ? '' : `${nameOf(test.parent)} ${test.name}`.trim();
}
