// `shrink`: a table that has grown is halved, without loss.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, DisposedError, type GrowEvent } from 'cuckoofilter-wasm';
import { audited } from 'cuckoofilter-wasm/audit';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooFilter as Traced, type TraceEvent } from 'cuckoofilter-wasm/trace';
import { integers } from '../support/integers';
import { sameBytes } from '../support/random';

const SHAPES = [
  {},
  { addressing: 'xor' },
  { semiSort: false, fingerprintBits: 9 },
  { bucketSize: 8, fingerprintBits: 20 },
  { bucketCount: 40, fingerprintBits: 12.25, semiSort: true },
  { hash: { algorithm: 'siphash-1-3', key: new Uint8Array(16) } },
] as const;

describe.each(SHAPES)('a filter that has grown, %j', (shape) => {
  const options = { capacity: 100, maxCapacity: 20_000, ...shape };
  const kept = integers(1, 40);
  const deleted = integers(2, 19_000);
  const absent = integers(3, 50_000);

  test('is after deletes as small as it began, and holds what one that never grew does', () => {
    const filter = CuckooFilter.from(kept, options);
    const small = filter.clone();
    filter.addMany(deleted);
    expect(filter.shrink()).toBe(false);
    expect(filter.deleteMany(deleted)).toBe(deleted.length);
    let halvings = 0;
    for (; filter.shrink(); ++halvings) expect(filter.containsMany(kept)).not.toContain(0);
    expect(halvings).toBe(filter.stats().growthCount);
    const { bucketCount, byteLength, capacity, currentCapacity, maxCapacity, expectedFalsePositiveRate } =
      small;
    expect(filter).toMatchObject({ bucketCount, byteLength, capacity, currentCapacity, maxCapacity });
    expect(filter.expectedFalsePositiveRate).toBe(expectedFalsePositiveRate);
    expect(sameBytes(filter.containsMany(absent), small.containsMany(absent))).toBe(true);
    // It grows again, and every doubling is told with its sizes.
    filter.addMany(deleted);
    const { growths, growthCount } = filter.stats();
    expect(growthCount).toBe(2 * halvings);
    expect(growths.slice(halvings).map((each) => each.newBucketCount)).toEqual(
      growths.slice(0, halvings).map((each) => each.newBucketCount),
    );
  });

  test('has the bytes again that it had before it doubled', () => {
    const filter = new CuckooFilter(options);
    filter.addMany(integers(4, filter.currentCapacity));
    const { bucketCount } = filter;
    const before = filter.serialize();
    // A key that is stored without kicks, so that the others stay where they are.
    let key = 0;
    for (let copy = filter.clone(); copy.add(`key ${key}`).stats().kicks[0] === 0; copy = filter.clone())
      ++key;
    filter.add(`key ${key}`);
    expect(filter.bucketCount).toBe(2 * bucketCount);
    filter.delete(`key ${key}`);
    expect(filter.shrink()).toBe(true);
    expect(sameBytes(filter.serialize(), before)).toBe(true);
    expect(filter.shrink()).toBe(false);
  });
});

test('a filter that has grown as far as it can tells its sizes anew once it is halved', () => {
  const options = { capacity: 1000, maxCapacity: 8000 };
  const filter = new CuckooFilter(options);
  filter.addMany(integers(5, 7000));
  filter.clear();
  for (let left = CuckooFilter.plan(options).doublings; left > 0; --left) {
    const { bucketCount, byteLength, currentCapacity } = filter;
    expect(filter.shrink()).toBe(true);
    expect(filter.bucketCount).toBe(bucketCount / 2);
    expect(filter.byteLength).toBeLessThan(byteLength);
    expect(filter.currentCapacity).toBeLessThan(currentCapacity);
  }
});

test('a filter that never grew, or does not grow, stays as it is', () => {
  for (const options of [{ capacity: 1000 }, { capacity: 1000, maxCapacity: 100_000 }]) {
    const filter = CuckooFilter.from(['one'], options);
    const before = filter.serialize();
    expect(filter.shrink()).toBe(false);
    expect(sameBytes(filter.serialize(), before)).toBe(true);
  }
});

test('clones know what they began with; loaded filters may be halved while they may grow', () => {
  const filter = new CuckooFilter({ capacity: 1000, maxCapacity: 8000 });
  filter.addMany(integers(5, filter.currentCapacity + 1));
  const mid = filter.clone();
  filter.addMany(integers(6, 5000));
  expect(CuckooFilter.plan({ capacity: 1000, maxCapacity: 8000 }).doublings).toBe(2);
  for (const each of [filter, mid]) each.clear();
  const loaded = CuckooFilter.deserialize(mid.serialize());
  expect(loaded.shrink()).toBe(true);
  expect(mid.clone().shrink()).toBe(true);
  expect(filter.clone().shrink()).toBe(true);
  expect(CuckooFilter.deserialize(filter.serialize()).shrink()).toBe(false);
});

test('onGrow is told of every doubling, however often the table was halved', () => {
  const events: GrowEvent[] = [];
  const onGrow = (event: GrowEvent): void => void events.push(event);
  const filter = new CuckooFilter({ capacity: 1000, maxCapacity: 8000, onGrow });
  const { bucketCount, currentCapacity } = filter;
  const keys = integers(7, currentCapacity + 1);
  for (let turn = 0; turn < 40; ++turn) {
    filter.addMany(keys);
    filter.clear();
    expect(filter.shrink()).toBe(true);
  }
  expect(events.map(({ newBucketCount }) => newBucketCount)).toEqual(Array(40).fill(2 * bucketCount));
  const { growths, growthCount } = filter.stats();
  expect(growthCount).toBe(40);
  expect(growths).toEqual(events.slice(-30));
});

test('onGrow that throws is told of every doubling, by the call that doubled', () => {
  const told: (GrowEvent | undefined)[] = [];
  const onGrow = (event: GrowEvent): never => {
    told.push(event);
    throw new Error('mine');
  };
  const options = { capacity: 10, maxCapacity: 100_000 };
  const filter = new CuckooFilter({ ...options, onGrow });
  const source = new CuckooFilter(options);
  source.addMany(integers(7, 60_000));
  for (let turn = 0; turn < 6; ++turn) {
    expect(() => filter.merge(source)).toThrow('mine');
    filter.clear();
    while (filter.shrink());
  }
  const { growths, growthCount } = filter.stats();
  expect(told).toHaveLength(growthCount);
  expect(() => filter.add('a')).not.toThrow();
  expect(told).not.toContain(undefined);
  expect(growths).toContainEqual(told.at(-1));
});

test('an audited filter goes on with its account, and a disposed one throws', () => {
  const filter = audited(new CuckooFilter({ capacity: 100, maxCapacity: 10_000 }));
  filter.addMany(integers(9, 5000));
  filter.deleteMany(integers(9, 5000).subarray(50));
  while (filter.shrink());
  for (const key of integers(9, 50)) expect(filter.delete(key)).toBe(true);
  filter.dispose();
  expect(() => filter.shrink()).toThrow(DisposedError);
});

test('the trace tells it as a reset', () => {
  const filter = new Traced({ capacity: 20, maxCapacity: 1000 });
  filter.addMany(integers(10, filter.currentCapacity + 1));
  filter.clear();
  const events: TraceEvent[] = [];
  filter.trace((told) => events.push(...told));
  expect(filter.shrink()).toBe(true);
  expect(events).toMatchObject([
    { kind: 'begin', name: 'shrink', size: 0 },
    { kind: 'reset', name: 'shrink' },
    { kind: 'end', name: 'shrink', result: true, size: 0 },
  ]);
  expect(filter.slots()).toHaveLength(filter.bucketCount * filter.bucketSize);
});

describe('a scalable filter', () => {
  test('gives memory back as keys are deleted', () => {
    const filter = new ScalableCuckooFilter({ capacity: 1000 });
    const keys = integers(11, 100_000);
    const { byteLength } = filter;
    filter.addMany(keys);
    const largest = filter.byteLength;
    expect(filter.deleteMany(keys.subarray(20_000))).toBe(80_000);
    expect(filter.containsMany(keys.subarray(0, 20_000))).not.toContain(0);
    expect(filter.byteLength).toBeLessThan(largest / 2);
    expect(filter.deleteMany(keys.subarray(0, 20_000))).toBe(20_000);
    expect(filter.byteLength).toBe(byteLength);
    expect(filter.shrink()).toBe(false);
  });

  test('tells each doubling of a layer once', () => {
    let told = 0;
    const filter = new ScalableCuckooFilter({ capacity: 1000, onGrow: () => void ++told });
    const keys = integers(12, 9000);
    for (let turn = 0; turn < 12; ++turn) {
      filter.addMany(keys);
      filter.deleteMany(keys);
    }
    expect(told).toBe(filter.stats().growthCount);
    expect(told).toBeGreaterThan(30);
  });
});
