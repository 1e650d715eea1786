// The option audit: what it finds, that it changes nothing where nothing is wrong, and that it is off by default.
import { describe, expect, test } from '@jest/globals';
import { AuditError, CuckooFilter, DisposedError, FilterFullError, type Key } from 'cuckoofilter-wasm';
import { AuditError as TracedError, CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { sameBytes, thrownBy, withSeed } from './random';

/** Short fingerprints in few buckets, so that keys are soon taken for others. */
const crowded = { capacity: 20, bucketCount: 8, bucketSize: 4, fingerprintBits: 4, seed: 1 } as const;
const roomy = { capacity: 1000, fingerprintBits: 32 } as const;

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
    const filter = new CuckooFilter({ ...roomy, audit: true }).add(added);
    const error = finding(filter, () => filter.delete(never));
    expect([error.name, error.kind, error.key]).toEqual(['AuditError', 'false-delete', never]);
    expect(error).toBeInstanceOf(Error);
    expect(filter.delete(added)).toBe(true);
    expect(finding(filter, () => filter.delete(added)).kind).toBe('false-delete');
  });

  test('refuses the delete that would lose another key, which a plain filter obeys', () => {
    const plain = new CuckooFilter(crowded).add('mine');
    const twin = twinIn(plain, () => true);
    const filter = new CuckooFilter({ ...crowded, audit: true }).add('mine');
    const { message } = finding(filter, () => filter.delete(twin));
    expect(message).toBe(
      `deleting a key that is not in the filter may remove the entry of another key: ${twin}`,
    );
    expect(filter.contains('mine')).toBe(true);
    expect(plain.delete(twin)).toBe(true);
    expect(plain.contains('mine')).toBe(false);
  });

  test('counts copies, and takes a key for the same in every form it has', () => {
    const filter = new CuckooFilter({ ...roomy, audit: true }).add('é').add(Uint8Array.of(0xc3, 0xa9));
    expect(filter.count('é')).toBe(2);
    expect([filter.delete(new DataView(Uint8Array.of(0xc3, 0xa9).buffer)), filter.delete('é')]).toEqual([
      true,
      true,
    ]);
    expect(finding(filter, () => filter.delete('é')).kind).toBe('false-delete');
    for (const [one, other] of [
      [5, 5n],
      [-1, 2n ** 64n - 1n],
      [258, Uint8Array.of(2, 1, 0, 0, 0, 0, 0, 0)],
    ] as [Key, Key][])
      expect(filter.add(one).delete(other)).toBe(true);
    expect(filter.size).toBe(0);
  });

  test('finds a key that was lost, in every lookup and at its delete', () => {
    // What no user can do: the fingerprint is removed behind the audit's back.
    const lose = (key: Key): CuckooFilter => {
      const filter = new CuckooFilter({ ...roomy, audit: true }).add(key).add('other');
      CuckooFilter.prototype.delete.call(filter, key);
      return filter;
    };
    for (const operate of ['contains', 'has', 'count', 'delete', 'addIfAbsent'] as const) {
      const filter = lose('lost');
      const error = finding(filter, () => filter[operate]('lost'));
      expect([error.kind, error.key]).toEqual(['false-negative', 'lost']);
      expect(filter.contains('other')).toBe(true);
    }
    for (const operate of ['containsMany', 'deleteMany', 'addManyIfAbsent'] as const)
      expect(finding(lose(7), () => lose(7)[operate]([7])).kind).toBe('false-negative');
  });

  test('finds addIfAbsent and delete on one key that was taken for another', () => {
    const made = (): { filter: CuckooFilter; twin: number } => {
      const filter = new CuckooFilter({ ...crowded, audit: true });
      expect(filter.addIfAbsent('mine')).toBe(true);
      const twin = twinIn(filter, () => true);
      expect(filter.addIfAbsent(twin)).toBe(false);
      return { filter, twin };
    };
    const { filter, twin } = made();
    expect(finding(filter, () => filter.delete(twin)).kind).toBe('mixed-use');
    expect(finding(filter, () => filter.deleteMany([twin])).kind).toBe('mixed-use');
    // The delete of the other key is right by itself, but loses this one.
    expect(filter.delete('mine')).toBe(true);
    for (const operate of ['contains', 'count', 'delete', 'addIfAbsent'] as const) {
      const error = finding(filter, () => filter[operate](twin));
      expect([error.kind, error.key]).toEqual(['mixed-use', twin]);
      expect(error.message).toMatch(/share an entry .*addIfAbsent.* delete loses both: /);
    }
    // Added by itself it is a key like any other.
    const second = made();
    second.filter.add(second.twin);
    expect([second.filter.delete(second.twin), second.filter.delete('mine')]).toEqual([true, true]);
  });

  test(
    'finds nothing, and does what a plain filter does, where keys are used as they should be',
    withSeed(9, (random) => {
      for (const options of [crowded, { ...roomy, bucketCount: 40, fingerprintBits: 9, capacity: 100 }]) {
        const audited = new CuckooFilter({ ...options, audit: true });
        const plain = new CuckooFilter(options);
        const stored: number[] = [];
        for (let step = 0; step < 1500; ++step) {
          const key = random.below(200);
          const outcome = audited.tryAdd(key);
          expect(plain.tryAdd(key)).toBe(outcome);
          if (outcome === 'added') stored.push(key);
          while (stored.length > 0 && random.below(3) === 0) {
            const [gone] = stored.splice(random.below(stored.length), 1) as [number];
            expect([audited.delete(gone), plain.delete(gone)]).toEqual([true, true]);
          }
          const other = random.below(200);
          expect(audited.count(other)).toBe(plain.count(other));
          expect(audited.has(other)).toBe(plain.has(other));
        }
        expect(audited.equals(plain)).toBe(true);
      }
    }),
  );
});

describe('its batches', () => {
  const filter = (): CuckooFilter => new CuckooFilter({ ...roomy, audit: true });

  test('give what those of a plain filter give', () => {
    for (const keys of [['a', 'b', 'a'], new Set([1, 2]), Float64Array.of(1, 2, 2), BigInt64Array.of(5n)]) {
      const [audited, plain] = [filter(), new CuckooFilter(roomy)];
      for (const method of ['addMany', 'containsMany', 'deleteMany', 'addManyIfAbsent'] as const)
        expect(audited[method](keys)).toEqual(plain[method](keys));
      expect(audited.equals(plain)).toBe(true);
    }
    expect(CuckooFilter.from(['a', 'b'], { audit: true }).containsMany(['a', 'b'])).toEqual(
      Uint8Array.of(1, 1),
    );
  });

  test('throw the same errors, with the keys before them done', () => {
    const bad = ['a', 'b', 1.5, 'c'];
    const audited = filter();
    expect(thrownBy(TypeError, () => audited.addMany(bad)).message).toMatch(/^key 2: .*1\.5/);
    expect([audited.size, audited.delete('b')]).toEqual([2, true]);
    expect(() => audited.addMany(undefined as never)).toThrow(TypeError);
    const full = new CuckooFilter({ ...crowded, audit: true });
    const keys = Array.from({ length: 100 }, (_, i) => i);
    expect(thrownBy(FilterFullError, () => full.addMany(keys)).added).toBe(full.size);
    full.clear();
    expect(thrownBy(FilterFullError, () => full.addManyIfAbsent(Array(9).fill(keys).flat())).added).toBe(
      full.size,
    );
    const failure = new Error('mine');
    expect(
      thrownBy(Error, () =>
        audited.addMany(
          (function* () {
            yield 'x';
            throw failure;
          })(),
        ),
      ),
    ).toBe(failure);
    expect(audited.delete('x')).toBe(true);
  });

  test('stop at the first false delete, and the deletes before it are done', () => {
    const audited = filter();
    audited.addMany(['a', 'b', 'c']);
    const error = thrownBy(AuditError, () => audited.deleteMany(['a', 'x', 'b']));
    expect([error.kind, error.key, audited.size]).toEqual(['false-delete', 'x', 2]);
  });
});

describe('the audit', () => {
  test('goes on in a clone by itself, is emptied by clear, and ends with dispose', () => {
    const filter = new CuckooFilter({ ...roomy, audit: true }).add('a');
    const copy = filter.clone();
    expect(copy.delete('a')).toBe(true);
    expect(finding(copy, () => copy.delete('a')).kind).toBe('false-delete');
    expect(filter.delete('a')).toBe(true);
    filter.add('b').clear();
    expect(filter.contains('b')).toBe(false);
    expect(finding(filter, () => filter.delete('b')).kind).toBe('false-delete');
    filter.dispose();
    for (const operate of [
      () => filter.add('a'),
      () => filter.delete('a'),
      () => filter.contains('a'),
      () => filter.addMany([]),
      () => filter.clear(),
      () => filter.clone(),
    ])
      expect(operate).toThrow(DisposedError);
  });

  test('is off by default, with false, and in a filter that was loaded', () => {
    for (const filter of [
      new CuckooFilter(roomy),
      new CuckooFilter({ ...roomy, audit: false }),
      CuckooFilter.deserialize(new CuckooFilter({ ...roomy, audit: true }).add('a').serialize()),
    ]) {
      expect(filter.delete('never')).toBe(false);
      expect(Object.getOwnPropertyNames(filter)).toEqual(['content']);
    }
  });

  test('is there in the trace build too, whose events go on', () => {
    const filter = new Traced({ ...roomy, audit: true }).trace(1);
    filter.add('a');
    expect(thrownBy(TracedError, () => filter.delete('b')).kind).toBe('false-delete');
    expect(filter.delete('a')).toBe(true);
    expect(filter.takeEvents().events.length).toBeGreaterThan(1);
  });
});
