// Switches on the mutant that MUTANT names, and stores in the folder MUTANTS_REACHED how often each test reached each.
// Invariant: loaded before a program (`node --require`), it changes nothing else. The names on `__stryker__` are those
// that the instrumented sources read.
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

exports.activate = (realm) => {
  const { MUTANT, MUTANT_HITS } = process.env;
  // A mutant that is reached far more often than the plain code is loops for ever: it throws then.
  realm.__stryker__ = MUTANT ? { activeMutant: MUTANT, hitCount: 0, hitLimit: Number(MUTANT_HITS) } : {};
};

/** Stores a list of pairs: a test's name, empty for a whole file, and its hits by mutant. */
exports.storeReached = (realm) => {
  const { MUTANTS_REACHED, MUTANT_TEST = '' } = process.env;
  const reached = realm.__stryker__?.mutantCoverage;
  if (!MUTANTS_REACHED || reached === undefined) return;
  const name = `${process.pid}-${process.hrtime.bigint()}.json`;
  const pairs = [[MUTANT_TEST, reached.static], ...Object.entries(reached.perTest)];
  writeFileSync(join(MUTANTS_REACHED, name), JSON.stringify(pairs));
};

// In a process that a test started; Jest's own loads this file as a module of the environment.
if (process.env.MUTANT_CHILD) {
  exports.activate(globalThis);
  process.on('exit', () => exports.storeReached(globalThis));
}
