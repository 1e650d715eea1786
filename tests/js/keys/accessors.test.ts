// Byte keys whose class or object has accessors of its own: they run, if at all, before anything of the key is written, so
// that whatever they do no key is lost and no other filter is changed.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, PackedKeys } from 'cuckoofilter-wasm';

const bytes = [1, 2, 3];
const make = (): CuckooFilter => new CuckooFilter({ capacity: 100 });

/** A key with an own property `name` that tells the truth after `act`. */
function keyWith(name: 'length' | 'byteLength' | 'byteOffset' | 'buffer', act: () => void): Uint8Array {
  const key = Uint8Array.from(bytes);
  const truth = key[name];
  return Object.defineProperty(key, name, {
    get() {
      act();
      return truth;
    },
  });
}

describe('a key with accessors', () => {
  test.each(['length', 'byteLength', 'byteOffset', 'buffer'] as const)(
    'whose %s asks the same filter is not lost',
    (name) => {
      const filter = make();
      filter.add(keyWith(name, () => filter.containsMany(['some', 'thing'])));
      expect(filter.has(Uint8Array.from(bytes))).toBe(true);
    },
  );

  test.each(['length', 'byteLength', 'byteOffset', 'buffer'] as const)(
    'whose %s disposes of the filter changes no other',
    (name) => {
      const filter = make();
      let other: CuckooFilter | undefined;
      const key = keyWith(name, () => {
        filter.dispose();
        other ??= make();
      });
      for (const operate of [
        () => filter.add(key),
        () => filter.addIfAbsent(key),
        () => filter.delete(key),
      ]) {
        try {
          operate();
        } catch {
          // DisposedError, if the accessor ran.
        }
      }
      expect(other?.size ?? 0).toBe(0);
    },
  );

  test('of a subclass with a species is added, alone, long, in a batch and packed', () => {
    const filter = make();
    class Own extends Uint8Array {
      static get [Symbol.species](): Uint8ArrayConstructor {
        filter.containsMany(['some', 'thing']);
        return Uint8Array;
      }
    }
    const long = Own.from({ length: 200_000 }, (_, i) => i);
    filter.add(Own.of(1)).add(long);
    filter.addMany([Own.of(2)]);
    filter.addMany(new Set([Own.of(3)]));
    filter.addMany(new PackedKeys(Own.of(4, 5), Uint32Array.of(1, 2)));
    for (const byte of [1, 2, 3, 4, 5]) expect([byte, filter.has(Uint8Array.of(byte))]).toEqual([byte, true]);
    expect(filter.has(Uint8Array.from(long))).toBe(true);
  });

  test('in an array that slices in its own way is added', () => {
    const filter = make();
    class Own extends Array<string> {
      override slice(): string[] {
        return new Proxy(super.slice(), {
          get(target, name) {
            filter.contains('another');
            return Reflect.get(target, name) as unknown;
          },
        });
      }
    }
    filter.addMany(Own.from({ length: 100 }, (_, i) => `key ${i}`));
    for (let i = 0; i < 100; ++i) expect(filter.has(`key ${i}`)).toBe(true);
  });
});

test('an array that a getter makes longer is read to its new end', () => {
  const filter = new CuckooFilter({ capacity: 20_000 });
  const keys: number[] = [0];
  Object.defineProperty(keys, 0, {
    get() {
      for (let i = 1; keys.length <= 5000; ++i) keys.push(i);
      return -1;
    },
  });
  expect(filter.addMany(keys)).toBe(5001);
  expect(filter.containsMany(Float64Array.from({ length: 5000 }, (_, i) => i + 1)).includes(0)).toBe(false);
});
