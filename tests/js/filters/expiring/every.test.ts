// How the length of a period may be written, and what is refused; options of a plan; and what does not fit.
import { describe, expect, test } from '@jest/globals';
import { DisposedError, ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { said, thrownBy } from '../../support/random';

describe('a period', () => {
  test.each([
    ['ms millis millisecond milliseconds', 1],
    ['s sec secs second seconds', 1000],
    ['m min mins minute minutes', 60_000],
    ['h hr hrs hour hours', 3_600_000],
    ['d day days', 86_400_000],
  ])(
    'of %s is written in any of these ways, with a space or without, and with spaces around',
    (names, unit) => {
      for (const name of names.split(' '))
        for (const text of [`2 ${name}`, `2${name}`, ` 2.0 ${name} `]) {
          let time = 0;
          const filter = new ExpiringFilter({ capacity: 9, periods: 1, every: text, now: () => time });
          filter.isNew('a');
          const seen = [2 * unit - 1, 2 * unit].map((at) => ((time = at), filter.hasSeen('a')));
          expect([text, ...seen]).toEqual([text, true, false]);
        }
    },
  );

  test.each(
    [
      ...'month decade week year fortnight milli msec us hms xs rms'.split(' ').map((name) => `1 ${name}`),
      ...'xmillis millisx xsec secx xmin minx xhour hourx xday dayx'.split(' ').map((name) => `1 ${name}`),
      '-1 h',
      '+1 h',
      'in 1 h',
      '1 h later',
      '1 h 30 min',
      '1 h.',
      '1  h',
      '1,5 h',
      '1. h',
      '.5 h',
      '1 H',
      '1 min5',
      '1',
      'h',
    ].map((every) => [every]),
  )('of %j is refused', (every) => {
    const options = { capacity: 9, periods: 2, every };
    expect(thrownBy(RangeError, () => new ExpiringFilter(options)).message).toBe(
      `every must be a time such as '10 min' (in ms, s, min, h or days) or a whole number of milliseconds, got ${JSON.stringify(every)}`,
    );
  });
});

test('options that were not given are not in those of a plan', () => {
  const named = (more: object): string[] =>
    Object.keys(ExpiringFilter.plan({ capacity: 10, periods: 4, ...more }).options);
  for (const option of ['every', 'now', 'whenFull', 'renew']) expect(named({})).not.toContain(option);
  const own = { every: 1000, now: (): number => 5, whenFull: 'throw', renew: false } as const;
  expect(named({ ...own, every: undefined, now: undefined })).not.toContain('every');
  expect(ExpiringFilter.plan({ capacity: 10, periods: 4, ...own }).options).toMatchObject(own);
});

test.each([
  { capacity: 10, fingerprintBits: 28 },
  { capacity: 10, maxCapacity: 40, fingerprintBits: 27, bucketCount: 4 },
])('the most periods that the error tells for %j are possible, and no more', (options) => {
  const message = said(() => ExpiringFilter.plan({ ...options, periods: 256 }));
  const [, most] = /^periods must be at most (\d+) with fingerprints of [\d.]+ bits \(/.exec(message) ?? [];
  expect(ExpiringFilter.plan({ ...options, periods: Number(most) }).options.periods).toBe(Number(most));
  expect(said(() => ExpiringFilter.plan({ ...options, periods: Number(most) + 1 }))).toMatch(
    new RegExp(`^periods must be at most ${most} `),
  );
});

test('a clock that disposes of its filter, in a period or at its end, ends the call with a DisposedError', () => {
  for (const passed of [0, 1000]) {
    let time = 0;
    let dispose: () => void = () => undefined;
    const now = (): number => (dispose(), time);
    const filter = new ExpiringFilter({ capacity: 9, periods: 3, every: 1000, now });
    dispose = () => {
      filter.dispose();
      time += passed;
    };
    for (const call of [() => filter.isNew('a'), () => filter.size, () => filter.serialize()])
      expect(call).toThrow(DisposedError);
  }
});
