// An audited filter: what it finds, that it changes nothing where nothing is wrong, and what it can be in place of.
import { describe, expect, jest, test } from '@jest/globals';
import {
  CuckooFilter,
  Deduper,
  DisposedError,
  FilterFullError,
  InvalidKeyError,
  PackedKeys,
  type CuckooFilterOptions,
  type Key,
} from 'cuckoofilter-wasm';
import { audited, AuditError, type AuditErrorCode } from 'cuckoofilter-wasm/audit';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { sameBytes, thrownBy, withSeed } from '../support/random';

/** Short fingerprints in few buckets, so that keys are soon taken for others. */
const crowded = { capacity: 20, bucketCount: 8, bucketSize: 4, fingerprintBits: 4, seed: 1 } as const;
const roomy = { capacity: 1000, fingerprintBits: 32 } as const;

/** An audited filter that holds nothing. */
function watched(options: CuckooFilterOptions = roomy): CuckooFilter {
  return audited(new CuckooFilter(options));
}

/** What `operate` makes the audit find; the filter must then be as it was. */
function finding(filter: CuckooFilter, operate: () => unknown): AuditError {
  const saved = filter.serialize();
  const error = thrownBy(AuditError, operate);
  expect(sameBytes(filter.serialize(), saved)).toBe(true);
  return error;
}

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
      `deleting a key that is not in the filter may remove the entry of another key: ${twin}`,
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
          `do not delete from a filter filled by addIfAbsent: the key may share its entry with another, and both would be lost: ${JSON.stringify(key)}`,
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
      expect(error.message).toMatch(/^the number and its text are two keys, and the other one was added: /);
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
      expect.stringMatching(/^key 2: a key must be .*1\.5/),
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
    const failure = new Error('mine');
    expect(
      thrownBy(Error, () =>
        filter.addMany(
          (function* () {
            yield 'x';
            throw failure;
          })(),
        ),
      ),
    ).toBe(failure);
    expect(filter.delete('x')).toBe(true);
  });

  test('pass on what the iterator throws as it is, also where it comes from another filter', () => {
    const full = new CuckooFilter({ capacity: 1, bucketCount: 1, bucketSize: 1 }).add('only');
    for (const act of [() => full.add('one more'), () => full.addMany(['only', null as never])]) {
      const told: Error[] = [];
      for (const filter of [watched(), new CuckooFilter(roomy)]) {
        const problems: unknown[] = [];
        function* keys(): Generator<Key> {
          yield 'x';
          try {
            act();
          } catch (problem) {
            problems.push(problem);
            throw problem;
          }
        }
        told.push(thrownBy(Error, () => filter.addMany(keys())));
        expect(told.at(-1)).toBe(problems[0]);
        expect(filter.size).toBe(1);
      }
      expect(told[0]?.message).toBe(told[1]?.message);
    }
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

describe('audited', () => {
  test('goes on in a clone by itself, is emptied by clear, and ends with dispose', () => {
    const filter = watched().add('a');
    const copy = filter.clone();
    expect(copy.delete('a')).toBe(true);
    expect(finding(copy, () => copy.delete('a')).code).toBe('false-delete');
    expect(filter.delete('a')).toBe(true);
    filter.add('b').clear();
    expect(filter.contains('b')).toBe(false);
    expect(finding(filter, () => filter.delete('b')).code).toBe('false-delete');
    filter.dispose();
    filter.dispose();
    for (const operate of [
      () => filter.add('a'),
      () => filter.delete('a'),
      () => filter.contains('a'),
      () => filter.addMany([]),
      () => filter.clear(),
      () => filter.clone(),
      () => filter.size,
      () => filter.merge(watched()),
      () => watched().merge(filter),
    ])
      expect(operate).toThrow(DisposedError);
  });

  test('is what has to be asked for: no filter checks by itself, and it has no option', () => {
    for (const filter of [new CuckooFilter(roomy), CuckooFilter.deserialize(watched().add('a').serialize())])
      expect(filter.delete('never')).toBe(false);
    expect(() => new CuckooFilter({ ...roomy, audit: true } as CuckooFilterOptions)).toThrow(
      /^unknown option audit; /,
    );
  });

  test('takes a traced filter too, whose events go on', () => {
    const filter = audited(new Traced(roomy));
    filter.trace(1);
    filter.add('a');
    expect(thrownBy(AuditError, () => filter.delete('b')).code).toBe('false-delete');
    expect(filter.delete('a')).toBe(true);
    expect(filter.takeEvents().events.length).toBeGreaterThan(1);
    expect(filter.slots()).toHaveLength(filter.bucketCount * filter.bucketSize);
  });

  test('checks in a chain of calls as well, whatever is called first', () => {
    const filter = audited(new Traced(roomy));
    expect(filter.trace(1)).toBe(filter);
    expect(filter.add('a').merge(audited(new Traced(roomy)))).toBe(filter);
    expect(filter.mergeIfAbsent(audited(new Traced(roomy)))).toBe(filter);
  });

  test('takes a filter of layers', () => {
    const filter = audited(
      new ScalableCuckooFilter({ capacity: 10, maxCapacity: 20, falsePositiveRate: 1e-5 }),
    );
    const keys = Array.from({ length: 300 }, (_, i) => i);
    expect(filter.addMany(keys)).toBe(300);
    expect(filter.layers).toBeGreaterThan(1);
    expect(filter.containsMany(keys)).not.toContain(0);
    expect(thrownBy(AuditError, () => filter.delete(300)).code).toBe('false-delete');
    expect(thrownBy(AuditError, () => filter.has('299')).code).toBe('other-type');
    expect([filter.deleteMany(keys), filter.size]).toEqual([300, 0]);
    const merge = filter.merge as (other: object) => void;
    expect(() => merge.call(filter, filter.clone())).toThrow(/^a ScalableCuckooFilter cannot be merged/);
  });

  test('keeps account of a key whose onGrow throws after it is in', () => {
    const problem = new Error('mine');
    const onGrow = (): never => {
      throw problem;
    };
    const keys = Array.from({ length: 1500 }, (_, i) => i);
    for (const add of ['add', 'tryAdd', 'addIfAbsent'] as const) {
      const growing = audited(
        new CuckooFilter({ capacity: 100, maxCapacity: 1600, falsePositiveRate: 1e-6, onGrow }),
      );
      let thrown = 0;
      for (const key of keys)
        try {
          growing[add](key);
        } catch (error) {
          expect(error).toBe(problem);
          ++thrown;
        }
      expect(thrown).toBeGreaterThan(0);
      expect(growing.size).toBe(1500);
      expect(keys.map((key) => growing.count(key))).toEqual(keys.map(() => 1));
      expect(() => keys.map((key) => growing.has(String(key)))).toThrow(AuditError);
      if (add === 'addIfAbsent')
        for (const key of keys)
          expect(thrownBy(AuditError, () => growing.delete(key)).code).toBe('mixed-use');
      else expect(growing.deleteMany(keys)).toBe(1500);
    }
  });

  test('refuses a filter with keys, because it has not seen them', () => {
    const message = 'filter must be empty: the audit has to see every key. Call audited before adding keys';
    for (const filter of [
      new CuckooFilter(roomy).add('a'),
      new Traced(roomy).add('a'),
      CuckooFilter.from(['a']),
      CuckooFilter.deserialize(CuckooFilter.from(['a']).serialize()),
      new ScalableCuckooFilter(roomy).add('a') as unknown as CuckooFilter,
    ]) {
      expect(thrownBy(TypeError, () => audited(filter))).toMatchObject({ message, code: 'invalid-argument' });
      expect(filter.has('a')).toBe(true);
      filter.clear();
      expect(audited(filter).add('b').delete('b')).toBe(true);
    }
    const gone = new CuckooFilter(roomy);
    gone.dispose();
    expect(() => audited(gone)).toThrow(DisposedError);
  });

  test.each<[name: string, unknown, shown: string]>([
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a number', 5, '5'],
    ['an object', {}, 'an object'],
    ['options', roomy, 'an object'],
    ['saved bytes', new CuckooFilter(roomy).serialize(), '[object Uint8Array]'],
    ['a Set', new Set(), '[object Set]'],
    ['a class', CuckooFilter, 'class'],
    ['a prototype', CuckooFilter.prototype, 'an object'],
    ['what has the prototype only', Object.create(CuckooFilter.prototype), 'an object'],
    ['a proxy of a filter', new Proxy(new CuckooFilter(roomy), {}), 'an object'],
    ['an audited filter', watched(), 'a CuckooFilter'],
    ['a Deduper', new Deduper(roomy), 'a Deduper'],
    ['an ExpiringFilter', new ExpiringFilter({ capacity: 9, periods: 2 }), 'an ExpiringFilter'],
    ['a CuckooCounter', new CuckooCounter({ capacity: 9 }), 'a CuckooCounter'],
    ['a CuckooValues', new CuckooValues({ capacity: 9, valueBits: 4 }), 'a CuckooValues'],
  ])('refuses %s', (_, given, shown) => {
    const error = thrownBy(TypeError, () => audited(given as CuckooFilter));
    expect(error).toMatchObject({ code: 'invalid-argument' });
    expect(error.message).toMatch(
      /^filter must be a CuckooFilter or a ScalableCuckooFilter of the same module format, got /,
    );
    expect(error.message).toContain(`got ${shown}`);
  });
});

describe('in place of its filter, an audited one', () => {
  test('is an instance of its class, with its properties', () => {
    for (const Class of [CuckooFilter, Traced, ScalableCuckooFilter] as (typeof CuckooFilter)[]) {
      const plain = new Class(roomy);
      const filter = audited(new Class(roomy));
      expect(filter).toBeInstanceOf(Class);
      expect(filter.constructor).toBe(Class);
      expect(filter.clone()).toBeInstanceOf(Class);
      plain.add('a');
      filter.add('a');
      expect(JSON.stringify(filter)).toBe(JSON.stringify(plain));
      expect(String(filter)).toBe(String(plain));
      expect(filter.stats()).toEqual(plain.stats());
      expect([filter.equals(plain), plain.equals(filter), filter.equals(filter.clone())]).toEqual([
        true,
        true,
        true,
      ]);
      expect(filter).toEqual(plain);
      filter.add('b');
      expect(filter.equals(plain)).toBe(false);
    }
  });

  test('can have its methods replaced, as tests do', () => {
    const filter = watched();
    const has = jest.spyOn(filter, 'has').mockReturnValue(true);
    expect(filter.has('never added')).toBe(true);
    expect(has).toHaveBeenCalledWith('never added');
  });

  test('works without its object, as the checks belong to it', () => {
    const { has, addMany, containsMany } = watched();
    expect([addMany(['a', 'b']), has('a'), [...containsMany(['a', 'c'])]]).toEqual([2, true, [1, 0]]);
  });

  test('grows, shrinks, and takes keys that arrive over time', async () => {
    let doublings = 0;
    const filter = audited(
      new CuckooFilter({
        capacity: 20,
        maxCapacity: 5000,
        falsePositiveRate: 1e-6,
        onGrow: () => void ++doublings,
      }),
    );
    const keys = Array.from({ length: 3000 }, (_, i) => i);
    expect(await filter.addManyAsync(keys.map((key) => Promise.resolve(key)))).toBe(3000);
    expect(doublings).toBe(filter.stats().growthCount);
    expect(doublings).toBeGreaterThan(2);
    expect(filter.deleteMany(keys.slice(10))).toBe(2990);
    expect(filter.shrink()).toBe(true);
    expect(filter.containsMany(keys.slice(0, 10))).not.toContain(0);
    expect(thrownBy(AuditError, () => filter.delete(11)).code).toBe('false-delete');
    const stop = AbortSignal.abort(new Error('enough'));
    await expect(filter.addManyAsync(keys, { signal: stop })).rejects.toThrow('enough');
    await expect(filter.addManyAsync([...keys.slice(0, 5), null as never])).rejects.toMatchObject({
      code: 'invalid-key',
      index: 5,
    });
    filter.dispose();
    await expect(filter.addManyAsync([])).rejects.toThrow(DisposedError);
  });

  test.each<[string, Partial<CuckooFilterOptions>]>([
    ['the default hash', {}],
    ['a secret key', { hash: { algorithm: 'siphash-1-3', key: new Uint8Array(16).fill(7) } }],
  ])('is merged with another, both with %s', (_, more) => {
    const made = (...keys: Key[]): CuckooFilter => {
      const filter = watched({ ...roomy, ...more });
      filter.addMany(keys);
      return filter;
    };
    const one = made('a', 'b');
    const other = made('b', 'c');
    expect(one.merge(other)).toBe(one);
    expect([one.size, one.count('b'), other.size]).toEqual([4, 2, 2]);
    expect(one.deleteMany(['a', 'b', 'b', 'c'])).toBe(4);
    expect(finding(one, () => one.delete('b')).code).toBe('false-delete');
    const absent = made('a').mergeIfAbsent(other);
    expect([...absent.containsMany(['a', 'b', 'c', 'd'])]).toEqual([1, 1, 1, 0]);
    expect(finding(absent, () => absent.delete('a')).code).toBe('mixed-use');
    expect(other.delete('b')).toBe(true);
    expect(made('a').equals(made('a'))).toBe(true);
  });

  test('with a secret key is merged into a plain one, and equals it', () => {
    const hash = { algorithm: 'siphash-1-3', key: new Uint8Array(16).fill(7) } as const;
    const plain = new CuckooFilter({ ...roomy, hash }).add('a');
    const filter = watched({ ...roomy, hash }).add('b');
    expect([...plain.merge(filter).containsMany(['a', 'b'])]).toEqual([1, 1]);
    filter.add('a');
    expect(plain.mergeIfAbsent(filter).size).toBe(2);
    expect([plain.equals(filter), filter.equals(plain)]).toEqual([true, true]);
  });

  test('is what a Deduper may have inside', async () => {
    const deduper = new Deduper(watched());
    expect([deduper.isNew('a'), deduper.isNew('a'), deduper.hasSeen('a'), deduper.hasSeen('b')]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect([...deduper.areNew(['a', 'b', 5])]).toEqual([0, 1, 1]);
    expect([...(await deduper.areNewAsync(['b', 'c']))]).toEqual([0, 1]);
    expect([...deduper.haveSeen(['a', 'd'])]).toEqual([1, 0]);
    expect(thrownBy(AuditError, () => deduper.isNew('5')).code).toBe('other-type');
    expect(thrownBy(AuditError, () => deduper.hasSeen('5')).key).toBe('5');
    expect([deduper.size, deduper.capacity, deduper.droppedShare]).toEqual([4, 1000, expect.any(Number)]);
    const other = new Deduper(watched());
    other.isNew('z');
    expect(deduper.merge(other).hasSeen('z')).toBe(true);
    expect(() => deduper.merge(new Deduper(roomy))).toThrow('other must be audited, too');
    const copy = deduper.clone();
    expect(thrownBy(AuditError, () => copy.isNew('5')).code).toBe('other-type');
    deduper.dispose();
    expect(() => deduper.isNew('a')).toThrow(DisposedError);
    expect(copy.hasSeen('a')).toBe(true);
  });

  test('is disposed of by using', () => {
    const inner = new CuckooFilter(roomy);
    {
      using filter = audited(inner).add('a');
      expect(filter.has('a')).toBe(true);
    }
    expect(() => inner.has('a')).toThrow(DisposedError);
    const filter = watched();
    filter[Symbol.dispose]();
    expect(() => filter.add('a')).toThrow(DisposedError);
  });
});

test('an AuditError is an Error with a name, a code and the key', () => {
  const codes: AuditErrorCode[] = ['false-delete', 'mixed-use', 'false-negative', 'other-type'];
  for (const code of codes) {
    const error = new AuditError('text', code, 5n);
    expect(error).toBeInstanceOf(Error);
    expect([error.name, error.message, error.code, error.key]).toEqual(['AuditError', 'text: 5n', code, 5n]);
  }
  expect(AuditError.name).toBe('AuditError');
});
