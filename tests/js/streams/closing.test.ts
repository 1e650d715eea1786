// Who reads a source over time closes it: once if reading ends early, and not at all if the source has ended or failed.
import { expect, test } from '@jest/globals';
import { CuckooFilter, dedupe, FilterFullError } from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';

interface Counted {
  closed: number;
  readonly source: never;
}

/** A source of the strings '0', '1' and so on. After `end` of them it ends or fails. It counts how often it is closed. */
function counted(kind: 'async' | 'promises' | 'stream', end: number, failure?: Error): Counted {
  let at = 0;
  const step = (): { done: boolean; value?: string } => {
    if (at === end && failure !== undefined) throw failure;
    return at === end ? { done: true } : { done: false, value: String(at++) };
  };
  const made: { closed: number; source?: unknown } = { closed: 0 };
  const closing = (): { done: true; value: undefined } => {
    ++made.closed;
    return { done: true, value: undefined };
  };
  if (kind === 'async')
    made.source = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise((resolve) => resolve(step())),
        return: () => Promise.resolve(closing()),
      }),
    };
  if (kind === 'promises')
    made.source = {
      [Symbol.iterator]: () => ({
        next: () => {
          const { done, value } = step();
          return { done, value: Promise.resolve(value) };
        },
        return: closing,
      }),
    };
  if (kind === 'stream')
    made.source = {
      getReader: () => ({
        read: () => new Promise((resolve) => resolve(step())),
        cancel: () => Promise.resolve(closing()),
      }),
    };
  return made as Counted;
}

const KINDS = ['async', 'promises', 'stream'] as const;
const SIGNALS = [{}, { signal: new AbortController().signal }];
const cases = KINDS.flatMap((kind) =>
  SIGNALS.map((options) => [kind, Object.keys(options).join(), options] as const),
);

test.each(cases.filter(([kind]) => kind !== 'promises'))(
  '%s, %s: a loop that is left closes the source once',
  async (kind, _, options) => {
    const made = counted(kind, 100);
    for await (const key of dedupe<string>(made.source, { capacity: 100, ...options }))
      if (key === '3') break;
    expect(made.closed).toBe(1);
  },
);

test.each(cases)('%s, %s: a call that fails closes the source once', async (kind, _, options) => {
  const made = counted(kind, Infinity);
  const filter = new CuckooFilter({ capacity: 100 });
  await expect(filter.addManyAsync(made.source, options)).rejects.toThrow(FilterFullError);
  expect(made.closed).toBe(1);
});

test.each(cases)(
  '%s, %s: a filter made with a capacity takes keys as they come, and stops where it is full',
  async (kind, _, options) => {
    const made = counted(kind, 20_000);
    const filled = CuckooFilter.fromAsync(made.source, { capacity: 100, ...options });
    await expect(filled).rejects.toThrow(FilterFullError);
    expect(made.closed).toBe(1);
  },
);

test.each(cases)('%s, %s: a source that has ended is not closed', async (kind, _, options) => {
  const made = counted(kind, 5);
  const filter = new CuckooFilter({ capacity: 100 });
  expect(await filter.addManyAsync(made.source, options)).toBe(5);
  expect([made.closed, filter.size]).toEqual([0, 5]);
});

test.each(KINDS)('%s: a filter of any class holds the keys of a source that has ended', async (kind) => {
  for (const Class of [CuckooFilter, CuckooCounter, ScalableCuckooFilter, SharedCuckooFilter, Traced])
    for (const options of [{}, { capacity: 100 }]) {
      const made = counted(kind, 50);
      const filter = await Class.fromAsync(made.source, options);
      expect([made.closed, filter.size, filter.has('0'), filter.has('49')]).toEqual([0, 50, true, true]);
    }
});

test.each(cases)(
  '%s, %s: a source that has failed is not closed, and its error goes on',
  async (kind, _, options) => {
    const failure = new Error('the source failed');
    const made = counted(kind, 3, failure);
    const filter = new CuckooFilter({ capacity: 100 });
    await expect(filter.addManyAsync(made.source, options)).rejects.toBe(failure);
    expect([made.closed, filter.size]).toEqual([0, 3]);
  },
);

test('an iterator without return is left as it is', async () => {
  for (const options of SIGNALS)
    for (const kind of [Symbol.iterator, Symbol.asyncIterator]) {
      const source = { [kind]: () => ({ next: () => ({ done: false, value: 'a' }) }) } as never;
      for await (const key of dedupe<string>(source, { capacity: 100, ...options })) {
        expect(key).toBe('a');
        break;
      }
      const failing = {
        [kind]: () => ({ next: () => ({ done: false, value: Promise.reject(new Error('no row')) }) }),
      };
      const filter = new CuckooFilter({ capacity: 100 });
      if (kind === Symbol.iterator)
        await expect(filter.addManyAsync(failing as never, options)).rejects.toThrow('no row');
    }
});
