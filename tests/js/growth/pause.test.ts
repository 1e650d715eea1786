// `maxPause`: a table is doubled little by little, and nothing but the time of single calls tells.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, type GrowEvent } from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { integers } from '../support/integers';
import { runs } from '../support/long';
import { claim, sameBytes } from '../support/random';
import { ruled } from '../api/ruled';

const KEYS = 100_000;
/** One doubling in the short form, three in the long one. */
const SLOW_KEYS = runs(25_000, KEYS);
const keys = integers(1, KEYS);
const absent = integers(2, 500);

describe.each([{}, { semiSort: false, fingerprintBits: 12 }, { bucketSize: 8, fingerprintBits: 20 }])(
  'a filter that doubles with the least work per call, %j',
  (shape) => {
    const options = { ...shape, capacity: 9000, maxCapacity: KEYS };

    test('answers as one that doubles at once, and has the same bytes', () => {
      const slow = new CuckooFilter({ ...options, maxPause: 0 });
      const fast = new CuckooFilter({ ...options, maxPause: Infinity });
      let sizes = slow.bucketCount;
      let after = 0;
      for (const [i, key] of keys.subarray(0, SLOW_KEYS).entries()) {
        slow.add(key);
        fast.add(key);
        const { bucketCount } = slow;
        if (bucketCount !== sizes) after = 0;
        sizes = bucketCount;
        if (++after > 40 || after % 3 !== 0) continue;
        // Amid a doubling.
        claim(bucketCount === fast.bucketCount, () => `buckets at ${i}`);
        claim(slow.byteLength === fast.byteLength, () => `bytes at ${i}`);
        claim(
          !slow.containsMany(keys.subarray(Math.max(0, i - 3000), i + 1)).includes(0),
          () => `lost at ${i}`,
        );
        claim(sameBytes(slow.containsMany(absent), fast.containsMany(absent)), () => `absent at ${i}`);
        claim(slow.count(key) === fast.count(key), () => `count at ${i}`);
        const old = keys[i >> 1] as bigint;
        claim(slow.delete(old) && fast.delete(old), () => `delete at ${i}`);
        slow.add(old);
        fast.add(old);
        if (after === 9) claim(slow.clone().equals(fast), () => `clone at ${i}`);
        else if (after === 12) claim(slow.equals(fast), () => `bytes at ${i}`);
      }
      expect(slow.size).toBe(SLOW_KEYS);
      expect(sameBytes(slow.serialize(), fast.serialize())).toBe(true);
      const withoutPause = (filter: CuckooFilter) =>
        filter.stats().growths.map((event) => ({ ...event, pause: 0 }));
      expect(withoutPause(slow)).toEqual(withoutPause(fast));
    });

    test('is cleared, halved and merged amid a doubling as at any time', () => {
      const amid = (maxPause = 0): CuckooFilter => {
        const filter = new CuckooFilter({ ...options, maxPause });
        filter.addMany(keys.subarray(0, filter.currentCapacity));
        filter.add('one more');
        return filter;
      };
      const whole = (): CuckooFilter => amid(Infinity);
      const cleared = amid();
      cleared.clear();
      expect(cleared.containsMany(keys)).not.toContain(1);
      cleared.add('again');
      expect(cleared.has('again')).toBe(true);
      const halved = amid();
      halved.delete('one more');
      expect(halved.shrink()).toBe(true);
      expect(halved.containsMany(keys.subarray(0, halved.size))).not.toContain(0);
      expect(amid().merge(amid()).equals(whole().merge(whole()))).toBe(true);
      expect(amid().mergeIfAbsent(amid()).equals(whole())).toBe(true);
    });
  },
);

test('each doubling is told once, when it begins', () => {
  const events: GrowEvent[] = [];
  const onGrow = (event: GrowEvent): void => void events.push(event);
  const filter = new CuckooFilter({ capacity: 9000, maxCapacity: KEYS, maxPause: 0, onGrow });
  let before = filter.bucketCount;
  for (const key of keys.subarray(0, SLOW_KEYS)) {
    filter.add(key);
    const { bucketCount } = filter;
    claim(bucketCount === before || events.at(-1)?.newBucketCount === bucketCount, () => `${key}`);
    before = bucketCount;
  }
  const { growths } = filter.stats();
  expect(events.length).toBeGreaterThan(0);
  expect(growths).toHaveLength(events.length);
  for (const [i, { pause }] of growths.entries())
    expect(pause).toBeGreaterThanOrEqual(events[i]?.pause ?? NaN);
});

test('a scalable filter takes it for each of its layers', () => {
  const options = { capacity: 9000, maxCapacity: 40_000 };
  const slow = new ScalableCuckooFilter({ ...options, maxPause: 0 });
  const fast = new ScalableCuckooFilter({ ...options, maxPause: Infinity });
  for (const key of keys) {
    slow.add(key);
    fast.add(key);
  }
  expect(slow.layers).toBe(2);
  expect(slow.equals(fast)).toBe(true);
  for (const key of keys.subarray(0, 90_000)) claim(slow.delete(key) && fast.delete(key), () => `${key}`);
  expect(slow.equals(fast)).toBe(true);
});

test('it is milliseconds, 0 or more', () => {
  const make = (maxPause: unknown): CuckooFilter =>
    new CuckooFilter({ capacity: 10, maxCapacity: 100, maxPause: maxPause as number });
  for (const wrong of ['1', null, {}]) expect(() => make(wrong)).toThrow(TypeError);
  for (const wrong of [-1, NaN]) expect(() => make(wrong)).toThrow(RangeError);
  expect(() => make(-1)).toThrow(ruled('maxPause', -1));
  for (const right of [0, 0.5, 1e300, Infinity, undefined]) expect(make(right).size).toBe(0);
});

test('classes whose tables double at once refuse it, as their types do', () => {
  const capacity = 10;
  // @ts-expect-error: not an option of this class
  const values = (): unknown => new CuckooValues({ capacity, valueBits: 3, maxPause: 1 });
  // @ts-expect-error: not an option of this class
  const counter = (): unknown => new CuckooCounter({ capacity, maxPause: 1 });
  // @ts-expect-error: not an option of this class
  const expiring = (): unknown => new ExpiringFilter({ capacity, periods: 3, maxPause: 1 });
  for (const make of [values, counter, expiring]) expect(make).toThrow(/^unknown option maxPause; /);
});
