// What the command says of a file that it cannot use.
import { expect, test } from '@jest/globals';
import { Failure, fileFailure, naming } from '../../js/cli/failure';
import { thrownBy } from './random';

test.each([
  ['ENOENT', 'a file: no such file or directory'],
  ['EISDIR', 'a file: is a directory'],
  ['EACCES', 'a file: permission denied'],
  ['EIO', 'a file: told by the test'],
  [undefined, 'a file: told by the test'],
])('an error with the code %p is told as %p', (code, message) => {
  const error = Object.assign(new Error('told by the test'), code === undefined ? {} : { code });
  expect(fileFailure('a file', error)).toBeInstanceOf(Failure);
  expect(fileFailure('a file', error).message).toBe(message);
  const act = (): never => {
    throw error;
  };
  expect(thrownBy(Failure, () => naming('a file', act)).message).toBe(message);
});

test('what succeeds gives what it gives', () => {
  expect(naming('a file', () => 5)).toBe(5);
});
