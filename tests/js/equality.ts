// Compares bytes at once in `toEqual`. Jest compares them one by one, which takes seconds for a megabyte.
import { expect } from '@jest/globals';

expect.addEqualityTesters([
  (one: unknown, other: unknown) =>
    one instanceof Uint8Array && other instanceof Uint8Array && one.constructor === other.constructor
      ? Buffer.compare(one, other) === 0
      : undefined,
]);
