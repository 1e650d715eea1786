// Callbacks that change the filter or throw while a call reports to them.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { audited } from 'cuckoofilter-wasm/audit';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { thrownBy } from '../js/support/random';

const growing = { capacity: 20, maxCapacity: 4000, falsePositiveRate: 1e-6 };

describe('audited', () => {
  test.each(['add', 'tryAdd'] as const)('counts the key whose %s made onGrow delete another', (add) => {
    let isDone = false;
    const onGrow = (): void => {
      if (!isDone) filter.delete('a0');
      isDone = true;
    };
    const filter = audited(new CuckooFilter({ ...growing, onGrow }));
    for (let i = 0; i < 900; ++i) filter[add](`a${i}`);
    expect(isDone).toBe(true);
    for (let i = 1; i < 900; ++i) expect(filter.delete(`a${i}`)).toBe(true);
    expect(filter.size).toBe(0);
  });

  test('counts what a merge brought whose onGrow deletes or throws', () => {
    const problem = new Error('mine');
    const onGrow = (): void => {
      if (filter.has('a0')) filter.delete('a0');
      throw problem;
    };
    const filter = audited(new CuckooFilter({ ...growing, onGrow }));
    const other = audited(new CuckooFilter(growing));
    filter.add('a0');
    other.addMany(Array.from({ length: 900 }, (_, i) => `b${i}`));
    expect(thrownBy(Error, () => filter.merge(other))).toBe(problem);
    expect([filter.size, filter.has('b3'), filter.delete('b3')]).toEqual([900, true, true]);
  });

  test('knows of addIfAbsent when its onGrow deletes', () => {
    const codes: unknown[] = [];
    const onGrow = (): void => {
      codes.push((thrownBy(Error, () => filter.delete('a0')) as { code?: string }).code);
    };
    const filter = audited(new CuckooFilter({ ...growing, onGrow }));
    for (let i = 0; i < 900; ++i) filter.addIfAbsent(`a${i}`);
    expect(codes.length).toBeGreaterThan(0);
    expect(new Set(codes)).toEqual(new Set(['mixed-use']));
  });

  test('compares a lookup with the keys before it, whatever a trace callback adds', () => {
    const filter = audited(new Traced(growing));
    let isIdle = true;
    filter.trace(() => {
      if (!isIdle) return;
      isIdle = false;
      filter.add('new');
    });
    expect(filter.has('new')).toBe(false);
    expect([filter.has('new'), filter.delete('new'), filter.size]).toEqual([true, true, 0]);
  });
});

describe.each([
  ['CuckooFilter', (onGrow: () => void) => new CuckooFilter({ ...growing, onGrow })],
  ['ScalableCuckooFilter', (onGrow: () => void) => new ScalableCuckooFilter({ ...growing, onGrow })],
] as const)('%s', (_, make) => {
  test('tells every doubling in the call that grew, and throws the first error there', () => {
    let told = 0;
    const filter = make(() => {
      throw new Error(`mine ${++told}`);
    });
    expect(thrownBy(Error, () => filter.addMany(Array.from({ length: 1000 }, (_, i) => i))).message).toBe(
      'mine 1',
    );
    expect(told).toBe(filter.stats().growthCount);
    expect(told).toBeGreaterThan(1);
    expect(filter.containsMany([1, 2])).toEqual(Uint8Array.of(1, 1));
  });
});
