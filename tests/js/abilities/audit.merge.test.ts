// What an audit knows after a merge, also where `onGrow` throws in it; and batches of lookups under audit.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, type CuckooFilterOptions } from 'cuckoofilter-wasm';
import { audited, AuditError } from 'cuckoofilter-wasm/audit';
import { thrownBy } from '../support/random';
import { finding, roomy, watched } from './watched';

/** An audited filter that holds `keys`, and the filter inside, which loses keys behind the audit's back. */
function pair(
  keys: string[],
  options: CuckooFilterOptions = roomy,
): { inner: CuckooFilter; filter: CuckooFilter } {
  const inner = new CuckooFilter(options);
  const filter = audited(inner);
  filter.addMany(keys);
  return { inner, filter };
}

describe('an audited filter after a merge', () => {
  test.each(['merge', 'mergeIfAbsent'] as const)('by %s misses a key of either that is lost', (method) => {
    for (const lost of ['a', 'b', 'both']) {
      const { inner, filter } = pair(['a', 'both']);
      filter[method](pair(['b', 'both']).filter);
      expect(filter.containsMany(['a', 'b', 'both'])).not.toContain(0);
      while (inner.delete(lost));
      const error = finding(filter, () => filter.has(lost));
      expect(error.message).toBe(
        `${JSON.stringify(lost)}: a key that was added is not found, which is a bug: please report it`,
      );
      expect([error.code, error.key]).toEqual(['false-negative', lost]);
    }
  });

  test.each(['merge', 'mergeIfAbsent'] as const)(
    'by %s does not miss what the other had deleted',
    (method) => {
      const { filter: other } = pair(['a', 'b', 'c', 'c']);
      expect([other.delete('a'), other.delete('c')]).toEqual([true, true]);
      const filter = watched()[method](other);
      expect([filter.has('a'), filter.has('b'), filter.count('c')]).toEqual([false, true, 1]);
      expect(filter.addIfAbsent('a')).toBe(true);
    },
  );

  test('by mergeIfAbsent is mixed, also where nothing was absent', () => {
    const { filter } = pair(['a']);
    expect(filter.mergeIfAbsent(pair(['a']).filter).size).toBe(1);
    expect(finding(filter, () => filter.delete('a')).code).toBe('mixed-use');
    expect(finding(watched(), () => watched().mergeIfAbsent(watched()).delete('a')).code).toBe('mixed-use');
  });

  test.each(['merge', 'mergeIfAbsent'] as const)(
    'by %s knows its keys where onGrow throws in it',
    (method) => {
      const problem = new Error('mine');
      const growing = { capacity: 100, maxCapacity: 6400, falsePositiveRate: 1e-6 };
      const keys = Array.from({ length: 3000 }, (_, i) => `key ${i}`);
      let isFirst = true;
      const onGrow = (): void => {
        if (!isFirst) return;
        isFirst = false;
        throw problem;
      };
      const { inner, filter } = pair(['own'], { ...growing, onGrow });
      const { filter: other } = pair(keys, growing);
      expect(thrownBy(Error, () => filter[method](other))).toBe(problem);
      expect(filter.size).toBe(3001);
      if (method === 'mergeIfAbsent')
        expect(finding(filter, () => filter.delete('key 5')).code).toBe('mixed-use');
      else expect([filter.delete('key 5'), filter.delete('own')]).toEqual([true, true]);
      inner.delete('key 7');
      expect(finding(filter, () => filter.has('key 7')).code).toBe('false-negative');
    },
  );
});

describe('lookups of many keys', () => {
  const keys = ['a', 'b', 'a', 'c'];

  test('give what those of a plain filter give', () => {
    const [{ filter }, plain] = [pair(['a', 'a', 'b']), CuckooFilter.from(['a', 'a', 'b'], roomy)];
    expect(filter.countMany(keys)).toEqual(plain.countMany(keys));
    expect(filter.containsMany(keys)).toEqual(plain.containsMany(keys));
    expect([...filter.countMany([])]).toEqual([]);
  });

  test('that end with an error carry the answers that those of a plain filter carry', () => {
    const bad = [...keys, null as never];
    for (const method of ['containsMany', 'countMany', 'addManyIfAbsent'] as const) {
      const answers = [pair(['a']).filter, CuckooFilter.from(['a'], roomy)].map(
        (filter) => (thrownBy(TypeError, () => filter[method](bad)) as { answers?: unknown }).answers,
      );
      expect([method, answers[0]]).toEqual([method, answers[1]]);
    }
    const { filter } = pair(['5', 'a']);
    const error = thrownBy(AuditError, () => filter.containsMany(['a', 'b', 5]));
    expect((error as { answers?: unknown }).answers).toEqual(Uint8Array.of(1, 0));
  });
});
