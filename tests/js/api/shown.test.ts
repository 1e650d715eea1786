// How filters show themselves: to console.log, JSON and comparisons of tests; and that structuredClone makes none.
import { describe, expect, test } from '@jest/globals';
import { deepStrictEqual } from 'node:assert';
import { inspect } from 'node:util';
import {
  CuckooFilter,
  Deduper,
  hashKey,
  hashKeys,
  PackedKeys,
  type CuckooFilterOptions,
} from 'cuckoofilter-wasm';
import { audited } from 'cuckoofilter-wasm/audit';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { FilterReader } from 'cuckoofilter-wasm/reader';

interface Shown {
  readonly size: number;
  readonly capacity: number;
  readonly byteLength?: number;
  /** Where a deduper has its byteLength. */
  readonly filter?: object;
  toJSON(): Record<string, unknown>;
  dispose(): void;
}

const options = { capacity: 1000, falsePositiveRate: 0.01 };
const expiring = (keys: string[]): ExpiringFilter => {
  const filter = new ExpiringFilter({ ...options, periods: 3 });
  filter.areNew(keys);
  return filter;
};
const MAKERS: readonly [string, string, () => Shown][] = [
  ['CuckooFilter', 'CuckooFilter', () => new CuckooFilter(options).add('a')],
  ['ScalableCuckooFilter', 'ScalableCuckooFilter', () => new ScalableCuckooFilter(options).add('a')],
  ['the traced CuckooFilter', 'CuckooFilter', () => new Traced(options).add('a')],
  ['ExpiringFilter', 'ExpiringFilter', () => expiring(['a'])],
  ['Deduper', 'Deduper', () => new Deduper(CuckooFilter.from(['a'], options))],
  ['an audited CuckooFilter', 'CuckooFilter', () => audited(new CuckooFilter(options)).add('a')],
];

describe.each(MAKERS)('%s', (_, name, make) => {
  test('shows its class, parameters, size and load where it is printed', () => {
    const filter = make();
    const text = inspect(filter);
    expect(text.startsWith(`${name} {`)).toBe(true);
    expect(text).toContain(`size: ${filter.size},`);
    expect(text).toContain(`capacity: ${filter.capacity},`);
    expect(text).toContain(`byteLength: ${((filter.filter as Shown | undefined) ?? filter).byteLength}`);
    expect(text).toMatch(/\bexpectedFalsePositiveRate: [\d.e-]+,/);
    expect(Object.prototype.toString.call(filter)).toBe(`[object ${name}]`);
  });

  test('gives what it shows as JSON', () => {
    const filter = make();
    const parsed = JSON.parse(JSON.stringify(filter)) as Record<string, unknown>;
    expect(parsed).toEqual(filter.toJSON());
    for (const [property, value] of Object.entries(parsed)) {
      const from = property in filter ? filter : filter.filter;
      const own: unknown = (from as unknown as Record<string, unknown>)[property];
      expect([property, value]).toEqual([property, typeof own === 'bigint' ? String(own) : own]);
    }
  });

  test('shows that it was disposed of, and does not throw', () => {
    const filter = make();
    filter.dispose();
    expect(inspect(filter)).toBe(`${name} { disposed: true }`);
    expect(JSON.stringify([filter])).toBe('[{"disposed":true}]');
    expect(Object.prototype.toString.call(filter)).toBe(`[object ${name}]`);
    expect(() => expect(filter).toEqual(filter)).not.toThrow();
    expect(() => expect(filter).toEqual(make())).toThrow();
  });

  test('prints whatever has its prototype without throwing', () => {
    const filter = make();
    const prototype: unknown = Object.getPrototypeOf(filter);
    for (const odd of [prototype, Object.create(filter as object), new Proxy(filter, {})])
      expect(typeof inspect(odd)).toBe('string');
  });

  test('has no property of its own by a text, so that structuredClone makes nothing that is taken for a filter', () => {
    using into = new CuckooFilter(options);
    const filter = make();
    expect(Object.getOwnPropertyNames(filter)).toEqual([]);
    const copy: unknown = structuredClone(filter);
    expect(Object.prototype.toString.call(copy)).toBe('[object Object]');
    expect(Reflect.ownKeys(copy as object)).toEqual([]);
    for (const call of [
      () => into.merge(copy as never),
      () => into.equals(copy as never),
      () => new Deduper(copy as never),
      () => new CuckooFilter(copy as never),
    ])
      expect(call).toThrow(TypeError);
    filter.dispose();
  });
});

test('loads and layers are shown as they are', () => {
  const filter = new CuckooFilter({ capacity: 4, bucketCount: 1, bucketSize: 4, seed: 5n }).add('a');
  expect(filter.toJSON()).toMatchObject({
    loadFactor: 0.25,
    bucketSize: 4,
    seed: '5',
    bitsPerKey: filter.bitsPerKey,
  });
  expect(new ScalableCuckooFilter(options).toJSON()).toMatchObject({ layers: 1, addressing: 'xor' });
  expect(new ExpiringFilter({ ...options, periods: 3 }).toJSON()).toMatchObject({ periods: 3 });
  expect(new Deduper(options).toJSON()).toMatchObject({ droppedShare: 0 });
});

test('only what a class has is shown, and of a copy that is no filter what it holds', () => {
  for (const filter of [new CuckooFilter(options), new Deduper(options), expiring(['a'])]) {
    expect(inspect(filter)).not.toContain('undefined');
    expect(Object.values(filter.toJSON())).not.toContain(undefined);
    const copy: unknown = Object.create(Object.getPrototypeOf(filter) as object, {
      mine: { value: 5, enumerable: true },
    });
    expect(inspect(copy)).toBe(`${filter.constructor.name} { mine: 5 }`);
  }
});

test('values, counters and what getMany found are shown by the names of their classes', () => {
  const table = new CuckooValues({ capacity: 9, valueBits: 3 }).set('a', 5);
  expect(inspect(table)).toMatch(/^CuckooValues \{\s+size: 1,/);
  expect(inspect(new CuckooCounter({ capacity: 9 }).add('a'))).toMatch(/^CuckooCounter \{\s+size: 1,/);
  expect(inspect(table.getMany(['a']))).toMatch(/^FoundValues \{/);
});

test('what `using` and console.log call can be replaced, as every method can', () => {
  const { prototype } = Object.getPrototypeOf(Object.getPrototypeOf(CuckooFilter)) as typeof CuckooFilter;
  const method = Object.getOwnPropertyDescriptor(prototype, 'dispose');
  for (const name of [Symbol.dispose, inspect.custom])
    expect({ ...Object.getOwnPropertyDescriptor(prototype, name), value: 0 }).toEqual({
      ...method,
      value: 0,
    });
});

test('inspect keeps its options', () => {
  const filter = new CuckooFilter(options);
  expect(inspect(filter, { breakLength: Infinity, compact: true })).not.toContain('\n');
  expect(inspect({ a: { b: { c: filter } } }, { depth: 1 })).not.toContain('size');
});

test('a subclass shows its own name', () => {
  class Seen extends CuckooFilter {}
  expect(inspect(new Seen(options))).toMatch(/^Seen \{/);
});

test('a FilterReader shows its parameters as well', () => {
  const reader = new FilterReader(CuckooFilter.from(['a'], options).serialize());
  expect(inspect(reader)).toMatch(/^FilterReader \{\s+size: 1,\s+capacity: 1000/);
});

test('FilterReaders are equal if their bytes are', () => {
  const readerOf = (key: string): FilterReader =>
    new FilterReader(CuckooFilter.from([key], options).serialize());
  expect(readerOf('a')).toEqual(readerOf('a'));
  expect(readerOf('a')).not.toEqual(readerOf('b'));
  expect(() => deepStrictEqual(readerOf('a'), readerOf('b'))).toThrow();
});

test('keys show their classes, whatever a minifier makes of them', () => {
  expect(inspect(new PackedKeys(new Uint8Array(2), Uint32Array.of(2)))).toMatch(/^PackedKeys \{/);
  expect(inspect(hashKeys(['a']))).toMatch(/^HashedKeys /);
  expect(inspect(hashKey('a'))).toMatch(/^HashedKey /);
});

describe('comparisons of tests', () => {
  const PAIRS: readonly [string, (keys: string[]) => unknown][] = [
    ['CuckooFilter', (keys) => CuckooFilter.from(keys, options)],
    ['ScalableCuckooFilter', (keys) => ScalableCuckooFilter.from(keys, options)],
    ['traced', (keys) => Traced.from(keys, options)],
    ['Deduper', (keys) => new Deduper(CuckooFilter.from(keys, options))],
    ['ExpiringFilter', expiring],
    [
      'audited',
      (keys) => {
        const filter = audited(new CuckooFilter(options));
        filter.addMany(keys);
        return filter;
      },
    ],
  ];

  test.each(PAIRS)('find %s filters equal whose saved bytes are, and no others', (_, make) => {
    const [one, same, other] = [make(['a', 'b']), make(['a', 'b']), make(['a', 'c'])];
    expect(one).toEqual(same);
    expect(one).toStrictEqual(same);
    expect({ filter: one }).toEqual({ filter: same });
    expect(one).not.toEqual(other);
    expect(() => expect(one).toEqual(other)).toThrow(/cuckoofilter-wasm\.content/);
    expect(() => expect([one]).toStrictEqual([other])).toThrow(/cuckoofilter-wasm\.content/);
    expect(() => deepStrictEqual(one, same)).not.toThrow();
    expect(() => deepStrictEqual(one, other)).toThrow();
  });

  test('show a filter of any size by eight numbers, and one that is disposed of by a word', () => {
    const filter = new CuckooFilter({ capacity: 100_000 });
    const content = (): unknown =>
      (filter as unknown as Record<symbol, { checksum: unknown }>)[Symbol.for('cuckoofilter-wasm.content')]
        ?.checksum;
    expect(content()).toMatch(/^\d+(\.\d+){7}$/);
    filter.dispose();
    expect(content()).toBe('none');
  });

  test('alone have the filter saved, and no copy of its properties does', () => {
    let saves = 0;
    class Watched extends CuckooFilter {
      override serialize(): ReturnType<CuckooFilter['serialize']> {
        ++saves;
        return super.serialize();
      }
    }
    const filter = new Watched(options);
    expect([Object.keys({ ...filter }), Object.assign({}, filter), saves]).toEqual([
      [],
      expect.anything(),
      0,
    ]);
    expect(filter).toEqual(new Watched(options));
    expect(saves).toBeGreaterThan(0);
  });

  test('tell parameters apart', () => {
    expect(new CuckooFilter(options)).not.toEqual(new CuckooFilter({ ...options, seed: 1 }));
    expect(new CuckooFilter(options)).not.toEqual(new CuckooFilter({ ...options, capacity: 1001 }));
  });
});

test.each<[string, Partial<CuckooFilterOptions>]>([
  ['with a default seed', {}],
  ['with a seed that is no safe integer', { seed: 2n ** 60n }],
  ['of a table that grows', { maxCapacity: 100_000 }],
  [
    'that leaves bucketCount open',
    { capacity: 5, maxCapacity: 20, falsePositiveRate: 1e-6, prefer: 'speed' },
  ],
])('a plan %s is shown as JSON', (_, more) => {
  const plan = CuckooFilter.plan({ ...options, ...more });
  const parsed = JSON.parse(JSON.stringify(plan)) as typeof plan;
  const { capacity, byteLength } = plan;
  expect(parsed).toMatchObject({ capacity, byteLength, options: { capacity } });
  expect(BigInt(parsed.seed)).toBe(plan.seed);
});
