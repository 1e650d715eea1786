// addMany and from build a semi-sorted filter in a plain table; whatever happens meanwhile, that table is freed afterwards.
import { expect, jest, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { runs } from '../support/long';
import { memoryBytes } from '../support/memory-spy';

const COUNT = 10_000;
const numbers = Array.from({ length: COUNT }, (_, i) => i);
const texts = numbers.map((i) => `key ${i}`);

test('a filter that is disposed meanwhile is gone, and its memory with it', () => {
  const bytesAfter = (): number => {
    const keys = texts.slice();
    const filter = new CuckooFilter({ capacity: COUNT });
    Object.defineProperty(keys, 5000, { get: () => (filter.dispose(), 'x') });
    expect(() => filter.addMany(keys)).toThrow('dispose');
    return memoryBytes();
  };
  const first = bytesAfter();
  for (let round = 0; round < runs(100, 500); ++round) bytesAfter();
  expect(memoryBytes()).toBe(first);
});

test('filters that were filled hold their own tables alone', () => {
  // A copy of the package, because its memory has no room left from other tests.
  const copies: (typeof import('cuckoofilter-wasm'))[] = [];
  jest.isolateModules(() => copies.push(jest.requireActual('cuckoofilter-wasm')));
  const [{ CuckooFilter: Copy }] = copies as [(typeof copies)[0]];
  const before = memoryBytes();
  const filters = Array.from({ length: 300 }, () => Copy.from(numbers));
  const tables = filters.reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(memoryBytes() - before).toBeGreaterThan(tables);
  expect(memoryBytes() - before).toBeLessThan(1.5 * tables);
});

test('the memory of the plain table is free again', () => {
  using filter = new CuckooFilter({ capacity: COUNT });
  filter.addMany(texts);
  const first = memoryBytes();
  for (let round = 0; round < runs(50, 200); ++round) {
    filter.clear();
    filter.addMany(texts);
  }
  expect(memoryBytes()).toBe(first);
});
