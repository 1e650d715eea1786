const { answers } = require('../program.cjs');
const { expect, test } = require('@jest/globals');

test('the program gives its answers', () => {
  expect(answers()).toBe('true false true false true false true 7 2');
});
