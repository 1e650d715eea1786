// Answers that no server gives: each is an error, so that nothing counts as done that was not.
import { describe, expect, test } from '@jest/globals';
import { RedisBatchError, RedisGrowthError, type RedisCuckooFilter } from 'cuckoofilter-wasm/redis';
import { rejected } from '../../support/random';
import { FakeServer, type Words } from './fake-server';

/** What each call sends, by its action, with answers that are wrong: before, behind or within the right one. */
const CALLS: Readonly<
  Record<string, [call: (filter: RedisCuckooFilter) => Promise<unknown>, wrong: string[]]>
> = {
  add: [(filter) => filter.add('a'), ['x0.', '0.x', '5.', '0', '.', '00.', '0,']],
  addIfAbsent: [(filter) => filter.addIfAbsent('a'), ['x3.', '3.x', '03.']],
  delete: [(filter) => filter.delete('a'), ['x0.', '0!x']],
  expire: [(filter) => filter.expire(5), ['xset', 'setx']],
  reset: [(filter) => filter.reset(), ['xemptied 3', 'emptied 3x', 'emptied']],
  drop: [(filter) => filter.drop(), ['xdropped', 'droppedx', 'gonex', '1']],
};

describe.each(Object.entries(CALLS))('the answer to %s', (action, [call, wrong]) => {
  test.each(wrong)('is an error where it is %j', async (answer) => {
    const server = new FakeServer();
    const filter = await server.open();
    server.answer = (command) => ((command.first || command.action) === action ? answer : undefined);
    expect((await rejected(TypeError, call(filter))).message).toMatch(
      /^(send returned .*\. It must return the server's answer|the server answered for \d of 1 keys)$/,
    );
  });

  test('may be bytes, of any class', async () => {
    const server = new FakeServer();
    const filter = await server.open({
      send: async (command) => {
        const answer = await server.send(command);
        return typeof answer === 'string' ? new TextEncoder().encode(answer) : answer;
      },
    });
    await call(filter);
  });
});

test.each(['xcreated', 'createdx', 'xother', 'otherx'])(
  '%j is no answer where a shard is made',
  async (answer) => {
    const server = new FakeServer();
    server.answer = ({ action }) => (action === 'make' ? answer : undefined);
    await expect(server.open()).rejects.toThrow(
      `send returned "${answer}". It must return the server's answer`,
    );
  },
);

test.each(['xmade', 'madex'])('%j is no answer where all shards are made', async (answer) => {
  const server = new FakeServer();
  server.answer = ({ action }) => (action === 'made' ? answer : undefined);
  await expect(server.open({ shards: 2 })).rejects.toThrow(`send returned "${answer}"`);
});

test.each(['xreplaced 3', 'replaced 3x', 'replaced'])(
  '%j is no answer to what is published',
  async (answer) => {
    const server = new FakeServer();
    const filter = await server.open();
    using replica = await filter.replica({ refreshMs: 0 });
    await filter.publish(replica);
    server.answer = ({ action }) => (action === 'replace' ? answer : undefined);
    await expect(filter.publish(replica)).rejects.toThrow(`send returned "${answer}"`);
  },
);

describe('where a table must double', () => {
  /** Adds a key for which it must, while the pieces are answered with `moves`. Returns how many pieces were asked for. */
  async function doubled(...moves: string[]): Promise<number> {
    const server = new FakeServer();
    const filter = await server.open({ maxCapacity: 8000 });
    let pieces = 0;
    server.answer = ({ action }) => {
      if (action === 'move') return moves[Math.min(pieces++, moves.length - 1)];
      return action === 'change' && pieces === 0 ? '4!' : undefined;
    };
    await filter.add('a');
    return pieces;
  }

  test.each(['xmoved', 'movedx', 'moving', 'moving 1', 'moving a b', 'xmoving 0 10', 'moving 0 10x'])(
    '%j is no answer',
    async (answer) => {
      const error = await rejected(RedisGrowthError, doubled(answer));
      expect(error.message).toBe(
        'seen must double, but that failed. Keys are still added while they fit. ' +
          'Mend the cause; the next add that finds no room tries again. The cause: ' +
          `send returned "${answer}". It must return the server's answer`,
      );
    },
  );

  test('pieces are moved from one bucket to another until all are', async () => {
    await expect(doubled('moving 0 10', 'moving 100 2000', 'moving 2000 2001', '00')).rejects.toThrow('"00"');
  });
});

test('text in place of bytes says what to do', async () => {
  const server = new FakeServer();
  const send = async (words: Words): Promise<unknown> => {
    const answer = await server.send(words);
    return Buffer.isBuffer(answer) ? answer.toString() : answer;
  };
  await server.open();
  expect((await rejected(TypeError, server.open({ send }))).message).toBe(
    'send returned text, which damages bytes. It must return Buffers, as fromNodeRedis and fromIoRedis do',
  );
});

test.each(['QUEUED', Buffer.from('QUEUED')])('an answer of a transaction, %p, says so', async (answer) => {
  const server = new FakeServer();
  const filter = await server.open();
  const replica = await filter.replica({ refreshMs: 0 });
  server.answer = () => answer;
  const told = new TypeError("send returned QUEUED, as within MULTI. It must return the server's answer");
  for (const call of [
    () => filter.add('a'),
    () => filter.has('a'),
    () => filter.info(),
    () => filter.verify(),
    () => filter.drop(),
    () => server.open(),
    () => replica.refresh(),
  ])
    await expect(call()).rejects.toThrow(told);
  replica.dispose();
});

test.each(['OK', 'x0.', '0.x', '0x.'])(
  '%j leaves two keys unknown whose command it answers',
  async (answer) => {
    const server = new FakeServer();
    const filter = await server.open();
    server.answer = () => answer;
    const { outcomes, message } = await rejected(RedisBatchError, filter.addMany(['a', 'b']));
    expect(outcomes).toEqual(['unknown', 'unknown']);
    expect(message).toMatch(/^the server answered for 0 of 2 keys: send returned "/);
  },
);

test.each([undefined, null, 1])('%p in place of every answer says so', async (answer) => {
  const send = (): Promise<unknown> => Promise.resolve(answer);
  expect(await rejected(TypeError, new FakeServer().open({ send }))).toMatchObject({
    code: 'invalid-argument',
    message: `send returned ${answer}. It must return the server's answer`,
  });
});
