// ExpiringFilter: its rate in its interval, what it refuses, and its memory. The exact model is in expiring/clock.test.ts.
import { describe, expect, test } from '@jest/globals';
import {
  ExpiringFilter,
  FilterFullError,
  InvalidKeyError,
  OutOfMemoryError,
  PackedKeys,
  preload,
  type ExpiringFilterOptions,
} from 'cuckoofilter-wasm/expiring';
import { integers } from '../support/integers';
import { memoryBytes, withMemoryOf } from '../support/memory-spy';
import { claim, thrownBy } from '../support/random';
import { noBoolean } from '../api/ruled';

test('a filter of one period has seen every key of it, at every moment while it grows', () => {
  const filter = new ExpiringFilter({ capacity: 1000, maxCapacity: 1_000_000, periods: 1 });
  for (let key = 0; key < 40_000; ++key) {
    filter.isNew(key);
    claim(filter.hasSeen(key) && filter.hasSeen(key >>> 1), () => `key ${key} or ${key >>> 1} is forgotten`);
  }
  const keys = Array.from({ length: 40_000 }, (_, key) => key);
  expect(keys.filter((key) => !filter.hasSeen(key))).toEqual([]);
});

describe('renew', () => {
  test('false: a key is new once in all periods, by a call, in a batch, in a copy and in one that was loaded', () => {
    const own = { periods: 3, renew: false } as const;
    const filter = new ExpiringFilter({ capacity: 100, ...own });
    const answers: number[] = [];
    let each: ExpiringFilter = filter;
    for (let period = 0; period < 8; ++period) {
      answers.push(Number(each.isNew('a')), ...each.areNew(['a', 'a']));
      each.advance();
      each = period % 2 === 0 ? each.clone() : ExpiringFilter.deserialize(each.serialize(), { renew: false });
    }
    expect(answers.join('')).toBe('100000000100000000100000');
    expect(ExpiringFilter.plan({ capacity: 100, ...own }).options).toMatchObject(own);
  });

  test('is true by default, and a boolean', () => {
    const filter = new ExpiringFilter({ capacity: 100, periods: 3 });
    for (let period = 0; period < 8; ++period) {
      expect(filter.isNew('a')).toBe(period === 0);
      filter.advance();
    }
    expect(
      thrownBy(TypeError, () => new ExpiringFilter({ capacity: 1, periods: 1, renew: 0 as never })).message,
    ).toBe(noBoolean('renew', 0));
  });
});

describe('a filter of a window', () => {
  test.each([
    [2, 0.01],
    [4, 0.001],
    [24, 0.01],
  ])('of %i periods takes its capacity in each, and errs as it says', (periods, falsePositiveRate) => {
    const each = Math.floor(60_000 / periods);
    const filter = new ExpiringFilter({ capacity: each * periods, periods, falsePositiveRate });
    let added = 0;
    for (let period = 0; period < 2 * periods + 3; ++period) {
      const keys = integers(1 + period, each);
      added += filter.areNew(keys).reduce((sum, one) => sum + one, 0);
      const first = Math.max(0, period - periods + 1);
      for (let seen = first; seen <= period; ++seen)
        claim(
          filter.hasSeen(integers(1 + seen, 1)[0] ?? 0),
          () => `period ${seen} is forgotten in ${period}`,
        );
      if (period < 2 * periods + 2) added -= filter.advance();
    }
    expect(filter.size).toBe(added);
    const absent = Array.from(integers(0, 100_000));
    const rate = filter.expectedFalsePositiveRate;
    expect(rate).toBeLessThanOrEqual(falsePositiveRate);
    const found = absent.filter((key) => filter.hasSeen(key)).length;
    expect(Math.abs(found / absent.length - rate)).toBeLessThan(
      5 * Math.sqrt(rate / absent.length) + 0.02 * rate,
    );
  });

  test('calls a key new again after the window, unless it came again', () => {
    const filter = new ExpiringFilter({ capacity: 100, periods: 3, falsePositiveRate: 1e-6 });
    expect([filter.isNew('once'), filter.isNew('again')]).toEqual([true, true]);
    expect(filter.advance()).toBe(0);
    expect(filter.isNew('again')).toBe(false);
    expect([filter.advance(), filter.hasSeen('once')]).toEqual([0, true]);
    expect([filter.advance(), filter.hasSeen('once'), filter.hasSeen('again')]).toEqual([1, false, true]);
    expect([filter.isNew('once'), filter.isNew('again')]).toEqual([true, false]);
    filter.clear();
    expect([filter.size, filter.isNew('again')]).toEqual([0, true]);
  });

  test('takes keys of all kinds, one by one and many', () => {
    const filter = new ExpiringFilter({ capacity: 1000, periods: 2, falsePositiveRate: 1e-6 });
    expect(filter.areNew(['a', 5, 5n, Uint8Array.of(97), 'a'])).toEqual(Uint8Array.of(1, 1, 0, 0, 0));
    expect(filter.areNew(BigInt64Array.of(5n, -1n))).toEqual(Uint8Array.of(0, 1));
    expect(filter.areNew(new PackedKeys(Uint8Array.of(97, 98), Uint32Array.of(1, 2)))).toEqual(
      Uint8Array.of(0, 1),
    );
    const long = 'x'.repeat(200_000);
    expect([filter.isNew(long), filter.isNew(long), filter.hasSeen('')]).toEqual([true, false, false]);
    expect(filter.areNew(new Set(['b', 'c']))).toEqual(Uint8Array.of(0, 1));
    const error = thrownBy(InvalidKeyError, () => filter.areNew(['d', 1.5]));
    expect([error.message, error.index]).toEqual([expect.stringMatching(/^key 1: /), 1]);
    expect(filter.hasSeen('d')).toBe(true);
  });

  test('under a secret key or a seed answers alike', () => {
    const hash = { algorithm: 'siphash-1-3', key: new Uint8Array(16) } as const;
    for (const option of [{ hash }, { seed: 5n }, { seed: 'random' as const }]) {
      const filter = new ExpiringFilter({ capacity: 100, periods: 2, falsePositiveRate: 1e-6, ...option });
      expect([filter.isNew('a'), filter.isNew('a'), filter.areNew(['a', 'b'])]).toEqual([
        true,
        false,
        Uint8Array.of(0, 1),
      ]);
    }
  });

  test('that is full says so with nothing changed, and has room again after the window', () => {
    const filter = new ExpiringFilter({ capacity: 100, periods: 2 });
    const error = thrownBy(FilterFullError, () => filter.areNew(integers(0, 1000)));
    expect([error.reason, error.added]).toEqual(['full', filter.size]);
    expect(error.message).toMatch(/whenFull: 'forget-oldest', or call advance sooner$/);
    expect(filter.size).toBeGreaterThanOrEqual(100);
    expect(filter.areNew(integers(0, 100)).includes(1)).toBe(false);
    const { size } = filter;
    expect([filter.advance(), filter.advance(), filter.isNew('a')]).toEqual([0, size, true]);
  });
});

describe('an expiring filter refuses', () => {
  test.each([
    ...[0, 257, -1, 2.5, 2 ** 32 + 1, 4 - 2 ** 32, NaN].map(
      (periods) => [{ periods }, RangeError, 'periods'] as const,
    ),
    [{ periods: undefined }, TypeError, 'periods'],
    [{ periods: '4' }, TypeError, 'periods'],
    [{ periods: 5, fingerprintBits: 30 }, RangeError, 'periods'],
    [{ capacity: 0 }, RangeError, 'capacity'],
    [{ capacity: '5' }, TypeError, 'capacity'],
    [{ hash: { algorithm: 'siphash-1-3' } }, TypeError, 'hash.key'],
  ] as const)('%j, and names the option', (change, Kind, name) => {
    const options = { capacity: 100, periods: 4, ...change } as ExpiringFilterOptions;
    expect(thrownBy(Kind, () => new ExpiringFilter(options)).message.split(' ')[0]).toBe(name);
  });

  test('keys that are none', () => {
    const filter = new ExpiringFilter({ capacity: 100, periods: 4 });
    for (const key of [undefined, null, 1.5, {}, NaN])
      for (const ask of [() => filter.isNew(key as never), () => filter.hasSeen(key as never)])
        expect(ask).toThrow(InvalidKeyError);
    expect(filter.size).toBe(0);
  });

  test('a table that memory does not hold, and the others go on', () => {
    const filter = new ExpiringFilter({ capacity: 100, periods: 4 });
    withMemoryOf(memoryBytes(), () => {
      expect(() => new ExpiringFilter({ capacity: 1e8, periods: 4 })).toThrow(OutOfMemoryError);
    });
    expect(filter.isNew('a')).toBe(true);
  });
});

test('generations take the bits that their number needs, beside those of the fingerprint', async () => {
  await preload();
  const sizes = { capacity: 1000, bucketCount: 256, bucketSize: 4, fingerprintBits: 12, semiSort: false };
  const bytes = [1, 2, 3, 4, 5, 256].map((periods) => new ExpiringFilter({ ...sizes, periods }).byteLength);
  expect(bytes).toEqual([12, 13, 14, 14, 15, 20].map((bits) => (1024 * bits) / 8));
});
