// Errors: the codes of both languages, what a full filter says, and what becomes of a filter after dispose.
import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CuckooFilter,
  Deduper,
  DisposedError,
  FilterFullError,
  FormatError,
  InvalidKeyError,
  OutOfMemoryError,
} from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { ERROR_CODES } from '../../../js/src/engine/format-errors';
import { FIELDS } from '../../../js/src/errors';
import { thrownBy } from '../support/random';

const header = readFileSync(join(__dirname, '../../../cpp/include/cuckoo/error.h'), 'utf8');

/** The names of an enum in error.h, in their order, which must be that of their values. */
function enumOf(name: string): string[] {
  const body =
    new RegExp(`enum class (?:\\[\\[nodiscard\\]\\] )?${name}[^{]*\\{([^}]*)\\}`).exec(header)?.[1] ?? '';
  const entries = [...body.matchAll(/^\s*(\w+) = (\d+),/gm)];
  entries.forEach(([entry, , value], i) => {
    if (Number(value) !== i) throw new Error(`error.h: ${entry} is out of order`);
  });
  return entries.map(([, entry]) => entry ?? '');
}

describe('what a FilterFullError says', () => {
  const sizes = { capacity: 8, bucketCount: 8, bucketSize: 4, fingerprintBits: 16 };
  const copies = (filter: CuckooFilter, count = 8): CuckooFilter => {
    filter.addMany(Array<string>(count).fill('alice'));
    return filter;
  };
  const messageOf = (act: () => unknown): string => thrownBy(FilterFullError, act).message;

  test('names the key of which there are too many copies, where it knows it', () => {
    const filter = copies(new CuckooFilter(sizes));
    expect(messageOf(() => filter.add('alice'))).toBe(
      'too many copies of the key "alice": its buckets hold nothing else. Use addIfAbsent, or CuckooCounter from cuckoofilter-wasm/counter',
    );
    const oneKey =
      'too many copies of one key: its buckets hold nothing else. Use addManyIfAbsent or mergeIfAbsent, or CuckooCounter from cuckoofilter-wasm/counter';
    for (const act of [
      () => filter.addMany(['bob', 'alice']),
      () => CuckooFilter.from(['bob', ...Array<string>(9).fill('alice')], sizes),
    ])
      expect(messageOf(act)).toBe(oneKey);
    expect(messageOf(() => filter.merge(copies(new CuckooFilter(sizes), 1)))).toBe(oneKey);
    expect(messageOf(() => CuckooFilter.from(Array<string>(20).fill('alice')))).toMatch(
      /hold nothing else\. Pass each key once: from\(new Set\(keys\)\)$/,
    );
  });

  test('advises what helps for the class', () => {
    const numbers = new BigUint64Array(99).map((_, i) => BigInt(i));
    const layers = new ScalableCuckooFilter({ capacity: 10, fingerprintBits: 32 });
    expect(layers.totalCapacity).toBe(26);
    const deduper = new Deduper({ capacity: 8 });
    for (const fill of [
      () => new CuckooFilter({ ...sizes, bucketCount: 2 }).addMany(numbers),
      () => CuckooFilter.from<string | bigint>(['a'], { capacity: 8 }).addMany(numbers),
      () => layers.addMany(numbers),
      () => deduper.areNew(numbers),
    ])
      expect(messageOf(fill)).toMatch(/Make a new one with a larger capacity or maxCapacity$/);
  });
});

test('the codes of errors.ts are those of error.h', () => {
  expect(enumOf('Error').length).toBeGreaterThan(5);
  expect(enumOf('Error')).toEqual(ERROR_CODES.map((code) => code.replaceAll('-', '_')));
  const fields = FIELDS.map((option) => option.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  expect(enumOf('Field')).toEqual(fields.map((field) => (field === 'hash_algorithm' ? 'hash' : field)));
});

test('each code and each field of error.h has its text there', () => {
  const textsOf = (name: string): string[] => {
    const body = new RegExp(`describe\\(${name} [^{]*\\{[^{]*\\{([^}]*)\\}`).exec(header)?.[1] ?? '';
    return [...body.matchAll(/"([^"]*)"/g)].map(([, text]) => text ?? '');
  };
  expect(textsOf('Field')).toEqual(enumOf('Field'));
  expect(new Set(textsOf('Error')).size).toBe(enumOf('Error').length);
});

describe('after dispose', () => {
  const operations: readonly (readonly [string, (filter: CuckooFilter) => unknown])[] = [
    ...(['addMany', 'addManyIfAbsent', 'containsMany', 'deleteMany'] as const).flatMap((name) => [
      [`${name} of a Uint32Array`, (filter: CuckooFilter) => filter[name](Uint32Array.of(1))] as const,
      [`${name} of nothing`, (filter: CuckooFilter) => filter[name]([])] as const,
    ]),
    ['equals', (filter) => filter.equals(new CuckooFilter({ capacity: 10 }))],
    ['equals of another', (filter) => new CuckooFilter({ capacity: 10 }).equals(filter)],
    ['equals of itself', (filter) => filter.equals(filter)],
  ];

  test.each(operations)('%s is a DisposedError', (_, operate) => {
    const filter = new CuckooFilter({ capacity: 10 }).add('key');
    filter.dispose();
    expect(thrownBy(DisposedError, () => operate(filter))).toMatchObject({
      name: 'DisposedError',
      code: 'disposed',
    });
    expect(() => filter.dispose()).not.toThrow();
  });

  test('dispose, twice or by Symbol.dispose, does nothing more', () => {
    const filter = new CuckooFilter({ capacity: 10 });
    for (let again = 0; again < 3; ++again) filter.dispose();
    filter[Symbol.dispose]();
    const other = new CuckooFilter({ capacity: 10 }).add('other');
    filter.dispose();
    expect(other.contains('other')).toBe(true);
  });

  test('a filter declared by using is disposed of at the end of its block', () => {
    let outside: CuckooFilter;
    {
      using filter = new CuckooFilter({ capacity: 10 });
      outside = filter.add('key');
      expect(outside.contains('key')).toBe(true);
    }
    expect(() => outside.contains('key')).toThrow(DisposedError);
  });
});

/** Every method, getter and setter of a class, and of those it extends, by name. */
function membersOf(Class: {
  prototype: object;
}): [string, (this: unknown, ...given: unknown[]) => unknown][] {
  const members = new Map<string, (this: unknown, ...given: unknown[]) => unknown>();
  for (let at = Class.prototype; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    for (const [name, { value, get }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      const member: unknown = get ?? value;
      if (name !== 'constructor' && typeof member === 'function' && !members.has(name))
        members.set(name, member as () => unknown);
    }
  return [...members];
}

describe.each<[string, { prototype: object }]>([
  ['CuckooFilter', CuckooFilter],
  ['ScalableCuckooFilter', ScalableCuckooFilter],
  ['CuckooFilter', Traced],
  ['ExpiringFilter', ExpiringFilter],
  ['CuckooValues', CuckooValues],
  ['CuckooCounter', CuckooCounter],
  ['Deduper', Deduper],
])('a method of %s', (name, Class) => {
  // Those that show a filter never throw.
  const members = membersOf(Class).filter(([member]) => member !== 'toJSON');

  test.each(members)('%s called without its object says so', async (member, call) => {
    const receivers = [undefined, null, 5, {}, [], Class.prototype, Object.create(Class.prototype)];
    const other = member === 'equals' ? new CuckooFilter({ capacity: 10 }) : 'key';
    const given = member === 'trace' ? [2] : /Many|areNew|haveSeen/.test(member) ? [['key'], 1] : [other, 1];
    for (const receiver of receivers) {
      const error = member.endsWith('Async')
        ? await (Reflect.apply(call, receiver, given) as Promise<never>).catch((error: TypeError) => error)
        : thrownBy(TypeError, () => Reflect.apply(call, receiver, given));
      expect(error.message).toMatch(
        /^a method was called without its filter: call it on the filter itself, not on a copy or Proxy/,
      );
      expect(error).toMatchObject({ code: 'invalid-argument' });
    }
  });
});

test('what one class alone has in memory is not looked for in a filter of another', () => {
  const plain = new CuckooFilter({ capacity: 10 });
  const calls: readonly (readonly [{ prototype: object }, string, ...given: unknown[]])[] = [
    [ScalableCuckooFilter, 'layers'],
    [ScalableCuckooFilter, 'maxCapacity'],
    [ScalableCuckooFilter, 'stats'],
    [Traced, 'trace', 2],
    [Traced, 'takeEvents'],
    [Traced, 'slots'],
  ];
  for (const [Class, name, ...given] of calls) {
    const act = (): unknown =>
      Reflect.apply(Reflect.get(Class.prototype, name, plain) as () => unknown, plain, given);
    expect([name, thrownBy(TypeError, act).message]).toEqual([
      name,
      expect.stringMatching(/^a method was called without its filter/),
    ]);
  }
});

test('the errors are Errors with names and the fields that the contract lists', () => {
  const full = new FilterFullError('text', 'full', 3);
  expect(full).toBeInstanceOf(Error);
  expect([full.name, full.code, full.message, full.reason, full.added]).toEqual([
    'FilterFullError',
    'filter-full',
    'text',
    'full',
    3,
  ]);
  const format = thrownBy(FormatError, () => CuckooFilter.deserialize(new Uint8Array(100)));
  expect([format instanceof Error, format.name, format.code]).toEqual([true, 'FormatError', 'not-a-filter']);
  const memory = new OutOfMemoryError('text');
  expect(memory).toBeInstanceOf(RangeError);
  expect([String(memory), memory.code]).toEqual(['OutOfMemoryError: text', 'out-of-memory']);
  const key = new InvalidKeyError('text');
  expect(key).toBeInstanceOf(TypeError);
  expect([String(key), key.code, 'index' in key]).toEqual(['InvalidKeyError: text', 'invalid-key', false]);
  const gone = new DisposedError('text');
  expect([String(gone), gone.code]).toEqual(['DisposedError: text', 'disposed']);
});

test('what another class saved has the code not-a-filter, in every pair of classes', () => {
  const capacity = 10;
  const made = [
    ['', new CuckooFilter({ capacity })],
    ['/scalable', new ScalableCuckooFilter({ capacity })],
    ['/expiring', new ExpiringFilter({ capacity, periods: 2 })],
    ['/values', new CuckooValues({ capacity, valueBits: 4 })],
    ['/counter', new CuckooCounter({ capacity })],
  ] as const;
  for (const [entry, one] of made)
    for (const Class of [
      CuckooFilter,
      Deduper,
      ScalableCuckooFilter,
      ExpiringFilter,
      CuckooValues,
      CuckooCounter,
    ]) {
      if (one instanceof Class || (one instanceof CuckooFilter && Class === Deduper)) continue;
      const error = thrownBy(FormatError, () => Class.deserialize(one.serialize()));
      expect([one.constructor.name, Class.name, error.code]).toEqual([
        one.constructor.name,
        Class.name,
        'not-a-filter',
      ]);
      const { name } = one.constructor;
      const advice = `this is a saved ${name}. Use ${name}.deserialize from cuckoofilter-wasm${entry}`;
      expect(error.message).toMatch(new RegExp(`: ${advice}(, then new Deduper.*)?$`));
    }
});

test('a message shows a text of 40 characters whole, and the first 40 of a longer one', () => {
  const told = (text: string): string => {
    try {
      new CuckooFilter({ capacity: text as never });
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };
  expect(told('x'.repeat(40))).toContain(`got "${'x'.repeat(40)}"`);
  expect(told('x'.repeat(41))).toContain(`got "${'x'.repeat(40)}…"`);
});
