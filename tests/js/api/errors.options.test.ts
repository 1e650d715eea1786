// Wrong options: the class of the error, its code, and the rule that it tells. The words of rules: messages.options.test.ts.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, Deduper, hashKey, type CuckooFilterOptions } from 'cuckoofilter-wasm';
import { fromIoRedis, fromNodeRedis, RedisCuckooFilter } from 'cuckoofilter-wasm/redis';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { rejected, said, thrownBy } from '../support/random';
import { ruled } from './ruled';

function transferred(bytes: Uint8Array): Uint8Array {
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
}

/** The message about a wrong value, by the rule in the table of options; seed and hash have theirs elsewhere. */
function told(option: string, value: unknown): unknown {
  if (option === 'seed' || option === 'hash') return expect.stringMatching(`^${option} must be .+, got `);
  if (option === 'fingerprintBits' && typeof value === 'number' && value % 1 !== 0)
    return expect.stringMatching(`^fingerprintBits must be an integer.*, got ${value}$`);
  return ruled(option, value);
}

describe('an option of the wrong type', () => {
  const WRONG: Record<string, readonly unknown[]> = {
    capacity: [undefined, null, '100', 100n, {}, true],
    maxCapacity: [null, '100', 100n],
    falsePositiveRate: [null, '0.01', 1n, {}],
    bucketSize: [null, '4', 4n, [4]],
    fingerprintBits: [null, '8', 8n],
    bucketCount: [null, '8', 8n],
    addressing: [null, 1, {}],
    semiSort: [null, 'yes', 1],
    prefer: [null, 1, {}],
    onGrow: [null, 'yes', 1, {}],
    maxPause: [null, '1', 1n, {}, Symbol('s'), Object.create(null)],
    seed: [null, '5', {}, true],
    hash: [null, 5],
  };

  test.each(
    Object.entries(WRONG).flatMap(([option, values]) => values.map((value) => [option, value] as const)),
  )('%s %p is a TypeError that names it, from the constructor, plan and from', (option, value) => {
    const options = { capacity: 10, [option]: value } as unknown as CuckooFilterOptions;
    for (const make of [() => new CuckooFilter(options), () => CuckooFilter.plan(options)]) {
      const message =
        value === undefined ? 'capacity is required: an integer from 1 to 2^34' : told(option, value);
      expect(thrownBy(TypeError, make)).toMatchObject({ code: 'invalid-argument', message });
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
    maxCapacity: [-1, 1.5, 2 ** 35],
    maxPause: [-1, NaN],
    falsePositiveRate: [0, 1, -0.1, 1.5, NaN, Infinity, 1e-12, Number.MIN_VALUE],
    bucketSize: [0, 9, -4, 2.5, NaN, Infinity, 2 ** 32 + 4],
    fingerprintBits: [0, 1, 33, -8, 7.5, NaN, Infinity, 2 ** 32 + 8],
    bucketCount: [0, -1, 3.5, NaN, Infinity, 2 ** 32 + 1, 2 ** 64, 2 ** 64 + 4096],
    addressing: ['XOR', '', 'mod'],
    seed: [-1, -1n, 0.5, NaN, 2 ** 53, 2n ** 64n, Infinity],
  };

  test.each(
    Object.entries(WRONG).flatMap(([option, values]) => values.map((value) => [option, value] as const)),
  )('%s %p is a RangeError that names the option, the rule and the value', (option, value) => {
    const options = { capacity: 10, [option]: value } as CuckooFilterOptions;
    for (const make of [() => new CuckooFilter(options), () => CuckooFilter.plan(options)]) {
      const isTooLow = value === 1e-12 || value === Number.MIN_VALUE;
      const message = isTooLow ? `${option} ${value} is too low. Use 1e-9 or more` : told(option, value);
      expect(thrownBy(RangeError, make)).toMatchObject({ code: 'invalid-argument', message });
    }
  });

  test('a bucketCount too small for the capacity is a RangeError that blames it, and one just large enough is not', () => {
    const sizes = { bucketCount: 10, bucketSize: 4, fingerprintBits: 8 } as const;
    for (const [capacity, named] of [
      [41, /^bucketCount /],
      [0, /^capacity /],
    ] as const)
      expect(thrownBy(RangeError, () => new CuckooFilter({ capacity, ...sizes })).message).toMatch(named);
    expect(new CuckooFilter({ capacity: 40, ...sizes }).capacity).toBe(40);
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

  test('0 is none where the rule says so', () => {
    expect(new CuckooFilter({ capacity: 10, maxPause: 0, seed: 0 }).seed).toBe(0n);
  });

  test('the largest capacity that the message names is the largest that is planned', () => {
    const { message } = thrownBy(RangeError, () => CuckooFilter.plan({ capacity: 2 ** 53 }));
    const largest = 2 ** Number(/2\^(\d+)/.exec(message)?.[1]);
    expect(CuckooFilter.plan({ capacity: largest }).capacity).toBe(largest);
    expect(() => CuckooFilter.plan({ capacity: largest + 1 })).toThrow(RangeError);
  });

  test('a bucketCount that is no power of two is a RangeError for xor only', () => {
    for (const bucketCount of [3, 6, 100, 2 ** 20 - 1]) {
      expect(() => new CuckooFilter({ capacity: 1, bucketCount, addressing: 'xor' })).toThrow(RangeError);
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

test.each<[object, string]>([
  [{ capacity: 10, maxCapacity: 9 }, 'maxCapacity must be at least capacity (10), got 9'],
  [
    { capacity: 10, hash: { algorithm: 'siphash-1-3', key: new Uint8Array(16) }, seed: 5 },
    'seed must be left out (or 0) if hash has a key, got 5',
  ],
  [{ capacity: 10, hash: null }, "hash must be 'xxh64', or 'siphash-1-3' with a key, got null"],
  [{ capacity: 10, hash: 'md5' }, "hash must be 'xxh64', or 'siphash-1-3' with a key, got another string"],
  [
    { capacity: 10, hash: { algorithm: 5 } },
    "hash.algorithm must be 'xxh64', or 'siphash-1-3' with a key, got 5",
  ],
  [
    { capacity: 10, hash: { algorithm: 'siphash-1-3', key: transferred(new Uint8Array(16)) } },
    'hash.key has no bytes left: its buffer was transferred or shrunk. Transfer a slice()',
  ],
  [
    { capacity: 10, hash: { algoritm: 'xxh64' } },
    'unknown option hash.algoritm; did you mean hash.algorithm?',
  ],
  [{ capacity: 10, hash: { rounds: 1 } }, 'unknown option hash.rounds; the options are algorithm, key'],
  [{ capacity: 10, hash: ['xxh64'] }, 'hash must be a plain object, got an array'],
])('%j is told with the rule that it breaks', (options, message) => {
  expect(said(() => new CuckooFilter(options as CuckooFilterOptions))).toBe(message);
});

test('wrong options are found before a key is taken from its source', async () => {
  let taken = 0;
  function* source(): Generator<never> {
    ++taken;
    yield ['a', 1] as never;
  }
  const wrong = [
    { capacty: 10 },
    { hash: 'md5' },
    { seed: -1 },
    { falsePositiveRate: 1e-30 },
    { bucketSize: 3, semiSort: true },
    { capacity: 10, maxCapacity: 5 },
  ];
  for (const Class of [
    CuckooFilter,
    Traced,
    ScalableCuckooFilter,
    CuckooCounter,
    SharedCuckooFilter,
    CuckooValues,
  ])
    for (const options of [
      ...wrong,
      ...(Class === CuckooValues ? [{ valueBits: 99 }, { valueBits: undefined }] : []),
    ]) {
      const given = { ...(Class === CuckooValues ? { valueBits: 4 } : {}), ...options } as never;
      expect(() => Class.from(source(), given)).toThrow(/must|required|unknown|too low/);
      await expect(Class.fromAsync(source(), given)).rejects.toThrow(/must|required|unknown|too low/);
    }
  expect(taken).toBe(0);
});

test.each([
  { maxCapacity: 2 ** 30 },
  { bucketCount: 500_000 },
  { bucketCount: 2 ** 18, addressing: 'xor' },
  { bucketSize: 1 },
  { fingerprintBits: 30 },
] as const)(
  'options that are right for many keys alone are not refused before those have come: %j',
  (options) => {
    const keys = (function* () {
      for (let i = 0; i < 100_000; ++i) yield i;
    })();
    expect(CuckooFilter.from(keys, options).size).toBe(100_000);
  },
);

test('a secret that was given in a wrong place is in no message', async () => {
  const secret = 'my secret';
  const saved = new CuckooFilter({ capacity: 10 }).serialize();
  const nested = [
    { algorithm: secret },
    { algorithm: 'siphash-1-3', key: secret },
    { algorithm: 'xxh64', key: secret },
  ];
  const wrong: readonly object[] = [
    ...[secret, Symbol(secret), ...nested].map((hash) => ({ hash })),
    { seed: secret },
    { onGrow: secret },
    { key: secret },
    { secret },
  ];
  const calls = wrong.flatMap((options) => [
    () => new CuckooFilter({ capacity: 10, ...options }),
    () => new Deduper({ capacity: 10, ...options }),
    () => CuckooFilter.deserialize(saved, options),
    () => hashKey('a', options),
  ]);
  const text = secret as never;
  calls.push(
    () => new CuckooFilter(text),
    () => CuckooFilter.deserialize(saved, text),
    () => new Deduper(text),
    () => fromNodeRedis(text) as never,
    () => fromIoRedis(text) as never,
  );
  expect(calls.map(said).filter((message) => message.includes(secret))).toEqual([]);
  const { message } = await rejected(
    TypeError,
    RedisCuckooFilter.open({ name: 'a', capacity: 9, send: text }),
  );
  expect(message).not.toContain(secret);
  await rejected(TypeError, RedisCuckooFilter.open(text)).then((error) =>
    expect(error.message).not.toContain(secret),
  );
});

test('a rate that is no number is shown, and none of its code runs', () => {
  const hooked = {
    valueOf: () => {
      throw new Error('valueOf was called');
    },
  };
  for (const rate of [Symbol('half'), hooked, Object.create(null)])
    expect(said(() => new CuckooFilter({ capacity: 10, falsePositiveRate: rate as never }))).toBe(
      ruled('falsePositiveRate', rate),
    );
});

test('a plan in place of options is told where its options are', () => {
  const plan = CuckooFilter.plan({ capacity: 10 });
  const { message } = thrownBy(TypeError, () => new CuckooFilter(plan as never));
  expect(message).toBe('this is a plan, not options: pass plan.options');
  expect(new CuckooFilter(plan.options).bucketCount).toBe(plan.bucketCount);
});
