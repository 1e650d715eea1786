// Many keys hashed at once: hashKeys, and the digests of digestKeys.
import { describe, expect, test } from '@jest/globals';
import {
  CuckooFilter,
  digestKeys,
  hashKey,
  hashKeys,
  type Digest,
  type HashedKey,
  type HashKeysOptions,
  type Key,
  type Keys,
} from 'cuckoofilter-wasm';
import { thrownBy, withSeed, type Random } from '../support/random';
import { xxh64 } from '../support/reference/xxh64';
import { secret } from '../support/secrets';

describe('hashKeys', () => {
  test.each([0, 1, 2, 4095, 4096, 4097, 12_289])('of %d keys gives one hash for each, in order', (length) => {
    const list = Array.from({ length }, (_, i) => i);
    using filter = CuckooFilter.from(list, { capacity: Math.max(1, length), fingerprintBits: 32 });
    const forms: Keys[] = [list, new Set(list), Float64Array.from(list), BigUint64Array.from(list, BigInt)];
    for (const keys of forms) {
      const hashed = hashKeys(keys);
      expect([hashed.length, [...hashed].length]).toEqual([length, length]);
      expect(filter.containsMany(hashed)).toEqual(new Uint8Array(length).fill(1));
      for (const i of [0, 1, 4095, 4096]) expect(filter.has(hashed.at(i) ?? i)).toBe(i < length);
    }
  });

  test('takes hashed keys of the same hash as they are, also among others', () => {
    const hashed = hashKeys(['alice', 'bob']);
    const again = hashKeys(['carol', hashed.at(0) as HashedKey, ...hashKeys(hashed)]);
    using filter = CuckooFilter.from(['carol', 'alice', 'alice', 'bob']);
    expect([...filter.containsMany(again)]).toEqual([1, 1, 1, 1]);
    expect(again).toHaveLength(4);
    expect(() => hashKeys(hashed, { seed: 1 })).toThrow(TypeError);
  });

  test('keeps apart what single keys of several seeds were hashed to, however many there are', () => {
    const seeds = [0, 0n, 7, 7n, 2n ** 63n];
    const texts = Array.from({ length: 700 }, (_, i) => `text ${i}`);
    const keys = texts.map((text, i) => hashKey(text, { seed: seeds[(i >> 5) % 5] }));
    for (const [i, seed] of seeds.entries()) {
      using filter = CuckooFilter.from(texts, { seed, fingerprintBits: 32 });
      const own = keys.filter((_, at) => seeds[(at >> 5) % 5] == seed); // 7 and 7n are one seed
      expect([i, filter.containsMany(new Set(own)).includes(0)]).toEqual([i, false]);
      for (const key of own) expect(filter.has(key)).toBe(true);
      expect(filter.deleteMany(own)).toBe(own.length);
    }
  });

  test('keeps the hashes, and not the keys', () => {
    const bytes = Uint8Array.of(1, 2, 3);
    const hashed = hashKeys([bytes, bytes.buffer]);
    bytes.fill(0);
    using filter = CuckooFilter.from([Uint8Array.of(1, 2, 3)]);
    expect([...filter.containsMany(hashed)]).toEqual([1, 1]);
  });

  test('hashes keys from an iterator that itself hashes others', () => {
    function* keys(): Generator<Key> {
      for (let i = 0; i < 5000; ++i) {
        if (i % 1000 === 0) hashKeys([i], { seed: i });
        yield i;
      }
    }
    using filter = CuckooFilter.from(
      Array.from({ length: 5000 }, (_, i) => i),
      { seed: 9 },
    );
    expect(filter.containsMany(hashKeys(keys(), { seed: 9 })).includes(0)).toBe(false);
  });

  test('at counts as that of arrays does', () => {
    const hashed = hashKeys(['a', 'b', 'c']);
    using filter = CuckooFilter.from(['c'], { fingerprintBits: 32 });
    const found = (index: number): boolean => filter.has(hashed.at(index) as HashedKey);
    expect([0, 1, 2, -1, -2, 2.9, NaN].map(found)).toEqual([false, false, true, true, false, true, false]);
    expect([filter.has(hashed.at(-3) as HashedKey), hashKeys([]).at(0)]).toEqual([false, undefined]);
    expect([3, -4, Infinity].map((index) => hashed.at(index))).toEqual([undefined, undefined, undefined]);
  });

  test.each([
    [() => hashKeys(['a', 1.5]), /^key 1: .*1\.5/],
    [() => hashKey(1.5), /1\.5/],
    [() => hashKeys('text' as unknown as Keys), /^keys must be .*\(one key: \[key\]\)/],
    [() => hashKeys(5 as unknown as Keys), /^keys must be an array/],
    [() => hashKey('a', { sed: 1 } as HashKeysOptions), /did you mean seed\?/],
    [() => hashKey('a', { capacity: 1 } as HashKeysOptions), /^unknown option capacity/],
    [
      () => hashKey('a', { seed: 'random' } as unknown as HashKeysOptions),
      /such as filter\.seed, got "random"/,
    ],
    [() => hashKey('a', { seed: '0' } as unknown as HashKeysOptions), /got "0"$/],
    [() => hashKey('a', { seed: 1.5 }), /^seed must be/],
    [() => hashKey('a', { ...secret(1), seed: 1 }), /^seed must be left out/],
    [() => hashKey('a', { hash: 'md5' } as unknown as HashKeysOptions), /^hash must be/],
  ])('throws for what is wrong: %s', (call, message) => {
    const error = thrownBy(Error as new () => Error, call);
    expect(error.message).toMatch(message);
    // And goes on.
    using filter = CuckooFilter.from(['a']);
    expect(filter.has(hashKey('a'))).toBe(true);
  });
});

describe('digests', () => {
  const digest = (random: Random): [Digest, bigint] => {
    const [low, high] = [random.bits64(), random.bits64()];
    const view = new DataView(new ArrayBuffer(20), 4, 16);
    view.setBigUint64(0, low, true);
    view.setBigUint64(8, high, true);
    const short = new Uint8Array(view.buffer, 4, 8);
    const forms: [Digest, bigint][] = [
      [low, low],
      [short, low],
      [short.slice().buffer, low],
      [view, low ^ high],
      [view.buffer.slice(4), low ^ high],
    ];
    return forms[random.below(forms.length)] as [Digest, bigint];
  };

  test(
    'are found by the same digests in any form, whatever the seed, until they are deleted',
    withSeed(3, (random) => {
      const pairs = Array.from({ length: 3000 }, () => digest(random));
      const words = BigUint64Array.from(pairs, ([, word]) => word);
      for (const seed of [0, 77]) {
        using filter = new CuckooFilter({ capacity: 3000, seed });
        const keys = digestKeys(pairs.map(([given]) => given));
        expect([keys.length, filter.addMany(keys)]).toEqual([3000, 3000]);
        for (const same of [
          digestKeys(words),
          digestKeys(new BigInt64Array(words.buffer)),
          digestKeys(words.values()),
        ])
          expect(filter.containsMany(same).includes(0)).toBe(false);
        using loaded = CuckooFilter.deserialize(filter.serialize());
        expect(loaded.containsMany(keys).includes(0)).toBe(false);
        expect(loaded.deleteMany(keys)).toBe(3000);
        expect(loaded.size).toBe(0);
      }
    }),
  );

  test(
    'share a filter with keys that are hashed, and both are found',
    withSeed(4, (random) => {
      const digests = digestKeys(BigUint64Array.from({ length: 1000 }, () => random.bits64()));
      const texts = Array.from({ length: 1000 }, (_, i) => `text ${i}`);
      using filter = new CuckooFilter({ capacity: 2000, falsePositiveRate: 1e-4 });
      filter.addMany(digests);
      filter.addMany(texts);
      expect(filter.containsMany(digests).includes(0)).toBe(false);
      expect(filter.containsMany(texts).includes(0)).toBe(false);
      expect(filter.deleteMany(digests) + filter.deleteMany(texts)).toBe(2000);
    }),
  );

  test(
    'that are random UUIDs, in which six bits are fixed, fill a filter as hashes do',
    withSeed(5, (random) => {
      const uuids = Array.from({ length: 20_000 }, () => {
        const bytes = random.bytes(16);
        bytes[6] = 0x40 | ((bytes[6] as number) & 15);
        bytes[8] = 0x80 | ((bytes[8] as number) & 63);
        return bytes;
      });
      using filter = CuckooFilter.from(digestKeys(uuids.slice(0, 10_000)), { falsePositiveRate: 0.01 });
      expect(filter.containsMany(digestKeys(uuids.slice(0, 10_000))).includes(0)).toBe(false);
      const wrong = filter.containsMany(digestKeys(uuids.slice(10_000))).reduce((sum, one) => sum + one, 0);
      expect(wrong).toBeLessThan(150); // 100 are expected; the standard deviation is 10
    }),
  );

  test('that are XXH64 under the seed are the keys themselves', () => {
    const bytes = new TextEncoder().encode('alice');
    for (const seed of [0n, 5n]) {
      using filter = CuckooFilter.from(['alice'], { seed, fingerprintBits: 32 });
      expect(filter.has(digestKeys([xxh64(bytes, seed)]).at(0) as HashedKey)).toBe(true);
    }
  });

  test('are refused by a filter with a secret key', () => {
    using filter = new CuckooFilter({ capacity: 10, ...secret(1) });
    const keys = digestKeys([5n]);
    expect(() => filter.addMany(keys)).toThrow(/digests would bypass the secret key/);
    expect(() => filter.add(keys.at(0) as HashedKey)).toThrow(TypeError);
    expect(filter.size).toBe(0);
  });

  test.each([
    [5, '5'],
    [-1n, '-1n'],
    [2n ** 64n, '18446744073709551616n'],
    ['0123456789abcdef', '"0123456789abcdef"'],
    [new Uint8Array(7), '7 bytes'],
    [new ArrayBuffer(20), '20 bytes'],
    [null, 'null'],
    [hashKey('a'), '[object HashedKey]'],
  ])('are not %s', (given, text) => {
    const digests = [5n, given] as Digest[];
    expect(thrownBy(TypeError, () => digestKeys(digests)).message).toBe(
      `digest 1 must be 8 or 16 bytes, or a bigint from 0 to 2^64 - 1, got ${text}`,
    );
  });

  test('are given in an iterable, and their buffers are there', () => {
    for (const given of ['text', 5, null]) expect(() => digestKeys(given as never)).toThrow(/^keys must be/);
    expect(() => digestKeys(new Uint8Array(16) as never)).toThrow(/^keys must be .*\(one key: \[key\]\)/);
    expect(() => digestKeys(new Uint32Array(2) as never)).toThrow(/^digest 0 must be/);
    const gone = new Uint8Array(8);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    expect(() => digestKeys([1n, gone])).toThrow(/^digest 1 has no bytes left/);
    const words = new BigUint64Array(8);
    const kept = digestKeys(words.subarray(1, 3));
    words.fill(9n);
    using filter = CuckooFilter.from(kept, { fingerprintBits: 32 });
    expect([kept.length, ...filter.containsMany(digestKeys([0n, 9n]))]).toEqual([2, 1, 0]);
    structuredClone(words.buffer, { transfer: [words.buffer] });
    expect(() => digestKeys(words)).toThrow(TypeError);
  });
});
