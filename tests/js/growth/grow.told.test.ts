// What filters tell of their work: stats, and the trace of a doubling.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, DisposedError } from 'cuckoofilter-wasm';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { integers } from '../support/integers';

describe('stats', () => {
  test('count kicks by powers of two, and what was refused', () => {
    const filter = new CuckooFilter({ capacity: 1000, bucketCount: 256, bucketSize: 4, fingerprintBits: 12 });
    expect(filter.stats()).toMatchObject({ size: 0, full: 0, tooManyCopies: 0, growths: [] });
    filter.addMany(integers(0, 500));
    const early = filter.stats();
    expect(early.kicks.reduce((sum, count) => sum + count)).toBe(500);
    expect(early.kicks[0]).toBeGreaterThan(400);
    let refused = 0;
    for (let i = 0; refused < 3; ++i) refused += Number(filter.tryAdd(`t${i}`) === 'full');
    for (let i = 0; i < 5; ++i) filter.addIfAbsent('t0');
    const { kicks, full, size, loadFactor, currentCapacity } = filter.stats();
    expect(kicks.length).toBe(17);
    expect(kicks.reduce((sum, count) => sum + count)).toBe(size);
    expect(kicks.slice(10)).toEqual(Array(7).fill(0));
    expect({ full, currentCapacity, loadFactor }).toEqual({
      full: 3,
      currentCapacity: filter.currentCapacity,
      loadFactor: filter.loadFactor,
    });
    expect(filter.clone().stats()).toMatchObject({ size, full: 0, kicks: Array(17).fill(0) });
  });

  test('agree with the kicks that the trace reports', () => {
    const filter = new Traced({ capacity: 1000, bucketCount: 256, bucketSize: 4, fingerprintBits: 12 }).trace(
      1,
    );
    for (let i = 0; i < 1000; ++i) filter.tryAdd(i);
    const counts = filter
      .takeEvents()
      .events.filter((event) => event.kind === 'end' && event.result === 'added')
      .map((event) => ('kicks' in event && event.kicks > 0 ? 1 + Math.floor(Math.log2(event.kicks)) : 0));
    const expected = Array.from({ length: 17 }, (_, i) => counts.filter((count) => count === i).length);
    expect(filter.stats().kicks).toEqual(expected);
  });

  test('of copies', () => {
    const filter = new CuckooFilter({ capacity: 100 });
    for (let i = 0; i < 12; ++i) filter.tryAdd('same');
    const { tooManyCopies, size, full } = filter.stats();
    expect(tooManyCopies).toBe(12 - size);
    expect(full).toBe(0);
  });
});

test('a trace tells a doubling as an operation of its own, with a reset', () => {
  const filter = new Traced({ capacity: 20, maxCapacity: 1000, bucketCount: 6 }).trace(2, 1 << 18);
  for (let key = 0; key < 200; ++key) filter.add(key);
  const { events } = filter.takeEvents();
  const grows = events.filter((event) => event.kind === 'reset');
  expect(grows.length).toBe(filter.stats().growths.length);
  expect(grows.every((event) => 'name' in event && event.name === 'grow')).toBe(true);
});

test('a trace tells where each entry of a table goes that doubles, or of none without room for all', () => {
  for (const semiSort of [false, true]) {
    const options = { capacity: 20, maxCapacity: 2000, bucketSize: 4, bucketCount: 6, semiSort } as const;
    const filter = new Traced(options).trace(2, 1 << 16);
    const tight = new Traced(options).trace(2, 24);
    let told = 0;
    for (let key = 0; key < 500; ++key) {
      const { bucketCount } = filter;
      filter.add(key);
      tight.add(key);
      const { events } = filter.takeEvents();
      expect(tight.takeEvents().events.filter(({ kind }) => kind === 'split').length).toBeLessThanOrEqual(24);
      const splits = events.filter((event) => event.kind === 'split');
      if (filter.bucketCount === bucketCount) {
        expect(splits).toEqual([]);
        continue;
      }
      told += splits.length;
      const grown = filter.slots();
      for (const { bucket, before, after, toBucket } of splits) {
        expect(Math.floor(toBucket / 2)).toBe(bucket);
        // The bit spent says which of the two it is.
        expect(toBucket % 2 === 0 ? before - after : Math.log2(before - after) % 1).toBe(0);
        expect([...grown.subarray(toBucket * 4, toBucket * 4 + 4)]).toContain(after);
      }
      expect(splits.map(({ after }) => after).sort()).toEqual([...grown].filter((each) => each !== 0).sort());
    }
    expect(told).toBeGreaterThan(100);
    filter.dispose();
    tight.dispose();
  }
});

test('onGrow may dispose of the filter: the call that grew it ends as ever, and the next one throws', () => {
  let isGone = false;
  const onGrow = (): void => {
    isGone = true;
    filter.dispose();
  };
  const filter = new CuckooFilter({ capacity: 10, maxCapacity: 1000, onGrow });
  for (let key = 0; !isGone; ++key) expect(filter.add(key)).toBe(filter);
  expect(() => filter.add('next')).toThrow(DisposedError);
});
