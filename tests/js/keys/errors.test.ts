// What the errors about keys say: which key of a batch it is, and what was given in place of keys.
import { describe, expect, test } from '@jest/globals';
import vm from 'node:vm';
import {
  CuckooFilter,
  dedupe,
  Deduper,
  digestKeys,
  hashKeys,
  InvalidKeyError,
  type Key,
  type Keys,
} from 'cuckoofilter-wasm';
import { audited } from 'cuckoofilter-wasm/audit';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { FilterReader } from 'cuckoofilter-wasm/reader';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { runModule } from '../support/command';
import { sameBytes, thrownBy } from '../support/random';
import { options, METHODS } from './counted';

const CALLS: [string, (keys: Keys) => unknown][] = [
  ...[CuckooFilter, ScalableCuckooFilter, Traced].flatMap((Class) => [
    [`${Class.name}.from`, (keys: Keys) => Class.from(keys)] as [string, (keys: Keys) => unknown],
    ...METHODS.flatMap((method) =>
      [false, true].map((isAudited): [string, (keys: Keys) => unknown] => [
        `${Class.name}#${method}, audited ${isAudited}`,
        (keys) => {
          const filter = new Class({ capacity: 10 }) as CuckooFilter;
          return (isAudited ? audited(filter) : filter)[method](keys);
        },
      ]),
    ),
  ]),
  ['Deduper#areNew', (keys) => new Deduper({ capacity: 10 }).areNew(keys)],
  ['ExpiringFilter#areNew', (keys) => new ExpiringFilter({ capacity: 10, periods: 2 }).areNew(keys)],
  ['ExpiringFilter#haveSeen', (keys) => new ExpiringFilter({ capacity: 10, periods: 2 }).haveSeen(keys)],
  ['CuckooValues#setMany', (keys) => new CuckooValues({ capacity: 10, valueBits: 8 }).setMany(keys, 1)],
  ['CuckooValues#getMany', (keys) => new CuckooValues({ capacity: 10, valueBits: 8 }).getMany(keys)],
  ['CuckooValues#containsMany', (keys) => new CuckooValues({ capacity: 9, valueBits: 8 }).containsMany(keys)],
  ['CuckooValues#deleteMany', (keys) => new CuckooValues({ capacity: 10, valueBits: 8 }).deleteMany(keys)],
  ['CuckooCounter.from', (keys) => CuckooCounter.from(keys)],
  ['CuckooCounter#addMany', (keys) => new CuckooCounter({ capacity: 10 }).addMany(keys)],
  ['CuckooFilter#countMany', (keys) => new CuckooFilter({ capacity: 10 }).countMany(keys)],
  ['CuckooCounter#countMany', (keys) => new CuckooCounter({ capacity: 10 }).countMany(keys)],
  ['CuckooCounter#deleteMany', (keys) => new CuckooCounter({ capacity: 10 }).deleteMany(keys)],
  ['hashKeys', (keys) => hashKeys(keys)],
  ['digestKeys', (keys) => digestKeys(keys as never)],
];
const ONE_KEY: [shown: string, keys: unknown][] = [
  ['"abc"', 'abc'],
  ['""', ''],
  ['[object Uint8Array]', Buffer.from('abc')],
  ['[object Uint8Array]', new Uint8Array(0)],
  ['[object Uint8Array]', new Uint8Array(new SharedArrayBuffer(4))],
  ['[object Uint8Array]', vm.runInNewContext('Uint8Array.of(1, 2)')],
  ['[object Uint8ClampedArray]', new Uint8ClampedArray(4)],
  ['[object Int8Array]', new Int8Array(4)],
  ['[object DataView]', new DataView(new ArrayBuffer(8))],
  ['[object ArrayBuffer]', new ArrayBuffer(8)],
];

const NO_KEYS: [shown: string, keys: unknown, advice: string][] = [
  ...[undefined, null, 5, true].map((keys): [string, unknown, string] => [String(keys), keys, '']),
  ['5n', 5n, ''],
  ['an object', { length: 3 }, ''],
  ['[object Promise]', Promise.resolve(['a']), ' (await it)'],
  [
    '[object AsyncGenerator]',
    (async function* () {
      yield await Promise.resolve('a');
    })(),
    ' (async: addManyAsync, fromAsync or batches)',
  ],
  ...ONE_KEY.map(([shown, keys]): [string, unknown, string] => [shown, keys, ' (one key: [key])']),
];

test.each(CALLS)(
  '%s refuses what is no keys, such as one key or a promise, and says what to do',
  (_, call) => {
    for (const [shown, keys, advice] of NO_KEYS)
      expect(() => call(keys as Keys)).toThrow(
        new TypeError(`keys must be an array or another iterable of keys${advice}, got ${shown}`),
      );
  },
);

test('so do calls that wait for keys, readers, and what removes duplicates', async () => {
  const rule = 'keys must be an array or another iterable of keys (one key: [key]), got ';
  const reader = new FilterReader(CuckooFilter.from(['a']).serialize());
  for (const [shown, keys] of ONE_KEY) {
    for (const call of [
      () => new CuckooFilter({ capacity: 10 }).addManyAsync(keys as Keys),
      () => CuckooFilter.fromAsync(keys as Keys),
      () => new Deduper({ capacity: 10 }).areNewAsync(keys as Keys),
    ])
      await expect(call()).rejects.toThrow(new TypeError(rule + shown));
    expect(() => reader.containsMany(keys as Keys)).toThrow(
      new TypeError(`keys must be iterable (one key: [key]), got ${typeof keys === 'string' ? keys : shown}`),
    );
    expect(() => dedupe(keys as Iterable<Key>, { capacity: 10 })).toThrow(
      new TypeError(`source must be an iterable or async iterable of items (one item: [item]), got ${shown}`),
    );
  }
});

test('a batch names the key whose buffer is gone, and does the keys before it', () => {
  // In a process of its own, as the engine's errors are of another realm in Jest.
  const program = `
    import { CuckooFilter } from 'cuckoofilter-wasm';
    const told = [];
    for (const method of ${JSON.stringify(METHODS)}) {
      for (const view of [new Uint8Array(4), new Uint32Array(1), new DataView(new ArrayBuffer(4))]) {
        structuredClone(view.buffer, { transfer: [view.buffer] });
        for (const keys of [['a', 'b', view], new Set(['a', 'b', view])]) {
          const filter = CuckooFilter.from(['a', 'b'], { capacity: 10 });
          try {
            filter[method](keys);
          } catch (error) {
            told.push([method, error.name, error.code, error.index, error.message, filter.size]);
          }
        }
      }
    }
    console.log(JSON.stringify(told));`;
  const told = runModule(program);
  const sizes = { addMany: 4, addManyIfAbsent: 2, containsMany: 2, deleteMany: 0 };
  expect(JSON.parse(told)).toEqual(
    METHODS.flatMap((method) =>
      Array.from({ length: 6 }, () => [
        method,
        'InvalidKeyError',
        'invalid-key',
        2,
        'key 2: the array has no bytes left: its buffer was transferred or shrunk. Transfer a slice()',
        sizes[method],
      ]),
    ),
  );
});

/** What is no key, and how a message shows it. */
const NOT_KEYS: readonly (readonly [unknown, string])[] = [
  [NaN, 'NaN'],
  [1.5, '1.5: pass String(value)'],
  [Infinity, 'Infinity'],
  [-Infinity, '-Infinity'],
  [2 ** 53, '9007199254740992, maybe rounded: use bigints or strings'],
  [-(2 ** 53), '-9007199254740992, maybe rounded: use bigints or strings'],
  [2n ** 64n, '18446744073709551616n'],
  [-(2n ** 63n) - 1n, '-9223372036854775809n'],
  [null, 'null'],
  [undefined, 'undefined'],
  [true, 'true: pass String(value)'],
  [Symbol('key 7: x'), 'Symbol(key 7: x)'],
  [{}, 'an object: pass a property, String(value) of an ObjectId, or JSON.stringify(value)'],
  [[1, 2], 'an array: for many keys, call a Many method or areNew; of a Map, pass map.keys()'],
  [new Date(0), '[object Date]: pass its getTime()'],
  [Promise.resolve('a'), '[object Promise]: await it'],
  [Object('text'), '[object String]: pass String(value)'],
  [new URL('https://example.org/'), '[object URL]: pass its href'],
  [() => 5, 'a function'],
  [
    { byteLength: 3, buffer: new ArrayBuffer(3), byteOffset: 0 },
    'an object: pass a property, String(value) of an ObjectId, or JSON.stringify(value)',
  ],
  [{ [Symbol.toStringTag]: 'ArrayBuffer', length: 2 }, '[object ArrayBuffer]'],
  [hashKeys(['a']), '[object HashedKeys]: pass one, such as hashes.at(0)'],
  [
    { [Symbol.toStringTag]: 'HashedKey' },
    '[object HashedKey] of another copy of this package, or a Proxy: hash it here',
  ],
];

describe('what is no key', () => {
  test.each(NOT_KEYS)('%p is refused with what a key must be, and nothing changes', (value, shown) => {
    using filter = new CuckooFilter(options).add('before');
    const saved = filter.serialize();
    const key = value as Key;
    const message = `a key must be a string, safe integer, 64-bit bigint or bytes, got ${shown}`;
    for (const method of ['add', 'tryAdd', 'addIfAbsent', 'contains', 'has', 'count', 'delete'] as const) {
      const error = thrownBy(InvalidKeyError, () => filter[method](key));
      expect(error).toMatchObject({ name: 'InvalidKeyError', code: 'invalid-key', message });
      expect('index' in error).toBe(false);
      expect(error).toBeInstanceOf(TypeError);
    }
    const indexed = { code: 'invalid-key', index: 0, message: `key 0: ${message}` };
    for (const method of METHODS)
      for (const keys of [[key], new Set([key])])
        expect(thrownBy(InvalidKeyError, () => filter[method](keys))).toMatchObject(indexed);
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
    const lost = 'the array has no bytes left: its buffer was transferred or shrunk. Transfer a slice()';
    const filter = new CuckooFilter(options);
    await expect(filter.addManyAsync(keys)).rejects.toThrow(new InvalidKeyError(lost));
    await expect(CuckooFilter.fromAsync(keys, options)).rejects.toThrow(new InvalidKeyError(lost));
  });
});
