// The chunks of RedisBloomFilter, and what it refuses: chunks that are damaged, keys that are none, and keys that do not fit. And how
// many entries it moves.
import { describe, expect, test } from '@jest/globals';
import { FilterFullError, FormatError, RedisBloomFilter, type DumpChunk } from 'cuckoofilter-wasm/redisbloom';
import { thrownBy } from '../support/random';

/** The header of a filter of one sub-filter with four buckets of two, with other fields where `fields` say so. */
function header(fields: Partial<Record<string, number>> = {}, length = 38): DumpChunk {
  const given = { items: 1, buckets: 4, deletes: 0, tables: 1, bucketSize: 2, iterations: 20, expansion: 1 };
  const { items, buckets, deletes, tables, bucketSize, iterations, expansion } = { ...given, ...fields };
  const bytes = Buffer.alloc(Math.max(length, 38));
  [items, buckets, deletes, tables].forEach((value, i) => bytes.writeBigUInt64LE(BigInt(value), 8 * i));
  [bucketSize, iterations, expansion].forEach((value, i) => bytes.writeUInt16LE(value, 32 + 2 * i));
  return [1, Uint8Array.from(bytes.subarray(0, length))];
}

/** A chunk of ones. */
const ones = (iterator: number, length = 8): DumpChunk => [iterator, new Uint8Array(length).fill(1)];

const OUT_OF_RANGE = 'a field of the header is out of range';

describe('chunks', () => {
  test.each<[string, DumpChunk[], string, string]>([
    ['none', [], 'not-a-filter', 'the first chunk must be a header, with iterator 1'],
    ['no header first', [ones(9)], 'not-a-filter', 'the first chunk must be a header, with iterator 1'],
    ...[32, 46].map((length): [string, DumpChunk[], string, string] => [
      `a header of ${length} bytes`,
      [header({}, length)],
      'unsupported-version',
      'the header was written by RedisBloom 2.2 or older: upgrade the server, and dump again',
    ]),
    ['a short header', [header({}, 37), ones(9)], 'cut-short', 'the header has 37 of 38 bytes'],
    ['a long header', [header({}, 39), ones(9)], 'not-a-filter', 'the header has 39 bytes instead of 38'],
    ['three buckets', [header({ buckets: 3 }), ones(7, 6)], 'inconsistent', OUT_OF_RANGE],
    ['2^33 buckets', [header({ buckets: 2 ** 33 })], 'inconsistent', OUT_OF_RANGE],
    ['no sub-filter', [header({ tables: 0, items: 0 })], 'inconsistent', OUT_OF_RANGE],
    ['buckets of none', [header({ bucketSize: 0, items: 0 })], 'inconsistent', OUT_OF_RANGE],
    ['buckets of 256', [header({ bucketSize: 256 }), ones(1025, 1024)], 'inconsistent', OUT_OF_RANGE],
    ['no iteration', [header({ iterations: 0 }), ones(9)], 'inconsistent', OUT_OF_RANGE],
    ['more than can be', [header({ tables: 2, expansion: 0 }), ones(9)], 'inconsistent', OUT_OF_RANGE],
    ['three times as many', [header({ expansion: 3 }), ones(9)], 'inconsistent', OUT_OF_RANGE],
    ['2^53 deletes', [header({ deletes: 2 ** 53 }), ones(9)], 'inconsistent', OUT_OF_RANGE],
    [
      'no bytes',
      [header()],
      'cut-short',
      'sub-filter 0 needs 8 bytes, the chunks have 0: run CF.SCANDUMP again, to its end',
    ],
    [
      'no bytes of 2^32 buckets',
      [header({ buckets: 2 ** 32 })],
      'cut-short',
      'sub-filter 0 needs 8589934592 bytes, the chunks have 0: run CF.SCANDUMP again, to its end',
    ],
    [
      'too few items',
      [header({ items: 9 }), ones(9)],
      'inconsistent',
      'the header counts 9 items, the chunks hold only 8',
    ],
    [
      'a gap',
      [header(), ones(10)],
      'cut-short',
      'bytes are missing or duplicated before iterator 10: run CF.SCANDUMP again',
    ],
    ...[1, 9].map((iterator): [string, DumpChunk[], string, string] => [
      `no bytes before iterator ${iterator}`,
      [header(), ones(9), ones(iterator, 0)],
      'cut-short',
      `bytes are missing or duplicated before iterator ${iterator}: run CF.SCANDUMP again`,
    ]),
    [
      'bytes for iterator 0, which ends a dump',
      [header(), ones(9), ones(0)],
      'cut-short',
      'bytes are missing or duplicated before iterator 0: run CF.SCANDUMP again',
    ],
    [
      'more than the header says',
      [header(), ones(9), ones(17)],
      'inconsistent',
      'there are chunks after the last sub-filter',
    ],
    [
      'one chunk of two sub-filters',
      [header({ tables: 2 }), ones(17, 16)],
      'inconsistent',
      'the chunk with iterator 17 spans two sub-filters',
    ],
  ])('are refused that have or are %s', (_, chunks, code, problem) => {
    expect(thrownBy(FormatError, () => RedisBloomFilter.load(chunks))).toMatchObject({
      code,
      message: `cannot load these chunks: ${problem}`,
    });
  });

  test('of any length make up a sub-filter, in any order', () => {
    const whole = RedisBloomFilter.load([header({ tables: 2 }), ones(9), ones(17)]);
    const parts = [ones(17, 3), header({ tables: 2 }), ones(9, 4), ones(14, 5), ones(5, 4)];
    parts.unshift(...parts.splice(1, 1)); // The header comes first.
    expect(RedisBloomFilter.load(parts).dump()).toEqual(whole.dump());
  });

  test('have at most 16 MiB each', () => {
    const dump = RedisBloomFilter.reserve({ capacity: 2 ** 25 }).dump();
    expect(dump.map(([iterator, data]) => [iterator, data.length])).toEqual([
      [1, 38],
      [2 ** 24 + 1, 2 ** 24],
      [2 ** 25 + 1, 2 ** 24],
    ]);
  });

  test.each([
    [undefined, 'chunks must be an iterable of pairs [iterator, data], got undefined'],
    ['text', 'chunks must be an iterable of pairs [iterator, data], got text'],
    [[1], 'the iterator of chunk 0 must be a number or a bigint, got undefined'],
    [[header(), ['9', ones(9)[1]]], 'the iterator of chunk 1 must be a number or a bigint, got 9'],
    [
      [header(), [9, '\u0001\u0001']],
      'the data of chunk 1 must be bytes (have your client return Buffers, because strings damage a dump), got text',
    ],
    [
      [header(), [9, 5]],
      'the data of chunk 1 must be bytes (have your client return Buffers, because strings damage a dump), got 5',
    ],
  ])('%j are none, and the TypeError says why', (chunks, message) => {
    const load = (): unknown => RedisBloomFilter.load(chunks as DumpChunk[]);
    expect(thrownBy(TypeError, load)).toMatchObject({ code: 'invalid-argument', message });
  });
});

test('a filter that lost all keys of several sub-filters takes keys again', () => {
  const one = RedisBloomFilter.reserve({ capacity: 8 });
  one.add('a');
  const [, [, data]] = one.dump() as [DumpChunk, DumpChunk];
  // Only the second sub-filter has the key.
  const filter = RedisBloomFilter.load([header({ tables: 2 }), [9, new Uint8Array(8)], [17, data]]);
  expect([filter.exists('a'), filter.delete('a'), filter.info()['Number of filters']]).toEqual([
    true,
    true,
    1,
  ]);
  expect([filter.exists('a'), filter.add('b'), filter.exists('b')]).toEqual([false, true, true]);
});

test.each([
  ['a', '"a"'],
  ['long'.repeat(20), `"${'long'.repeat(10)}"`],
  [Uint8Array.of(1, 2, 3), 'a key of 3 bytes'],
])('the error for %j, which does not fit, names it shortly and says what to do', (key, shown) => {
  const filter = RedisBloomFilter.reserve({ capacity: 4, expansion: 0 });
  const fill = (): void => {
    for (let i = 0; i < 9; ++i) filter.add(key);
  };
  expect(thrownBy(FilterFullError, fill)).toMatchObject({
    message: `the filter is full; ${shown} does not fit: reserve a larger capacity, or an expansion of at least 1`,
    code: 'filter-full',
    reason: 'full',
    added: 0,
  });
});

test('a key that is none is named with the rule', () => {
  const filter = RedisBloomFilter.reserve({ capacity: 10 });
  for (const key of [5n, null, undefined, {}]) expect(() => filter.add(key as never)).toThrow(TypeError);
  expect(filter.info()['Number of items inserted']).toBe(0);
  expect(thrownBy(TypeError, () => filter.exists(5 as never))).toMatchObject({
    code: 'invalid-argument',
    message: 'a key must be a string or bytes (Redis has no numbers: pass String(number)), got 5',
  });
});

test('addNX says whether the key was new', () => {
  const filter = RedisBloomFilter.reserve({ capacity: 100 });
  expect([filter.addNX('a'), filter.addNX('a'), filter.count('a')]).toEqual([true, false, 1]);
});

test('entries move to older sub-filters once more than a tenth are deleted', () => {
  const filter = RedisBloomFilter.reserve({ capacity: 8 });
  for (let i = 0; i < 11; ++i) filter.add(`key ${i}`);
  expect(filter.info()['Number of filters']).toBeGreaterThan(1);
  filter.delete('key 0');
  expect(filter.info()).toMatchObject({ 'Number of items inserted': 10, 'Number of items deleted': 1 });
  filter.delete('key 1');
  expect(filter.info()).toMatchObject({ 'Number of items inserted': 9, 'Number of items deleted': 0 });
});

test.each([1, 2, 3])('an insert moves at most %i entries if it may move no more', (maxIterations) => {
  let most = 0;
  for (let round = 0; round < 20; ++round) {
    const options = { capacity: 64, bucketSize: 1, maxIterations, expansion: 0 };
    const filter = RedisBloomFilter.reserve(options);
    const bytes = (): Uint8Array => (filter.dump()[1] as DumpChunk)[1];
    for (let i = 0; i < 64; ++i) {
      const before = bytes();
      try {
        filter.add(`key ${round} ${i}`);
      } catch {
        continue;
      }
      const after = bytes();
      most = Math.max(most, before.filter((byte, at) => byte !== after[at]).length);
    }
  }
  // The slot that was empty, and those of the entries that were moved.
  expect(most).toBe(maxIterations + 1);
});
