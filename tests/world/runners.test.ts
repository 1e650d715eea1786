// What test runners do to a program: fake timers, and modules that are loaded again.
import { afterEach, expect, jest, test } from '@jest/globals';
import type * as Package from 'cuckoofilter-wasm';
import { CuckooFilter, dedupe, Deduper } from 'cuckoofilter-wasm';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';

const KEYS = Array.from({ length: 50_000 }, (_, i) => `key ${i}`);
const options = { capacity: KEYS.length };

async function* arriving(): AsyncGenerator<string> {
  for (const key of KEYS) yield await Promise.resolve(key);
}

afterEach(() => {
  jest.useRealTimers();
});

// jestjs/jest#11714, #11389, vitest#621: a library that waited for a timer never went on.
test('calls that return a promise go on under fake timers', async () => {
  jest.useFakeTimers();
  expect((await CuckooFilter.fromAsync(arriving())).size).toBe(KEYS.length);
  for (const keys of [KEYS, arriving()])
    expect(await new Deduper(options).areNewAsync(keys)).toHaveLength(KEYS.length);
  let count = 0;
  for await (const key of dedupe(arriving(), options)) count += Number(key !== '');
  expect(count).toBeGreaterThan(KEYS.length * 0.99);
});

test('also if the package is loaded when the timers are fake already', async () => {
  jest.useFakeTimers();
  let loaded: typeof Package | undefined;
  jest.isolateModules(() => (loaded = jest.requireActual('cuckoofilter-wasm')));
  expect((await loaded?.CuckooFilter.fromAsync(arriving()))?.size).toBe(KEYS.length);
});

test('an ExpiringFilter follows the time that a test sets', () => {
  jest.useFakeTimers();
  const seen = new ExpiringFilter({ capacity: 10, periods: 2, every: '1 h' });
  expect([seen.isNew('a'), seen.isNew('a')]).toEqual([true, false]);
  jest.setSystemTime(Date.now() + 3 * 3_600_000);
  expect(seen.isNew('a')).toBe(true);
});
