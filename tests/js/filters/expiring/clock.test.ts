// ExpiringFilter with a clock: against the exact model while time passes, jumps and goes back; what it says of how far back
// it remembers; and the options.
import { describe, expect, test } from '@jest/globals';
import {
  DisposedError,
  ExpiringFilter,
  FilterFullError,
  type ExpiringFilterOptions,
} from 'cuckoofilter-wasm/expiring';
import { CLOCK_OPTIONS, clockOf } from '../../../../js/src/filters/expiring/clock';
import { checkOption } from '../../../../js/src/options/rules';
import { integers } from '../../support/integers';
import { claim, thrownBy, withSeed, type Random } from '../../support/random';
import { noFunction } from '../../api/ruled';

/** The milliseconds of the option `every`, checked as it is where it is read. */
function everyOf(every: string): number {
  checkOption('every', every, CLOCK_OPTIONS.every);
  return clockOf(every, () => 0)?.every ?? 0;
}

const MINUTE = 60_000;

/** A filter with a clock that the test sets. */
function clocked(options: Partial<ExpiringFilterOptions> = {}) {
  const clock = { time: 1_700_000_000_000 };
  const rest = { capacity: 1000, periods: 4, falsePositiveRate: 1e-6, every: '10 min', ...options };
  return { clock, filter: new ExpiringFilter({ ...rest, now: () => clock.time }) };
}

/** Random keys and times, beside the period that each key was seen in last. */
function mustFollow(periods: number, isForgetting: boolean, random: Random): number {
  const { clock, filter } = clocked({
    capacity: 100,
    periods,
    whenFull: isForgetting ? 'forget-oldest' : 'throw',
    every: 1000,
  });
  const lastSeen = new Map<number, number>();
  let now = Math.floor(clock.time / 1000);
  let since = now - periods + 1;
  let forgotten = 0;
  const live = (key: number): boolean => (lastSeen.get(key) ?? -Infinity) >= since;
  for (let step = 0; step < 1500; ++step) {
    const draw = random.below(40);
    if (draw === 0) clock.time += random.below(1000 * (periods + 3));
    else if (draw === 1) clock.time -= random.below(5000);
    else clock.time += random.below(100);
    now = Math.max(now, Math.floor(clock.time / 1000));
    since = Math.max(since, now - periods + 1);
    const key = random.below(1000);
    const isLive = live(key);
    claim(filter.hasSeen(key) === isLive, () => `key ${key} at step ${step}`);
    try {
      claim(filter.isNew(key) === !isLive, () => `key ${key} at step ${step}`);
      if (filter.remembers < now - since + 1) ++forgotten;
      since = now - filter.remembers + 1;
      lastSeen.set(key, now);
    } catch (error) {
      const alone = [...lastSeen.values()].filter((period) => period === now).length;
      claim(error instanceof FilterFullError && !isLive, () => String(error));
      claim(!isForgetting || alone >= 100, () => `refused with ${alone} keys of the current period`);
    }
    claim(filter.remembersSince === since * 1000, () => `remembers since ${filter.remembersSince}`);
    claim(filter.size === [...lastSeen.keys()].filter(live).length, () => `the size at step ${step}`);
  }
  return forgotten;
}

test(
  'a filter with a clock agrees with the model, whatever the clock does',
  withSeed(41, (random) => {
    let forgotten = 0;
    for (const periods of [1, 2, 3, 8, 24, 256])
      for (const isForgetting of [false, true]) forgotten += mustFollow(periods, isForgetting, random);
    expect(forgotten).toBeGreaterThan(20);
  }),
);

describe('a clock', () => {
  test.each([
    ['500 ms', 500],
    ['30 s', 30_000],
    ['10 min', 600_000],
    ['1 h', 3_600_000],
    ['1.5 h', 5_400_000],
    ['1 day', 86_400_000],
    ['7days', 604_800_000],
    ['1 hour', 3_600_000],
    ['2 hours', 7_200_000],
    ['1hr', 3_600_000],
    ['5m', 300_000],
    ['5 minutes', 300_000],
    ['2 mins', 120_000],
    ['10 seconds', 10_000],
    ['10 secs', 10_000],
    ['1d', 86_400_000],
    [250, 250],
  ])('takes periods of %j', (every, milliseconds) => {
    const { clock, filter } = clocked({ every, periods: 2 });
    clock.time = Math.floor(clock.time / milliseconds) * milliseconds;
    filter.clear();
    filter.isNew('a');
    clock.time += 2 * milliseconds - 1;
    expect(filter.hasSeen('a')).toBe(true);
    clock.time += 1;
    expect(filter.hasSeen('a')).toBe(false);
  });

  test('takes all times of up to three decimals that are whole milliseconds, and no others', () => {
    const units = { ms: 1, s: 1000, min: 60_000, h: 3_600_000, day: 86_400_000 };
    for (const [unit, length] of Object.entries(units))
      for (let thousandths = 0; thousandths < 25_000; ++thousandths) {
        const text = `${Math.floor(thousandths / 1000)}.${String(thousandths % 1000).padStart(3, '0')} ${unit}`;
        // In whole numbers, which round nothing.
        const whole = (thousandths * length) % 1000 === 0 ? (thousandths * length) / 1000 : 0;
        let taken = 0;
        try {
          taken = everyOf(text);
        } catch (error) {
          claim(error instanceof RangeError, () => `${text}: ${String(error)}`);
        }
        claim(taken === whole, () => `${text}: ${taken} ms`);
      }
    for (const [text, milliseconds] of [
      ['1.1 h', 3_960_000],
      ['4.35 h', 15_660_000],
      ['1.005 s', 1005],
      ['0.0000000116 day', 0],
      ['0.00001 h', 36],
      ['104249.991 day', 9_007_199_222_400],
      ['9007199254740991 ms', 2 ** 53 - 1],
      ['9007199254740993 ms', 0],
    ] as const)
      if (milliseconds > 0) expect(everyOf(text)).toBe(milliseconds);
      else expect(() => everyOf(text)).toThrow(RangeError);
  });

  test('at its first moment is saved and merged as any other', () => {
    const clock = { time: 0 };
    const options = { capacity: 100, periods: 3, every: 1000, now: () => clock.time };
    const filter = new ExpiringFilter(options);
    filter.isNew('a');
    const saved = filter.serialize();
    clock.time = 2999;
    const { every, now } = options;
    expect(ExpiringFilter.deserialize(saved, { every, now }).hasSeen('a')).toBe(true);
    clock.time = 3000;
    expect(ExpiringFilter.deserialize(saved, { every, now }).hasSeen('a')).toBe(false);
    clock.time = 2 ** 53 - 1;
    expect(ExpiringFilter.deserialize(filter.serialize(), { every, now }).isNew('b')).toBe(true);
  });

  test('catches up with any time at once, in every call', () => {
    const { clock, filter } = clocked();
    const calls: [string, () => unknown][] = [
      ['size', () => filter.size],
      ['hasSeen', () => filter.hasSeen('b')],
      ['haveSeen', () => filter.haveSeen(['b'])],
      ['isNew', () => filter.isNew('b')],
      ['areNew', () => filter.areNew(['b'])],
      ['serialize', () => filter.serialize()],
      ['falsePositiveRate', () => filter.expectedFalsePositiveRate],
      ['advance', () => expect(filter.advance()).toBeGreaterThan(0)],
    ];
    for (const [name, call] of calls) {
      filter.isNew('a');
      const before = filter.size;
      clock.time += 1000 * 365 * 24 * 60 * MINUTE;
      call();
      clock.time -= 1000 * 365 * 24 * 60 * MINUTE; // It has begun the period, and stays there.
      expect([name, filter.size < before || filter.size === 1, filter.hasSeen('a')]).toEqual([
        name,
        true,
        false,
      ]);
      filter.clear(); // Goes back with the clock.
    }
  });

  test('that is the machine’s is the default', () => {
    const filter = new ExpiringFilter({ capacity: 100, periods: 3, every: '1 day' });
    const day = 86_400_000;
    expect([0, day]).toContain(Math.floor(Date.now() / day) * day - 2 * day - (filter.remembersSince ?? 0));
    expect(filter.isNew('a')).toBe(true);
    expect(new ExpiringFilter({ capacity: 100, periods: 3 }).remembersSince).toBeUndefined();
  });

  test('that throws, returns no time or disposes of the filter leaves it as it is', () => {
    let act: () => number = () => 0;
    const filter = new ExpiringFilter({ capacity: 100, periods: 3, every: '1 s', now: () => act() });
    filter.isNew('a');
    act = () => {
      throw new Error('no time');
    };
    expect(() => filter.isNew('b')).toThrow('no time');
    for (const time of [NaN, Infinity, undefined, '5', 5n]) {
      act = () => time as number;
      const { message } = thrownBy(TypeError, () => filter.isNew('b'));
      expect(message).toContain(
        'the time that now() returns must be a number of milliseconds from 0 to 2^53 - 1, got',
      );
    }
    for (const time of [-1, -0.001, -1e300, 2 ** 53, 1e300]) {
      act = () => time;
      const rule = `the time that now() returns must be a number of milliseconds from 0 to 2^53 - 1, got ${time}`;
      for (const call of [
        () => filter.isNew('b'),
        () => filter.clear(),
        () => filter.advance(),
        () => filter.serialize(),
        () => filter.merge(filter),
        () => new ExpiringFilter({ capacity: 100, periods: 3, every: '1 s', now: act }),
        () =>
          ExpiringFilter.deserialize(new ExpiringFilter({ capacity: 9, periods: 3 }).serialize(), {
            every: 1000,
            now: act,
          }),
      ])
        expect(thrownBy(RangeError, call).message).toBe(rule);
    }
    act = () => 1;
    expect([filter.hasSeen('a'), filter.hasSeen('b')]).toEqual([true, false]);
    act = () => {
      filter.dispose();
      return 9e9;
    };
    expect(() => filter.isNew('b')).toThrow(DisposedError);
  });

  test.each([
    [{ every: 0 }, RangeError, 'every must be a time such as'],
    [{ every: 1.5 }, RangeError, 'every must be a time such as'],
    [{ every: '10 fortnights' }, RangeError, 'or a whole number of milliseconds, got "10 fortnights"'],
    [{ every: '0.5 ms' }, RangeError, 'every must be a time such as'],
    [{ every: '' }, RangeError, 'every must be a time such as'],
    [{ every: null }, TypeError, 'every must be a time such as'],
    [{ every: undefined }, TypeError, 'every is required: a time such as'],
    [{ now: 5 }, TypeError, noFunction('now', 5)],
    [{ whenFull: 'refuse' }, RangeError, "whenFull must be 'throw' or 'forget-oldest', got \"refuse\""],
    [{ whenFull: true }, TypeError, "whenFull must be 'throw' or 'forget-oldest', got true"],
  ])('and when it is full: refuses %j', (change, Kind, message) => {
    const options = { capacity: 100, periods: 4, every: '1 s', now: () => 0, ...change };
    expect(thrownBy(Kind, () => new ExpiringFilter(options as ExpiringFilterOptions)).message).toContain(
      message,
    );
    const saved = new ExpiringFilter({ capacity: 100, periods: 4 }).serialize();
    const clock = { every: '1 s', now: () => 0, ...change };
    expect(thrownBy(Kind, () => ExpiringFilter.deserialize(saved, clock as never)).message).toContain(
      message,
    );
  });
});

test('a full filter with a clock says what helps, which advance does not', () => {
  const { filter } = clocked({ capacity: 10 });
  expect(thrownBy(FilterFullError, () => filter.areNew(Array(1000).keys())).message).toMatch(
    /Raise capacity or maxCapacity, which count the keys of all periods, or set whenFull: 'forget-oldest'$/,
  );
});

describe("whenFull: 'forget-oldest'", () => {
  test('forgets the oldest period first, says how far back it remembers, and grows back', () => {
    const { clock, filter } = clocked({ whenFull: 'forget-oldest', capacity: 400 });
    for (let period = 0; period < 4; ++period) {
      if (period > 0) clock.time += 10 * MINUTE;
      filter.areNew(integers(period, 100));
    }
    expect([filter.remembers, filter.size]).toEqual([4, 400]);
    const began = Math.floor(clock.time / (10 * MINUTE)) * 10 * MINUTE;
    expect(filter.remembersSince).toBe(began - 30 * MINUTE);
    let added = 0;
    while (filter.remembers === 4) added += Number(filter.isNew(`more ${added}`));
    expect([filter.remembers, filter.remembersSince]).toEqual([3, began - 20 * MINUTE]);
    expect(filter.size).toBe(300 + added);
    expect(filter.haveSeen(integers(0, 100))).not.toContain(1);
    for (let period = 1; period < 4; ++period)
      expect(filter.haveSeen(integers(period, 100))).not.toContain(0);
    clock.time += 10 * MINUTE;
    expect(filter.remembers).toBe(4);
    expect(filter.haveSeen(integers(1, 100))).not.toContain(0);
    clock.time += 10 * MINUTE;
    expect([filter.remembers, filter.haveSeen(integers(1, 100)).includes(1)]).toEqual([4, false]);
  });

  test('throws with nothing changed if the current period alone fills it', () => {
    const { clock, filter } = clocked({ whenFull: 'forget-oldest', capacity: 100 });
    filter.areNew(integers(0, 50));
    clock.time += 10 * MINUTE;
    const error = thrownBy(FilterFullError, () => filter.areNew(integers(1, 1000)));
    expect(error.message).toMatch(/The current period alone fills it: raise capacity or maxCapacity$/);
    expect([filter.remembers, error.added]).toEqual([1, filter.size]);
    const saved = filter.serialize();
    for (const key of integers(2, 20))
      expect(() => filter.isNew(key) && filter.isNew(key + 1n)).toThrow(FilterFullError);
    expect(filter.serialize()).toEqual(saved);
  });
});
