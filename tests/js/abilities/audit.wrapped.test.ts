// An audited filter as an object: what it takes, and what it can be in place of.
import { describe, expect, jest, test } from '@jest/globals';
import { CuckooFilter, Deduper, DisposedError, type CuckooFilterOptions, type Key } from 'cuckoofilter-wasm';
import { audited, AuditError, type AuditErrorCode } from 'cuckoofilter-wasm/audit';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { thrownBy } from '../support/random';
import { roomy, watched, finding } from './watched';

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
    expect((filter as { merge?: unknown }).merge).toBeUndefined();
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
    ['a class', CuckooFilter, 'a function'],
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
      /^filter must be a CuckooFilter or a ScalableCuckooFilter, from the same copy of the package \(import both, or require both\), got /,
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
    expect([error.name, error.message, error.code, error.key]).toEqual(['AuditError', '5n: text', code, 5n]);
  }
  expect(AuditError.name).toBe('AuditError');
});
