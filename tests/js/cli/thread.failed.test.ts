// The command in a thread of the test's process, where the first run fails: the thread starts while its run is given up, so
// that it waits for a pipe that nobody writes to any more.
import { expect, jest, test } from '@jest/globals';
import { command } from '../support/command';

test('a run that fails fails alone, and its thread ends with the file', () => {
  const late = jest.spyOn(Atomics, 'wait').mockReturnValue('timed-out');
  expect(() => command(['dedup'], 'a\n')).toThrow(/^the command does not end: dedup$/);
  late.mockRestore();
  for (const key of ['b', 'c']) {
    const { code, out, errors } = command(['dedup'], `${key}\n${key}\n`);
    expect([code, out.toString(), errors]).toEqual([0, `${key}\n`, '']);
  }
});
