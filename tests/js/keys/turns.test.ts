// A call that returns a promise lets the event loop turn, whatever gives its keys, so that a signal that aborts ends it.
import { expect, jest, test } from '@jest/globals';
import type * as Package from 'cuckoofilter-wasm';
import { CuckooFilter, Deduper, type AsyncKeys } from 'cuckoofilter-wasm';
import { CuckooValues } from 'cuckoofilter-wasm/values';

/** More keys than any call could add before a timer runs. */
const MANY = 3_000_000;
const options = { capacity: 2 * MANY, falsePositiveRate: 0.1 };

function* generated(): Generator<number> {
  for (let i = 0; ; ++i) yield i;
}
async function* arriving(): AsyncGenerator<number> {
  for (let i = 0; ; ++i) yield await Promise.resolve(i);
}
const integers = Uint32Array.from({ length: MANY }, (_, i) => i);

const SOURCES: readonly [string, () => AsyncKeys][] = [
  ['an array', () => Array.from(integers)],
  ['a typed array', () => integers],
  ['a generator', generated],
  ['an async generator that waits for nothing', arriving],
];

/** Aborts its signal in the first turn of the event loop that lets timers run. */
function soon(): { signal: AbortSignal; reason: Error } {
  const control = new AbortController();
  const reason = Object.freeze(new Error('enough'));
  setTimeout(() => control.abort(reason));
  return { signal: control.signal, reason };
}

test.each(SOURCES)('%s', async (_, source) => {
  for (const call of [
    (signal: AbortSignal) => new CuckooFilter(options).addManyAsync(source(), { signal }),
    (signal: AbortSignal) => new Deduper(options).areNewAsync(source(), { signal }),
    (signal: AbortSignal) => CuckooFilter.fromAsync(source(), { ...options, signal }),
    (signal: AbortSignal) => CuckooFilter.fromAsync(source(), { signal }),
  ]) {
    const { signal, reason } = soon();
    await expect(call(signal)).rejects.toBe(reason);
  }
});

test('pairs of a key and a value', async () => {
  const pairs = function* (): Generator<[number, number]> {
    for (const key of generated()) yield [key, 1];
  };
  const { signal, reason } = soon();
  await expect(CuckooValues.fromAsync(pairs(), { valueBits: 1, signal })).rejects.toBe(reason);
});

test('pairs while they are stored, once their source has ended', async () => {
  const control = new AbortController();
  const reason = Object.freeze(new Error('enough'));
  function* pairs(): Generator<[number, number]> {
    for (let i = 0; i < 300_000; ++i) yield [i, 1];
    setTimeout(() => control.abort(reason));
  }
  const { signal } = control;
  await expect(CuckooValues.fromAsync(pairs(), { valueBits: 1, signal })).rejects.toBe(reason);
});

test('where the clock stands still, and where there is no setImmediate or no MessageChannel', async () => {
  const { now } = performance;
  const names = ['setImmediate', 'MessageChannel'] as const;
  const before = names.map((name) => globalThis[name] as unknown);
  performance.now = () => 0;
  try {
    for (const gone of [[], names.slice(0, 1), names]) {
      for (const name of gone) Object.assign(globalThis, { [name]: undefined });
      const { CuckooFilter: Loaded } = loadedAnew();
      const { signal, reason } = soon();
      await expect(new Loaded(options).addManyAsync(generated(), { signal })).rejects.toBe(reason);
    }
  } finally {
    performance.now = now;
    names.forEach((name, i) => Object.assign(globalThis, { [name]: before[i] }));
  }
});

/** Another copy of the package, which takes its timers from what is there now. */
function loadedAnew(): typeof Package {
  let loaded: typeof Package | undefined;
  jest.isolateModules(() => (loaded = jest.requireActual('cuckoofilter-wasm')));
  return loaded as typeof Package;
}
