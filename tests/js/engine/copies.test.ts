// Copies of the package: every entry point and module format has classes and a memory of its own, whose objects meet.
// Invariant: what can work works, and nothing is taken for options or for empty.
import { describe, expect, jest, test } from '@jest/globals';
import { CuckooFilter, Deduper, dedupe, type CuckooFilterOptions } from 'cuckoofilter-wasm';
import { audited } from 'cuckoofilter-wasm/audit';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { thrownBy } from '../support/random';

/** The package once more, as the other module format is. */
function anotherCopy(): typeof import('cuckoofilter-wasm') {
  let copy: unknown;
  jest.isolateModules(() => (copy = jest.requireActual('cuckoofilter-wasm')));
  return copy as typeof import('cuckoofilter-wasm');
}
const Other = anotherCopy();

const options: CuckooFilterOptions = { capacity: 100, falsePositiveRate: 1e-6 };
const hash = { algorithm: 'siphash-1-3', key: new Uint8Array(16) } as const;

class Sub extends CuckooFilter {}

test('the other copy has classes of its own', () => {
  expect(Other.CuckooFilter).not.toBe(CuckooFilter);
  expect(new Other.CuckooFilter(options)).not.toBeInstanceOf(CuckooFilter);
});

describe('a deduper around', () => {
  test.each<[string, new (options: CuckooFilterOptions) => CuckooFilter | ScalableCuckooFilter]>([
    ['a filter', CuckooFilter],
    ['a filter of a subclass', Sub],
    ['a filter of the trace build', Traced],
    ['a scalable filter', ScalableCuckooFilter],
    ['a filter of another copy', Other.CuckooFilter],
  ])('%s has seen its keys', (_, Class) => {
    for (const Outer of [Deduper, Other.Deduper]) {
      const filter = new Class({ ...options, hash });
      filter.addManyIfAbsent(['a', 'b']);
      const deduper = new Outer(filter);
      expect(['a', 'b', 'c', 'c'].map((key) => deduper.isNew(key))).toEqual([false, false, true, false]);
      expect(deduper.areNew(['c', 'd'])).toEqual(Uint8Array.of(0, 1));
      expect([deduper.size, deduper.hasSeen('d'), deduper.capacity]).toEqual([4, true, filter.capacity]);
      expect(deduper.droppedShare).toBeLessThan(1e-5);
      deduper.clear();
      expect(deduper.isNew('a')).toBe(true);
      deduper.dispose();
      expect(() => filter.size).toThrow(expect.objectContaining({ name: 'DisposedError' }));
    }
  });

  test('a filter that was disposed of is refused at once', () => {
    const filter = new CuckooFilter(options);
    filter.dispose();
    expect(() => new Deduper(filter)).toThrow(expect.objectContaining({ name: 'DisposedError' }));
  });

  test.each<[string, object]>([
    [', a CuckooFilter, .*, got an ExpiringFilter', new ExpiringFilter({ ...options, periods: 2 })],
    [', got a Deduper: for a copy, call clone', new Deduper(options)],
    [', got a Deduper: for a copy, call clone', new Other.Deduper(options)],
  ])('%s is refused by name', (words, wrong) => {
    expect(thrownBy(TypeError, () => new Deduper(wrong as never)).message).toMatch(
      new RegExp(`^options must be a plain object${words}`),
    );
  });
});

test('a filter of every copy is refused as options by name', () => {
  for (const filter of [new CuckooFilter(options), new Traced(options), new Other.CuckooFilter(options)])
    expect(() => new CuckooFilter(filter as never)).toThrow(
      'options must be a plain object, got a CuckooFilter',
    );
});

test('an object is told by marks that are the same in every version', () => {
  const [kind, inner] = ['kind', 'audited'].map((name) => Symbol.for(`cuckoofilter-wasm.${name}`));
  const marked = (marks: Record<symbol, unknown>): never => Object.create(marks) as never;
  expect(() => new CuckooFilter(marked({ [kind as symbol]: 'CuckooValues' }))).toThrow('got a CuckooValues');
  const filter = CuckooFilter.from(['a'], options);
  const watching = marked({ [kind as symbol]: 'CuckooFilter', [inner as symbol]: filter });
  expect(new CuckooFilter(options).merge(watching).has('a')).toBe(true);
});

test('dedupe takes the deduper of another copy', async () => {
  const deduper = new Other.Deduper(options);
  deduper.isNew('a');
  const kept: string[] = [];
  for await (const item of dedupe(['a', 'b', 'b'], { deduper: deduper as never })) kept.push(item);
  expect(kept).toEqual(['b']);
});

describe('a filter of another copy', () => {
  const copies = [Other.CuckooFilter, Traced] as unknown as (typeof CuckooFilter)[];

  test.each(['merge', 'mergeIfAbsent'] as const)('goes in by %s as one of this copy', (method) => {
    for (const Class of copies) {
      const expected = CuckooFilter.from(['a', 'b'], options)[method](CuckooFilter.from(['b', 'c'], options));
      const other = Class.from(['b', 'c'], options);
      const before = other.serialize();
      expect(CuckooFilter.from(['a', 'b'], options)[method](other).equals(expected)).toBe(true);
      expect(other.serialize()).toEqual(before);
    }
  });

  test('is equal where its content is', () => {
    for (const Class of copies) {
      expect(CuckooFilter.from(['a'], options).equals(Class.from(['a'], options))).toBe(true);
      for (const other of [['b'], ['a', 'b'], []])
        expect(CuckooFilter.from(['a'], options).equals(Class.from(other, options))).toBe(false);
      const keyed = { ...options, hash };
      expect(CuckooFilter.from(['a'], keyed).equals(Class.from(['a'], keyed))).toBe(true);
    }
  });

  test('is refused by name where it cannot be merged', () => {
    const filter = new CuckooFilter(options);
    const different = new Other.CuckooFilter({ ...options, seed: 5 });
    expect(thrownBy(RangeError, () => filter.merge(different)).message).toMatch(
      /^cannot merge: seed is 0 here, /,
    );
    const keyed = new Other.CuckooFilter({ ...options, hash });
    const refused = thrownBy(TypeError, () => new CuckooFilter({ ...options, hash }).merge(keyed));
    expect(refused.message).toMatch(/^cannot merge: the other has a secret key, and another import path/);
    expect(refused.cause).toMatchObject({ name: 'FormatError', code: 'wrong-key' });
    const scalable = new ScalableCuckooFilter(options);
    for (const ask of [
      // @ts-expect-error: a scalable filter cannot be merged
      () => filter.merge(scalable),
      // @ts-expect-error: nor by its other method
      () => filter.mergeIfAbsent(scalable),
    ])
      expect(ask).toThrow('other must be a CuckooFilter, got a ScalableCuckooFilter');
    const expiring = new ExpiringFilter({ ...options, periods: 2 }) as never;
    for (const ask of [() => filter.merge(expiring), () => filter.equals(expiring)])
      expect(ask).toThrow('other must be a CuckooFilter, got an ExpiringFilter');
    const gone = new Other.CuckooFilter(options);
    gone.dispose();
    for (const ask of [() => filter.merge(gone), () => filter.equals(gone)])
      expect(ask).toThrow(expect.objectContaining({ name: 'DisposedError' }));
  });

  test('is refused by an audit, which sees the keys of its own copy alone', () => {
    const Copy = Other.CuckooFilter;
    expect(thrownBy(TypeError, () => audited(new Copy(options))).message).toBe(
      'filter must be a CuckooFilter or a ScalableCuckooFilter, from the same copy of the package (import both, or require both), got a CuckooFilter',
    );
    // Nor is a subclass taken, whose own methods might add other keys.
    expect(() => audited(new Sub(options))).toThrow('filter must not be an instance of a subclass');
    const filter = audited(new CuckooFilter(options));
    for (const other of [new Copy(options), new CuckooFilter(options), new Traced(options)])
      for (const method of ['merge', 'mergeIfAbsent'] as const)
        expect(() => filter[method](other)).toThrow('other must be audited, too');
    filter.merge(audited(CuckooFilter.from([], options)));
  });
});

describe('a deduper merges', () => {
  test('one of another copy', () => {
    const other = new Other.Deduper(options);
    other.areNew(['b', 'c']);
    const deduper = new Deduper(options);
    deduper.areNew(['a', 'b']);
    expect(deduper.merge(other as never).areNew(['a', 'b', 'c', 'd'])).toEqual(Uint8Array.of(0, 0, 0, 1));
    expect(other.size).toBe(2);
  });

  test('one around a filter of another copy', () => {
    const deduper = new Deduper(Other.CuckooFilter.from(['a'], options) as never);
    expect(deduper.merge(new Deduper(CuckooFilter.from(['b'], options))).areNew(['a', 'b'])).toEqual(
      Uint8Array.of(0, 0),
    );
  });

  test('none around a scalable filter, and says so', () => {
    const around = (Class: typeof Deduper): Deduper => new Class(new ScalableCuckooFilter(options));
    const message = 'a Deduper around a ScalableCuckooFilter cannot be merged';
    expect(() => around(Deduper).merge(new Deduper(options))).toThrow(message);
    expect(() => new Deduper(options).merge(around(Deduper))).toThrow(message);
    expect(() => new Deduper(options).merge(around(Other.Deduper as never))).toThrow(message);
  });
});
