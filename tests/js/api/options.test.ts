// Options: plain objects, known names, each read once, by every class and function that takes them.
import { describe, expect, test } from '@jest/globals';
import { runInNewContext } from 'node:vm';
import { CuckooFilter, Deduper, dedupe, dedupeStream, explainPlan } from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { said, thrownBy } from '../support/random';

type Taker = (options: never) => unknown;

/** Everything that takes options, with what it must be given. */
const TAKERS: readonly (readonly [string, Taker, object])[] = [
  ['new CuckooFilter', (options) => new CuckooFilter(options), { capacity: 10 }],
  ['CuckooFilter.plan', (options) => CuckooFilter.plan(options), { capacity: 10 }],
  ['explainPlan', (options) => explainPlan(options), { capacity: 10 }],
  ['CuckooFilter.from', (options) => CuckooFilter.from(['a'], options), { capacity: 10 }],
  ['new Traced', (options) => new Traced(options), { capacity: 10 }],
  ['new ScalableCuckooFilter', (options) => new ScalableCuckooFilter(options), { capacity: 10 }],
  ['ScalableCuckooFilter.plan', (options) => ScalableCuckooFilter.plan(options), { capacity: 10 }],
  ['ScalableCuckooFilter.from', (options) => ScalableCuckooFilter.from(['a'], options), { capacity: 10 }],
  ['new ExpiringFilter', (options) => new ExpiringFilter(options), { capacity: 10, periods: 2 }],
  ['ExpiringFilter.plan', (options) => ExpiringFilter.plan(options), { capacity: 10, periods: 2 }],
  ['new CuckooValues', (options) => new CuckooValues(options), { capacity: 10, valueBits: 2 }],
  ['CuckooValues.plan', (options) => CuckooValues.plan(options), { capacity: 10, valueBits: 2 }],
  ['new CuckooCounter', (options) => new CuckooCounter(options), { capacity: 10 }],
  ['CuckooCounter.plan', (options) => CuckooCounter.plan(options), { capacity: 10 }],
  ['CuckooCounter.from', (options) => CuckooCounter.from(['a'], options), { capacity: 10 }],
  ['new Deduper', (options) => new Deduper(options), { capacity: 10 }],
  ['Deduper.plan', (options) => Deduper.plan(options), { capacity: 10 }],
  ['dedupe', (options) => dedupe([], options), { capacity: 10 }],
  ['dedupeStream', (options) => dedupeStream(options), { capacity: 10 }],
];

/** What is saved, and is loaded with options. */
const SAVED = new CuckooFilter({ capacity: 10 }).add('a').serialize();
const SAVED_LAYERS = new ScalableCuckooFilter({ capacity: 10 }).add('a').serialize();

const LOADERS: readonly (readonly [string, Taker])[] = [
  ['CuckooFilter', (options) => CuckooFilter.deserialize(SAVED, options)],
  ['Deduper', (options) => Deduper.deserialize(SAVED, options)],
  ['ScalableCuckooFilter', (options) => ScalableCuckooFilter.deserialize(SAVED_LAYERS, options)],
];

class Settings {
  capacity = 10;
  periods = 2;
}

/** What has a capacity or nothing, but is no plain object. */
const NOT_PLAIN: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['5', 5],
  ['a string', 'text'],
  ['an array', [10]],
  ['[object Map]', new Map([['capacity', 10]])],
  ['an object', new Settings()],
  ['an ExpiringFilter', new ExpiringFilter({ capacity: 10, periods: 2 })],
  ['a Deduper', new Deduper({ capacity: 10 })],
];

/** How an error begins of options that are shown so. The rest of its words: messages.options.test.ts. */
const notPlain = (shown: string): string => `options must be a plain object, got ${shown}`;

describe.each(TAKERS)('%s', (name, take, least) => {
  test.each(NOT_PLAIN)('refuses %s by name', (shown, options) => {
    // These take what tells new keys from others in place of options.
    if (/^dedupe/.test(name) && typeof (Object(options) as Deduper).isNew === 'function') return;
    const { message } = thrownBy(TypeError, () => take(options as never));
    if (name === 'new Deduper' && (Array.isArray(options) || options instanceof ExpiringFilter))
      expect(message).toContain(
        `, got ${shown}. If the keys were seen: new Deduper(CuckooFilter.from(keys))`,
      );
    else expect(message).toContain(notPlain(shown));
  });

  test('refuses a filter, unless it takes one over', () => {
    if (name === 'new Deduper' || /^dedupe/.test(name)) return;
    for (const filter of [new CuckooFilter({ capacity: 10 }), new Traced({ capacity: 10 })])
      expect(() => take(filter as never)).toThrow(notPlain('a CuckooFilter'));
    expect(() => take(new ScalableCuckooFilter({ capacity: 10 }) as never)).toThrow(
      'got a ScalableCuckooFilter',
    );
  });

  test('takes objects without a prototype, and of another realm', () => {
    const bare = Object.assign(Object.create(null) as object, least);
    const foreign: unknown = runInNewContext(`(${JSON.stringify(least)})`);
    for (const options of [bare, foreign]) expect(() => take(options as never)).not.toThrow();
  });

  test('refuses an unknown name, and asks for one that is like it, or lists the options', () => {
    expect(said(() => take({ ...least, errorRate: 1 } as never))).toBe(
      'unknown option errorRate; did you mean falsePositiveRate?',
    );
    expect(thrownBy(TypeError, () => take({ ...least, set: 1 } as never))).toMatchObject({
      code: 'invalid-argument',
      message: expect.stringMatching(/^unknown option set; the options are capacity, falsePositiveRate, /),
    });
  });

  test('takes undefined, of a known and of an unknown name, as if it were absent', () => {
    expect(() =>
      take({ ...least, falsePositiveRate: undefined, hash: undefined, foo: undefined } as never),
    ).not.toThrow();
  });

  test('reads each option once, also those of the hash', () => {
    const reads: Record<string, number> = {};
    const counting = (options: object, prefix = ''): object => {
      const counted = {};
      for (const [option, value] of Object.entries(options))
        Object.defineProperty(counted, option, {
          enumerable: true,
          get(): unknown {
            reads[prefix + option] = (reads[prefix + option] ?? 0) + 1;
            return value;
          },
        });
      return counted;
    };
    const hash = counting({ algorithm: 'siphash-1-3', key: new Uint8Array(16) }, 'hash.');
    take(counting({ ...least, falsePositiveRate: 0.01, bucketSize: 4, hash }) as never);
    const names = ['hash.algorithm', 'hash.key', 'falsePositiveRate', 'bucketSize', 'hash'];
    expect(reads).toEqual(Object.fromEntries([...names, ...Object.keys(least)].map((option) => [option, 1])));
  });

  test('passes on what a getter throws', () => {
    const options = {
      ...least,
      get seed(): never {
        throw new RangeError('mine');
      },
    };
    expect(() => take(options as never)).toThrow('mine');
  });
});

test('options of the constructor in the place of those of deserialize are named, because the bytes hold them', () => {
  const options = { capacity: 10, periods: 3 };
  const saved = new ExpiringFilter(options).serialize();
  expect(said(() => ExpiringFilter.deserialize(saved, options as never))).toBe(
    'unknown option capacity; the saved bytes hold it: leave it out',
  );
  expect(said(() => CuckooFilter.deserialize(SAVED, { seed: 5 } as never))).toMatch(
    /; the saved bytes hold it/,
  );
});

test('maxCount, as the property says, is taken for counterBits', () => {
  expect(said(() => new CuckooCounter({ capacity: 10, maxCount: 1000 } as never))).toMatch(/counterBits\?$/);
});

test('nothing, as a store gives that has no such filter, is no bytes', () => {
  for (const nothing of [null, undefined])
    expect(said(() => CuckooFilter.deserialize(nothing as never))).toMatch(/make a new filter/);
});

test.each([
  ['errorRate', 'falsePositiveRate'],
  ['error', 'falsePositiveRate'],
  ['fpr', 'falsePositiveRate'],
  ['rate', 'falsePositiveRate'],
  ['size', 'capacity'],
  ['items', 'capacity'],
  ['n', 'capacity'],
  ['slots', 'bucketSize'],
  ['fingerprintLength', 'fingerprintBits'],
  ['expectedItems', 'capacity'],
  ['fpRate', 'falsePositiveRate'],
  ['hashAlgorithm', 'hash'],
  ['semiSorted', 'semiSort'],
  ['initialCapacity', 'capacity'],
  ['error_rate', 'falsePositiveRate'],
  ['falsePositivRate', 'falsePositiveRate'],
  ['FalsePositiveRate', 'falsePositiveRate'],
  ['Capacity', 'capacity'],
  ['capcity', 'capacity'],
  ['bucketsize', 'bucketSize'],
  ['finger_print_bits', 'fingerprintBits'],
  ['semisorted', 'semiSort'],
  ['hashing', 'hash'],
])('%s, as other libraries say or fingers slip, is taken for %s', (name, option) => {
  expect(() => CuckooFilter.plan({ capacity: 10, [name]: 1 })).toThrow(
    `unknown option ${name}; did you mean ${option}?`,
  );
});

test.each(['frobnicate', 'city', 'name', 'db', '', '__proto__', 'constructor', 'x'.repeat(100_000)])(
  'a name that is like none is refused as it is',
  (unknown) => {
    const options = Object.defineProperty({ capacity: 10 }, unknown, { value: 1, enumerable: true });
    expect(said(() => CuckooFilter.plan(options))).toContain(`unknown option ${unknown}; the options are `);
  },
);

describe.each(LOADERS)('the options of %s.deserialize', (_, take) => {
  test.each(NOT_PLAIN)('cannot be %s', (shown, options) => {
    const { message } = thrownBy(TypeError, () => take(options as never));
    expect(message).toContain(notPlain(shown));
    expect(message).not.toMatch(/Keys come first|capacity: /); // Those are of the constructor.
  });

  test('have no other name', () => {
    expect(() => take({ maxByte: 100 } as never)).toThrow('unknown option maxByte; did you mean maxBytes?');
    for (const name of ['foo', 'size'])
      expect(() => take({ [name]: 1 } as never)).toThrow(
        `unknown option ${name}; the options are maxBytes, hash`,
      );
  });

  test('are read once', () => {
    let reads = 0;
    take({
      get maxBytes() {
        return ++reads === 1 ? Infinity : -1;
      },
    } as never);
    expect(reads).toBe(1);
  });
});

test('a getter cannot swap the plan between planning and making', () => {
  let reads = 0;
  const filter = new CuckooFilter({
    capacity: 1000,
    get hash() {
      if (++reads > 1) CuckooFilter.plan({ capacity: 5, fingerprintBits: 4, bucketSize: 1 });
      return 'xxh64' as const;
    },
  });
  expect(filter.fingerprintBits).toBe(CuckooFilter.plan({ capacity: 1000 }).fingerprintBits);
  const expiring = new ExpiringFilter({
    capacity: 1000,
    get periods() {
      new ExpiringFilter({ capacity: 5, periods: 1 });
      return 4;
    },
  });
  expect(expiring.capacity).toBe(1000);
  expect(expiring.byteLength).toBe(new ExpiringFilter({ capacity: 1000, periods: 4 }).byteLength);
});

test('audit is no option, for the types either', () => {
  const options = { capacity: 10, periods: 2 };
  // @ts-expect-error: not of a filter
  expect(() => new CuckooFilter({ capacity: 10, audit: true })).toThrow('unknown option audit; ');
  // @ts-expect-error: nor of an expiring one
  expect(() => new ExpiringFilter({ ...options, audit: true })).toThrow('unknown option audit; ');
});

describe('dedupe', () => {
  test.each([
    ['an object', { isNew: true }],
    ['a CuckooCounter', new CuckooCounter({ capacity: 10 })],
    ['null', null],
    ['5', 5],
  ])('refuses %s as the deduper at once', (shown, deduper) => {
    for (const take of [() => dedupe([], { deduper } as never), () => dedupeStream({ deduper } as never)])
      expect(thrownBy(TypeError, take).message).toBe(
        `deduper must be a Deduper, another object with isNew(key), or a CuckooFilter, got ${shown}`,
      );
  });

  test.each([
    ['an async isNew', async () => Promise.resolve(false)],
    ['one that returns nothing', () => undefined],
  ])('refuses %s, whose answers would all mean the same', (_, isNew) => {
    expect(() => [...dedupe(['a'], { isNew } as never)]).toThrow(/^isNew must return a boolean, got /);
  });

  test('takes as the deduper whatever has isNew', async () => {
    const seen = new Set<unknown>();
    for (const deduper of [
      new Deduper({ capacity: 10 }),
      new ExpiringFilter({ capacity: 10, periods: 2 }),
      { isNew: (key: unknown) => !seen.has(key) && !!seen.add(key) },
    ]) {
      const kept: string[] = [];
      for await (const item of dedupe(['a', 'b', 'a'], { deduper })) kept.push(item);
      expect([kept, deduper.isNew('a')]).toEqual([['a', 'b'], false]);
    }
  });

  test('refuses options of a filter beside a deduper', () => {
    const options = { deduper: new Deduper({ capacity: 10 }), capacity: 10 };
    expect(() => dedupe([], options as never)).toThrow('capacity must be left out if deduper is given');
    expect(() => dedupe([], { ...options, capacity: undefined } as never)).not.toThrow();
  });
});

describe('ScalableCuckooFilter.plan', () => {
  test('refuses what the constructor refuses', () => {
    for (const wrong of [{ addressing: 'reflect' }, { addressing: 5 }, { capacity: 0 }, { bucketCount: 3 }]) {
      const options = { capacity: 10, ...wrong } as never;
      const { message } = thrownBy(Error, () => new ScalableCuckooFilter(options));
      expect(thrownBy(Error, () => ScalableCuckooFilter.plan(options)).message).toBe(message);
    }
  });

  test.each([{}, { maxCapacity: 100 }, { falsePositiveRate: 0.1 }, { bucketSize: 2 }, { semiSort: true }])(
    'of %j gives the sizes of the filter',
    (shape) => {
      const options = { capacity: 100, ...shape } as const;
      const filter = new ScalableCuckooFilter(options);
      const { maxCapacity, capacity, bucketCount, bucketSize, fingerprintBits, byteLength, ...rest } =
        ScalableCuckooFilter.plan(options);
      expect(filter).toMatchObject({
        maxCapacity,
        capacity,
        bucketCount,
        bucketSize,
        fingerprintBits,
        byteLength,
      });
      expect(filter).toMatchObject({
        semiSorted: rest.semiSorted,
        addressing: 'xor',
      });
      expect(rest.totalCapacity).toBe(filter.totalCapacity);
      expect(rest.currentCapacity).toBe(filter.currentCapacity);
    },
  );

  test('follows prefer', () => {
    for (const Class of [CuckooFilter, ScalableCuckooFilter]) {
      expect(Class.plan({ capacity: 1000, prefer: 'space' }).semiSorted).toBe(true);
      expect(Class.plan({ capacity: 1000, prefer: 'speed' }).semiSorted).toBe(false);
      expect(new Class({ capacity: 1000, prefer: 'speed' }).semiSorted).toBe(false);
    }
  });
});

describe('explainPlan', () => {
  test('gives the plan as the first alternative', () => {
    const shapes = [
      {},
      { bucketCount: 128 },
      { bucketCount: 64, maxCapacity: 1000 },
      { falsePositiveRate: 0.5 },
      { fingerprintBits: 12 },
      { semiSort: false },
    ];
    for (const shape of shapes) {
      for (const capacity of [1, 10, 100, 250]) {
        const options = { capacity, ...shape };
        const { bucketSize, semiSorted, fingerprintBits, bitsPerKey } = CuckooFilter.plan(options);
        const { alternatives, reason } = explainPlan(options);
        const [plan, ...others] = alternatives;
        expect(plan).toMatchObject({ bucketSize, semiSorted, fingerprintBits, bitsPerKey });
        expect(others).not.toContainEqual(plan);
        const bits = others.map((other) => other.bitsPerKey);
        expect(bits).toEqual([...bits].sort((one, other) => one - other));
        const next = bits[0] === undefined ? 'no other layout' : `would take ${bits[0].toFixed(2)}`;
        expect(reason).toContain(next);
      }
    }
  });

  test('of a given bucketCount names no layout with too few slots', () => {
    const options = { capacity: 100, bucketCount: 40 };
    const { alternatives } = explainPlan(options);
    const { bitsPerKey } = CuckooFilter.plan(options);
    expect(Math.min(...alternatives.map((each) => each.bitsPerKey))).toBe(bitsPerKey);
  });
});
