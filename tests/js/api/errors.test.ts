// Errors: the codes of both languages, what each wrong option says, and what becomes of a filter after dispose.
import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { memoryBytes, withMemoryOf } from '../support/memory-spy';
import {
  CuckooFilter,
  Deduper,
  DisposedError,
  FilterFullError,
  FormatError,
  hashKeys,
  InvalidKeyError,
  OutOfMemoryError,
  type CuckooFilterOptions,
} from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { ERROR_CODES, FIELDS } from '../../../js/src/errors';
import { fill } from '../support/fill';
import { sameBytes, thrownBy } from '../support/random';

/** The names of an enum in error.h, in their order, which must be that of their values. */
function enumOf(name: string): string[] {
  const header = readFileSync(join(__dirname, '../../../cpp/include/cuckoo/error.h'), 'utf8');
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
      'too many copies of "alice": both of its buckets are full of copies. Use addIfAbsent to store a key once, or CuckooCounter of cuckoofilter-wasm/counter to count copies',
    );
    const oneKey =
      'too many copies of one key: both of its buckets are full of copies. Use addManyIfAbsent or mergeIfAbsent to store each key once, or CuckooCounter of cuckoofilter-wasm/counter to count copies';
    for (const act of [
      () => filter.addMany(['bob', 'alice']),
      () => CuckooFilter.from(['bob', ...Array<string>(9).fill('alice')], sizes),
    ])
      expect(messageOf(act)).toBe(oneKey);
    expect(messageOf(() => filter.merge(copies(new CuckooFilter(sizes), 1)))).toBe(oneKey);
    expect(messageOf(() => CuckooFilter.from(Array<string>(20).fill('alice')))).toMatch(
      /full of copies\. Give each key once: from\(new Set\(keys\)\)$/,
    );
  });

  test('advises what helps for the class', () => {
    const filter = new CuckooFilter({ ...sizes, bucketCount: 2 });
    expect(messageOf(() => filter.addMany(new BigUint64Array(99).map((_, i) => BigInt(i))))).toMatch(
      /\. Make a new one with a larger capacity or maxCapacity$/,
    );
    const layers = new ScalableCuckooFilter({ capacity: 10, fingerprintBits: 32 });
    expect(layers.totalCapacity).toBe(26);
    expect(messageOf(() => layers.addMany(new BigUint64Array(99).map((_, i) => BigInt(i))))).toMatch(
      /: it was made for 26 keys and has 26\. Make a new one with a larger capacity or maxCapacity$/,
    );
  });
});

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
    prefer: [null, 1, {}],
    onGrow: [null, 'yes', 1, {}],
    maxPause: [null, '1', 1n, {}],
    seed: [null, '5', {}, true],
  };

  test.each(
    Object.entries(WRONG).flatMap(([option, values]) => values.map((value) => [option, value] as const)),
  )('%s %p is a TypeError that names it, from the constructor, plan and from', (option, value) => {
    const options = { capacity: 10, [option]: value } as unknown as CuckooFilterOptions;
    for (const make of [() => new CuckooFilter(options), () => CuckooFilter.plan(options)]) {
      const error = thrownBy(TypeError, make);
      const { message } = error;
      expect(error).toMatchObject({ code: 'invalid-argument' });
      expect(message).toContain(value === undefined ? 'capacity is required: ' : `${option} must be `);
      expect(message).toContain(typeof value === 'string' ? JSON.stringify(value) : '');
    }
    if (option !== 'capacity') expect(() => CuckooFilter.from(['a'], options)).toThrow(TypeError);
  });

  test.each([[undefined], [null], [5], ['text'], [5n]])('options %p are a TypeError', (options) => {
    expect(() => new CuckooFilter(options as never)).toThrow(TypeError);
    expect(() => CuckooFilter.plan(options as never)).toThrow(TypeError);
  });

  test('an option that no filter has is a TypeError that names it and those there are', () => {
    for (const option of ['audit', 'expectedFalsePositiveRate', 'growable'])
      for (const value of [true, false, null, 5]) {
        const options = { capacity: 10, [option]: value } as unknown as CuckooFilterOptions;
        for (const make of [
          () => new CuckooFilter(options),
          () => new ScalableCuckooFilter(options as never),
          () => CuckooFilter.plan(options),
          () => CuckooFilter.from(['a'], options),
          () => new Deduper(options),
        ])
          expect(thrownBy(TypeError, make)).toMatchObject({
            code: 'invalid-argument',
            message: expect.stringMatching(
              new RegExp(`^unknown option ${option}; (the options are|did you mean) `),
            ),
          });
      }
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
      const error = thrownBy(RangeError, make);
      const { message } = error;
      expect(error).toMatchObject({ code: 'invalid-argument' });
      expect(message).toMatch(
        new RegExp(`^${option} (must be .+, got |\\S+ is too low\\. Use 1e-9 or more$)`),
      );
      expect(message).toContain(typeof value === 'string' ? JSON.stringify(value) : String(value));
    }
  });

  test('a bucketCount too small for the capacity is a RangeError that blames it, and one just large enough is not', () => {
    const sizes = { bucketCount: 10, bucketSize: 4, fingerprintBits: 8 } as const;
    expect(thrownBy(RangeError, () => new CuckooFilter({ capacity: 41, ...sizes })).message).toMatch(
      /^bucketCount 10 is too small for capacity 41\. Leave it out, or use \d+$/,
    );
    expect(thrownBy(RangeError, () => new CuckooFilter({ capacity: 0, ...sizes })).message).toMatch(
      /^capacity/,
    );
    expect(new CuckooFilter({ capacity: 40, ...sizes }).capacity).toBe(40);
  });

  test.each<[CuckooFilterOptions, string]>([
    [{ capacity: 10, falsePositiveRate: 2 }, 'falsePositiveRate must be more than 0 and less than 1, got 2'],
    [{ capacity: 10, falsePositiveRate: 1e-12 }, 'falsePositiveRate 1e-12 is too low. Use 1e-9 or more'],
    [{ capacity: 10, maxCapacity: 9 }, 'maxCapacity must be at least capacity (10), got 9'],
    [
      { capacity: 10, maxCapacity: 2 ** 35 },
      `maxCapacity must be an integer from capacity to 2^34, got ${2 ** 35}`,
    ],
  ])('%j is refused with the part of the rule that it breaks', (options, message) => {
    expect(thrownBy(RangeError, () => new CuckooFilter(options)).message).toBe(message);
  });

  test('a ScalableCuckooFilter says that bucketCount must be a power of two', () => {
    expect(
      thrownBy(RangeError, () => new ScalableCuckooFilter({ capacity: 10, bucketCount: 3 })).message,
    ).toBe('bucketCount must be a power of two, got 3');
  });

  test('a ScalableCuckooFilter says that its addressing is always xor', () => {
    for (const ask of [
      ScalableCuckooFilter.plan,
      (options: object) => new ScalableCuckooFilter(options as never),
    ])
      expect(thrownBy(RangeError, () => ask({ capacity: 10, addressing: 'reflect' } as never)).message).toBe(
        'addressing must be \'xor\' or left out, got "reflect"',
      );
    expect(new ScalableCuckooFilter({ capacity: 10, addressing: 'xor' } as never).addressing).toBe('xor');
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
      const rule = 'bucketSize' in sizes ? 'bucketSize is 4' : 'fingerprintBits is at least 5';
      expect(message).toBe(`semiSort must be false unless ${rule}, got true`);
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
  test('is an OutOfMemoryError at once, and other filters go on working', () => {
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
      const { message, code } = thrownBy(OutOfMemoryError, () => new CuckooFilter(options));
      expect(code).toBe('out-of-memory');
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
    ...(['clear', 'serialize', 'clone', 'stats', 'shrink'] as const).map(
      (name) => [name, (filter: CuckooFilter) => filter[name]()] as const,
    ),
    ...(
      [
        'size',
        'capacity',
        'currentCapacity',
        'maxCapacity',
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
        'expectedFalsePositiveRate',
      ] as const
    ).map((name) => [name, (filter: CuckooFilter) => filter[name]] as const),
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
        /^a method was called without its filter: write filter.method\(\.\.\.\), or bind it$/,
      );
      expect(error).toMatchObject({ code: 'invalid-argument' });
    }
  });
});

describe('where memory is refused', () => {
  const makers: readonly [string, () => { dispose(): void }][] = [
    ['CuckooFilter', () => new CuckooFilter({ capacity: 300_000 })],
    ['ScalableCuckooFilter', () => new ScalableCuckooFilter({ capacity: 300_000 })],
    ['ExpiringFilter', () => new ExpiringFilter({ capacity: 300_000, periods: 4 })],
  ];

  test.each(makers)('the error of %s counts the live filters and their bytes', (_, make) => {
    make().dispose();
    const filters: { dispose(): void }[] = [];
    const until = memoryBytes() + 2 ** 23;
    const message = withMemoryOf(until, () => {
      try {
        for (;;) filters.push(make());
      } catch (error) {
        expect(error).toBeInstanceOf(OutOfMemoryError);
        return (error as OutOfMemoryError).message;
      }
    });
    const told =
      /^not enough memory for .* for capacity \d+: (\d+) live filters? holds? (\d+) bytes\. Call dispose\(\) on those no longer needed, or declare them with `using`/.exec(
        message,
      );
    const [count, bytes] = [Number(told?.[1]), Number(told?.[2])];
    expect(count).toBeGreaterThanOrEqual(filters.length);
    const each = (filters[0] as CuckooFilter).byteLength;
    expect(bytes).toBeGreaterThanOrEqual(filters.length * each);
    expect(bytes - filters.length * each).toBeLessThan(2 ** 20);
    for (const filter of filters) filter.dispose();
    const again = withMemoryOf(until, () => filters.map(make));
    for (const filter of again) filter.dispose();
  });

  const growable = { capacity: 2000, maxCapacity: 4_000_000 };
  const keys = Uint32Array.from({ length: 100_000 }, (_, i) => i);
  const growing = (filter: { dispose(): void }, add: () => unknown): [typeof filter, typeof add] => [
    filter,
    add,
  ];
  test.each<[name: string, make: () => [filter: { dispose(): void }, add: () => unknown]]>([
    ['CuckooFilter', () => ((it) => growing(it, () => it.addMany(keys)))(new CuckooFilter(growable))],
    ['Traced', () => ((it) => growing(it, () => it.addMany(keys)))(new Traced(growable))],
    ['Deduper', () => ((it) => growing(it, () => it.areNew(keys)))(new Deduper(growable))],
    [
      'ScalableCuckooFilter',
      () => ((it) => growing(it, () => it.addMany(keys)))(new ScalableCuckooFilter(growable)),
    ],
    [
      'ExpiringFilter',
      () => ((it) => growing(it, () => it.areNew(keys)))(new ExpiringFilter({ ...growable, periods: 4 })),
    ],
    [
      'CuckooValues',
      () => ((it) => growing(it, () => it.setMany(keys, 1)))(new CuckooValues({ ...growable, valueBits: 4 })),
    ],
    ['CuckooCounter', () => ((it) => growing(it, () => it.addMany(keys)))(new CuckooCounter(growable))],
  ])('a %s that finds none to grow says so, and what to do', (name, make) => {
    const [filter, add] = make();
    withMemoryOf(memoryBytes(), () => {
      const fillers = fill(name === 'Traced' ? Traced : CuckooFilter);
      const { message } = thrownBy(FilterFullError, add);
      expect(message).toMatch(
        /^the filter is full: it was made for \d+ keys and has \d+\. There was not enough memory to grow beyond \d+ bytes: \d+ live filters hold \d+ bytes\. Call dispose/,
      );
      expect(message).not.toContain('larger capacity');
      for (const filler of fillers) filler.dispose();
    });
    filter.dispose();
  });

  test('a table that grew without help, because its keys share buckets, does not blame memory', () => {
    withMemoryOf(memoryBytes(), () =>
      expect(() => new CuckooFilter({ capacity: 2e9 })).toThrow(OutOfMemoryError),
    );
    const filter = new CuckooFilter({ capacity: 40, maxCapacity: 640 });
    const { message, reason } = thrownBy(FilterFullError, () => {
      for (let round = 0; round < 64; ++round) for (let key = 0; key < 8; ++key) filter.add(key);
    });
    expect(reason).toBe('full');
    expect(message).toMatch(/^no room for \d: its buckets are full of copies of a few keys\./);
    expect(message).not.toContain('emory');
  });

  test('hashKeys does not speak of a table, and takes no memory that it does not need', () => {
    const filters: CuckooFilter[] = [];
    withMemoryOf(memoryBytes(), () => {
      expect(() => {
        for (let bytes = 2 ** 22; bytes >= 64; bytes /= 2)
          for (let isMade = true; isMade;) {
            try {
              filters.push(
                new CuckooFilter({
                  capacity: 1,
                  bucketCount: bytes,
                  bucketSize: 1,
                  fingerprintBits: 8,
                  maxKicks: 0,
                }),
              );
            } catch {
              isMade = false;
            }
          }
        hashKeys(['a'], { seed: 77 });
      }).toThrow(/^not enough memory for hashing keys: \d+ live filters hold \d+ bytes\. Call dispose/);
      for (const filter of filters) filter.dispose();
    });
  });

  test('the answers of a batch that JavaScript has no memory for are told, with those so far', () => {
    const filter = new CuckooFilter({ capacity: 10_000 });
    const Native = Uint8Array;
    globalThis.Uint8Array = new Proxy(Native, {
      construct(target, given: [number]) {
        if (given[0] > 6000) throw new RangeError('Array buffer allocation failed');
        return Reflect.construct(target, given) as object;
      },
    });
    try {
      filter.addManyIfAbsent(Array(9000).keys());
      expect('nothing').toBe('thrown');
    } catch (error) {
      expect((error as Error).message).toBe(
        'not enough memory for the answers of the batch (8192 bytes): give fewer keys at a time',
      );
      expect(error).toMatchObject({ name: 'OutOfMemoryError', code: 'out-of-memory' });
      expect((error as FilterFullError).answers).toHaveLength(filter.size);
      expect(filter.size).toBe(4096);
      expect(() => filter.serialize()).toThrow(/^not enough memory for the saved form \(\d+ bytes\)$/);
    } finally {
      globalThis.Uint8Array = Native;
    }
  });

  test('clone and deserialize say the same', () => {
    using filter = new CuckooFilter({ capacity: 1_000_000 });
    const saved = filter.serialize();
    const asks: [wanted: string, () => CuckooFilter][] = [
      [`a table of ${filter.byteLength} bytes for capacity 1000000`, () => filter.clone()],
      [`a saved filter of ${saved.length} bytes`, () => CuckooFilter.deserialize(saved)],
    ];
    using other = new CuckooFilter({ capacity: 1_000_000 });
    withMemoryOf(memoryBytes(), () => {
      for (const [wanted, ask] of asks)
        expect(() => fillWith(ask)).toThrow(
          new RegExp(
            `^not enough memory for ${wanted}: \\d+ live filters? holds? \\d+ bytes\\. Call dispose`,
          ),
        );
    });
    expect(other.size).toBe(0);
  });

  test('for one filter alone, the error says how much it asked for', () => {
    expect(() => new CuckooFilter({ capacity: 2 ** 33 })).toThrow(
      /^not enough memory for a table of \d+ bytes for capacity 8589934592: WebAssembly memory ends at 4 GiB$/,
    );
  });
});

/** Calls `make` until it throws, and disposes of what it made. */
function fillWith(make: () => { dispose(): void }): never {
  const made = new Set<{ dispose(): void }>();
  try {
    for (;;) made.add(make());
  } finally {
    for (const each of made) each.dispose();
  }
}

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
    new CuckooFilter({ capacity }),
    new ScalableCuckooFilter({ capacity }),
    new ExpiringFilter({ capacity, periods: 2 }),
    new CuckooValues({ capacity, valueBits: 4 }),
    new CuckooCounter({ capacity }),
  ];
  for (const one of made)
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
      expect(error.message).toContain(
        `this is a saved ${one.constructor.name}; use ${one.constructor.name}.deserialize of`,
      );
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
