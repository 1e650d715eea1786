// The deduper beside a Set: what was seen is never new, what is new is wrongly dropped as rarely as the plan says.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, Deduper, DisposedError, FilterFullError, FormatError } from 'cuckoofilter-wasm';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';
import { integers } from '../support/integers';
import { runs as times } from '../support/long';
import { claim, Random, thrownBy, withSeed } from '../support/random';

/** Of `count` distinct keys, how many a deduper calls seen, in each of `runs` dedupers with a seed of its own. */
function dropped(options: ConstructorParameters<typeof Deduper>[0], count: number, runs: number): number {
  let total = 0;
  for (let run = 0; run < runs; ++run) {
    using deduper = new Deduper({ ...options, seed: run } as typeof options);
    total += deduper.areNew(integers(run, count)).reduce((sum, isNew) => sum + 1 - isNew, 0);
  }
  return total;
}

test(
  'a key that was seen is never new, and what it calls new is new',
  withSeed(3, (random) => {
    using deduper = new Deduper({ capacity: 6000, falsePositiveRate: 0.02 });
    const seen = new Set<number>();
    for (let i = 0; i < 20_000; ++i) {
      const key = random.below(6000);
      const wasSeen = seen.has(key);
      claim(!wasSeen || deduper.hasSeen(key), () => `${key} was forgotten`);
      claim(!(deduper.isNew(key) && wasSeen), () => `${key} was called new again`);
      seen.add(key);
    }
    expect(deduper.size).toBeLessThanOrEqual(seen.size);
  }),
);

test('a shared filter may be inside: only one of two threads, or of two dedupers, is told that a key is new', () => {
  const shared = new SharedCuckooFilter({ capacity: 1000 });
  using one = new Deduper(shared);
  using other = new Deduper(SharedCuckooFilter.attach(shared.share()));
  expect([one.isNew('a'), other.isNew('a'), other.isNew('b'), one.hasSeen('b')]).toEqual([
    true,
    false,
    true,
    true,
  ]);
  expect([...one.areNew(['b', 'c'])]).toEqual([0, 1]);
  expect([one.size, other.size, one.droppedShare]).toEqual([3, 3, expect.any(Number)]);
  expect(Deduper.deserialize(one.serialize()).hasSeen('c')).toBe(true);
  expect(() => one.merge(new Deduper({ capacity: 1000 }))).toThrow(/SharedCuckooFilter cannot be merged/);
});

test(
  'a batch gives what one call a key gives',
  withSeed(4, (random) => {
    using one = new Deduper({ capacity: 3000, falsePositiveRate: 0.1 });
    using other = new Deduper({ capacity: 3000, falsePositiveRate: 0.1 });
    const keys = Array.from({ length: 9000 }, () => `key ${random.below(3000)}`);
    expect(Array.from(one.areNew(keys))).toEqual(keys.map((key) => Number(other.isNew(key))));
    expect(Buffer.compare(one.serialize(), other.serialize())).toBe(0);
  }),
);

describe('the share of new keys that is dropped', () => {
  // 5 standard deviations of a sum of independent events, and the integers that a run can be off by.
  const bound = (expected: number, runs: number): number => 5 * Math.sqrt(expected) + runs / 100;

  test.each([
    [{ capacity: 100_000, falsePositiveRate: 0.01 }, times(5, 20)],
    [{ capacity: 200_000, falsePositiveRate: 0.001 }, times(5, 20)],
    [{ capacity: 20_000, falsePositiveRate: 0.2 }, 20],
    [{ capacity: 3000, falsePositiveRate: 0.6 }, 200],
    [{ capacity: 50, falsePositiveRate: 0.05 }, times(1000, 4000)],
    [{ capacity: 4000, fingerprintBits: 8, bucketSize: 8 }, 100],
    [{ capacity: 10, falsePositiveRate: 0.1 }, times(4000, 20_000)],
    [{ capacity: 3, falsePositiveRate: 0.3 }, times(4000, 20_000)],
  ])('over the capacity of %j is as planned', (options, runs) => {
    const { droppedShare, expectedFalsePositiveRate: falsePositiveRate, capacity } = Deduper.plan(options);
    const expected = droppedShare * capacity * runs;
    const measured = dropped(options, capacity, runs);
    expect(Math.abs(measured - expected)).toBeLessThan(bound(expected, runs));
    expect(droppedShare / falsePositiveRate).toBeGreaterThan((0.5 * (capacity - 1)) / capacity);
    expect(droppedShare / falsePositiveRate).toBeLessThan(0.6);
  });

  test('so far is told by the deduper at any fill', () => {
    const options = { capacity: 60_000, falsePositiveRate: 0.3 };
    for (const count of [10_000, 30_000, 60_000]) {
      using deduper = new Deduper(options);
      deduper.areNew(integers(1, count));
      const expected = deduper.droppedShare * count;
      expect(Math.abs(count - deduper.size - expected)).toBeLessThan(bound(expected, 1));
    }
  });

  test.each([3, 8, 20])('so far, of %i keys, is the share of those offered that did not go in', (count) => {
    using deduper = new Deduper({ capacity: 20, falsePositiveRate: 0.3 });
    deduper.areNew(integers(1, count));
    const { size, filter, droppedShare } = deduper;
    const { expectedFalsePositiveRate: falsePositiveRate } = filter;
    // A key that went in matches another with probability q. See droppedShareOf in deduper.ts.
    const q = falsePositiveRate / size;
    const offered = Math.log(1 - size * q) / Math.log(1 - q);
    expect(droppedShare).toBeCloseTo(1 - size / offered, 9);
  });

  test('is 0 before the first key', () => {
    expect(new Deduper({ capacity: 10 }).droppedShare).toBe(0);
  });

  test('is about half the rate, also for rates close to 0', () => {
    for (const capacity of [1_000_000, 1000, 3, 1]) {
      const { droppedShare, expectedFalsePositiveRate: falsePositiveRate } = Deduper.plan({
        capacity,
        fingerprintBits: 32,
      });
      expect(droppedShare / falsePositiveRate).toBeCloseTo((capacity - 1) / (2 * capacity), 5);
    }
  });

  test.each([
    [{ capacity: 1, falsePositiveRate: 0.5 }],
    [{ capacity: 2, falsePositiveRate: 0.5 }],
    [{ capacity: 10, falsePositiveRate: 0.5 }],
    [{ capacity: 8, bucketCount: 1, bucketSize: 8, fingerprintBits: 3 }],
    [{ capacity: 100, falsePositiveRate: 0.01 }],
    [{ capacity: 1000, falsePositiveRate: 1e-8 }],
    [{ capacity: 2, falsePositiveRate: 9e-6 }],
    [{ capacity: 100, maxCapacity: 20_000, falsePositiveRate: 0.02 }],
  ])('of %j is the sum over the keys one by one', (options) => {
    const {
      droppedShare,
      expectedFalsePositiveRate: falsePositiveRate,
      maxCapacity: n,
    } = Deduper.plan(options);
    let sum = 0;
    for (let i = 0; i < n; ++i) sum += -Math.expm1((i / n) * Math.log1p(-falsePositiveRate));
    expect(Math.abs(droppedShare - sum / n)).toBeLessThanOrEqual(1e-9 * droppedShare);
  });

  test('so far is a share also where every fingerprint is there, so that no key is new any more', () => {
    using deduper = new Deduper({ capacity: 3, bucketCount: 1, bucketSize: 3, fingerprintBits: 2 });
    deduper.areNew(integers(1, 50));
    expect([deduper.size, deduper.filter.expectedFalsePositiveRate]).toEqual([3, 1]);
    expect(deduper.droppedShare).toBeGreaterThan(0.9);
    expect(deduper.droppedShare).toBeLessThan(1);
  });

  test('of one key is 0', () => {
    using deduper = new Deduper({ capacity: 1, falsePositiveRate: 0.9 });
    deduper.isNew('a');
    expect([deduper.droppedShare, Deduper.plan({ capacity: 1 }).droppedShare]).toEqual([0, 0]);
  });

  test('so far is told around layers', () => {
    const options = { capacity: 100, maxCapacity: 400, falsePositiveRate: 0.2 };
    for (const count of [300, 3000, 30_000]) {
      let expected = 0;
      let measured = 0;
      for (let seed = 0; seed < 600_000 / count; ++seed) {
        using deduper = new Deduper(new ScalableCuckooFilter({ ...options, seed }));
        deduper.areNew(integers(seed, count));
        expected += deduper.droppedShare * count;
        measured += count - deduper.size;
      }
      expect(Math.abs(measured / expected - 1)).toBeLessThan(0.03);
    }
  });
});

test('a plan is that of the filter inside, and the share', () => {
  const options = { capacity: 1000, falsePositiveRate: 0.01, seed: 5n };
  const { droppedShare, ...sizes } = Deduper.plan(options);
  expect(sizes).toEqual(CuckooFilter.plan(options));
  using deduper = new Deduper(options);
  const { filter } = deduper;
  expect([deduper.capacity, filter.byteLength, deduper.size, filter.expectedFalsePositiveRate]).toEqual([
    1000,
    sizes.byteLength,
    0,
    0,
  ]);
  expect(droppedShare).toBeGreaterThan(0);
});

test('a full deduper refuses new keys, changes nothing by that, and still knows the old ones', () => {
  using deduper = new Deduper({ capacity: 10 });
  const random = new Random(1);
  const error = thrownBy(FilterFullError, () => {
    for (;;) deduper.isNew(random.bits64());
  });
  expect(error.reason).toBe('full');
  expect(deduper.size).toBeGreaterThanOrEqual(10);
  const again = new Random(1);
  expect(Array.from({ length: deduper.size }, () => deduper.isNew(again.bits64()))).not.toContain(true);
});

test('saved and loaded it has seen what it had seen, and takes the bytes of a filter', () => {
  using deduper = new Deduper({ capacity: 100 });
  deduper.areNew(['a', 'b']);
  using loaded = Deduper.deserialize(deduper.serialize());
  expect(Array.from(loaded.areNew(['a', 'b', 'c']))).toEqual([0, 0, 1]);
  using fromFilter = Deduper.deserialize(CuckooFilter.from(['x']).serialize());
  expect(fromFilter.isNew('x')).toBe(false);
  for (const bytes of [new Uint8Array(3), deduper.serialize().slice(0, -1)])
    expect(thrownBy(FormatError, () => Deduper.deserialize(bytes))).toEqual(
      thrownBy(FormatError, () => CuckooFilter.deserialize(bytes)),
    );
  expect(thrownBy(FormatError, () => Deduper.deserialize(new Uint8Array(3))).code).toBe('not-a-filter');
  expect(thrownBy(FormatError, () => Deduper.deserialize(deduper.serialize(), { maxBytes: 1 })).code).toBe(
    'too-large',
  );
});

test('around a filter it has seen the keys of that', () => {
  using deduper = new Deduper(CuckooFilter.from(['a'], { capacity: 10 }));
  expect([deduper.isNew('a'), deduper.isNew('b')]).toEqual([false, true]);
});

test('it forgets all at once, and is disposed of as filters are', () => {
  const deduper = new Deduper({ capacity: 10 });
  deduper.isNew('a');
  deduper.clear();
  expect(deduper.isNew('a')).toBe(true);
  deduper[Symbol.dispose]();
  deduper.dispose();
  expect(() => deduper.isNew('a')).toThrow(DisposedError);
});

test('what is no option and what is no key is refused', () => {
  expect(() => new Deduper({ capacity: 0 })).toThrow(RangeError);
  expect(() => new Deduper(null as never)).toThrow(TypeError);
  using deduper = new Deduper({ capacity: 10 });
  expect(() => deduper.isNew(1.5)).toThrow(TypeError);
  expect(() => deduper.areNew(['a', null as never])).toThrow('key 1');
  expect([deduper.size, deduper.hasSeen('a')]).toEqual([1, true]);
});

test('its expected share and its class name survive the bundle', () => {
  expect(Deduper.name).toBe('Deduper');
});
