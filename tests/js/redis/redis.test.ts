// RedisCuckooFilter on a server of its own, with both clients: the rules and the answers of the core, and what is refused.
import { describe, expect, test } from '@jest/globals';
import {
  CuckooFilter,
  FilterFullError,
  FormatError,
  hashKey,
  hashKeys,
  PackedKeys,
  type Key,
} from 'cuckoofilter-wasm';
import { fromNodeRedis, RedisCuckooFilter, RedisFullError } from 'cuckoofilter-wasm/redis';
import { some } from '../support/long';
import { rejected, claim, Random } from '../support/random';
import { CLIENTS, keysTo, newName, node, open } from './clients';
import { kindsIn } from './contents';

const RATES: readonly (readonly [rate: number, shards: number])[] = [
  [0.06, 1],
  [0.02, 3],
  [0.005, 1],
  [0.001, 1],
  [0.001, 5],
  [0.0001, 1],
  [0.00002, 2],
  [1e-6, 1],
];

// The second client carries the same commands, so it takes part in some.
describe.each(CLIENTS.map((client, i) => [...client, i === 0 ? RATES : some(RATES, 2)] as const))(
  'with %s',
  (_, send, rates) => {
    test.each(rates)(
      'at a rate of %f in %i shards it holds all keys, and errs no more than it says',
      async (falsePositiveRate, shards) => {
        const filter = await open({ send: send(), falsePositiveRate, shards });
        const keys = keysTo(1000);
        expect(await filter.addMany(keys)).toBe(1000);
        expect(await filter.containsMany(keys)).toEqual(new Uint8Array(1000).fill(1));
        const info = await filter.info();
        expect(info).toMatchObject({ size: 1000, capacity: 1000, shards });
        expect(info.expectedFalsePositiveRate).toBeLessThanOrEqual(falsePositiveRate);
        const positives = (await filter.containsMany(keysTo(5000, 'absent'))).reduce(
          (sum, each) => sum + each,
          0,
        );
        expect(positives).toBeLessThan(
          5000 * falsePositiveRate + 5 * Math.sqrt(5000 * falsePositiveRate) + 3,
        );
        expect(await filter.deleteMany(keys)).toBe(1000);
        expect((await filter.info()).size).toBe(0);
      },
    );

    test('every kind of key is the key that it is for CuckooFilter', async () => {
      const filter = await open({ send: send(), shards: 2 });
      const keys: Key[] = ['', 'é', '\ud800', 5, -1, 2n ** 63n, Uint8Array.of(1, 2), new Uint8Array(1000)];
      for (const key of keys) await filter.add(key);
      for (const key of keys) expect([await filter.has(key), await filter.count(key)]).toEqual([true, 1]);
      expect(await filter.contains('no')).toBe(false);
      expect(await filter.hasMany(new Uint32Array([5, 6]))).toEqual(Uint8Array.of(1, 0));
      expect(await filter.delete(5n)).toBe(true);
      expect(await filter.delete(5)).toBe(false);
    });

    test('the same random operations give the answers and the entries of the core', async () => {
      const random = new Random(11);
      for (const [falsePositiveRate, capacity] of [
        [0.06, 40],
        [0.001, 300],
        [0.0001, 60],
        [0.00001, 200],
      ] as const) {
        const filter = await open({ send: send(), falsePositiveRate, capacity });
        const { options } = await filter.info();
        const local = new CuckooFilter(options);
        expect(JSON.parse(JSON.stringify(options))).toEqual({ ...options, seed: Number(options.seed) });
        const added: string[] = [];
        for (let round = 0; round < 30; ++round) {
          const keys = Array.from({ length: 1 + random.below(20) }, () => `key ${random.below(capacity)}`);
          const action = random.below(4);
          if (action === 0) {
            const few = random.shuffled(added).slice(0, keys.length);
            for (const key of few) added.splice(added.indexOf(key), 1);
            expect(await filter.deleteMany(few)).toBe(local.deleteMany(few));
          } else if (local.size + keys.length > capacity) continue;
          else if (action === 1) {
            const wanted = keys.map((key) => local.addIfAbsent(key));
            expect(await filter.addManyIfAbsent(keys)).toEqual(Uint8Array.from(wanted, Number));
            added.push(...keys.filter((__, i) => wanted[i]));
          } else {
            const wanted = keys.map((key) => local.tryAdd(key));
            const outcomes = await filter.addMany(keys).then(
              () => keys.map(() => 'added'),
              (error: RedisFullError) =>
                error.outcomes.map((outcome) => (outcome === 'done' ? 'added' : outcome)),
            );
            expect(outcomes).toEqual(wanted);
            added.push(...keys.filter((__, i) => wanted[i] === 'added'));
          }
          const replica = await filter.replica({ refreshMs: 0 });
          expect(kindsIn(replica.serializeShards()[0] as Uint8Array)).toEqual(kindsIn(local.serialize()));
          replica.dispose();
          const probes = keysTo(capacity);
          const counts = await Promise.all(probes.slice(0, 20).map((key) => filter.count(key)));
          expect(counts).toEqual(probes.slice(0, 20).map((key) => local.count(key)));
          expect(await filter.containsMany(probes)).toEqual(local.containsMany(probes));
        }
      }
    });
  },
);

describe('a filter that is full', () => {
  test('says so, and changes no byte', async () => {
    const filter = await open({ capacity: 10 });
    const { name, keys, options } = await filter.info();
    const most = keysTo((options.bucketCount ?? 0) * (options.bucketSize ?? 0) + 20);
    const error = await rejected(RedisFullError, filter.addMany(most));
    expect(error).toBeInstanceOf(FilterFullError);
    expect([error.name, error.reason]).toEqual(['RedisFullError', 'full']);
    expect(error.message).toMatch(
      /^the filter is full: it was made for 10 keys, and \d+ of \d+ keys do not fit\. .* with a larger capacity, or with maxCapacity;/,
    );
    const done = most.filter((_, i) => error.outcomes[i] === 'done');
    expect(done.length).toBe(error.added);
    expect(done.length).toBeGreaterThanOrEqual(10);
    expect(await filter.containsMany(done)).toEqual(new Uint8Array(done.length).fill(1));
    expect(keys).toEqual([name]);
    const before = await node.get(name);
    for (const key of most.filter((_, i) => error.outcomes[i] === 'full')) {
      const refused = await filter.add(key).then(
        () => undefined,
        (thrown: FilterFullError) => thrown,
      );
      expect(refused?.reason).toBe('full');
    }
    await rejected(RedisFullError, filter.addMany(most.filter((_, i) => error.outcomes[i] === 'full')));
    expect(await node.get(name)).toBe(before);
  });

  test('has no room for too many copies of one key', async () => {
    const filter = await open();
    await filter.addMany(Array(8).fill('a') as string[]);
    expect((await rejected(FilterFullError, filter.add('a'))).reason).toBe('too-many-copies');
    expect(await filter.count('a')).toBe(8);
    await filter.add('b');
  });

  test('holds its capacity, whatever that is', async () => {
    for (const capacity of [1, 2, 3, 5, 9, 17, 33, 70, 150, 400, 1500])
      for (const falsePositiveRate of [0.01, 0.00005, 0.000001]) {
        for (let i = 0; i < 3; ++i) {
          const filter = await open({ capacity, falsePositiveRate, shards: i + 1 });
          expect(await filter.addMany(keysTo(capacity, `key ${i}`))).toBe(capacity);
          await filter.drop();
        }
      }
  });
});

test('a call that changes nothing leaves the strings and their count of changes as they are', async () => {
  for (const [, send] of CLIENTS)
    for (const falsePositiveRate of [0.001, 0.0001, 0.00001]) {
      const filter = await open({ send: send(), shards: 2, falsePositiveRate });
      const keys = keysTo(600);
      const absent = keysTo(50, 'absent');
      await filter.addMany(keys);
      await filter.addMany(Array(20).fill('a') as string[]).catch(() => undefined);
      const { keys: strings } = await filter.info();
      const bytes = (): Promise<unknown> =>
        Promise.all(strings.map((each) => fromNodeRedis(node)(['GET', each])));
      const before = [await bytes(), await filter.stats()];
      expect(await filter.addIfAbsent('key 1')).toBe(false);
      await filter.addManyIfAbsent(keys);
      await rejected(FilterFullError, filter.add('a'));
      await rejected(RedisFullError, filter.addMany(['a', 'a']));
      for (const key of absent) if (!(await filter.has(key))) expect(await filter.delete(key)).toBe(false);
      const found = await filter.containsMany(absent);
      expect(await filter.deleteMany(absent.filter((__, i) => found[i] === 0))).toBe(0);
      expect([await bytes(), await filter.stats()]).toEqual(before);
      expect(await filter.delete('key 1')).toBe(true);
      expect(await filter.stats()).not.toEqual(before[1]);
    }
});

test('random calls by several filters at once lose no key', async () => {
  const name = newName();
  const filters = await Promise.all(
    CLIENTS.flatMap(([, send]) =>
      [0, 1].map(() => open({ name, send: send(), shards: 3, capacity: 3000, falsePositiveRate: 0.01 })),
    ),
  );
  const kept = await Promise.all(
    filters.map(async (filter, i) => {
      const random = new Random(i);
      const model = new Set<string>();
      for (let round = 0; round < 60; ++round) {
        const keys = keysTo(20, `${i} ${random.below(20)}`).filter((key) => !model.has(key));
        const all = [...model];
        if (random.below(3) > 0 && model.size < 400) {
          await filter.addMany(keys);
          for (const key of keys) model.add(key);
        } else if (all.length > 0) {
          const few = random.shuffled(all).slice(0, 15);
          expect(await filter.deleteMany(few)).toBe(few.length);
          for (const key of few) model.delete(key);
        }
        const found = await filter.containsMany(model);
        claim(!found.includes(0), () => `filter ${i}, round ${round}: a key is lost`);
      }
      return [...model];
    }),
  );
  const [filter] = filters as [RedisCuckooFilter];
  expect((await filter.info()).size).toBe(kept.flat().length);
  expect(await filter.containsMany(kept.flat())).toEqual(new Uint8Array(kept.flat().length).fill(1));
  const sizes = (await filter.stats()).map(({ size }) => size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(kept.flat().length);
});

test('keys that are hashed once are taken like others', async () => {
  for (const shards of [1, 3]) {
    const filter = await open({ shards });
    const { options } = await filter.info();
    const keys = keysTo(300);
    const hashed = hashKeys(keys, { seed: options.seed });
    expect(await filter.addMany(hashed)).toBe(300);
    expect(await filter.containsMany(keys)).toEqual(new Uint8Array(300).fill(1));
    expect(await filter.count(hashKey('key 7', { seed: options.seed }))).toBe(1);
    expect(await filter.containsMany(new PackedKeys(Buffer.from('key 1no'), Uint32Array.of(5, 7)))).toEqual(
      Uint8Array.of(1, 0),
    );
    await rejected(TypeError, filter.contains(hashKey('key 7', { seed: 99 })));
    using replica = await filter.replica({ refreshMs: 0 });
    expect(replica.containsMany(hashed)).toEqual(new Uint8Array(300).fill(1));
  }
});

describe('the string of a shard', () => {
  test('is no saved filter; the replica makes one of it', async () => {
    const filter = await open();
    await filter.addMany(keysTo(500));
    const string = (await fromNodeRedis(node)(['GET', (await filter.info()).name])) as Buffer;
    expect(() => CuckooFilter.deserialize(string)).toThrow(FormatError);
    using replica = await filter.replica({ refreshMs: 0 });
    const [saved] = replica.serializeShards() as [Uint8Array];
    // The stamp and the size are in the header, and the table is the same.
    expect(saved.subarray(72, -8)).toEqual(Uint8Array.from(string.subarray(72, -8 + saved.length)));
    using local = CuckooFilter.deserialize(saved);
    expect(local.containsMany(keysTo(500))).toEqual(new Uint8Array(500).fill(1));
  });

  test('of several holds its share of the keys', async () => {
    const filter = await open({ shards: 3 });
    await filter.addMany(keysTo(500));
    using replica = await filter.replica({ refreshMs: 0 });
    const locals = replica.serializeShards().map((saved) => CuckooFilter.deserialize(saved));
    expect(locals.reduce((sum, { size }) => sum + size, 0)).toBe(500);
    for (const { size } of locals) expect(size).toBeLessThan(300);
    for (const key of keysTo(500)) expect(locals.some((local) => local.has(key))).toBe(true);
    for (const local of locals) local.dispose();
  });
});
