// Errors of servers, however a client library words them: what they mean for the keys of the command, and whether it is sent again.
// No server is needed.
import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { RedisBatchError, RedisTimeoutError } from 'cuckoofilter-wasm/redis';
import { rejected } from '../../support/random';
import { FakeServer } from './fake-server';

/** A filter on a server that refuses commands of these names, unless the list is emptied. */
async function refusing(refusals: Record<string, unknown>, callMs = 200) {
  const server = new FakeServer();
  const filter = await server.open({ callMs });
  server.takeNames();
  server.answer = ({ name }) => (name in refusals ? Promise.reject(refusals[name] as Error) : undefined);
  return { server, filter };
}

/** What became of a key whose command is refused with `error`, and the commands that were sent. The next one is carried out. */
async function outcomeOf(error: unknown): Promise<[outcome: string | undefined, sent: string[]]> {
  const { server, filter } = await refusing({ EVALSHA: error }, 1);
  const { outcomes, cause } = await rejected(RedisBatchError, filter.addMany(['a']));
  // READONLY is said in other words.
  expect([cause, (cause as Error | undefined)?.cause]).toContain(error);
  const sent = server.takeNames();
  server.answer = () => undefined;
  expect(await filter.addMany(['a'])).toBe(1);
  expect(server.takeNames()).toEqual(['EVALSHA']);
  return [outcomes[0], sent];
}

const OOM = 'OOM command not allowed';

test.each<[unknown, 'refused' | 'unknown']>([
  ...[
    ...['OOM no memory', 'NOREPLICAS Not enough', "READONLY You can't write", 'MISCONF Redis is configured'],
    ...['NOAUTH Authentication required.', 'WRONGPASS invalid', 'DENIED Redis is running in protected mode'],
    ...['MOVED 3999 127.0.0.1:6381', 'ASK 3999 127.0.0.1:6381', "CROSSSLOT Keys don't hash to the same slot"],
    ...['EXECABORT Transaction discarded'],
    // As client libraries word them.
    ...[`-${OOM}`, `ReplyError: ${OOM}`, `Error: ReplyError: ${OOM}`],
    `Too many Cluster redirections. Last error: ReplyError: ${OOM}`,
  ].map((message): [Error, 'refused'] => [new Error(message), 'refused']),
  [OOM, 'refused'],
  [{ message: OOM }, 'refused'],
  ...[
    ...['Socket closed unexpectedly', 'connect ECONNREFUSED 127.0.0.1:6379', 'Command timed out', ''],
    ...['Connection is closed.'],
    ...['an OOM in the middle is no code', 'OOMs are no code', 'Connection lost: OOM no memory'],
    ...['ERR something that no server has said so far'],
    ...['lost connection: unknown command', 'function not found'],
    ...['UNKILLABLE Sorry the script already executed write commands'],
  ].map((message): [Error, 'unknown'] => [new Error(message), 'unknown']),
  [undefined, 'unknown'],
  [{ message: 5 }, 'unknown'],
])('%p leaves a key %s, and is met with no other command', async (error, outcome) => {
  expect(await outcomeOf(error)).toEqual([outcome, ['EVALSHA']]);
});

test('a batch of which nothing was answered says so, with the cause', async () => {
  for (const [message, outcome] of [
    ['OOM no memory', 'refused'],
    ['lost', 'unknown'],
  ] as const) {
    const { filter } = await refusing({ EVALSHA: new Error(message) });
    for (const [keys, all] of [
      [['a', 'b'], ' of 2'],
      [new Set(['a', 'b']), ''],
    ] as const)
      expect(await rejected(RedisBatchError, filter.addMany(keys))).toMatchObject({
        name: 'RedisBatchError',
        code: 'redis-batch',
        message: `the server answered for 0${all} keys: ${message}`,
        outcomes: [outcome, outcome],
      });
  }
});

test('where a shard refuses and another one does not answer, a call says that it may still be carried out', async () => {
  const server = new FakeServer();
  const filter = await server.open({ shards: 2, callMs: 50 });
  server.answer = ({ action, keys }) => {
    if (action !== 'reset') return undefined;
    return keys[0] === 'seen' ? Promise.reject(new Error('NOREPLICAS Not enough')) : new Promise(() => {});
  };
  await rejected(RedisTimeoutError, filter.reset());
});

describe('a command that is refused for now', () => {
  test('is sent again until it is not, and not twice', async () => {
    const { server, filter } = await refusing({}, 2 ** 31 - 1);
    const messages = ['LOADING dataset', 'TRYAGAIN', 'CLUSTERDOWN down', 'MASTERDOWN down', 'BUSY script'];
    for (const error of messages.flatMap((message) => [
      ...[new Error(message), { message }, message, `-${message}`, new Error(`ReplyError: ${message}`)],
      // A cluster of ioredis, which has tried for a second or two.
      new Error(`Too many Cluster redirections. Last error: ReplyError: ${message}`),
    ])) {
      let left = 3;
      server.answer = () => (--left < 0 ? undefined : Promise.reject(error as Error));
      expect(await filter.addMany(['a', 'b'])).toBe(2);
      expect(server.takeNames()).toEqual(['EVALSHA', 'EVALSHA', 'EVALSHA', 'EVALSHA']);
    }
  });

  test('is sent again after pauses, each longer than the last, for the time that was given', async () => {
    const { server, filter } = await refusing({ EVALSHA: new Error('LOADING') }, 100);
    const begun = performance.now();
    const { outcomes } = await rejected(RedisBatchError, filter.addMany(['a']));
    expect(outcomes).toEqual(['refused']);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(99);
    const sent = server.takeNames();
    expect(new Set(sent)).toEqual(new Set(['EVALSHA']));
    // 1 + 2 + 4 + ... + 64 milliseconds
    expect(sent.length).toBeLessThan(10);
  });
});

describe('the program', () => {
  test('is sent as text where the server does not have it, and then known by its hash', async () => {
    const { server, filter } = await refusing({ EVALSHA: new Error('NOSCRIPT No matching script') });
    await filter.add('a');
    const [byName, byText] = server.sent;
    expect(server.takeNames()).toEqual(['EVALSHA', 'EVAL']);
    expect(byName?.words[1]).toBe(createHash('sha1').update(String(byText?.words[1])).digest('hex'));
    expect(byText?.words.slice(2)).toEqual(byName?.words.slice(2));
    server.answer = () => undefined;
    await filter.add('b');
    expect(server.takeNames()).toEqual(['EVALSHA']);
  });

  test.each([
    ["ERR unknown command 'EVALSHA', with args beginning with: 'a'", 'refused'],
    ['ERR Command is not available: EVALSHA', 'refused'],
    ['NOPERM User app has no permissions to run the evalsha command', 'refused'],
    ['DENIED SETRANGE failed, and nothing was changed: any text', 'refused'],
    ['PARTIAL SETRANGE failed after a part was written: OOM command not allowed', 'unknown'],
    ['PARTIAL RENAME failed after a part was written: ERR unknown command', 'unknown'],
    ['lost', 'unknown'],
  ])('that fails with %j leaves a key %s', async (message, outcome) => {
    const { server, filter } = await refusing({ EVALSHA: new Error(message) });
    await expect(filter.add('a')).rejects.toMatchObject({ message, outcomes: [outcome] });
    expect(server.takeNames()).toEqual(['EVALSHA']);
  });
});
