// Runs test files in the order in which MUTANT_TESTS lists them.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

module.exports = class extends Sequencer {
  sort(tests) {
    const names = JSON.parse(readFileSync(process.env.MUTANT_TESTS, 'utf8')).map(({ name }) => name);
    const rank = ({ path }) => names.findIndex((name) => path.endsWith(join('/tests/js', name)));
    return [...tests].sort((one, other) => rank(one) - rank(other));
  }
};
