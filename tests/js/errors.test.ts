// Errors: the codes of both languages, what each wrong option says, and what becomes of a filter after dispose.
import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CuckooFilter,
  DisposedError,
  FilterFullError,
  FormatError,
  type CuckooFilterOptions,
} from 'cuckoofilter-wasm';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { ERROR_CODES, FIELDS } from '../../js/src/errors';
import { sameBytes, thrownBy } from './random';

/** The names of an enum in error.h, in their order, which must be that of their values. */
function enumOf(name: string): string[] {
  const header = readFileSync(join(__dirname, '../../cpp/include/cuckoo/error.h'), 'utf8');
  const body = new RegExp(`enum class ${name}[^{]*\\{([^}]*)\\}`).exec(header)?.[1] ?? '';
  const entries = [...body.matchAll(/^\s*(\w+) = (\d+),/gm)];
  entries.forEach(([entry, , value], i) => {
    if (Number(value) !== i) throw new Error(`error.h: ${entry} is out of order`);
  });
  return entries.map(([, entry]) => entry ?? '');
}

test('the codes of errors.ts are those of error.h', () => {
  expect(enumOf('Error').length).toBeGreaterThan(5);
  expect(enumOf('Error')).toEqual(ERROR_CODES.map((code) => code.replaceAll('-', '_')));
  const fields = FIELDS.map((option) => option.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  expect(enumOf('Field')).toEqual(fields.map((field) => (field === 'hash_algorithm' ? 'hash' : field)));
});

describe('an option of the wrong type', () => {
  const WRONG: Record<string, readonly unknown[]> = {
    capacity: [undefined, null, '100', 100n, {}, true],
    falsePositiveRate: [null, '0.01', 1n, {}],
    bucketSize: [null, '4', 4n, [4]],
    fingerprintBits: [null, '8', 8n],
    bucketCount: [null, '8', 8n],
    maxKicks: [null, '8', 8n, false],
    addressing: [null, 1, {}],
    semiSort: [null, 'yes', 1],
    audit: [null, 'yes', 1],
    seed: [null, '5', {}, true],
  };

  test.each(
    Object.entries(WRONG).flatMap(([option, values]) => values.map((value) => [option, value] as const)),
  )('%s %p is a TypeError that names it, from the constructor, plan and from', (option, value) => {
    const options = { capacity: 10, [option]: value } as unknown as CuckooFilterOptions;
    for (const make of [() => new CuckooFilter(options), () => CuckooFilter.plan(options)]) {
      const { message } = thrownBy(TypeError, make);
      expect(message).toContain(`${option} must be `);
      expect(message).toContain(typeof value === 'string' ? JSON.stringify(value) : '');
    }
    if (option !== 'capacity') expect(() => CuckooFilter.from(['a'], options)).toThrow(TypeError);
  });

  test.each([[undefined], [null], [5], ['text'], [5n]])('options %p are a TypeError', (options) => {
    expect(() => new CuckooFilter(options as never)).toThrow(TypeError);
    expect(() => CuckooFilter.plan(options as never)).toThrow(TypeError);
  });

  test('undefined is the same as not given, for every option but capacity', () => {
    const undefineds = Object.fromEntries(Object.keys(WRONG).map((option) => [option, undefined]));
    expect(CuckooFilter.plan({ ...undefineds, capacity: 100 })).toEqual(CuckooFilter.plan({ capacity: 100 }));
  });
});

describe('an option out of its range', () => {
  const WRONG: Record<string, readonly (number | bigint | string)[]> = {
    capacity: [0, -1, 1.5, NaN, Infinity, -Infinity, 2 ** 36, 2 ** 53, 1e300],
    falsePositiveRate: [0, 1, -0.1, 1.5, NaN, Infinity, 1e-12, Number.MIN_VALUE],
    bucketSize: [0, 9, -4, 2.5, NaN, Infinity, 2 ** 32 + 4],
    fingerprintBits: [0, 1, 33, -8, 7.5, NaN, Infinity, 2 ** 32 + 8],
    bucketCount: [0, -1, 3.5, NaN, Infinity, 2 ** 32 + 1, 2 ** 64, 2 ** 64 + 4096],
    maxKicks: [-1, 0.5, 65_536, NaN, Infinity, 2 ** 32 + 5],
    addressing: ['XOR', '', 'mod'],
    seed: [-1, -1n, 0.5, NaN, 2 ** 53, 2n ** 64n, Infinity],
  };

  test.each(
    Object.entries(WRONG).flatMap(([option, values]) => values.map((value) => [option, value] as const)),
  )('%s %p is a RangeError that names the option, the rule and the value', (option, value) => {
    const options = { capacity: 10, [option]: value } as CuckooFilterOptions;
    for (const make of [() => new CuckooFilter(options), () => CuckooFilter.plan(options)]) {
      const { message } = thrownBy(RangeError, make);
      expect(message).toMatch(new RegExp(`^${option} must be .+, got `));
      expect(message).toContain(typeof value === 'string' ? JSON.stringify(value) : String(value));
    }
  });

  test('a capacity past the slots that are given is a RangeError, and the slots themselves are not', () => {
    const sizes = { bucketCount: 10, bucketSize: 4, fingerprintBits: 8 } as const;
    expect(thrownBy(RangeError, () => new CuckooFilter({ capacity: 41, ...sizes })).message).toMatch(
      /capacity.*41/,
    );
    expect(new CuckooFilter({ capacity: 40, ...sizes }).capacity).toBe(40);
  });

  test('the largest capacity that the message names is the largest that is planned', () => {
    const { message } = thrownBy(RangeError, () => CuckooFilter.plan({ capacity: 2 ** 53 }));
    const largest = 2 ** Number(/2\^(\d+)/.exec(message)?.[1]);
    expect(CuckooFilter.plan({ capacity: largest }).capacity).toBe(largest);
    expect(() => CuckooFilter.plan({ capacity: largest + 1 })).toThrow(RangeError);
  });

  test('a bucketCount that is no power of two is a RangeError for xor only', () => {
    for (const bucketCount of [3, 6, 100, 2 ** 20 - 1]) {
      expect(
        thrownBy(RangeError, () => new CuckooFilter({ capacity: 1, bucketCount, addressing: 'xor' })).message,
      ).toMatch(/power of two/);
      expect(new CuckooFilter({ capacity: 1, bucketCount }).bucketCount).toBe(bucketCount);
    }
  });

  test('semi-sorting of buckets that have not four slots, or of fewer than 5 bits, is a RangeError', () => {
    for (const sizes of [
      { bucketSize: 3 },
      { bucketSize: 8 },
      { fingerprintBits: 4 },
      { fingerprintBits: 2 },
    ]) {
      const { message } = thrownBy(
        RangeError,
        () => new CuckooFilter({ capacity: 10, semiSort: true, ...sizes }),
      );
      expect(message).toBe(
        'semiSort must be false unless bucketSize is 4 and fingerprintBits at least 5, got true',
      );
    }
  });

  test('a width that is not whole is a RangeError but for the quarters of semi-sorted ones', () => {
    const filter = (options: object) => new CuckooFilter({ capacity: 10, ...options });
    for (const fingerprintBits of [2.5, 5.1, 4.75, 24.25, 31.5, 12.125]) {
      expect(() => filter({ fingerprintBits, semiSort: true })).toThrow(RangeError);
      expect(() => filter({ fingerprintBits })).toThrow(RangeError);
    }
    expect(() => filter({ fingerprintBits: 12.25 })).toThrow(RangeError);
    expect(() => filter({ fingerprintBits: 12.25, semiSort: false })).toThrow(RangeError);
    expect(filter({ fingerprintBits: 12.25, semiSort: true })).toMatchObject({
      fingerprintBits: 12.25,
      semiSorted: true,
    });
  });
});

describe('a table that cannot be allocated', () => {
  test('is a RangeError at once, and other filters go on working', () => {
    const filter = new CuckooFilter({ capacity: 1000 }).add('before');
    const saved = filter.serialize();
    const sizes = { bucketSize: 8, fingerprintBits: 16 } as const;
    const refused: CuckooFilterOptions[] = [
      { capacity: 2 ** 33 },
      { capacity: 2 ** 34, falsePositiveRate: 1e-6 },
      { capacity: 1, bucketCount: 2 ** 32, bucketSize: 8, fingerprintBits: 32 },
      { capacity: 1, bucketCount: 2 ** 28, ...sizes },
      ...[1, 2, 3, 4, 16, 256, 4096].map((less) => ({ capacity: 1, bucketCount: 2 ** 28 - less, ...sizes })),
    ];
    const start = performance.now();
    for (const options of refused) {
      const { message } = thrownBy(RangeError, () => new CuckooFilter(options));
      expect(message).toContain(String(options.capacity));
      expect(message).toMatch(/\d+ bytes/);
      expect(CuckooFilter.plan(options).capacity).toBe(options.capacity);
    }
    expect(performance.now() - start).toBeLessThan(2000);
    expect(sameBytes(filter.serialize(), saved)).toBe(true);
    expect(filter.add('behind').contains('before')).toBe(true);
    expect(new CuckooFilter({ capacity: 100_000 }).add('key').contains('key')).toBe(true);
  });
});

describe('after dispose', () => {
  const operations: readonly (readonly [string, (filter: CuckooFilter) => unknown])[] = [
    ...(['add', 'tryAdd', 'addIfAbsent', 'contains', 'has', 'count', 'delete'] as const).map(
      (name) => [name, (filter: CuckooFilter) => filter[name]('key')] as const,
    ),
    ...(['addMany', 'addManyIfAbsent', 'containsMany', 'deleteMany'] as const).flatMap((name) => [
      [`${name} of an array`, (filter: CuckooFilter) => filter[name](['key'])] as const,
      [`${name} of a Uint32Array`, (filter: CuckooFilter) => filter[name](Uint32Array.of(1))] as const,
      [`${name} of nothing`, (filter: CuckooFilter) => filter[name]([])] as const,
    ]),
    ...(['clear', 'serialize', 'clone'] as const).map(
      (name) => [name, (filter: CuckooFilter) => filter[name]()] as const,
    ),
    ...(
      [
        'size',
        'capacity',
        'bucketCount',
        'bucketSize',
        'fingerprintBits',
        'semiSorted',
        'addressing',
        'seed',
        'maxKicks',
        'loadFactor',
        'byteLength',
        'bitsPerKey',
        'falsePositiveRate',
      ] as const
    ).map((name) => [name, (filter: CuckooFilter) => filter[name]] as const),
    ['equals', (filter) => filter.equals(new CuckooFilter({ capacity: 10 }))],
    ['equals of another', (filter) => new CuckooFilter({ capacity: 10 }).equals(filter)],
    ['equals of itself', (filter) => filter.equals(filter)],
  ];

  test.each(operations)('%s is a DisposedError', (_, operate) => {
    const filter = new CuckooFilter({ capacity: 10 }).add('key');
    filter.dispose();
    expect(thrownBy(DisposedError, () => operate(filter)).name).toBe('DisposedError');
    expect(() => filter.dispose()).not.toThrow();
  });

  test('trace, takeEvents and slots are a DisposedError', () => {
    const filter = new Traced({ capacity: 10 });
    filter.dispose();
    for (const operate of [() => filter.trace(2), () => filter.takeEvents(), () => filter.slots()]) {
      expect(operate).toThrow(expect.objectContaining({ name: 'DisposedError' }));
    }
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

test('methods called on anything but a filter are a TypeError', () => {
  for (const receiver of [{}, null, Object.create(CuckooFilter.prototype) as object]) {
    for (const method of ['add', 'contains', 'clear', 'serialize', 'dispose'] as const) {
      expect(() => Reflect.apply(CuckooFilter.prototype[method] as () => unknown, receiver, ['key'])).toThrow(
        TypeError,
      );
    }
  }
});

test('the errors are Errors with names and the fields that the contract lists', () => {
  const full = new FilterFullError('text', 'full', 3);
  expect(full).toBeInstanceOf(Error);
  expect([full.name, full.message, full.reason, full.added]).toEqual(['FilterFullError', 'text', 'full', 3]);
  const format = thrownBy(FormatError, () => CuckooFilter.deserialize(new Uint8Array(100)));
  expect([format instanceof Error, format.name, format.code]).toEqual([true, 'FormatError', 'not-a-filter']);
  expect(String(new DisposedError('text'))).toBe('DisposedError: text');
});
