// Keys, sizes and orders of calls with which other filters lost keys or answered too often.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';

// cuckoofilter (Go)#50, scalable_cuckoo_filter#4: after half of the keys were removed and added again, 160 were lost.
test.each([
  ['CuckooFilter', () => new CuckooFilter({ capacity: 30_000 })],
  ['CuckooFilter that grows', () => new CuckooFilter({ capacity: 100, maxCapacity: 100_000 })],
  ['ScalableCuckooFilter', () => new ScalableCuckooFilter({ capacity: 100 })],
])('%s keeps every key while others are removed and added again', (_, make) => {
  const stay = Array.from({ length: 15_000 }, (_key, i) => `${i}-stay`);
  const go = stay.map((key) => `${key}-removed`);
  const filter = make();
  filter.addMany(stay);
  for (let round = 0; round < 3; ++round) {
    expect(filter.addMany(go)).toBe(go.length);
    expect(filter.deleteMany(go)).toBe(go.length);
    expect(filter.containsMany(stay).indexOf(0)).toBe(-1);
  }
  expect(filter.size).toBe(stay.length);
});

// cuckoofilter (Go)#42: a failed insert dropped an earlier key.
test('a full filter has lost no key', () => {
  const filter = new CuckooFilter({ capacity: 500 });
  const added: number[] = [];
  for (let key = 0; key < 2000; ++key) if (filter.tryAdd(key) === 'added') added.push(key);
  expect([filter.size, filter.containsMany(added).indexOf(0)]).toEqual([added.length, -1]);
});

// bloom-filters#68 and #9: addresses that differ in a few letters, at a rate of 4 %, were not found.
test('addresses that differ in a few letters are all found at a high rate', () => {
  const keys = Array.from(
    { length: 500 },
    (_, i) => `https://video.example/watch?v=${(i * 7919).toString(36)}`,
  );
  for (const falsePositiveRate of [0.3, 0.04, 0.001])
    expect(CuckooFilter.from(keys, { falsePositiveRate }).containsMany(keys).indexOf(0)).toBe(-1);
});

// bloomfilter.js#9, xor_singleheader#77: sizes that are no multiple of a word.
test('every size from 1 to 257 holds its keys, and after saving', () => {
  for (let capacity = 1; capacity <= 257; ++capacity) {
    const keys = Array.from({ length: capacity }, (_, i) => i * capacity);
    const filter = CuckooFilter.from(keys);
    const loaded = CuckooFilter.deserialize(filter.serialize());
    expect([capacity, filter.containsMany(keys).indexOf(0), loaded.containsMany(keys).indexOf(0)]).toEqual([
      capacity,
      -1,
      -1,
    ]);
  }
});

// bloomfilter.js#26: keys in sequence, such as K1 and K2, had 150 times the rate.
describe('keys in sequence have the rate of any others', () => {
  test.each<[string, (i: number) => string | number]>([
    ['as text', (i) => `K${i}`],
    ['as numbers', (i) => i],
    ['a page apart', (i) => i * 4096],
  ])('%s', (_, keyOf) => {
    const count = 20_000;
    const filter = CuckooFilter.from(
      Array.from({ length: count }, (_key, i) => keyOf(i)),
      { falsePositiveRate: 0.01 },
    );
    const others = Array.from({ length: 200_000 }, (_key, i) => keyOf(count + i));
    const found = filter.containsMany(others).reduce((sum, each) => sum + each, 0);
    // 200,000 tries at the expected rate, and five standard deviations.
    const expected = others.length * filter.expectedFalsePositiveRate;
    expect(Math.abs(found - expected)).toBeLessThan(5 * Math.sqrt(expected) + 0.1 * expected);
  });
});

// lru-cache#157, go-cache#161: a clock that was set back kept keys for ever, or dropped them at once.
test('a clock that goes back forgets no key early, and keys still expire afterwards', () => {
  let time = 1e12;
  const hour = 3_600_000;
  const seen = new ExpiringFilter({ capacity: 100, periods: 3, every: hour, now: () => time });
  expect(seen.isNew('a')).toBe(true);
  time -= 24 * hour;
  expect([seen.isNew('a'), seen.isNew('b')]).toEqual([false, true]);
  time += 24 * hour;
  expect(seen.isNew('b')).toBe(false);
  time += 4 * hour;
  expect([seen.isNew('a'), seen.isNew('b')]).toEqual([true, true]);
  time += 10_000 * hour; // A computer that slept.
  expect(seen.isNew('a')).toBe(true);
});
