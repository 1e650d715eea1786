// How a shard doubles in pieces: random interleavings of pieces, changes and lookups by several clients, some of which die between two
// pieces, against exact models; and what becomes of the second string.
import { describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { CuckooFilter } from 'cuckoofilter-wasm';
import {
  fromIoRedis,
  fromNodeRedis,
  RedisBatchError,
  RedisCuckooFilter,
  type Send,
} from 'cuckoofilter-wasm/redis';
import { Redis } from 'ioredis';
import { runs } from '../support/long';
import { claim, Random, rejected } from '../support/random';
import { CLIENTS, keysTo, newName, nextOf, node, openGrowing as open, ports } from './clients';
import { disconnect } from './server';

const ones = (count: number): Uint8Array => new Uint8Array(count).fill(1);
const isPiece = (command: readonly (string | Uint8Array)[]): boolean => command.includes('move');

/** Throws unless the string on the server is a sound filter with so many entries, as `deserialize` checks bit by bit. */
async function checkSound(filter: RedisCuckooFilter, size: number): Promise<void> {
  expect((await filter.info()).size).toBe(size);
  using replica = await filter.replica({ refreshMs: 0 });
  expect(
    replica.serializeShards().reduce((sum, bytes) => sum + CuckooFilter.deserialize(bytes).size, 0),
  ).toBe(size);
}

describe.each([0.06, 0.001, 0.0001, 1e-6])('at a rate of %f', (falsePositiveRate) => {
  test('no key is lost while clients add, delete and look up, and die between pieces', async () => {
    for (let seed = 1; seed <= runs(1, 30); ++seed) {
      const random = new Random(seed);
      const name = newName();
      let pieces = 0;
      const clients: RedisCuckooFilter[] = await Promise.all(
        [0, 1, 2, 3].map((i) => {
          const given = (CLIENTS[i % CLIENTS.length] as (typeof CLIENTS)[number])[1]();
          const send: Send = async (command) => {
            if (!isPiece(command)) return given(command);
            const turn = random.below(20);
            if (turn < 4) throw new Error('it died before a piece');
            await sleep(random.below(3));
            const answer = await given(command);
            ++pieces;
            if (turn < 6) throw new Error('it died after a piece');
            if (turn === 7) await node.del(nextOf(random.below(2) === 0 ? name : `${name}:1`));
            return answer;
          };
          const options = {
            capacity: 100,
            maxCapacity: 3000,
            shards: 2,
            callMicros: [100, 2000][i % 2] as number,
          };
          return open({ name, send, falsePositiveRate, ...options });
        }),
      );
      const models = await Promise.all(
        clients.map(async (filter, i) => {
          const model: string[] = [];
          for (let round = 0; round < 30; ++round) {
            const keys = keysTo(1 + random.below(50), `${i} ${round}`);
            const done = async (asking: Promise<unknown>, all: string[]): Promise<string[]> => {
              const error = (await asking.then(
                () => undefined,
                (thrown: unknown) => thrown,
              )) as { outcomes: readonly string[] } | undefined;
              if (error === undefined) return all;
              claim(!error.outcomes.includes('unknown'), () => `seed ${seed}: a refused key is unknown`);
              return all.filter((_, at) => error.outcomes[at] === 'done');
            };
            if (random.below(4) > 0) model.push(...(await done(filter.addMany(keys), keys)));
            else {
              const few = random.shuffled(model).slice(0, 30);
              const gone = new Set(await done(filter.deleteMany(few), few));
              model.splice(0, model.length, ...model.filter((key) => !gone.has(key)));
            }
            const found = await filter.containsMany(model);
            claim(!found.includes(0), () => `seed ${seed}, filter ${i}, round ${round}: a key is lost`);
          }
          return model;
        }),
      );
      const all = models.flat();
      expect(pieces).toBeGreaterThan(5);
      const late = await open({ name, falsePositiveRate, capacity: 100, maxCapacity: 3000, shards: 2 });
      expect(await late.containsMany(all)).toEqual(ones(all.length));
      await checkSound(late, all.length);
      expect(await late.deleteMany(all)).toBe(all.length);
      await checkSound(late, 0);
    }
  });
});

test('after each piece, whoever asks finds every key, and the pieces are bounded', async () => {
  const given = fromNodeRedis(node);
  const moves: number[] = [];
  const name = newName();
  const filter: RedisCuckooFilter = await open({
    name,
    capacity: 2000,
    maxCapacity: 4000,
    callMicros: 100,
    send: async (command) => {
      const answer = await given(command);
      if (!isPiece(command)) return answer;
      // Some of them each time, because there are many pieces.
      const some = keys.slice(0, added).filter((_, i) => i % 20 === moves.length % 20);
      const found = await watcher.containsMany(some);
      claim(!found.includes(0), () => `a key is lost after piece ${moves.length}`);
      moves.push(Number(await node.strLen(nextOf(name))));
      return answer;
    },
  });
  const watcher = await open({ name, capacity: 2000, maxCapacity: 4000 });
  const keys = keysTo(4000);
  let added = 0;
  for (; added < keys.length; added += 100) await filter.addMany(keys.slice(added, added + 100));
  expect(moves.length).toBeGreaterThan(50);
  expect(await watcher.containsMany(keys)).toEqual(ones(keys.length));
  for (const key of keys.slice(0, 50)) expect(await watcher.delete(key)).toBe(true);
  await checkSound(watcher, keys.length - 50);
  expect(await node.exists(nextOf(name))).toBe(0);
});

test.each(['left', 'overwritten'])(
  'a second string of another life of the filter is never taken: %s',
  async (what) => {
    const given = fromNodeRedis(node);
    const name = newName();
    let isHeld = true;
    const filter = await open({
      name,
      callMicros: 100,
      send: (command) =>
        isPiece(command) && isHeld && ++pieces > 2 ? Promise.reject(new Error('died')) : given(command),
    });
    let pieces = 0;
    const next = nextOf(name);
    // A key that finds no room before the doubling ends is refused, as it does not end.
    for (let i = 0; pieces < 3; ++i) await filter.add(`before ${i}`).catch(() => undefined);
    await filter.reset();
    expect(await node.pTTL(next)).toBeGreaterThan(0);
    const dumped = (await given(['GET', name])) as Buffer;
    expect(dumped[18]).toBe(0);
    isHeld = false;
    await filter.addMany(keysTo(60));
    if (what === 'overwritten') await node.set(next, 'something else');
    await filter.addMany(keysTo(2000, 'after'));
    expect(await filter.containsMany(keysTo(2000, 'after'))).toEqual(ones(2000));
    await checkSound(filter, 2060);
    await filter.drop();
    expect(await node.exists([name, next])).toBe(0);
  },
);

test('a filter whose name another one’s second string might have is never written over', async () => {
  const name = newName();
  const names = [name, `{${name}}`, `{${name}}:next`, `{${name}}:next:1`];
  const filters = await Promise.all(names.map((each) => open({ name: each })));
  await Promise.all(filters.map((filter, i) => filter.addMany(keysTo(2500, `${i}`))));
  for (const [i, filter] of filters.entries()) {
    expect(await filter.containsMany(keysTo(2500, `${i}`))).not.toContain(0);
    await checkSound(filter, 2500);
  }
  // That name exactly: whichever is first.
  const growing = newName();
  const filter = await open({ name: growing, capacity: 100, maxCapacity: 8000 });
  const other = await open({ name: nextOf(growing) });
  await other.addMany(keysTo(900));
  const error = await rejected(RedisBatchError, filter.addMany(keysTo(3000)));
  expect((error.cause as Error).message).toContain(`${nextOf(growing)} is another filter`);
  expect(await other.containsMany(keysTo(900))).not.toContain(0);
  await expect(open({ name: growing, capacity: 100, maxCapacity: 8000 })).rejects.toThrow(
    `${nextOf(growing)} on the server is something else, but ${growing} needs that name to grow. `,
  );
});

test('a list under the name of the second string is what the error names, and no shard is said to be wrong', async () => {
  const name = newName();
  const filter = await open({ name });
  await filter.addMany(keysTo(50));
  await node.rPush(nextOf(name), 'something else');
  const { cause } = await rejected(RedisBatchError, filter.addMany(keysTo(3000)));
  expect((cause as Error).message).toContain(`${nextOf(name)} holds something else, not a string`);
  expect(await filter.containsMany(keysTo(50))).toEqual(ones(50));
  await node.del([name, nextOf(name)]);
  await node.set(nextOf(name), 'left');
  const options = { send: fromNodeRedis(node), name, capacity: 100, maxCapacity: 3000 };
  expect([await RedisCuckooFilter.drop(options), await RedisCuckooFilter.drop(options)]).toEqual([
    true,
    false,
  ]);
});

test('a call whose table doubles each time before it arrives is carried out', async () => {
  const options = { name: newName(), capacity: 1, maxCapacity: 100_000 };
  const fast = await open(options);
  let [doublings, added] = [0, 0];
  const slow = await open({
    ...options,
    send: async (command, given) => {
      if (command.includes('change') && doublings < 8) {
        const { byteLength } = await fast.info();
        while ((await fast.info()).byteLength === byteLength) await fast.add(`key ${added++}`);
        ++doublings;
      }
      return fromNodeRedis(node)(command, given);
    },
  });
  await slow.add('slow');
  expect(doublings).toBe(8);
  expect(await fast.contains('slow')).toBe(true);
});

test('a wrapper of send that forgets keyPrefix still doubles into the same string as other processes', async () => {
  const io = new Redis({
    host: '127.0.0.1',
    port: ports[0] as number,
    autoResendUnfulfilledCommands: false,
    keyPrefix: 'app:',
  });
  const given = fromIoRedis(io);
  let pieces = 0;
  const wrapped: Send = (command, options) => {
    pieces += Number(isPiece(command));
    return given(command, options);
  };
  const options = { name: newName(), capacity: 1000, maxCapacity: 8000 };
  const [one, two] = [await open({ ...options, send: given }), await open({ ...options, send: wrapped })];
  for (let i = 0; i < 8; ++i) await (i % 2 === 0 ? one : two).addMany(keysTo(900, `${i}`));
  for (let i = 0; i < 8; ++i) expect(await two.containsMany(keysTo(900, `${i}`))).not.toContain(0);
  expect(pieces).toBeGreaterThan(0);
  const wanted = RedisCuckooFilter.keys({ ...options, send: given });
  expect(wanted).toEqual([`app:${options.name}`, `app:${options.name}:next:{app:${options.name}}`]);
  const left = (await node.keys(`*${options.name}*`)).filter((key) => !wanted.includes(key));
  expect(left).toEqual([]);
  await disconnect(io);
});

test('writers that are faster than a doubling never wait for all of it, because they wait for its pieces', async () => {
  const given = fromNodeRedis(node);
  const answers: string[] = [];
  const send: Send = async (command) => {
    if (isPiece(command)) await sleep(3); // as on a server that is slow
    const answer = await given(command);
    if (command.includes('change')) answers.push(String(answer));
    return answer;
  };
  const options = { name: newName(), shards: 2, capacity: 10_000, maxCapacity: 40_000, callMicros: 100 };
  const filters = await Promise.all([0, 1, 2, 3].map(() => open({ ...options, send })));
  const filling = filters.map(async (filter, i) => {
    for (let batch = 0; batch < 500; ++batch) await filter.addMany(keysTo(20, `${i} ${batch}`));
  });
  await Promise.all(filling);
  expect((await filters[0]?.info())?.size).toBe(40_000);
  expect(answers.filter((answer) => answer.includes('+')).length).toBeGreaterThan(100);
  expect(answers.filter((answer) => answer.includes('!'))).toEqual([]);
});
