// The options of a plan, given to a constructor, make the same filter, whatever was asked for.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, Deduper, FilterFullError } from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { integers } from '../support/integers';
import { runs } from '../support/long';
import { claim, sameBytes, thrownBy, withSeed, type Random } from '../support/random';
import { randomOptions } from './requests';

/** A class with `plan`, whatever its options are. */
interface Planning {
  new (options: never): { serialize(): Uint8Array; dispose(): void };
  plan(options: never): { readonly options: object; readonly seed: bigint };
}

test.each<[string, Planning, object]>([
  ['CuckooFilter', CuckooFilter, {}],
  ['Deduper', Deduper, {}],
  ['ScalableCuckooFilter', ScalableCuckooFilter, {}],
  ['CuckooValues', CuckooValues, { valueBits: 4 }],
  ['CuckooCounter', CuckooCounter, {}],
  ['ExpiringFilter', ExpiringFilter, { periods: 3 }],
  ['SharedCuckooFilter', SharedCuckooFilter, {}],
])('the plan of a %s has a copy of the secret key, which the caller may wipe', (_, Class, more) => {
  const optionsWith = (key: Uint8Array): never =>
    ({ capacity: 100, hash: { algorithm: 'siphash-1-3', key }, ...more }) as never;
  const key = Uint8Array.from({ length: 16 }, (_, i) => i);
  const expected = new Class(optionsWith(key.slice())).serialize();
  const { options } = Class.plan(optionsWith(key));
  key.fill(0);
  expect(new Class(options as never).serialize()).toEqual(expected);
  expect(JSON.stringify(options)).not.toContain('"key"');
});

test('a key is wiped before the keys have arrived', async () => {
  const key = Uint8Array.from({ length: 16 }, (_, i) => i);
  const hash = { algorithm: 'siphash-1-3', key: key.slice() } as const;
  const made = CuckooFilter.fromAsync(['a', 'b'], { hash: { ...hash, key } });
  key.fill(0);
  expect((await made).equals(CuckooFilter.from(['a', 'b'], { hash }))).toBe(true);
});

describe('the options of a plan, whatever was asked for,', () => {
  const keys = integers(1, 3000);
  const values = Uint32Array.from(keys, (_, i) => i % 2);

  test.each<[string, Planning, (random: Random) => object, (filter: never) => unknown]>([
    ['CuckooFilter', CuckooFilter, () => ({}), (filter: CuckooFilter) => filter.addMany(keys)],
    ['Deduper', Deduper, () => ({}), (deduper: Deduper) => deduper.areNew(keys)],
    [
      'ScalableCuckooFilter',
      ScalableCuckooFilter,
      () => ({ addressing: undefined }),
      (filter: ScalableCuckooFilter) => filter.addMany(keys),
    ],
    [
      'CuckooValues',
      CuckooValues,
      (random) => ({ valueBits: 1 + random.below(16) }),
      (table: CuckooValues) => table.setMany(keys, values),
    ],
    [
      'CuckooCounter',
      CuckooCounter,
      (random) => ({ counterBits: random.below(2) === 0 ? undefined : 1 + random.below(16) }),
      (counter: CuckooCounter) => counter.addMany(keys, 3),
    ],
    [
      'ExpiringFilter',
      ExpiringFilter,
      (random) => ({
        periods: 1 + random.below(30),
        maxPause: undefined,
        ...(random.below(2) === 0 ? { every: 1000, now: () => 12_345 } : {}),
        whenFull: random.below(2) === 0 ? 'throw' : undefined,
      }),
      (filter: ExpiringFilter) => filter.areNew(keys),
    ],
  ])('make the same %s, byte for byte, and plan themselves', (_, Class, more, fill) => {
    withSeed(11, (random) => {
      let possible = 0;
      for (let turn = 0; turn < runs(100, 300); ++turn) {
        const given = { ...randomOptions(random), ...more(random) } as never;
        const text = (): string => JSON.stringify(given);
        /** The saved bytes of a filter that takes as many of the keys as it can. */
        const bytesOf = (options: object): Uint8Array => {
          const filter = new Class(options as never);
          try {
            fill(filter as never);
          } catch (error) {
            if (!(error instanceof FilterFullError)) throw error;
          }
          const bytes = filter.serialize();
          filter.dispose();
          return bytes;
        };
        let plan: ReturnType<Planning['plan']>;
        try {
          plan = Class.plan(given);
        } catch (error) {
          expect(thrownBy(Error, () => new Class(given)).message).toBe((error as Error).message);
          continue;
        }
        ++possible;
        const { options, seed } = plan;
        claim(sameBytes(bytesOf({ ...(given as object), seed }), bytesOf(options)), text);
        expect(Class.plan(options as never)).toEqual(plan);
      }
      expect(possible).toBeGreaterThan(runs(30, 100));
    })();
  });
});
