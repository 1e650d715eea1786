// Filters whose hash has a secret key: SipHash-1-3 of the key's bytes, loaded with the key only; and random seeds.
import { describe, expect, test } from '@jest/globals';
import type { CuckooFilterOptions, HashOption, Key } from 'cuckoofilter-wasm';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooFilter, FormatError } from 'cuckoofilter-wasm/trace';
import { integers } from '../support/integers';
import { claim, Random, sameBytes, thrownBy, withSeed } from '../support/random';
import { homesOf, resealed, SavedFilter } from '../support/reference/reader';
import { siphash13 } from '../support/reference/siphash';
import { nameOf, shapes } from '../support/shapes';

const KEY = Uint8Array.from({ length: 16 }, (_, i) => i);
const keyed = (key: Uint8Array = KEY): HashOption => ({ algorithm: 'siphash-1-3', key });
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function bytesOf(key: number | bigint): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigUint64(0, BigInt.asUintN(64, BigInt(key)), true);
  return new Uint8Array(bytes.buffer);
}

/** The hash that a keyed filter computes of each key, one call a key. */
function hashesOf(keys: readonly Key[], secret: Uint8Array = KEY): bigint[] {
  using filter = new CuckooFilter({ capacity: 10, hash: keyed(secret) });
  filter.trace(2);
  return keys.map((key) => {
    filter.contains(key);
    const begin = filter.takeEvents().events[0];
    if (begin?.kind !== 'begin') throw new Error('an operation must start with begin');
    return begin.hash;
  });
}

describe('the hash of a keyed filter', () => {
  /** Of the bytes 0, 1, ... under the key 0 to 15: from the tests of Rust's standard library. */
  test.each([
    [0, 0xabac0158050fc4dcn],
    [1, 0xc9f49bf37d57ca93n],
    [7, 0xd3927d989bb11140n],
    [8, 0x369095118d299a8en],
    [15, 0xd320d86d2a519956n],
    [16, 0xcc4fdd1a7d908b66n],
    [63, 0x9d199062b7bbb3a8n],
  ])('of %d bytes is the published SipHash-1-3', (length, hash) => {
    const bytes = Uint8Array.from({ length }, (_, i) => i);
    expect(siphash13(bytes, KEY)).toBe(hash);
    expect(hashesOf([bytes])).toEqual([hash]);
  });

  test(
    'agrees with the paper for every length from 0 to 100, around the length of the shared buffer, and any key',
    withSeed(50, (random) => {
      const lengths = [...Array.from({ length: 101 }, (_, i) => i), 65_535, 65_536, 65_537, 131_077];
      for (const length of lengths) {
        const [bytes, secret] = [random.bytes(length).slice(), random.bytes(16).slice()];
        expect(hashesOf([bytes], secret)).toEqual([siphash13(bytes, secret)]);
      }
    }),
  );

  test('of a text is that of its UTF-8, and of an integer that of its 8 bytes', () => {
    const texts = ['', 'a', 'naïve', '日本語', '😀', 'é'.repeat(300)];
    expect(hashesOf(texts)).toEqual(texts.map((text) => siphash13(utf8(text), KEY)));
    const numbers = [0, 5, -1, 2 ** 53 - 1, 1 - 2 ** 53, 2n ** 64n - 1n, -(2n ** 63n)];
    expect(hashesOf(numbers)).toEqual(numbers.map((key) => siphash13(bytesOf(key), KEY)));
  });

  test('is the same one by one and in batches, for texts, long keys and typed arrays', () => {
    const texts = [...integers(0, 500)]
      .map((i) => `key ${i}`)
      .concat('x'.repeat(70_000), 'y'.repeat(200_000));
    for (const keys of [texts, BigUint64Array.from({ length: 5000 }, (_, i) => BigInt(i) << 40n)]) {
      const options = { capacity: 6000, falsePositiveRate: 1e-6, hash: keyed() };
      const batch = CuckooFilter.from<Key>(keys, options);
      const single = new CuckooFilter({ ...options, capacity: batch.capacity });
      for (const key of keys) single.add(key);
      expect(batch.equals(single)).toBe(true);
      expect(batch.containsMany(keys).includes(0)).toBe(false);
      expect(batch.deleteMany(keys)).toBe(keys.length);
    }
  });

  test('gives the fingerprint and candidate buckets that the format says', () => {
    const random = new Random(51);
    for (const shape of shapes([1, 997, 4096])) {
      using filter = new CuckooFilter({ capacity: 1, ...shape, hash: keyed() });
      filter.trace(2);
      const key = random.bits();
      filter.contains(key);
      const homes = homesOf(siphash13(bytesOf(key), KEY), shape);
      expect(filter.takeEvents().events[1]).toMatchObject({ kind: 'locate', ...homes });
    }
  });
});

describe('a keyed filter', () => {
  test('is saved without its key, and comes back equal with it, for every bucket size, width and addressing', () => {
    for (const shape of shapes([1, 5, 16])) {
      using filter = new CuckooFilter({ capacity: 1, ...shape, hash: keyed() });
      let size = 0;
      while (filter.tryAdd(size) === 'added') ++size;
      const saved = filter.serialize();
      using loaded = CuckooFilter.deserialize(saved, { hash: keyed() });
      const reader = new SavedFilter(saved, KEY);
      claim(
        sameBytes(loaded.serialize(), saved) && loaded.equals(filter),
        () => `${nameOf(shape)}: not equal`,
      );
      claim(
        !Buffer.from(saved).includes(Buffer.from(KEY)),
        () => `${nameOf(shape)}: the key is in the bytes`,
      );
      for (let key = 0; key < size; ++key)
        claim(
          loaded.contains(key) && reader.contains(bytesOf(key)),
          () => `${nameOf(shape)}: ${key} is lost`,
        );
      for (let key = 0; key < 20; ++key)
        claim(reader.contains(bytesOf(-key)) === loaded.has(-key), () => `${nameOf(shape)}: -${key} differs`);
    }
  });

  test('tells its algorithm and a seed of 0, and no property, plan or event holds its key', () => {
    const secret = Uint8Array.from({ length: 16 }, (_, i) => 0xa1 + 5 * i);
    const options = { capacity: 50, hash: keyed(secret) };
    const filter = new CuckooFilter(options).trace(2).add('a');
    expect(filter).toMatchObject({ hashAlgorithm: 'siphash-1-3', seed: 0n });
    expect(new CuckooFilter({ capacity: 50 }).hashAlgorithm).toBe('xxh64');
    expect(CuckooFilter.plan(options)).toMatchObject({ hashAlgorithm: 'siphash-1-3', seed: 0n });
    const told = [filter.takeEvents(), CuckooFilter.plan(options), { ...filter }, filter.serialize()];
    const text = JSON.stringify(told, (_, each: unknown) =>
      typeof each === 'bigint' ? each.toString() : each,
    );
    const words = new BigUint64Array(secret.buffer);
    for (const part of [words[0], words[1], [...secret].join(',')]) expect(text).not.toContain(String(part));
  });

  test('keeps a copy of its key', () => {
    const secret = Uint8Array.from({ length: 16 }, (_, i) => 0xb2 + 3 * i);
    const filter = new CuckooFilter({ capacity: 50, hash: keyed(secret) }).add('a');
    const saved = filter.serialize();
    const given = secret.slice();
    secret.fill(0);
    expect(filter.add('b').contains('a')).toBe(true);
    expect(CuckooFilter.deserialize(saved, { hash: keyed(given) }).contains('a')).toBe(true);
  });

  test('passes its key on to a clone, and equals a filter with the same key and content only', () => {
    const filter = CuckooFilter.from(['a', 'b'], { capacity: 9, hash: keyed() });
    const copy = filter.clone();
    expect(copy.hashAlgorithm).toBe('siphash-1-3');
    expect(copy.equals(filter) && copy.add('c').contains('c') && !copy.equals(filter)).toBe(true);
    const empty = (hash?: HashOption): CuckooFilter => new CuckooFilter({ capacity: 5, hash });
    const other = KEY.with(15, 99);
    expect(empty(keyed()).equals(empty(keyed()))).toBe(true);
    expect(empty(keyed()).equals(empty(keyed(other)))).toBe(false);
    expect(empty(keyed()).equals(empty())).toBe(false);
    expect(empty('xxh64').equals(empty({ algorithm: 'xxh64' })) && empty('xxh64').equals(empty())).toBe(true);
  });

  test('takes its key as any bytes', () => {
    const expected = CuckooFilter.from(['a'], { hash: keyed() });
    const shared = new Uint8Array(new SharedArrayBuffer(16));
    shared.set(KEY);
    for (const key of [
      KEY.buffer,
      Buffer.from(KEY),
      new DataView(KEY.buffer),
      new Uint32Array(KEY.buffer),
      shared,
    ]) {
      const hash = { algorithm: 'siphash-1-3', key } as const;
      expect(CuckooFilter.from(['a'], { hash }).equals(expected)).toBe(true);
    }
  });
});

describe('loading', () => {
  const keyedBytes = CuckooFilter.from(['a', 'b'], { hash: keyed() }).serialize();
  const plainBytes = CuckooFilter.from(['a', 'b']).serialize();
  const codeOf = (bytes: Uint8Array, hash?: HashOption): string =>
    thrownBy(FormatError, () => CuckooFilter.deserialize(bytes, { hash })).code;

  test('a keyed filter without its key, or any other with one, is a FormatError that says so', () => {
    for (const hash of [undefined, 'xxh64', { algorithm: 'xxh64' }] as const)
      expect(codeOf(keyedBytes, hash)).toBe('wrong-key');
    for (let bit = 0; bit < 128; ++bit) {
      const wrong = KEY.slice();
      wrong[bit >> 3] = (wrong[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(codeOf(keyedBytes, keyed(wrong))).toBe('wrong-key');
    }
    expect(codeOf(plainBytes, keyed())).toBe('wrong-key');
    expect(CuckooFilter.deserialize(plainBytes, { hash: 'xxh64' }).has('a')).toBe(true);
  });

  test('the message says whether to give a key or to leave it out', () => {
    for (const Class of [CuckooFilter, ScalableCuckooFilter]) {
      const messageOf = (made?: HashOption, given?: HashOption): string => {
        const bytes = Class.from(['a', 'b'], { hash: made }).serialize();
        return thrownBy(FormatError, () => Class.deserialize(bytes, { hash: given })).message;
      };
      for (const given of [undefined, 'xxh64'] as const)
        expect(messageOf(keyed(), given)).toMatch(/: it has a secret key\. Pass options\.hash$/);
      expect(messageOf(keyed(), keyed(new Uint8Array(16)))).toMatch(
        /: options\.hash has another secret key$/,
      );
      expect(messageOf(undefined, keyed())).toMatch(/: it has no secret key\. Leave out options\.hash$/);
    }
  });

  test('a keyed filter with a seed is inconsistent, and one whose hash is unknown has an unsupported version', () => {
    expect(
      codeOf(
        resealed(keyedBytes, (v) => v.setUint8(48, 1)),
        keyed(),
      ),
    ).toBe('inconsistent');
    for (const hash of [0, 3, 255])
      expect(
        codeOf(
          resealed(keyedBytes, (v) => v.setUint8(12, hash)),
          keyed(),
        ),
      ).toBe('unsupported-version');
    expect(
      codeOf(
        resealed(plainBytes, (v) => v.setUint8(12, 2)),
        keyed(),
      ),
    ).toBe('wrong-key');
    expect(codeOf(resealed(keyedBytes, (v) => v.setUint8(12, 1)))).toBe('inconsistent');
  });
});

describe('a hash option', () => {
  const doors: readonly [string, (hash: unknown) => unknown][] = [
    ['new', (hash) => new CuckooFilter({ capacity: 5, hash } as CuckooFilterOptions)],
    ['plan', (hash) => CuckooFilter.plan({ capacity: 5, hash } as CuckooFilterOptions)],
    ['deserialize', (hash) => CuckooFilter.deserialize(new Uint8Array(80), { hash: hash as HashOption })],
  ];

  test.each(doors)('that is wrong is named by the error (%s)', (_, open) => {
    const messages = (Kind: typeof TypeError, wrong: readonly unknown[]): string[] =>
      wrong.map((hash) => thrownBy(Kind, () => open(hash)).message);
    for (const message of messages(TypeError, [null, 5, true, () => 0]))
      expect(message).toMatch("hash must be 'xxh64', or 'siphash-1-3' with a key, got ");
    for (const message of messages(TypeError, [{}, { algorithm: 1 }, { key: KEY }]))
      expect(message).toMatch('hash.algorithm must be ');
    for (const message of messages(TypeError, [[], KEY, new CuckooFilter({ capacity: 5 })]))
      expect(message).toMatch('hash must be a plain object, got ');
    expect(messages(TypeError, [{ algorithm: 'siphash-1-3', keys: KEY }])).toEqual([
      'unknown option hash.keys; did you mean hash.key?',
    ]);
    for (const message of messages(RangeError, ['md5', { algorithm: 'md5', key: KEY }]))
      expect(message).toMatch(/^hash(\.algorithm)? must be 'xxh64', or /);
    for (const key of [undefined, null, 'a secret of text', 5, 5n, {}, [...KEY]]) {
      const [message] = messages(TypeError, [{ algorithm: 'siphash-1-3', key }]);
      expect(message).toBe(`hash.key must be 16 bytes, as from crypto.getRandomValues, got ${typeof key}`);
    }
    expect(messages(TypeError, ['siphash-1-3'])).toEqual([
      "hash has no key: pass hash: { algorithm: 'siphash-1-3', key }",
    ]);
    for (const length of [0, 8, 15, 17, 32]) {
      const [message] = messages(RangeError, [keyed(new Uint8Array(length).fill(65))]);
      expect(message).toBe(`hash.key must be 16 bytes, as from crypto.getRandomValues, got ${length} bytes`);
    }
    const [unused] = messages(TypeError, [{ algorithm: 'xxh64', key: KEY }]);
    expect(unused).toBe("hash.key must be left out for 'xxh64', got 16 bytes");
  });

  test('with a key leaves no place for a seed', () => {
    for (const seed of [1, 2n ** 64n - 1n, 'random'] as const) {
      const { message } = thrownBy(RangeError, () => new CuckooFilter({ capacity: 5, seed, hash: keyed() }));
      expect(message).toMatch(/^seed must be left out \(or 0\) if hash has a key, got /);
    }
    expect(new CuckooFilter({ capacity: 5, seed: 0, hash: keyed() }).seed).toBe(0n);
  });
});

describe('a random seed', () => {
  test('is another for every filter, of 64 bits, can be read, and is saved and cloned', () => {
    const filters = Array.from({ length: 100 }, () => CuckooFilter.from(['a'], { seed: 'random' }));
    expect(new Set(filters.map(({ seed }) => seed)).size).toBe(100);
    expect(filters.some(({ seed }) => seed >= 2n ** 63n)).toBe(true);
    for (const filter of filters.slice(0, 5)) {
      const { seed } = filter;
      expect(CuckooFilter.deserialize(filter.serialize()).seed).toBe(seed);
      expect(filter.clone().seed).toBe(seed);
      expect(CuckooFilter.from(['a'], { seed }).equals(filter)).toBe(true);
    }
  });
});
