// Options that programs get wrong, and options that come from a prototype.
import { describe, expect, test } from '@jest/globals';
import { runInNewContext } from 'node:vm';
import { CuckooFilter, Deduper, hashKeys } from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { FilterReader } from 'cuckoofilter-wasm/reader';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { thrownBy } from '../js/support/random';

const SAVED = CuckooFilter.from(['a']).serialize();

test('a rate in place of options is called a rate (bloom-filters#68)', async () => {
  const message =
    'options must be a plain object, got 0.04: pass { capacity: 1000, falsePositiveRate: 0.04 }';
  const rate = 0.04 as never;
  for (const give of [
    () => CuckooFilter.from(['a'], rate),
    () => new CuckooFilter(rate),
    () => CuckooFilter.plan(rate),
    () => new Deduper(rate),
  ])
    expect(thrownBy(TypeError, give)).toMatchObject({ message, code: 'invalid-argument' });
  await expect(CuckooFilter.fromAsync(['a'], rate)).rejects.toThrow(message);
  expect(() => CuckooFilter.from(['a'], 1000 as never)).toThrow(', got 1000: pass { capacity: 1000 }');
  expect(() => new CuckooFilter(new Set(['a']) as never)).toThrow('Keys come first');
});

describe('what programs give by the habits of other libraries leads to a call that works', () => {
  const CLASSES: Readonly<Record<string, (options: never) => unknown>> = {
    CuckooFilter: (options) => new CuckooFilter(options),
    ScalableCuckooFilter: (options) => new ScalableCuckooFilter(options),
    ExpiringFilter: (options) => new ExpiringFilter(options),
    CuckooValues: (options) => new CuckooValues(options),
    CuckooCounter: (options) => new CuckooCounter(options),
    Deduper: (options) => new Deduper(options),
  };
  /** The options that an error shows. */
  const shownIn = (give: () => unknown): object => {
    const { message } = thrownBy(TypeError, give);
    return runInNewContext(`(${/\{.*\}/.exec(message)?.[0] ?? message})`) as object;
  };

  // bloom-filters takes (size, hashes) and (keys, rate); lru-cache and node-cache take ttl.
  test.each(Object.entries(CLASSES))('%s, given a number', (_, make) => {
    const rate = shownIn(() => make(0.01 as never));
    expect(rate).toMatchObject({ falsePositiveRate: 0.01 });
    expect(() => make(rate as never)).not.toThrow();
    const capacity = shownIn(() => make(5000 as never));
    expect(capacity).toMatchObject({ capacity: 5000 });
    expect(() => make(capacity as never)).not.toThrow();
  });

  test.each(['ttl', 'TTL', 'maxAge', 'window', 'expiresIn'])('a filter, given %s', (name) => {
    const expiring = shownIn(() => new ExpiringFilter({ capacity: 10, [name]: 5 } as never));
    expect(expiring).toMatchObject({ periods: 25, every: '1 h' });
    const plain = shownIn(() => new CuckooFilter({ capacity: 10, [name]: 5 } as never));
    for (const options of [{ capacity: 10, ...expiring }, plain])
      expect(new ExpiringFilter(options as never).isNew('a')).toBe(true);
  });

  test('a filter, given errorRate', () => {
    expect(() => new CuckooFilter({ capacity: 10, errorRate: 0.1 } as never)).toThrow(
      'did you mean falsePositiveRate?',
    );
  });
});

describe('options that are inherited', () => {
  const pollution = {
    maxCapacity: 3,
    maxBytes: 1,
    hash: 'md5',
    seed: -1,
    every: 'never',
    signal: 5,
    fetch: 5,
  };

  test('from Object.prototype are not read', async () => {
    const prototype = Object.prototype as unknown as Record<string, unknown>;
    try {
      Object.assign(prototype, pollution);
      const filter = CuckooFilter.from(['a', 'b', 'c', 'd']);
      expect([filter.maxCapacity, filter.seed, filter.has('a')]).toEqual([4, 0n, true]);
      expect(CuckooFilter.plan({ capacity: 10 }).maxCapacity).toBe(10);
      expect(CuckooFilter.deserialize(SAVED).has('a')).toBe(true);
      expect(new FilterReader(SAVED).has('a')).toBe(true);
      expect(filter.containsMany(hashKeys(['a']))).toEqual(Uint8Array.of(1));
      expect(new ExpiringFilter({ capacity: 10, periods: 2 }).isNew('a')).toBe(true);
      expect(await filter.addManyAsync([], {})).toBe(0);
    } finally {
      for (const name of Object.keys(pollution)) Reflect.deleteProperty(prototype, name);
    }
  });

  test('from any other object are an error, because they would be lost', () => {
    const bare = Object.assign(Object.create(null), { maxBytes: 1 }) as object;
    for (const defaults of [
      { maxBytes: 1 },
      bare,
      new (class Limits {
        maxBytes = 1;
      })(),
    ]) {
      const options = Object.create(defaults) as object;
      expect(() => CuckooFilter.deserialize(SAVED, options)).toThrow('Inherited options are not read');
      expect(() => new FilterReader(SAVED, options)).toThrow(
        'options must be a plain object with only maxBytes and hash',
      );
    }
  });
});

test.each([
  ['9007199254740.991 s', 9007199254740991],
  ['1.1 h', 3_960_000],
  ['0.001 s', 1],
  ['1.50 min', 90_000],
])('%s is exactly %d milliseconds', (every, milliseconds) => {
  let time = 0;
  const filter = new ExpiringFilter({ capacity: 1, periods: 1, every, now: () => time });
  filter.isNew('a');
  time = milliseconds - 1;
  expect(filter.hasSeen('a')).toBe(true);
  time = milliseconds;
  expect(filter.hasSeen('a')).toBe(false);
});

test.each(['9007199254740.9911 s', '0.0001 s', '9007199254740993 ms', '0 s'])('%s is refused', (every) => {
  expect(() => new ExpiringFilter({ capacity: 1, periods: 2, every })).toThrow(RangeError);
});
