// CuckooFilter against the plain model, for every bucket size, fingerprint width and kind of bucket count.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, FilterFullError } from 'cuckoofilter-wasm';
import { integers } from '../support/integers';
import { IS_LONG, runs } from '../support/long';
import { claim, Random, sameBytes, withSeed } from '../support/random';
import { Multiset } from '../support/reference/multiset';
import { xxh64OfInteger } from '../support/reference/xxh64';
import { nameOf, shapes, type Shape } from '../support/shapes';

const HASHES = Array.from({ length: 512 }, (_, key) => xxh64OfInteger(key));
const hashOf = (key: number): bigint => HASHES[key] ?? 0n;

/** A filter of this shape that keys 0 to `keyCount` - 1 come into and go from. */
class Walk {
  readonly filter: CuckooFilter;
  readonly model: Multiset;
  readonly empty: Uint8Array;
  refused = 0;

  constructor(
    readonly shape: Shape,
    readonly random: Random,
    readonly keyCount: number,
  ) {
    this.filter = new CuckooFilter({ capacity: 1, maxKicks: 20, ...shape });
    this.model = new Multiset(shape);
    this.empty = this.filter.serialize();
  }

  /** One operation at random, more often an insert than a delete. */
  step(): void {
    const key = this.random.below(this.keyCount);
    const operation = this.random.below(100);
    if (operation < 50) this.insert(key);
    else if (operation < 60) this.insertIfAbsent(key);
    else if (operation < 99) this.delete(key);
    else this.clear();
    this.mustAgree(key);
  }

  insert(key: number): void {
    const before = this.model.size * 7 > this.filter.bucketCount ? this.filter.serialize() : undefined;
    const outcome = this.filter.tryAdd(key);
    if (outcome === 'added') return this.model.add(key, hashOf(key));
    ++this.refused;
    const isCrowded = this.model.count(hashOf(key)) === this.model.mostCopies(hashOf(key));
    claim((outcome === 'too-many-copies') === isCrowded, () => `insert of ${key} said ${outcome}`);
    const isSame = before === undefined || sameBytes(before, this.filter.serialize());
    claim(isSame, () => `the failed insert of ${key} changed a byte`);
  }

  insertIfAbsent(key: number): void {
    const wasThere = this.model.count(hashOf(key)) > 0;
    try {
      const isNew = this.filter.addIfAbsent(key);
      claim(isNew === !wasThere, () => `addIfAbsent of ${key} said ${isNew}`);
      if (isNew) this.model.add(key, hashOf(key));
    } catch (error) {
      claim(
        error instanceof FilterFullError && !wasThere,
        () => `addIfAbsent of ${key} threw ${String(error)}`,
      );
    }
  }

  /** Only of a key that was added, or of one that is surely not there: deleting any other breaks the filter's word. */
  delete(key: number): void {
    const isAdded = this.model.copies(key) > 0;
    if (!isAdded && this.model.count(hashOf(key)) > 0) return;
    const isDeleted = this.filter.delete(key);
    claim(isDeleted === isAdded, () => `delete of ${key} said ${isDeleted}`);
    if (isAdded) this.model.delete(key, hashOf(key));
  }

  clear(): void {
    this.filter.clear();
    this.model.clear();
    claim(sameBytes(this.filter.serialize(), this.empty), () => 'a cleared filter is not as a new one');
  }

  mustAgree(key: number): void {
    const expected = this.model.count(hashOf(key));
    const count = this.filter.count(key);
    claim(count === expected, () => `count of ${key} is ${count}, not ${expected}`);
    claim(this.filter.contains(key) === expected > 0, () => `contains of ${key} is not ${expected > 0}`);
    claim(this.filter.size === this.model.size, () => `size is ${this.filter.size}, not ${this.model.size}`);
  }

  /** Every key, then all of them taken out again. */
  finish(): void {
    for (let key = 0; key < this.keyCount; ++key) this.mustAgree(key);
    for (const key of this.model.keys()) {
      for (let copies = this.model.copies(key); copies > 0; --copies) this.delete(key);
    }
    claim(this.filter.size === 0, () => 'the filter is not empty when all keys are taken out');
    claim(sameBytes(this.filter.serialize(), this.empty), () => 'an emptied filter is not as a new one');
    this.filter.dispose();
  }
}

describe('any sequence of operations gives what a plain multiset gives', () => {
  for (const bucketCounts of [[1], [2, 3], [4, 7], [8, 13], [31, 32]]) {
    test(
      `for every bucket size, width and addressing of ${bucketCounts.join(' and ')} buckets`,
      withSeed(20, (random) => {
        let refused = 0;
        for (const shape of shapes(bucketCounts)) {
          const walk = new Walk(
            shape,
            random,
            Math.min(HASHES.length, 4 + 2 * shape.bucketCount * shape.bucketSize),
          );
          try {
            for (let i = 0; i < 120 + 2 * shape.bucketCount; ++i) walk.step();
            walk.finish();
          } catch (error) {
            throw new Error(nameOf(shape), { cause: error });
          }
          refused += walk.refused;
        }
        expect(refused).toBeGreaterThan(100);
      }),
    );
  }
});

const ROW = integers(0, 1_100_000);

/** Distinct keys 0, 1, 2 … into a filter until one is refused; how many went in. */
function fill(filter: CuckooFilter, limit: number): number {
  try {
    return filter.addMany(ROW.subarray(0, limit));
  } catch (error) {
    claim(error instanceof FilterFullError, () => String(error));
    return error.added;
  }
}

const LARGE = [
  [100_003, 'reflect'],
  [131_072, 'reflect'],
  [131_072, 'xor'],
] as const;

describe('up to full', () => {
  test('every key inserted is found, for every bucket size and width, prime and power-of-two bucket counts', () => {
    for (const shape of shapes(runs([127, 128], [509, 512]))) {
      using filter = new CuckooFilter({ capacity: 1, ...shape });
      const added = fill(filter, 2 * shape.bucketCount * shape.bucketSize);
      claim(filter.size === added, () => `${nameOf(shape)}: size ${filter.size} after ${added} keys`);
      const found = filter.containsMany(ROW.subarray(0, added));
      claim(!found.includes(0), () => `${nameOf(shape)}: key ${found.indexOf(0)} of ${added} is lost`);
      const before = filter.serialize();
      const outcomes = Array.from({ length: runs(2, 20) }, (_, i) => filter.tryAdd(added + i));
      if (outcomes.includes('added')) continue;
      claim(sameBytes(before, filter.serialize()), () => `${nameOf(shape)}: a failed insert changed a byte`);
    }
  });

  test('every key inserted is found in tables of 100,003 and 131,072 buckets, and all can be deleted again', () => {
    let turn = 0;
    for (const [bucketSize, fingerprintBits, semiSort = false] of [
      [1, 32],
      [2, 17],
      [3, 12],
      [4, 13],
      [4, 13, true],
      [4, 9.75, true],
      [5, 9],
      [6, 31],
      [7, 10],
      [8, 8],
    ] as const) {
      for (const [bucketCount, addressing] of IS_LONG ? LARGE : [LARGE[++turn % LARGE.length] ?? LARGE[0]]) {
        const shape = { bucketSize, fingerprintBits, semiSort, bucketCount, addressing };
        using filter = new CuckooFilter({ capacity: 1, ...shape });
        const empty = filter.serialize();
        const added = fill(filter, bucketCount * bucketSize);
        const keys = ROW.subarray(0, added);
        claim(!filter.containsMany(keys).includes(0), () => `${nameOf(shape)}: a key is lost`);
        claim(filter.deleteMany(keys) === added, () => `${nameOf(shape)}: a key cannot be deleted`);
        claim(
          sameBytes(filter.serialize(), empty),
          () => `${nameOf(shape)}: the emptied filter is not as a new one`,
        );
      }
    }
  });

  test('a table of more than 2^32 bits keeps every key', () => {
    // The last buckets lie past the 2^32nd bit, where a bit position in 32 bits would wrap.
    using filter = new CuckooFilter({
      capacity: 1,
      bucketCount: 2 ** 26,
      bucketSize: 3,
      fingerprintBits: 22,
    });
    expect(filter.byteLength).toBeGreaterThan(2 ** 29);
    const keys = ROW.subarray(0, 200_000);
    expect(filter.addMany(keys)).toBe(keys.length);
    expect(filter.containsMany(keys).includes(0)).toBe(false);
    expect(filter.deleteMany(keys)).toBe(keys.length);
    expect(filter.containsMany(keys).includes(1)).toBe(false);
  });
});
