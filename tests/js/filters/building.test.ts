// addMany and from into an empty semi-sorted filter, which are built plain and encoded at the end: they leave what one
// add per key leaves, whatever the user's code does meanwhile.
import { describe, expect, test } from '@jest/globals';
import {
  CuckooFilter,
  FilterFullError,
  PackedKeys,
  type CuckooFilterOptions,
  type Keys,
} from 'cuckoofilter-wasm';

const COUNT = 10_000;
const numbers = Array.from({ length: COUNT }, (_, i) => i);
const texts = numbers.map((i) => `key ${i}`);
const bytes = texts.map((text) => new TextEncoder().encode(text));
const SHAPES: Partial<CuckooFilterOptions>[] = [
  {},
  { falsePositiveRate: 0.01 },
  { falsePositiveRate: 1e-5 },
  { falsePositiveRate: 1e-8 },
  { addressing: 'xor' },
  { maxCapacity: 8 * COUNT },
  { semiSort: false },
];

function packed(): PackedKeys {
  let end = 0;
  const ends = Uint32Array.from(bytes, (key) => (end += key.length));
  return new PackedKeys(Uint8Array.from(bytes.flatMap((key) => [...key])), ends);
}

function oneByOne(
  keys: Iterable<string | number | bigint | Uint8Array>,
  options: CuckooFilterOptions,
): CuckooFilter {
  const filter = new CuckooFilter(options);
  for (const key of keys) filter.add(key);
  return filter;
}

describe.each(SHAPES)('a filter with %j', (shape) => {
  const options = { capacity: COUNT, ...shape };

  test.each<[string, Keys, Iterable<string | number | Uint8Array>]>([
    ['an array of texts', texts, texts],
    ['integers', Float64Array.from(numbers), numbers],
    ['packed keys', packed(), bytes],
    ['an iterable', new Set(texts), texts],
  ])('has the bytes of one add per key of %s', (_, keys, each) => {
    using expected = oneByOne(each, options);
    using added = new CuckooFilter(options);
    expect(added.addMany(keys)).toBe(COUNT);
    using made = CuckooFilter.from(keys, options);
    for (const filter of [added, made]) {
      expect(filter.serialize()).toEqual(expected.serialize());
      expect(filter.byteLength).toBe(expected.byteLength);
      expect(filter.stats().kicks).toEqual(expected.stats().kicks);
      expect(filter.containsMany(keys)).toEqual(new Uint8Array(COUNT).fill(1));
    }
  });
});

test('stops at the same key where the filter is full, or where a key is bad', () => {
  const options = { capacity: 1, bucketCount: 1500, bucketSize: 4, fingerprintBits: 9, semiSort: true };
  using filter = new CuckooFilter(options);
  let added = 0;
  try {
    filter.addMany(texts);
  } catch (error) {
    added = (error as FilterFullError).added;
  }
  expect(added).toBeGreaterThan(5500);
  using expected = oneByOne(texts.slice(0, added), options);
  expect(filter.equals(expected)).toBe(true);
  expect(filter.tryAdd(texts[added] ?? '')).toBe('full');

  using other = new CuckooFilter({ capacity: COUNT });
  expect(() => other.addMany([...texts.slice(0, 6000), null as never, 'x'])).toThrow('key 6000');
  using before = oneByOne(texts.slice(0, 6000), { capacity: COUNT });
  expect(other.equals(before)).toBe(true);
});

test('takes calls that a key of the batch makes, and goes on', () => {
  using expected = oneByOne([...texts.slice(0, 5000), 'within', ...texts.slice(5000)], {
    capacity: COUNT + 5,
  });
  const calls: Record<string, (filter: CuckooFilter) => unknown> = {
    has: (filter) => filter.containsMany(texts.slice(0, 4096)).every((each) => each === 1),
    clone: (filter) => filter.clone().serialize().length === filter.serialize().length,
    byteLength: (filter) => filter.byteLength === expected.byteLength,
    equals: (filter) => filter.equals(CuckooFilter.deserialize(filter.serialize())),
    merge: (filter) => new CuckooFilter({ capacity: COUNT + 5 }).merge(filter).size === filter.size,
    addMany: (filter) => filter.addMany([]) === 0,
  };
  for (const [name, call] of Object.entries(calls)) {
    const keys = texts.slice();
    using filter = new CuckooFilter({ capacity: COUNT + 5 });
    let seen: unknown;
    Object.defineProperty(keys, 5000, {
      get: () => {
        seen ??= [call(filter), filter.add('within').size > 4096];
        return texts[5000];
      },
    });
    filter.addMany(keys);
    expect([name, seen]).toEqual([name, [true, true]]);
    expect([name, filter.size]).toEqual([name, COUNT + 1]);
    expect(filter.containsMany(texts)).toEqual(new Uint8Array(COUNT).fill(1));
    using loaded = CuckooFilter.deserialize(filter.serialize());
    expect(loaded.has('within')).toBe(true);
  }
});

describe.each(SHAPES)('keys whose own iterator uses the filter with %j', (shape) => {
  const options = { capacity: COUNT, ...shape };
  const batch = 4096; // keys are added so many at a time
  const first = texts.slice(0, batch);

  test.each<[string, (filter: CuckooFilter, twin: CuckooFilter) => unknown]>([
    ['containsMany', (filter) => filter.containsMany(texts)],
    ['contains', (filter) => texts.map((key) => filter.has(key))],
    ['count', (filter) => texts.map((key) => filter.count(key))],
    ['serialize', (filter) => filter.serialize()],
    ['clone', (filter) => filter.clone().serialize()],
    ['byteLength', (filter) => filter.byteLength],
    ['equals', (filter, twin) => [filter.equals(twin), twin.equals(filter)]],
    ['a merge from it', (filter) => new CuckooFilter(options).merge(filter).serialize()],
    ['a merge into it', (filter, twin) => filter.clone().merge(twin).serialize()],
  ])('sees in %s what one add per key leaves', (_, call) => {
    using filter = new CuckooFilter(options);
    using twin = oneByOne(first, options);
    const seen: unknown[] = [];
    const keys = Object.assign(texts.slice(), {
      *[Symbol.iterator]() {
        yield* first;
        seen.push(filter.size, call(filter, twin));
        yield* texts.slice(batch);
      },
    });
    expect(filter.addMany(keys)).toBe(COUNT);
    expect(seen).toEqual([batch, call(twin, twin)]);
    expect(filter.containsMany(texts)).toEqual(new Uint8Array(COUNT).fill(1));
  });
});
