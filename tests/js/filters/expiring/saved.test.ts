// ExpiringFilter as bytes and as a copy, while it grows and with a clock; and what cannot be merged. The model that is saved and
// merged, for every shape and window: tests/cpp/filters/expiring_model_test.cpp.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { ExpiringFilter, FilterFullError } from 'cuckoofilter-wasm/expiring';
import { integers } from '../../support/integers';
import { thrownBy } from '../../support/random';

describe('a filter that grows', () => {
  test.each([1, 2, 24, 256])('takes its largest capacity with %i periods, and is told', (periods) => {
    const doublings: number[] = [];
    const filter = new ExpiringFilter({
      capacity: 100,
      maxCapacity: 20_000,
      periods,
      onGrow: ({ newBucketCount }) => doublings.push(newBucketCount),
    });
    for (let period = 0; period < periods; ++period) {
      if (period > 0) filter.advance();
      filter.areNew(integers(period, Math.floor(20_000 / periods)));
    }
    expect(doublings.length).toBeGreaterThan(4);
    expect([filter.maxCapacity, filter.bucketCount]).toEqual([20_000, doublings.at(-1)]);
    expect(filter.stats().growths).toHaveLength(doublings.length);
    for (let period = 0; period < periods; ++period) {
      expect(filter.haveSeen(integers(period, Math.floor(20_000 / periods)))).not.toContain(0);
      if (period < 20) {
        const copy = ExpiringFilter.deserialize(filter.serialize());
        expect(copy.advance()).toBe(filter.advance());
        expect(copy.size).toBe(filter.size);
      } else filter.advance();
    }
    expect(filter.size).toBe(0);
    expect(filter.expectedFalsePositiveRate).toBe(0);
  });
});

describe('a saved filter', () => {
  const clock = { time: 5_000_000 };
  const timed = { every: '1 s', now: () => clock.time };
  const make = (): ExpiringFilter => {
    const filter = new ExpiringFilter({ capacity: 100, periods: 3, ...timed });
    filter.isNew('a');
    return filter;
  };

  test('catches up with the time that has passed since', () => {
    const saved = make().serialize();
    for (const [seconds, isSeen] of [
      [0, true],
      [2, true],
      [3, false],
      [1e9, false],
      [-1000, true],
    ] as const) {
      clock.time = 5_000_000 + seconds * 1000;
      const loaded = ExpiringFilter.deserialize(saved, timed);
      expect([seconds, loaded.hasSeen('a')]).toEqual([seconds, isSeen]);
      const { remembersSince } = loaded;
      expect(remembersSince).toBe(Math.max(5_000_000, clock.time) - 2000);
      expect(loaded.clone().remembersSince).toBe(remembersSince);
    }
    clock.time = 5_000_000;
    expect(ExpiringFilter.deserialize(saved, timed).serialize()).toEqual(saved);
  });

  test('without a clock takes the one it is loaded with, and the reverse', () => {
    const filter = new ExpiringFilter({ capacity: 100, periods: 3 });
    filter.isNew('a');
    const loaded = ExpiringFilter.deserialize(filter.serialize(), timed);
    expect([loaded.hasSeen('a'), loaded.remembersSince]).toEqual([true, clock.time - 2000]);
    const stopped = ExpiringFilter.deserialize(make().serialize());
    expect([stopped.advance(), stopped.advance(), stopped.advance(), stopped.remembersSince]).toEqual([
      0,
      0,
      1,
      undefined,
    ]);
  });

  test('keeps how far back it remembers, under a secret key as well', () => {
    const hash = { algorithm: 'siphash-1-3', key: new Uint8Array(16) } as const;
    const filter = new ExpiringFilter({ capacity: 60, periods: 3, whenFull: 'forget-oldest', hash });
    filter.areNew(integers(0, 30));
    filter.advance();
    filter.areNew(integers(1, 60));
    expect(filter.remembers).toBe(1);
    const saved = filter.serialize();
    const loaded = ExpiringFilter.deserialize(saved, { hash, whenFull: 'forget-oldest' });
    expect([loaded.remembers, loaded.size]).toEqual([1, filter.size]);
    loaded.advance();
    expect([loaded.remembers, loaded.areNew(integers(2, 60)).length]).toEqual([2, 60]);
    expect(() => ExpiringFilter.deserialize(saved)).toThrow(/: it has a secret key\. Pass options\.hash$/);
    expect(() => ExpiringFilter.deserialize(saved, { hash, maxBytes: 5 })).toThrow(
      /: the table is larger than maxBytes \(5\)\. If you trust the source, raise it$/,
    );
  });

  test.each([0, 3, 60_000])('goes by the clock where that said %i when it was saved', (saidAt) => {
    let time = saidAt;
    const clock = { every: 60_000, now: () => time };
    const filter = new ExpiringFilter({ capacity: 100, periods: 2, ...clock });
    filter.isNew('alice');
    const saved = filter.serialize();
    const load = () => ExpiringFilter.deserialize(saved, clock);
    expect([load().serialize(), load().remembersSince]).toEqual([saved, filter.remembersSince]);
    time += 60_000;
    expect(load().hasSeen('alice')).toBe(true);
    time += 60_000;
    expect(load().hasSeen('alice')).toBe(false);
    const unclocked = new ExpiringFilter({ capacity: 100, periods: 2 });
    unclocked.isNew('alice');
    expect(ExpiringFilter.deserialize(unclocked.serialize(), clock).hasSeen('alice')).toBe(true);
  });
});

describe('filters that cannot be merged say why', () => {
  const base = { capacity: 100, periods: 3 };
  const clock = { every: '1 s', now: (): number => 5000 };
  test.each([
    [{ ...base, periods: 4 }, base, /^cannot merge: periods is 4 here, 3 there\. Make both/],
    [{ ...base, seed: 1 }, base, /^cannot merge: seed is 1 here, 0 there/],
    [{ ...base, capacity: 1000 }, base, /^cannot merge: capacity is 1000 here, 100 there/],
    [
      { ...base, ...clock },
      { ...base, ...clock, now: (): number => 6000 },
      /same every, and with clocks that agree$/,
    ],
    [{ ...base, ...clock }, base, /^cannot merge: only one has the option every\. Make both/],
    [base, { ...base, ...clock }, /^cannot merge: only one has the option every\. Make both/],
    // Periods of both begin at 5000.
    [
      { ...base, ...clock, every: '5 s' },
      { ...base, ...clock },
      /^cannot merge: every is 5000 here, 1000 there/,
    ],
    [
      { ...base, ...clock },
      { ...base, ...clock, every: 500 },
      /^cannot merge: every is 1000 here, 500 there/,
    ],
  ] as const)('%j and %j', (mine, others, message) => {
    const [one, other] = [new ExpiringFilter(mine), new ExpiringFilter(others)];
    one.isNew('a');
    expect(thrownBy(RangeError, () => one.merge(other)).message).toMatch(message);
    expect([one.size, one.hasSeen('a')]).toEqual([1, true]);
  });

  test.each([1, 3, 256])('such as that one is all %i periods behind, without a clock', (periods) => {
    const [one, other] = [new ExpiringFilter({ ...base, periods }), new ExpiringFilter({ ...base, periods })];
    other.isNew('a');
    for (let turn = 0; turn < periods; ++turn) one.advance();
    const loaded = ExpiringFilter.deserialize(one.serialize());
    for (const ahead of [one, loaded])
      expect(() => ahead.merge(other)).toThrow('Call advance() on the one behind');
    for (let turn = 0; turn < periods; ++turn) other.advance();
    for (const ahead of [one, loaded]) expect(ahead.merge(other).hasSeen('a')).toBe(false);
  });

  test('and those that are no expiring filters, or too full', () => {
    const [one, other] = [new ExpiringFilter(base), new ExpiringFilter(base)];
    expect(() => one.merge(new CuckooFilter({ capacity: 10 }) as never)).toThrow(
      'other must be an ExpiringFilter, got a CuckooFilter',
    );
    one.advance();
    expect(() => one.merge(other)).toThrow('Call advance() on the one behind');
    other.advance();
    one.areNew(integers(0, 100));
    other.areNew(integers(1, 100));
    const saved = one.serialize();
    expect(thrownBy(FilterFullError, () => one.merge(other)).message).toMatch(/^cannot merge 100 more keys/);
    expect(one.serialize()).toEqual(saved);
  });
});
