// Keys that arrive over time: addManyAsync, fromAsync, areNewAsync. What sources throw: keys/thrown.test.ts; signals, beside
// these few: signals.test.ts; and what areNewAsync has answered before an error: filters/answers.test.ts.
import { describe, expect, test } from '@jest/globals';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import {
  CuckooFilter,
  dedupe,
  Deduper,
  DisposedError,
  FilterFullError,
  InvalidKeyError,
  type AsyncKeys,
} from 'cuckoofilter-wasm';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { memoryBytes } from '../support/memory-spy';

/** Gives `keys` one by one, and tells whether it was closed before its end. */
function source(keys: Iterable<unknown>): { keys: AsyncKeys; isClosed: () => boolean; given: () => number } {
  let isClosed = false;
  let given = 0;
  async function* arriving(): AsyncGenerator<unknown> {
    let isDone = false;
    try {
      for (const key of keys) {
        await null;
        ++given;
        yield key;
      }
      isDone = true;
    } finally {
      isClosed = !isDone;
    }
  }
  return { keys: arriving() as AsyncKeys, isClosed: () => isClosed, given: () => given };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const COUNTS = [0, 1, 1023, 1024, 1025, 5000];
const options = { capacity: 6000 };

type FilterClass = typeof CuckooFilter;
const CLASSES: readonly [string, FilterClass][] = [
  ['CuckooFilter', CuckooFilter],
  ['ScalableCuckooFilter', ScalableCuckooFilter as never],
  ['the trace class', Traced as never],
];

describe.each(CLASSES)('%s', (_, Class) => {
  test.each(COUNTS)('addManyAsync of %p keys does the same as addMany', async (count) => {
    const filter = new Class(options);
    expect(await filter.addManyAsync(source(numbers(count)).keys)).toBe(count);
    const other = new Class(options);
    other.addMany(numbers(count));
    expect(filter).toEqual(other);
  });

  test.each(COUNTS)(
    'fromAsync of %p keys does the same as from, with and without a capacity',
    async (count) => {
      for (const given of [{}, options])
        expect(await Class.fromAsync(source(numbers(count)).keys, given)).toEqual(
          Class.from(numbers(count), given),
        );
    },
  );
});

test('closes an iterable of promises of which one rejects', async () => {
  let closed = 0;
  function* promises(): Generator<number | Promise<number>> {
    try {
      for (const i of numbers(9)) yield i === 5 ? Promise.reject(new Error('no row')) : i;
    } finally {
      ++closed;
    }
  }
  const filter = new CuckooFilter(options);
  await expect(filter.addManyAsync(promises() as AsyncKeys)).rejects.toThrow('no row');
  expect([closed, filter.size]).toEqual([1, 5]);
  await expect(CuckooFilter.fromAsync(promises() as AsyncKeys)).rejects.toThrow('no row');
  expect(closed).toBe(2);
});

test('takes streams, iterables, promises and batches of every kind', async () => {
  const expected = CuckooFilter.from(['a', 'b', 'c'], options);
  const kinds: readonly AsyncKeys[] = [
    Readable.from(['a', 'b', 'c']),
    ['a', 'b', 'c'],
    new Set(['a', 'b', 'c']),
    ['a', 'b', 'c'].map((key) => Promise.resolve(key)),
    new Blob(['abc']).stream().pipeThrough(
      new TransformStream<Uint8Array, string>({
        transform: (bytes, controller) => {
          for (const byte of bytes) controller.enqueue(String.fromCharCode(byte));
        },
      }),
    ) as unknown as AsyncKeys,
  ];
  for (const keys of kinds) expect(await CuckooFilter.fromAsync(keys, options)).toEqual(expected);
  expect(await new CuckooFilter(options).addManyAsync(Uint32Array.of(1, 2, 3))).toBe(3);
});

test.each<[string, () => object]>([
  ['a file', () => createReadStream(__filename)],
  ['a file as text', () => createReadStream(__filename, 'utf8')],
  ['a body', () => new Response('a\nb').body as object],
])('refuses the chunks of %s, which are no keys', async (_, stream) => {
  const error = {
    name: 'TypeError',
    code: 'invalid-argument',
    message: 'chunks of bytes are not keys: read lines (node:readline), or generate keys',
  };
  const chunks = stream() as AsyncKeys;
  await expect(CuckooFilter.fromAsync(chunks)).rejects.toMatchObject(error);
  await expect(new CuckooFilter(options).addManyAsync(chunks)).rejects.toMatchObject(error);
  await expect(new Deduper(options).areNewAsync(chunks)).rejects.toMatchObject(error);
  expect(() => dedupe(chunks as AsyncIterable<string>, options)).toThrow(error.message);
});

test('reads the lines of a file', async () => {
  const deduper = new Deduper(options);
  await deduper.areNewAsync(createInterface({ input: createReadStream(__filename) }));
  expect(deduper.isNew("import { createInterface } from 'node:readline';")).toBe(false);
});

test('keeps a key as it was when it came, as sources may use one buffer again', async () => {
  async function* reusing(): AsyncGenerator<Uint8Array> {
    const bytes = new Uint8Array(2);
    for (let i = 0; i < 1500; ++i) {
      new DataView(bytes.buffer).setUint16(0, i);
      yield bytes;
      await null;
    }
  }
  const filter = await CuckooFilter.fromAsync(reusing(), options);
  expect(filter.has(Uint8Array.of(1500 >> 8, 1499 & 255))).toBe(true);
  expect(filter.has(Uint8Array.of(0, 0))).toBe(true);
  expect(filter.size).toBe(1500);
});

describe('where it fails', () => {
  test.each([0, 5, 1023, 1024, 3000])(
    'a bad key %p is named by its index; those before it are added',
    async (at) => {
      const keys: unknown[] = numbers(5000);
      keys[at] = 1.5;
      const from = source(keys);
      const filter = new CuckooFilter(options);
      const failed = filter.addManyAsync(from.keys);
      await expect(failed).rejects.toThrow(InvalidKeyError);
      await expect(failed).rejects.toMatchObject({ code: 'invalid-key', index: at });
      await expect(failed).rejects.toThrow(new RegExp(`^key ${at}: .*1\\.5`));
      expect(filter.size).toBe(at);
      expect(from.isClosed()).toBe(true);
      expect(from.given() - at).toBeLessThanOrEqual(1024);
    },
  );

  test('a full filter tells how many keys were added in all', async () => {
    const filter = new CuckooFilter({ capacity: 2000, bucketCount: 500, bucketSize: 4 });
    const from = source(numbers(5000));
    const error = await filter.addManyAsync(from.keys).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FilterFullError);
    expect(error).toMatchObject({ reason: 'full', added: filter.size });
    expect(filter.size).toBeGreaterThan(1024);
    expect(filter.containsMany(numbers(filter.size)).includes(0)).toBe(false);
    expect(from.isClosed()).toBe(true);
  });

  test('a filter that is disposed of meanwhile closes the source', async () => {
    const filter = new CuckooFilter(options);
    const from = source(numbers(5000));
    const failed = filter.addManyAsync(from.keys);
    filter.dispose();
    await expect(failed).rejects.toThrow(DisposedError);
    expect(from.isClosed()).toBe(true);
    await expect(filter.addManyAsync([])).rejects.toThrow(DisposedError);
  });

  test.each([[undefined], [null], [5], ['text'], [{}]])('%p is no source', async (keys) => {
    const filter = new CuckooFilter(options);
    await expect(filter.addManyAsync(keys as never)).rejects.toThrow(
      /^keys must be an array or another iterable/,
    );
    await expect(CuckooFilter.fromAsync(keys as never)).rejects.toThrow(TypeError);
    await expect(CuckooFilter.fromAsync(keys as never, options)).rejects.toThrow(TypeError);
  });

  test('fromAsync frees its filter', async () => {
    const large = { capacity: 1, bucketCount: 2 ** 16, bucketSize: 2, fingerprintBits: 12 };
    const fail = () =>
      expect(CuckooFilter.fromAsync(['a', null] as never, large)).rejects.toThrow(/^key 1: /);
    for (let i = 0; i < 5; ++i) await fail();
    const before = memoryBytes();
    for (let i = 0; i < 100; ++i) await fail();
    expect(memoryBytes()).toBe(before);
    await expect(CuckooFilter.fromAsync(['a'], { capacity: 0 })).rejects.toThrow(/^capacity must be /);
    await expect(CuckooFilter.fromAsync(['a'], { size: 5 } as never)).rejects.toThrow(
      /did you mean capacity/,
    );
  });
});

describe('a signal', () => {
  test('that ends several calls gives each of them its reason', async () => {
    const { signal } = new AbortController();
    const stopped = AbortSignal.abort();
    for (const call of [
      () => new CuckooFilter(options).addManyAsync(['a'], { signal: stopped }),
      () => new Deduper(options).areNewAsync(['a'], { signal: stopped }),
      () => new Deduper(options).areNewAsync(['b'], { signal: stopped }),
    ])
      await expect(call()).rejects.toMatchObject({ name: 'AbortError' });
    expect(await new Deduper(options).areNewAsync(['a'], { signal })).toEqual(Uint8Array.of(1));
  });

  test('leaves the keys that came before it in the filter', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    const filter = new CuckooFilter(options);
    const from = source(
      (function* () {
        yield* numbers(1500);
        controller.abort(reason);
        yield 'late';
      })(),
    );
    await expect(filter.addManyAsync(from.keys, { signal: controller.signal })).rejects.toBe(reason);
    expect(filter.size).toBe(1500);
    expect(filter.containsMany(numbers(1500)).includes(0)).toBe(false);
  });
});

describe('areNewAsync', () => {
  test('gives the mask of areNew', async () => {
    const keys = numbers(3000).map((i) => i % 1700);
    const [one, other] = [new Deduper(options), new Deduper(options)];
    expect(await one.areNewAsync(source(keys).keys)).toEqual(other.areNew(keys));
    expect(one).toEqual(other);
  });
});
