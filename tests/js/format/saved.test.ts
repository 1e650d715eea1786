// Saved filters: they come back as they were, and go on as they would have.
import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CuckooFilter, FilterFullError } from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { integers } from '../support/integers';
import { claim, Random, sameBytes, withSeed } from '../support/random';
import { SavedLayers } from '../support/reference/layers';
import { HEADER_BYTES, SavedFilter, TRAILER_BYTES } from '../support/reference/reader';
import { xxh64OfInteger } from '../support/reference/xxh64';
import { nameOf, shapes } from '../support/shapes';

function fill(filter: CuckooFilter, count: number): CuckooFilter {
  try {
    filter.addMany(integers(0, count));
  } catch (error) {
    claim(error instanceof FilterFullError, () => String(error));
  }
  return filter;
}

describe('a saved filter', () => {
  test('comes back equal, byte by byte, for every bucket size, width and addressing', () => {
    for (const shape of shapes([1, 5, 16, 61])) {
      using filter = new CuckooFilter({ capacity: 1, seed: 7n, ...shape });
      const slots = shape.bucketCount * shape.bucketSize;
      for (const count of [0, slots >> 1, slots]) {
        const saved = fill(filter, count).serialize();
        using loaded = CuckooFilter.deserialize(saved);
        claim(sameBytes(loaded.serialize(), saved), () => `${nameOf(shape)}: saved again, other bytes`);
        claim(loaded.equals(filter) && loaded.size === filter.size, () => `${nameOf(shape)}: not equal`);
        filter.clear();
      }
    }
  });

  test('answers the reader written from the format as it answers the library', () => {
    const hashes = Array.from({ length: 200 }, (_, key) => xxh64OfInteger(key, 7n));
    for (const shape of shapes([7, 32])) {
      using filter = new CuckooFilter({ capacity: 1, seed: 7n, ...shape });
      fill(filter, Math.ceil(shape.bucketCount * shape.bucketSize * 0.7));
      const saved = new SavedFilter(filter.serialize());
      expect([saved.size, saved.bucketCount, saved.addressing, saved.seed]).toEqual([
        filter.size,
        shape.bucketCount,
        shape.addressing,
        7n,
      ]);
      hashes.forEach((hash, key) => {
        claim(
          saved.countOfHash(hash) === filter.count(key),
          () => `${nameOf(shape)}: count of ${key} differs`,
        );
      });
    }
  });

  test(
    'that is loaded goes on exactly as its original does',
    withSeed(40, (random) => {
      for (const shape of shapes([5, 16])) {
        using filter = new CuckooFilter({ capacity: 1, ...shape });
        fill(filter, Math.floor(shape.bucketCount * shape.bucketSize * 0.6));
        using loaded = CuckooFilter.deserialize(filter.serialize());
        for (let step = 0; step < 40; ++step) {
          const key = random.below(200);
          const operation = random.below(3) === 0 ? 'delete' : 'tryAdd';
          claim(
            filter[operation](key) === loaded[operation](key),
            () => `${nameOf(shape)}: ${operation} of ${key} differs`,
          );
        }
        claim(filter.equals(loaded), () => `${nameOf(shape)}: not equal`);
      }
    }),
  );

  test('is the same after the same operations, and whichever came first of keys that need no kick', () => {
    const random = new Random(41);
    for (let round = 0; round < 50; ++round) {
      const keys = Array.from({ length: 12 }, (_, i) => i + 100 * round);
      const options = { capacity: 100, bucketSize: 8, bucketCount: 31, fingerprintBits: 9 } as const;
      const saved = CuckooFilter.from(keys, options).serialize();
      expect(sameBytes(CuckooFilter.from(keys, options).serialize(), saved)).toBe(true);
      expect(sameBytes(CuckooFilter.from(random.shuffled(keys), options).serialize(), saved)).toBe(true);
    }
  });

  test('is a copy that later operations do not change, and is taken from any view or buffer', () => {
    const filter = new CuckooFilter({ capacity: 20, seed: 5 }).add('a');
    const saved = filter.serialize();
    const copy = saved.slice();
    filter.add('b');
    new CuckooFilter({ capacity: 1e6 }).dispose();
    expect(sameBytes(saved, copy)).toBe(true);
    const padded = new Uint8Array(saved.length + 9);
    padded.set(saved, 5);
    const part = padded.subarray(5, 5 + saved.length);
    for (const bytes of [saved, Buffer.from(saved), part, saved.buffer]) {
      expect(CuckooFilter.deserialize(bytes as Uint8Array).contains('a')).toBe(true);
    }
  });

  test('past the length of the shared buffer is saved and loaded as a short one', () => {
    for (const [bucketSize, fingerprintBits] of [
      [1, 31],
      [3, 17],
      [4, 13],
      [7, 11],
      [8, 32],
    ] as const) {
      using filter = new CuckooFilter({ capacity: 1, bucketCount: 30_011, bucketSize, fingerprintBits });
      filter.addMany(integers(3, 9000));
      const saved = filter.serialize();
      expect(saved.length).toBe(HEADER_BYTES + filter.byteLength + TRAILER_BYTES);
      expect(new SavedFilter(saved).size).toBe(9000);
      using loaded = CuckooFilter.deserialize(saved);
      expect(sameBytes(loaded.serialize(), saved)).toBe(true);
      expect(loaded.containsMany(integers(3, 9000)).includes(0)).toBe(false);
    }
  });
});

describe('the examples of docs/inside/format.md', () => {
  const text = readFileSync(join(__dirname, '../../../docs/inside/format.md'), 'utf8');
  const KEY = Uint8Array.from({ length: 16 }, (_, i) => i);
  const KEYED = { algorithm: 'siphash-1-3', key: KEY } as const;
  /** The bytes of each example: the indented lines of two-digit numbers. */
  const examples = text
    .split('\n\n')
    .filter((part) => part.startsWith('    89 43'))
    .map((part) => Buffer.from(part.replace(/(?<=[0-9a-f]) {3,}.*$/gm, '').replace(/\s/g, ''), 'hex'));

  test.each([
    [{ capacity: 6, bucketCount: 3, bucketSize: 2, fingerprintBits: 7, seed: 1 }, 86],
    [{ capacity: 8, bucketCount: 2, bucketSize: 4, fingerprintBits: 7.5, semiSort: true, seed: 1 }, 87],
    [{ capacity: 6, bucketCount: 3, bucketSize: 2, fingerprintBits: 7, hash: KEYED }, 86],
    [{ capacity: 6, maxCapacity: 8, bucketCount: 3, bucketSize: 2, fingerprintBits: 7, seed: 1 }, 89],
  ] as const)('are what %p with the keys a, b and c saves', (options, length) => {
    const saved = new CuckooFilter(options).add('a').add('b').add('c').serialize();
    expect(saved).toHaveLength(length);
    expect(examples.map((bytes) => bytes.toString('hex'))).toContain(Buffer.from(saved).toString('hex'));
  });

  test('are what filters with values, counters, periods and layers save', () => {
    const sizes = { capacity: 6, bucketCount: 3, bucketSize: 2, fingerprintBits: 7, seed: 1 };
    const values = new CuckooValues({ ...sizes, valueBits: 4 }).set('a', 9).set('b', 0).set('c', 15);
    const counter = new CuckooCounter({ ...sizes, counterBits: 4 }).add('a', 10).add('b').add('c', 16);
    const periods = new ExpiringFilter({ ...sizes, periods: 3 });
    for (const key of ['a', 'b', 'c']) {
      if (key !== 'a') periods.advance();
      periods.isNew(key);
    }
    const layers = new ScalableCuckooFilter({ capacity: 2, maxCapacity: 2, falsePositiveRate: 0.5, seed: 1 });
    layers.addMany(['a', 'b', 'c', 'd']);
    for (const filter of [values, counter, periods, layers])
      expect(examples.map((bytes) => bytes.toString('hex'))).toContain(
        Buffer.from(filter.serialize()).toString('hex'),
      );
  });

  test('are read by the reader written from the format, and hold their keys', () => {
    expect(examples).toHaveLength(8);
    for (const bytes of examples) {
      const saved =
        bytes[3] === 0x53
          ? new SavedLayers(bytes)
          : new SavedFilter(bytes, bytes[12] === 2 ? KEY : undefined);
      for (const key of ['a', 'b', 'c'])
        expect(saved.countOfHash(saved.hashOf(Buffer.from(key)))).toBeGreaterThan(0);
    }
  });

  test('have the checks that the table of hashes gives', () => {
    const checks = [...text.matchAll(/^\| [12] \| .* \| `0x([0-9a-f]{16})` \|$/gm)].map(([, check]) => check);
    const makers = [{ seed: 0 }, { seed: 1 }, { seed: 2n ** 64n - 1n }, { hash: KEYED }];
    const saved = makers.map((options) => new CuckooFilter({ capacity: 1, ...options }).serialize());
    expect(saved.map((bytes) => Buffer.from(bytes.subarray(56, 64)).reverse().toString('hex'))).toEqual(
      checks,
    );
  });
});
