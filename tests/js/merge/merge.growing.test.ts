// Merging filters that grow, and beside the audit and the trace.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, FilterFullError, type CuckooFilterOptions } from 'cuckoofilter-wasm';
import { audited, AuditError } from 'cuckoofilter-wasm/audit';
import {
  CuckooFilter as Traced,
  FilterFullError as TracedFull,
  type TraceEvent,
} from 'cuckoofilter-wasm/trace';
import { integers } from '../support/integers';
import { memoryBytes } from '../support/memory-spy';
import { sameBytes, thrownBy } from '../support/random';
import { refusal } from './refusal';

describe('filters that grow, merged', () => {
  const options = { capacity: 100, maxCapacity: 12_800, falsePositiveRate: 0.01 };
  const filled = (row: number, count: number, more: Partial<CuckooFilterOptions> = {}): CuckooFilter =>
    CuckooFilter.from(integers(row, count), { ...options, ...more });

  test.each([
    [50, 60],
    [100, 3000],
    [3000, 100],
    [3000, 3000],
    [1, 12_000],
    [12_000, 1],
    [6400, 6400],
  ])('at any stages, %i keys and %i, hold all keys, as often as both did', (own, others) => {
    const [one, other] = [filled(1, own), filled(2, others)];
    const source = other.serialize();
    const sets = one.clone();
    one.merge(other);
    expect(sameBytes(other.serialize(), source)).toBe(true);
    expect(one.size).toBe(own + others);
    expect(one.maxCapacity).toBe(12_800);
    expect(one.expectedFalsePositiveRate).toBeLessThanOrEqual(0.01);
    expect(one.containsMany(integers(1, own))).not.toContain(0);
    expect(one.containsMany(integers(2, others))).not.toContain(0);
    expect(CuckooFilter.deserialize(one.serialize()).equals(one)).toBe(true);
    sets.mergeIfAbsent(other);
    expect(sets.containsMany(integers(2, others))).not.toContain(0);
    expect(sets.size).toBeLessThanOrEqual(own + others);
    expect(one.deleteMany(integers(2, others))).toBe(others);
    expect(one.containsMany(integers(1, own))).not.toContain(0);
    expect(one.deleteMany(integers(1, own))).toBe(own);
    expect(one.size).toBe(0);
  });

  test('that began at different sizes are at last one', () => {
    const small = filled(1, 3000);
    const { bucketCount, bucketSize, fingerprintBits, semiSorted: semiSort } = new CuckooFilter(options);
    const sizes = { bucketCount: 4 * bucketCount, bucketSize, fingerprintBits, semiSort };
    const large = filled(2, 3000, { capacity: 400, ...sizes });
    expect(large.stats().growths.length).toBeLessThan(small.stats().growths.length);
    const union = small.clone().merge(large);
    expect(union.equals(large.clone().merge(small))).toBe(false);
    for (const each of [union, large.merge(small)])
      expect([each.size, each.deleteMany(integers(1, 3000)), each.deleteMany(integers(2, 3000))]).toEqual([
        6000, 3000, 3000,
      ]);
  });

  test('tell onGrow of every doubling once, and count it', () => {
    const events: number[] = [];
    for (const method of ['merge', 'mergeIfAbsent'] as const) {
      events.length = 0;
      const filter = new CuckooFilter({
        ...options,
        onGrow: ({ newBucketCount }) => events.push(newBucketCount),
      });
      const first = filter.bucketCount;
      filter.addMany(integers(1, 250));
      const before = filter.stats();
      filter[method](filled(2, 5000));
      const stats = filter.stats();
      expect(events).toEqual(events.map((_, i) => first * 2 ** (i + 1)));
      expect(stats.growths.map(({ newBucketCount }) => newBucketCount)).toEqual(events);
      expect(stats.growths.slice(0, before.growths.length)).toEqual(before.growths);
      expect(stats.growths.length).toBeGreaterThan(before.growths.length + 2);
      expect(stats.kicks.reduce((sum, count) => sum + count)).toBe(filter.size);
      // What is refused grows nothing, although its copy did.
      const copies = new CuckooFilter({ ...options, seed: 1 });
      refusal(RangeError, [filter], () => filter[method](copies));
      expect([filter.stats().growths.length, events.length]).toEqual([events.length, stats.growths.length]);
    }
  });

  test('that do not fit are refused, as they were, and nobody is told of a doubling', () => {
    let told = 0;
    const filter = filled(1, 100, { onGrow: () => ++told });
    filter.addMany(Array<string>(7).fill('same'));
    const other = filled(2, 5000).add('same').add('same').add('same');
    const stats = filter.stats();
    told = 0;
    expect(refusal(FilterFullError, [filter, other], () => filter.merge(other)).reason).toBe(
      'too-many-copies',
    );
    expect([told, filter.stats()]).toEqual([0, stats]);
    const full = filled(3, 12_800);
    expect(refusal(FilterFullError, [full, other], () => full.merge(other)).reason).toBe('full');
  });

  test.each([
    [
      { maxCapacity: 25_600 },
      'cannot merge: maxCapacity is 12800 here, 25600 there. Make both with the same options',
    ],
    [
      { maxCapacity: undefined },
      'cannot merge: maxCapacity is 12800 here, 100 there. Make both with the same options',
    ],
    [{ bucketCount: 30, fingerprintBits: 11 }, /^cannot merge: final bucketCount is \d+ here, \d+ there\. /],
  ] as [Partial<CuckooFilterOptions>, string | RegExp][])('refuse one with %j', (change, message) => {
    const sizes = { bucketSize: 4, semiSort: true, fingerprintBits: 11 };
    const [one, other] = [filled(1, 50, sizes), filled(2, 50, { ...sizes, ...change })];
    const text = refusal(RangeError, [one, other], () => one.merge(other)).message;
    if (typeof message === 'string') expect(text).toBe(message);
    else expect(text).toMatch(message);
    // Also once it has grown all it can.
    one.addMany(integers(3, 12_700));
    expect(refusal(RangeError, [one, other], () => one.merge(other)).message).toMatch(
      /^cannot merge: (capacity|maxCapacity|final bucketCount|bucketCount) is /,
    );
  });
});

test('filters that began with other sizes are told what to make alike', () => {
  const options = { capacity: 100, maxCapacity: 10_000 };
  for (const [change, told] of [
    [{ falsePositiveRate: 0.01 }, 'capacity or falsePositiveRate'],
    [{ maxCapacity: 100 }, 'falsePositiveRate'],
  ] as const) {
    const { message } = thrownBy(RangeError, () =>
      new CuckooFilter({ ...options, ...change }).merge(
        new CuckooFilter({ ...options, ...change, falsePositiveRate: 1e-6 }),
      ),
    );
    expect(message).toMatch(/^cannot merge: .* here, .* there\. Make both with the same options/);
    expect(message).toMatch(new RegExp(` \\(probably ${told} differs\\)$`));
  }
});

test('a merge from another memory leaves no copy behind', () => {
  const options = { capacity: 500_000 };
  const [filter, traced] = [new CuckooFilter(options), new Traced(options).add('a')];
  filter.merge(traced);
  const before = memoryBytes();
  for (let round = 0; round < 20; ++round) {
    filter.clear();
    filter.merge(traced);
  }
  expect([memoryBytes() - before, filter.has('a')]).toEqual([0, true]);
});

describe('a merge under audit', () => {
  const options = { capacity: 100, fingerprintBits: 32 };
  const filter = (...keys: string[]): CuckooFilter => {
    const made = audited(new CuckooFilter(options));
    made.addMany(keys);
    return made;
  };

  test('that does not fit changes nothing of its account', () => {
    const one = filter('a');
    const many = filter(...Array.from({ length: 100 }, (_, i) => `${i}`));
    one.addMany(Array.from({ length: 90 }, (_, i) => `b${i}`));
    refusal(FilterFullError, [one, many], () => one.merge(many));
    expect(thrownBy(AuditError, () => one.delete('1')).code).toBe('false-delete');
    expect(one.delete('a')).toBe(true);
  });
});

describe('a merge in the trace build', () => {
  const options = { capacity: 20, bucketCount: 8, bucketSize: 4, fingerprintBits: 8 };

  test('is told as one change of the table, and not at all where it fails; a plain filter becomes the same', () => {
    const told: TraceEvent[] = [];
    const traced = new Traced({ ...options, semiSort: false });
    const plain = new CuckooFilter({ ...options, semiSort: false });
    traced.addMany(integers(0, 12));
    plain.addMany(integers(0, 12));
    traced.trace((events, lost) => void (expect(lost).toBe(false), told.push(...events)));
    traced.merge(traced);
    plain.merge(plain);
    expect(told).toMatchObject([
      { kind: 'begin', name: 'merge', size: 12 },
      { kind: 'reset', name: 'merge' },
      { kind: 'end', name: 'merge', result: true, size: 24 },
    ]);
    expect(sameBytes(traced.serialize(), plain.serialize())).toBe(true);
    told.length = 0;
    refusal(TracedFull, [traced], () => traced.merge(traced));
    expect(told).toEqual([]);
    traced.mergeIfAbsent(traced);
    expect(told.map(({ kind }) => kind)).toEqual(['begin', 'reset', 'end']);
  });
});
