// Batches of keys: their lengths, and what is left behind where a key is bad.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, InvalidKeyError, PackedKeys, type Key, type Keys } from 'cuckoofilter-wasm';
import { integers } from '../support/integers';
import { thrownBy, withSeed } from '../support/random';
import { options, METHODS, counted } from './counted';

test('numbers in runs of any length, among other keys, are the keys that they are one by one', () => {
  const key = (i: number): Key =>
    [
      `text ${i}`,
      BigInt(i) << 40n,
      Uint8Array.of(i, i >> 8),
      i - 2 ** 31,
      -i,
      i * 2 ** 20,
      Number.MAX_SAFE_INTEGER - i,
    ][i % 7] as Key;
  const numbers = (count: number, from: number): Key[] =>
    Array.from({ length: count }, (_, i) => (from + i) * (i % 2 === 0 ? 1 : -(2 ** 21)));
  const keys: Key[] = [];
  for (let run = 0; run < 40; ++run)
    keys.push(key(run), ...numbers(run, 1000 * run), key(run + 50), key(run + 51));
  keys.push(...numbers(5000, 7e6));
  using one = new CuckooFilter({ capacity: 20_000, fingerprintBits: 30 });
  for (const each of keys) one.tryAdd(each);
  using many = new CuckooFilter({ capacity: 20_000, fingerprintBits: 30 });
  expect(many.addMany(keys)).toBe(keys.length);
  expect(many.equals(one)).toBe(true);
  expect(one.countMany(new Set(keys))).not.toContain(0);
  // A number that is no key ends a run.
  for (const at of [0, 5, 15, 16, 17, 40]) {
    const wrong = numbers(60, 1);
    wrong[at] = 1.5;
    using filter = new CuckooFilter({ capacity: 100 });
    expect(thrownBy(InvalidKeyError, () => filter.addMany(wrong)).index).toBe(at);
    expect(filter.size).toBe(at);
  }
});

describe('a batch of any length', () => {
  test.each([0, 1, 2, 4095, 4096, 4097, 8192, 8193, 12_289])(
    'of %d keys does each of them, in every form',
    (length) => {
      const list = Array.from({ length }, (_, i) => i);
      const forms: Keys[] = [
        list,
        new Set(list),
        counted(length, (i) => i).keys,
        Uint32Array.from(list),
        Int32Array.from(list),
        Float64Array.from(list),
        BigUint64Array.from(list, BigInt),
        BigInt64Array.from(list, BigInt),
      ];
      for (const keys of forms) {
        using filter = new CuckooFilter(options);
        expect(filter.addMany(keys)).toBe(length);
        expect(filter.size).toBe(length);
        const answers = filter.containsMany(list);
        expect(answers).toHaveLength(length);
        expect(answers.includes(0)).toBe(false);
        expect(filter.countMany(list)).toEqual(new Uint32Array(length).fill(1));
      }
      using filter = new CuckooFilter(options);
      for (const keys of [list, Uint32Array.from(list)]) {
        expect(filter.addManyIfAbsent(keys)).toEqual(new Uint8Array(length).fill(1));
        expect(filter.addManyIfAbsent(new Set(list))).toEqual(new Uint8Array(length));
        expect(filter.deleteMany(keys)).toBe(length);
        expect(filter.size).toBe(0);
      }
    },
  );

  test('of text of every length around the shared buffer gives what single calls give', () => {
    const lengths = [
      0, 1, 100, 21_844, 21_845, 21_846, 43_690, 43_691, 65_535, 65_536, 65_537, 7, 0, 30_000, 40_000, 3,
    ];
    const keys = lengths.flatMap((length, i) => [
      `${i}`.padEnd(length, 'x'),
      new Uint8Array(length).fill(i),
      i,
    ]);
    using batch = new CuckooFilter(options);
    using singles = new CuckooFilter(options);
    batch.addMany(keys);
    for (const key of keys) singles.add(key);
    expect(batch.equals(singles)).toBe(true);
    expect(batch.containsMany(keys).includes(0)).toBe(false);
    expect(batch.deleteMany(keys)).toBe(keys.length);
  });

  test(
    'of texts of any characters gives what single calls give, also where halves of pairs meet at a border',
    withSeed(4, (random) => {
      const pieces = ['', 'a', 'key:', 'é', '你', '\u{1f600}', '\ud83d', '\ude00', '\udc00\ud800'];
      const piece = (): string => pieces[random.below(pieces.length)] ?? '';
      for (let round = 0; round < 300; ++round) {
        const keys: Key[] = Array.from({ length: random.below(40) }, () =>
          random.below(20) === 0
            ? random.below(100)
            : Array.from({ length: random.below(5) }, piece).join(''),
        ).filter((key, i, all) => all.indexOf(key) === i);
        using batch = new CuckooFilter(options);
        using singles = new CuckooFilter(options);
        batch.addMany(keys);
        for (const key of keys) singles.add(key);
        expect(batch.equals(singles)).toBe(true);
      }
    }),
  );

  test('is read from an array as it iterates, be it one that was made to iterate otherwise', () => {
    const keys = ['a', 'b', 'c'];
    keys[Symbol.iterator] = () => ['x'].values();
    using filter = new CuckooFilter(options);
    expect(filter.addMany(keys)).toBe(1);
    expect([...filter.containsMany(['a', 'x'])]).toEqual([0, 1]);
  });

  test('is read from that part of the buffer which the typed array shows', () => {
    const all = BigUint64Array.from({ length: 100 }, (_, i) => BigInt(i));
    using filter = new CuckooFilter(options);
    expect(filter.addMany(all.subarray(10, 20))).toBe(10);
    expect([...filter.containsMany(all)].flatMap((found, i) => (found === 1 ? [i] : []))).toEqual([
      10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
    ]);
  });

  test('gives masks of their own, which later calls do not change', () => {
    using filter = new CuckooFilter(options);
    const first = filter.containsMany([1, 2, 3]);
    filter.addMany([1, 2, 3]);
    const second = filter.containsMany([1, 2, 3]);
    expect([[...first], [...second]]).toEqual([
      [0, 0, 0],
      [1, 1, 1],
    ]);
    expect(first.buffer.byteLength).toBeLessThan(100);
  });
});

describe('a bad key at an index', () => {
  test.each([0, 1, 77, 4095, 4096, 4097, 9000])(
    '%d of a batch leaves the keys before it done, and the error says the index',
    (index) => {
      const keyed = (i: number): Key => (i === index ? (1.5 as Key) : i);
      for (const form of ['array', 'generator'] as const) {
        const { keys, wasClosed } = counted(index + 5000, keyed);
        using filter = new CuckooFilter(options);
        const error = thrownBy(TypeError, () => filter.addMany(form === 'array' ? [...keys] : keys));
        expect(error.message).toMatch(new RegExp(`\\b${index}\\b.*1\\.5`));
        expect(filter.size).toBe(index);
        expect(filter.containsMany(integers(0, index)).includes(0)).toBe(false);
        expect(filter.contains(index + 1)).toBe(false);
        expect(wasClosed()).toBe(true);
      }
    },
  );

  test('of addManyIfAbsent, containsMany and deleteMany is reported as well, and the generator closed', () => {
    for (const method of METHODS) {
      using filter = new CuckooFilter(options);
      filter.addMany(['k0', 'k1']);
      const { keys, wasClosed } = counted(10, (i) => (i === 2 ? (null as never) : `k${i}`));
      expect(thrownBy(TypeError, () => filter[method](keys)).message).toMatch(/\b2\b.*null/);
      expect(filter.size).toBe({ addMany: 4, addManyIfAbsent: 2, containsMany: 2, deleteMany: 0 }[method]);
      expect(wasClosed()).toBe(true);
    }
  });
});

/** What is no key, and calls `act` when its name is asked for an error. */
const NAMED: readonly (readonly [string, (act: () => void) => unknown])[] = [
  [
    'an object with a tag',
    (act) => ({
      get [Symbol.toStringTag]() {
        act();
        return 'Evil';
      },
    }),
  ],
  ['a proxy', (act) => new Proxy({}, { get: () => (act(), undefined) })],
];

describe('a bad key whose name is code of the user', () => {
  test.each(NAMED)('of %s cannot change the keys before it, which are in', (_, make) => {
    for (const before of [['aaaa', 'bbbb', 5], ['', '', ''], [Uint8Array.of(1), 'c'], ['']]) {
      using filter = new CuckooFilter(options);
      using other = new CuckooFilter(options);
      const act = (): void => {
        filter.add('single');
        other.addMany(['other'.repeat(20), 'x', 'y', 'z']);
        other.contains('z'.repeat(70_000));
      };
      const bad = make(act) as Key;
      const error = thrownBy(InvalidKeyError, () => filter.addMany([...before, bad, 'after']));
      expect(error.message).toMatch(`key ${before.length}: `);
      expect([error.code, error.index]).toEqual(['invalid-key', before.length]);
      expect(filter.contains('single')).toBe(true);
      expect(filter.containsMany(before).includes(0)).toBe(false);
      expect([filter.contains('after'), filter.contains('x')]).toEqual([false, false]);
    }
  });
});

test('a buffer that onGrow transfers away has given all its keys before', () => {
  const numbers = Float64Array.from({ length: 20_000 }, (_, i) => i);
  const ends = Uint32Array.from({ length: 20_000 }, (_, i) => 4 * i + 4);
  const packed = new PackedKeys(new Uint8Array(Uint32Array.from(ends).buffer), ends);
  for (const [keys, { buffer }] of [
    [numbers, numbers],
    [packed, ends],
  ] as const) {
    let isGone = false;
    const onGrow = (): void => {
      if (!isGone) structuredClone(buffer, { transfer: [buffer] });
      isGone = true;
    };
    using filter = new CuckooFilter({ capacity: 100, maxCapacity: 50_000, onGrow });
    expect(filter.addMany(keys)).toBe(20_000);
    expect([isGone, filter.size]).toEqual([true, 20_000]);
  }
});
