// The reader of the package gives the answers of the classes, also from afar, and needs less of the engine.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, Deduper, FormatError } from 'cuckoofilter-wasm';
import { FilterReader, REMOTE_HEADER_BYTES } from 'cuckoofilter-wasm/reader';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { runModule } from '../support/command';
import { hashOf, keysIn, MANIFEST, savedBytes } from '../support/reference/suite';
import { integers } from '../support/integers';
import { runs } from '../support/long';
import { claim, thrownBy } from '../support/random';
import { SECRET } from '../support/secrets';
import { nameOf, shapes } from '../support/shapes';
import { compared, remoteAnswer } from './compared';

/** What the reader reads, in the words of the suite. */
const READ = ['plain', 'semi-sorted', 'growing', 'keyed', 'scalable'];

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
    // Half of them are in; a short run asks for every seventh.
    const asked = (i: number): bigint[] =>
      [...integers(0, 2 * i)].filter((_, at) => at % runs(7, 1) === 0 || at === i);
    for (const hash of [undefined, SECRET]) {
      for (const addressing of ['reflect', 'xor'] as const) {
        using filter = new CuckooFilter({ capacity: 20, maxCapacity: 2000, addressing, hash });
        for (let i = 0; i < 2000; ++i) {
          filter.add(i);
          if (i % 97 === 0) compared(filter, asked(i), `${addressing} at ${i}`, hash);
        }
      }
      for (const maxCapacity of [20, 40, undefined]) {
        using filter = new ScalableCuckooFilter({ capacity: 20, maxCapacity, hash });
        for (let i = 0; i < 1500; ++i) {
          filter.add(i);
          if (i % 97 !== 0) continue;
          const reader = compared(filter, asked(i), `layers of ${maxCapacity} at ${i}`, hash);
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

// What they answer: format/golden.test.ts.
test.each(MANIFEST.filters.filter(({ file, needs }) => file && needs.every((need) => READ.includes(need))))(
  'the file $file has the parameters and the answers of the class',
  ({ file = '', class: name, secret, answers }) => {
    const Class = name === 'scalable' ? ScalableCuckooFilter : CuckooFilter;
    using filter = Class.deserialize(savedBytes(file), { hash: hashOf(secret) });
    compared(filter, keysIn(answers), file, hashOf(secret));
  },
);

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
        length = Number(/before byte (\d+)\./.exec((error as Error).message)?.[1]);
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
  expect(runModule(code)).toBe('1,1,1,1,0,true,true\n');
});
