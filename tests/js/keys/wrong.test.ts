// What is no key: each is an InvalidKeyError that names it, and changes nothing.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, InvalidKeyError, type Key } from 'cuckoofilter-wasm';
import { sameBytes, thrownBy } from '../support/random';

/** Wide fingerprints, so that different keys are not taken for one by chance. */
const options = { capacity: 100, fingerprintBits: 32 } as const;

/** What is no key, and how a message shows it. */
const NOT_KEYS: readonly (readonly [unknown, string])[] = [
  [NaN, 'NaN'],
  [1.5, '1.5'],
  [Infinity, 'Infinity'],
  [-Infinity, '-Infinity'],
  [2 ** 53, '9007199254740992'],
  [-(2 ** 53), '-9007199254740992'],
  [2n ** 64n, '18446744073709551616n'],
  [-(2n ** 63n) - 1n, '-9223372036854775809n'],
  [null, 'null'],
  [undefined, 'undefined'],
  [true, 'true'],
  [Symbol('name'), 'Symbol(name)'],
  [{}, 'an object'],
  [[1, 2], 'an array'],
  [new Date(0), '[object Date]'],
  [Object('text'), '[object String]'],
  [() => 5, 'a function'],
  [{ byteLength: 3, buffer: new ArrayBuffer(3), byteOffset: 0 }, 'an object'],
  [{ [Symbol.toStringTag]: 'ArrayBuffer', length: 2 }, 'ArrayBuffer'],
];

describe('what is no key', () => {
  test.each(NOT_KEYS)('%s is an InvalidKeyError that names it, and nothing changes', (value, text) => {
    const filter = new CuckooFilter(options).add('before');
    const saved = filter.serialize();
    const key = value as Key;
    for (const method of ['add', 'tryAdd', 'addIfAbsent', 'contains', 'has', 'count', 'delete'] as const) {
      const error = thrownBy(InvalidKeyError, () => filter[method](key));
      expect(error.message).toContain(text);
      expect([error.name, error.code, 'index' in error]).toEqual(['InvalidKeyError', 'invalid-key', false]);
      expect(error).toBeInstanceOf(TypeError);
    }
    for (const method of ['addMany', 'addManyIfAbsent', 'containsMany', 'deleteMany'] as const) {
      const error = thrownBy(InvalidKeyError, () => filter[method]([key]));
      expect(error.message).toContain(text);
      expect([error.code, error.index]).toEqual(['invalid-key', 0]);
    }
    expect(() => CuckooFilter.from([key])).toThrow(InvalidKeyError);
    expect(sameBytes(filter.serialize(), saved)).toBe(true);
    expect(filter.contains('before')).toBe(true);
  });

  test('a buffer that was transferred away is an InvalidKeyError, not an empty key', () => {
    const filter = new CuckooFilter(options).add('');
    for (const view of [new Uint8Array(4), new DataView(new ArrayBuffer(4)), new Float64Array(1)]) {
      structuredClone(view.buffer, { transfer: [view.buffer] });
      for (const key of [view, view.buffer])
        expect(thrownBy(InvalidKeyError, () => filter.contains(key)).code).toBe('invalid-key');
    }
  });

  test('keys in such a buffer are one for calls that wait, too', async () => {
    const keys = new Uint32Array(1);
    structuredClone(keys.buffer, { transfer: [keys.buffer] });
    const lost =
      'the array has no bytes left: its buffer was transferred or shrunk. Transfer a copy instead (bytes.slice())';
    const filter = new CuckooFilter(options);
    await expect(filter.addManyAsync(keys)).rejects.toThrow(new InvalidKeyError(lost));
    await expect(CuckooFilter.fromAsync(keys, options)).rejects.toThrow(new InvalidKeyError(lost));
  });
});
