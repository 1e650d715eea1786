// CuckooValues: what a table is, its options, its saved form, and what it refuses.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm';
import {
  CuckooValues,
  DisposedError,
  FilterFullError,
  FormatError,
  OutOfMemoryError,
  preload,
} from 'cuckoofilter-wasm/values';
import { integers } from '../support/integers';
import { memoryBytes, withMemoryOf } from '../support/memory-spy';
import { claim, sameBytes, thrownBy } from '../support/random';
import { ruleOf } from '../api/ruled';

describe('a table', () => {
  const entries = new Map<string, number>(Array.from({ length: 100 }, (_, i) => [`key ${i}`, i]));
  const table = CuckooValues.from(entries, { valueBits: 7, capacity: 150 });

  test('is made from a Map, and made room for just that if nothing is said', () => {
    for (const [key, value] of entries) expect(table.get(key)).toContain(value);
    expect(CuckooValues.from(entries, { valueBits: 7 }).capacity).toBe(100);
    expect(CuckooValues.from([], { valueBits: 7 }).capacity).toBe(1);
    expect(table.valueBits).toBe(7);
    for (const given of [undefined, null, 5, {}, [1], ['ab', null]])
      expect(thrownBy(TypeError, () => CuckooValues.from(given as never, { valueBits: 7 })).message).toMatch(
        /^(entries must be an iterable of pairs \[key, value\], such as a Map|entry \d+ must be a pair \[key, value\]), got /,
      );
  });

  test('is made from pairs that arrive over time, to the same bytes', async () => {
    async function* arriving(): AsyncGenerator<[string, number]> {
      for (const entry of entries) yield await Promise.resolve(entry);
    }
    const promises = [...entries].map((entry) => Promise.resolve(entry));
    for (const given of [arriving(), promises, entries]) {
      const made = await CuckooValues.fromAsync(given, { valueBits: 7, capacity: 150 });
      expect(made.equals(table)).toBe(true);
    }
    expect((await CuckooValues.fromAsync(arriving(), { valueBits: 7 })).capacity).toBe(100);
    for (const given of [undefined, 5, {}, 'ab', [1], [null]])
      await expect(CuckooValues.fromAsync(given as never, { valueBits: 7 })).rejects.toThrow(TypeError);
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(CuckooValues.fromAsync(arriving(), { valueBits: 7, signal })).rejects.toThrow('stopped');
    const last = [...entries, ['key 0', 128] as const];
    await expect(CuckooValues.fromAsync(last, { valueBits: 7 })).rejects.toThrow(RangeError);
  });

  test('is made from pairs that share one buffer for their keys', () => {
    const key = new Uint8Array(1);
    function* pairs(): Generator<[Uint8Array, number]> {
      for (key[0] = 0; key[0] < 100; ++key[0]) yield [key, key[0]];
    }
    const made = CuckooValues.from(pairs(), { valueBits: 7 });
    for (let i = 0; i < 100; ++i) expect(made.get(Uint8Array.of(i))).toContain(i);
  });

  test('is cloned, compared, cleared and disposed of', () => {
    const copy = table.clone();
    expect(copy).toBeInstanceOf(CuckooValues);
    expect(copy.equals(table)).toBe(true);
    copy.set('one more', 1);
    expect(copy.equals(table)).toBe(false);
    expect(
      new CuckooValues({ capacity: 150, valueBits: 6 }).equals(
        new CuckooValues({ capacity: 150, valueBits: 7 }),
      ),
    ).toBe(false);
    copy.clear();
    expect([copy.size, copy.get('one more'), copy.valueBits]).toEqual([0, [], 7]);
    copy.dispose();
    copy.dispose();
    for (const act of [
      () => copy.get('a'),
      () => copy.set('a', 1),
      () => copy.valueBits,
      () => copy.merge(table),
      () => table.merge(copy),
    ])
      expect(act).toThrow(DisposedError);
    expect(JSON.stringify(copy)).toBe('{"disposed":true}');
    expect(JSON.parse(JSON.stringify(table))).toMatchObject({ size: 100, valueBits: 7, capacity: 150 });
    expect(() => table.equals(new CuckooFilter({ capacity: 9 }) as never)).toThrow(TypeError);
  });

  test('takes the values of another of the same options, all or none', () => {
    const options = { capacity: 300, valueBits: 7 };
    const one = CuckooValues.from(
      [
        ['a', 1],
        ['b', 2],
      ],
      options,
    );
    const other = CuckooValues.from(
      [
        ['a', 1],
        ['c', 3],
      ],
      options,
    );
    expect(one.merge(other)).toBe(one);
    expect([one.get('a'), one.get('b'), one.get('c'), one.size]).toEqual([[1, 1], [2], [3], 4]);
    one.merge(one);
    expect(one.get('a')).toEqual([1, 1, 1, 1]);
    const crowded = CuckooValues.from(
      Array.from({ length: 8 }, () => ['a', 5] as const),
      options,
    );
    const before = one.serialize();
    const error = thrownBy(FilterFullError, () => one.merge(crowded));
    expect(error.reason).toBe('too-many-copies');
    expect(sameBytes(one.serialize(), before)).toBe(true);
    expect(
      thrownBy(RangeError, () => one.merge(new CuckooValues({ ...options, valueBits: 8 }))).message,
    ).toMatch(/^cannot merge: valueBits is 7 here, 8 there\./);
    expect(() => one.merge(new CuckooValues({ ...options, seed: 1 }))).toThrow(RangeError);
    expect(thrownBy(TypeError, () => one.merge(new CuckooFilter({ capacity: 9 }) as never)).message).toBe(
      'other must be a CuckooValues, got a CuckooFilter',
    );
    const full = thrownBy(FilterFullError, () => {
      for (;;) one.set('a', 1);
    });
    expect(full.message).toBe(
      'too many values of the key "a": its buckets hold nothing else. A larger bucketSize allows more',
    );
    expect(one.stats().tooManyCopies).toBe(1);
  });

  test('tells of its growth', () => {
    const events: number[] = [];
    const onGrow = ({ newBucketCount }: { newBucketCount: number }): number => events.push(newBucketCount);
    using growing = new CuckooValues({ capacity: 50, maxCapacity: 5000, valueBits: 9, onGrow });
    growing.setMany(
      integers(1, 2500),
      Uint16Array.from({ length: 2500 }, (_, i) => i % 512),
    );
    for (let key = 0; key < 2500; ++key) growing.set(key, key % 512);
    expect(events.length).toBeGreaterThan(3);
    expect(growing.stats().growths.map((each) => each.newBucketCount)).toEqual(events);
    for (let key = 0; key < 2500; ++key) claim(growing.get(key).includes(key % 512), () => `key ${key}`);
  });

  test('frees its memory where a constructor or the memory fails', () => {
    expect(() => CuckooValues.from([['a', 99]], { valueBits: 2 })).toThrow(RangeError);
    withMemoryOf(memoryBytes(), () =>
      expect(() => new CuckooValues({ capacity: 1e9, valueBits: 8 })).toThrow(OutOfMemoryError),
    );
  });
});

describe('options', () => {
  test.each<[object, new (...given: never[]) => Error, string]>([
    [{ capacity: 10 }, TypeError, 'valueBits is required: an integer from 1 to 24'],
    ...[0, 25, 2.5].map((valueBits): [object, typeof RangeError, string] => [
      { capacity: 10, valueBits },
      RangeError,
      `valueBits must be an integer from 1 to 24, got ${valueBits}`,
    ]),
    [{ valueBits: 8 }, TypeError, `capacity is required: ${ruleOf('capacity')}`],
    [
      { capacity: 10, valueBits: 24, falsePositiveRate: 0.001 },
      RangeError,
      'falsePositiveRate 0.001 is too low for valueBits 24. Raise it, or lower valueBits',
    ],
    [
      { capacity: 10, valueBits: 8, audit: true },
      TypeError,
      'unknown option audit; the options are capacity, falsePositiveRate, bucketSize, fingerprintBits, bucketCount, addressing, semiSort, prefer, seed, hash, maxCapacity, onGrow, valueBits',
    ],
    [{ capacity: 10, valuebits: 8 }, TypeError, 'unknown option valuebits; did you mean valueBits?'],
  ])('%j are refused', (options, Kind, message) => {
    for (const act of [() => new CuckooValues(options as never), () => CuckooValues.plan(options as never)])
      expect(thrownBy(Kind, act).message).toBe(message);
  });

  test('that are left out get the usual rate, or the lowest where values are too long for that', () => {
    for (let valueBits = 1; valueBits <= 24; ++valueBits) {
      const plan = CuckooValues.plan({ capacity: 10_000, valueBits });
      const least = valueBits > 21 ? 8.1 / 2 ** (32 - valueBits) : 0.001;
      expect(plan.expectedFalsePositiveRate).toBeLessThanOrEqual(least);
      expect(plan.fingerprintBits + valueBits).toBeLessThanOrEqual(32);
    }
  });

  test.each([{ capacity: 1000 }, { capacity: 1e6 }, { capacity: 1e7 }, { capacity: 1e4, maxCapacity: 1e6 }])(
    'that are left out never take a table that is nearly empty: %j',
    (sizes) => {
      for (let valueBits = 1; valueBits <= 24; ++valueBits) {
        const { maxByteLength } = CuckooValues.plan({ ...sizes, valueBits });
        const longest = { ...sizes, valueBits, bucketSize: 4, fingerprintBits: 32 - valueBits };
        expect(maxByteLength).toBeLessThanOrEqual(2 * CuckooValues.plan(longest).maxByteLength);
      }
    },
  );

  test('take a rate that is asked for, at whatever size', () => {
    const options = { capacity: 1000, valueBits: 22, falsePositiveRate: 0.001 };
    expect(CuckooValues.plan(options).loadFactor).toBeLessThan(0.1);
  });

  test('are those of the filter that is made', () => {
    const key = new Uint8Array(16).fill(3);
    const hash = { algorithm: 'siphash-1-3', key } as const;
    using table = new CuckooValues({ capacity: 1000, maxCapacity: 8000, valueBits: 5, hash });
    table.set('a', 3);
    expect(table).toMatchObject({
      valueBits: 5,
      maxCapacity: 8000,
      hashAlgorithm: 'siphash-1-3',
    });
    const saved = table.serialize();
    expect(CuckooValues.deserialize(saved, { hash }).get('a')).toEqual([3]);
    expect(thrownBy(FormatError, () => CuckooValues.deserialize(saved)).code).toBe('wrong-key');
  });
});

test.each([
  [() => [1.5, 3], TypeError],
  [() => ['a', 300], RangeError],
  [() => ['a', -1], RangeError],
  [() => ['a', NaN], RangeError],
  [() => ['a', 1n], TypeError],
  [() => ['a', undefined], TypeError],
] as const)('a bad key or value is refused and changes nothing: %s', (given, Kind) => {
  using table = new CuckooValues({ capacity: 10, valueBits: 8 }).set('a', 0);
  expect(() => table.set(...(given() as unknown as [string, number]))).toThrow(Kind);
  expect([table.size, table.get('a')]).toEqual([1, [0]]);
  if (given()[1] !== undefined && given()[0] === 'a')
    expect(() => table.delete(...(given() as unknown as [string, number]))).toThrow(Kind);
});

describe('saved bytes', () => {
  const table = CuckooValues.from(
    Array.from({ length: 20 }, (_, key) => [key, 500 - key] as const),
    { capacity: 20, bucketCount: 11, bucketSize: 3, fingerprintBits: 7, seed: 5, valueBits: 9 },
  );
  const saved = table.serialize();
  const codeOf = (bytes: Uint8Array, given = {}): string =>
    thrownBy(FormatError, () => CuckooValues.deserialize(bytes, given)).code;

  test('are no larger than maxBytes', () => {
    expect(codeOf(saved, { maxBytes: table.byteLength - 1 })).toBe('too-large');
    expect(CuckooValues.deserialize(saved, { maxBytes: table.byteLength }).equals(table)).toBe(true);
  });

  test('are the same for the same content, whatever the order it came in', () => {
    const options = { capacity: 500, valueBits: 6 };
    const pairs = Array.from({ length: 60 }, (_, key) => [key, key % 64] as const);
    const one = CuckooValues.from(pairs, options).serialize();
    expect(sameBytes(CuckooValues.from([...pairs].reverse(), options).serialize(), one)).toBe(true);
  });
});

test('preload starts it', async () => {
  await preload();
  expect(new CuckooValues({ capacity: 1, valueBits: 1 }).set('a', 1).get('a')).toEqual([1]);
});
