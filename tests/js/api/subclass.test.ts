// Subclasses: they are made by `new` alone. `clone`, `from`, `fromAsync` and `deserialize` give the package's class, and
// static methods need no class; a constructor that throws loses no memory for good.
import { describe, expect, test } from '@jest/globals';
import { memoryBytes } from '../support/memory-spy';
import { CuckooFilter, Deduper, FilterFullError, type CuckooFilterOptions } from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { runModule } from '../support/command';
import { thrownBy } from '../support/random';

test('the classes have no static method but the documented ones, so that nothing reaches WebAssembly', () => {
  const makers = ['deserialize', 'from', 'fromAsync', 'plan'];
  for (const Class of [
    CuckooFilter,
    Traced,
    ScalableCuckooFilter,
    ExpiringFilter,
    CuckooValues,
    CuckooCounter,
  ])
    for (let from: unknown = Class; from !== Function.prototype; from = Object.getPrototypeOf(from))
      for (const name of Object.getOwnPropertyNames(from))
        expect([...makers, 'length', 'name', 'prototype']).toContain(name);
});

test('a subclass may say what using calls', () => {
  const calls: string[] = [];
  class Own extends CuckooFilter {
    override [Symbol.dispose](): void {
      calls.push('filter');
      super.dispose();
    }
  }
  class OwnDeduper extends Deduper {
    override [Symbol.dispose](): void {
      calls.push('deduper');
      super.dispose();
    }
  }
  {
    using filter = new Own({ capacity: 10 });
    using deduper = new OwnDeduper({ capacity: 10 });
    void [filter, deduper];
  }
  expect(calls).toEqual(['deduper', 'filter']);
});

type FilterClass = typeof CuckooFilter;
const CLASSES: readonly [string, FilterClass][] = [
  ['CuckooFilter', CuckooFilter],
  ['ScalableCuckooFilter', ScalableCuckooFilter as never],
  ['the trace class', Traced as never],
];

/** A table of some 200 kB, so that a few thousand that leak fill memory. */
const LARGE = { capacity: 1, bucketCount: 2 ** 16, bucketSize: 2, fingerprintBits: 12 } as const;

/** Runs `action` often; WebAssembly memory must not grow after the first few times. */
function mustNotLeak(action: () => void): void {
  for (let i = 0; i < 5; ++i) action();
  const before = memoryBytes();
  for (let i = 0; i < 100; ++i) action();
  expect(memoryBytes()).toBe(before);
}

describe.each(CLASSES)('a subclass of %s', (_, Class) => {
  class Named extends Class {
    label = 'none';
    readonly #secret = 'own';
    constructor(capacity: number, more: Partial<CuckooFilterOptions> = {}) {
      super({ capacity, ...more });
      this.label += '!';
    }
    get secret(): string {
      return this.#secret;
    }
    addTwice(key: string): this {
      return this.add(key).add(key);
    }
    override has(key: string): boolean {
      return key !== 'hidden' && super.has(key);
    }
    override get capacity(): number {
      return super.capacity + 1;
    }
  }

  test('made by new has its fields, methods and getters, and those of the class', () => {
    using filter = new Named(50);
    expect(filter).toBeInstanceOf(Named);
    expect(filter).toBeInstanceOf(Class);
    expect([filter.label, filter.secret, filter.capacity]).toEqual(['none!', 'own', 51]);
    expect(filter.addTwice('a')).toBe(filter);
    filter.add('hidden');
    expect([filter.has('a'), filter.has('hidden'), filter.contains('hidden'), filter.size]).toEqual([
      true,
      false,
      true,
      3,
    ]);
    expect(Object.keys(filter)).toEqual(['label']);
  });

  test("gives the package's class by every other door, with the same keys and none of its fields", async () => {
    const made = new Named(50);
    made.add('a');
    const doors: [string, CuckooFilter][] = [
      ['clone', made.clone()],
      ['clone of a clone', made.clone().clone()],
      ['deserialize', Named.deserialize(made.serialize())],
      ['from', Named.from(['a'])],
      ['from with a capacity', Named.from(['a'], { capacity: 50 })],
      ['fromAsync', await Named.fromAsync(['a'])],
      ['fromAsync with a capacity', await Named.fromAsync(['a'], { capacity: 50 })],
    ];
    for (const [door, filter] of doors) {
      expect([door, Object.getPrototypeOf(filter) === Class.prototype]).toEqual([door, true]);
      expect(filter.constructor).toBe(Class);
      expect(filter).not.toHaveProperty('label');
      expect([filter.has('a'), filter.has('b'), filter.size]).toEqual([true, false, 1]);
    }
    expect(made.clone().capacity).toBe(50);
    expect([made.equals(made.clone()), made.clone().equals(made)]).toEqual([true, true]);
    for (const [, filter] of doors) filter.dispose();
    expect(made.has('a')).toBe(true);
  });

  test('keeps the options of from', async () => {
    let doublings = 0;
    const keys = Array.from({ length: 1000 }, (__, i) => i);
    const options = { capacity: 100, maxCapacity: 1600, seed: 7, onGrow: () => void ++doublings };
    for (const make of [() => Named.from(keys, options), () => Named.fromAsync(keys, options)]) {
      doublings = 0;
      const filter = await make();
      expect(doublings).toBeGreaterThan(1);
      expect([filter.capacity, filter.seed]).toEqual([100, 7n]);
      expect(filter.maxCapacity).toBe(new Class(options).maxCapacity);
      expect(filter.containsMany(keys)).not.toContain(0);
    }
  });

  test('is told of its growth, and its clones are not', () => {
    let doublings = 0;
    const keys = Array.from({ length: 1000 }, (__, i) => i);
    const filter = new Named(100, { maxCapacity: 1600, onGrow: () => void ++doublings });
    const copy = filter.clone();
    filter.addMany(keys);
    expect(doublings).toBeGreaterThan(1);
    const told = doublings;
    copy.addMany(keys);
    expect(doublings).toBe(told);
  });

  test('may take, drop and change what it gives to super, as no other door runs its constructor', () => {
    let runs = 0;
    class Odd extends Class {
      constructor() {
        super({ ...LARGE });
        if (++runs > 1) throw new RangeError('mine');
      }
    }
    using filter = new Odd();
    filter.add('a');
    const saved = filter.serialize();
    for (const door of [() => filter.clone(), () => Odd.deserialize(saved), () => Odd.from(['a'], LARGE)])
      mustNotLeak(() => {
        using made = door();
        expect(made.has('a')).toBe(true);
      });
    expect(runs).toBe(1);
    expect(thrownBy(RangeError, () => new Odd()).message).toBe('mine');
  });

  test('whose constructor makes another filter too has two that share nothing', () => {
    const others: CuckooFilter[] = [];
    class Twice extends Class {
      constructor(options: CuckooFilterOptions) {
        super(options);
        others.push(new Class(options));
      }
    }
    const filter = new Twice(LARGE).add('a');
    const [other] = others as [CuckooFilter];
    expect([other.has('a'), other.add('b').has('b'), filter.has('b')]).toEqual([false, true, false]);
    other.dispose();
    expect(filter.has('a')).toBe(true);
    filter.dispose();
  });

  test('whose constructor returns another object gives that one, and the doors give filters', () => {
    const other = new Class({ capacity: 10 });
    class Odd extends Class {
      constructor(options: CuckooFilterOptions) {
        super(options);
        return other as Odd;
      }
    }
    expect(new Odd({ capacity: 5 })).toBe(other);
    expect(Odd.from(['b']).has('b')).toBe(true);
    expect(Odd.deserialize(new Class(LARGE).serialize()).bucketCount).toBe(LARGE.bucketCount);
    expect(other.add('a').has('a')).toBe(true);
  });

  test('takes no filter of the package for its options, nor what a filter has inside', () => {
    const filter = new Class({ capacity: 10 });
    for (const given of [filter, filter.serialize(), 5, null, undefined, Object.create(filter)])
      expect(() => new Class(given as never)).toThrow(TypeError);
    expect(() => Reflect.construct(Class, [{ address: 8, capacity: 10 }, Class], Class) as unknown).toThrow(
      /^unknown option address; /,
    );
  });
});

describe('the static methods of', () => {
  const keys = ['a', 'b'];
  const options = { capacity: 10 };
  interface Made {
    has?: (key: string) => boolean;
    dispose(): void;
  }
  type Static = (...given: never[]) => Made | Promise<Made>;
  const given: Record<string, readonly unknown[]> = { from: [keys], fromAsync: [keys] };
  const CASES: [
    name: string,
    Class: { prototype: object },
    make: () => { serialize(): Uint8Array },
    more: object,
  ][] = [
    ['CuckooFilter', CuckooFilter, () => CuckooFilter.from(keys), {}],
    ['the trace class', Traced, () => Traced.from(keys), {}],
    ['ScalableCuckooFilter', ScalableCuckooFilter, () => ScalableCuckooFilter.from(keys), {}],
    [
      'ExpiringFilter',
      ExpiringFilter,
      () => {
        const filter = new ExpiringFilter({ ...options, periods: 2 });
        filter.areNew(keys);
        return filter;
      },
      { periods: 2 },
    ],
    [
      'CuckooValues',
      CuckooValues,
      () =>
        CuckooValues.from(
          keys.map((key) => [key, 1] as const),
          { valueBits: 4 },
        ),
      { valueBits: 4 },
    ],
    ['CuckooCounter', CuckooCounter, () => CuckooCounter.from(keys), {}],
    ['Deduper', Deduper, () => CuckooFilter.from(keys), {}],
  ];

  test.each(CASES)(
    "%s work without their class, and on a subclass give the package's",
    async (_, Class, make, more) => {
      class Sub extends (Class as new (options: object) => object) {
        label = 'mine';
        constructor(options: object) {
          super(options);
          throw new Error('not to be called');
        }
      }
      const saved = make().serialize();
      const statics = Object.getOwnPropertyNames(Class).filter(
        (name) => typeof (Class as unknown as Record<string, unknown>)[name] === 'function',
      );
      expect(statics).toEqual(expect.arrayContaining(['deserialize', 'plan']));
      for (const name of statics) {
        const call = (Class as unknown as Record<string, Static>)[name] as Static;
        const pairs = keys.map((key) => [key, 1]);
        const begun = Class === (CuckooValues as unknown) ? [pairs] : (given[name] ?? []);
        const all = name === 'deserialize' ? [saved] : [...begun, { ...options, ...more }];
        for (const receiver of [undefined, null, {}, 5, Class, Sub, CuckooFilter]) {
          const made = await Reflect.apply(call, receiver, name === 'plan' ? all.slice(-1) : all);
          if (name === 'plan') {
            expect(made).toMatchObject(options);
            continue;
          }
          expect([name, Object.getPrototypeOf(made) === Class.prototype]).toEqual([name, true]);
          expect(made).not.toHaveProperty('label');
          if (made.has !== undefined) expect([made.has('a'), made.has('c')]).toEqual([true, false]);
          made.dispose();
        }
      }
    },
  );

  test('any class work as callbacks', async () => {
    const filters = keys.map((key) => CuckooFilter.from([key]));
    const { deserialize, from, fromAsync, plan } = CuckooFilter;
    const loaded = filters.map((filter) => filter.serialize()).map((bytes) => deserialize(bytes));
    expect(loaded.map((filter, i) => filter.has(keys[i] as string))).toEqual([true, true]);
    expect([from(keys).size, (await fromAsync(keys)).size, plan(options).capacity]).toEqual([2, 2, 10]);
  });
});

describe.each([
  ['ExpiringFilter', ExpiringFilter, { periods: 2 }],
  ['CuckooValues', CuckooValues, { valueBits: 4 }],
  ['CuckooCounter', CuckooCounter, {}],
  ['Deduper', Deduper, {}],
] as const)('a subclass of %s', (_, Class, more) => {
  interface Any {
    clone(): Any;
    has?(key: string): boolean;
    serialize(): Uint8Array;
    equals?(other: Any): boolean;
  }
  interface AnyClass {
    new (options: object): Any;
    deserialize(bytes: Uint8Array): Any;
    prototype: object;
  }
  const Package = Class as unknown as AnyClass;

  test("has its fields by new, and gives the package's class by clone and deserialize", () => {
    class Named extends Package {
      label = 'mine';
      constructor(readonly capacityOfAll: number) {
        super({ capacity: capacityOfAll, ...more });
      }
    }
    const filter = new Named(10);
    expect([filter.label, filter.capacityOfAll]).toEqual(['mine', 10]);
    expect(filter).toBeInstanceOf(Package);
    for (const made of [filter.clone(), filter.clone().clone(), Named.deserialize(filter.serialize())]) {
      expect(Object.getPrototypeOf(made)).toBe(Package.prototype);
      expect(made).not.toHaveProperty('label');
      expect(made.serialize()).toEqual(filter.serialize());
    }
  });
});

test('a Deduper of a subclass that is loaded or cloned has seen what it had', () => {
  class Named extends Deduper {
    label = 'mine';
  }
  const deduper = new Named({ capacity: 10 });
  deduper.isNew('a');
  for (const made of [Named.deserialize(deduper.serialize()), deduper.clone()])
    expect([made.isNew('a'), made.isNew('b'), made instanceof Named]).toEqual([false, true, false]);
  expect([deduper.label, deduper.isNew('b')]).toEqual(['mine', true]);
});

test('a constructor that throws after super, or returns another object, loses no memory for good', () => {
  const program = `
    import { CuckooFilter } from 'cuckoofilter-wasm';
    import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
    const memories = [];
    const { Instance } = WebAssembly;
    WebAssembly.Instance = function (...parameters) {
      const made = new Instance(...parameters);
      memories.push(Object.values(made.exports).find((value) => value instanceof WebAssembly.Memory));
      return made;
    };
    const bytes = () => memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
    const options = { capacity: 1, bucketCount: 2 ** 22, bucketSize: 4, fingerprintBits: 8 };
    const collect = async () => {
      globalThis.gc();
      await new Promise((resolve) => setImmediate(resolve));
    };
    let caught = 0;
    let collected = 0;
    const registry = new FinalizationRegistry(() => ++collected);
    for (const Class of [CuckooFilter, Traced]) {
      class Throwing extends Class {
        constructor() {
          super(options);
          registry.register(this, undefined);
          throw new RangeError('mine');
        }
      }
      class Other extends Class {
        constructor() {
          super(options);
          registry.register(this, undefined);
          return {};
        }
      }
      const attempt = (Made) => {
        try {
          new Made();
        } catch (error) {
          if (error.message !== 'mine') throw error;
          ++caught;
        }
      };
      for (let i = 0; i < 30; ++i) {
        const before = collected;
        attempt(Throwing);
        attempt(Other);
        for (let round = 0; round < 100 && collected < before + 1; ++round) await collect();
      }
    }
    console.log(JSON.stringify({ caught, megabytes: bytes() / 2 ** 20 }));`;
  const printed = runModule(program, ['--expose-gc']);
  const { caught, megabytes } = JSON.parse(printed) as { caught: number; megabytes: number };
  expect(caught).toBe(60);
  // 120 of 16 MB were made.
  expect(megabytes).toBeLessThan(300);
});

test('from that fails frees its filter at once', () => {
  for (const Class of [CuckooFilter, ScalableCuckooFilter])
    mustNotLeak(() => {
      expect(() => Class.from(['a', null] as never, LARGE)).toThrow(/^key 1: /);
    });
  mustNotLeak(() => {
    expect(() => CuckooFilter.from(new Array<string>(20).fill('a'), LARGE)).toThrow(FilterFullError);
  });
});
