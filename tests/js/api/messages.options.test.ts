// The words of errors about options, whole, for every class that takes them.
import { describe, expect, test } from '@jest/globals';
import {
  CuckooFilter,
  dedupeStream,
  Deduper,
  type CuckooFilterOptions,
  type DedupeOptions,
  type LoadOptions,
} from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter, type ExpiringFilterOptions } from 'cuckoofilter-wasm/expiring';
import { FilterReader } from 'cuckoofilter-wasm/reader';
import { RedisCuckooFilter } from 'cuckoofilter-wasm/redis';
import { ScalableCuckooFilter, type ScalableCuckooFilterOptions } from 'cuckoofilter-wasm/scalable';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { said } from '../support/random';

describe('options', () => {
  test.each<[object, string]>([
    [{}, 'capacity is required: an integer from 1 to 2^34'],
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
      { capacity: 10, maxCapacity: 2 ** 35 },
      'maxCapacity must be an integer from capacity to 2^34, got 34359738368',
    ],
    [
      { capacity: 10, maxCapacity: 1e6, fingerprintBits: 30, bucketCount: 10 },
      'maxCapacity must be smaller, or bucketCount larger (at most 32 - fingerprintBits doublings), got 1000000',
    ],
    [{ capacity: 10, prefer: 'size' }, "prefer must be 'space' or 'speed', got \"size\""],
    [{ capacity: 10, maxPause: -1 }, 'maxPause must be a number of milliseconds, 0 or more, got -1'],
    [{ capacity: 10, semiSort: 'yes' }, 'semiSort must be a boolean, got "yes"'],
    [{ capacity: 10, onGrow: 5 }, 'onGrow must be a function, got 5'],
    [
      { capacity: 10, maxCapacity: Infinity },
      'maxCapacity must be an integer from capacity to 2^34 (no limit: ScalableCuckooFilter without maxCapacity), got Infinity',
    ],
    [
      { capacity: 10, falsePositiveRate: '1%' },
      'falsePositiveRate must be > 0 and < 1 (1 % is 0.01), got "1%"',
    ],
    [{ capacity: 10, falsePositiveRate: 0 }, 'falsePositiveRate must be > 0 and < 1, got 0'],
    [
      { capacity: 10, falsePositiveRate: 1n },
      'falsePositiveRate must be > 0 and < 1, got 1n: pass Number(falsePositiveRate)',
    ],
    [{ capacity: '1000' }, 'capacity must be an integer from 1 to 2^34, got "1000": pass Number(capacity)'],
    [{ capacity: 1000n }, 'capacity must be an integer from 1 to 2^34, got 1000n: pass Number(capacity)'],
    [new Date(), 'options must be a plain object, got [object Date]'],
    [[10], 'options must be a plain object, got an array. Keys come first: CuckooFilter.from(keys, options)'],
    [new Map(), 'options must be a plain object, got [object Map]: pass Object.fromEntries(map)'],
    [
      new Deduper({ capacity: 10 }),
      'options must be a plain object, got a Deduper: for a copy, call clone()',
    ],
    [
      { capacity: 1000, maxCapacity: 1000, fingerprintBits: 32, bucketCount: 126, bucketSize: 8 },
      'maxCapacity must be smaller, or bucketCount larger (at most 32 - fingerprintBits doublings), got 1000',
    ],
    [
      new (class Options {
        capacity = 10;
      })(),
      'options must be a plain object, got an object. Inherited options are not read: copy them with { ...defaults, ...options }',
    ],
    [{ capacity: Symbol('ten') }, 'capacity must be an integer from 1 to 2^34, got Symbol(ten)'],
  ])('%j', (options, message) => {
    expect(said(() => new CuckooFilter(options as CuckooFilterOptions))).toBe(message);
  });

  test.each<[string, unknown]>([
    ['a CuckooCounter', new CuckooCounter({ capacity: 10 })],
    ['a CuckooValues', new CuckooValues({ capacity: 10, valueBits: 8 })],
    ['an ExpiringFilter', new ExpiringFilter({ capacity: 10, periods: 2 })],
    ['[object FilterReader]', new FilterReader(new CuckooFilter({ capacity: 10 }).serialize())],
    ['an array', ['a']],
    ['[object Set]', new Set('a')],
  ])('of a Deduper, or a filter that it takes, but not %s', (shown, given) => {
    expect(said(() => new Deduper(given as never))).toBe(
      `options must be a plain object, a CuckooFilter, ScalableCuckooFilter or SharedCuckooFilter, got ${shown}. If the keys were seen: new Deduper(CuckooFilter.from(keys)); to remove repeats: dedupe(keys)`,
    );
  });

  test('are required, with an example', async () => {
    const none = undefined as never;
    expect(said(() => new CuckooFilter(none))).toBe('options are required, such as { capacity: 1000 }');
    expect(said(() => new ExpiringFilter(none))).toBe(
      "options are required, such as { capacity: 1000, periods: 25, every: '1 h' }",
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
    expect(message({ capacity: 10, periods: 257 })).toBe('periods must be an integer from 1 to 256, got 257');
    expect(message({ capacity: 10, periods: 2, maxCapacity: 9 })).toBe(
      'maxCapacity must be at least capacity (10), got 9',
    );
    expect(message({ capacity: 10, periods: 9, fingerprintBits: 30 })).toBe(
      'periods must be at most 4 with fingerprints of 30 bits (a larger falsePositiveRate shortens them), got 9',
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
});

test('merge says what to do with bytes', () => {
  const filter = new CuckooFilter({ capacity: 10 });
  const bytes = filter.serialize();
  for (const act of [
    () => filter.merge(bytes as never),
    () => filter.mergeIfAbsent(bytes as never),
    () => filter.equals(bytes as never),
  ])
    expect(said(act)).toMatch(/^other must be a CuckooFilter \(load it: CuckooFilter\.deserialize\), got /);
  expect(said(() => new Deduper({ capacity: 10 }).merge(bytes as never))).toContain(
    'load it: Deduper.deserialize',
  );
});

test.each([
  { capacity: 2, bucketCount: 1, bucketSize: 1 },
  { capacity: 99, bucketCount: 3 },
  { capacity: 123_456, bucketCount: 4, addressing: 'xor' },
  { capacity: 1000, maxCapacity: 1e6, bucketCount: 3 },
] as const)('what is named in place of a size that is too small is enough: %j', (options) => {
  const message = said(() => CuckooFilter.plan(options));
  const [, name = '', enough] =
    /^(\w+) \d+ is too small for capacity \d+\. Leave it out, or use (\d+)$/.exec(message) ?? [];
  const filter = new CuckooFilter({ ...options, [name]: Number(enough) });
  expect(filter.addMany(Array.from(Array(options.capacity).keys()))).toBe(options.capacity);
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
    semiSorted: undefined,
    prefer: undefined,
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
