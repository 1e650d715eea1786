// Copies of filters of many blocks: what a refresh fetches, whatever happens between two of its commands; and what is published.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm';
import {
  fromNodeRedis,
  type RedisCuckooFilter,
  type RedisFilterOptions,
  type RedisReplica,
  type Send,
} from 'cuckoofilter-wasm/redis';
import { keysTo, newName, nextOf, node, open } from '../clients';
import { localsOf } from '../contents';
import { FakeServer } from '../offline/fake-server';

/** At least six blocks, of whole bytes and of others. */
const SHAPES = [
  { capacity: 20_000 },
  { capacity: 20_000, falsePositiveRate: 1e-4 },
  { capacity: 5000, maxCapacity: 40_000 },
  { capacity: 3000, maxCapacity: 30_000, falsePositiveRate: 1e-4 },
];
const FIXED = { capacity: 15_000 };
const GROWING = { capacity: 5000, maxCapacity: 40_000 };

/** Keys whose two buckets are both from `first` to `last` in an empty filter with these options. */
async function keysWithin(
  options: Partial<RedisFilterOptions>,
  [first, last]: readonly [number, number],
  prefix: string,
): Promise<string[]> {
  const server = new FakeServer();
  const found: string[] = [];
  let buckets: readonly number[] = [];
  server.answer = ({ action, given }) => {
    if (action !== 'add') return undefined;
    buckets = [given.readUInt32LE(0), given.readUInt32LE(4)];
    return '0.';
  };
  const filter = await server.open(options);
  for (const key of keysTo(3000, prefix)) {
    await filter.add(key);
    if (buckets.every((bucket) => bucket >= first && bucket <= last)) found.push(key);
  }
  return found;
}

/** Whether a refreshed replica has the bytes of one that is made now. */
async function expectCurrent(replica: RedisReplica, filter: RedisCuckooFilter): Promise<void> {
  using fresh = await filter.replica({ refreshMs: 0 });
  expect(replica.serializeShards()).toEqual(fresh.serializeShards());
}

/** Adds so many keys that the table doubles, and waits until it has. */
async function addDoubling(filter: RedisCuckooFilter, count: number): Promise<void> {
  await filter.addMany(keysTo(count, 'more'));
  const { name } = await filter.info();
  for (const end = Date.now() + 20_000; (await node.exists(nextOf(filter, name))) > 0 && Date.now() < end;)
    await new Promise((resolve) => setTimeout(resolve, 2));
}

/** `send`, with `before` awaited before each command, with its name. */
function hooked(send: Send, before: (name: string, command: Parameters<Send>[0]) => unknown): Send {
  return async (command) => {
    const answer = await before(String(command[0]), command);
    return answer ?? send(command);
  };
}

test.each(SHAPES)(
  'a refresh of %j fetches the blocks that have changed, or all if most have',
  async (options) => {
    const sent: string[] = [];
    const filter = await open({
      ...options,
      send: hooked(fromNodeRedis(node), (name) => void sent.push(name)),
    });
    await filter.addMany(keysTo(2500));
    using replica = await filter.replica({ refreshMs: 0 });
    for (let round = 0; round < 5; ++round) {
      await filter.addMany(keysTo(2, `round ${round}`));
      if (round > 3) await filter.delete(`key ${round}`);
      sent.splice(0);
      await replica.refresh();
      expect(sent).toEqual(['BITFIELD_RO', 'FCALL_RO']);
      await expectCurrent(replica, filter);
      sent.splice(0);
      await replica.refresh();
      expect(sent).toEqual(['BITFIELD_RO']);
    }
    await filter.deleteMany(keysTo(1000));
    sent.splice(0);
    await replica.refresh();
    expect(sent).toEqual(['BITFIELD_RO', 'GET']);
    await expectCurrent(replica, filter);
  },
);

test.each(SHAPES)(
  'a filter that is published as %j is the one on the server, in all its blocks',
  async (options) => {
    const filter = await open(options);
    using local = new CuckooFilter((await filter.info()).options);
    local.addMany(keysTo(options.capacity));
    await filter.publish(local);
    expect((await filter.info()).size).toBe(options.capacity);
    using replica = await filter.replica({ refreshMs: 0 });
    expect(localsOf(replica)[0]?.equals(local)).toBe(true);
    expect(await filter.deleteMany(keysTo(1000))).toBe(1000);
    await replica.refresh();
    expect(replica.size).toBe(options.capacity - 1000);
    await expectCurrent(replica, filter);
  },
);

describe('a refresh has one moment of the server, though between its commands', () => {
  /** A replica in which little has changed, whose next refresh calls `between` before it asks for the changed blocks. */
  async function interrupted(options: Partial<RedisFilterOptions>, between: () => unknown) {
    const name = newName();
    const send = hooked(fromNodeRedis(node), (command) => (command === 'FCALL_RO' ? between() : undefined));
    const filter = await open({ ...options, name, send });
    const other = await open({ ...options, name });
    return { filter, other };
  }

  test('the table doubles', async () => {
    const { filter, other } = await interrupted(GROWING, () => grow?.());
    let grow: (() => Promise<unknown>) | undefined;
    await filter.addMany(keysTo(3000));
    using replica = await filter.replica({ refreshMs: 0 });
    const { bucketCount } = replica;
    await other.add('a');
    grow = () => {
      grow = undefined;
      return addDoubling(other, 5000);
    };
    await replica.refresh();
    expect(replica.bucketCount).toBeGreaterThan(bucketCount);
    expect(replica.size).toBe(8001);
    await expectCurrent(replica, filter);
  });

  test('another filter is published, whose records are those of the one before', async () => {
    const keys = await keysWithin(FIXED, [0, 1023], 'key');
    const [one, another] = keys as [string, string];
    const { filter, other } = await interrupted(FIXED, () => other.publish(second));
    const { options } = await filter.info();
    using first = new CuckooFilter(options);
    using second = new CuckooFilter(options);
    first.add(one);
    second.add(another);
    await filter.publish(first);
    using replica = await filter.replica({ refreshMs: 0 });
    expect(replica.has(another)).toBe(false);
    const [elsewhere] = await keysWithin(FIXED, [3072, 4096], 'elsewhere');
    await other.add(elsewhere as string);
    await replica.refresh();
    expect([replica.has(one), replica.has(another), replica.size]).toEqual([false, true, 1]);
    await expectCurrent(replica, filter);
  });

  test('the server that answers is one that has not followed its master yet', async () => {
    const name = newName();
    const old = `${name} as it was`;
    let lags = false;
    let begins = 'never';
    const given = fromNodeRedis(node);
    const send: Send = (command) => {
      lags ||= command[0] === begins;
      const isRead = lags && /^(GET|BITFIELD_RO|FCALL_RO)$/.test(String(command[0]));
      return given(isRead ? command.map((word) => (word === name ? old : word)) : command);
    };
    const filter = await open({ ...GROWING, name, send });
    await filter.addMany(keysTo(3000));
    await node.copy(name, old);
    await addDoubling(await open({ ...GROWING, name }), 6000);
    await filter.add('new');
    using replica = await filter.replica({ refreshMs: 0 });
    expect(replica.size).toBe(9001);
    await filter.add('newer');
    begins = 'FCALL_RO';
    await replica.refresh();
    expect([lags, replica.size, replica.has('new')]).toEqual([true, 3000, false]);
    expect([await filter.contains('key 1'), await filter.contains('new')]).toEqual([true, false]);
    // Changes are the master's.
    await filter.add('newest');
    lags = false;
    begins = 'never';
    await replica.refresh();
    expect([replica.size, replica.has('newest')]).toEqual([9003, true]);
  });

  test('the server twice has another string', async () => {
    let refusals = 2;
    const { filter, other } = await interrupted(GROWING, () => {
      if (--refusals >= 0) throw new Error('CUCKOO differs');
    });
    await filter.addMany(keysTo(3000));
    using replica = await filter.replica({ refreshMs: 0 });
    await other.add('a');
    await replica.refresh();
    expect([replica.has('a'), refusals]).toEqual([true, -1]);
  });
});

test('an answer that was cut, or is longer than it can be, changes no replica', async () => {
  const send = fromNodeRedis(node);
  let spoil = (bytes: Buffer): Buffer => bytes;
  const filter = await open({
    ...FIXED,
    send: async (command) => {
      const answer = await send(command);
      return command[0] === 'FCALL_RO' ? spoil(answer as Buffer) : answer;
    },
  });
  await filter.addMany(keysTo(500));
  using replica = await filter.replica({ refreshMs: 0 });
  await filter.add('a');
  for (const each of [(all: Buffer) => all.subarray(0, -1), (all: Buffer) => Buffer.concat([all, all])]) {
    spoil = each;
    await expect(replica.refresh()).rejects.toThrow(
      /^send returned .*\. It must return the server's answer$/,
    );
    expect([replica.has('a'), replica.size]).toEqual([false, 500]);
  }
  spoil = (bytes) => bytes;
  await replica.refresh();
  expect([replica.has('a'), replica.size]).toEqual([true, 501]);
});

test('a table that doubles while no key changes is fetched', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let isDue = false;
  const filter = await open({
    ...GROWING,
    send: hooked(fromNodeRedis(node), (_, command) => {
      if (!command.includes('move')) return undefined;
      isDue = true;
      return held;
    }),
  });
  // The server says that it is due before a key does not fit.
  for (let i = 0; !isDue; ++i) await filter.addMany(keysTo(50, `${i}`));
  using replica = await filter.replica({ refreshMs: 0 });
  const { bucketCount, size } = replica;
  release();
  const { byteLength } = await filter.info();
  for (const end = Date.now() + 20_000; (await filter.info()).byteLength === byteLength && Date.now() < end;)
    await new Promise((resolve) => setTimeout(resolve, 2));
  await replica.refresh();
  expect([replica.bucketCount, replica.size]).toEqual([2 * bucketCount, size]);
  await expectCurrent(replica, filter);
});

describe('with a client that returns text', () => {
  test.each([
    // Buckets that lie in numbers that were read already, while others and the records were not.
    [[0, 1023], 3],
    [[3072, 3980], 4],
  ] as const)(
    'a copy is of one moment, though keys of buckets %j come between its commands',
    async (buckets, at) => {
      const name = newName();
      const other = await open({ ...FIXED, name });
      const keys = await keysWithin(FIXED, buckets, 'between');
      expect(keys.length).toBeGreaterThan(20);
      let reads = -Infinity;
      const send = hooked(
        (command) => node.sendCommand(command as string[]),
        (command) =>
          command.startsWith('BITFIELD') && ++reads === at
            ? other.addMany(keys).then(() => undefined)
            : undefined,
      );
      const filter = await open({ ...FIXED, name, send });
      await other.addMany(keysTo(1000));
      reads = 0;
      using replica = await filter.replica({ refreshMs: 0 });
      expect(reads).toBeGreaterThan(at);
      expect(replica.size).toBe(1000 + keys.length);
      await expectCurrent(replica, other);
    },
  );

  test('a filter that changes between any two commands is an error that says what to do', async () => {
    const name = newName();
    const other = await open({ name });
    let changes = 0;
    const send = hooked(
      (command) => node.sendCommand(command as string[]),
      (command) => (command.startsWith('BITFIELD') ? other.add(++changes) : undefined),
    );
    const filter = await open({ name, send });
    await expect(filter.replica({ refreshMs: 0 })).rejects.toMatchObject({
      code: 'filter-busy',
      message: `${name} changes faster than it can be read: have \`send\` return bytes (Buffers) for GET, which reads it in one step`,
    });
    expect(changes).toBeGreaterThan(20);
  });
});
