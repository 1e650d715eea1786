// The reader of the package gives the answers of the classes, also from afar, and needs less of the engine.
import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CuckooFilter,
  Deduper,
  FormatError,
  InvalidKeyError,
  PackedKeys,
  type HashOption,
  type Key,
} from 'cuckoofilter-wasm';
import { FilterReader, REMOTE_HEADER_BYTES, type RemoteFilter } from 'cuckoofilter-wasm/reader';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { TIME_LIMIT } from '../support/command';
import { integers } from '../support/integers';
import { claim, Random, thrownBy } from '../support/random';
import { SECRET } from '../support/secrets';
import { nameOf, shapes } from '../support/shapes';

type Saved = CuckooFilter | ScalableCuckooFilter;

const GOLDEN = join(__dirname, '../../golden');
const PARAMETERS = [
  'size',
  'currentCapacity',
  'maxCapacity',
  'bucketCount',
  'bucketSize',
  'fingerprintBits',
  'semiSorted',
  'addressing',
  'hashAlgorithm',
  'seed',
  'maxKicks',
  'loadFactor',
  'byteLength',
  'bitsPerKey',
] as const;

/** What a remote filter of `bytes` answers. */
function remoteAnswer(remote: RemoteFilter, bytes: Uint8Array, key: Key): boolean {
  const parts = remote.locate(key).map(({ offset, length }) => bytes.slice(offset, offset + length));
  return remote.answer(key, parts);
}

/** The rate of as many different keys in a table that does not grow: docs/inside/sizing.md, "False positive rate". */
function rateOfDifferentKeys({ size, bucketCount: m, fingerprintBits }: FilterReader): number {
  const width = Math.ceil(fingerprintBits);
  const count = [2 ** width, 28 * 2 ** (width - 5), 23 * 2 ** (width - 5), 19 * 2 ** (width - 5)];
  const fingerprints = count[4 * (width - fingerprintBits)] as number;
  const found = (share: number): number => -Math.expm1(size * Math.log1p(-share / m));
  const rate = (share: number): number => (1 - 1 / m) * found(2 * share) + found(share) / m;
  return (
    size && (1 - 2 / fingerprints) * rate(1 / fingerprints) + (2 / fingerprints) * rate(2 / fingerprints)
  );
}

/** The reader of what `filter` saves, which must be as the filter; `keys` are asked. */
function compared(filter: Saved, keys: readonly Key[], name: string, hash?: HashOption): FilterReader {
  const bytes = filter.serialize();
  const reader = new FilterReader(bytes, { hash });
  const Class = filter instanceof ScalableCuckooFilter ? ScalableCuckooFilter : CuckooFilter;
  using loaded = Class.deserialize(bytes, { hash });
  for (const parameter of PARAMETERS) {
    // The options are not saved with layers.
    const wanted = parameter === 'maxCapacity' ? loaded[parameter] : filter[parameter];
    claim(Object.is(reader[parameter], wanted), () => `${name}: ${parameter} ${reader[parameter]}`);
  }
  const total = filter instanceof ScalableCuckooFilter ? filter.totalCapacity : filter.maxCapacity;
  claim(reader.totalCapacity === total, () => `${name}: totalCapacity ${reader.totalCapacity}`);
  claim(reader.capacity === loaded.capacity, () => `${name}: capacity ${reader.capacity}`);
  if (reader.layers === 1 && reader.currentCapacity === reader.maxCapacity) {
    const rate = rateOfDifferentKeys(reader);
    claim(Math.abs(reader.expectedFalsePositiveRate - rate) <= 1e-12 * rate, () => `${name}: rate ${rate}`);
  }
  const remote = FilterReader.remote(reader.layers > 1 ? bytes : bytes.subarray(0, REMOTE_HEADER_BYTES), {
    hash,
  });
  for (const [i, key] of keys.entries()) {
    const count = filter.count(key);
    claim(reader.count(key) === count, () => `${name}: ${reader.count(key)} for ${count} of ${String(key)}`);
    claim(
      reader.contains(key) === count > 0 && reader.has(key) === count > 0,
      () => `${name}: ${String(key)}`,
    );
    if (i % 16 === 0)
      claim(remoteAnswer(remote, bytes, key) === count > 0, () => `${name}, remote: ${String(key)}`);
  }
  return reader;
}

describe('a reader answers as the filter', () => {
  const absent = [...integers(1_000_000, 60)];

  test.each([undefined, SECRET])('of every shape, with the hash %j', (hash) => {
    for (const shape of shapes([1, 37, 64])) {
      using filter = new CuckooFilter({
        ...shape,
        capacity: 1,
        hash,
        seed: hash ? 0 : 0x8000_0001_ffff_fff5n,
      });
      const keys = integers(0, 2 + Math.floor(shape.bucketCount * shape.bucketSize * 0.8));
      for (const key of keys) filter.tryAdd(key);
      compared(filter, [...keys, ...absent], nameOf(shape), hash);
    }
  });

  test('of 10,000 keys that are in and 10,000 that are not, for planned filters', () => {
    const keys = Array.from({ length: 10_000 }, (_, i) => `user-${i}`);
    const others = Array.from({ length: 10_000 }, (_, i) => `none-${i}`);
    for (const options of [{}, { semiSort: false }, { falsePositiveRate: 1e-6 }, { hash: SECRET }]) {
      using filter = CuckooFilter.from(keys, options);
      const reader = compared(filter, [...keys, ...others], JSON.stringify(options), options.hash);
      expect(reader.containsMany(others)).toEqual(filter.containsMany(others));
    }
  });

  test('of growing filters at every stage, and of layers', () => {
    for (const hash of [undefined, SECRET]) {
      for (const addressing of ['reflect', 'xor'] as const) {
        using filter = new CuckooFilter({ capacity: 20, maxCapacity: 2000, addressing, hash });
        for (let i = 0; i < 2000; ++i) {
          filter.add(i);
          if (i % 97 === 0) compared(filter, [...integers(0, 2 * i)], `${addressing} at ${i}`, hash);
        }
      }
      for (const maxCapacity of [20, 40, undefined]) {
        using filter = new ScalableCuckooFilter({ capacity: 20, maxCapacity, hash });
        for (let i = 0; i < 1500; ++i) {
          filter.add(i);
          if (i % 97 !== 0) continue;
          const reader = compared(filter, [...integers(0, 2 * i)], `layers of ${maxCapacity} at ${i}`, hash);
          expect(reader.layers).toBe(filter.layers);
        }
      }
    }
  });

  test('of a deduper', () => {
    const deduper = new Deduper({ capacity: 100 });
    deduper.isNew('alice');
    const reader = new FilterReader(deduper.serialize());
    expect([reader.has('alice'), reader.has('bob'), reader.size]).toEqual([true, false, 1]);
  });

  test('for a full table with more copies than one, and an empty one', () => {
    using filter = new CuckooFilter({ capacity: 4, bucketCount: 1, bucketSize: 4 });
    compared(filter, ['a'], 'empty');
    while (filter.tryAdd('a') === 'added');
    expect(compared(filter, ['a', 'b'], 'full').count('a')).toBe(4);
  });
});

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
    for (const keys of [undefined, null, 5, {}])
      expect(() => reader.containsMany(keys as never)).toThrow(TypeError);
  });

  test('may come from any iterable, typed array or PackedKeys', () => {
    const row = ['a', 'b', 5, 7];
    using filter = CuckooFilter.from(['a', 5]);
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

describe('the golden files', () => {
  const lines = (path: string): string[][] =>
    readFileSync(join(GOLDEN, path), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' '));
  const keyed = (hex: string): HashOption => ({ algorithm: 'siphash-1-3', key: Buffer.from(hex, 'hex') });

  test('of this version give the answers of the class', () => {
    for (const words of lines('manifest.txt')) {
      const [name = ''] = words;
      const hex = words[8]?.startsWith('key:') ? words[8].slice(4) : undefined;
      const hash = hex === undefined ? undefined : keyed(hex);
      using filter = CuckooFilter.deserialize(readFileSync(join(GOLDEN, `${name}.bin`)), { hash });
      const keys = words.slice(9).map((word) => Buffer.from(word.slice(1), 'hex'));
      compared(filter, keys, name, hash);
    }
  });

  test('of version 1.0 give their answers', () => {
    for (const [name = '', secret = '-', size, ...asked] of lines('1.0/manifest.txt')) {
      const hash = secret === '-' ? undefined : keyed(secret);
      const reader = new FilterReader(readFileSync(join(GOLDEN, '1.0', `${name}.bin`)), { hash });
      expect([name, reader.size]).toEqual([name, Number(size)]);
      for (const each of asked)
        expect(reader.has(Buffer.from(each.slice(1), 'hex'))).toBe(each.startsWith('?'));
    }
  });

  test('of layers give the answers of the class', () => {
    for (const file of readdirSync(join(GOLDEN, 'chains'))) {
      using filter = ScalableCuckooFilter.deserialize(readFileSync(join(GOLDEN, 'chains', file)));
      compared(
        filter,
        Array.from({ length: 2000 }, (_, i) => `k${i}`),
        file,
      );
    }
  });
});

describe('a remote filter', () => {
  test('asks for two ranges in ascending order, or for one if they touch', () => {
    const filter = CuckooFilter.from(integers(0, 1000), { semiSort: false });
    const bytes = filter.serialize();
    const remote = FilterReader.remote(bytes.subarray(0, 72));
    const seen = new Set<number>();
    for (let key = 0; key < 20_000; ++key) {
      const ranges = remote.locate(key);
      seen.add(ranges.length);
      for (const { offset, length } of ranges)
        claim(offset >= 72 && offset + length <= bytes.length - 8 && length > 0, () => `key ${key}`);
      const [first, second] = ranges;
      claim(!first || !second || first.offset + first.length < second.offset, () => `key ${key}`);
    }
    expect([...seen].sort()).toEqual([1, 2]);
  });

  test('refuses ranges of other lengths, and keys that are none', () => {
    const bytes = CuckooFilter.from(integers(0, 1000)).serialize();
    const remote = FilterReader.remote(bytes);
    const parts = remote.locate(7).map(({ offset, length }) => bytes.slice(offset, offset + length));
    expect(remote.answer(7, parts)).toBe(true);
    const [first = new Uint8Array(0)] = parts;
    for (const wrong of [[], parts.slice(1), [...parts, first], [first.subarray(1), ...parts.slice(1)]])
      expect(() => remote.answer(7, wrong)).toThrow(RangeError);
    expect(() => remote.locate(1.5)).toThrow(TypeError);
    expect(() => remote.answer({} as never, parts)).toThrow(TypeError);
  });

  test('of layers needs the bytes up to the last header, and says how many those are', () => {
    const filter = ScalableCuckooFilter.from(integers(0, 400), { capacity: 20, maxCapacity: 40 });
    const bytes = filter.serialize();
    let length = 1;
    const asked: number[] = [];
    for (;;) {
      try {
        const remote = FilterReader.remote(bytes.subarray(0, length));
        expect(remoteAnswer(remote, bytes, 399n)).toBe(true);
        break;
      } catch (error) {
        expect(error).toMatchObject({ name: 'FormatError', code: 'cut-short' });
        length = Number(/before byte (\d+)$/.exec((error as Error).message)?.[1]);
        asked.push(length);
      }
    }
    expect(asked.slice(0, 2)).toEqual([72, REMOTE_HEADER_BYTES]);
    expect(asked).toHaveLength(1 + filter.layers);
    expect(length).toBeLessThan(bytes.length);
  });

  test('is refused for headers that are damaged, of another key, or of a table past the limit', () => {
    const saved = CuckooFilter.from(['a'], { hash: SECRET }).serialize();
    const codeOf = (bytes: Uint8Array, options: object): string =>
      thrownBy(FormatError, () => FilterReader.remote(bytes, options)).code;
    expect(codeOf(saved, {})).toBe('wrong-key');
    expect(codeOf(saved, { hash: SECRET, maxBytes: 1 })).toBe('too-large');
    expect(codeOf(saved.subarray(0, 71), { hash: SECRET })).toBe('cut-short');
    expect(codeOf(saved.subarray(1), { hash: SECRET })).toBe('not-a-filter');
  });
});

test('it works without WebAssembly, BigInt and TextEncoder', () => {
  const saved = Buffer.from(CuckooFilter.from(['alice', '日本語', 5, -(2 ** 40)]).serialize()).toString(
    'hex',
  );
  const code = `
    const saved = Uint8Array.from('${saved}'.match(/../g), (byte) => parseInt(byte, 16));
    for (const name of ['WebAssembly', 'BigInt', 'TextEncoder', 'TextDecoder', 'performance', 'crypto', 'Buffer'])
      delete globalThis[name];
    const { FilterReader } = await import('cuckoofilter-wasm/reader');
    const reader = new FilterReader(saved);
    const remote = FilterReader.remote(saved);
    const answer = remote.answer('alice', remote.locate('alice').map(({ offset, length }) => saved.slice(offset, offset + length)));
    console.log([...reader.containsMany(['alice', '日本語', 5, -(2 ** 40), 'bob']), reader.expectedFalsePositiveRate > 0, answer].join());`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: join(__dirname, '../../..'),
    encoding: 'utf8',
    ...TIME_LIMIT,
  });
  expect(printed).toBe('1,1,1,1,0,true,true\n');
});
