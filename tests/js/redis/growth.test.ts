// RedisCuckooFilter with maxCapacity: the answers of the core at every size, several clients at once, and what is published.
import { describe, expect, test } from '@jest/globals';
import { RESP_TYPES } from 'redis';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { RedisCuckooFilter, RedisFullError } from 'cuckoofilter-wasm/redis';
import { some as someOf } from '../support/long';
import { claim, Random } from '../support/random';
import { CLIENTS, keysTo, newName, node, openGrowing as open } from './clients';
import { localsOf } from './contents';

const ones = (count: number): Uint8Array => new Uint8Array(count).fill(1);

/** An empty local filter with the parameters of the one shard of `filter`. */
async function localOf(filter: RedisCuckooFilter): Promise<CuckooFilter> {
  using replica = await filter.replica({ refreshMs: 0 });
  const local = CuckooFilter.deserialize(replica.serializeShards()[0] as Uint8Array);
  local.clear();
  return local;
}

const SIZES: readonly (readonly [rate: number, capacity: number, maxCapacity: number])[] = [
  [0.06, 40, 1200],
  [0.001, 15, 1800],
  [0.0001, 10, 700],
  [0.00001, 40, 1200],
  [1e-6, 100, 450],
  [0.01, 1, 100],
];

// The second client carries the same commands, so it takes part in some.
describe.each(CLIENTS.map((client, i) => [...client, i === 0 ? SIZES : someOf(SIZES, 2)] as const))(
  'with %s',
  (_, send, sizes) => {
    test.each(sizes)(
      'at a rate of %f it has the answers of the core from %i keys to %i',
      async (rate, capacity, maxCapacity) => {
        const filter = await open({ send: send(), falsePositiveRate: rate, capacity, maxCapacity });
        const begun = (await filter.info()).byteLength;
        const local = await localOf(filter);
        const random = new Random(7);
        const added: string[] = [];
        let number = 0;
        while (added.length < maxCapacity) {
          const count = Math.min(1 + random.below(Math.ceil(maxCapacity / 10)), maxCapacity - added.length);
          const keys = Array.from({ length: count }, () => `key ${number++}`);
          if (random.below(2) === 0) {
            expect(await filter.addMany(keys)).toBe(count);
            local.addMany(keys);
            added.push(...keys);
          } else {
            const isNew = local.addManyIfAbsent(keys);
            expect(await filter.addManyIfAbsent(keys)).toEqual(isNew);
            added.push(...keys.filter((__, i) => isNew[i] === 1));
          }
          const gone = random.shuffled(added).slice(0, random.below(Math.ceil(count / 3)));
          expect(await filter.deleteMany(gone)).toBe(local.deleteMany(gone));
          for (const key of gone) added.splice(added.indexOf(key), 1);
          const probes = [...added, ...keysTo(500, 'absent')];
          expect(await filter.containsMany(probes)).toEqual(local.containsMany(probes));
          const some = random.shuffled(probes).slice(0, 20);
          expect(await Promise.all(some.map((key) => filter.count(key)))).toEqual(
            some.map((key) => local.count(key)),
          );
        }
        const info = await filter.info();
        expect(info).toMatchObject({ size: added.length, capacity, maxCapacity });
        expect(info.expectedFalsePositiveRate).toBeLessThanOrEqual(rate);
        expect(info.byteLength).toBeGreaterThan(begun);
        const replica = await filter.replica({ refreshMs: 0 });
        expect(replica.containsMany(added)).toEqual(ones(added.length));
        const [copy] = localsOf(replica);
        expect(copy?.expectedFalsePositiveRate).toBeCloseTo(info.expectedFalsePositiveRate);
        replica.dispose();
        expect(await filter.deleteMany(added)).toBe(added.length);
        expect((await filter.info()).size).toBe(0);
      },
    );
  },
);

test('shards double one by one, and a filter that is full says so', async () => {
  const filter = await open({ shards: 4, capacity: 100, maxCapacity: 2000 });
  const sizes = new Set<number>();
  const added: string[] = [];
  let error: unknown;
  for (let i = 0; error === undefined; ++i) {
    const keys = keysTo(100, `batch ${i}`);
    await filter.addMany(keys).then(
      () => added.push(...keys),
      (thrown: RedisFullError) => {
        error = thrown;
        added.push(...keys.filter((_, at) => thrown.outcomes[at] === 'done'));
      },
    );
    sizes.add((await filter.info()).byteLength);
    expect(await filter.containsMany(added)).toEqual(ones(added.length));
  }
  expect(error).toBeInstanceOf(RedisFullError);
  expect((error as Error).message).toMatch(
    /^the filter is full: it was made for 2000 keys, .* with a larger maxCapacity;/,
  );
  expect(added.length).toBeGreaterThanOrEqual(2000);
  expect(sizes.size).toBeGreaterThan(5);
  await filter.reset();
  expect((await filter.info()).size).toBe(0);
  expect(await filter.contains('batch 0 0')).toBe(false);
});

test('a filter that is full refuses keys cheaply, by few reads of the server, and takes them again after deletes', async () => {
  const calls = async (command: string): Promise<number> =>
    Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(await node.info('commandstats'))?.[1] ?? 0);
  for (const falsePositiveRate of [0.03, 0.001, 1e-6]) {
    const filter = await open({ capacity: 8000, maxCapacity: 8000, falsePositiveRate });
    await filter.addMany(keysTo(8000)); // As many as it was made for.
    const added = keysTo(8000);
    let refused = 0;
    for (let i = 0; refused < 100; ++i) {
      const outcome = await filter.add(`more ${i}`).then(
        () => added.push(`more ${i}`),
        () => 0,
      );
      refused = outcome > 0 ? 0 : refused + 1;
    }
    const before = await calls('getrange');
    for (let i = 0; i < 100; ++i) await filter.add(`late ${i}`).catch(() => undefined);
    // Two buckets, the search, and what every call reads.
    expect((await calls('getrange')) - before).toBeLessThan(100 * 25);
    const { size } = await filter.info();
    expect(await filter.deleteMany(added.splice(0, size - 7000))).toBe(size - 7000);
    expect(await filter.addMany(keysTo(500, 'again'))).toBe(500);
    expect(await filter.containsMany([...added, ...keysTo(500, 'again')])).not.toContain(0);
  }
});

test('a filter that was asked how full it is doubles as others expect', async () => {
  const name = newName();
  const filter = await open({ name });
  await filter.addMany(keysTo(90));
  expect((await filter.info()).size).toBe(90);
  await filter.addMany(keysTo(900, 'more'));
  const other = await open({ name });
  await other.add('last');
  expect((await filter.info()).size).toBe(991);
});

test('several filters at once, some opened before it grew, lose no key', async () => {
  const name = newName();
  const filters = await Promise.all(
    CLIENTS.flatMap(([, send]) =>
      [0, 1].map(() => open({ name, send: send(), shards: 2, maxCapacity: 4000, falsePositiveRate: 0.01 })),
    ),
  );
  const models = await Promise.all(
    filters.map(async (filter, i) => {
      const random = new Random(i);
      const model = new Set<string>();
      for (let round = 0; round < 30; ++round) {
        const keys = keysTo(20, `${i} ${round}`);
        if (random.below(3) > 0 && model.size < 600) {
          await filter.addMany(keys);
          for (const key of keys) model.add(key);
        } else if (model.size > 0) {
          const few = random.shuffled([...model]).slice(0, 15);
          expect(await filter.deleteMany(few)).toBe(few.length);
          for (const key of few) model.delete(key);
        }
        const found = await filter.containsMany(model);
        claim(!found.includes(0), () => `filter ${i}, round ${round}: a key is lost`);
      }
      return [...model];
    }),
  );
  const all = models.flat();
  const late = await open({ name, shards: 2, maxCapacity: 4000, falsePositiveRate: 0.01 });
  for (const filter of [...filters, late]) {
    expect((await filter.info()).size).toBe(all.length);
    expect(await filter.containsMany(all)).toEqual(ones(all.length));
  }
});

test.each([1, 3])('the first of duplicates is the new one while %i shards grow', async (shards) => {
  const filter = await open({ shards, capacity: 5, maxCapacity: 30_000 });
  const keys = Array.from({ length: 6000 }, (_, i) => `key ${i % 3000}`);
  const isNew = await filter.addManyIfAbsent(keys);
  using local = new CuckooFilter((await filter.info()).options);
  // A key may share its entry with another of its shard, so with several shards the local answers can differ.
  if (shards === 1) expect(isNew).toEqual(local.addManyIfAbsent(keys));
  expect(isNew.subarray(3000).includes(1)).toBe(false);
});

test.each(CLIENTS)(
  'growing, reset and publish keep the time to live of the strings, with %s',
  async (_, send) => {
    let filter = await open({ send: send(), shards: 2 });
    const { keys } = await filter.info();
    const times = (): Promise<number[]> => Promise.all(keys.map((key) => node.pTTL(key)));
    const steps: readonly (() => Promise<unknown>)[] = [
      () => filter.addMany(keysTo(2000)),
      async () => {
        using replica = await filter.replica({ refreshMs: 0 });
        await filter.publish(replica);
      },
      () => filter.reset(),
    ];
    const isKept = async (expires: boolean): Promise<void> => {
      for (const time of await times()) {
        expect(time).toBeLessThanOrEqual(expires ? 600_000 : -1);
        expect(time).toBeGreaterThan(expires ? 400_000 : -2);
      }
    };
    for (const expires of [false, true]) {
      if (expires) for (const key of keys) await node.pExpire(key, 600_000);
      for (const step of steps) {
        await step();
        await isKept(expires);
      }
      if (!expires) {
        await filter.drop();
        filter = await open({ send: send(), name: keys[0] as string, shards: 2 });
      }
    }
  },
);

test('many single changes while a filter grows all come in, and deletes with them', async () => {
  const filter = await open({ maxCapacity: 30_000 });
  const keys = keysTo(1000);
  await Promise.all(keys.map((key) => filter.add(key)));
  expect(await filter.containsMany(keys)).toEqual(ones(keys.length));
  expect((await filter.info()).size).toBe(keys.length);
  const mixed = keysTo(1000, 'mixed');
  const answers = await Promise.all(
    mixed.flatMap((key, i) => [filter.add(key), filter.delete(keys[i] as string)]),
  );
  expect(answers.filter((_, i) => i % 2 === 1)).not.toContain(false);
  expect(await filter.containsMany(mixed)).toEqual(ones(mixed.length));
  expect((await filter.info()).size).toBe(mixed.length);
});

test('growing refuses other options, and takes local filters that have grown', async () => {
  const name = newName();
  const filter = await open({ name });
  await filter.addMany(keysTo(1000));
  await expect(open({ name, maxCapacity: 6000 })).rejects.toThrow(
    /was made with other options: .*\(maxCapacity\) of a shard 3000 instead of 6000, .* Open it with /,
  );
  await expect(open({ name, maxCapacity: undefined })).rejects.toThrow(/was made with other options: /);
  await expect(open({ maxCapacity: 99 })).rejects.toThrow(
    'maxCapacity must be an integer from capacity (100) to 2^34, got 99',
  );
  using local = new CuckooFilter((await filter.info()).options);
  local.addMany(keysTo(3000, 'local'));
  await filter.publish(local);
  expect(await filter.containsMany(keysTo(3000, 'local'))).toEqual(ones(3000));
  const small = await open();
  await small.addMany(keysTo(200));
  using replica = await small.replica({ refreshMs: 0 });
  await filter.publish(replica);
  expect(await filter.containsMany(keysTo(200))).toEqual(ones(200));
  expect(await filter.addMany(keysTo(2800, 'more'))).toBe(2800);
  await replica.refresh();
  expect(replica.size).toBe(200);
});

test('a publish that is refused for one shard replaces none', async () => {
  const grown = await open({ shards: 2, maxCapacity: 3020 });
  await grown.addMany(keysTo(3000));
  const mixed = await open({ shards: 2, maxCapacity: 3020 });
  const [from] = (await grown.info()).keys;
  const [to] = (await mixed.info()).keys;
  // The table of the one under the stamp of the other, which tells whose a string is.
  const stamp = await node.sendCommand(['GETRANGE', to as string, '56', '63'], {
    typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer },
  });
  await node.copy(from as string, to as string, { REPLACE: true });
  await node.setRange(to as string, 56, stamp as unknown as Buffer);
  // Its shards were never as small as the second of `mixed`.
  const target = await open({ shards: 2, capacity: 300, maxCapacity: 3020 });
  await target.addMany(keysTo(100, 'kept'));
  using replica = await mixed.replica({ refreshMs: 0 });
  const before = await target.stats();
  await expect(target.publish(replica)).rejects.toMatchObject({
    name: 'RangeError',
    code: 'invalid-argument',
    message:
      'the filter has other options than the one on the server. Publish a replica of a filter with the same options',
  });
  expect(await target.stats()).toEqual(before);
  expect(await target.containsMany(keysTo(100, 'kept'))).toEqual(ones(100));
});

test('a maxCapacity of 2^k times the capacity is reached by k doublings', async () => {
  for (const capacity of [100, 1000, 50_000])
    for (const [times, k] of [
      [1, 0],
      [1.9, 0],
      [2, 1],
      [2.1, 1],
      [4, 2],
      [8, 3],
    ] as const) {
      const filter = await open({ capacity, maxCapacity: capacity * times });
      using replica = await filter.replica({ refreshMs: 0 });
      const saved = replica.serializeShards()[0] as Uint8Array;
      expect([capacity, times, (saved[15] as number) >> 2]).toEqual([capacity, times, k]);
      using local = CuckooFilter.deserialize(saved);
      expect(local.currentCapacity).toBeGreaterThanOrEqual(capacity);
      await filter.drop();
    }
});
