// Each public method and getter of CuckooFilter, one rule a test.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, FilterFullError, preload } from 'cuckoofilter-wasm';
import * as plain from 'cuckoofilter-wasm';
import * as traced from 'cuckoofilter-wasm/trace';
import { integers } from '../support/integers';
import { sameBytes, thrownBy } from '../support/random';

/** Two buckets that never coincide for this key, of two slots each. */
const tiny = { capacity: 1, bucketCount: 64, bucketSize: 2, fingerprintBits: 16 } as const;

describe('one key', () => {
  test('is found after add, and no longer after delete', () => {
    const filter = new CuckooFilter({ capacity: 100 });
    expect(filter.contains('key')).toBe(false);
    expect(filter.add('key')).toBe(filter);
    expect([filter.contains('key'), filter.has('key'), filter.count('key'), filter.size]).toEqual([
      true,
      true,
      1,
      1,
    ]);
    expect(filter.delete('key')).toBe(true);
    expect(filter.delete('key')).toBe(false);
    expect([filter.contains('key'), filter.has('key'), filter.count('key'), filter.size]).toEqual([
      false,
      false,
      0,
      0,
    ]);
  });

  test('added several times is deleted one copy at a time', () => {
    const filter = new CuckooFilter({ capacity: 100, bucketSize: 4 });
    for (let copies = 1; copies <= 5; ++copies) expect(filter.add('key').count('key')).toBe(copies);
    for (let copies = 4; copies >= 0; --copies) {
      expect(filter.delete('key')).toBe(true);
      expect(filter.contains('key')).toBe(copies > 0);
      expect(filter.count('key')).toBe(copies);
    }
  });

  test('takes 2 bucketSize copies, then is refused as too-many-copies, and other keys still go in', () => {
    for (let bucketSize = 1; bucketSize <= 8; ++bucketSize) {
      const filter = new CuckooFilter({ ...tiny, bucketSize });
      for (let copies = 1; copies <= 2 * bucketSize; ++copies) expect(filter.tryAdd('key')).toBe('added');
      const before = filter.serialize();
      for (let again = 0; again < 3; ++again) expect(filter.tryAdd('key')).toBe('too-many-copies');
      expect(thrownBy(FilterFullError, () => filter.add('key'))).toMatchObject({
        reason: 'too-many-copies',
        added: 0,
      });
      expect(sameBytes(filter.serialize(), before)).toBe(true);
      for (let key = 0; key < 20; ++key) expect(filter.add(key).contains(key)).toBe(true);
      for (let copies = 2 * bucketSize; copies > 0; --copies) expect(filter.delete('key')).toBe(true);
      expect(filter.size).toBe(20);
    }
  });

  test('refused as full leaves every byte as it was', () => {
    const filter = new CuckooFilter({ capacity: 40, bucketCount: 10, bucketSize: 4, fingerprintBits: 12 });
    let key = 0;
    while (filter.tryAdd(key) === 'added') ++key;
    const before = filter.serialize();
    const error = thrownBy(FilterFullError, () => filter.add(key));
    expect(error).toMatchObject({ name: 'FilterFullError', reason: 'full', added: 0 });
    expect(thrownBy(FilterFullError, () => filter.addIfAbsent(key)).reason).toBe('full');
    expect(thrownBy(FilterFullError, () => filter.addManyIfAbsent([0, key])).reason).toBe('full');
    expect(sameBytes(filter.serialize(), before)).toBe(true);
    expect(filter.size).toBe(key);
  });

  test('is added by addIfAbsent once', () => {
    const filter = new CuckooFilter({ capacity: 100 });
    expect([filter.addIfAbsent('key'), filter.addIfAbsent('key'), filter.size]).toEqual([true, false, 1]);
  });
});

describe('the whole filter', () => {
  const options = { capacity: 1000, falsePositiveRate: 0.01, seed: 42n } as const;

  test('has the parameters it was made with, and numbers that belong together', () => {
    const filter = new CuckooFilter(options);
    expect(filter).toMatchObject({
      capacity: 1000,
      seed: 42n,
      addressing: 'reflect',
      size: 0,
      loadFactor: 0,
    });
    expect(filter.expectedFalsePositiveRate).toBe(0);
    expect(filter.bitsPerKey).toBeNaN();
    expect(typeof filter.semiSorted).toBe('boolean');
    filter.addMany(integers(1, 500));
    const slots = filter.bucketCount * filter.bucketSize;
    expect(filter.byteLength).toBe(
      Math.ceil((slots * (filter.fingerprintBits - (filter.semiSorted ? 1 : 0))) / 8),
    );
    expect(filter.loadFactor).toBeCloseTo(500 / slots, 12);
    expect(filter.bitsPerKey).toBeCloseTo((8 * filter.byteLength) / 500, 12);
    expect(filter.expectedFalsePositiveRate).toBeGreaterThan(0);
    expect(filter.expectedFalsePositiveRate).toBeLessThan(0.01);
  });

  test('is empty after clear, as a new one, and can be used again', () => {
    const filter = new CuckooFilter(options);
    const empty = filter.serialize();
    filter.addMany(integers(1, 900));
    filter.clear();
    expect(filter.size).toBe(0);
    expect(sameBytes(filter.serialize(), empty)).toBe(true);
    expect(filter.containsMany(integers(1, 900)).includes(1)).toBe(false);
    expect(filter.addMany(integers(2, 1000))).toBe(1000);
  });

  test('and its clone are equal, then go ways of their own', () => {
    const filter = new CuckooFilter(options);
    filter.addMany(integers(1, 300));
    const clone = filter.clone();
    expect(clone).toBeInstanceOf(CuckooFilter);
    expect(clone.equals(filter)).toBe(true);
    expect(sameBytes(clone.serialize(), filter.serialize())).toBe(true);
    clone.add('clone');
    expect([filter.contains('clone'), filter.size, clone.size, clone.equals(filter)]).toEqual([
      false,
      300,
      301,
      false,
    ]);
    filter.dispose();
    expect(clone.contains('clone')).toBe(true);
    expect(clone.containsMany(integers(1, 300)).includes(0)).toBe(false);
  });

  test('equals another iff parameters and content are the same', () => {
    const filter = new CuckooFilter(options).add('a').add('b');
    expect(filter.equals(filter)).toBe(true);
    expect(filter.equals(new CuckooFilter(options).add('b').add('a'))).toBe(true);
    expect(filter.equals(new CuckooFilter(options).add('a').add('c'))).toBe(false);
    expect(filter.equals(new CuckooFilter(options).add('a'))).toBe(false);
    for (const other of [
      { seed: 43 },
      { capacity: 1001 },
      { fingerprintBits: 20 },
      { addressing: 'xor' },
    ] as const) {
      expect(new CuckooFilter({ ...options, ...other }).equals(new CuckooFilter(options))).toBe(false);
    }
    for (const other of [undefined, null, 5, 'filter', {}, Object.create(CuckooFilter.prototype)]) {
      expect(() => filter.equals(other as never)).toThrow(TypeError);
    }
  });

  test('from keys takes as many as were given, if they are distinct', () => {
    for (const count of [1, 2, 3, 10, 100, 1000]) {
      const filter = CuckooFilter.from(integers(1, count));
      expect([filter.size, filter.capacity]).toEqual([count, count]);
      expect(CuckooFilter.from(new Set(integers(1, count))).equals(filter)).toBe(true);
    }
  });

  test('from nothing takes one key, and from takes a capacity', () => {
    expect(CuckooFilter.from([]).add('key').capacity).toBe(1);
    expect(CuckooFilter.from(['a'], { capacity: 77, seed: 3 })).toMatchObject({
      capacity: 77,
      seed: 3n,
      size: 1,
    });
    expect(CuckooFilter.from(new Set(['a', 'b']).values()).capacity).toBe(2);
  });

  test('needs nothing awaited, though preload may be, at any time', async () => {
    const filter = new CuckooFilter({ capacity: 10 }).add('a');
    await expect(preload()).resolves.toBeUndefined();
    await Promise.all([preload(), preload()]);
    expect(filter.contains('a')).toBe(true);
  });
});

describe('the package', () => {
  test('exports what its contract lists, and nothing else', () => {
    const names = [
      'CuckooFilter',
      'Deduper',
      'DisposedError',
      'FilterFullError',
      'FormatError',
      'InvalidKeyError',
      'OutOfMemoryError',
      'PackedKeys',
      'dedupe',
      'dedupeStream',
      'digestKeys',
      'explainPlan',
      'hashKey',
      'hashKeys',
      'init',
      'preload',
    ];
    expect(Object.keys(plain).sort()).toEqual(names);
    expect(Object.keys(traced).sort()).toEqual(names);
  });
});

test('countMany gives the number of copies of each key, in order', () => {
  using filter = new CuckooFilter({ capacity: 10, fingerprintBits: 32 });
  filter.addMany(['a', 'b', 'b', 'c', 'c', 'c']);
  expect([...filter.countMany(['c', 'a', 'x', 'b'])]).toEqual([3, 1, 0, 2]);
});
