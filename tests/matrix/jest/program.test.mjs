import { expect, test } from '@jest/globals';

import { answers } from '../program.mjs';

test('the program gives its answers', () => {
  expect(answers()).toBe('true false true false true false true 7 2');
});
