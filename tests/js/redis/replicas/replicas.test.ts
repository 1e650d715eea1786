// Copies of a RedisCuckooFilter: replicas that follow it, and local filters that are published.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, dedupe, Deduper, FormatError, InvalidKeyError } from 'cuckoofilter-wasm';
import { fromNodeRedis, type Send } from 'cuckoofilter-wasm/redis';
import { until } from '../../support/patience';
import { rejected, thrownBy } from '../../support/random';
import { keysTo, newName, node, open } from '../clients';
import { kindsIn, localsOf } from '../contents';

describe('a replica', () => {
  test('follows the server, says how old it is, and cannot be changed', async () => {
    for (const shards of [1, 4]) {
      const filter = await open({ shards });
      await filter.addMany(keysTo(500));
      const replica = await filter.replica({ refreshMs: 5 });
      expect(replica.containsMany(keysTo(500))).toEqual(new Uint8Array(500).fill(1));
      await filter.add('later');
      await until(() => replica.has('later'));
      expect([replica.count('key 1'), replica.size]).toEqual([1, 501]);
      expect(replica.age).toBeGreaterThanOrEqual(0);
      const changes =
        'add tryAdd addIfAbsent delete addMany addManyAsync addManyIfAbsent deleteMany shrink clear merge mergeIfAbsent';
      for (const change of changes.split(' ')) expect(replica).not.toHaveProperty(change);
      replica.dispose();
      replica.dispose();
      for (const ask of [
        () => replica.has('later'),
        () => replica.count('later'),
        () => replica.containsMany(['later']),
        () => replica.size,
        () => replica.byteLength,
        () => replica.serializeShards(),
      ])
        expect(ask).toThrow(/^the replica cannot be used after dispose\(\)$/);
    }
  });

  test('takes a time that timers keep, or 0', async () => {
    const filter = await open();
    const rule = 'refreshMs must be an integer from 0 to 2^31 - 1, got';
    for (const refreshMs of [Infinity, 2 ** 31, NaN, -1, 0.5, 1.5])
      expect((await rejected(RangeError, filter.replica({ refreshMs }))).message).toBe(
        `${rule} ${refreshMs}`,
      );
    for (const refreshMs of ['1', null, 5n])
      expect((await rejected(TypeError, filter.replica({ refreshMs: refreshMs as never }))).message).toMatch(
        rule,
      );
    for (const refreshMs of [0, 1, 2 ** 31 - 1]) (await filter.replica({ refreshMs })).dispose();
  });

  test('fetches only shards that have changed', async () => {
    const fetched: string[] = [];
    const send = fromNodeRedis(node);
    const filter = await open({
      shards: 4,
      send: async (command) => {
        const answer = await send(command);
        if (command.includes('changed') && (answer as Buffer).length > 0) fetched.push(String(command[3]));
        return answer;
      },
    });
    const replica = await filter.replica({ refreshMs: 0 });
    expect(fetched.splice(0).length).toBe(4);
    await replica.refresh();
    expect(fetched).toEqual([]);
    await filter.add('a');
    await replica.refresh();
    expect(fetched.length).toBe(1);
    expect(replica.has('a')).toBe(true);
    await filter.reset();
    await replica.refresh();
    expect([fetched.length, replica.has('a'), replica.size]).toEqual([5, false, 0]);
    replica.dispose();
  });

  test('has all that was added before `refresh` was called, though one was under way', async () => {
    const name = newName();
    let checks = 0;
    let release: (() => void) | undefined;
    let held = Promise.resolve();
    const send = fromNodeRedis(node);
    const slow: Send = async (command) => {
      const answer = await send(command);
      if (command.includes('changed')) ++checks;
      await held;
      return answer;
    };
    const filter = await open({ name });
    using replica = await (await open({ name, send: slow })).replica({ refreshMs: 0 });
    checks = 0;
    held = new Promise((resolve) => (release = resolve));
    const first = replica.refresh();
    await until(() => checks > 0);
    await filter.add('new');
    const later = [replica.refresh(), replica.refresh(), replica.refresh()];
    release?.();
    await first;
    expect(replica.contains('new')).toBe(false);
    await Promise.all(later);
    expect(replica.contains('new')).toBe(true);
    expect(checks).toBe(2);
  });

  test('stays as it was where a refresh fails, and says why', async () => {
    const filter = await open();
    await filter.add('a');
    const replica = await filter.replica({ refreshMs: 0 });
    await filter.drop();
    await rejected(FormatError, replica.refresh());
    expect([replica.has('a'), replica.error instanceof FormatError]).toEqual([true, true]);
    replica.dispose();
  });
});

describe('a replica is no filter', () => {
  test('and is refused by name wherever one is wanted, with nothing changed', async () => {
    for (const shards of [1, 2]) {
      const filter = await open({ shards });
      await filter.addMany(keysTo(300));
      using replica = await filter.replica({ refreshMs: 0 });
      expect(replica).not.toBeInstanceOf(CuckooFilter);
      using local = new CuckooFilter((await filter.info()).options);
      using deduper = new Deduper({ capacity: 10 });
      const wrong = replica as never;
      for (const given of [
        () => local.merge(wrong),
        () => local.mergeIfAbsent(wrong),
        () => local.equals(wrong),
        () => deduper.merge(wrong),
        () => new Deduper(wrong),
        () => new CuckooFilter(wrong),
        () => CuckooFilter.from(wrong),
        () => CuckooFilter.deserialize(wrong),
        () => dedupe(['new'], { deduper: wrong }),
      ])
        expect(given).toThrow(TypeError);
      expect([local.size, deduper.size, replica.size]).toEqual([0, 0, 300]);
    }
  });

  test.each([1, 3])(
    'but %i shards become local filters, which merge with nothing dropped',
    async (shards) => {
      const filter = await open({ shards });
      const keys = keysTo(300);
      await filter.addMany(keys);
      using replica = await filter.replica({ refreshMs: 0 });
      const { options } = await filter.info();
      const parts = localsOf(replica);
      expect(parts).toHaveLength(shards);
      expect(parts.reduce((sum, { size }) => sum + size, 0)).toBe(300);
      for (const key of keys) expect(parts.some((part) => part.has(key))).toBe(true);
      if (shards === 1)
        for (const merge of ['merge', 'mergeIfAbsent'] as const) {
          using local = new CuckooFilter(options);
          local.add('mine');
          for (const part of parts) local[merge](part);
          expect([local.size, local.has('mine')]).toEqual([301, true]);
          expect(local.containsMany(keys)).toEqual(new Uint8Array(300).fill(1));
        }
      // They are copies.
      for (const part of parts) part.clear();
      expect(replica.containsMany(keys)).toEqual(new Uint8Array(300).fill(1));
      await filter.add('more');
      await replica.refresh();
      expect(localsOf(replica).some((part) => part.has('more'))).toBe(true);
      for (const part of parts) expect(part.has('more')).toBe(false);
    },
  );

  test.each([1, 2])(
    'but of %i shards has the parameters of the server, and content of its own',
    async (shards) => {
      const [filter, other] = [await open({ shards }), await open({ shards })];
      await filter.addMany(keysTo(100));
      await other.addMany(keysTo(100, 'other'));
      using replica = await filter.replica({ refreshMs: 0 });
      using same = await filter.replica({ refreshMs: 0 });
      using different = await other.replica({ refreshMs: 0 });
      const info = await filter.info();
      const { fingerprintBits, bucketSize, semiSort, seed } = info.options;
      const parts = localsOf(replica);
      for (const part of parts)
        expect(part).toMatchObject({ fingerprintBits, bucketSize, semiSorted: semiSort, seed });
      expect(replica.size).toBe(100);
      expect(replica.byteLength).toBe(parts.reduce((sum, part) => sum + part.byteLength, 0));
      expect(same.serializeShards()).toEqual(replica.serializeShards());
      expect(different.serializeShards()).not.toEqual(replica.serializeShards());
    },
  );

  test('follows a table that doubles', async () => {
    const filter = await open({ capacity: 50, maxCapacity: 1000 });
    await filter.addMany(keysTo(50));
    using replica = await filter.replica({ refreshMs: 0 });
    const { byteLength } = replica;
    await filter.addMany(keysTo(900, 'more'));
    await replica.refresh();
    expect(replica.byteLength).toBeGreaterThan(4 * byteLength);
    expect(replica.containsMany(keysTo(900, 'more'))).toEqual(new Uint8Array(900).fill(1));
    const [copy] = localsOf(replica);
    expect([copy?.byteLength, copy?.size]).toEqual([replica.byteLength, 950]);
  });

  test('refuses keys that are none, with the index and the answers in a batch, in one shard and in several', async () => {
    for (const shards of [1, 2]) {
      const filter = await open({ shards });
      await filter.add('a');
      using replica = await filter.replica({ refreshMs: 0 });
      expect(thrownBy(InvalidKeyError, () => replica.has(1.5)).code).toBe('invalid-key');
      const given = ['a', 'absent', 'a', 1.5, 'a'];
      for (const keys of [given, new Set(['absent', ...given])]) {
        const { message, index, answers } = thrownBy(InvalidKeyError, () => replica.containsMany(keys));
        const at = [...keys].indexOf(1.5);
        const before = Array.from(keys, (key) => Number(key === 'a')).slice(0, at);
        expect([message, index]).toEqual([expect.stringMatching(`^key ${at}: a key must be `), at]);
        expect(answers).toEqual(Uint8Array.from(before));
      }
      expect(() => replica.containsMany('text' as never)).toThrow(TypeError);
    }
  });
});

describe('publishing', () => {
  test('puts a local filter in place of the one on the server', async () => {
    const filter = await open({ capacity: 500 });
    await filter.add('before');
    const replica = await filter.replica({ refreshMs: 0 });
    using local = new CuckooFilter((await filter.info()).options);
    local.addMany(keysTo(500));
    await filter.publish(local);
    expect(await filter.containsMany(keysTo(500))).toEqual(new Uint8Array(500).fill(1));
    expect([await filter.contains('before'), (await filter.info()).size]).toEqual([false, 500]);
    await replica.refresh();
    expect(kindsIn(replica.serializeShards()[0] as Uint8Array)).toEqual(kindsIn(local.serialize()));
    expect(localsOf(replica)[0]?.equals(local)).toBe(true);
    expect(await filter.delete('key 7')).toBe(true);
    replica.dispose();
  });

  test('copies a filter of several shards to another name', async () => {
    const [one, other] = [await open({ shards: 3 }), await open({ shards: 3 })];
    await one.addMany(keysTo(900));
    const replica = await one.replica({ refreshMs: 0 });
    await other.publish(replica);
    expect(await other.containsMany(keysTo(900))).toEqual(new Uint8Array(900).fill(1));
    replica.dispose();
  });

  test.each([1, 3])(
    'writes %i lost shards again, also while somebody makes a new filter of them',
    async (shards) => {
      const options = { name: newName(), shards };
      const filter = await open(options);
      await filter.addMany(keysTo(500));
      using replica = await filter.replica({ refreshMs: 0 });
      const { keys } = await filter.info();
      // The process that makes the new one dies before any of the commands that complete it.
      for (let left = 0; left <= shards; ++left) {
        await filter.drop();
        let commands = left;
        const dying = open({
          ...options,
          send: (command) =>
            /^(hold|made)$/.test(String(command[4])) && --commands < 0
              ? Promise.reject(new Error('the process died'))
              : fromNodeRedis(node)(command),
        });
        await expect(dying).rejects.toThrow('the process died');
        if (left > 1) {
          // By then, another shard is of the new filter.
          expect((await rejected(FormatError, filter.publish(replica))).code).toBe('inconsistent');
          await node.del([...keys]);
        }
        await filter.publish(replica);
        expect(await filter.containsMany(keysTo(500))).not.toContain(0);
        expect(await Promise.all(keys.map((key) => node.pTTL(key)))).toEqual(keys.map(() => -1));
        expect((await open({ ...options, identity: filter.identity })).created).toBe(false);
      }
    },
  );

  test('another shape is a RangeError, what is no filter a TypeError, and changes nothing', async () => {
    const filter = await open();
    await filter.add('a');
    expect((await rejected(RangeError, filter.publish(CuckooFilter.from(['b'])))).message).toBe(
      'the filter has other options than the one on the server. Publish new CuckooFilter((await redisFilter.info()).options), or a replica of a filter with the same options',
    );
    for (const other of [null, undefined, 5, {}, CuckooFilter.from(['b']).serialize()])
      expect((await rejected(TypeError, filter.publish(other as never))).message).toMatch(
        /^filter must be a CuckooFilter or a RedisReplica, got /,
      );
    const two = await open({ shards: 2 });
    await rejected(RangeError, two.publish(CuckooFilter.from(['b'])));
    using replica = await two.replica({ refreshMs: 0 });
    expect((await rejected(RangeError, filter.publish(replica))).message).toMatch(
      /^the filter has other options than the one on the server/,
    );
    expect(await filter.contains('a')).toBe(true);
  });
});
