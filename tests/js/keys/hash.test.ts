// The hash is XXH64 of the key's bytes under the filter's seed: known values, and an implementation of its own.
import { describe, expect, test } from '@jest/globals';
import type { Key } from 'cuckoofilter-wasm';
import { CuckooFilter } from 'cuckoofilter-wasm/trace';
import { Random, withSeed } from '../support/random';
import { homesOf } from '../support/reference/reader';
import { xxh64, xxh64OfInteger } from '../support/reference/xxh64';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The hash that a filter with this seed computes of `key`. */
function hashOf(key: Key, seed: number | bigint = 0): bigint {
  using filter = new CuckooFilter({ capacity: 10, seed });
  filter.trace(2).contains(key);
  const begin = filter.takeEvents().events[0];
  if (begin?.kind !== 'begin') throw new Error('an operation must start with begin');
  return begin.hash;
}

/** As published with xxHash and its ports to other languages. */
const KNOWN: readonly (readonly [string, bigint])[] = [
  ['', 0xef46db3751d8e999n],
  ['a', 0xd24ec4f1a98c6e5bn],
  ['as', 0x1c330fb2d66be179n],
  ['asd', 0x631c37ce72a97393n],
  ['asdf', 0x415872f599cea71en],
  ['abc', 0x44bc2cf5ad770999n],
  ['Nobody inspects the spammish repetition', 0xfbcea83c8a378bf1n],
  ['Call me Ishmael. Some years ago--never mind how long precisely-', 0x02a2e85470d6fd96n],
];

describe('the hash of a key', () => {
  test.each(KNOWN)('of %j is the published XXH64', (text, hash) => {
    expect(xxh64(utf8(text))).toBe(hash);
    expect(hashOf(text)).toBe(hash);
  });

  test(
    'agrees with the specification for every length from 0 to 100 and any seed',
    withSeed(1, (random) => {
      for (let length = 0; length <= 100; ++length) {
        const key = random.bytes(length);
        for (const seed of [0n, 1n, 2n ** 64n - 1n, random.bits64()])
          expect(hashOf(key, seed)).toBe(xxh64(key, seed));
      }
    }),
  );

  test(
    'agrees with the specification for keys around and past the length of the shared buffer',
    withSeed(2, (random) => {
      for (const length of [1000, 65_535, 65_536, 65_537, 131_072, 200_001]) {
        const key = random.bytes(length);
        const seed = random.bits64();
        expect(hashOf(key, seed)).toBe(xxh64(key, seed));
      }
    }),
  );

  test(
    'of an integer is the hash of its 8 bytes, little-endian, two s complement',
    withSeed(3, (random) => {
      const integers = [
        0,
        1,
        -1,
        255,
        -256,
        2 ** 31,
        -(2 ** 31),
        2 ** 32,
        Number.MAX_SAFE_INTEGER,
        Number.MIN_SAFE_INTEGER,
      ];
      const large = [
        2n ** 63n,
        2n ** 64n - 1n,
        -(2n ** 63n),
        ...Array.from({ length: 50 }, () => random.bits64()),
      ];
      for (const key of [...integers, ...large]) expect(hashOf(key, 7)).toBe(xxh64OfInteger(key, 7n));
    }),
  );

  test('under seeds of either type and any size is the same', () => {
    expect(hashOf('key', 5)).toBe(hashOf('key', 5n));
    expect(hashOf('key', Number.MAX_SAFE_INTEGER)).toBe(xxh64(utf8('key'), BigInt(Number.MAX_SAFE_INTEGER)));
    expect(hashOf('key', 2 ** 32)).not.toBe(hashOf('key', 0));
  });

  test('gives the fingerprint and the candidate buckets that the format says, for every width, whole or in quarters, and both addressings', () => {
    const random = new Random(4);
    for (let fingerprintBits = 2; fingerprintBits <= 32; fingerprintBits += 0.25) {
      const semiSort = !Number.isInteger(fingerprintBits);
      if (semiSort && (fingerprintBits < 5 || fingerprintBits > 24)) continue;
      for (const [addressing, bucketCount] of [
        ['reflect', 1],
        ['reflect', 997],
        ['reflect', 65_536],
        ['xor', 4096],
      ] as const) {
        using filter = new CuckooFilter({
          capacity: 1,
          bucketSize: semiSort ? 4 : 1,
          bucketCount,
          fingerprintBits,
          semiSort,
          addressing,
        });
        filter.trace(2);
        for (let i = 0; i < 20; ++i) {
          const key = random.bits();
          filter.contains(key);
          const hash = xxh64OfInteger(key);
          expect(filter.takeEvents().events[1]).toMatchObject({ kind: 'locate', ...homesOf(hash, filter) });
        }
      }
    }
  });
});
