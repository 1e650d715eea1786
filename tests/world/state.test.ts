// Filters in stores, behind proxies and in clones, and saved forms that such libraries carry. Each case names its public
// report. Libraries are modelled by what they do to an object, so that the tests need none of them.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, Deduper, hashKeys, PackedKeys } from 'cuckoofilter-wasm';
import { audited } from 'cuckoofilter-wasm/audit';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { FilterReader, REMOTE_HEADER_BYTES } from 'cuckoofilter-wasm/reader';
import { RedisBloomFilter } from 'cuckoofilter-wasm/redisbloom';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { thrownBy } from '../js/support/random';

const SAVED = CuckooFilter.from(['a']).serialize();
const options = { capacity: 10 };

/** An object of each class, and a question that it answers with true. */
const OBJECTS: readonly (readonly [name: string, make: () => object, ask: (object: never) => boolean])[] = [
  ['CuckooFilter', () => CuckooFilter.from(['a']), (filter: CuckooFilter) => filter.has('a')],
  ['the traced CuckooFilter', () => Traced.from(['a']), (filter: Traced) => filter.has('a')],
  [
    'an audited CuckooFilter',
    () => audited(new CuckooFilter(options)).add('a'),
    (filter: CuckooFilter) => filter.has('a'),
  ],
  ['ScalableCuckooFilter', () => ScalableCuckooFilter.from(['a']), (filter: Traced) => filter.has('a')],
  ['SharedCuckooFilter', () => SharedCuckooFilter.from(['a']), (filter: Traced) => filter.has('a')],
  [
    'ExpiringFilter',
    () => new ExpiringFilter({ capacity: 10, periods: 2 }),
    (filter: ExpiringFilter) => filter.isNew('a'),
  ],
  ['Deduper', () => new Deduper(options), (deduper: Deduper) => deduper.isNew('a')],
  ['CuckooCounter', () => new CuckooCounter(options).add('a'), (counter: CuckooCounter) => counter.has('a')],
  [
    'CuckooValues',
    () => new CuckooValues({ capacity: 10, valueBits: 4 }).set('a', 1),
    (values: CuckooValues) => values.has('a'),
  ],
  ['FilterReader', () => new FilterReader(SAVED), (reader: FilterReader) => reader.has('a')],
  [
    'RemoteFilter',
    () => FilterReader.remote(SAVED.subarray(0, REMOTE_HEADER_BYTES)),
    (remote: ReturnType<typeof FilterReader.remote>) => remote.locate('a').length > 0,
  ],
  [
    'RedisBloomFilter',
    () => RedisBloomFilter.reserve({ capacity: 100 }),
    (filter: RedisBloomFilter) => filter.add('a'),
  ],
  [
    'PackedKeys',
    () => new PackedKeys(Uint8Array.of(97), Uint32Array.of(1)),
    (keys: PackedKeys) => CuckooFilter.from(keys).has(Uint8Array.of(97)),
  ],
  ['HashedKeys', () => hashKeys(['a']), (keys: never) => CuckooFilter.from(keys).has('a')],
];

/** What Vue 3 does: a Proxy before every extensible object whose tag is Object, whatever its class. */
function reactive(target: object): object {
  const isPlain = Object.prototype.toString.call(target) === '[object Object]';
  if (!isPlain || !Object.isExtensible(target)) return target;
  return new Proxy(target, {
    get(object, name, receiver): unknown {
      const value: unknown = Reflect.get(object, name, receiver);
      return typeof value === 'object' && value !== null ? reactive(value) : value;
    },
  });
}

describe.each(OBJECTS)('%s', (_, make, ask) => {
  test('works in ref() and reactive() (vuejs/core#8149, #8245, tc39/proposal-class-fields#227)', () => {
    const { made } = reactive({ made: make() }) as { made: never };
    expect(ask(made)).toBe(true);
    expect(ask(reactive(make()) as never)).toBe(true);
  });

  test('works frozen, as Immer and Redux freeze what is in a store', () => {
    expect(ask(Object.freeze(make()) as never)).toBe(true);
  });
});

test.each(OBJECTS.filter(([name]) => !/audited|Redis|Keys|Reader|Remote/.test(name)))(
  '%s behind a plain Proxy says what to do (tc39/proposal-class-fields#106, lodash#5247)',
  (_, make, ask) => {
    for (const object of [new Proxy(make(), {}), Object.create(make()) as object]) {
      const error = thrownBy(TypeError, () => ask(object as never));
      expect(error).toMatchObject({ code: 'invalid-argument' });
      expect(error.message).toMatch(/not on a copy or Proxy \(Valtio: ref\(filter\)\)/);
    }
  },
);

test('a reader and its remote filter work behind a plain Proxy, too', () => {
  for (const [name, make, ask] of OBJECTS)
    if (/Reader|Remote|Packed/.test(name))
      expect([name, ask(new Proxy(make(), {}) as never)]).toEqual([name, true]);
});

test('structuredClone of a remote filter is an empty object, and does not throw', () => {
  expect(structuredClone(FilterReader.remote(SAVED))).toEqual({});
});

test.each<[name: string, unknown, advice: string]>([
  [
    'a BSON Binary (node-bloem#5)',
    new (class {
      _bsontype = 'Binary';
      value = (): Uint8Array => SAVED;
    })(),
    ' (pass binary.value())',
  ],
  ['what JSON made of it', JSON.parse(JSON.stringify(SAVED)), ' (JSON keeps no bytes: save them as base64)'],
  [
    'a Buffer as JSON',
    JSON.parse(JSON.stringify(Buffer.from(SAVED))),
    ' (JSON keeps no bytes: save them as base64)',
  ],
  ['a Blob', new Blob([SAVED]), ' (await its arrayBuffer())'],
  ['a stream', new Blob([SAVED]).stream(), ' (await new Response(stream).arrayBuffer())'],
  ['a promise', Promise.resolve(SAVED), ' (await the promise)'],
  ['an object of a class', new Date(), ''],
])('bytes that come as %s are refused with what to do', (_, given, advice) => {
  const { message } = thrownBy(TypeError, () => CuckooFilter.deserialize(given as never));
  expect(message).toContain(`bytes must be a Uint8Array or ArrayBuffer${advice}, got `);
});
