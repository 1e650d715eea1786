// Where a batch comes from: an iterator that calls back or never ends, and a buffer that changes its size. What sources throw:
// thrown.test.ts.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, DisposedError, FilterFullError, InvalidKeyError, type Key } from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { sameBytes, thrownBy } from '../support/random';
import { options, METHODS, counted } from './counted';

describe('a resizable buffer', () => {
  // Newer than the types of the language level that the package is written in.
  const Resizable = ArrayBuffer as unknown as new (
    length: number,
    options: { maxByteLength: number },
  ) => ArrayBuffer & { resize(length: number): void };
  const eight = (): InstanceType<typeof Resizable> => new Resizable(8, { maxByteLength: 16 });

  test('that has shrunk under a view makes it an error, not an empty key, batch or saved filter', () => {
    using filter = new CuckooFilter(options);
    for (const view of [
      (buffer: ArrayBuffer) => new Uint8Array(buffer, 0, 8),
      (buffer: ArrayBuffer) => new Uint8Array(buffer, 6, 2),
      (buffer: ArrayBuffer) => new Uint32Array(buffer, 0, 2),
      (buffer: ArrayBuffer) => new DataView(buffer, 0, 8),
    ]) {
      const buffer = eight();
      const key = view(buffer);
      filter.add(key).delete(key);
      buffer.resize(4);
      for (const operate of [
        () => filter.add(key),
        () => filter.contains(key),
        () => filter.addMany([key]),
        () => filter.addMany(new Set([key])),
      ])
        expect(operate).toThrow(InvalidKeyError);
      if (key instanceof Uint32Array) expect(() => filter.addMany(key)).toThrow(InvalidKeyError);
      // By name, as it may be the engine that throws it, in another realm.
      expect(() => CuckooFilter.deserialize(key as Uint8Array)).toThrow(
        expect.objectContaining({ name: 'TypeError' }),
      );
    }
    expect(filter.size).toBe(0);
  });

  test('that shrinks while an iterator gives it out leaves the keys before that in', () => {
    using filter = new CuckooFilter(options);
    const buffer = eight();
    const key = new Uint8Array(buffer, 0, 8).fill(7);
    const { keys, wasClosed } = counted(9, (i) => {
      if (i === 5) buffer.resize(2);
      return i % 2 === 0 ? `key ${i}` : key;
    });
    expect(thrownBy(InvalidKeyError, () => filter.addMany(keys)).index).toBe(5);
    expect(filter.size).toBe(5);
    expect(filter.count(new Uint8Array(8).fill(7))).toBe(2);
    expect(wasClosed()).toBe(true);
  });

  test('that has grown under a view without a length gives the bytes there are now', () => {
    using filter = new CuckooFilter(options);
    const buffer = eight();
    const key = new Uint8Array(buffer);
    filter.add(key);
    buffer.resize(16);
    filter.add(key);
    expect(filter.containsMany([new Uint8Array(8), new Uint8Array(16)])).toEqual(Uint8Array.of(1, 1));
    expect(filter.contains(new Uint8Array(12))).toBe(false);
  });

  test('or a shared one holds a saved filter as any other does', () => {
    const saved = new CuckooFilter(options).add('key').serialize();
    for (const buffer of [
      new Resizable(saved.length, { maxByteLength: 2 * saved.length }),
      new SharedArrayBuffer(saved.length),
    ]) {
      new Uint8Array(buffer).set(saved);
      expect(CuckooFilter.deserialize(new Uint8Array(buffer)).contains('key')).toBe(true);
      expect(CuckooFilter.deserialize(buffer as ArrayBuffer).contains('key')).toBe(true);
    }
  });
});

describe('an iterator', () => {
  test('that yields one buffer again and again, changed in between, gives the keys that it yielded', () => {
    const buffer = new Uint8Array(4);
    const yielded = (): Generator<Key> =>
      counted(100, (i) => {
        buffer[0] = i;
        return buffer;
      }).keys;
    using filter = new CuckooFilter(options);
    expect(filter.addMany(yielded())).toBe(100);
    using made = CuckooFilter.from(yielded());
    for (let i = 0; i < 100; ++i) {
      expect(filter.contains(Uint8Array.of(i, 0, 0, 0))).toBe(true);
      expect(made.contains(Uint8Array.of(i, 0, 0, 0))).toBe(true);
    }
  });

  test('that uses the same filter does no harm', () => {
    using filter = new CuckooFilter(options);
    const { keys } = counted(10_000, (i) => {
      filter.add(`own ${i}`);
      filter.containsMany(['x'.repeat(100), i]);
      if (i % 1000 === 0) filter.addMany(['y'.repeat(70_000 + i), `${i}`]);
      return `key ${i}`;
    });
    expect(filter.addMany(keys)).toBe(10_000);
    for (let i = 0; i < 10_000; ++i) {
      if (!filter.contains(`key ${i}`) || !filter.contains(`own ${i}`)) throw new Error(`key ${i} is lost`);
    }
    expect(filter.size).toBe(20_020);
  });

  test('that uses another filter, or makes one, does no harm', () => {
    using filter = new CuckooFilter(options);
    const { keys } = counted(50, (i) => {
      const other = CuckooFilter.from([`${i}`, i], { capacity: 200_000 + i });
      if (!other.contains(i)) throw new Error('the inner filter lost a key');
      return CuckooFilter.deserialize(other.serialize()).contains(`${i}`) ? `key ${i}` : 'lost';
    });
    expect(filter.addMany(keys)).toBe(50);
    expect(filter.containsMany(Array.from({ length: 50 }, (_, i) => `key ${i}`)).includes(0)).toBe(false);
  });

  test('that disposes the filter ends in a DisposedError', () => {
    for (const method of METHODS) {
      const filter = new CuckooFilter(options);
      const bystander = new CuckooFilter(options).add('here');
      const saved = bystander.serialize();
      const { keys } = counted(5000, (i) => {
        if (i === 4500) filter.dispose();
        return i === 4600 ? 'x'.repeat(70_000) : `key ${i}`;
      });
      expect(() => filter[method](keys)).toThrow(DisposedError);
      expect(sameBytes(bystander.serialize(), saved)).toBe(true);
    }
  });

  test('is closed where the filter is full, even if it never ends', () => {
    using filter = new CuckooFilter({ capacity: 100 });
    let asked = 0;
    const { keys, wasClosed } = counted(Infinity, (i) => (asked = i));
    expect(thrownBy(FilterFullError, () => filter.addMany(keys)).added).toBe(filter.size);
    expect(wasClosed()).toBe(true);
    // No more than a run of keys.
    expect(asked).toBeLessThan(5000);
  });

  test('is read no further by from and fromAsync with a capacity than by addMany', async () => {
    const capacity = 100;
    let asked = 0;
    function* keys(bad: number): Generator<Key> {
      for (asked = 0; ; ++asked) yield asked === bad ? 1.5 : `key ${asked}`;
    }
    function* pairs(bad: number): Generator<[Key, number]> {
      for (const key of keys(bad)) yield [key, 1];
    }
    for (const [bad, code] of [
      [50, 'invalid-key'],
      [Infinity, 'filter-full'],
    ] as const) {
      const ways = [
        ...[CuckooFilter, CuckooCounter, SharedCuckooFilter].flatMap((Class) => [
          () => Class.from(keys(bad), { capacity }),
          () => Class.fromAsync(keys(bad), { capacity }),
        ]),
        () => CuckooValues.from(pairs(bad), { capacity, valueBits: 1 }),
        () => CuckooValues.fromAsync(pairs(bad), { capacity, valueBits: 1 }),
      ];
      for (const way of ways) {
        await expect((async () => way())()).rejects.toMatchObject({ code });
        expect(asked).toBeLessThan(5000);
      }
    }
  });
});
