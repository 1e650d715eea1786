// Keys of every type and length in the reader, and what is no key.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, InvalidKeyError, PackedKeys, type Key } from 'cuckoofilter-wasm';
import { FilterReader } from 'cuckoofilter-wasm/reader';
import { Random, thrownBy } from '../support/random';
import { SECRET } from '../support/secrets';
import { compared } from './compared';

/** The same bytes, after their buffer is transferred away. */
function lost(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  structuredClone(bytes, { transfer: [bytes.buffer] });
  return bytes;
}

describe('a key', () => {
  const texts = [
    '',
    'a',
    'naïve',
    '日本語',
    '😀',
    '\ud800',
    '\udc00\ud800',
    'a\udfffb',
    ...['\x7f', '\x80', '\u07ff', '\u0800', '\uffff', '\u{10000}', '\u{10ffff}'],
    '\ud83d😀',
    ...Array.from({ length: 130 }, (_, i) => 'é'.repeat(i % 7) + 'x'.repeat(i)),
    'z'.repeat(100_000),
    '日'.repeat(70_001),
  ];
  const numbers = [0, 1, -1, 2 ** 31, -(2 ** 31), 2 ** 32, 2 ** 53 - 1, 1 - 2 ** 53, -0];
  const bigints = [0n, 5n, -1n, 2n ** 63n, -(2n ** 63n), 2n ** 64n - 1n, 0x0123_4567_89ab_cdefn];

  test.each([undefined, SECRET])(
    'of every type and length is the same as in the class, with the hash %j',
    (hash) => {
      const random = new Random(9);
      const bytes = Array.from({ length: 140 }, (_, length) => random.bytes(length));
      const keys: Key[] = [
        ...texts,
        ...numbers,
        ...bigints,
        ...bytes,
        new Uint16Array([1, 2]),
        new ArrayBuffer(3),
      ];
      using filter = CuckooFilter.from(keys, { falsePositiveRate: 1e-9, capacity: 500, hash });
      compared(filter, [...keys, ...keys.map((key) => `${String(key)}?`)], 'keys', hash);
    },
  );

  test('that is none is an InvalidKeyError, with its index in a batch', () => {
    const reader = new FilterReader(CuckooFilter.from(['a']).serialize());
    for (const key of [1.5, NaN, 2 ** 53, null, undefined, {}, [], true, 2n ** 64n, -(2n ** 63n) - 1n]) {
      for (const ask of [() => reader.contains(key as never), () => reader.count(key as never)]) {
        const error = thrownBy(InvalidKeyError, ask);
        expect([error.code, error.index]).toEqual(['invalid-key', undefined]);
        expect(error.message).toMatch(/^a key must be /);
      }
      const error = thrownBy(InvalidKeyError, () => reader.containsMany(['a', key as never]));
      expect(error).toMatchObject({ code: 'invalid-key', index: 1 });
      expect(error.message).toMatch(/^key 1: a key/);
    }
    for (const keys of [
      undefined,
      null,
      5,
      {},
      'ab',
      new String('ab'),
      new Uint8Array(2),
      new DataView(new ArrayBuffer(2)),
    ])
      expect(() => reader.containsMany(keys as never)).toThrow(
        /^keys must be iterable \(one key: \[key\]\), got /,
      );
  });

  test.each<[name: string, key: unknown, problem: RegExp | string]>([
    ['a fraction', 1.5, '1.5'],
    ['a long number', 10n ** 60n, '1000000000000000000000000000000000000000'],
    ['an array', [1, 2], '[object Array]'],
    ['an object without a text', Object.create(null), '[object Object]'],
    [
      'an object that refuses to be text',
      {
        toString: () => {
          throw new RangeError('own');
        },
      },
      '[object Object]',
    ],
    ['bytes whose buffer is gone', lost(new Uint8Array(4)), /has no bytes left/],
    ['a buffer that is gone', lost(new Uint8Array(4)).buffer, /has no bytes left/],
  ])('%s is none, and told', (_, key, got) => {
    const reader = new FilterReader(CuckooFilter.from(['a']).serialize());
    const rule = 'a key must be a string, safe integer, 64-bit bigint or bytes, got ';
    const error = thrownBy(InvalidKeyError, () => reader.has(key as never));
    if (typeof got === 'string') expect(error.message).toBe(`${rule}${got}`);
    else expect(error.message).toMatch(got);
    const second = thrownBy(InvalidKeyError, () => reader.containsMany(['a', key as never]));
    expect(second).toMatchObject({ index: 1, message: `key 1: ${error.message}` });
  });

  test('may come from any iterable, typed array or PackedKeys', () => {
    const row = ['a', 'b', 5, 7];
    using filter = CuckooFilter.from<Key>(['a', 5]);
    const reader = new FilterReader(filter.serialize());
    const packed = new PackedKeys(new TextEncoder().encode('abc'), Uint32Array.of(1, 2, 3));
    function* reusing(): Generator<Uint8Array> {
      const room = new Uint8Array(1);
      for (const letter of 'abc') {
        room[0] = letter.charCodeAt(0);
        yield room;
      }
    }
    for (const keys of [
      () => row,
      () => new Set(row),
      () => packed,
      reusing,
      () => BigUint64Array.of(5n, 6n),
      () => Float64Array.of(5, -1),
      () => [],
    ])
      expect(reader.containsMany(keys())).toEqual(filter.containsMany(keys()));
  });
});
