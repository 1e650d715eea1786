// The option `signal`, and the closing of sources: the call ends with the reason, and the source is closed.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { CuckooFilter, dedupe, dedupeStream, Deduper } from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { turns } from '../support/patience';
import { thrownBy } from '../support/random';

const options = { capacity: 5000 };

/** Every call that reads keys that arrive, with the signal. */
const CALLS: readonly [string, (source: never, signal: AbortSignal) => Promise<unknown>][] = [
  ['addManyAsync', (source, signal) => new CuckooFilter(options).addManyAsync(source, { signal })],
  ['fromAsync', (source, signal) => CuckooFilter.fromAsync(source, { ...options, signal })],
  ['fromAsync without capacity', (source, signal) => CuckooFilter.fromAsync(source, { signal })],
  ...[CuckooCounter, ScalableCuckooFilter, SharedCuckooFilter, Traced].map(
    (Class): [string, (source: never, signal: AbortSignal) => Promise<unknown>] => [
      `${Class.name}.fromAsync`,
      (source, signal) => Class.fromAsync(source, { ...options, signal }),
    ],
  ),
  ['areNewAsync', (source, signal) => new Deduper(options).areNewAsync(source, { signal })],
  [
    'areNewAsync of periods',
    (source, signal) => new ExpiringFilter({ ...options, periods: 2 }).areNewAsync(source, { signal }),
  ],
  [
    'dedupe',
    async (source, signal) => {
      for await (const item of dedupe(source, { ...options, signal })) void item;
    },
  ],
];

/** A stream of a key that then hangs, and whether it was cancelled. */
function hangingStream(): { stream: ReadableStream<number>; isCancelled: () => boolean } {
  let isCancelled = false;
  const stream = new ReadableStream<number>({
    start: (controller) => controller.enqueue(1),
    cancel: () => {
      isCancelled = true;
    },
  });
  return { stream, isCancelled: () => isCancelled };
}

describe.each(CALLS)('a signal of %s', (_, call) => {
  test('ends it while a source has its items ready', async () => {
    const controller = new AbortController();
    let given = 0;
    let closed = 0;
    const source = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          if (++given === 10) controller.abort(new Error('stop'));
          return Promise.resolve({ value: given, done: given > 4000 });
        },
        return: () => {
          ++closed;
          return Promise.resolve({ value: undefined, done: true });
        },
      }),
    };
    await expect(call(source as never, controller.signal)).rejects.toThrow('stop');
    expect([given, closed]).toEqual([10, 1]);
  });

  test('closes a stream that hangs, of the Web and of Node', async () => {
    const controller = new AbortController();
    const { stream, isCancelled } = hangingStream();
    const node = new Readable({ objectMode: true, read: () => undefined });
    node.push(1);
    const calls = [stream, node].map((source) => call(source as never, controller.signal));
    await turns();
    controller.abort(new Error('stop'));
    for (const each of calls) await expect(each).rejects.toThrow('stop');
    await turns();
    expect([isCancelled(), node.destroyed]).toEqual([true, true]);
  });

  test('that says stop before the start closes the source, too', async () => {
    const signal = AbortSignal.abort(new Error('stop'));
    const { stream, isCancelled } = hangingStream();
    await expect(call(stream as never, signal)).rejects.toThrow('stop');
    await turns();
    expect(isCancelled()).toBe(true);
  });

  test('takes iterators that promise nothing, and tells the reason before their errors', async () => {
    const items = [1, 2];
    const plain = {
      [Symbol.asyncIterator]: () => ({
        next: () => ({ value: items.pop(), done: items.length === 0 }),
      }),
    };
    await call(plain as never, new AbortController().signal);
    const controller = new AbortController();
    const failing = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          controller.abort(new Error('stop'));
          return { value: 1, done: false };
        },
        return: () => {
          throw new Error('from return');
        },
      }),
    };
    await expect(call(failing as never, controller.signal)).rejects.toThrow('stop');
  });

  test('that aborts while the source is asked ends the call, even if the source never answers', async () => {
    const controller = new AbortController();
    const silent = (): Promise<never> => {
      controller.abort(new Error('stop'));
      return new Promise(() => undefined);
    };
    const source = { [Symbol.asyncIterator]: () => ({ next: silent }) };
    await expect(Promise.race([call(source as never, controller.signal), turns()])).rejects.toThrow('stop');
  });

  test('has no listener left once the call has ended', async () => {
    const { signal } = new AbortController();
    await call([1, 2] as never, signal);
    await call(Readable.from([1, 2]) as never, signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('is not its controller, whose signal is named', async () => {
    await expect((async () => call([1] as never, new AbortController() as never))()).rejects.toThrow(
      /^signal must be an AbortSignal \(controller\.signal\), got /,
    );
  });

  test('must be one', async () => {
    for (const wrong of ['x', {}, 5, null, { aborted: false }, new EventTarget()])
      await expect((async () => call([1] as never, wrong as never))()).rejects.toMatchObject({
        name: 'TypeError',
        code: 'invalid-argument',
        message: expect.stringMatching(/^signal must be an AbortSignal, got /) as unknown,
      });
  });
});

describe('in browsers whose signals tell no reason, and cannot throw it', () => {
  const names = ['reason', 'throwIfAborted'] as const;
  const own = names.map((name) => Object.getOwnPropertyDescriptor(AbortSignal.prototype, name));
  beforeAll(() => names.forEach((name) => Reflect.deleteProperty(AbortSignal.prototype, name)));
  afterAll(() =>
    names.forEach((name, i) =>
      Object.defineProperty(AbortSignal.prototype, name, own[i] as PropertyDescriptor),
    ),
  );

  test.each(CALLS)('a signal ends %s with an AbortError', async (_, call) => {
    const controller = new AbortController();
    await call(['a'] as never, controller.signal);
    await call(Readable.from(['a']) as never, controller.signal);
    const waiting = call(hangingStream().stream as never, controller.signal);
    await turns();
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    for (const source of [['a'], Readable.from(['a'])])
      await expect(call(source as never, controller.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });
});

test('a signal ends the wait for a promise in an iterable', async () => {
  const controller = new AbortController();
  const never = new Promise<string>(() => undefined);
  const waiting = new CuckooFilter(options).addManyAsync([never], { signal: controller.signal });
  await turns();
  controller.abort(new Error('stop'));
  await expect(Promise.race([waiting, turns()])).rejects.toThrow('stop');
});

test('other names in the options of calls that wait are refused', async () => {
  for (const wrong of [{ signl: 1 }, 5, null])
    await expect(new CuckooFilter(options).addManyAsync([1], wrong as never)).rejects.toMatchObject({
      code: 'invalid-argument',
    });
});

test('a signal or its controller in place of options is refused with the way to pass it', async () => {
  const filter = new CuckooFilter(options);
  const controller = new AbortController();
  for (const given of [controller, controller.signal] as never[])
    for (const call of [filter.addManyAsync([1], given), CuckooFilter.fromAsync([1], given)])
      await expect(call).rejects.toThrow(
        `options must be a plain object, got ${Object.prototype.toString.call(given)}: pass { signal }`,
      );
  expect(() => new CuckooFilter(controller as never)).toThrow(/AbortController]$/); // It takes no signal.
});

test('dedupeStream fails with the reason, at once or before it begins', async () => {
  const controller = new AbortController();
  const { stream } = hangingStream();
  const reader = stream.pipeThrough(dedupeStream({ ...options, signal: controller.signal })).getReader();
  expect(await reader.read()).toEqual({ value: 1, done: false });
  const next = reader.read();
  controller.abort(new Error('stop'));
  await expect(next).rejects.toThrow('stop');
  const begun = hangingStream().stream.pipeThrough(
    dedupeStream({ ...options, signal: AbortSignal.abort(new Error('early')) }),
  );
  await expect(begun.getReader().read()).rejects.toThrow('early');
});

test('dedupe that nobody reads closes its source once, by return and by throw', async () => {
  for (const end of ['return', 'throw'] as const) {
    let closed = 0;
    const source = {
      [Symbol.iterator]: () => ({
        next: () => ({ value: 1, done: false }),
        return: () => ({ value: ++closed, done: true }),
      }),
    };
    const items = dedupe(source as Iterable<number>, options);
    const node = Readable.from([1, 2]);
    for (const each of [items, items, dedupe(node, options)])
      try {
        await (end === 'return' ? each.return() : each.throw(new Error('mine')));
      } catch (error) {
        expect(error).toEqual(new Error('mine'));
      }
    await turns();
    expect([closed, node.destroyed]).toEqual([1, true]);
  }
});

test('dedupe closes its source once, and only one iterator of it, however far it was read', async () => {
  for (const isAsync of [false, true])
    for (const reads of [0, 1, 3]) {
      const told: string[] = [];
      const settled = <Step>(step: Step): Step => (isAsync ? (Promise.resolve(step) as never) : step);
      const iterate = (): unknown => {
        told.push('begin');
        return {
          next: () => settled({ value: told.push('next'), done: false }),
          return: () => settled({ value: told.push('return'), done: true }),
        };
      };
      const source = { [isAsync ? Symbol.asyncIterator : Symbol.iterator]: iterate };
      const items = dedupe(source as unknown as Iterable<number>, options);
      for (let read = 0; read < reads; ++read) await items.next();
      for (let end = 0; end < 2; ++end) await items.return();
      expect(told).toEqual(['begin', ...Array<string>(reads).fill('next'), 'return']);
    }
  const endless = { [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }) }) };
  expect(dedupe(endless, options).return()).toEqual({ value: undefined, done: true });
});

test('a stream that has ended leaves nothing with its signal', async () => {
  const { signal } = new AbortController();
  const stream = new ReadableStream<number>({
    start(controller) {
      controller.enqueue(1);
      controller.close();
    },
  });
  const reader = stream.pipeThrough(dedupeStream({ ...options, signal })).getReader();
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  while (!(await reader.read()).done);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('a clock that throws in clear changes nothing', () => {
  for (let nth = 1; nth <= 5; ++nth) {
    const times: (number | undefined)[] = [];
    const now = (): number => {
      if (times.length === 0) return 100;
      const time = times.shift();
      if (time === undefined) throw new Error('clock');
      return time;
    };
    const filter = new ExpiringFilter({ capacity: 100, periods: 3, every: 10, now });
    filter.isNew('a');
    times.push(...Array<number>(nth - 1).fill(50), undefined);
    const isCleared = ((): boolean => {
      try {
        filter.clear();
        return true;
      } catch {
        return false;
      }
    })();
    times.length = 0;
    expect([nth, filter.hasSeen('a')]).toEqual([nth, !isCleared]);
  }
});

test('a text object is one key, and not a batch', () => {
  const text = new String('abc') as unknown as string[];
  expect(thrownBy(TypeError, () => new CuckooFilter(options).addMany(text)).message).toMatch(
    /^keys must be /,
  );
});
