// The command in a thread of the test's process: each run gets its own answer, however late a notice comes, and none that of a
// run that failed.
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

test('a run that fails fails alone', () => {
  const late = jest.spyOn(Atomics, 'wait').mockReturnValue('timed-out');
  expect(() => echo('a')).toThrow(/^the command does not end: dedup$/);
  late.mockRestore();
  for (const key of ['b', 'c']) expect(echo(key)).toEqual([0, `${key}\n`, '']);
});
