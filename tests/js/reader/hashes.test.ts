// Keys hashed once, in a reader and in a filter that lies elsewhere: the answers are those for the keys.
import { expect, test } from '@jest/globals';
import {
  CuckooFilter,
  digestKeys,
  hashKey,
  hashKeys,
  InvalidKeyError,
  type HashedKey,
  type HashKeysOptions,
} from 'cuckoofilter-wasm';
import { FilterReader, REMOTE_HEADER_BYTES } from 'cuckoofilter-wasm/reader';
import { thrownBy } from '../support/random';
import { secret } from '../support/secrets';

const HASHES: readonly (readonly [string, HashKeysOptions])[] = [
  ['the default hash', {}],
  ['a seed of more than 32 bits', { seed: 2n ** 63n + 5n }],
  ['a secret key', secret(7)],
];

test.each(HASHES)('a reader with %s takes them, whether the filter is here or elsewhere', (_, options) => {
  const bytes = CuckooFilter.from(['alice', 5], options).serialize();
  const limits = { hash: options.hash };
  const reader = new FilterReader(bytes, limits);
  const remote = FilterReader.remote(bytes.subarray(0, REMOTE_HEADER_BYTES), limits);
  for (const key of ['alice', 5, 'carol'] as const) {
    const hashed = hashKey(key, options);
    expect([reader.has(hashed), reader.contains(hashed)]).toEqual(Array(2).fill(reader.has(key)));
    expect(reader.count(hashed)).toBe(reader.count(key));
    const ranges = remote.locate(hashed);
    expect(ranges).toEqual(remote.locate(key));
    const parts = ranges.map(({ offset, length }) => bytes.subarray(offset, offset + length));
    expect(remote.answer(hashed, parts)).toBe(reader.has(key));
  }
  const hashes = hashKeys(['alice', 5, 'carol'], options);
  expect([...reader.containsMany(hashes)]).toEqual([1, 1, 0]);
  const foreign = hashKeys(['alice'], { seed: 6 });
  const error = thrownBy(InvalidKeyError, () => reader.has(foreign.at(0) as HashedKey));
  expect([error.code, error.message]).toEqual(['invalid-key', expect.stringContaining('with seed 6')]);
  expect(() => reader.containsMany(foreign)).toThrow(/^key 0: the key was hashed with seed 6, the /);
  const digests = digestKeys([1n]);
  if (options.hash === undefined) expect([...reader.containsMany(digests)]).toEqual([0]);
  else expect(() => reader.containsMany(digests)).toThrow(/digests would bypass the secret key/);
});
