// Memory that is refused: what the error says, and that everything else goes on.
import { describe, expect, test } from '@jest/globals';
import { memoryBytes, withMemoryOf } from '../support/memory-spy';
import {
  CuckooFilter,
  Deduper,
  FilterFullError,
  hashKeys,
  OutOfMemoryError,
  type CuckooFilterOptions,
} from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { fill } from '../support/fill';
import { sameBytes, thrownBy } from '../support/random';

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
    const { rss } = process.memoryUsage();
    for (const options of refused) {
      const { message, code } = thrownBy(OutOfMemoryError, () => new CuckooFilter(options));
      expect(code).toBe('out-of-memory');
      expect(message).toContain(String(options.capacity));
      expect(message).toMatch(/\d+ bytes/);
      expect(CuckooFilter.plan(options).capacity).toBe(options.capacity);
    }
    // None of them was made in part.
    expect(process.memoryUsage().rss - rss).toBeLessThan(500e6);
    expect(sameBytes(filter.serialize(), saved)).toBe(true);
    expect(filter.add('behind').contains('before')).toBe(true);
    expect(new CuckooFilter({ capacity: 100_000 }).add('key').contains('key')).toBe(true);
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
      /^not enough memory for .* for capacity \d+: (\d+) bytes are in (\d+) live filters?\. Call dispose\(\), or declare with `using`/.exec(
        message,
      );
    const [bytes, count] = [Number(told?.[1]), Number(told?.[2])];
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
        /^the filter is full: it was made for \d+ keys and has \d+\. No memory to grow beyond \d+ bytes: \d+ bytes are in \d+ live filters\. Call dispose/,
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
    expect(message).toMatch(
      /^no room for the key \d: its buckets are full of copies of a few keys, at \d+ of 160 keys\./,
    );
    expect(message).not.toContain('emory');
  });

  test('a table that finds none to grow blames memory, even if its keys share buckets', () => {
    using filter = new CuckooFilter({ capacity: 40_000, maxCapacity: 4_000_000 });
    withMemoryOf(memoryBytes(), () => {
      const fillers = fill(CuckooFilter);
      const { message } = thrownBy(FilterFullError, () => {
        for (let copies = 0; copies < 64; ++copies) for (let key = 0; key < 7000; ++key) filter.add(key);
      });
      expect(message).toMatch(/No memory to grow beyond \d+ bytes/);
      expect(filter.size).toBeLessThan(filter.currentCapacity);
      for (const filler of fillers) filler.dispose();
    });
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
                }),
              );
            } catch {
              isMade = false;
            }
          }
        hashKeys(['a'], { seed: 77 });
      }).toThrow(
        /^not enough memory for a table of \d+ bytes for capacity 1: \d+ bytes are in \d+ live filters\. Call dispose/,
      );
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
        'not enough memory for the answers (8192 bytes): pass fewer keys at a time',
      );
      expect(error).toMatchObject({ name: 'OutOfMemoryError', code: 'out-of-memory' });
      expect((error as Error).cause).toEqual(new RangeError('Array buffer allocation failed'));
      const answers = (error as FilterFullError).answers ?? [];
      expect(answers).toHaveLength(4096);
      expect(answers.filter((isNew) => isNew === 1)).toHaveLength(filter.size);
      expect(() => filter.serialize()).toThrow(/^not enough memory for the saved filter \(\d+ bytes\)$/);
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
            `^not enough memory for ${wanted}: \\d+ bytes are in \\d+ live filters?\\. Call dispose`,
          ),
        );
    });
    expect(other.size).toBe(0);
  });

  test('for one filter alone, the error says how much it asked for', () => {
    expect(() => new CuckooFilter({ capacity: 2 ** 31, maxCapacity: 2 ** 34 })).toThrow(
      /for capacity 2147483648:/,
    );
    expect(() => new ScalableCuckooFilter({ capacity: 2 ** 32 })).toThrow(/for capacity 4294967296:/);
    expect(() => new CuckooFilter({ capacity: 2 ** 33 })).toThrow(
      /^not enough memory for a table of \d+ bytes for capacity 8589934592: WebAssembly has at most 4 GiB. Split the keys over processes$/,
    );
    const all = {
      capacity: 1,
      bucketCount: 2 ** 30,
      bucketSize: 4,
      fingerprintBits: 8,
      semiSort: false,
    } as const;
    expect(() => new CuckooFilter(all)).toThrow(
      'not enough memory for a table of 4294967296 bytes for capacity 1: WebAssembly has at most 4 GiB. Split the keys over processes',
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
