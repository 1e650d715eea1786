// CuckooCounter: against an exact multiset for every width of a counter, its saved form, and what it refuses.
import { describe, expect, test } from '@jest/globals';
import {
  CuckooCounter,
  DisposedError,
  FilterFullError,
  preload,
  type CuckooCounterOptions,
} from 'cuckoofilter-wasm/counter';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { integers } from '../support/integers';
import { claim, sameBytes, thrownBy, withSeed, type Random } from '../support/random';
import { homesOf, SavedFilter, type Layout } from '../support/reference/reader';
import { xxh64OfInteger } from '../support/reference/xxh64';

const HASHES = Array.from({ length: 600 }, (_, key) => xxh64OfInteger(key));
const hashOf = (key: number): bigint => HASHES[key] ?? 0n;

/** What a filter must count: the copies of each fingerprint with its candidate buckets. */
class Model {
  readonly #counts = new Map<string, number>();
  /** Copies of the keys themselves. */
  readonly copies = new Map<number, number>();

  /** `grown` is the layout of the table once it has grown. */
  constructor(
    readonly grown: Layout,
    readonly most: number,
  ) {}

  count(key: number): number {
    return this.#counts.get(this.#alike(key)) ?? 0;
  }
  add(key: number, copies: number): void {
    this.#counts.set(this.#alike(key), Math.min(this.most, this.count(key) + copies));
    this.copies.set(key, (this.copies.get(key) ?? 0) + copies);
  }
  /** Whether there were as many. */
  delete(key: number, copies: number): boolean {
    const count = this.count(key);
    if (count !== this.most) {
      if (count < copies) return false;
      if (count === copies) this.#counts.delete(this.#alike(key));
      else this.#counts.set(this.#alike(key), count - copies);
    }
    this.copies.set(key, (this.copies.get(key) ?? 0) - copies);
    return count > 0;
  }
  get size(): number {
    return this.#counts.size;
  }
  get saturated(): number {
    return [...this.#counts.values()].filter((count) => count === this.most).length;
  }
  #alike(key: number): string {
    const { fingerprint, primary, alternate } = homesOf(hashOf(key), this.grown);
    return `${fingerprint} ${Math.min(primary, alternate)}`;
  }
}

/** Random copies of keys come into a filter and go, beside the model. Returns how many keys were refused. */
function mustAgree(
  options: CuckooCounterOptions & { counterBits: number },
  keyCount: number,
  steps: number,
  random: Random,
): number {
  using filter = new CuckooCounter(options);
  const { fingerprintBits, addressing } = filter;
  const bucketCount = filter.bucketCount * 2 ** CuckooCounter.plan(options).doublings;
  const model = new Model({ fingerprintBits, addressing, bucketCount }, 2 ** options.counterBits);
  let refused = 0;
  for (let step = 0; step < steps; ++step) {
    const key = random.below(keyCount);
    const copies = 1 + random.below(random.below(2) === 0 ? 3 : 2 ** options.counterBits);
    if (random.below(3) > 0) {
      const before = step % 16 === 0 ? filter.serialize() : undefined;
      try {
        filter.add(key, copies);
        model.add(key, copies);
      } catch (error) {
        claim(error instanceof FilterFullError && error.reason === 'full', () => String(error));
        claim(model.count(key) === 0, () => `key ${key} is there and was refused`);
        const isSame = before === undefined || sameBytes(before, filter.serialize());
        claim(isSame || options.maxCapacity !== undefined, () => `the refused ${key} changed a byte`);
        ++refused;
      }
    } else if ((model.copies.get(key) ?? 0) >= copies) {
      claim(filter.delete(key, copies), () => `${copies} copies of ${key} were there`);
      model.delete(key, copies);
    }
    const count = filter.count(key);
    claim(count === model.count(key), () => `count of ${key}: ${count}, not ${model.count(key)}`);
    claim(filter.has(key) === count > 0 && filter.contains(key) === count > 0, () => 'has');
    claim(filter.size === model.size, () => 'the size is wrong');
  }
  const all = Array.from({ length: keyCount }, (_, key) => key);
  const counts = filter.countMany(all);
  const mask = filter.containsMany(all);
  const saved = new SavedFilter(filter.serialize());
  for (const key of all) {
    const truth = Math.min(model.most, model.copies.get(key) ?? 0);
    claim((counts[key] ?? 0) >= truth && counts[key] === model.count(key), () => `countMany of ${key}`);
    claim(mask[key] === Number(model.count(key) > 0), () => `containsMany of ${key}`);
    const values = model.count(key) === 0 ? [] : [model.count(key) - 1];
    claim(`${saved.valuesOfHash(hashOf(key))}` === `${values}`, () => `saved count of ${key}`);
  }
  claim(filter.stats().saturated === model.saturated, () => 'saturated');
  claim(CuckooCounter.deserialize(filter.serialize()).equals(filter), () => 'what was loaded is not equal');
  return refused;
}

test(
  'counts what an exact multiset counts, for every width of a counter, fixed and growing',
  withSeed(72, (random) => {
    let doublings = 0;
    for (let counterBits = 1; counterBits <= 16; ++counterBits) {
      mustAgree({ capacity: 200, counterBits }, 400, 800, random);
      const grows = { capacity: 20, maxCapacity: 400, bucketCount: 8, counterBits, falsePositiveRate: 0.01 };
      doublings += CuckooCounter.plan(grows).doublings;
      mustAgree(grows, 500, 1500, random);
    }
    expect(doublings).toBeGreaterThan(40);
  }),
);

describe('a counter at its maximum', () => {
  test('stays there, and is told of', () => {
    using filter = new CuckooCounter({ capacity: 100, counterBits: 3 });
    expect([filter.counterBits, filter.maxCount]).toEqual([3, 8]);
    for (let i = 1; i <= 10; ++i) {
      filter.add('a');
      expect(filter.count('a')).toBe(Math.min(i, 8));
      expect(filter.stats().saturated).toBe(i < 8 ? 0 : 1);
    }
    for (let i = 0; i < 20; ++i) expect(filter.delete('a')).toBe(true);
    expect([filter.count('a'), filter.has('a'), filter.size]).toEqual([8, true, 1]);
    filter.add('b', 2 ** 40);
    expect([filter.count('b'), filter.delete('b', 2 ** 40), filter.stats().saturated]).toEqual([8, true, 2]);
    filter.clear();
    expect([filter.count('a'), filter.stats().saturated]).toEqual([0, 0]);
  });

  test('is 256 copies if nothing is said', () => {
    using filter = new CuckooCounter({ capacity: 100 });
    for (let i = 1; i <= 255; ++i) filter.add('a');
    expect([filter.count('a'), filter.stats().saturated]).toEqual([255, 0]);
    expect([filter.delete('a', 255), filter.count('a'), filter.size]).toEqual([true, 0, 0]);
  });
});

test('a delete of more than there are changes nothing', () => {
  using filter = new CuckooCounter({ capacity: 100 }).add('a', 3);
  const before = filter.serialize();
  expect([filter.delete('a', 4), filter.delete('b'), filter.count('a')]).toEqual([false, false, 3]);
  expect(sameBytes(filter.serialize(), before)).toBe(true);
  expect([filter.delete('a', 2), filter.count('a'), filter.delete('a'), filter.has('a')]).toEqual([
    true,
    1,
    true,
    false,
  ]);
});

describe('batches', () => {
  const options = { capacity: 5000 };
  const texts = Array.from({ length: 6000 }, (_, i) => `key ${i % 4000}`);
  const numbers = texts.map((_, i) => 1 + (i % 5));

  test('do what single calls do, in every form of keys and numbers', () => {
    using one = new CuckooCounter(options);
    texts.forEach((key, i) => one.add(key, numbers[i]));
    for (const keys of [texts, new Set(texts).size === 4000 ? texts.values() : texts])
      for (const copies of [numbers, Uint16Array.from(numbers)]) {
        using many = new CuckooCounter(options);
        const given = Array.isArray(keys) ? keys : [...texts].values();
        expect(many.addMany(given as Iterable<string> & object, copies)).toBe(6000);
        expect(many.equals(one)).toBe(true);
        expect(many.deleteMany(texts, copies)).toBe(6000);
        expect(many.size).toBe(0);
      }
    using twice = CuckooCounter.from([...texts, ...texts], { capacity: 5000 });
    expect([...twice.countMany(['key 0', 'key 3999', 'nobody'])]).toEqual([4, 2, 0]);
    expect(twice.deleteMany(['key 0', 'nobody'], 4)).toBe(1);
    expect(twice.addMany(['key 0', 'key 1'], 10)).toBe(2);
    expect([...twice.countMany(['key 0', 'key 1'])]).toEqual([10, 14]);
  });

  test('check all numbers first, and say which is bad', () => {
    using filter = new CuckooCounter(options);
    for (const [copies, Kind, message] of [
      [[1, 0], RangeError, 'copies[1] must be a positive integer, got 0'],
      [[1, 1.5], RangeError, 'copies[1] must be a positive integer, got 1.5'],
      [['1', 2], TypeError, 'copies[0] must be a positive integer, got "1": pass Number(copies[0])'],
      [[1], RangeError, 'copies must have one number per key, got 1 for 2 keys'],
      [-1, RangeError, 'copies must be a positive integer, got -1'],
      [null, TypeError, 'copies must be a number, or an array with one number per key, got null'],
    ] as const)
      for (const act of [
        () => filter.addMany(['a', 'b'], copies as never),
        () => filter.deleteMany(['a', 'b'], copies as never),
      ])
        expect(thrownBy(Kind, act).message).toBe(message);
    expect(filter.size).toBe(0);
    for (const [copies, Kind] of [
      [0, RangeError],
      [1.5, RangeError],
      [NaN, RangeError],
      ['1', TypeError],
      [1n, TypeError],
    ] as const) {
      expect(() => filter.add('a', copies as never)).toThrow(Kind);
      expect(() => filter.delete('a', copies as never)).toThrow(Kind);
    }
    expect(thrownBy(TypeError, () => filter.addMany(['a', null as never])).message).toMatch(/^key 1: /);
    expect(filter.count('a')).toBe(1);
  });

  test('stop where there is no room, and say how far they came', () => {
    using filter = new CuckooCounter({ capacity: 8, bucketCount: 2, bucketSize: 4 });
    const full = thrownBy(FilterFullError, () => filter.addMany(texts.slice(0, 99)));
    expect([full.reason, full.added]).toEqual(['full', filter.size]);
    filter.addMany(texts.slice(0, full.added));
    expect(filter.count('key 0')).toBe(2);
  });
});

describe('a filter', () => {
  test('is merged with another: counts are added, up to the maximum', () => {
    const options = { capacity: 300, counterBits: 4 };
    const one = new CuckooCounter(options).add('a', 3).add('b', 10);
    const other = new CuckooCounter(options).add('a', 4).add('b', 10).add('c', 16);
    expect(one.merge(other)).toBe(one);
    expect([...one.countMany(['a', 'b', 'c'])]).toEqual([7, 16, 16]);
    expect([one.size, one.stats().saturated, other.count('a')]).toEqual([3, 2, 4]);
    one.merge(one);
    expect(one.count('a')).toBe(14);
    const error = thrownBy(RangeError, () => one.merge(new CuckooCounter({ ...options, counterBits: 5 })));
    expect(error.message).toMatch(/^cannot merge: counterBits is 4 here, 5 there\./);
    const wrong = thrownBy(TypeError, () =>
      one.merge(new CuckooValues({ capacity: 300, valueBits: 4 }) as never),
    );
    expect(wrong.message).toBe('other must be a CuckooCounter, got a CuckooValues');
    const small = new CuckooCounter({ capacity: 8, bucketCount: 2, bucketSize: 4 });
    const same = small.clone();
    for (let key = 0; key < 5; ++key) {
      small.add(key);
      same.add(key + 50);
    }
    const before = small.serialize();
    expect(thrownBy(FilterFullError, () => small.merge(same)).reason).toBe('full');
    expect(sameBytes(small.serialize(), before)).toBe(true);
  });

  test('keeps its counts when it grows', () => {
    let doublings = 0;
    using filter = new CuckooCounter({ capacity: 50, maxCapacity: 5000, onGrow: () => ++doublings });
    for (let round = 0; round < 3; ++round) filter.addMany(integers(1, 5000), round + 1);
    expect(doublings).toBeGreaterThan(3);
    const counts = filter.countMany(integers(1, 5000));
    claim(
      counts.every((count) => count >= 6),
      () => 'a count is too low',
    );
    expect(counts.filter((count) => count > 6).length).toBeLessThan(30);
  });

  test('is cloned, compared, shown and disposed of', () => {
    const filter = CuckooCounter.from(['a', 'b', 'a'], { counterBits: 5 });
    expect(filter.capacity).toBe(3);
    const copy = filter.clone();
    expect(copy.equals(filter)).toBe(true);
    copy.add('a');
    expect([copy.equals(filter), copy.count('a'), filter.count('a')]).toEqual([false, 3, 2]);
    expect(JSON.parse(JSON.stringify(copy))).toMatchObject({ size: 2, counterBits: 5 });
    copy.dispose();
    expect(() => copy.count('a')).toThrow(DisposedError);
    expect(() => CuckooCounter.from('text' as never)).toThrow(TypeError);
  });

  test.each<[object, new (...given: never[]) => Error, string]>([
    [{ capacity: 10, counterBits: 17 }, RangeError, 'counterBits must be an integer from 1 to 16, got 17'],
    [{ capacity: 10, counterBits: 0 }, RangeError, 'counterBits must be an integer from 1 to 16, got 0'],
    [
      { capacity: 10, counterBits: '8' },
      TypeError,
      'counterBits must be an integer from 1 to 16, got "8": pass Number(counterBits)',
    ],
    [
      { capacity: 10, counterBits: 16, falsePositiveRate: 1e-6 },
      RangeError,
      'falsePositiveRate 0.000001 is too low for counterBits 16. Raise it, or lower counterBits',
    ],
    [{ capacity: 10, counterBit: 3 }, TypeError, 'unknown option counterBit; did you mean counterBits?'],
  ])('of %j is refused', (options, Kind, message) => {
    expect(thrownBy(Kind, () => new CuckooCounter(options as never)).message).toBe(message);
  });
});

test('tryAdd does what add does, and says what became of the key', () => {
  const options = { capacity: 40, bucketCount: 16, bucketSize: 3 } as const;
  const [one, other] = [new CuckooCounter(options), new CuckooCounter(options)];
  const outcomes = new Set<string>();
  for (let key = 0; key < 200; ++key) {
    const outcome = one.tryAdd(key, 1 + (key % 3));
    outcomes.add(outcome);
    if (outcome === 'added') other.add(key, 1 + (key % 3));
    else expect(thrownBy(FilterFullError, () => other.add(key)).reason).toBe(outcome);
  }
  expect(outcomes).toContain('added');
  expect(outcomes).toContain('full');
  expect(one.equals(other)).toBe(true);
  expect(() => one.tryAdd('a', 0)).toThrow(RangeError);
});

test('preload starts it', async () => {
  await preload();
  expect(new CuckooCounter({ capacity: 1 }).add('a').count('a')).toBe(1);
});
