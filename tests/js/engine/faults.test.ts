// Out of WebAssembly memory, at any allocation and at the 4 GB limit: a RangeError, nothing is leaked, and other filters
// go on.
import { describe, expect, test } from '@jest/globals';
import { freemem } from 'node:os';
import { memoryBytes, withMemoryOf } from '../support/memory-spy';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { runModule } from '../support/command';
import { fill, filterOf, isMade } from '../support/fill';
import { claim, sameBytes, thrownBy } from '../support/random';

/** Bytes of the largest table that can be had now. */
function largestTable(Class: typeof CuckooFilter): number {
  let most = 0;
  for (let step = 2 ** 24; step >= 1; step /= 2) {
    if (isMade(() => filterOf(most + step, Class).dispose())) most += step;
  }
  return most;
}

describe.each([
  ['the plain build', CuckooFilter],
  ['the trace build', Traced],
])('%s with memory that cannot grow', (_, Class: typeof CuckooFilter) => {
  const filter = new Class({ capacity: 1000 }).add('before');
  const saved = filter.serialize();

  test('gives a RangeError to whatever needs memory, and the rest goes on', () => {
    withMemoryOf(8 * 2 ** 20, () => {
      const others = fill(Class);
      expect(others.length).toBeGreaterThan(8);
      for (const make of [
        () => new Class({ capacity: 1000 }),
        () => filter.clone(),
        () => Class.deserialize(saved),
        () => Class.from(['a', 'b']),
      ])
        expect(thrownBy(RangeError, make).message).toMatch(/memory|allocated/);
      expect(sameBytes(filter.serialize(), saved)).toBe(true);
      expect(filter.addMany(['x'.repeat(100_000), 5, 'y'])).toBe(3);
      expect(filter.containsMany(['before', 5, 'y', 'x'.repeat(100_000)])).toEqual(Uint8Array.of(1, 1, 1, 1));
      expect(filter.deleteMany(['x'.repeat(100_000), 5, 'y'])).toBe(3);
      for (const other of others) claim(other.add('k').contains('k'), () => 'a filter is not usable');
      for (const other of others) other.dispose();
      expect(Class.deserialize(saved).equals(filter)).toBe(true);
    });
  });

  test('leaks nothing where it fails, at whichever allocation that is', () => {
    withMemoryOf(memoryBytes(), () => {
      for (const other of fill(Class)) other.dispose();
      const before = largestTable(Class);
      for (let round = 0; round < 60; ++round) {
        const others = fill(Class);
        // One of the last filters is disposed of, and clones of another take its place, until there is room for some of
        // a filter's parts only.
        others.splice(-1 - (round % 10), 1)[0]?.dispose();
        const [first] = others.slice(-2);
        while (first !== undefined && isMade(() => void others.push(first.clone())));
        for (const bucketSize of [1, 4, 8])
          isMade(() => new Class({ capacity: 1, bucketCount: 1 + round, bucketSize }).add('k').dispose());
        isMade(() => Class.deserialize(saved).dispose());
        for (const other of others) other.dispose();
        const now = largestTable(Class);
        claim(now >= before, () => `round ${round}: ${now} bytes, not ${before}`);
      }
    });
    expect(sameBytes(filter.serialize(), saved)).toBe(true);
  });
});

/** Fills the 4 GB that 32-bit addresses reach, in a process of its own, as memory once grown is not given back. */
const TO_THE_LIMIT = `
  import { CuckooFilter } from 'cuckoofilter-wasm';
  const first = new CuckooFilter({ capacity: 1000 }).add('first');
  const large = { capacity: 1, bucketCount: 2 ** 28, bucketSize: 1, fingerprintBits: 8 };
  const filters = [];
  let refusal;
  while (refusal === undefined) {
    try {
      filters.push(new CuckooFilter(large).add(filters.length));
    } catch (error) {
      refusal = error;
    }
  }
  const found = filters.every((filter, i) => filter.contains(i) && filter.add('more').contains('more'));
  filters[3].dispose();
  const again = new CuckooFilter(large).add('again');
  const copy = CuckooFilter.deserialize(first.serialize());
  console.log([filters.length, refusal.name, found, again.contains('again'), copy.contains('first')].join());`;

const available = Math.min(freemem(), process.constrainedMemory() || Infinity);
const testWithMemory = available > 6 * 2 ** 30 ? test : test.skip;

testWithMemory(
  'tables of 256 MB go in up to the 4 GB limit, then a RangeError, and all of them go on',
  () => {
    expect(runModule(TO_THE_LIMIT).trim()).toBe('15,OutOfMemoryError,true,true,true');
  },
);
