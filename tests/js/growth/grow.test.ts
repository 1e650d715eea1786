// Growth in place: what `maxCapacity` promises, at every stage, for filters saved, cloned and batched on the way.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, Deduper, FilterFullError, PackedKeys, type GrowEvent } from 'cuckoofilter-wasm';
import { audited } from 'cuckoofilter-wasm/audit';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { fill } from '../support/fill';
import { integers } from '../support/integers';
import { memoryBytes, withMemoryOf } from '../support/memory-spy';
import { claim, sameBytes, thrownBy, withSeed } from '../support/random';
import { SavedFilter } from '../support/reference/reader';

/** Filters that grow, in every storage and addressing. */
const SHAPES = [
  {},
  { falsePositiveRate: 0.03 },
  { falsePositiveRate: 1e-5 },
  { addressing: 'xor' },
  { semiSort: false, fingerprintBits: 9 },
  { bucketSize: 2 },
  { bucketSize: 8, fingerprintBits: 20 },
  { bucketSize: 3, falsePositiveRate: 0.01 },
  { bucketCount: 3, fingerprintBits: 12.25, semiSort: true },
  { hash: { algorithm: 'siphash-1-3', key: new Uint8Array(16) } },
] as const;

const most = 20_000;
const keys = integers(1, most);

describe.each(SHAPES)('a filter that grows, %j', (shape) => {
  const options = { capacity: 10, maxCapacity: most, ...shape };
  const hash = 'hash' in shape ? shape.hash : undefined;

  test('goes on from its saved bytes at any stage, and the reader written from the format reads them', () => {
    let filter = new CuckooFilter(options);
    const whole = new CuckooFilter(options);
    for (let n = 0; n < 3000; n += 250) {
      filter.addMany(keys.subarray(n, n + 250));
      whole.addMany(keys.subarray(n, n + 250));
      const saved = filter.serialize();
      const reader = new SavedFilter(saved, hash?.key);
      for (const key of keys.subarray(0, n + 250))
        claim(
          reader.countOfHash(reader.hashOf(new Uint8Array(BigUint64Array.of(key).buffer))) > 0,
          () => `${key}`,
        );
      for (let i = 0; i < 200; ++i)
        claim(reader.contains(Buffer.from(`no ${i}`)) === filter.has(`no ${i}`), () => `no ${i}`);
      filter = CuckooFilter.deserialize(saved, { hash });
      expect(filter).toMatchObject({
        maxCapacity: most,
        capacity: whole.currentCapacity,
        currentCapacity: whole.currentCapacity,
      });
      expect(filter.equals(whole)).toBe(true);
      expect(filter.clone().equals(whole)).toBe(true);
    }
  });

  test('is at last what a filter made for its largest capacity is', () => {
    const direct = CuckooFilter.plan({
      ...options,
      capacity: most,
      maxCapacity: undefined,
      bucketCount: undefined,
    });
    const plan = CuckooFilter.plan(options);
    expect(plan.maxCapacity).toBe(most);
    expect(plan.expectedFalsePositiveRate).toBeLessThanOrEqual(direct.expectedFalsePositiveRate);
    if (!('bucketCount' in shape)) {
      expect(plan.maxByteLength).toBeLessThan(1.01 * direct.byteLength);
      expect(plan.byteLength).toBeLessThan(plan.maxByteLength / 4);
    }
    const filter = CuckooFilter.from(keys, options);
    expect(filter).toMatchObject({ capacity: options.capacity, currentCapacity: most, maxCapacity: most });
    expect(filter.byteLength).toBe(plan.maxByteLength);
    expect(filter.bucketCount).toBe(plan.bucketCount * 2 ** plan.doublings);
    const { bucketCount, bucketSize, fingerprintBits, semiSorted } = filter;
    const sizes = { bucketCount, bucketSize, fingerprintBits, semiSort: semiSorted };
    const made = CuckooFilter.from(keys, { ...shape, ...sizes, capacity: most });
    expect(made.expectedFalsePositiveRate).toBe(filter.expectedFalsePositiveRate);
    expect(made.serialize().length).toBe(filter.serialize().length);
    const others = integers(2, 50_000);
    expect(sameBytes(made.containsMany(others), filter.containsMany(others))).toBe(true);
  });
});

describe('batches that grow in their middle', () => {
  const options = { capacity: 5, maxCapacity: 9000, falsePositiveRate: 0.05 };
  const texts = Array.from({ length: 9000 }, (_, i) => `key ${(i * 7919) % 8000}`);

  test('give the mask and the counts of one call per key', () => {
    const one = new CuckooFilter(options);
    const mask = Uint8Array.from(texts, (text) => Number(one.addIfAbsent(text)));
    const bytes = Buffer.from(texts.join(''));
    let end = 0;
    const packed = new PackedKeys(
      bytes,
      Uint32Array.from(texts, (text) => (end += text.length)),
    );
    for (const many of [
      texts,
      new Set(texts).size > 0 ? packed : [],
      { [Symbol.iterator]: () => texts.values() },
    ]) {
      const filter = new CuckooFilter(options);
      expect(sameBytes(filter.addManyIfAbsent(many), mask)).toBe(true);
      expect(filter.equals(one)).toBe(true);
    }
    const added = new CuckooFilter(options);
    expect(added.addMany(integers(0, 9000))).toBe(9000);
    expect(added.stats().growths.length).toBeGreaterThan(2);
  });

  test('stop where a key does not go in, with what was added', () => {
    const filter = new CuckooFilter(options);
    const copies = [...texts.slice(0, 500), ...Array<string>(20).fill('copy'), 'after'];
    const { added, reason } = thrownBy(FilterFullError, () => filter.addMany(copies));
    expect(reason).toBe('too-many-copies');
    expect(filter.size).toBe(added);
    expect(filter.count('copy')).toBe(added - 500);
  });
});

describe('sizes', () => {
  test('double with the table', () => {
    const filter = new CuckooFilter({ capacity: 900, maxCapacity: 64_000 });
    const plan = CuckooFilter.plan({ capacity: 900, maxCapacity: 64_000 });
    const given = { capacity: 900, maxCapacity: 64_000 };
    expect(filter).toMatchObject({ ...given, currentCapacity: 1000, byteLength: plan.byteLength });
    expect(plan).toMatchObject({ ...given, currentCapacity: 1000 });
    expect(plan.doublings).toBe(6);
    filter.addMany(integers(0, 1000));
    expect(filter.bucketCount).toBe(plan.bucketCount);
    filter.add('one more');
    expect(filter).toMatchObject({ ...given, currentCapacity: 2000, bucketCount: 2 * plan.bucketCount });
    expect(filter.byteLength).toBeLessThan(2 * plan.byteLength);
    expect(filter.bitsPerKey).toBeCloseTo((8 * filter.byteLength) / 1001);
    expect(filter.loadFactor).toBeCloseTo(1001 / (filter.bucketCount * filter.bucketSize));
  });

  test('without growth are as they were', () => {
    const filter = new CuckooFilter({ capacity: 1000 });
    expect(filter).toMatchObject({ capacity: 1000, currentCapacity: 1000, maxCapacity: 1000 });
    expect(CuckooFilter.plan({ capacity: 1000 })).toMatchObject({ doublings: 0, maxCapacity: 1000 });
    expect(filter.serialize()[9]).toBe(0);
  });

  test('stay when the filter is cleared', () => {
    const filter = CuckooFilter.from(keys, { capacity: 100, maxCapacity: most });
    const { byteLength } = filter;
    filter.clear();
    expect(filter).toMatchObject({ size: 0, byteLength, capacity: 100, currentCapacity: most });
  });

  test.each([
    [{ capacity: 10, maxCapacity: 9 }, /^maxCapacity /],
    [{ capacity: 10, maxCapacity: 2 ** 34 + 1 }, /^maxCapacity /],
    [{ capacity: 10, maxCapacity: 10.5 }, /^maxCapacity /],
    [{ capacity: 10, maxCapacity: -1 }, /^maxCapacity /],
    [{ capacity: 0, maxCapacity: 10 }, /^capacity /],
    [{ capacity: 1, maxCapacity: 1e6, bucketCount: 4, fingerprintBits: 31 }, /^maxCapacity /],
  ])('%j are a RangeError', (options, named) => {
    expect(thrownBy(RangeError, () => new CuckooFilter(options)).message).toMatch(named);
  });

  test.each(['5', null, 5n, {}])('%p as maxCapacity is a TypeError', (maxCapacity) => {
    expect(() => new CuckooFilter({ capacity: 1, maxCapacity: maxCapacity as never })).toThrow(TypeError);
  });
});

describe('without memory to double', () => {
  test('the table stays in use until it is full; with memory again it goes on', () => {
    const filter = new CuckooFilter({ capacity: 100_000, maxCapacity: 1_600_000 });
    const inside: bigint[] = [];
    withMemoryOf(memoryBytes(), () => {
      const fillers = fill(CuckooFilter);
      const error = thrownBy(FilterFullError, () => {
        for (let key = 0n; ; ++key) {
          filter.add(key);
          inside.push(key);
        }
      });
      expect(error.reason).toBe('full');
      expect(filter.stats()).toMatchObject({ growths: [], full: 1 });
      expect(filter.containsMany(inside)).not.toContain(0);
      for (const filler of fillers) filler.dispose();
    });
    expect(inside.length).toBeGreaterThan(100_000);
    filter.add(BigInt(inside.length));
    expect(filter.stats().growths.length).toBe(1);
    expect(filter.containsMany(inside)).not.toContain(0);
    filter.dispose();
  });
});

describe('onGrow', () => {
  const options = { capacity: 150, maxCapacity: 12_800 };

  test('is told every doubling once, in order, after the call that made it', () => {
    for (const Class of [CuckooFilter, Traced]) {
      const events: GrowEvent[] = [];
      const filter = new Class({ ...options, onGrow: (event) => events.push(event) });
      const { bucketCount: first, currentCapacity: room } = filter;
      for (const key of keys.subarray(0, 420)) filter.add(key);
      expect(events).toMatchObject([{ oldBucketCount: first, newBucketCount: 2 * first }]);
      for (const text of ['a', 'b']) filter.tryAdd(text);
      filter.addMany(keys.subarray(420, 2000));
      filter.addManyIfAbsent(keys.subarray(2000, 4000));
      for (const key of keys.subarray(4000, 12_000)) filter.addIfAbsent(key);
      expect(events.map(({ newBucketCount }) => newBucketCount / first)).toEqual(
        events.map((_, i) => 2 ** (i + 1)),
      );
      const { growths } = filter.stats();
      expect(growths).toEqual(events.map((event) => ({ ...event, pause: expect.any(Number) as unknown })));
      for (const [i, { size, pause }] of events.entries()) {
        expect(size).toBeGreaterThan(0.9 * room * 2 ** i);
        expect(size).toBeLessThan(1.01 * room * 2 ** i);
        expect(pause).toBeGreaterThanOrEqual(0);
        // Later calls moved the rest of the table, and one of them may have taken longer.
        expect(growths[i]?.pause).toBeGreaterThanOrEqual(pause);
      }
    }
  });

  test('may throw: the filter is sound, the keys are in, and the event is not told again', () => {
    let calls = 0;
    const filter = new CuckooFilter({
      ...options,
      onGrow() {
        ++calls;
        throw new Error('no');
      },
    });
    expect(() => filter.addMany(keys.subarray(0, 420))).toThrow('no');
    expect(filter.containsMany(keys.subarray(0, 420))).not.toContain(0);
    expect(filter.size).toBe(420);
    filter.add('another');
    expect(calls).toBe(1);
  });

  test('is told of doublings before the key at which a batch throws', () => {
    for (const [batch, kind] of [
      [[...keys.subarray(0, 1000), null], TypeError],
      [[...keys.subarray(0, 1000), ...new Array<number>(20).fill(5)], FilterFullError],
    ] as unknown as [number[], typeof Error][])
      for (const method of ['addMany', 'addManyIfAbsent'] as const) {
        if (kind !== TypeError && method === 'addManyIfAbsent') continue;
        const events: GrowEvent[] = [];
        const filter = new CuckooFilter({ ...options, onGrow: (event) => events.push(event) });
        expect(() => filter[method](batch)).toThrow(kind);
        expect(events.length).toBeGreaterThan(1);
        expect(filter.stats().growths).toEqual(events);
      }
  });

  test('may use the filter, and goes with an audit', () => {
    const filter: CuckooFilter = audited(
      new CuckooFilter({ ...options, onGrow: ({ size }) => void filter.add(`grown at ${size}`) }),
    );
    for (const key of keys.subarray(0, 3000)) filter.add(key);
    const { growths, size } = filter.stats();
    expect(size).toBe(3000 + growths.length);
    for (const growth of growths) expect(filter.has(`grown at ${growth.size}`)).toBe(true);
    expect(filter.containsMany(keys.subarray(0, 3000))).not.toContain(0);
  });

  test('is a function', () => {
    expect(() => new CuckooFilter({ ...options, onGrow: 5 as never })).toThrow(TypeError);
  });
});

test(
  'a Deduper grows as its filter does',
  withSeed(5, (random) => {
    const deduper = new Deduper({ capacity: 100, maxCapacity: 50_000, falsePositiveRate: 0.01 });
    const seen = new Set<number>();
    let dropped = 0;
    for (let i = 0; i < 80_000; ++i) {
      const key = random.below(45_000);
      const isNew = deduper.isNew(key);
      claim(!(isNew && seen.has(key)), () => `${key} was called new twice`);
      dropped += Number(!isNew && !seen.has(key));
      seen.add(key);
    }
    expect(deduper.filter.maxCapacity).toBe(50_000);
    expect(dropped / seen.size).toBeLessThan(
      1.3 * Deduper.plan({ capacity: 50_000, falsePositiveRate: 0.01 }).droppedShare,
    );
  }),
);
