// CuckooValues against an exact Map, for every width of a value, its rate, and its batches beside single calls.
import { describe, expect, test } from '@jest/globals';
import { PackedKeys as RootPackedKeys, type Keys } from 'cuckoofilter-wasm';
import {
  CuckooValues,
  FilterFullError,
  InvalidKeyError,
  FoundValues,
  PackedKeys,
  type CuckooValuesOptions,
} from 'cuckoofilter-wasm/values';
import { integers } from '../support/integers';
import { runs } from '../support/long';
import { claim, sameBytes, thrownBy, withSeed, type Random } from '../support/random';
import { homesOf, SavedFilter, type Layout } from '../support/reference/reader';
import { xxh64OfInteger } from '../support/reference/xxh64';

const HASHES = Array.from({ length: 600 }, (_, key) => xxh64OfInteger(key));
const hashOf = (key: number): bigint => HASHES[key] ?? 0n;

/** What a table must give: the values of each fingerprint with its candidate buckets, in ascending order. */
class Model {
  readonly #values = new Map<string, number[]>();
  size = 0;

  /** `grown` is the layout of the table once it has grown. */
  constructor(readonly grown: Layout) {}

  values(key: number): number[] {
    const { fingerprint, primary, alternate } = homesOf(hashOf(key), this.grown);
    const alike = `${fingerprint} ${Math.min(primary, alternate)}`;
    const known = this.#values.get(alike) ?? [];
    this.#values.set(alike, known);
    return known;
  }
  set(key: number, value: number): void {
    this.values(key).push(value);
    this.values(key).sort((one, other) => one - other);
    ++this.size;
  }
  /** Whether there was one. */
  delete(key: number, value: number | undefined): boolean {
    const at = value === undefined ? 0 : this.values(key).indexOf(value);
    if (at < 0 || this.values(key).length === 0) return false;
    this.values(key).splice(at, 1);
    --this.size;
    return true;
  }
}

function grownLayout(table: CuckooValues, doublings: number): Layout {
  const { fingerprintBits, addressing, bucketCount } = table;
  return { fingerprintBits, addressing, bucketCount: bucketCount * 2 ** doublings };
}

/** Random sets and deletes through a table, beside the model. Returns how many were refused. */
function mustAgree(options: CuckooValuesOptions, keyCount: number, steps: number, random: Random): number {
  using table = new CuckooValues(options);
  const model = new Model(grownLayout(table, CuckooValues.plan(options).doublings));
  let refused = 0;
  for (let step = 0; step < steps; ++step) {
    const key = random.below(keyCount);
    const value = random.below(2 ** options.valueBits);
    if (random.below(3) > 0) {
      const before = step % 16 === 0 ? table.serialize() : undefined;
      try {
        table.set(key, value);
        model.set(key, value);
      } catch (error) {
        claim(error instanceof FilterFullError, () => String(error));
        const isSame = before === undefined || sameBytes(before, table.serialize());
        claim(isSame || options.maxCapacity !== undefined, () => `the refused set of ${key} changed a byte`);
        ++refused;
      }
    } else {
      const given = random.below(2) === 0 ? value : undefined;
      claim(table.delete(key, given) === model.delete(key, given), () => `delete of ${key} and ${given}`);
    }
    const found = table.get(key);
    claim(`${found}` === `${model.values(key)}`, () => `get of ${key}: ${found}, not ${model.values(key)}`);
    claim(table.has(key) === found.length > 0 && table.contains(key) === found.length > 0, () => 'has');
    claim(table.size === model.size, () => 'the size is wrong');
  }
  const all = Array.from({ length: keyCount }, (_, key) => key);
  const lists = table.getMany(all);
  claim(lists.length === keyCount && [...lists].length === keyCount, () => 'length');
  const mask = table.containsMany(all);
  for (const key of all) {
    claim(`${lists.at(key)}` === `${model.values(key)}`, () => `getMany of ${key}`);
    claim(mask[key] === Number(model.values(key).length > 0), () => `containsMany of ${key}`);
  }
  const saved = new SavedFilter(table.serialize());
  for (const key of all)
    claim(`${saved.valuesOfHash(hashOf(key))}` === `${model.values(key)}`, () => `saved values of ${key}`);
  claim(CuckooValues.deserialize(table.serialize()).equals(table), () => 'what was loaded is not equal');
  return refused;
}

test(
  'gives what an exact table gives, for every width of a value, fixed and growing',
  withSeed(62, (random) => {
    let doublings = 0;
    for (let valueBits = 1; valueBits <= 24; ++valueBits) {
      mustAgree({ capacity: 200, valueBits }, 400, runs(400, 800), random);
      if (valueBits > 20) continue;
      const falsePositiveRate = valueBits > 15 ? 0.03 : 0.001;
      const grows = { capacity: 20, maxCapacity: 400, bucketCount: 8, valueBits, falsePositiveRate };
      doublings += CuckooValues.plan(grows).doublings;
      mustAgree(grows, 500, runs(1000, 1500), random);
    }
    expect(doublings).toBeGreaterThan(40);
  }),
);

describe('what is found beside the own value', () => {
  test.each([
    [8, 0.01],
    [1, 0.001],
    [16, 0.02],
    [24, undefined],
  ] as const)('of %i bits is as rare as the rate says: %p', (valueBits, falsePositiveRate) => {
    const capacity = 50_000;
    using table = new CuckooValues({ capacity, valueBits, falsePositiveRate });
    const keys = integers(1, capacity);
    const values = Uint32Array.from(keys, (_, i) => i % 2 ** valueBits);
    expect(table.setMany(keys, values)).toBe(capacity);
    const rate = table.expectedFalsePositiveRate;
    expect(rate).toBeLessThanOrEqual(falsePositiveRate ?? 0.032);
    const found = table.getMany(keys);
    for (const [i, own] of [...found].entries()) claim(own.includes(values[i] ?? 0), () => `key ${i}`);
    const mean = found.values.length / capacity;
    expect(Math.abs(mean - 1 - rate)).toBeLessThan(5 * Math.sqrt((2 * rate) / capacity));
    const asked = 400_000;
    const others = table.getMany(integers(2, asked)).values.length / asked;
    expect(Math.abs(others - rate)).toBeLessThan(5 * Math.sqrt((2 * rate) / asked));
  });
});

describe('batches', () => {
  const options = { capacity: 5000, valueBits: 8 };
  const texts = Array.from({ length: 5000 }, (_, i) => `key ${i}`);
  const numbers = texts.map((_, i) => i % 256);

  test('do what single calls do, in every form of keys and values', () => {
    using one = new CuckooValues(options);
    texts.forEach((key, i) => one.set(key, numbers[i] ?? 0));
    const encoded = texts.map((key) => new TextEncoder().encode(key));
    let end = 0;
    const ends = Uint32Array.from(encoded, (key) => (end += key.length));
    const packed = new PackedKeys(Buffer.concat(encoded), ends);
    for (const keys of [texts, new Set(texts), packed])
      for (const values of [numbers, Uint8Array.from(numbers), Float64Array.from(numbers)]) {
        using many = new CuckooValues(options);
        expect(many.setMany(keys, values)).toBe(5000);
        expect(many.equals(one)).toBe(true);
        expect(many.deleteMany(keys, values)).toBe(5000);
        expect(many.size).toBe(0);
      }
    using same = new CuckooValues(options);
    same.setMany(texts, 7);
    expect(same.getMany(texts).values.every((value) => value === 7)).toBe(true);
    expect(same.deleteMany(texts)).toBe(5000);
    expect(PackedKeys).toBe(RootPackedKeys);
  });

  test('give lists that can be asked by index and iterated', () => {
    using table = CuckooValues.from(
      [
        ['a', 1],
        ['b', 2],
        ['a', 3],
      ] as const,
      { valueBits: 2 },
    );
    const found = table.getMany(['a', 'nobody', 'b']);
    expect(found).toBeInstanceOf(FoundValues);
    expect([...found].map((values) => [...values])).toEqual([[1, 3], [], [2]]);
    expect([...found.values]).toEqual([1, 3, 2]);
    expect([...found.ends]).toEqual([2, 2, 3]);
    expect([...(found.at(0) ?? [])]).toEqual([1, 3]);
    expect(found.at(3)).toBeUndefined();
    expect(table.getMany([]).length).toBe(0);
  });

  test('check all values first, and say which is bad', () => {
    using table = new CuckooValues(options);
    const empty = table.serialize();
    for (const [values, Kind, message] of [
      [[1, 256], RangeError, 'values[1] must be an integer from 0 to 255, got 256'],
      [[1, 0.5], RangeError, 'values[1] must be an integer from 0 to 255, got 0.5'],
      [[1, -1], RangeError, 'values[1] must be an integer from 0 to 255, got -1'],
      [['1', 2], TypeError, 'values[0] must be an integer from 0 to 255, got "1": pass Number(values[0])'],
      [[1], RangeError, 'values must have one number per key, got 1 for 2 keys'],
      [[1, 2, 3], RangeError, 'values must have one number per key, got 3 for 2 keys'],
      [256, RangeError, 'values must be an integer from 0 to 255, got 256'],
      [undefined, TypeError, 'values must be a number, or an array with one number per key, got undefined'],
      ['12', TypeError, 'values must be a number, or an array with one number per key, got "12"'],
    ] as const) {
      const error = thrownBy(Kind, () => table.setMany(['a', 'b'], values as never));
      expect(error.message).toBe(message);
      expect(sameBytes(table.serialize(), empty)).toBe(true);
    }
  });

  test('of any kind change nothing where the numbers do not match', () => {
    using table = new CuckooValues({ ...options, capacity: 9000 });
    table.set('a', 1);
    const before = table.serialize();
    function* endless(): Generator<string> {
      for (;;) yield 'a';
    }
    const grown = ['a', 'b'];
    Object.defineProperty(grown, 0, { get: () => grown.push('c') && 'a', configurable: true });
    class Odd extends Array<string> {
      override *[Symbol.iterator](): ArrayIterator<string> {
        for (const key of ['a', 'b', 'c']) yield key;
      }
    }
    const cases: [Keys, number[], string][] = [
      [new Set(['a', 'b']), [1], 'got 1 for 2 keys or more'],
      [new Set(['a', 'b']), [1, 2, 3], 'got 3 for 2 keys'],
      [new Set(Array(5000).keys()), new Array<number>(4999).fill(1), 'got 4999 for 5000 keys or more'],
      [endless(), [1, 2, 3], 'got 3 for 4 keys or more'],
      [Uint32Array.of(1, 2, 3, 4), [1], 'got 1 for 4 keys'],
      [new PackedKeys(Uint8Array.of(1, 2), Uint32Array.of(1, 2)), [1], 'got 1 for 2 keys'],
      [new Odd('a'), [1], 'got 1 for 3 keys'],
    ];
    for (const [keys, values, message] of cases)
      expect(thrownBy(RangeError, () => table.setMany(keys, values)).message).toBe(
        `values must have one number per key, ${message}`,
      );
    const lying = new PackedKeys(Uint8Array.of(1, 2), Uint32Array.of(1, 2));
    Object.defineProperty(lying, 'length', { value: 1 });
    expect(thrownBy(RangeError, () => table.setMany(lying, [1])).message).toMatch(/got 1 for 2 keys$/);
    const odd = [new Set(['a', 'b']), new Odd('a'), new Set(Array(5000).keys()), lying];
    for (const keys of odd) expect(() => table.deleteMany(keys, [1])).toThrow(RangeError);
    expect(sameBytes(table.serialize(), before)).toBe(true);
    expect(table.setMany(grown, [5, 6])).toBe(2); // what a getter adds comes too late
    expect([table.get('b'), table.get('c')]).toEqual([[6], []]);
    expect(table.setMany(new Set(Array(5000).keys()), new Array<number>(5000).fill(7))).toBe(5000);
    expect(table.get(4999)).toEqual([7]);
  });

  test('stop at a bad key or where there is no room, and say how far they came', () => {
    using table = new CuckooValues(options);
    const error = thrownBy(InvalidKeyError, () => table.setMany(['a', 'b', 1.5], [1, 2, 3]));
    expect(error.index).toBe(2);
    expect(table.size).toBe(2);
    using small = new CuckooValues({ capacity: 8, bucketCount: 2, bucketSize: 4, valueBits: 4 });
    const full = thrownBy(FilterFullError, () => small.setMany(texts.slice(0, 99), 5));
    expect([full.reason, full.added]).toEqual(['full', small.size]);
  });
});
