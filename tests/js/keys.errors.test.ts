// What the errors about keys say: which key of a batch it is, and what was given in place of keys.
import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { CuckooFilter, Deduper, type Key, type Keys } from 'cuckoofilter-wasm';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { TIME_LIMIT } from './command';

const METHODS = ['addMany', 'addManyIfAbsent', 'containsMany', 'deleteMany'] as const;

describe.each(METHODS)('%s', (method) => {
  test.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [5, '5'],
    [5n, '5n'],
    [true, 'true'],
    [{}, 'an object'],
    [new DataView(new ArrayBuffer(8)), '[object DataView]'],
    [new ArrayBuffer(8), '[object ArrayBuffer]'],
  ])('of %p says what keys must be', (keys, shown) => {
    using filter = new CuckooFilter({ capacity: 10 });
    expect(() => filter[method](keys as unknown as Keys)).toThrow(
      new TypeError(`keys must be an array or another iterable of keys, got ${shown}`),
    );
  });
});

test.each<[string, (keys: Keys) => unknown]>([
  ...[CuckooFilter, ScalableCuckooFilter, Traced].flatMap((Class) => [
    [`${Class.name}.from`, (keys: Keys) => Class.from(keys)] as [string, (keys: Keys) => unknown],
    ...METHODS.flatMap((method) =>
      [false, true].map((audit): [string, (keys: Keys) => unknown] => [
        `${Class.name}#${method}, audit ${audit}`,
        (keys) => new Class({ capacity: 10, audit })[method](keys),
      ]),
    ),
  ]),
  ['Deduper#areNew', (keys) => new Deduper({ capacity: 10 }).areNew(keys)],
  ['ExpiringFilter#areNew', (keys) => new ExpiringFilter({ capacity: 10, periods: 2 }).areNew(keys)],
])('%s refuses a text, whose characters are not meant as keys', (_, call) => {
  for (const text of ['abc', ''])
    expect(() => call(text as unknown as Keys)).toThrow(
      new TypeError(`keys must be an array or another iterable of keys (one key: [key]), got "${text}"`),
    );
});

test('a batch says which of its keys has lost its buffer, and does those before it', () => {
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
            told.push([method, error.name, error.message, filter.size]);
          }
        }
      }
    }
    console.log(JSON.stringify(told));`;
  const told = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    ...TIME_LIMIT,
    cwd: join(__dirname, '../..'),
    encoding: 'utf8',
  });
  const sizes = { addMany: 4, addManyIfAbsent: 2, containsMany: 2, deleteMany: 0 };
  expect(JSON.parse(told)).toEqual(
    METHODS.flatMap((method) =>
      Array.from({ length: 6 }, () => [
        method,
        'TypeError',
        'key 2: the array has lost its buffer, which was transferred away or has shrunk',
        sizes[method],
      ]),
    ),
  );
});

test.each([
  [1.5, '1.5'],
  [2 ** 53, '9007199254740992'],
  [2n ** 64n, '18446744073709551616n'],
  [-(2n ** 63n) - 1n, '-9223372036854775809n'],
  [undefined, 'undefined'],
  [null, 'null'],
  [{}, 'an object'],
  [[], 'an array'],
])('the key %p is refused with what a key must be', (key, shown) => {
  using filter = new CuckooFilter({ capacity: 10 });
  const rule = `a key must be a string, a safe integer, a bigint from -2^63 to 2^64 - 1, or bytes, got ${shown}`;
  for (const operate of [() => filter.add(key as Key), () => filter.contains(key as Key)])
    expect(operate).toThrow(new TypeError(rule));
  for (const keys of [['a', key], new Set(['a', key])])
    expect(() => filter.addMany(keys as Keys)).toThrow(new TypeError(`key 1: ${rule}`));
});
