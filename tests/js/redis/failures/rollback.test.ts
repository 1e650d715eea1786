// A server that has gone back to an earlier state, as after a restart from an older snapshot, a restored backup of a shard, or a
// failover that lost changes: whoever has seen more is told, and never answered "absent".
import { describe, expect, test } from '@jest/globals';
import { fromIoRedis, RedisBatchError, RedisRollbackError, type RedisProblem } from 'cuckoofilter-wasm/redis';
import { until } from '../../support/patience';
import { rejected } from '../../support/random';
import { io, keysTo, newName, open } from '../clients';

/** A filter whose shard `index` has gone back to where it was before the last keys, which are returned. */
async function fallen(index: number, options: object = {}) {
  const name = newName();
  const all = { name, capacity: 5000, shards: 2, ...options };
  const filter = await open(all);
  await filter.addMany(keysTo(500));
  const key = (await filter.info()).keys[index] as string;
  const before = (await io.dumpBuffer(key)) as Buffer;
  const late = keysTo(500, 'late');
  await filter.addMany(late);
  const { epochs, identity } = filter;
  const back = (): Promise<unknown> => io.restore(key, 0, before, 'REPLACE');
  return { filter, all, key, late, epochs, identity, back };
}

test('each change of a shard is counted', async () => {
  const filter = await open({ capacity: 100, maxCapacity: 4000 });
  expect(filter.epochs).toEqual([1]);
  await filter.add('a');
  expect(filter.epochs).toEqual([2]);
  expect([await filter.addIfAbsent('a'), await filter.delete('b')]).toEqual([false, false]);
  expect(filter.epochs).toEqual([2]);
  await filter.delete('a');
  await filter.reset();
  expect(filter.epochs).toEqual([4]);
  await filter.addMany(keysTo(4000)); // It doubles meanwhile.
  const [epoch] = filter.epochs as [number];
  expect(epoch).toBeGreaterThan(20);
  expect((await filter.stats())[0]?.epoch).toBe(epoch);
  using replica = await filter.replica({ refreshMs: 0 });
  await filter.publish(replica);
  expect(filter.epochs).toEqual([epoch + 1]);
});

test.each([66, 3000])(
  'a string of %i bytes that was cut has no epoch for `publish` to take',
  async (length) => {
    const filter = await open({ capacity: 5000 });
    await filter.addMany(keysTo(500));
    using replica = await filter.replica({ refreshMs: 0 });
    const [key] = (await filter.info()).keys as [string];
    const [epoch] = filter.epochs as [number];
    const cut = Buffer.alloc(length, 255);
    ((await io.getBuffer(key)) as Buffer).copy(cut, 0, 0, 72);
    await io.set(key, cut);
    await filter.publish(replica);
    expect(filter.epochs).toEqual([epoch + 1]);
    expect(await filter.containsMany(keysTo(500))).not.toContain(0);
  },
);

describe.each([0, 1])('where shard %i has gone back', (index) => {
  test('every call of a process that has seen more throws, and verify tells', async () => {
    const { filter, all, key, late, back } = await fallen(index);
    using replica = await filter.replica({ refreshMs: 0 });
    await back();
    for (let again = 0; again < 2; ++again) {
      await expect(filter.containsMany(late)).rejects.toMatchObject({ cause: { code: 'rollback', key } });
      await expect(filter.addMany(late)).rejects.toMatchObject({ cause: { code: 'rollback', key } });
      const health = await filter.verify();
      expect(health.map(({ error }) => (error as RedisRollbackError | undefined)?.code)).toEqual(
        [0, 1].map((i) => (i === index ? 'rollback' : undefined)),
      );
    }
    await rejected(RedisRollbackError, filter.info());
    await rejected(RedisRollbackError, filter.reset());
    // A replica does not forget.
    await rejected(RedisRollbackError, replica.refresh());
    expect(replica.containsMany(late)).not.toContain(0);
    // Not even where others go on, and pass what was seen.
    const other = await open(all);
    for (let i = 0; i < 20; ++i) await other.add(`other ${i}`);
    await expect(filter.containsMany(late)).rejects.toMatchObject({ cause: { code: 'rollback' } });
    // What it remembers can be published.
    await filter.publish(replica);
    expect(await filter.containsMany(late)).not.toContain(0);
    expect((await filter.verify()).map(({ error }) => error)).toEqual([undefined, undefined]);
  });

  test('what another process has repaired is open to who noticed nothing, and to who opens it again', async () => {
    const { filter, all, late, epochs, identity, back } = await fallen(index);
    const [other, unaware] = [await open(all), await open(all)];
    using replica = await other.replica({ refreshMs: 0 });
    await back();
    await rejected(Error, filter.containsMany(late));
    await other.publish(replica);
    expect(await unaware.containsMany(late)).not.toContain(0);
    const { cause } = await rejected(RedisBatchError, filter.containsMany(late));
    expect((cause as Error).message).toMatch(/open the filter again, without epochs, in every process/);
    const again = await open({ ...all, identity, epochs });
    expect(await again.containsMany(late)).not.toContain(0);
  });

  test('open tells it by the epochs that a program has kept, or goes on if it is told so', async () => {
    const { all, key, late, epochs, identity, back } = await fallen(index);
    await open({ ...all, identity, epochs });
    await back();
    const error = await rejected(RedisRollbackError, open({ ...all, identity, epochs }));
    expect(error).toMatchObject({ key, seen: epochs[index] });
    expect(error.message).toMatch(
      /lost its last changes \(it is at change \d+, this process has seen change \d+\).*open the filter again.*acceptRollback: true/,
    );
    // Who kept nothing cannot know.
    expect((await open(all)).created).toBe(false);
    const filter = await open({ ...all, identity, epochs, acceptRollback: true });
    expect(await filter.containsMany(keysTo(500))).not.toContain(0);
    expect((await filter.verify())[index]?.error).toBeInstanceOf(RedisRollbackError);
    await filter.addMany(late);
    expect(await filter.containsMany(late)).not.toContain(0);
  });

  test('a process that accepts it goes on, and its replica follows', async () => {
    const { filter, key, late, back } = await fallen(index, { acceptRollback: true });
    using replica = await filter.replica({ refreshMs: 0 });
    await back();
    expect(await filter.containsMany(late)).toContain(0);
    await replica.refresh();
    expect(replica.containsMany(late)).toContain(0);
    expect((await filter.verify())[index]).toMatchObject({ key, error: { code: 'rollback' } });
    await filter.addMany(late);
    await replica.refresh();
    expect([await filter.containsMany(late), replica.containsMany(late)]).toEqual([
      new Uint8Array(500).fill(1),
      new Uint8Array(500).fill(1),
    ]);
  });
});

test('who accepts rollbacks is told of each', async () => {
  const name = newName();
  const problems: RedisProblem[] = [];
  const options = {
    name,
    acceptRollback: true,
    onProblem: (problem: RedisProblem) => problems.push(problem),
  };
  const filter = await open(options);
  const before = (await io.dumpBuffer(name)) as Buffer;
  for (let crash = 1; crash < 4; ++crash) {
    for (let i = 0; i < crash; ++i) await filter.add(`${crash} ${i}`);
    await io.restore(name, 0, before, 'REPLACE');
    await filter.contains('any');
    const error = problems.at(-1);
    expect([problems.length, error]).toEqual([crash, expect.objectContaining({ found: 1, seen: 1 + crash })]);
    expect((await filter.verify())[0]?.error).toBe(error);
  }
});

test('info and stats do not go on after a rollback either, once others have made as many changes', async () => {
  const { filter, all, back } = await fallen(0);
  await back();
  await rejected(RedisRollbackError, filter.info());
  const other = await open(all);
  for (let i = 0; i < 30; ++i) await other.add(`other ${i}`);
  await rejected(RedisRollbackError, filter.info());
  await rejected(RedisRollbackError, filter.stats());
});

test('what only a replica has seen counts as seen', async () => {
  const name = newName();
  const [writer, follower] = [await open({ name }), await open({ name })];
  using replica = await follower.replica({ refreshMs: 0 });
  const before = (await io.dumpBuffer(name)) as Buffer;
  await writer.addMany(keysTo(50));
  await replica.refresh();
  expect(follower.epochs).toEqual(writer.epochs);
  await io.restore(name, 0, before, 'REPLACE');
  await rejected(RedisRollbackError, replica.refresh());
  expect(replica.error).toBeInstanceOf(RedisRollbackError);
  expect(replica.containsMany(keysTo(50))).not.toContain(0);
  // Who has seen as much, and noticed nothing, goes on.
  await follower.publish(replica);
  expect(await writer.containsMany(keysTo(50))).not.toContain(0);
});

test('what a lookup by the program has seen counts as seen', async () => {
  const name = newName();
  const given = fromIoRedis(io);
  const writer = await open({ name });
  const reader = await open({
    name,
    send: (command) =>
      command[0] === 'BITFIELD' ? Promise.reject(new Error('NOPERM no right to bitfield')) : given(command),
  });
  const before = (await io.dumpBuffer(name)) as Buffer;
  await writer.add('alice');
  expect(await reader.contains('alice')).toBe(true);
  await io.restore(name, 0, before, 'REPLACE');
  await rejected(RedisRollbackError, reader.contains('alice'));
});

test('two changes of a process with one number are a rollback between them', async () => {
  const given = fromIoRedis(io);
  const name = newName();
  let held: ((value?: unknown) => void) | undefined;
  const problems: unknown[] = [];
  const filter = await open({
    name,
    onProblem: (problem) => problems.push(problem),
    send: async (command, options) => {
      if (command.includes('change') && held === undefined) await new Promise((resolve) => (held = resolve));
      return given(command, options);
    },
  });
  const before = (await io.dumpBuffer(name)) as Buffer;
  // A connection of a pool hangs, and another one goes on.
  const late = rejected(Error, filter.add('late'));
  await until(() => held !== undefined);
  await filter.add('lost');
  await io.restore(name, 0, before, 'REPLACE');
  held?.();
  expect(await late).toMatchObject({ code: 'rollback', seen: 2, found: 1, outcomes: ['unknown'] });
  await rejected(RedisRollbackError, filter.contains('lost'));
  expect(problems).toHaveLength(1);
});

test.each([false, true])(
  'an answer that comes late tells nothing of what was published or accepted since (accepted: %p)',
  async (acceptRollback) => {
    const given = fromIoRedis(io);
    const name = newName();
    let release: (() => void) | undefined;
    let holds = false;
    const problems: unknown[] = [];
    const filter = await open({
      ...{ name, acceptRollback, onProblem: (problem: unknown) => problems.push(problem) },
      send: async (command, options) => {
        const isHeld = holds;
        holds = false;
        const answer = await given(command, options);
        if (isHeld) await new Promise<void>((resolve) => (release = resolve));
        return answer;
      },
    });
    const before = (await io.dumpBuffer(name)) as Buffer;
    for (let i = 0; i < 5; ++i) await filter.add(`key ${i}`);
    using replica = await filter.replica({ refreshMs: 0 });
    await io.restore(name, 0, before, 'REPLACE');
    holds = true;
    const late = filter.contains('key 1');
    await until(() => release !== undefined);
    if (acceptRollback) expect(await filter.contains('key 1')).toBe(false);
    else await rejected(RedisRollbackError, filter.contains('key 1'));
    await filter.publish(replica);
    release?.();
    expect(await late).toBe(!acceptRollback);
    expect(await filter.contains('key 1')).toBe(true);
    expect([problems.length, filter.epochs]).toEqual([1, [(await filter.stats())[0]?.epoch]]);
  },
);

test('calls that are answered out of turn are no rollback', async () => {
  const given = fromIoRedis(io);
  let turn = 0;
  const filter = await open({
    send: async (command) => {
      const answer = await given(command);
      if (++turn % 2 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      return answer;
    },
  });
  const calls: Promise<unknown>[] = [];
  for (let i = 0; i < 60; ++i) {
    calls.push(i % 3 === 0 ? filter.contains(`key ${i}`) : filter.add(`key ${i}`));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(calls);
});
