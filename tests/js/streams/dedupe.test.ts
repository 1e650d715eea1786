// Items without their duplicates, through iterators and streams: order, laziness, back-pressure, early ends, errors.
import { describe, expect, test } from '@jest/globals';
import { Duplex, PassThrough, Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CuckooFilter, Deduper, dedupe, dedupeStream, FilterFullError } from 'cuckoofilter-wasm';
import { audited } from 'cuckoofilter-wasm/audit';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { Random } from '../support/random';

interface Item {
  readonly id: number;
  readonly at: number;
}
const options = { key: ({ id }: Item) => id, capacity: 10_000, falsePositiveRate: 1e-7 };

function someItems(random: Random, count = 4000): Item[] {
  return Array.from({ length: count }, (_, at) => ({ id: random.below(count / 2), at }));
}

/** The items that a Set lets through. */
function firstOfEach(items: readonly Item[]): Item[] {
  const seen = new Set<number>();
  return items.filter(({ id }) => seen.size < seen.add(id).size);
}

async function collect<T>(source: Iterable<T> | AsyncIterable<T> | ReadableStream<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source as AsyncIterable<T>) items.push(item);
  return items;
}

async function* asynchronous<T>(items: Iterable<T>): AsyncGenerator<T> {
  for (const item of items) yield await Promise.resolve(item);
}

/** A source that counts what is taken from it, and knows when it is closed. */
function watched(failAt = Infinity): {
  source: Iterable<number>;
  taken: () => number;
  closed: () => boolean;
} {
  let taken = 0;
  let closed = false;
  function* numbers(): Generator<number> {
    try {
      for (;;) {
        if (taken === failAt) throw new Error('the source failed');
        yield taken++;
      }
    } finally {
      closed = true;
    }
  }
  return { source: numbers(), taken: () => taken, closed: () => closed };
}

describe('the first item of each key comes through, in order', () => {
  const random = new Random(11);
  const items = someItems(random);
  const expected = firstOfEach(items);

  test.each<[string, () => Iterable<Item> | AsyncIterable<Item> | ReadableStream<Item>]>([
    ['from an array', () => dedupe(items, options)],
    ['from a generator', () => dedupe(items.values(), options)],
    ['from an async generator', () => dedupe(asynchronous(items), options)],
    ['from a Node stream', () => dedupe(Readable.from(items), options)],
    ['through a TransformStream', () => webStream(items).pipeThrough(dedupeStream<Item>(options))],
    [
      'through Readable.toWeb',
      () => webOf<Item>(Readable.from(items)).pipeThrough(dedupeStream<Item>(options)),
    ],
    [
      'through stream.compose',
      () => {
        const keep = (source: AsyncIterable<Item>): AsyncIterable<Item> => dedupe(source, options);
        return Readable.from(items).compose(keep as never) as AsyncIterable<Item>;
      },
    ],
  ])('%s', async (_, source) => {
    expect(await collect(source())).toEqual(expected);
  });

  test('in a Node pipeline, as the stream that it is', async () => {
    const kept: Item[] = [];
    await pipeline(
      Readable.from(items),
      Duplex.fromWeb(dedupeStream<Item>(options) as never, { objectMode: true }),
      new Writable({ objectMode: true, write: (item: Item, _, done) => (kept.push(item), done()) }),
    );
    expect(kept).toEqual(expected);
  });

  test('in a Node pipeline', async () => {
    const kept: Item[] = [];
    await pipeline(
      Readable.from(items),
      (source: AsyncIterable<Item>) => dedupe(source, options),
      new Writable({ objectMode: true, write: (item: Item, _, done) => (kept.push(item), done()) }),
    );
    expect(kept).toEqual(expected);
  });
});

function webStream<T>(items: Iterable<T>): ReadableStream<T> {
  const iterator = items[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

function webOf<T>(readable: Readable): ReadableStream<T> {
  return Readable.toWeb(readable) as unknown as ReadableStream<T>;
}

test('without a key function the items are the keys', async () => {
  expect(await collect(dedupe(['a', 'b', 'a'], { capacity: 10 }))).toEqual(['a', 'b']);
});

test('an empty source gives nothing', async () => {
  expect(await collect(dedupe([], { capacity: 10 }))).toEqual([]);
  expect(await collect(webStream([]).pipeThrough(dedupeStream({ capacity: 10 })))).toEqual([]);
});

test('a deduper that is handed in remembers from one source to the next, and is left to the caller', async () => {
  const deduper = new Deduper({ capacity: 10 });
  expect(await collect(dedupe(['a', 'b'], { deduper }))).toEqual(['a', 'b']);
  expect(await collect(webStream(['b', 'c']).pipeThrough(dedupeStream({ deduper })))).toEqual(['c']);
  expect(await collect(dedupe(['c', 'd'], { deduper }))).toEqual(['d']);
  expect(deduper.size).toBe(4);
});

describe('without options', () => {
  test('the number of items is the capacity, if the source tells it', () => {
    for (const source of [['a', 'b', 'a'], new Set(['a', 'b'])])
      expect([...dedupe(source)]).toEqual(['a', 'b']);
    expect([...dedupe(Uint32Array.of(5, 6, 5))]).toEqual([5, 6]);
    expect([...dedupe([])]).toEqual([]);
    const many = Array.from({ length: 10_000 }, (_, i) => i % 5000);
    expect(new Set(dedupe(many)).size).toBeGreaterThan(4950);
    expect([...dedupe([{ id: 1 }, { id: 1 }, { id: 2 }], { key: 'id' })]).toEqual([{ id: 1 }, { id: 2 }]);
    expect(() => [...dedupe(many, { capacity: 100 })]).toThrow(FilterFullError);
  });

  test('a source that does not tell it needs a capacity', () => {
    const generator = (function* () {
      yield 'a';
    })();
    expect(() => dedupe(generator as never)).toThrow('options are required, such as { capacity: 1000 }');
    expect(() => dedupe(Readable.from(['a']) as never)).toThrow('options are required');
    expect(() => dedupeStream(undefined as never)).toThrow('options are required');
  });
});

describe('a filter in place of options', () => {
  const judges = {
    CuckooFilter: () => new CuckooFilter({ capacity: 100 }).add('a'),
    'audited CuckooFilter': () => audited(new CuckooFilter({ capacity: 100 })).add('a'),
    ScalableCuckooFilter: () => new ScalableCuckooFilter({ capacity: 100 }).add('a'),
    SharedCuckooFilter: () => new SharedCuckooFilter({ capacity: 100 }).add('a'),
    Deduper: () => new Deduper(CuckooFilter.from(['a'], { capacity: 100 })),
    ExpiringFilter: () => {
      const filter = new ExpiringFilter({ capacity: 100, periods: 2 });
      filter.isNew('a');
      return filter;
    },
  };
  test.each(Object.entries(judges))('decides what is new, and remembers: %s', async (_, make) => {
    const judge = make();
    expect([...dedupe(['a', 'b', 'b'], judge)]).toEqual(['b']);
    expect(await collect(dedupe(asynchronous(['b', 'c']), judge))).toEqual(['c']);
    expect(await collect(webStream(['c', 'd']).pipeThrough(dedupeStream<string>(judge)))).toEqual(['d']);
    expect([...dedupe([{ id: 'd' }, { id: 'e' }], { key: 'id', deduper: judge })]).toEqual([{ id: 'e' }]);
    expect(judge.size).toBe(5);
  });
});

describe('from an iterable, without await', () => {
  test('a generator gives the first item of each key, in order', () => {
    const items = someItems(new Random(12));
    expect([...dedupe(items, options)]).toEqual(firstOfEach(items));
    expect(Array.from(dedupe(new Set(['a', 'b']).values(), { capacity: 10 }))).toEqual(['a', 'b']);
    expect(dedupe([], { capacity: 10 }).next()).toEqual({ value: undefined, done: true });
  });

  test('takes an item only when one is wanted, and closes its source however it is left', () => {
    const { source, taken, closed } = watched();
    for (const item of dedupe(source, { capacity: 100 })) if (item === 3) break;
    expect([taken(), closed()]).toEqual([4, true]);
    const other = watched();
    expect(() => [...dedupe(other.source, { key: () => 0.5, capacity: 10 })]).toThrow(/^item 0: /);
    expect([other.taken(), other.closed()]).toEqual([1, true]);
    const full = watched();
    expect(() => [...dedupe(full.source, { capacity: 10 })]).toThrow(FilterFullError);
    expect(full.closed()).toBe(true);
  });

  test('passes on what the source throws, after the items before it', () => {
    const { source } = watched(2);
    const items: number[] = [];
    expect(() => {
      for (const item of dedupe(source, { capacity: 100 })) items.push(item);
    }).toThrow('the source failed');
    expect(items).toEqual([0, 1]);
  });

  test('stops with the reason of its signal', () => {
    const controller = new AbortController();
    const { source, closed } = watched();
    const items: number[] = [];
    expect(() => {
      for (const item of dedupe(source, { capacity: 100, signal: controller.signal }))
        if (items.push(item) === 3) controller.abort(new Error('stop'));
    }).toThrow('stop');
    expect([items, closed()]).toEqual([[0, 1, 2], true]);
  });

  test('a source of unknown kind gives what for await reads', async () => {
    for (const source of [['a', 'a'], asynchronous(['a', 'a'])] as (string[] | AsyncGenerator<string>)[])
      expect(await collect(dedupe(source, { capacity: 10 }))).toEqual(['a']);
  });
});

describe('an iterator', () => {
  test('takes an item only when one is wanted, and passes it on before the next is there', async () => {
    const { source, taken } = watched();
    const iterator = dedupe(asynchronous(source), { capacity: 100 });
    expect(taken()).toBe(0);
    for (let i = 0; i < 5; ++i) {
      expect((await iterator.next()).value).toBe(i);
      expect(taken()).toBe(i + 1);
    }
  });

  test('that is left early closes its source', async () => {
    const { source, taken, closed } = watched();
    for await (const item of dedupe(asynchronous(source), { capacity: 100 })) if (item === 3) break;
    expect([taken(), closed()]).toEqual([4, true]);
  });

  test('passes on what the source throws, after the items before it', async () => {
    const { source } = watched(2);
    const items: number[] = [];
    const reading = async (): Promise<void> => {
      for await (const item of dedupe(asynchronous(source), { capacity: 100 })) items.push(item);
    };
    await expect(reading()).rejects.toThrow('the source failed');
    expect(items).toEqual([0, 1]);
  });

  test.each<[string, (item: number) => number, RegExp]>([
    [
      'what the key function throws',
      () => {
        throw new Error('no key here');
      },
      /no key here/,
    ],
    ['TypeError for what is no key', () => 0.5, /0\.5/],
  ])('throws %s, and closes its source', async (_, key, message) => {
    const { source, closed } = watched();
    await expect(collect(dedupe(asynchronous(source), { key, capacity: 10 }))).rejects.toThrow(message);
    expect(closed()).toBe(true);
  });

  test('throws FilterFullError when there is no room', async () => {
    const { source, closed } = watched();
    await expect(collect(dedupe(asynchronous(source), { capacity: 10 }))).rejects.toThrow(FilterFullError);
    expect(closed()).toBe(true);
  });
});

describe('a stream', () => {
  test('keeps back-pressure: what nobody reads is not taken from the source', async () => {
    const { source, taken } = watched();
    const reader = webStream(source)
      .pipeThrough(dedupeStream<number>({ capacity: 100_000 }))
      .getReader();
    for (let i = 0; i < 5; ++i) expect((await reader.read()).value).toBe(i);
    await new Promise((resolve) => setImmediate(resolve));
    expect(taken()).toBeLessThan(10);
    await reader.cancel();
  });

  test('fails with what the key function throws', async () => {
    const stream = webStream([1]).pipeThrough(
      dedupeStream<number>({
        key: () => {
          throw new Error('no key here');
        },
        capacity: 10,
      }),
    );
    await expect(collect(stream)).rejects.toThrow('no key here');
  });

  test('fails with FilterFullError when there is no room', async () => {
    const stream = webStream(watched().source).pipeThrough(dedupeStream<number>({ capacity: 10 }));
    await expect(collect(stream)).rejects.toThrow(FilterFullError);
  });

  test('works behind a Node stream of bytes', async () => {
    const bytes = new PassThrough();
    const stream = webOf<Uint8Array>(bytes).pipeThrough(dedupeStream({ capacity: 10 }));
    for (const text of ['a', 'b', 'a']) {
      bytes.write(text);
      await new Promise((resolve) => setImmediate(resolve));
    }
    bytes.end();
    expect(Buffer.concat(await collect(stream)).toString()).toBe('ab');
  });
});

test('wrong options are refused before anything is read', () => {
  expect(() => dedupe([], { capacity: 0 })).toThrow(RangeError);
  expect(() => dedupeStream({ capacity: 'ten' } as never)).toThrow(TypeError);
  expect(() => dedupe([], { key: 5, capacity: 10 } as never)).toThrow(
    'key must be a property name, or a function that returns a key',
  );
});

test('options that every object inherits are not read', async () => {
  const prototype = Object.prototype as { capacity?: number };
  const keys = [1, 2, 3, 4, 5, 6, 7, 8, 9, 9];
  const pairs = keys.map((key) => [key, 1] as const);
  prototype.capacity = 1;
  try {
    expect([...dedupe(keys)]).toHaveLength(9);
    expect(CuckooFilter.from(keys).capacity).toBe(10);
    expect((await CuckooFilter.fromAsync(keys)).capacity).toBe(10);
    expect((await CuckooValues.fromAsync(pairs, { valueBits: 8 })).capacity).toBe(10);
  } finally {
    delete prototype.capacity;
  }
});
