// What errors say to people on their first day: the words that tell what is wrong and what helps.
import { describe, expect, test } from '@jest/globals';
import {
  CuckooFilter,
  dedupe,
  dedupeStream,
  Deduper,
  DisposedError,
  FormatError,
  type CuckooFilterOptions,
  type DedupeOptions,
  type LoadOptions,
} from 'cuckoofilter-wasm';
import { ExpiringFilter, type ExpiringFilterOptions } from 'cuckoofilter-wasm/expiring';
import { FilterReader } from 'cuckoofilter-wasm/reader';
import { RedisCuckooFilter } from 'cuckoofilter-wasm/redis';
import { ScalableCuckooFilter, type ScalableCuckooFilterOptions } from 'cuckoofilter-wasm/scalable';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { thrownBy } from '../support/random';

const said = (act: () => unknown): string => thrownBy(Error, act).message;
const text = (words: string): Uint8Array => new TextEncoder().encode(words);

describe('options', () => {
  test.each<[object, string]>([
    [{}, 'capacity is required: an integer from 1 to 2^34'],
    [
      { capacity: 1e6, bucketSize: 1, maxKicks: 1 },
      'bucketSize 1 is too small for capacity 1000000. Leave it out, or use 8',
    ],
    [
      { capacity: 2 ** 33, bucketSize: 1 },
      'bucketSize 1 is too small for capacity 8589934592. Leave it out, or use 4',
    ],
    [
      { capacity: 99, bucketCount: 9, bucketSize: 4 },
      'bucketCount 9 is too small for capacity 99. Leave it out, or use 36',
    ],
    [{ capacity: 2, bucketCount: 2 ** 33 }, 'bucketCount must be an integer from 1 to 2^32, got 8589934592'],
    [
      { capacity: 2, bucketCount: 3, addressing: 'xor' },
      "bucketCount must be a power of two if addressing is 'xor', got 3",
    ],
    [
      { capacity: 10, fingerprintBits: 10.5 },
      'fingerprintBits must be an integer unless semiSort is true, got 10.5',
    ],
    [
      { capacity: 10, fingerprintBits: 10.1, semiSort: true },
      'fingerprintBits must be an integer, or a multiple of 0.25 from 5.25 to 24, got 10.1',
    ],
    [{ capacity: 10, fingerprintBits: 33 }, 'fingerprintBits must be an integer from 2 to 32, got 33'],
    [
      { capacity: 10, semiSort: true, bucketSize: 3 },
      'semiSort must be false unless bucketSize is 4, got true',
    ],
    [
      { capacity: 10, semiSort: true, fingerprintBits: 4 },
      'semiSort must be false unless fingerprintBits is at least 5, got true',
    ],
    [
      { capacity: 10, maxCapacity: 2 ** 35 },
      'maxCapacity must be an integer from capacity to 2^34, got 34359738368',
    ],
    [
      { capacity: 10, maxCapacity: 1e6, fingerprintBits: 30, bucketCount: 10 },
      'maxCapacity must be smaller, or bucketCount larger, because a table doubles at most 32 - fingerprintBits times, got 1000000',
    ],
    [{ capacity: 10, prefer: 'size' }, "prefer must be 'space' or 'speed', got \"size\""],
    [{ capacity: 10, errorRate: 0.1 }, 'unknown option errorRate; did you mean falsePositiveRate?'],
    [
      { capacity: 10, maxCapacity: Infinity },
      'maxCapacity must be an integer from capacity to 2^34 (for no limit, use ScalableCuckooFilter without maxCapacity), got Infinity',
    ],
    [
      { capacity: 10, falsePositiveRate: '1%' },
      'falsePositiveRate must be more than 0 and less than 1 (1 % is 0.01), got "1%"',
    ],
    [{ expectedItems: 10 }, 'unknown option expectedItems; did you mean capacity?'],
    [new Date(), 'options must be a plain object, got [object Date]'],
    [
      new (class Options {
        capacity = 10;
      })(),
      'options must be a plain object, such as { ...options }, got an object',
    ],
    [{ capacity: Symbol('ten') }, 'capacity must be an integer from 1 to 2^34, got Symbol(ten)'],
  ])('%j', (options, message) => {
    expect(said(() => new CuckooFilter(options as CuckooFilterOptions))).toBe(message);
  });

  test('are required, with an example', async () => {
    const none = undefined as never;
    expect(said(() => new CuckooFilter(none))).toBe('options are required, such as { capacity: 1000 }');
    expect(said(() => new ExpiringFilter(none))).toBe(
      'options are required, such as { capacity: 1000, periods: 24 }',
    );
    expect(said(() => new CuckooValues(none))).toBe(
      'options are required, such as { capacity: 1000, valueBits: 8 }',
    );
    expect(said(() => CuckooValues.from([['a', 1]], none))).toBe(
      'options are required, such as { valueBits: 8 }',
    );
    await expect(RedisCuckooFilter.open(none)).rejects.toThrow(
      "options are required, such as { send: fromNodeRedis(client), name: 'seen', capacity: 1000 }",
    );
  });

  test.each([
    [CuckooFilter, {}, '1e-9'],
    [CuckooFilter, { capacity: 2 ** 34 }, '1e-8'],
    [CuckooFilter, { maxCapacity: 2 ** 34 }, '1e-8'],
    [CuckooFilter, { bucketSize: 8 }, '1e-8'],
    [CuckooFilter, { semiSort: true }, '1e-9'],
    [ScalableCuckooFilter, {}, '1e-8'],
  ] as const)(
    'a falsePositiveRate that is too low is told with one that is not: %p',
    (Class, given, enough) => {
      const options = { capacity: 1000, ...given };
      for (const falsePositiveRate of [1e-11, Number(enough) / 100])
        expect(said(() => Class.plan({ ...options, falsePositiveRate }))).toBe(
          `falsePositiveRate ${falsePositiveRate} is too low. Use ${enough} or more`,
        );
      expect(Class.plan({ ...options, falsePositiveRate: Number(enough) }).capacity).toBeGreaterThan(0);
    },
  );

  test('of an ExpiringFilter', () => {
    const message = (options: object): string =>
      said(() => new ExpiringFilter(options as ExpiringFilterOptions));
    expect(message({ capacity: 10 })).toBe('periods is required: an integer from 1 to 256');
    expect(message({ capacity: 10, periods: 2, maxCapacity: 9 })).toBe(
      'maxCapacity must be at least capacity (10), got 9',
    );
    expect(message({ capacity: 10, periods: 9, fingerprintBits: 30 })).toBe(
      'periods must be at most 4 with fingerprints of 30 bits, which a larger falsePositiveRate shortens, got 9',
    );
    for (const [fingerprintBits, most] of [
      [30, 4],
      [32, 1],
    ] as const) {
      const sizes = { capacity: 10, fingerprintBits };
      expect(new ExpiringFilter({ ...sizes, periods: most }).periods).toBe(most);
      expect(message({ ...sizes, periods: most + 1 })).toContain(`at most ${most} `);
    }
  });

  test('memory that is refused is told with the capacity that was asked for', () => {
    const options = { capacity: 2 ** 31, maxCapacity: 2 ** 34 };
    expect(said(() => new CuckooFilter(options))).toMatch(
      /not enough memory for a table of \d+ bytes for capacity 2147483648/,
    );
    expect(said(() => new ScalableCuckooFilter({ capacity: 2 ** 32 }))).toMatch(/for capacity 4294967296/);
  });
});

describe('merge names every option that differs', () => {
  test.each<[Partial<CuckooFilterOptions>, string]>([
    [{ capacity: 2000 }, 'capacity is 1000 here, 2000 in the other filter. Make'],
    [
      { capacity: 2000, falsePositiveRate: 0.01, seed: 3 },
      'capacity is 1000 here, 2000 in the other filter; seed is 0 here, 3 in',
    ],
    [
      { bucketCount: 500, bucketSize: 4, fingerprintBits: 13, semiSort: true },
      'bucketCount is 271 here, 500 in',
    ],
    [{ maxCapacity: 4000 }, 'maxCapacity is 1000 here, 4000 in'],
  ])('%j', (change, words) => {
    const [one, other] = [
      new CuckooFilter({ capacity: 1000 }),
      new CuckooFilter({ capacity: 1000, ...change }),
    ];
    expect(said(() => one.merge(other))).toContain(`cannot merge: ${words}`);
  });

  test('and says what to do with bytes', () => {
    const filter = new CuckooFilter({ capacity: 10 });
    const bytes = filter.serialize();
    for (const act of [
      () => filter.merge(bytes as never),
      () => filter.mergeIfAbsent(bytes as never),
      () => filter.equals(bytes as never),
    ])
      expect(said(act)).toMatch(
        /^other must be a CuckooFilter \(load the bytes with CuckooFilter\.deserialize\), got /,
      );
    expect(said(() => new Deduper({ capacity: 10 }).merge(bytes as never))).toContain(
      'with Deduper.deserialize',
    );
  });

  test('and that a scalable filter was disposed of', () => {
    const filter = new ScalableCuckooFilter({ capacity: 10 }) as unknown as CuckooFilter;
    expect(said(() => filter.merge(filter))).toMatch(/^a ScalableCuckooFilter cannot be merged/);
    filter.dispose();
    expect(() => filter.merge(filter)).toThrow(DisposedError);
    expect(() => filter.mergeIfAbsent(filter)).toThrow(DisposedError);
  });
});

describe('bytes that are not what was wanted', () => {
  const one = new CuckooFilter({ capacity: 10 }).serialize();
  const layers = new ScalableCuckooFilter({ capacity: 10 }).serialize();

  test('name the class that saved them, and where it is', () => {
    expect(said(() => CuckooFilter.deserialize(layers))).toMatch(
      /: this is a saved ScalableCuckooFilter; use ScalableCuckooFilter\.deserialize of cuckoofilter-wasm\/scalable$/,
    );
    expect(said(() => ScalableCuckooFilter.deserialize(one))).toMatch(
      /use CuckooFilter\.deserialize of cuckoofilter-wasm$/,
    );
    const error = thrownBy(FormatError, () => Deduper.deserialize(layers));
    expect(error.code).toBe('not-a-filter');
    expect(error.message).toMatch(/ScalableCuckooFilter\.deserialize of .*, then new Deduper\(filter\)$/);
  });

  test('are shown where they are no filter, such as a web page', () => {
    expect(said(() => CuckooFilter.deserialize(text('<!DOCTYPE html><title>404')))).toBe(
      'cannot load these 25 bytes: not a saved filter; they begin with "<!DOCTYPE"',
    );
    expect(said(() => CuckooFilter.deserialize(new Uint8Array(0)))).toBe(
      'cannot load these 0 bytes: not a saved filter',
    );
  });

  test.each<[unknown, string]>([
    [Promise.resolve(one), ' (await the promise), got [object Promise]'],
    [new Response(one), ' (await its arrayBuffer()), got [object Response]'],
    [new Blob([one]), ' (await its arrayBuffer()), got [object Blob]'],
    [JSON.parse(JSON.stringify(one)), ' (JSON keeps no bytes: save them as base64), got an object'],
    ['iUNL', ' (of base64: Uint8Array.from(atob(text), (c) => c.charCodeAt(0))), got "iUNL"'],
  ])('say how to get bytes out of %p', (value, words) => {
    expect(said(() => CuckooFilter.deserialize(value as never))).toBe(
      `bytes must be a Uint8Array or an ArrayBuffer${words}`,
    );
  });

  test('are told where they were read as text, or with others of one buffer', () => {
    const asText = Buffer.from(Buffer.from(one).toString('utf8'));
    expect(said(() => CuckooFilter.deserialize(asText))).toMatch(
      /read as text, which loses them: read bytes$/,
    );
    const pool = new Uint8Array(8192);
    pool.set(one, 3000);
    expect(said(() => CuckooFilter.deserialize(pool.buffer))).toMatch(
      /one begins at byte 3000: pass the Buffer itself, not its buffer$/,
    );
  });

  test('are counted in the singular', () => {
    expect(said(() => CuckooFilter.deserialize(Uint8Array.of(65)))).toMatch(/^cannot load this 1 byte: /);
  });

  test('beyond maxBytes are told with it', () => {
    for (const act of [
      () => CuckooFilter.deserialize(one, { maxBytes: 10 }),
      () => ScalableCuckooFilter.deserialize(layers, { maxBytes: 10 }),
    ])
      expect(said(act)).toMatch(/these \d+ bytes: the table is larger than maxBytes \(10\)$/);
  });

  test('that were transferred away are said to be', () => {
    const buffer = new ArrayBuffer(8);
    structuredClone(buffer, { transfer: [buffer] });
    const filter = new CuckooFilter({ capacity: 10 });
    for (const act of [
      () => filter.add(buffer),
      () => CuckooFilter.deserialize(buffer),
      () => filter.addMany([buffer]),
    ])
      expect(said(act)).toMatch(/was transferred away/);
    expect(filter.add(new SharedArrayBuffer(8)).has(new ArrayBuffer(8))).toBe(true);
  });
});

test.each([
  { capacity: 2, bucketCount: 1, bucketSize: 1 },
  { capacity: 99, bucketCount: 3 },
  { capacity: 123_456, bucketCount: 4, addressing: 'xor' },
  { capacity: 1000, maxCapacity: 1e6, bucketCount: 3 },
  { capacity: 1e6, bucketSize: 1, maxKicks: 1 },
] as const)('what is named in place of a size that is too small is enough: %j', (options) => {
  const message = said(() => CuckooFilter.plan(options));
  const [, name = '', enough] =
    /^(\w+) \d+ is too small for capacity \d+\. Leave it out, or use (\d+)$/.exec(message) ?? [];
  const filter = new CuckooFilter({ ...options, [name]: Number(enough) });
  expect(filter.addMany(Array.from(Array(options.capacity).keys()))).toBe(options.capacity);
});

describe('a full filter', () => {
  test('that from made says that from leaves no room, and what to set', () => {
    const filter = CuckooFilter.from(['a']);
    expect(said(() => filter.addMany(Array.from({ length: 99 }, (_, i) => i)))).toMatch(
      /Make a new one with a larger capacity or maxCapacity; without them, from\(keys\) leaves no room$/,
    );
  });

  test('that was made otherwise says only what to set', () => {
    const capacity = 8;
    for (const filter of [
      new CuckooFilter({ capacity }),
      CuckooFilter.from(['a'], { capacity }),
      new Deduper({ capacity }),
    ]) {
      const keys = Array.from({ length: 99 }, (_, i) => i);
      const fill = (): unknown => (filter instanceof Deduper ? filter.areNew(keys) : filter.addMany(keys));
      expect(said(fill)).toMatch(/Make a new one with a larger capacity or maxCapacity$/);
    }
  });
});

describe('subclasses', () => {
  test('throw their own errors through new, and are not asked by clone, from and deserialize', async () => {
    const problem = new RangeError('no tenant');
    class Late extends CuckooFilter {
      constructor(options: CuckooFilterOptions) {
        super(options);
        throw problem;
      }
    }
    class Early extends CuckooFilter {
      constructor(options: CuckooFilterOptions) {
        if (options.seed === 5) throw problem;
        super(options);
      }
    }
    const options = { capacity: 10, seed: 5 };
    for (const Class of [Late, Early]) {
      expect(thrownBy(RangeError, () => new Class(options))).toBe(problem);
      const filter = Class.from(['a'], options);
      for (const each of [
        filter,
        filter.clone(),
        Class.deserialize(filter.serialize()),
        await Class.fromAsync(['a'], options),
      ])
        expect(each.has('a')).toBe(true);
    }
    const early = new Early({ capacity: 10 });
    expect(early.add('a').clone().has('a')).toBe(true);
  });
});

describe('dedupe', () => {
  const all = async <T>(items: Iterable<T> | AsyncIterable<T>): Promise<T[]> => {
    const found: T[] = [];
    for await (const item of items) found.push(item);
    return found;
  };
  const users = [{ id: 1 }, { id: 2 }, { id: 1 }];

  test('fails at the call without a source, and says what is wanted', () => {
    for (const source of [undefined, 42, null])
      expect(said(() => dedupe(source as never, { capacity: 10 }))).toBe(
        `source must be an iterable or an async iterable of items, got ${source}`,
      );
    expect(said(() => (dedupe as () => unknown)())).toMatch(/^source must be /);
  });

  test('takes the name of a property as key', async () => {
    expect(await all(dedupe(users, { key: 'id', capacity: 10 }))).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await all(dedupe(['a', 'bb', 'c'], { key: 'length', capacity: 10 }))).toEqual(['a', 'bb']);
    const stream = new ReadableStream<{ id: number }>({
      start(controller) {
        for (const user of users) controller.enqueue(user);
        controller.close();
      },
    });
    const news = stream.pipeThrough(dedupeStream<{ id: number }>({ key: 'id', capacity: 10 }));
    expect(await all(news as unknown as AsyncIterable<unknown>)).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test.each<[unknown, string]>([
    [{ name: 'no id' }, 'item 2 has no property "id": an object'],
    [undefined, 'item 2 has no property "id": undefined'],
    [null, 'item 2 has no property "id": null'],
    [
      { id: 1.5 },
      'item 2: a key must be a string, a safe integer, a bigint from -2^63 to 2^64 - 1, or bytes, got 1.5: give String(it)',
    ],
  ])('names the item %p without a key by its index', async (item, message) => {
    const items = [...users.slice(0, 2), item] as typeof users;
    await expect(all(dedupe(items, { key: 'id', capacity: 10 }))).rejects.toThrow(new TypeError(message));
  });

  test('names the item that is no key by its index, and leaves errors of the key function alone', async () => {
    await expect(all(dedupe(['a', {}] as never, { capacity: 10 }))).rejects.toThrow(
      /^item 1: a key must be /,
    );
    const problem = new TypeError('mine');
    const key = (): never => {
      throw problem;
    };
    await expect(all(dedupe(users, { key, capacity: 10 }))).rejects.toBe(problem);
  });
});

test('optional fields take undefined, also where types are exact', () => {
  const options: Required<{ [Name in keyof CuckooFilterOptions]: CuckooFilterOptions[Name] | undefined }> = {
    capacity: 10,
    maxCapacity: undefined,
    maxPause: undefined,
    onGrow: undefined,
    falsePositiveRate: undefined,
    bucketSize: undefined,
    fingerprintBits: undefined,
    bucketCount: undefined,
    addressing: undefined,
    semiSort: undefined,
    prefer: undefined,
    maxKicks: undefined,
    seed: undefined,
    hash: undefined,
  };
  const filterOptions: CuckooFilterOptions = { ...options, capacity: 10 };
  const { onGrow, ...others } = filterOptions;
  const scalable: ScalableCuckooFilterOptions = { ...others, onGrow: undefined };
  const expiring: ExpiringFilterOptions = {
    capacity: 10,
    periods: 2,
    seed: undefined,
    hash: undefined,
    maxKicks: undefined,
    every: undefined,
    now: undefined,
    whenFull: undefined,
  };
  const limits: LoadOptions = { maxBytes: undefined, hash: undefined };
  const judge: DedupeOptions<string> = { capacity: 10, key: undefined, seed: undefined };
  expect(onGrow).toBeUndefined();
  expect(CuckooFilter.deserialize(new CuckooFilter(filterOptions).serialize(), limits).capacity).toBe(10);
  expect(CuckooFilter.from(['a'], { capacity: undefined as never }).size).toBe(1);
  expect(new ScalableCuckooFilter(scalable).size + new ExpiringFilter(expiring).size).toBe(0);
  expect(() => dedupeStream(judge)).not.toThrow();
  expect(new FilterReader(CuckooFilter.from(['a']).serialize(), limits).size).toBe(1);
});
