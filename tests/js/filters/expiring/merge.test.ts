// Merging expiring filters whose clocks go on meanwhile, at the first moment, and from another copy of the package.
import { expect, jest, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { DisposedError, ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { thrownBy } from '../../support/random';

/** The class once more, as the other module format has it. */
function anotherClass(): typeof ExpiringFilter {
  let copy: unknown;
  jest.isolateModules(() => (copy = jest.requireActual('cuckoofilter-wasm/expiring')));
  return (copy as { ExpiringFilter: typeof ExpiringFilter }).ExpiringFilter;
}
const Other = anotherClass();

const options = { capacity: 100, periods: 3 };

test('filters with one clock are merged whenever a period begins meanwhile', () => {
  for (let nth = 1; nth <= 16; ++nth) {
    let asked = -Infinity;
    const now = (): number => (++asked < nth ? 1999 : 2000);
    const [one, other] = [0, 1].map(() => new ExpiringFilter({ ...options, every: 1000, now })) as [
      ExpiringFilter,
      ExpiringFilter,
    ];
    one.isNew('a');
    other.isNew('b');
    asked = 0;
    expect(one.merge(other)).toBe(one);
    expect([nth, ...one.haveSeen(['a', 'b'])]).toEqual([nth, 1, 1]);
  }
});

test('the period that begins at 0 is one like any other', () => {
  const at = (time: number): ExpiringFilter =>
    new ExpiringFilter({ ...options, every: 1000, now: () => time });
  const plain = (): ExpiringFilter => new ExpiringFilter(options);
  const apart =
    'cannot merge: the filters are not in the same period. Make both with the same every, and with clocks that agree';
  const clockless = 'cannot merge: only one has the option every. Make both with the same options';
  for (const [one, other, message] of [
    [at(0), at(1000), apart],
    [at(1000), at(0), apart],
    [at(0), plain(), clockless],
    [plain(), at(0), clockless],
  ] as const)
    expect(thrownBy(RangeError, () => one.merge(other)).message).toBe(message);
});

test('filters of which only one renews keys are not merged', () => {
  const filter = (renew: boolean): ExpiringFilter => new ExpiringFilter({ ...options, renew });
  for (const renew of [true, false]) {
    const one = filter(renew);
    const { message } = thrownBy(RangeError, () => one.merge(filter(!renew)));
    expect(message).toContain(`renew is ${renew} here, ${!renew} there`);
    expect(one.merge(filter(renew))).toBe(one);
  }
});

test('a filter of another copy of the package goes in as one of this copy', () => {
  const clock = { every: 1000, now: (): number => 5000 };
  for (const more of [{}, clock]) {
    const one = new ExpiringFilter({ ...options, ...more });
    const other = new Other({ ...options, ...more });
    expect(other).not.toBeInstanceOf(ExpiringFilter);
    one.isNew('a');
    other.isNew('b');
    expect(one.merge(other).areNew(['a', 'b', 'c'])).toEqual(Uint8Array.of(0, 0, 1));
    expect([one.equals(other), one.equals(one.clone()), other.size]).toEqual([false, true, 1]);
    other.areNew(['a', 'c']);
    expect(new Other({ ...options, ...more }).merge(one as never).equals(one.clone() as never)).toBe(true);
  }
});

test('what is no expiring filter is refused by name, even if it was disposed of', () => {
  const one = new ExpiringFilter({ ...options, every: 1000 });
  const gone = new CuckooFilter({ capacity: 100 });
  gone.dispose();
  for (const [other, shown] of [
    [gone, 'a CuckooFilter'],
    [{}, 'an object'],
    [undefined, 'undefined'],
  ] as const)
    for (const act of [() => one.merge(other as never), () => one.equals(other as never)])
      expect(thrownBy(TypeError, act).message).toBe(`other must be an ExpiringFilter, got ${shown}`);
  const other = new ExpiringFilter({ ...options, every: 1000 });
  other.dispose();
  expect(() => one.merge(other)).toThrow(DisposedError);
});
