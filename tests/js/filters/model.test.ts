// CuckooFilter against the plain model, for every bucket size, fingerprint width and kind of bucket count: the one model of all
// shapes that runs in WebAssembly. Tables filled until they refuse keys, and models of what else the core does, run natively
// (tests/cpp), also with the insert of WebAssembly; the bytes are the same (format/golden.test.ts).
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, FilterFullError } from 'cuckoofilter-wasm';
import { integers } from '../support/integers';
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
    this.filter = new CuckooFilter({ capacity: 1, ...shape });
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

test('a table of more than 2^32 bits keeps every key', () => {
  // The last buckets lie past the 2^32nd bit, where a bit position in 32 bits would wrap.
  using filter = new CuckooFilter({
    capacity: 1,
    bucketCount: 2 ** 26,
    bucketSize: 3,
    fingerprintBits: 22,
  });
  expect(filter.byteLength).toBeGreaterThan(2 ** 29);
  const keys = integers(0, 200_000);
  expect(filter.addMany(keys)).toBe(keys.length);
  expect(filter.containsMany(keys).includes(0)).toBe(false);
  expect(filter.deleteMany(keys)).toBe(keys.length);
  expect(filter.containsMany(keys).includes(1)).toBe(false);
});
