// The lock of a saved file, within one process: whose it is taken for, and what happens where none can be made.
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import fs, { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { locked } from '../../../js/cli/filters/lock';
import { Failure } from '../../../js/cli/words/failure';
import { thrownBy } from '../support/random';
import { at } from '../support/scratch';

const LOCK = at('seen.lock');
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(LOCK, { force: true });
});

function refusal(): string {
  return thrownBy(Failure, () => locked(at('seen'), 'seen')).message;
}

test.each(['a process 7 on here since now\n', 'process 7 on here since now\nand then\n', 'process 7\n'])(
  'a lock that says %j is not taken for one of the command',
  (content) => {
    writeFileSync(LOCK, content);
    expect(refusal()).toBe(
      `seen: another run may be about to save this file, because ${LOCK} exists. If there is no such run, remove ${LOCK}. If another program locks that file, as flock does, give it another one`,
    );
  },
);

test('an empty lock is not of the command, however old it is: flock makes one', () => {
  writeFileSync(LOCK, '');
  const before = new Date(Date.now() - 1e7);
  utimesSync(LOCK, before, before);
  expect(refusal()).toContain('another run may be about to save this file');
  expect(existsSync(LOCK)).toBe(true);
});

test('a lock left by a run that had saved the file is told, if the file is loaded, and left', () => {
  const unlock = locked(at('seen'), 'seen');
  const ended = readFileSync(LOCK, 'utf8').replace(String(process.pid), '2147483647');
  unlock();
  for (const [minutes, isRefused] of [
    [-1, false],
    [1, true],
  ] as const) {
    writeFileSync(LOCK, ended);
    writeFileSync(at('seen'), '');
    const saved = new Date(Date.now() + 60_000 * minutes);
    utimesSync(at('seen'), saved, saved);
    if (isRefused)
      expect(thrownBy(Failure, () => locked(at('seen'), 'seen', true)).message).toMatch(
        /^seen: process 2147483647 was killed/,
      );
    expect(existsSync(LOCK)).toBe(true);
    locked(at('seen'), 'seen', !isRefused)();
    expect(existsSync(LOCK)).toBe(false);
  }
});

describe('the process that has it', () => {
  const OWN = new RegExp(`^process ${process.pid} on \\S+(.*) since `);

  /** How a lock names the table of processes that this one is in. */
  function table(): string {
    const unlock = locked(at('seen'), 'seen');
    const content = readFileSync(LOCK, 'utf8');
    unlock();
    return OWN.exec(content)?.[1] ?? 'none';
  }

  test.each([
    ['EPERM', 'Wait until that run has ended'],
    ['ESRCH', 'That process has ended without removing its lock, or it runs in another container'],
  ])('in another container, where a signal to it gives %s', (code, told) => {
    writeFileSync(LOCK, `process 7123 on ${hostname()} pid:[1] since now\n`);
    const kill = jest.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error(code), { code });
    });
    expect(refusal()).toContain(`seen: locked by process 7123 on ${hostname()} since now. ${told}`);
    expect(kill.mock.calls).toEqual([[7123, 0]]);
  });

  // stellar/stellar-core#652: in a container, each run has the same number.
  test('with the own number is no run to wait for, and one that has ended is not waited for', () => {
    const here = table();
    writeFileSync(LOCK, `process ${process.pid} on ${hostname()} pid:[1] since now\n`);
    expect(refusal()).toContain('ended without removing its lock, or it runs in another container');
    for (const id of [process.pid, 2147483647]) {
      writeFileSync(LOCK, `process ${id} on ${hostname()}${here} since now\n`);
      locked(at('seen'), 'seen')();
      expect(existsSync(LOCK)).toBe(false);
    }
  });

  test('is not looked for on another host', () => {
    writeFileSync(LOCK, 'process 2147483647 on elsewhere since now\n');
    expect(refusal()).toContain('Wait until that run has ended');
  });
});

test('where no lock can be made, the reason is told, and nothing of it stays', () => {
  const listeners = process.listenerCount('exit');
  const { message } = thrownBy(Failure, () => locked(at('no/such/folder/seen'), 'seen'));
  expect(message).toBe('seen: no such file or directory');
  expect(process.listenerCount('exit')).toBe(listeners);
});

test('unlocking removes the lock and what listens for the end of the process', () => {
  const counts = (): number[] =>
    ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => process.listenerCount(name));
  const before = counts();
  const unlock = locked(at('seen'), 'seen');
  // No handler of a signal, which would wait for an expression that takes for ever.
  expect([existsSync(LOCK), counts()]).toEqual([true, before.map((count, i) => count + Number(i === 0))]);
  unlock();
  expect([existsSync(LOCK), counts()]).toEqual([false, before]);
});

test('a lock of a run that has ended, which another program holds, is told and left', () => {
  const unlock = locked(at('seen'), 'seen');
  const ended = readFileSync(LOCK, 'utf8').replace(String(process.pid), '2147483647');
  unlock();
  writeFileSync(LOCK, ended);
  jest.spyOn(Atomics, 'wait').mockReturnValue('timed-out');
  jest.spyOn(fs, 'rmSync').mockImplementation(() => {
    throw Object.assign(new Error('held'), { code: 'EPERM' });
  });
  expect(refusal()).toContain('That process has ended without removing its lock');
  expect(readFileSync(LOCK, 'utf8')).toBe(ended);
});
