// ScalableCuckooFilter: no key lost over layers that come and go, the rate at every size, and what it tells.
import { describe, expect, test } from '@jest/globals';
import { audited, AuditError } from 'cuckoofilter-wasm/audit';
import {
  FilterFullError,
  InvalidKeyError,
  PackedKeys,
  ScalableCuckooFilter,
  type LayerGrowEvent,
  type ScalableCuckooFilterOptions,
} from 'cuckoofilter-wasm/scalable';
import { fill } from '../support/fill';
import { integers } from '../support/integers';
import { memoryBytes, withMemoryOf } from '../support/memory-spy';
import { sameBytes, thrownBy } from '../support/random';

/** Chains of every storage, growth and hash. */
const SHAPES: readonly Partial<ScalableCuckooFilterOptions>[] = [
  {},
  { maxCapacity: 100 },
  { maxCapacity: 400, falsePositiveRate: 0.03 },
  { falsePositiveRate: 1e-6 },
  { semiSort: false, maxCapacity: 300 },
  { bucketSize: 2, maxCapacity: 800 },
  { bucketSize: 8, fingerprintBits: 20 },
  { bucketCount: 32, fingerprintBits: 12.25, semiSort: true },
  { maxCapacity: 200, hash: { algorithm: 'siphash-1-3', key: new Uint8Array(16) } },
];

describe.each(SHAPES)('a scalable filter, %j', (shape) => {
  const options = { capacity: 100, ...shape };
  test('goes on from its saved bytes at any size, and equals its clone', () => {
    const { hash } = options;
    let filter = new ScalableCuckooFilter(options);
    const whole = new ScalableCuckooFilter(options);
    for (let n = 0; n < 9000; n += 1500) {
      filter.addMany(integers(1, n + 1500).subarray(n));
      whole.addMany(integers(1, n + 1500).subarray(n));
      const saved = filter.serialize();
      expect(filter.equals(whole) && filter.clone().equals(whole)).toBe(true);
      filter = ScalableCuckooFilter.deserialize(saved, { hash });
      expect(filter).toBeInstanceOf(ScalableCuckooFilter);
      expect(filter.clone()).toBeInstanceOf(ScalableCuckooFilter);
      expect(sameBytes(filter.serialize(), saved)).toBe(true);
      expect(filter.layers).toBe(whole.layers);
      expect(filter.containsMany(integers(1, n + 1500))).not.toContain(0);
    }
    expect(filter.deleteMany(integers(1, 9000).subarray(0, 5000))).toBe(5000);
    expect(filter.containsMany(integers(1, 9000).subarray(5000))).not.toContain(0);
  });
});

describe('a scalable filter', () => {
  test.each([
    [{ capacity: 1000 }, 31_659], // what the first layer has room for at 16 times the capacity
    [{ capacity: 1000, maxCapacity: 5000 }, 5000],
    [{ capacity: 100, maxCapacity: 100 }, 100],
  ])('has the capacities of its options at any size: %j', (options, maxCapacity) => {
    const filter = new ScalableCuckooFilter(options);
    const { totalCapacity } = filter;
    expect(ScalableCuckooFilter.plan(options)).toMatchObject({ totalCapacity, maxCapacity });
    for (const size of [0, 10_000, 40_000]) {
      filter.addMany(integers(1, size).subarray(filter.size));
      const { capacity } = options;
      expect(filter).toMatchObject({ size, capacity, maxCapacity, totalCapacity });
      if (size > 0) expect(filter.bitsPerKey).toBeCloseTo((8 * filter.byteLength) / size);
      expect(filter.currentCapacity).toBeGreaterThanOrEqual(size);
      expect(filter.currentCapacity).toBeLessThanOrEqual(totalCapacity);
    }
  });

  test('takes keys of all kinds, one by one and many, and gives the masks of single calls', () => {
    const texts = Array.from({ length: 20_000 }, (_, i) => `key ${(i * 7919) % 15_000}`);
    const options = { capacity: 50, maxCapacity: 200 };
    const one = new ScalableCuckooFilter(options);
    const mask = Uint8Array.from(texts, (text) => Number(one.addIfAbsent(text)));
    let end = 0;
    const ends = Uint32Array.from(texts, (text) => (end += text.length));
    for (const keys of [texts, new PackedKeys(Buffer.from(texts.join('')), ends), new Set(texts).values()]) {
      const filter = new ScalableCuckooFilter(options);
      const answers = filter.addManyIfAbsent(keys as string[]);
      if (answers.length === mask.length) expect(sameBytes(answers, mask)).toBe(true);
      expect(filter.equals(one)).toBe(true);
      expect(filter.containsMany(texts)).not.toContain(0);
    }
    expect(one.layers).toBeGreaterThan(2);
    const mixed = ['a', 5n, -1, Uint8Array.of(7), 'x'.repeat(200_000), ''];
    const filter = ScalableCuckooFilter.from(mixed);
    expect(filter).toBeInstanceOf(ScalableCuckooFilter);
    expect(mixed.map((key) => [filter.has(key), filter.count(key)])).toEqual(mixed.map(() => [true, 1]));
    expect([filter.tryAdd('a'), filter.count('a'), filter.delete('a'), filter.count('a')]).toEqual([
      'added',
      2,
      true,
      1,
    ]);
    const error = thrownBy(InvalidKeyError, () => filter.addMany(['b', 1.5]));
    expect([error.message, error.index]).toEqual([expect.stringMatching(/^key 1: /), 1]);
    expect(filter.has('b')).toBe(true);
  });

  test('takes as many copies of a key as a filter does, and says so', () => {
    const filter = new ScalableCuckooFilter({ capacity: 100 });
    for (let i = 0; i < 8; ++i) filter.add('same');
    expect(thrownBy(FilterFullError, () => filter.add('same')).reason).toBe('too-many-copies');
    expect(thrownBy(FilterFullError, () => filter.addMany(['a', 'same', 'b'])).added).toBe(1);
    expect([filter.size, filter.has('b')]).toEqual([9, false]);
  });

  test('is one layer again when it is cleared', () => {
    const filter = ScalableCuckooFilter.from(integers(1, 5000), { capacity: 50, maxCapacity: 100 });
    filter.clear();
    expect([filter.layers, filter.size, filter.has(0)]).toEqual([1, 0, false]);
  });

  test('under audit finds a false delete', () => {
    const filter = audited(new ScalableCuckooFilter({ capacity: 10, maxCapacity: 20 }));
    for (let i = 0; i < 500; ++i) filter.add(i);
    for (let i = 0; i < 400; ++i) expect(filter.delete(i)).toBe(true);
    expect(thrownBy(AuditError, () => filter.delete(3)).code).toBe('false-delete');
    expect(filter.layers).toBeLessThan(5);
  });

  test('without memory for a layer is full, keeps its keys, and goes on with memory again', () => {
    const filter = new ScalableCuckooFilter({ capacity: 1_000_000, maxCapacity: 1_000_000 });
    let size = 0;
    withMemoryOf(memoryBytes(), () => {
      const fillers = fill(ScalableCuckooFilter);
      const error = thrownBy(FilterFullError, () => filter.addMany(integers(1, 3_000_000)));
      expect(error.reason).toBe('full');
      size = filter.size;
      expect([error.added, filter.layers]).toEqual([size, 1]);
      for (const filler of fillers) filler.dispose();
    });
    expect(size).toBeGreaterThan(1_000_000);
    expect(filter.expectedFalsePositiveRate).toBeLessThan(0.001);
    filter.addMany(integers(1, 3_000_000).subarray(size));
    expect(filter.containsMany(integers(1, 3_000_000))).not.toContain(0);
    expect(filter.layers).toBe(2);
    filter.dispose();
  });
});

describe('onGrow and stats', () => {
  const options = { capacity: 100, bucketCount: 64, maxCapacity: 800 };

  test('tell of every layer and every doubling once, in the order of the layers', () => {
    const events: LayerGrowEvent[] = [];
    const filter = new ScalableCuckooFilter({ ...options, onGrow: (event) => events.push(event) });
    const first = filter.bucketCount;
    for (const key of integers(1, 5000)) filter.add(key);
    filter.addMany(integers(2, 20_000));
    expect(events.filter(({ layer }) => layer === 0)).toMatchObject([
      { oldBucketCount: first, newBucketCount: 2 * first },
      { oldBucketCount: 2 * first, newBucketCount: 4 * first },
    ]);
    const { layers, growths, kicks, size, full, tooManyCopies, currentCapacity, loadFactor } = filter.stats();
    expect(layers.length).toBe(filter.layers);
    for (const [layer, stats] of layers.entries()) {
      const own = events.filter((event) => event.layer === layer);
      if (layer > 0) {
        const begun = own.shift();
        expect(begun).toMatchObject({ oldBucketCount: 0, size: 0, pause: 0 });
        // Each begins where the one before ended.
        expect(begun?.newBucketCount).toBe(layers[layer - 1]?.bucketCount);
      }
      expect(stats.growths.map((event) => ({ ...event, layer }))).toEqual(own);
      if (layer < filter.layers - 1) expect(own.length).toBe(2);
    }
    expect(growths).toEqual(events.filter(({ oldBucketCount }) => oldBucketCount > 0));
    const sum = (of: (stats: (typeof layers)[number]) => number): number =>
      layers.reduce((all, stats) => all + of(stats), 0);
    expect(sum((stats) => stats.size)).toBe(size);
    expect(sum((stats) => stats.byteLength)).toBe(filter.byteLength);
    expect(sum((stats) => stats.bucketCount)).toBe(filter.bucketCount);
    expect(sum((stats) => stats.expectedFalsePositiveRate)).toBeCloseTo(filter.expectedFalsePositiveRate);
    expect(sum((stats) => stats.currentCapacity)).toBe(currentCapacity);
    expect(filter.currentCapacity).toBe(currentCapacity);
    expect(kicks.reduce((all, count) => all + count)).toBe(size);
    expect({ full, tooManyCopies, size, loadFactor }).toEqual({
      full: 0,
      tooManyCopies: 0,
      size: 25_000,
      loadFactor: filter.loadFactor,
    });
  });

  test('tell of a layer again that had been merged back', () => {
    const begun: number[] = [];
    const filter = new ScalableCuckooFilter({
      ...options,
      onGrow: ({ layer, oldBucketCount }) => void (oldBucketCount === 0 && begun.push(layer)),
    });
    const keys = integers(1, 3000);
    for (let turn = 1; turn <= 3; ++turn) {
      filter.addMany(keys);
      expect(begun).toEqual(Array(turn).fill(1));
      filter.deleteMany(keys);
      expect(filter.layers).toBe(1);
    }
  });

  test('may throw or use the filter, which is sound', () => {
    let calls = 0;
    const filter: ScalableCuckooFilter = new ScalableCuckooFilter({
      ...options,
      onGrow({ layer }) {
        filter.has('x');
        if (++calls === 2) throw new Error(`layer ${layer}`);
      },
    });
    expect(() => filter.addMany(integers(1, 2000))).toThrow('layer 0');
    expect(filter.containsMany(integers(1, 2000))).not.toContain(0);
    filter.add('x');
    expect(calls).toBe(1 + filter.stats().growths.length);
  });
});
