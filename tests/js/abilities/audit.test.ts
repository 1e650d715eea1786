// What an audit finds, in single calls and in batches, and that it changes nothing where nothing is wrong.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, FilterFullError, InvalidKeyError, PackedKeys, type Key } from 'cuckoofilter-wasm';
import { audited, AuditError } from 'cuckoofilter-wasm/audit';
import { thrownBy, withSeed } from '../support/random';
import { roomy, watched, finding, crowded } from './watched';

/** The first integer from 0 up that the filter takes for another key. */
function twinIn(filter: CuckooFilter, isOther: (key: number) => boolean): number {
  for (let key = 0; ; ++key) if (isOther(key) && filter.contains(key)) return key;
}

describe('an audited filter', () => {
  test.each([
    ['a text', 'never', 'added'],
    ['an integer', 5, 6],
    ['a bigint', 2n ** 63n, 5n],
    ['bytes', Uint8Array.of(1, 2), Uint8Array.of(1)],
    ['an empty key', '', 'a'],
    ['a long text', 'é'.repeat(100_000), 'é'.repeat(99_999)],
  ] as [string, Key, Key][])('refuses the delete of %s never added, found or not', (_, never, added) => {
    const filter = watched().add(added);
    const error = finding(filter, () => filter.delete(never));
    expect([error.name, error.code, error.key]).toEqual(['AuditError', 'false-delete', never]);
    expect(error).toBeInstanceOf(Error);
    expect(filter.delete(added)).toBe(true);
    expect(finding(filter, () => filter.delete(added)).code).toBe('false-delete');
  });

  test('refuses the delete that would lose another key, which a plain filter obeys', () => {
    const plain = new CuckooFilter(crowded).add('mine');
    const twin = twinIn(plain, () => true);
    const filter = watched(crowded).add('mine');
    const { message } = finding(filter, () => filter.delete(twin));
    expect(message).toBe(
      `${twin}: deleting a key that was not added, or already deleted, may remove another's entry: delete only what you added`,
    );
    expect(filter.contains('mine')).toBe(true);
    expect(plain.delete(twin)).toBe(true);
    expect(plain.contains('mine')).toBe(false);
  });

  test('counts copies, and takes a key for the same in every form it has', () => {
    const filter = watched().add('é').add(Uint8Array.of(0xc3, 0xa9));
    expect(filter.count('é')).toBe(2);
    expect([filter.delete(new DataView(Uint8Array.of(0xc3, 0xa9).buffer)), filter.delete('é')]).toEqual([
      true,
      true,
    ]);
    expect(finding(filter, () => filter.delete('é')).code).toBe('false-delete');
    for (const [one, other] of [
      [5, 5n],
      [-1, 2n ** 64n - 1n],
      [258, Uint8Array.of(2, 1, 0, 0, 0, 0, 0, 0)],
    ] as [Key, Key][])
      expect(filter.add(one).delete(other)).toBe(true);
    expect(filter.size).toBe(0);
  });

  test('finds a key that was lost, in every lookup and at its delete', () => {
    // The fingerprint is removed behind the audit's back, which no user should do.
    const lose = (key: Key): CuckooFilter => {
      const inner = new CuckooFilter(roomy);
      const filter = audited(inner).add(key).add('other');
      inner.delete(key);
      return filter;
    };
    for (const operate of ['contains', 'has', 'count', 'delete', 'addIfAbsent'] as const) {
      const filter = lose('lost');
      const error = finding(filter, () => filter[operate]('lost'));
      expect([error.code, error.key]).toEqual(['false-negative', 'lost']);
      expect(filter.contains('other')).toBe(true);
    }
    for (const operate of ['containsMany', 'deleteMany', 'addManyIfAbsent'] as const)
      expect(finding(lose(7), () => lose(7)[operate]([7])).code).toBe('false-negative');
  });

  test('finds a key of which fewer copies are there than were added', () => {
    const inner = new CuckooFilter(roomy);
    const filter = audited(inner).add('twice').add('twice');
    inner.delete('twice');
    expect(filter.has('twice')).toBe(true);
    for (const operate of ['count', 'delete', 'addIfAbsent'] as const)
      expect(finding(filter, () => filter[operate]('twice')).code).toBe('false-negative');
  });

  test(
    'finds nothing, and does what a plain filter does, where keys are used as they should be',
    withSeed(9, (random) => {
      for (const options of [crowded, { ...roomy, bucketCount: 40, fingerprintBits: 9, capacity: 100 }]) {
        const filter = watched(options);
        const plain = new CuckooFilter(options);
        const stored: number[] = [];
        for (let step = 0; step < 1500; ++step) {
          const key = random.below(200);
          const outcome = filter.tryAdd(key);
          expect(plain.tryAdd(key)).toBe(outcome);
          if (outcome === 'added') stored.push(key);
          while (stored.length > 0 && random.below(3) === 0) {
            const [gone] = stored.splice(random.below(stored.length), 1) as [number];
            expect([filter.delete(gone), plain.delete(gone)]).toEqual([true, true]);
          }
          const other = random.below(200);
          expect(filter.count(other)).toBe(plain.count(other));
          expect(filter.has(other)).toBe(plain.has(other));
        }
        expect(filter.equals(plain)).toBe(true);
      }
    }),
  );
});

/** A filter filled by addIfAbsent, and a key that shares its entry with `mine`. */
function shared(): { filter: CuckooFilter; twin: number } {
  const filter = watched(crowded);
  expect(filter.addIfAbsent('mine')).toBe(true);
  const inner = new CuckooFilter(crowded).add('mine');
  const twin = twinIn(inner, () => true);
  expect(filter.addIfAbsent(twin)).toBe(false);
  return { filter, twin };
}

describe('mixed use', () => {
  test('is found at the delete of either key that shares an entry, which a plain filter obeys', () => {
    const { filter, twin } = shared();
    for (const key of ['mine', twin, 'never'])
      for (const operate of [() => filter.delete(key), () => filter.deleteMany([key])]) {
        const error = finding(filter, operate);
        expect([error.code, error.key]).toEqual(['mixed-use', key]);
        expect(error.message).toBe(
          `${JSON.stringify(key)}: do not delete from a filter filled by addIfAbsent or mergeIfAbsent: keys may share an entry, and would be lost together`,
        );
      }
    expect([...filter.containsMany(['mine', twin])]).toEqual([1, 1]);
    const plain = new CuckooFilter(crowded);
    expect([plain.addIfAbsent('mine'), plain.addIfAbsent(twin), plain.delete('mine')]).toEqual([
      true,
      false,
      true,
    ]);
    expect(plain.has(twin)).toBe(false);
  });

  test('is found at the first delete, also where no two of 1,000 keys share an entry', () => {
    const keys = Array.from({ length: 1000 }, (_, i) => `key ${i}`);
    const fillings: ((filter: CuckooFilter) => unknown)[] = [
      (filter) => keys.map((key) => filter.addIfAbsent(key)),
      (filter) => filter.addManyIfAbsent(keys),
      (filter) => filter.addMany(keys.slice(1)) && filter.addIfAbsent('key 0'),
      (filter) => {
        const other = watched();
        other.addMany(keys);
        filter.mergeIfAbsent(other);
      },
      (filter) => {
        const other = watched();
        other.addManyIfAbsent(keys);
        filter.merge(other);
      },
    ];
    for (const fill of fillings) {
      const filter = watched();
      fill(filter);
      expect(filter.size).toBe(1000);
      expect(finding(filter, () => filter.delete('key 7')).code).toBe('mixed-use');
      expect(finding(filter, () => filter.deleteMany(keys)).code).toBe('mixed-use');
      expect(finding(filter.clone(), () => filter.clone().delete('key 7')).code).toBe('mixed-use');
      // Emptied, it may be used in another way.
      filter.clear();
      expect(filter.add('a').delete('a')).toBe(true);
    }
  });

  test('comes after a key that was lost, and one of another type', () => {
    const inner = new CuckooFilter(roomy);
    const filter = audited(inner);
    filter.addManyIfAbsent(['lost', 5]);
    inner.delete('lost');
    expect(finding(filter, () => filter.delete('lost')).code).toBe('false-negative');
    expect(finding(filter, () => filter.delete('5')).code).toBe('other-type');
    expect(finding(filter, () => filter.delete(5)).code).toBe('mixed-use');
  });
});

describe('a key of the other type', () => {
  const ASKS = ['contains', 'has', 'count', 'delete', 'addIfAbsent'] as const;
  const BATCHES = ['containsMany', 'deleteMany', 'addManyIfAbsent'] as const;

  test.each([
    [5, '5'],
    ['5', 5],
    ['5', 5n],
    [5n, '5'],
    [0, '0'],
    ['0', -0],
    [-7, '-7'],
    ['-7', -7],
    ['-7', -7n],
    [2 ** 53 - 1, '9007199254740991'],
    [2n ** 53n + 1n, '9007199254740993'],
    [2n ** 64n - 1n, '18446744073709551615'],
    ['18446744073709551615', 2n ** 64n - 1n],
    [-(2n ** 63n), '-9223372036854775808'],
    ['-9223372036854775808', -(2n ** 63n)],
  ] as [Key, Key][])('is found where %p was added and %p is asked for', (added, asked) => {
    const filter = watched().add(added);
    for (const operate of ASKS) {
      const error = finding(filter, () => filter[operate](asked));
      expect([error.code, error.key]).toEqual(['other-type', asked]);
      expect(error.message).toMatch(
        /: a number and its string are two keys, and the other one was added: convert ids/,
      );
    }
    for (const operate of BATCHES)
      expect(finding(filter, () => filter[operate]([asked])).code).toBe('other-type');
    expect(filter.delete(added)).toBe(true);
    // A deleted key is no longer in the filter.
    expect([filter.has(asked), filter.addIfAbsent(asked)]).toEqual([false, true]);
  });

  test.each([
    [5, '05'],
    [5, '+5'],
    [5, '5.0'],
    [5, ' 5'],
    [5, '5n'],
    [5, '0x5'],
    [5, 5n],
    [0, '-0'],
    [0, ''],
    [1000, '1e3'],
    [2n ** 64n - 1n, -1],
    ['18446744073709551616', 0],
    ['007', 7],
    ['5.5', 5],
    ['99999999999999999999', 5],
    ['5', Uint8Array.of(0x35)],
    [5, Uint8Array.of(5, 0, 0, 0, 0, 0, 0, 0)],
    ['alice', 'bob'],
  ] as [Key, Key][])('is not thought to be found where %p was added and %p is asked for', (added, asked) => {
    const filter = watched().add(added);
    const plain = new CuckooFilter(roomy).add(added);
    expect([filter.has(asked), filter.count(asked)]).toEqual([plain.has(asked), plain.count(asked)]);
    expect(filter.containsMany([asked])).toEqual(plain.containsMany([asked]));
    expect(filter.addIfAbsent(asked)).toBe(plain.addIfAbsent(asked));
  });

  test('is a key like any other where both were added', () => {
    const filter = watched();
    for (const key of [5, '5', -7n, '-7']) filter.add(key);
    expect([...filter.containsMany([5, '5', 5n, -7, '-7'])]).toEqual([1, 1, 1, 1, 1]);
    expect([filter.delete('5'), filter.has(5), filter.delete(5)]).toEqual([true, true, true]);
    expect([filter.has(5), filter.has('5')]).toEqual([false, false]);
  });
});

describe('its batches', () => {
  test('give what those of a plain filter give', () => {
    const packed = new PackedKeys(Buffer.from('abba'), Uint32Array.of(1, 2, 4));
    for (const keys of [
      ['a', 'b', 'a'],
      new Set([1, 2]),
      Float64Array.of(1, 2, 2),
      BigInt64Array.of(5n),
      packed,
    ]) {
      const [filter, plain] = [watched(), new CuckooFilter(roomy)];
      for (const method of ['addMany', 'containsMany', 'deleteMany', 'addManyIfAbsent'] as const)
        expect(filter[method](keys)).toEqual(plain[method](keys));
      expect(filter.equals(plain)).toBe(true);
    }
    expect(watched().addMany([])).toBe(0);
  });

  test('throw the same errors, with the keys before them done', () => {
    const bad = ['a', 'b', 1.5, 'c'];
    const filter = watched();
    const error = thrownBy(InvalidKeyError, () => filter.addMany(bad));
    expect([error.code, error.index, error.message]).toEqual([
      'invalid-key',
      2,
      expect.stringMatching(/^key 2: .*1\.5/),
    ]);
    expect([filter.size, filter.delete('b')]).toEqual([2, true]);
    expect(() => filter.addMany(undefined as never)).toThrow(TypeError);
    const full = watched(crowded);
    const keys = Array.from({ length: 100 }, (_, i) => i);
    expect(thrownBy(FilterFullError, () => full.addMany(keys)).added).toBe(full.size);
    full.clear();
    expect(thrownBy(FilterFullError, () => full.addManyIfAbsent(Array(9).fill(keys).flat())).added).toBe(
      full.size,
    );
  });

  test('of addMany and deleteMany carry no answers, as those of a plain filter', () => {
    for (const filter of [watched(), new CuckooFilter(roomy)]) {
      const error = thrownBy(InvalidKeyError, () => filter.addMany(['a', null as never]));
      expect('answers' in error).toBe(false);
    }
  });

  test('stop at the first false delete, and the deletes before it are done', () => {
    const filter = watched();
    filter.addMany(['a', 'b', 'c']);
    const error = thrownBy(AuditError, () => filter.deleteMany(['a', 'x', 'b']));
    expect([error.code, error.key, filter.size]).toEqual(['false-delete', 'x', 2]);
  });
});
