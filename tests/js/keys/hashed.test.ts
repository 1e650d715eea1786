// Keys hashed once: every call accepts them in place of the keys, and refuses them if the filter has another hash.
import { describe, expect, test } from '@jest/globals';
import {
  CuckooFilter,
  Deduper,
  dedupe,
  digestKeys,
  hashKey,
  hashKeys,
  InvalidKeyError,
  type HashedKey,
  type HashedKeys,
  type HashKeysOptions,
  type Key,
  type Keys,
} from 'cuckoofilter-wasm';
import { audited, AuditError } from 'cuckoofilter-wasm/audit';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { inspect } from 'node:util';
import { sameBytes, thrownBy, withSeed, type Random } from '../support/random';
import { secret } from '../support/secrets';

const HASHES: readonly (readonly [string, HashKeysOptions])[] = [
  ['the default hash', {}],
  ['a seed', { seed: 5 }],
  ['the largest seed', { seed: 2n ** 64n - 1n }],
  ['a secret key', secret(7)],
];

/** A key of any form, few of each so that some occur again. */
function drawn(random: Random): Key {
  const number = random.below(400);
  const forms: (() => Key)[] = [
    () => `text ${number}`,
    () => 'é你\u{1f600}'.repeat(number),
    () => number,
    () => -BigInt(number),
    () => new Uint8Array(number % 20).fill(number),
    () => new Float32Array([number, 1]).buffer,
    () => 'x'.repeat(number < 2 ? 70_000 + number : number),
  ];
  return (forms[random.below(forms.length)] as () => Key)();
}

const sizes = { capacity: 4000, fingerprintBits: 20 } as const;
const MAKERS: Record<string, (options: HashKeysOptions) => CuckooFilter> = {
  'a plain filter': (options) => new CuckooFilter({ ...sizes, semiSort: false, ...options }),
  'a semi-sorted filter': (options) => new CuckooFilter({ ...sizes, semiSort: true, ...options }),
  'a growable filter': (options) =>
    new CuckooFilter({ ...sizes, capacity: 100, maxCapacity: 4000, ...options }),
  'a traced filter': (options) => new Traced({ ...sizes, ...options }),
  'an audited filter': (options) => audited(new CuckooFilter({ ...sizes, ...options })),
  'a scalable filter': (options) =>
    new ScalableCuckooFilter({ ...sizes, capacity: 100, ...options }) as unknown as CuckooFilter,
};

describe.each(HASHES)('with %s', (_, options) => {
  test.each(Object.entries(MAKERS))(
    '%s does with hashed keys what it does with keys, in every call',
    (name, make) =>
      withSeed(1, (random) => {
        using one = make(options);
        using other = make(options);
        const added: Key[] = [];
        for (let step = 0; step < 400; ++step) {
          const key = drawn(random);
          const hashed = hashKey(key, options);
          // Every second step the filters change places, so that both ways in meet in each.
          const [plain, given] = step % 2 === 0 ? [one, other] : [other, one];
          const calls = ['add', 'tryAdd', 'contains', 'has', 'count', 'addIfAbsent'] as const;
          const call = calls[random.below(name === 'an audited filter' ? 5 : 6)] as (typeof calls)[number];
          const answer = (filter: CuckooFilter, asked: Key): unknown => {
            const result: unknown = filter[call](asked);
            return result === filter ? 'itself' : result;
          };
          expect(answer(given, hashed)).toEqual(answer(plain, key));
          added.push(key);
          if (step % 50 !== 49) continue;
          const batch = added.splice(0);
          const hashes = hashKeys(batch, options);
          expect(given.containsMany(hashes)).toEqual(plain.containsMany(batch));
          expect(given.addMany(hashes)).toBe(plain.addMany(batch));
          expect(given.deleteMany(hashes)).toBe(plain.deleteMany(batch));
          expect(given.addManyIfAbsent(hashes)).toEqual(plain.addManyIfAbsent(batch));
          if (name === 'an audited filter') break; // addIfAbsent and delete do not go together
          const key0 = batch[0] as Key;
          expect(given.delete(hashes.at(0) as HashedKey)).toBe(plain.delete(key0));
        }
        expect(sameBytes(one.serialize(), other.serialize())).toBe(true);
      })(),
  );

  test('from, fromAsync and addManyAsync take them', async () => {
    const keys = ['alice', 5, Uint8Array.of(1, 2)];
    const hashes = hashKeys(keys, options);
    using expected = CuckooFilter.from(keys, { ...options, capacity: 10 });
    using filter = CuckooFilter.from(hashes, options);
    expect([filter.capacity, filter.size, [...filter.containsMany(keys)]]).toEqual([3, 3, [1, 1, 1]]);
    for (const given of [hashes, hashes[Symbol.iterator](), [...hashes], arrivingLater(hashes)]) {
      using arrived = await CuckooFilter.fromAsync(given as Keys, { ...options, capacity: 10 });
      expect(arrived.equals(expected)).toBe(true);
    }
    using added = new CuckooFilter({ ...options, capacity: 10 });
    expect(await added.addManyAsync(hashes)).toBe(3);
    expect(added.equals(expected)).toBe(true);
  });

  test('Deduper, dedupe and ExpiringFilter take them', async () => {
    const keys = ['alice', 'bob', 'alice'];
    const hashes = hashKeys(keys, options);
    const first = hashes.at(0) as HashedKey;
    using deduper = new Deduper({ capacity: 100, ...options });
    expect([...deduper.areNew(hashes)]).toEqual([1, 1, 0]);
    expect([...(await deduper.areNewAsync(hashes))]).toEqual([0, 0, 0]);
    expect([deduper.isNew(first), deduper.hasSeen(first), deduper.hasSeen('bob')]).toEqual([
      false,
      true,
      true,
    ]);
    const distinct: HashedKey[] = [];
    for await (const key of dedupe(hashes, { capacity: 100, ...options })) distinct.push(key);
    expect(distinct).toHaveLength(2);
    using expiring = new ExpiringFilter({ capacity: 100, periods: 3, ...options });
    expect([...expiring.areNew(hashes)]).toEqual([1, 1, 0]);
    expect([expiring.isNew(first), expiring.hasSeen(first), expiring.hasSeen('bob')]).toEqual([
      false,
      true,
      true,
    ]);
    expect(() => expiring.isNew(hashKey('alice', { seed: 6 }))).toThrow(TypeError);
  });

  test('a loaded and a cloned filter take what the saved one took', () => {
    using filter = CuckooFilter.from(['alice', 'bob'], options);
    const hashes = hashKeys(['alice', 'bob', 'carol'], options);
    using loaded = CuckooFilter.deserialize(filter.serialize(), { hash: options.hash });
    using clone = filter.clone();
    for (const each of [filter, loaded, clone]) expect([...each.containsMany(hashes)]).toEqual([1, 1, 0]);
  });
});

async function* arrivingLater(keys: HashedKeys): AsyncGenerator<HashedKey> {
  for (const key of keys) yield await Promise.resolve(key);
}

describe('a filter with another hash', () => {
  const wrong: [string, HashKeysOptions, HashKeysOptions, RegExp][] = [
    ['a seed with the same low half', {}, { seed: 2n ** 32n }, /with seed 4294967296, the /],
    [
      'a seed with the same high half',
      { seed: 2n ** 63n },
      { seed: 2n ** 63n + 1n },
      /with seed 9223372036854775809n, /,
    ],
    [
      'a seed',
      {},
      { seed: 5 },
      /^the key was hashed with seed 5, the filter hashes with seed 0: call hashKeys\(keys, \{ seed: 0 \}\)$/,
    ],
    [
      'no seed',
      { seed: 2n ** 64n - 1n },
      {},
      /with seed 0, .* with seed 18446744073709551615n: .* seed: 18446744073709551615n \}\)$/,
    ],
    ['a secret key', {}, secret(1), /with a secret key, the filter hashes with seed 0: /],
    [
      'no secret key',
      secret(1),
      {},
      /with seed 0, the filter hashes with a secret key: .*\{ hash \}\) with the filter's own option hash$/,
    ],
    [
      'another secret key',
      secret(1),
      secret(2),
      /with a secret key, the filter hashes with another secret key: /,
    ],
  ];
  test.each(wrong)('refuses keys hashed with %s, and nothing changes', (_, own, others, message) => {
    for (const [name, make] of Object.entries(MAKERS)) {
      using filter = make(own).add('before');
      const saved = filter.serialize();
      const hashed = hashKeys(['before', 'b'], others);
      const key = hashed.at(0) as HashedKey;
      for (const method of ['add', 'tryAdd', 'addIfAbsent', 'contains', 'has', 'count', 'delete'] as const)
        expect([name, thrownBy(TypeError, () => filter[method](key)).message]).toEqual([
          name,
          expect.stringMatching(message),
        ]);
      for (const method of ['addMany', 'addManyIfAbsent', 'containsMany', 'deleteMany'] as const) {
        expect(() => filter[method](hashed)).toThrow(TypeError);
        expect(() => filter[method]([key])).toThrow(/^key 0: the key was hashed with /);
      }
      expect(sameBytes(filter.serialize(), saved)).toBe(true);
      expect(filter.has('before')).toBe(true);
    }
  });

  test('has the keys before a wrong one, which the error counts', () => {
    using filter = new CuckooFilter({ capacity: 10 });
    const mixed = ['a', hashKey('b'), 'c', hashKey('d', { seed: 1 }), 'e'];
    expect(() => filter.addMany(mixed)).toThrow(/^key 3: /);
    expect([...filter.containsMany(['a', 'b', 'c', 'd', 'e'])]).toEqual([1, 1, 1, 0, 0]);
  });

  test('has a secret key, or a seed that is the check of that key', () => {
    using keyed = new CuckooFilter({ capacity: 10, ...secret(3) });
    const check = new DataView(keyed.serialize().buffer).getBigUint64(56, true);
    using seeded = new CuckooFilter({ capacity: 10, seed: check });
    expect(() => seeded.add(hashKey('a', secret(3)))).toThrow(
      /with a secret key, the filter hashes with seed /,
    );
    expect(() => keyed.add(hashKey('a', { seed: check }))).toThrow(/the filter hashes with a secret key/);
  });

  test('is told apart also where hashes of several are made by turns', () => {
    const all: HashKeysOptions[] = [
      secret(1),
      secret(2),
      {},
      secret(3),
      { seed: 1 },
      { hash: 'xxh64', seed: 1n },
    ];
    for (const options of [...all, ...all]) {
      using filter = CuckooFilter.from(['a', 'b'], { ...options, fingerprintBits: 32 });
      expect([
        filter.has(hashKey('a', options)),
        [...filter.containsMany(hashKeys(['b', 'c'], options))],
      ]).toEqual([true, [1, 0]]);
    }
  });

  test('neither a message nor what is printed tells the secret key or the hash', () => {
    const hashed = hashKeys(['a'], secret(217));
    using filter = new CuckooFilter({ capacity: 10 });
    const told = [
      thrownBy(TypeError, () => filter.add(hashed.at(0) as HashedKey)).message,
      ...[hashed, hashed.at(0)].flatMap((each) => [
        inspect(each, { showHidden: true }),
        JSON.stringify(each),
      ]),
    ].join();
    expect(told).not.toContain('217');
    expect(told).not.toMatch(/\d{4}/);
  });
});

describe('an audited filter', () => {
  test('takes a key and its hash for the same', () => {
    using filter = audited(new CuckooFilter({ capacity: 10 }))
      .add('alice')
      .add(hashKey('bob'));
    expect([filter.delete(hashKey('alice')), filter.delete('bob')]).toEqual([true, true]);
    const hashed = hashKey('carol');
    const error = thrownBy(AuditError, () => filter.delete(hashed));
    expect([error.code, error.key]).toEqual(['false-delete', hashed]);
    filter.addMany(digestKeys([5n]));
    expect(() => filter.delete(5)).toThrow(AuditError);
    expect(filter.deleteMany(digestKeys([Uint8Array.of(5, 0, 0, 0, 0, 0, 0, 0)]))).toBe(1);
  });
});

describe('what only looks hashed', () => {
  const hashed = hashKeys(['alice', 'bob']);
  const key = hashed.at(0) as HashedKey;
  test.each([
    ['a proxy of a hashed key', new Proxy(key, {})],
    ['an object with its prototype', Object.create(key) as HashedKey],
    ['a copy of its properties', { ...key }],
    ['a structured clone', structuredClone({ ...hashed })],
  ])('%s is no key, and nothing changes', (_, given) => {
    using filter = new CuckooFilter({ capacity: 10 });
    expect(() => filter.add(given as Key)).toThrow(InvalidKeyError);
    expect(() => filter.addMany([given as Key])).toThrow(/^key 0: /);
    expect(() => filter.addMany(new Set([given as Key]))).toThrow(/^key 0: /);
    expect(filter.size).toBe(0);
  });

  test('one hashed key is not many', () => {
    using filter = new CuckooFilter({ capacity: 10 });
    expect(() => filter.addMany(key as unknown as Keys)).toThrow(
      /^keys must be .*, got \[object HashedKey\]$/,
    );
  });
});
