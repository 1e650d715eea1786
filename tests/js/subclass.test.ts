// Subclasses: `clone`, `from` and `deserialize` give objects of the class, made by its constructor, or free the memory.
import { describe, expect, test } from '@jest/globals';
import { memoryBytes } from './memory-spy';
import { CuckooFilter, Deduper, FilterFullError, type CuckooFilterOptions } from 'cuckoofilter-wasm';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { thrownBy } from './random';

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
    constructor(first: number | CuckooFilterOptions) {
      super(typeof first === 'number' ? { capacity: first } : first);
      this.label += '!';
    }
  }

  test('whose constructor returns another object is refused, and its memory freed', () => {
    const bytes = new Class(LARGE).serialize();
    const other = new Class({ capacity: 10 });
    for (const returned of [{}, other]) {
      class Odd extends Class {
        constructor(options: CuckooFilterOptions) {
          super(options);
          return returned as Odd;
        }
      }
      mustNotLeak(() => {
        expect(thrownBy(TypeError, () => Odd.deserialize(bytes)).message).toMatch(/must pass .* on to super/);
      });
      expect(thrownBy(TypeError, () => Odd.from(['a'])).message).toMatch(/must pass .* on to super/);
    }
    expect(other.add('a').has('a')).toBe(true);
  });

  test('whose constructor passes its argument on is made with its fields by every door', () => {
    const made = new Named(50);
    made.add('a');
    const doors = [made, made.clone(), Named.deserialize(made.serialize()), Named.from(['a'])] as Named[];
    for (const filter of doors) {
      expect(filter).toBeInstanceOf(Named);
      expect([filter.label, filter.has('a'), filter.has('b'), filter.size]).toEqual([
        'none!',
        true,
        false,
        1,
      ]);
      filter.dispose();
    }
  });

  test('keeps the options of from', () => {
    let doublings = 0;
    const filter = Named.from(
      Array.from({ length: 1000 }, (__, i) => i),
      {
        capacity: 100,
        maxCapacity: 1600,
        audit: true,
        onGrow: () => ++doublings,
      },
    );
    expect(doublings).toBeGreaterThan(1);
    expect(() => filter.delete('never added')).toThrow(expect.objectContaining({ name: 'AuditError' }));
  });

  class Numbered extends Class {
    constructor(capacity: number) {
      super({ capacity });
    }
  }
  class Throwing extends Class {
    constructor(options: CuckooFilterOptions) {
      super(options);
      throw new RangeError('mine');
    }
  }
  class Forgetting extends Class {
    constructor() {
      super({ capacity: 10 });
    }
  }
  class Spreading extends Class {
    constructor(options: CuckooFilterOptions) {
      super({ ...options });
    }
  }

  test.each<[string, unknown]>([
    ['takes something else', Numbered],
    ['throws', Throwing],
    ['makes another filter', Forgetting],
    ['copies its argument', Spreading],
  ])('whose constructor %s leaks nothing, and says what to do', (__, Wrong) => {
    const Broken = Wrong as FilterClass;
    const filter = new Class(LARGE);
    filter.add('a');
    Object.defineProperty(filter, 'constructor', { value: Broken });
    const saved = filter.serialize();
    const doors = [
      () => filter.clone(),
      () => Broken.deserialize(saved),
      () => Broken.from(['a'], { ...LARGE }),
    ];
    for (const door of doors) {
      mustNotLeak(() => {
        if (Wrong === Throwing) {
          expect(thrownBy(RangeError, door).message).toBe('mine');
          return;
        }
        const error = thrownBy(TypeError, door);
        expect(error.message).toContain(
          `the constructor of ${Broken.name} must pass what clone, from and deserialize give it on to super(...) unchanged`,
        );
        if (error.cause !== undefined) expect(error.message).toContain(`; it threw ${String(error.cause)}`);
      });
    }
  });

  test('cannot own one filter twice', () => {
    class Twice extends Class {
      constructor(options: CuckooFilterOptions) {
        super(options);
        new Class(options);
      }
    }
    expect(thrownBy(TypeError, () => Twice.from(['a'])).message).toBe(
      'a filter can be passed on to super(...) only once',
    );
  });

  test('is named where it is called without its class', () => {
    const saved = new Class(LARGE).serialize();
    mustNotLeak(() => {
      for (const receiver of [undefined, {}, 5])
        for (const call of [
          () => Class.deserialize.call(receiver as never, saved),
          () => Class.from.call(receiver as never, ['a'], LARGE),
        ])
          expect(call).toThrow('a static method was called without its class');
    });
  });
});

describe('a subclass of Deduper', () => {
  class Empty extends Deduper {
    constructor() {
      super({ capacity: 10 });
    }
  }
  class Numbered extends Deduper {
    constructor(capacity: number) {
      super({ capacity });
    }
  }
  class Named extends Deduper {
    label = 'mine';
  }

  test('is loaded with its fields', () => {
    const deduper = new Named({ capacity: 10 });
    deduper.isNew('a');
    const loaded = Named.deserialize(deduper.serialize()) as Named;
    expect([loaded.label, loaded.isNew('a'), loaded instanceof Named]).toEqual(['mine', false, true]);
  });

  test.each<[string, unknown]>([
    ['Empty', Empty],
    ['Numbered', Numbered],
  ])('%s that does not take what was saved leaks nothing, and is never an empty deduper', (name, Wrong) => {
    const saved = new CuckooFilter(LARGE).serialize();
    mustNotLeak(() => {
      const { message } = thrownBy(TypeError, () => (Wrong as typeof Deduper).deserialize(saved));
      expect(message).toContain(
        `the constructor of ${name} must pass what clone, from and deserialize give it`,
      );
    });
  });
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
