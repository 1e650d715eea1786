// The arguments of the reader: what is accepted, and how it says what is wrong.
import { expect, test } from '@jest/globals';
import { CuckooFilter, FormatError, hashKey } from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { FilterReader, REMOTE_HEADER_BYTES } from 'cuckoofilter-wasm/reader';
import { said, thrownBy } from '../support/random';
import { SECRET } from '../support/secrets';

test('options that are wrong are errors of the same classes as of deserialize', () => {
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
  for (const each of [{}, { hash: 'xxh64' }, { hash: { algorithm: 'xxh64' } }, { maxByte: undefined }])
    expect(new FilterReader(saved, each as never).size).toBe(1);
  const lost = saved.slice();
  structuredClone(lost, { transfer: [lost.buffer] });
  expect(thrown(() => new FilterReader(lost))).toBe('TypeError');
});

test.each<[options: unknown, message: RegExp]>([
  [null, /^options must be a plain object with only maxBytes and hash, got null$/],
  [{ maxByte: 5 }, /^options must be a plain object with only maxBytes and hash, got maxByte$/],
  [{ maxBytes: '5' }, /^maxBytes must be a number, 0 or more, got 5$/],
  [{ maxBytes: hashKey('a') }, /^maxBytes must be a number, 0 or more, got \[object HashedKey\]$/],
  [{ maxBytes: -1 }, /^maxBytes must be a number, 0 or more, got -1$/],
  [{ hash: 'md5' }, /^hash must be 'xxh64', or 'siphash-1-3' .*, got string$/],
  [{ hash: { algorithm: 'siphash-1-3', key: new Uint8Array(15) } }, /^hash must .*, got 15$/],
  [{ hash: { algorithm: 'xxh64', more: 1 } }, /^hash must .* with only algorithm and key, got more$/],
  [{ hash: new Uint8Array(16) }, /^hash must be .*, got \[object Uint8Array\]$/], // not the secret key
  [{ maxBytes: 'x'.repeat(50) }, /, got x{40}$/],
])('options of %j are refused by name, with the rule', (options, message) => {
  const saved = CuckooFilter.from(['a']).serialize();
  expect(() => new FilterReader(saved, options as never)).toThrow(message);
  expect(() => new FilterReader(options as never)).toThrow(
    /^bytes must be a Uint8Array or ArrayBuffer, such as await response\.arrayBuffer\(\), got /,
  );
});

test('bytes may be a buffer or a part of one, and the secret key is copied', () => {
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
  for (const options of [
    'my secret',
    { hash: 'my secret' },
    { hash: { algorithm: 'my secret' } },
    { hash: { algorithm: 'siphash-1-3', key: 'my secret' } },
  ])
    expect(said(() => new FilterReader(saved, options as never))).toMatch(/^((?!secret).)+$/);
});

test('the messages say what the bytes are, and what was read short', () => {
  const saved = CuckooFilter.from(['a'], { capacity: 100 }).serialize();
  const said = (bytes: Uint8Array): string => thrownBy(FormatError, () => new FilterReader(bytes)).message;
  const foreign = 'cannot load these bytes: not of a CuckooFilter, Deduper or ScalableCuckooFilter';
  expect(said(new CuckooCounter({ capacity: 10 }).serialize())).toBe(
    'cannot load these bytes: they are for CuckooCounter.deserialize',
  );
  expect(said(Buffer.from('<!doctype html>'))).toBe(`${foreign}; they begin with "<!doctype"`);
  expect(said(Buffer.from(Buffer.from(saved).toString('utf8')))).toBe(
    `${foreign}; they were read as text, which damages them: read bytes`,
  );
  expect(said(saved.subarray(0, 40))).toBe(
    'cannot load these bytes: cut short before byte 72. Get the file again',
  );
  expect(said(saved.subarray(0, 90))).toMatch(/^cannot load these bytes: cut short.*\. Get the file again$/);
  expect(said(Buffer.concat([saved.subarray(0, 8), Buffer.from([2]), saved.subarray(9)]))).toBe(
    'cannot load these bytes: unsupported version. Update cuckoofilter-wasm',
  );
  const hash = { algorithm: 'siphash-1-3', key: new Uint8Array(16) } as const;
  const keyed = CuckooFilter.from(['a'], { hash }).serialize();
  expect(said(keyed)).toBe('cannot load these bytes: wrong key. Check options.hash');
  expect(thrownBy(FormatError, () => new FilterReader(saved, { maxBytes: 9 })).message).toBe(
    'cannot load these bytes: too large. Raise maxBytes',
  );
  const remote = FilterReader.remote(saved.subarray(0, REMOTE_HEADER_BYTES));
  for (const ranges of [[], undefined, null, [null]]) {
    const { code, message } = thrownBy(RangeError, () => remote.answer('a', ranges as never)) as FormatError;
    expect(code).toBe('invalid-argument');
    expect(message).toMatch(/^ranges must be what locate asked for, [\d,]+ bytes, got none$/);
  }
});
