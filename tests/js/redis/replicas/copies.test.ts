// Copies of filters of many blocks: what a refresh fetches, whatever happens between two of its commands; and what is published.
import { describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { fromNodeRedis, type RedisCuckooFilter, type RedisReplica, type Send } from 'cuckoofilter-wasm/redis';
import { until } from '../../support/patience';
import { keysTo, newName, nextOf, node, open, ports } from '../clients';
import { localsOf } from '../contents';
import { disconnect } from '../server';

/** At least six blocks, of whole bytes and of others. */
const SHAPES = [
  { capacity: 20_000 },
  { capacity: 20_000, falsePositiveRate: 1e-4 },
  { capacity: 5000, maxCapacity: 40_000 },
  { capacity: 3000, maxCapacity: 30_000, falsePositiveRate: 1e-4 },
];
const FIXED = { capacity: 15_000 };
const GROWING = { capacity: 5000, maxCapacity: 40_000 };

/** Whether a refreshed replica has the bytes of one that is made now. */
async function expectCurrent(replica: RedisReplica, filter: RedisCuckooFilter): Promise<void> {
  using fresh = await filter.replica({ refreshMs: 0 });
  expect(replica.serializeShards()).toEqual(fresh.serializeShards());
}

/** Adds so many keys that the table doubles, and waits until it has. */
async function addDoubling(filter: RedisCuckooFilter, count: number): Promise<void> {
  await filter.addMany(keysTo(count, 'more'));
  const { name } = await filter.info();
  await until(async () => (await node.exists(nextOf(name))) === 0);
}

/** `send`, with `before` awaited before each command, with its name. */
function hooked(send: Send, before: (name: string, command: Parameters<Send>[0]) => unknown): Send {
  return async (command, options) => {
    const answer = await before(String(command[0]), command);
    return answer ?? send(command, options);
  };
}

test('a string of megabytes is copied whole', async () => {
  const filter = await open({ capacity: 1_000_000 });
  await filter.addMany(keysTo(1000));
  using replica = await filter.replica({ refreshMs: 0 });
  expect(replica.containsMany(keysTo(1000))).not.toContain(0);
});

test.each(SHAPES)(
  'a refresh of %j fetches the blocks that have changed, with one command',
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
      expect(sent).toEqual(['EVALSHA']);
      await expectCurrent(replica, filter);
      sent.splice(0);
      await replica.refresh();
      expect(sent).toEqual(['EVALSHA']);
    }
    await filter.deleteMany(keysTo(1000));
    sent.splice(0);
    await replica.refresh();
    expect(sent).toEqual(['EVALSHA']);
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
  test('the table doubles', async () => {
    const name = newName();
    let grow: (() => Promise<unknown>) | undefined;
    const send = hooked(fromNodeRedis(node), (_, command) =>
      command.includes('changed') ? grow?.() : undefined,
    );
    const filter = await open({ ...GROWING, name, send });
    const other = await open({ ...GROWING, name });
    await filter.addMany(keysTo(3000));
    using replica = await filter.replica({ refreshMs: 0 });
    const { byteLength } = replica;
    await other.add('a');
    grow = () => {
      grow = undefined;
      return addDoubling(other, 5000);
    };
    await replica.refresh();
    expect(replica.byteLength).toBeGreaterThan(byteLength);
    expect(replica.size).toBe(8001);
    await expectCurrent(replica, filter);
  });
});

test('a replica is right though others make as many changes as a failover has lost, or more', async () => {
  const name = newName();
  const io = new Redis({ host: '127.0.0.1', port: ports[0] as number });
  const keeper = await open({ ...FIXED, name });
  await keeper.addMany(keysTo(500));
  using first = await keeper.replica({ refreshMs: 0 }); // so that changes are recorded
  expect(first.size).toBe(500);
  const before = (await io.dumpBuffer(name)) as Buffer;
  for (let round = 0; round < 8; ++round) {
    const filter = await open({ ...FIXED, name });
    using replica = await filter.replica({ refreshMs: 0 });
    for (let i = 0; i < 3; ++i) await filter.add(`lost ${round} ${i}`);
    await replica.refresh();
    await io.restore(name, 0, before, 'REPLACE');
    const others = await open({ ...FIXED, name });
    for (let i = 0; i < 3 + round; ++i) await others.add(`added ${round} ${i}`);
    await replica.refresh();
    await expectCurrent(replica, others);
    await io.restore(name, 0, before, 'REPLACE');
  }
  await disconnect(io);
});

test('an answer that was cut, or is longer than it can be, changes no replica', async () => {
  const send = fromNodeRedis(node);
  let spoil = (bytes: Buffer): Buffer => bytes;
  const filter = await open({
    ...FIXED,
    send: async (command) => {
      const answer = await send(command);
      return command[0] === 'EVALSHA' ? spoil(answer as Buffer) : answer;
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
  const before = replica.byteLength;
  const { size } = replica;
  release();
  const { byteLength } = await filter.info();
  await until(async () => (await filter.info()).byteLength !== byteLength);
  await replica.refresh();
  expect(replica.byteLength).toBeGreaterThan(1.5 * before);
  expect(replica.size).toBe(size);
  await expectCurrent(replica, filter);
});

test.each([false, true])(
  'the same where nobody followed before, and with somebody else who follows since: %p',
  async (isFollowed) => {
    const name = newName();
    const io = new Redis({ host: '127.0.0.1', port: ports[0] as number });
    await (await open({ ...FIXED, name })).addMany(keysTo(500));
    const before = (await io.dumpBuffer(name)) as Buffer;
    for (let lost = 1; lost < 6; ++lost) {
      const filter = await open({ ...FIXED, name });
      for (let i = 0; i < lost; ++i) await filter.add(`lost ${lost} ${i}`);
      using replica = await filter.replica({ refreshMs: 0 });
      await io.restore(name, 0, before, 'REPLACE');
      const others = await open({ ...FIXED, name });
      await others.add(`added ${lost}`);
      using other = isFollowed ? await others.replica({ refreshMs: 0 }) : undefined;
      for (let i = 1; i < lost + 2 * Number(isFollowed); ++i) await others.add(`added ${lost} ${i}`);
      await replica.refresh();
      await expectCurrent(replica, others);
      expect(other?.size).toBe(isFollowed ? 501 : undefined);
      await io.restore(name, 0, before, 'REPLACE');
    }
    await disconnect(io);
  },
);

test.each<
  [
    string,
    ((filter: RedisCuckooFilter) => Promise<unknown>)[],
    ((filter: RedisCuckooFilter) => Promise<unknown>)[],
  ]
>([
  ['a delete, then an add', [(filter) => filter.delete('key 1')], [(filter) => filter.add('key 1')]],
  [
    'the same last add',
    [(filter) => filter.add('lost'), (filter) => filter.add('both')],
    [(filter) => filter.add('new'), (filter) => filter.add('both')],
  ],
])('a replica tells two histories apart that end alike: %s', async (_, lost, made) => {
  const name = newName();
  const io = new Redis({ host: '127.0.0.1', port: ports[0] as number });
  // One block, so that all changes have one record.
  const filter = await open({ capacity: 100, name });
  await filter.addMany(keysTo(20));
  using replica = await filter.replica({ refreshMs: 0 });
  const before = (await io.dumpBuffer(name)) as Buffer;
  for (const change of lost) await change(filter);
  await replica.refresh();
  await io.restore(name, 0, before, 'REPLACE');
  const others = await open({ capacity: 100, name });
  for (const change of made) await change(others);
  await replica.refresh();
  await expectCurrent(replica, others);
  await disconnect(io);
});
