// What is no saved filter: no bytes but those of a sound one are loaded, and no header makes much be allocated. Each rule of the
// format: golden.test.ts, by the suite in tests/conformance.
import { describe, expect, test } from '@jest/globals';
import { memoryBytes } from '../support/memory-spy';
import { CuckooFilter, FormatError } from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { integers } from '../support/integers';
import { runs } from '../support/long';
import { claim, thrownBy, withSeed } from '../support/random';
import { resealed, SavedFilter, TRAILER_BYTES } from '../support/reference/reader';
import { SECRET } from '../support/secrets';

/** What loading these bytes throws, by its code. */
function codeOf(bytes: Uint8Array, options?: { maxBytes?: number }): string {
  return thrownBy(FormatError, () => CuckooFilter.deserialize(bytes, options)).code;
}

function expiring(keys: string[]): ExpiringFilter {
  const filter = new ExpiringFilter({ capacity: 100, periods: 3 });
  filter.areNew(keys);
  return filter;
}

/** 11 buckets of 3 slots of 7 bits: 231 bits, so that 1 bit of the last byte is free. */
const small = { capacity: 20, bucketCount: 11, bucketSize: 3, fingerprintBits: 7, seed: 5 } as const;

/** What each class saved, and what loads it. */
const SAVED: readonly (readonly [string, Uint8Array, (bytes: Uint8Array) => unknown])[] = [
  [
    'CuckooFilter',
    CuckooFilter.from(integers(0, 20), small).serialize(),
    (bytes) => CuckooFilter.deserialize(bytes),
  ],
  [
    'CuckooFilter with a secret key',
    CuckooFilter.from(['a', 'b'], { hash: SECRET }).serialize(),
    (bytes) => CuckooFilter.deserialize(bytes, { hash: SECRET }),
  ],
  [
    'CuckooValues',
    CuckooValues.from(
      Array.from(integers(0, 20), (key, i) => [key, 500 - i] as const),
      { ...small, valueBits: 9 },
    ).serialize(),
    (bytes) => CuckooValues.deserialize(bytes),
  ],
  [
    'CuckooCounter',
    CuckooCounter.from(integers(0, 20), { ...small, counterBits: 6 }).serialize(),
    (bytes) => CuckooCounter.deserialize(bytes),
  ],
  ['ExpiringFilter', expiring(['a', 'b']).serialize(), (bytes) => ExpiringFilter.deserialize(bytes)],
  [
    'ScalableCuckooFilter',
    ScalableCuckooFilter.from(integers(1, 200), { capacity: 20, maxCapacity: 40 }).serialize(),
    (bytes) => ScalableCuckooFilter.deserialize(bytes),
  ],
];

describe.each(SAVED)('the saved bytes of a %s', (name, saved, load) => {
  const codeFor = (bytes: Uint8Array): string => thrownBy(FormatError, () => load(bytes)).code;

  test('of any one byte changed in any way are a FormatError', () => {
    for (let at = 0; at < saved.length; ++at) {
      // Each single bit; of one class, and in a long run of all, each change.
      for (let by = 1; by < 256; by += name === 'CuckooFilter' ? 1 : runs(by, 1)) {
        const bytes = saved.slice();
        bytes[at] = (bytes[at] ?? 0) ^ by;
        claim(codeFor(bytes) !== '', () => `byte ${at}`);
      }
    }
  });

  test('cut short anywhere, or with anything behind, are a FormatError', () => {
    expect(codeFor(new Uint8Array(0))).toBe('not-a-filter');
    for (let length = 1; length < saved.length; ++length)
      expect(codeFor(saved.subarray(0, length))).toBe('cut-short');
    for (const more of [1, 8, 1000])
      expect(codeFor(Buffer.concat([saved, new Uint8Array(more)]))).toBe('cut-short');
  });
});

describe('damaged bytes', () => {
  const saved = CuckooFilter.from(integers(0, 20), small).serialize();

  test(
    'at random are a FormatError, and so are random changes under a checksum that fits, or they are a sound filter',
    withSeed(42, (random) => {
      for (let round = 0; round < 3000; ++round) {
        expect(codeOf(random.bytes(random.below(200)))).toBe('not-a-filter');
        const bytes = resealed(saved, (_, copy) => {
          for (let i = 0; i <= random.below(3); ++i)
            copy[random.below(copy.length - TRAILER_BYTES)] = random.below(256);
        });
        try {
          using loaded = CuckooFilter.deserialize(bytes);
          for (let key = 0; key < 50; ++key) loaded.tryAdd(key);
          claim(loaded.size === new SavedFilter(loaded.serialize()).size, () => 'the size is wrong');
        } catch (error) {
          claim(error instanceof FormatError, () => String(error));
        }
      }
    }),
  );
});

describe('maxBytes', () => {
  const filter = new CuckooFilter({ capacity: 1000 }).add('key');
  const saved = filter.serialize();

  test('below the bytes of the table is too-large, and from there up is no limit', () => {
    for (const maxBytes of [0, 1, filter.byteLength - 1])
      expect(codeOf(saved, { maxBytes })).toBe('too-large');
    for (const maxBytes of [filter.byteLength, 2 ** 32, 2 ** 53, 2 ** 64, 1e300, Infinity]) {
      expect(CuckooFilter.deserialize(saved, { maxBytes }).contains('key')).toBe(true);
    }
    expect(CuckooFilter.deserialize(saved, {}).contains('key')).toBe(true);
  });

  test('of the wrong type is a TypeError, and out of range a RangeError', () => {
    for (const maxBytes of ['5', null, 5n, {}])
      expect(() => CuckooFilter.deserialize(saved, { maxBytes: maxBytes as never })).toThrow(TypeError);
    for (const maxBytes of [-1, NaN, -Infinity])
      expect(() => CuckooFilter.deserialize(saved, { maxBytes })).toThrow(RangeError);
  });

  test('or not, a header that claims a huge table over few bytes allocates nothing', () => {
    const before = memoryBytes();
    for (const buckets of [2n ** 20n, 2n ** 28n, 2n ** 32n]) {
      const bytes = resealed(saved, (v) => {
        v.setUint8(10, 0);
        v.setUint8(13, 8);
        v.setUint8(14, 32);
        v.setUint8(15, 0);
        v.setBigUint64(24, buckets, true);
        v.setBigUint64(64, buckets * 32n, true);
      });
      expect(codeOf(bytes)).toBe('cut-short');
    }
    expect(memoryBytes()).toBe(before);
  });
});
