// The command in a thread of the test's process: each run gets its own answer, however late a notice comes.
import { afterEach, expect, jest, test } from '@jest/globals';
import { command } from '../support/command';

afterEach(() => {
  jest.restoreAllMocks();
});

const { wait } = Atomics;

/** How `key`, a line, comes back. */
const echo = (key: string): unknown[] => {
  const { code, out, errors } = command(['dedup'], `${key}\n${key}\n`);
  return [code, out.toString(), errors];
};

test('a notice of an earlier step, which ends a wait too soon, mixes no answers up', () => {
  let waits = 0;
  const early = jest
    .spyOn(Atomics, 'wait')
    .mockImplementation((...parameters: Parameters<typeof wait>) =>
      ++waits % 2 === 1 ? 'ok' : wait(...parameters),
    );
  for (const key of ['a', 'b', 'c']) expect(echo(key)).toEqual([0, `${key}\n`, '']);
  expect(early.mock.calls.length).toBeGreaterThan(3);
});
