// The example of a program that is killed: after each end, asked in a process of its own, it denies no row.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TIME_LIMIT } from '../support/command';

const EXAMPLE = join(__dirname, '../../../js/examples/restart.mjs');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cuckoofilter-restart-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the program until it has inserted for a while, ends it with `signal`, and returns what it printed. */
function runUntil(signal: 'SIGKILL' | 'SIGTERM'): Promise<string[]> {
  const child = spawn(process.execPath, [EXAMPLE, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...TIME_LIMIT,
  });
  let output = '';
  let isSignalled = false;
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
    if (isSignalled || output.split('\n').length < 8) return;
    isSignalled = true;
    child.kill(signal);
  });
  return new Promise((resolve) => child.on('close', () => resolve(output.trim().split('\n'))));
}

function check(): string[] {
  const words = [EXAMPLE, folder, '--check'];
  return execFileSync(process.execPath, words, { encoding: 'utf8', ...TIME_LIMIT })
    .trim()
    .split('\n');
}

const NONE_DENIED = expect.stringMatching(/^[1-9]\d{2,} rows, 0 denied$/);

test('killed at once, ended in order, and killed again, it denies no row', async () => {
  expect((await runUntil('SIGKILL'))[0]).toBe('built from the rows');
  expect(readdirSync(folder)).toEqual(['users.txt']);
  expect(check()).toEqual(['built from the rows', NONE_DENIED]);
  const ended = await runUntil('SIGTERM');
  expect([ended[0], ended.at(-1)]).toEqual(['loaded from the file', 'saved']);
  expect(check()).toEqual(['loaded from the file', NONE_DENIED]);
  expect((await runUntil('SIGKILL'))[0]).toBe('loaded from the file');
  expect(check()).toEqual(['built from the rows', NONE_DENIED]);
});

test('a damaged file is as good as none', () => {
  writeFileSync(join(folder, 'users.cuckoo'), 'half a fil');
  expect(check()).toEqual(['built from the rows', NONE_DENIED]);
});

test('without the rule it would deny rows: the file that was loaded is put back after a kill', async () => {
  check();
  const file = join(folder, 'users.cuckoo');
  copyFileSync(file, join(folder, 'kept'));
  expect((await runUntil('SIGKILL'))[0]).toBe('loaded from the file');
  copyFileSync(join(folder, 'kept'), file);
  expect(check()).toEqual(['loaded from the file', expect.stringMatching(/ rows, [1-9]\d+ denied$/)]);
});
