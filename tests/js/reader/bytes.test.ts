// Bytes that the reader of the package refuses, as the classes do, and how it says so.
import { describe, expect, test } from '@jest/globals';
import {
  CuckooFilter,
  FormatError,
  hashKey,
  type CuckooFilterOptions,
  type HashOption,
} from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { FilterReader, REMOTE_HEADER_BYTES } from 'cuckoofilter-wasm/reader';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { integers } from '../support/integers';
import { claim, thrownBy, withSeed } from '../support/random';
import { resealed } from '../support/reference/reader';
import { SECRET } from '../support/secrets';

describe('bytes', () => {
  /** The code with which `make` refuses; '' if it does not. */
  const codeOf = (make: () => unknown): string => {
    try {
      make();
      return '';
    } catch (error) {
      if (error instanceof FormatError) return error.code;
      throw error;
    }
  };
  const classCode = (bytes: Uint8Array, options: object): string => {
    const Class = bytes[3] === 0x53 ? ScalableCuckooFilter : CuckooFilter;
    return codeOf(() => Class.deserialize(bytes, options).dispose());
  };
  const same = (bytes: Uint8Array, options: object, what: () => string): void => {
    const code = codeOf(() => new FilterReader(bytes, options));
    const expected = classCode(bytes, options);
    claim(code === expected, () => `${what()}: ${code} for ${expected}`);
  };
  const saved = (options: CuckooFilterOptions, hash?: HashOption): [Uint8Array, HashOption | undefined] => [
    CuckooFilter.from(integers(0, 20), { ...options, hash }).serialize(),
    hash,
  ];
  const layers = ScalableCuckooFilter.from(integers(1, 200), { capacity: 20, maxCapacity: 40 }).serialize();
  const expiring = new ExpiringFilter({ capacity: 20, maxCapacity: 80, periods: 4 });
  expiring.isNew('a');
  const samples: [string, Uint8Array, HashOption | undefined][] = [
    ['plain', ...saved({ capacity: 20, seed: 5, bucketCount: 11, bucketSize: 3, fingerprintBits: 7 })],
    ['semi-sorted', ...saved({ capacity: 20, semiSort: true, fingerprintBits: 7.5 })],
    ['growing', ...saved({ capacity: 20, maxCapacity: 500 })],
    ['keyed', ...saved({ capacity: 20 }, SECRET)],
    ['layers', layers, undefined],
    ['values', CuckooValues.from([['a', 1]], { valueBits: 8, capacity: 20 }).serialize(), undefined],
    ['counters', CuckooCounter.from(['a'], { hash: SECRET }).serialize(), SECRET],
    ['periods', expiring.serialize(), undefined],
  ];

  test.each(samples)('that are damaged or cut have the code of the class: %s', (name, saved, hash) => {
    for (let at = 0; at < saved.length; ++at) {
      for (const change of [1, 2, 4, 8, 16, 32, 64, 128, 255]) {
        const bytes = saved.slice();
        bytes[at] = (bytes[at] ?? 0) ^ change;
        same(bytes, { hash }, () => `${name}, byte ${at} by ${change}`);
      }
      same(saved.subarray(0, at), { hash }, () => `${name}, cut at ${at}`);
    }
    same(Uint8Array.of(...saved, 0), { hash }, () => `${name}, one more`);
    same(saved, { hash: hash === undefined ? SECRET : undefined }, () => `${name}, other hash`);
    same(saved, { hash: { ...SECRET, key: new Uint8Array(16) } }, () => `${name}, other key`);
    if (codeOf(() => new FilterReader(saved, { hash })) !== '') return; // of another class
    const { byteLength } = new FilterReader(saved, { hash });
    for (const maxBytes of [0, byteLength - 1, byteLength, 1e300, Infinity])
      same(saved, { hash, maxBytes }, () => `${name}, at most ${maxBytes} bytes`);
  });

  test(
    'that are changed under a checksum that fits have the code of the class',
    withSeed(77, (random) => {
      for (const [name, saved, hash] of samples.slice(0, 4)) {
        for (let round = 0; round < 4000; ++round) {
          const bytes = resealed(saved, (_, copy) => {
            for (let i = random.below(3); i >= 0; --i)
              copy[random.below(round % 2 === 0 ? 72 : copy.length - 8)] = random.below(
                round % 3 === 0 ? 8 : 256,
              );
          });
          same(bytes, { hash }, () => `${name}, round ${round}: ${Buffer.from(bytes).toString('hex')}`);
        }
      }
    }),
  );

  test('and options that are wrong are errors of the same classes as of deserialize', () => {
    const saved = CuckooFilter.from(['a']).serialize();
    const key = new Uint8Array(16);
    const options = [
      null, 5, 'text', [], new Map(), { maxByte: 5 }, { maxBytes: '5' }, { maxBytes: null }, { maxBytes: -1 }, { maxBytes: NaN },
      { hash: 5 }, { hash: null }, { hash: 'md5' }, { hash: {} }, { hash: { algorithm: 'md5' } }, { hash: { algorithm: 5 } },
      { hash: 'siphash-1-3' }, { hash: { algorithm: 'siphash-1-3', key: 'text' } }, { hash: { algorithm: 'xxh64', key } },
      { hash: { algorithm: 'siphash-1-3', key: key.subarray(1) } }, { hash: { algorithm: 'siphash-1-3', key, more: 1 } },
    ]; // prettier-ignore
    const thrown = (make: () => unknown): string => {
      try {
        make();
      } catch (error) {
        return (error as Error).constructor.name;
      }
      return '';
    };
    for (const each of options) {
      const expected = thrown(() => CuckooFilter.deserialize(saved, each as never));
      expect([each, expected]).toEqual([each, expect.stringMatching(/^(Type|Range)Error$/)]);
      expect([each, thrown(() => new FilterReader(saved, each as never))]).toEqual([each, expected]);
      expect([each, thrown(() => FilterReader.remote(saved, each as never))]).toEqual([each, expected]);
    }
    for (const bytes of [undefined, null, 'text', 5, {}, [1, 2, 3]])
      expect(() => new FilterReader(bytes as never)).toThrow(TypeError);
    for (const each of [{}, { hash: 'xxh64' }, { hash: { algorithm: 'xxh64' } }, { maxBytes: undefined }])
      expect(new FilterReader(saved, each as never).size).toBe(1);
    const lost = saved.slice();
    structuredClone(lost, { transfer: [lost.buffer] });
    expect(thrown(() => new FilterReader(lost))).toBe('TypeError');
  });

  test.each<[options: unknown, message: RegExp]>([
    [null, /^options must be an object of maxBytes,hash, got null$/],
    [{ maxByte: 5 }, /^options must be an object of maxBytes,hash, got maxByte$/],
    [{ maxBytes: '5' }, /^maxBytes must be a number, 0 or more, got 5$/],
    [{ maxBytes: hashKey('a') }, /^maxBytes must be a number, 0 or more, got \[object HashedKey\]$/],
    [{ maxBytes: -1 }, /^maxBytes must be a number, 0 or more, got -1$/],
    [{ hash: 'md5' }, /^hash must be 'xxh64', or 'siphash-1-3' .*, got md5$/],
    [{ hash: { algorithm: 'siphash-1-3', key: new Uint8Array(15) } }, /^hash must .*, got 15$/],
    [{ hash: { algorithm: 'xxh64', more: 1 } }, /^hash must .* of algorithm,key, got more$/],
  ])('and options of %j are refused by name, with the rule', (options, message) => {
    const saved = CuckooFilter.from(['a']).serialize();
    expect(() => new FilterReader(saved, options as never)).toThrow(message);
    expect(() => new FilterReader(options as never)).toThrow(
      /^bytes must be a Uint8Array or ArrayBuffer, such as await response\.arrayBuffer\(\), got /,
    );
  });

  test('may be a buffer or a part of one, and the secret key is copied', () => {
    using filter = CuckooFilter.from(['a'], { hash: SECRET });
    const saved = filter.serialize();
    const key = SECRET.key.slice();
    const within = Buffer.concat([new Uint8Array(3), saved]).subarray(3);
    for (const bytes of [saved.slice().buffer, within, saved]) {
      const reader = new FilterReader(bytes, { hash: { ...SECRET, key } });
      expect(reader.has('a')).toBe(true);
    }
    const reader = new FilterReader(saved, { hash: { ...SECRET, key } });
    key.fill(0);
    expect(reader.has('a')).toBe(true);
    const { message } = thrownBy(
      TypeError,
      () => new FilterReader(saved, { hash: { algorithm: 'siphash-1-3', key: 'my secret' as never } }),
    );
    expect(message).not.toContain('my secret');
  });
});

test('the messages say what the bytes are, and what was read short', () => {
  const saved = CuckooFilter.from(['a'], { capacity: 100 }).serialize();
  const said = (bytes: Uint8Array): string => thrownBy(FormatError, () => new FilterReader(bytes)).message;
  const foreign = 'cannot load these bytes: not of a CuckooFilter, Deduper or ScalableCuckooFilter';
  expect(said(new CuckooCounter({ capacity: 10 }).serialize())).toBe(foreign);
  expect(said(Buffer.from('<!doctype html>'))).toBe(`${foreign}; they begin with <!doctype`);
  expect(said(saved.subarray(0, 90))).toMatch(/^cannot load these bytes: cut short( before byte \d+)?$/);
  expect(said(Buffer.concat([saved.subarray(0, 8), Buffer.from([2]), saved.subarray(9)]))).toBe(
    'cannot load these bytes: unsupported version',
  );
  const remote = FilterReader.remote(saved.subarray(0, REMOTE_HEADER_BYTES));
  for (const ranges of [[], undefined, null, [null]]) {
    const { code, message } = thrownBy(RangeError, () => remote.answer('a', ranges as never)) as FormatError;
    expect(code).toBe('invalid-argument');
    expect(message).toMatch(/^ranges must be what locate asked for, [\d,]+ bytes, got (undefined)?$/);
  }
});
