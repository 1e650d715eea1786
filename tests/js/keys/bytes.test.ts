// What a key means: its bytes, whichever way they are given, at any length.
import { describe, expect, test } from '@jest/globals';
import vm from 'node:vm';
import { CuckooFilter, type Key } from 'cuckoofilter-wasm';
import { Random } from '../support/random';
import { encodeUtf8Into } from '../../../js/src/keys/utf8';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Wide fingerprints, so that different keys are not taken for one by chance. */
const options = { capacity: 100, fingerprintBits: 32 } as const;

/** True if both are one key to a filter, given singly, in a batch, and between other keys of a batch. */
function areOneKey(one: Key, other: Key): boolean {
  using filter = new CuckooFilter(options);
  filter.add(one);
  using batch = new CuckooFilter(options);
  batch.addMany(['before', one, 'behind']);
  const answers = [
    filter.contains(other),
    filter.containsMany([other])[0] === 1,
    batch.contains(other),
    batch.containsMany(['x', other])[1] === 1,
    filter.delete(other) && filter.size === 0,
  ];
  if (new Set(answers).size !== 1)
    throw new Error(`one way of asking differs from another: ${answers.join()}`);
  return answers[0] === true;
}

/** The 8 bytes of an integer. */
function bytesOf(integer: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, integer), true);
  return bytes;
}

describe('an integer key', () => {
  test.each([
    [5, 5n],
    [0, 0n],
    [-0, 0n],
    [-1, -1n],
    [-1, 2n ** 64n - 1n],
    [255, 255n],
    [-256, -256n],
    [2 ** 31, 2n ** 31n],
    [-(2 ** 31), -(2n ** 31n)],
    [2 ** 32, 2n ** 32n],
    [-(2 ** 32) - 1, -(2n ** 32n) - 1n],
    [2 ** 53 - 1, 2n ** 53n - 1n],
    [1 - 2 ** 53, 1n - 2n ** 53n],
    [-(2n ** 63n), 2n ** 63n],
  ])('%s and %s are one key: their 8 bytes, little-endian, two s complement', (one, other) => {
    expect(areOneKey(one, other)).toBe(true);
    expect(areOneKey(one, bytesOf(BigInt(one)))).toBe(true);
    expect(areOneKey(bytesOf(BigInt(other)), other)).toBe(true);
  });

  test('is not its decimal text, and not its lowest bytes alone', () => {
    expect(areOneKey(5, '5')).toBe(false);
    expect(areOneKey(5, Uint8Array.of(5))).toBe(false);
    expect(areOneKey(5, 2 ** 32 + 5)).toBe(false);
    expect(areOneKey(0, '')).toBe(false);
  });
});

describe('a text key', () => {
  test.each([
    '',
    'a',
    'key',
    'naïve',
    '日本語',
    '😀',
    'a\0b',
    '\uFEFFbom',
    'x'.repeat(23),
    'x'.repeat(24),
    'x'.repeat(25),
    'é'.repeat(24),
    'x'.repeat(23) + 'é',
    '😀'.repeat(300),
  ])('%j is its UTF-8 bytes', (text) => {
    expect(areOneKey(text, utf8(text))).toBe(true);
    expect(areOneKey(utf8(text), text)).toBe(true);
  });

  test('of characters of every length and border is its UTF-8 bytes', () => {
    const first = [0, 0x7f, 0x80, 0x7ff, 0x800, 0xfff, 0x1000, 0xd7ff, 0xe000, 0xffff, 0x1_0000, 0x3_ffff];
    for (const code of [...first, 0x4_0000, 0x10_ffff]) {
      const character = String.fromCodePoint(code);
      for (const text of [character, `${character}a`, `a${character}`, character.repeat(3)])
        expect(areOneKey(text, utf8(text))).toBe(true);
    }
  });

  test('is not normalized', () => {
    expect(areOneKey('\u00e9', 'e\u0301')).toBe(false);
    expect(areOneKey('A', 'a')).toBe(false);
  });

  test.each(['\ud800', '\udc00', 'a\ud800', '\udc00b', '\ud800\ud800', '\udc00\ud800', '\ud83dx\ude00'])(
    'with lone surrogates (%j) has U+FFFD in their place',
    (text) => {
      const replaced = text.replace(/[\ud800-\udfff]/g, '\ufffd');
      expect(areOneKey(text, replaced)).toBe(true);
      expect(areOneKey(text, utf8(replaced))).toBe(true);
    },
  );

  test('of no characters is a key, the same as no bytes', () => {
    const filter = new CuckooFilter(options);
    expect(filter.contains('')).toBe(false);
    filter.add('');
    const none = new ArrayBuffer(0);
    const empty = [none, new Uint8Array(none), new DataView(none), new Float64Array(none)];
    for (const key of ['', ...empty]) {
      expect([filter.contains(key), filter.contains('x')]).toEqual([true, false]);
      for (const keys of [[key], new Set([key])]) expect([...filter.containsMany(keys)]).toEqual([1]);
    }
    expect([...filter.containsMany(['', 'a', ''])]).toEqual([1, 0, 1]);
  });
});

describe('a key of bytes', () => {
  const bytes = Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7, 250, 251, 252, 253, 254, 255, 16, 17);

  test('is the same in every kind of view and buffer', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(16));
    shared.set(bytes);
    const { buffer } = bytes;
    const views: ArrayBufferView[] = [
      Buffer.from(bytes),
      new DataView(buffer),
      new Int8Array(buffer),
      new Uint8ClampedArray(buffer),
      new Uint16Array(buffer),
      new Int32Array(buffer),
      new Float32Array(buffer),
      new Float64Array(buffer),
      new BigUint64Array(buffer),
      shared,
    ];
    for (const view of views) expect(areOneKey(view, bytes)).toBe(true);
    expect(areOneKey(buffer, bytes)).toBe(true);
    expect(areOneKey(shared.buffer as unknown as ArrayBuffer, bytes)).toBe(true);
    expect(areOneKey(vm.runInNewContext('Uint8Array.of(1, 2)') as Uint8Array, Uint8Array.of(1, 2))).toBe(
      true,
    );
    expect(
      areOneKey(vm.runInNewContext('Uint8Array.of(1, 2).buffer') as ArrayBuffer, Uint8Array.of(1, 2)),
    ).toBe(true);
  });

  test('is that part of the buffer which the view shows', () => {
    const part = Uint8Array.of(4, 5, 6, 7);
    expect(areOneKey(bytes.subarray(4, 8), part)).toBe(true);
    expect(areOneKey(new Uint16Array(bytes.buffer, 4, 2), part)).toBe(true);
    expect(areOneKey(new DataView(bytes.buffer, 4, 4), part)).toBe(true);
    expect(areOneKey(Buffer.from(bytes.buffer, 4, 4), part)).toBe(true);
    expect(areOneKey(bytes.subarray(4, 8), bytes)).toBe(false);
  });

  test('counts zeros at its end', () => {
    expect(areOneKey(Uint8Array.of(1), Uint8Array.of(1, 0))).toBe(false);
    expect(areOneKey(new Uint8Array(0), Uint8Array.of(0))).toBe(false);
  });
});

describe('a long key', () => {
  /** Text of `length` UTF-16 units with characters of 1 to 4 bytes, so that some straddle every piece's end. */
  function textOf(length: number, random: Random): string {
    const characters = ['a', 'é', '€', '😀', '\ud800'];
    const parts: string[] = [];
    for (let units = 0; units < length; units += parts.at(-1)?.length ?? 1)
      parts.push(characters[random.below(characters.length)] ?? 'a');
    return parts.join('').slice(0, length);
  }

  test.each([21_845, 21_846, 65_535, 65_536, 65_537, 70_000, 131_073, 1_000_000])(
    'of %d characters is its UTF-8 bytes',
    (length) => {
      const random = new Random(length);
      for (const text of [
        'x'.repeat(length),
        'é'.repeat(length),
        '€'.repeat(length),
        `${'a'.repeat(length % 4)}${'😀'.repeat(length / 2)}`,
        textOf(length, random),
      ]) {
        expect(areOneKey(text, utf8(text))).toBe(true);
        expect(areOneKey(text, `${text}x`)).toBe(false);
      }
    },
  );

  test('has no piece boundary that a surrogate pair falls into', () => {
    for (let lead = 0; lead < 8; ++lead) {
      const text = 'x'.repeat(65_529 + lead) + '😀€é'.repeat(10_000);
      expect(areOneKey(text, utf8(text))).toBe(true);
      const broken = 'x'.repeat(65_529 + lead) + '\ud83d\ud83d\ude00\ude00'.repeat(9_000);
      expect(areOneKey(broken, utf8(broken))).toBe(true);
    }
  });

  test('differs from one that differs in its first or last byte only', () => {
    for (const length of [65_535, 65_536, 65_537, 200_000]) {
      const key = new Random(length).bytes(length);
      for (const at of [0, length - 1]) {
        const other = key.slice();
        other[at] = (other[at] ?? 0) ^ 1;
        expect(areOneKey(key, other)).toBe(false);
      }
      expect(areOneKey(key, key.subarray(1))).toBe(false);
    }
  });
});

// The same bytes, whole characters, and never past the end of the room.
describe('without TextEncoder', () => {
  const TEXTS = ['', 'a', 'é', '€', '😀', '\ud83d', '\ude00', '\ude00\ud83d', 'a😀€é\ud83d', '😀😀😀'];

  test('a room of three bytes per UTF-16 unit takes the whole string', () => {
    for (const text of [...TEXTS, String.fromCharCode(...Array.from({ length: 0xffff }, (_, i) => i))]) {
      const bytes = new Uint8Array(3 * text.length);
      const { read, written } = encodeUtf8Into(text, bytes);
      expect(read).toBe(text.length);
      expect(Buffer.from(bytes.subarray(0, written))).toEqual(Buffer.from(text));
    }
  });

  test('a smaller room takes whole characters, and some if it has six bytes', () => {
    for (const text of TEXTS)
      for (let size = 0; size < 3 * text.length; ++size) {
        const bytes = new Uint8Array(size);
        const { read, written } = encodeUtf8Into(text, bytes);
        const [taken, rest] = [text.slice(0, read), text.slice(read)].map((part) => Buffer.from(part));
        expect(Buffer.from(bytes.subarray(0, written))).toEqual(taken);
        expect(Buffer.concat([taken as Buffer, rest as Buffer])).toEqual(Buffer.from(text));
        if (size >= 6) expect(read).toBeGreaterThan(0);
      }
  });
});
