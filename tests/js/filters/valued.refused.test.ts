// What CuckooValues and CuckooCounter refuse, word by word: numbers, lists of numbers, and options that do not go
// together; and the ends of what they take.
import { describe, expect, test } from '@jest/globals';
import { PackedKeys } from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { said, thrownBy } from '../support/random';
import { ruled } from '../api/ruled';

const values = (): CuckooValues => new CuckooValues({ capacity: 10, valueBits: 4 }).set('a', 1).set('a', 2);
const counter = (): CuckooCounter => new CuckooCounter({ capacity: 10 }).add('a', 3);

test.each<[string, () => unknown, string]>([
  ['add', () => counter().add('a', 0), 'copies must be a positive integer, got 0'],
  ['delete', () => counter().delete('a', 1.5), 'copies must be a positive integer, got 1.5'],
  ['set', () => values().set('a', 16), 'value must be an integer from 0 to 15, got 16'],
  ['delete of values', () => values().delete('a', -1), 'value must be an integer from 0 to 15, got -1'],
  ['deleteMany', () => values().deleteMany(['a'], 99), 'values must be an integer from 0 to 15, got 99'],
  [
    'deleteMany of a list',
    () => values().deleteMany(['a'], [99]),
    'values[0] must be an integer from 0 to 15, got 99',
  ],
])('%s names the number that is wrong', (_, act, message) => {
  expect(thrownBy(RangeError, act).message).toBe(message);
});

test('what has no length is no list of numbers, and null is no pair', () => {
  for (const [name, act] of [
    ['values', () => values().setMany(['a'], {} as never)],
    ['values', () => values().deleteMany(['a'], {} as never)],
    ['copies', () => counter().addMany(['a'], {} as never)],
  ] as const)
    expect(thrownBy(TypeError, act).message).toBe(
      `${name} must be a number, or an array with one number per key, got an object`,
    );
  expect(thrownBy(TypeError, () => CuckooValues.from([null as never], { valueBits: 4 })).message).toBe(
    'entry 0 must be a pair [key, value], got null',
  );
});

test('a Map is told with how to pass its numbers', () => {
  const map = new Map([['a', 1]]);
  const keys = map as never;
  for (const [name, act] of [
    ['values', () => values().setMany(keys, 1)],
    ['values', () => values().deleteMany(keys, 1)],
    ['copies', () => counter().addMany(keys)],
    ['copies', () => counter().deleteMany(keys)],
  ] as const)
    expect(thrownBy(TypeError, act).message).toBe(
      `keys must not be a Map: pass map.keys(), and [...map.values()] as ${name}`,
    );
  expect(thrownBy(TypeError, () => CuckooCounter.from(keys)).message).toBe(
    'keys must not be a Map: to keep its counts, call addMany(map.keys(), [...map.values()])',
  );
  expect(values().setMany(map.keys(), [...map.values()])).toBe(1);
  expect(counter().addMany(map.keys(), [...map.values()])).toBe(1);
});

test('deleteMany takes the values that are given, and without them the smallest', () => {
  const table = values().set('b', 3);
  expect(table.deleteMany(['a', 'b'], [2, 2])).toBe(1);
  expect([table.get('a'), table.get('b')]).toEqual([[1], [3]]);
  expect(table.set('a', 0).deleteMany(['a', 'b'])).toBe(2);
  expect([table.get('a'), table.get('b')]).toEqual([[1], []]);
});

test('packed keys that are more or fewer than their length says are an error, and never take a wrong number', () => {
  for (const length of [1, 3]) {
    const keys = new PackedKeys(Buffer.from('ab'), Uint32Array.of(1, 2));
    Object.defineProperty(keys, 'length', { value: length });
    const filter = counter();
    const { message } = thrownBy(RangeError, () => filter.addMany(keys, Array<number>(length).fill(2)));
    expect(message).toBe(`copies must have one number per key, got ${length} for 2 keys`);
    expect([...filter.countMany(['a', 'b'])]).toEqual(length === 1 ? [3, 0] : [5, 2]);
  }
});

describe('options', () => {
  const messageOf = (options: object): string =>
    said(() => CuckooValues.plan({ capacity: 10, valueBits: 20, ...options } as never));

  test.each([
    [0, ruled('falsePositiveRate', 0)],
    [1, ruled('falsePositiveRate', 1)],
    [-1, ruled('falsePositiveRate', -1)],
    [1e-6, 'falsePositiveRate 0.000001 is too low for valueBits 20. Raise it, or lower valueBits'],
  ])('a rate of %p', (falsePositiveRate, message) => {
    expect(messageOf({ falsePositiveRate })).toBe(message);
  });

  test.each([
    [1, 'an integer from 2 to 32'],
    [1.5, 'an integer unless semiSort is true'],
    [13, 'at most 12, because a fingerprint and its 20 valueBits share 32 bits'],
    [32, 'at most 12, because a fingerprint and its 20 valueBits share 32 bits'],
    [33, 'an integer from 2 to 32'],
  ])('fingerprints of %p bits', (fingerprintBits, rule) => {
    expect(messageOf({ fingerprintBits })).toBe(`fingerprintBits must be ${rule}, got ${fingerprintBits}`);
  });

  test.each([
    [{ capacity: 0 }, ruled('capacity', 0)],
    [{ bucketSize: 9 }, 'bucketSize must be an integer from 1 to 8, got 9'],
    [{ maxCapacity: 5 }, 'maxCapacity must be at least capacity (10), got 5'],
  ])('%j are told, not the rate or the fingerprint beside them', (options, message) => {
    expect(messageOf({ falsePositiveRate: 0.01, ...options })).toBe(message);
    expect(messageOf({ fingerprintBits: 12, ...options })).toBe(message);
  });

  test('the first that is wrong is told, not a fingerprint that is wrong as well', () => {
    expect(messageOf({ fingerprintBits: 13, bucketSize: 9 })).toBe(
      'bucketSize must be an integer from 1 to 8, got 9',
    );
    expect(messageOf({ fingerprintBits: 13, maxCapacity: 5 })).toBe(
      'maxCapacity must be at least capacity (10), got 5',
    );
  });

  test('the usual rate holds where it takes twice the memory, and no more', () => {
    for (const [capacity, isUsual] of [
      [2, true],
      [1000, false],
    ] as const) {
      const sizes = { capacity, valueBits: 22 };
      const { byteLength } = CuckooValues.plan({ ...sizes, bucketSize: 4, fingerprintBits: 10 });
      const usual = CuckooValues.plan({ ...sizes, falsePositiveRate: 0.001 });
      const plan = CuckooValues.plan(sizes);
      expect(usual.byteLength <= 2 * byteLength).toBe(isUsual);
      expect(plan.byteLength).toBe(isUsual ? usual.byteLength : byteLength);
    }
  });
});
