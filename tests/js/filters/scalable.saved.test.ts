// A saved ScalableCuckooFilter, and what the class refuses.
import { describe, expect, test } from '@jest/globals';
import {
  FormatError,
  OutOfMemoryError,
  ScalableCuckooFilter,
  type ScalableCuckooFilterOptions,
} from 'cuckoofilter-wasm/scalable';
import { savedBytes } from '../support/reference/suite';
import { integers } from '../support/integers';
import { withMemoryOf } from '../support/memory-spy';
import { thrownBy } from '../support/random';

describe('a scalable filter refuses', () => {
  test.each([
    [{ capacity: 0 }, RangeError, 'capacity'],
    [{ capacity: '5' }, TypeError, 'capacity'],
    [{ maxCapacity: 9 }, RangeError, 'maxCapacity'],
    [{ falsePositiveRate: 1 }, RangeError, 'falsePositiveRate'],
    [{ falsePositiveRate: -1 }, RangeError, 'falsePositiveRate'],
    [{ bucketCount: 3 }, RangeError, 'bucketCount'],
    [{ addressing: 'reflect' }, RangeError, 'addressing'],
    [{ addressing: 5 }, TypeError, 'addressing'],
    [{ onGrow: 5 }, TypeError, 'onGrow'],
    [{ hash: { algorithm: 'siphash-1-3' } }, TypeError, 'hash.key'],
    [{ capacity: 2 ** 33 }, OutOfMemoryError, 'not'],
  ])('%j, and names the option', (change, Kind, name) => {
    const options = { capacity: 10, ...change } as ScalableCuckooFilterOptions;
    withMemoryOf(2 ** 27, () =>
      expect(thrownBy(Kind, () => new ScalableCuckooFilter(options)).message.split(' ')[0]).toBe(name),
    );
  });
});

test('a scalable filter is merged with none', () => {
  const filter = new ScalableCuckooFilter({ capacity: 10 });
  expect('merge' in filter || 'mergeIfAbsent' in filter).toBe(false);
});

describe('a saved scalable filter', () => {
  const made = { capacity: 20, maxCapacity: 40, falsePositiveRate: 0.01 };
  const saved = ScalableCuckooFilter.from(integers(1, 400), made).serialize();
  const codeOf = (bytes: Uint8Array, given = {}): string =>
    thrownBy(FormatError, () => ScalableCuckooFilter.deserialize(bytes, given)).code;

  test('is loaded within the limit, with its key, from a buffer too', () => {
    const { byteLength } = ScalableCuckooFilter.deserialize(saved.slice().buffer);
    expect(ScalableCuckooFilter.deserialize(saved, { maxBytes: byteLength }).size).toBe(400);
    expect(codeOf(saved, { maxBytes: byteLength - 1 })).toBe('too-large');
    const hash = { algorithm: 'siphash-1-3', key: new Uint8Array(16).fill(3) } as const;
    const keyed = ScalableCuckooFilter.from(integers(1, 400), { ...made, hash }).serialize();
    expect(codeOf(keyed)).toBe('wrong-key');
    expect(codeOf(keyed, { hash: { ...hash, key: new Uint8Array(16) } })).toBe('wrong-key');
    expect(ScalableCuckooFilter.deserialize(keyed, { hash }).has(integers(1, 1)[0] as bigint)).toBe(true);
    expect(() => ScalableCuckooFilter.deserialize('text' as never)).toThrow(TypeError);
    expect(() => ScalableCuckooFilter.deserialize(saved, { maxBytes: -1 })).toThrow(RangeError);
  });

  // Its bytes and answers: format/golden.test.ts.
  test.each(['layers.bin', 'walked/layers.bin'])('lets all of its keys be deleted: %s', (file) => {
    const row = Array.from({ length: 700 }, (_, i) => `k${i}`).filter((_, i) => i % 3 !== 1);
    const loaded = ScalableCuckooFilter.deserialize(savedBytes(file));
    expect([loaded.layers, loaded.size]).toEqual([4, 467]);
    expect(loaded.deleteMany(row)).toBe(466 + 1);
  });
});
