// Errors of servers, however a client library words them: what they mean for the keys of the command, whether it is sent again,
// and whether the program runs as a Function or as a script. No server is needed.
import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import {
  installRedisProgram,
  measured,
  RedisBatchError,
  redisProgram,
  type RedisCuckooFilter,
} from 'cuckoofilter-wasm/redis';
import { rejected } from '../../support/random';
import { FakeServer } from './fake-server';

/** A filter on a server that refuses commands of these names, unless the list is emptied. */
async function refusing(refusals: Record<string, unknown>, retryMs = 0) {
  const server = new FakeServer();
  const filter = await server.open({ retryMs });
  server.takeNames();
  server.answer = ({ name }) => (name in refusals ? Promise.reject(refusals[name] as Error) : undefined);
  return { server, filter };
}

/** What became of a key whose command is refused with `error`, and the commands that were sent. The next one is carried out. */
async function outcomeOf(error: unknown): Promise<[outcome: string | undefined, sent: string[]]> {
  const { server, filter } = await refusing({ FCALL: error });
  const { outcomes, cause } = await rejected(RedisBatchError, filter.addMany(['a']));
  expect(cause).toBe(error);
  const sent = server.takeNames();
  server.answer = () => undefined;
  expect(await filter.addMany(['a'])).toBe(1);
  expect(server.takeNames()).toEqual(['FCALL']);
  return [outcomes[0], sent];
}

// First, because the name is computed once.
test('the program is the Function that changes, or the one that only reads, which servers that refuse changes run too', async () => {
  const server = new FakeServer();
  const { name, text } = await redisProgram();
  expect(name).toMatch(/^cuckoofilter_[0-9a-f]{12}$/);
  const filter = await server.open();
  await filter.add('a');
  await filter.reset();
  await filter.verify();
  expect(server.sent.map(({ words }) => words.slice(0, 2))).toEqual(
    ['_read', '', '', '', '_read'].map((end) => ['FCALL', name + end]),
  );
  const load = new FakeServer();
  expect(await installRedisProgram(load.send)).toBe(name);
  expect(load.sent).toMatchObject([{ words: ['FUNCTION', 'LOAD', text] }]);
  load.answer = () => Promise.reject(new Error(`ERR Library '${name}' already exists`));
  expect(await installRedisProgram(load.send)).toBe(name);
  for (const message of ['OOM no memory', 'the library already exists, it seems']) {
    load.answer = () => Promise.reject(new Error(message));
    await expect(installRedisProgram(load.send)).rejects.toThrow(message);
  }
});

const OOM = 'OOM command not allowed';
const SCRIPT = 'ERR Error running script (call to f_0a1b):';

test.each<[unknown, 'refused' | 'unknown']>([
  ...[
    ...['OOM no memory', 'NOREPLICAS Not enough', "READONLY You can't write", 'MISCONF Redis is configured'],
    ...['NOAUTH Authentication required.', 'WRONGPASS invalid', 'DENIED Redis is running in protected mode'],
    ...['MOVED 3999 127.0.0.1:6381', 'ASK 3999 127.0.0.1:6381', "CROSSSLOT Keys don't hash to the same slot"],
    ...['EXECABORT Transaction discarded', 'LOADING', 'TRYAGAIN Multiple keys', 'BUSY Redis is busy'],
    ...['CLUSTERDOWN The cluster is down', 'MASTERDOWN Link with MASTER is down', 'NOSCRIPT No script'],
    // As client libraries word them.
    ...[`-${OOM}`, `ReplyError: ${OOM}`, `Error: ReplyError: ${OOM}`],
    // Before Redis 7, an error within a script.
    ...[`${SCRIPT} @user_script:15: ${OOM}`, `${SCRIPT} @user_script: 7: -${OOM}`],
    ...[`-${SCRIPT} @user_script:1: @user_script: 1: -${OOM}`, `${SCRIPT}\n@enable_strict_lua:8: -${OOM}`],
  ].map((message): [Error, 'refused'] => [new Error(message), 'refused']),
  [OOM, 'refused'],
  [{ message: OOM }, 'refused'],
  ...[
    ...['Socket closed unexpectedly', 'connect ECONNREFUSED 127.0.0.1:6379', 'Command timed out', ''],
    ...['Connection is closed.'],
    ...['an OOM in the middle is no code', 'OOMs are no code', 'Connection lost: OOM no memory'],
    ...['ERR something that no server has said so far', `${SCRIPT} @user_script:15: attempt to index nil`],
    ...[
      `it said: ${SCRIPT} @user_script:15: ${OOM}`,
      'lost connection: unknown command',
      'function not found',
    ],
    ...['UNKILLABLE Sorry the script already executed write commands'],
  ].map((message): [Error, 'unknown'] => [new Error(message), 'unknown']),
  [undefined, 'unknown'],
  [{ message: 5 }, 'unknown'],
])('%p leaves a key %s, and is met with no other command', async (error, outcome) => {
  expect(await outcomeOf(error)).toEqual([outcome, ['FCALL']]);
});

test('a batch of which nothing was answered says so, with the cause', async () => {
  for (const [message, outcome] of [
    ['OOM no memory', 'refused'],
    ['lost', 'unknown'],
  ] as const) {
    const { filter } = await refusing({ FCALL: new Error(message) });
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

describe('a command that is refused for now', () => {
  test('is sent again until it is not, and not twice', async () => {
    const { server, filter } = await refusing({}, 2 ** 31 - 1);
    const messages = ['LOADING dataset', 'TRYAGAIN', 'CLUSTERDOWN down', 'MASTERDOWN down', 'BUSY script'];
    for (const error of messages.flatMap((message) => [
      ...[new Error(message), { message }, message, `-${message}`, new Error(`ReplyError: ${message}`)],
    ])) {
      let left = 3;
      server.answer = () => (--left < 0 ? undefined : Promise.reject(error as Error));
      expect(await filter.addMany(['a', 'b'])).toBe(2);
      expect(server.takeNames()).toEqual(['FCALL', 'FCALL', 'FCALL', 'FCALL']);
    }
  });

  test('is sent again after pauses, each longer than the last, for the time that was given', async () => {
    const { server, filter } = await refusing({ FCALL: new Error('LOADING') }, 100);
    const begun = performance.now();
    const { outcomes } = await rejected(RedisBatchError, filter.addMany(['a']));
    expect(outcomes).toEqual(['refused']);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(99);
    const sent = server.takeNames();
    expect(new Set(sent)).toEqual(new Set(['FCALL']));
    // 1 + 2 + 4 + ... + 64 milliseconds
    expect(sent.length).toBeLessThan(10);
  });
});

describe('the program', () => {
  const FORBIDDEN = new Error('NOPERM this user has no permissions');
  const MISSING = new Error('ERR Function not found');
  const UNKNOWN_COMMANDS = [
    "ERR unknown command 'FCALL', with args beginning with: 'a'",
    'ERR unknown redis command',
    'ERR Command is not available: FCALL',
    'ERR command FCALL is not supported',
    'ERR function FCALL is not allowed',
    'ERR unsupported command',
  ].map((message) => new Error(message));

  /** `add`, and the commands that it sends. */
  async function sentBy(filter: RedisCuckooFilter, server: FakeServer): Promise<string[]> {
    await filter.add('a');
    return server.takeNames();
  }

  test.each([FORBIDDEN, ...UNKNOWN_COMMANDS])(
    'is a script where the server says %p, for a minute',
    async (error) => {
      const refusals: Record<string, unknown> = {
        FCALL: error,
        EVALSHA: new Error('NOSCRIPT No matching script'),
      };
      const { server, filter } = await refusing(refusals);
      await filter.add('a');
      const [, byName, byText] = server.sent;
      expect(server.takeNames()).toEqual(['FCALL', 'EVALSHA', 'EVAL']);
      expect(byText?.words[1]).toMatch(/return run\(KEYS, ARGV\)\n$/);
      expect(byName?.words[1]).toBe(createHash('sha1').update(String(byText?.words[1])).digest('hex'));
      delete refusals['EVALSHA'];
      const { now } = performance;
      try {
        expect(await sentBy(filter, server)).toEqual(['EVALSHA']);
        performance.now = () => now.call(performance) + 61_000;
        expect(await sentBy(filter, server)).toEqual(['FCALL', 'EVALSHA']);
        delete refusals['FCALL'];
        performance.now = () => now.call(performance) + 130_000;
        expect(await sentBy(filter, server)).toEqual(['FCALL']);
      } finally {
        performance.now = now;
      }
    },
  );

  test('is a Function again as soon as scripts are forbidden, but not after another error of a script', async () => {
    const refusals: Record<string, unknown> = { FCALL: FORBIDDEN };
    const { server, filter } = await refusing(refusals);
    expect(await sentBy(filter, server)).toEqual(['FCALL', 'EVALSHA']);
    refusals['EVALSHA'] = new Error(OOM);
    await expect(filter.add('a')).rejects.toThrow(OOM);
    expect(server.takeNames()).toEqual(['EVALSHA']);
    refusals['EVALSHA'] = FORBIDDEN;
    delete refusals['FCALL'];
    expect(await sentBy(filter, server)).toEqual(['EVALSHA', 'FCALL']);
  });

  test('is loaded where it is missing, once', async () => {
    let isLoaded = false;
    const { server, filter } = await refusing({});
    server.answer = ({ name }) => {
      if (name !== 'FUNCTION') return isLoaded ? undefined : Promise.reject(MISSING);
      isLoaded = true;
      return 'OK';
    };
    expect(await sentBy(filter, server)).toEqual(['FCALL', 'FUNCTION', 'FCALL']);
    expect(await sentBy(filter, server)).toEqual(['FCALL']);
  });

  test.each<[string, number, Record<string, unknown>, string[]]>([
    ['cannot be loaded', 0, { FUNCTION: new Error(OOM) }, ['FCALL', 'FUNCTION', 'EVALSHA']],
    ['is forbidden to load', 60_000, { FUNCTION: FORBIDDEN }, ['FCALL', 'FUNCTION', 'EVALSHA']],
    ['is loaded, and missing', 1000, {}, ['FCALL', 'FUNCTION', 'FCALL', 'EVALSHA']],
    [
      'is there already, and missing',
      1000,
      { FUNCTION: new Error('ERR Library already exists') },
      ['FCALL', 'FUNCTION', 'FCALL', 'EVALSHA'],
    ],
  ])('is a script where it %s, and for %i ms after that', async (_, time, refusals, sent) => {
    const { server, filter } = await refusing({ FCALL: MISSING, ...refusals });
    const { now } = performance;
    try {
      expect(await sentBy(filter, server)).toEqual(sent);
      const instead = time > 0 ? ['EVALSHA'] : sent;
      performance.now = () => now.call(performance) + 0.5 * time;
      expect(await sentBy(filter, server)).toEqual(instead);
      performance.now = () => now.call(performance) + time;
      expect(await sentBy(filter, server)).toEqual(sent);
    } finally {
      performance.now = now;
    }
  });

  test('is a script where it is forbidden once it is loaded', async () => {
    const { server, filter } = await refusing({});
    const refusals = [MISSING, FORBIDDEN];
    server.answer = ({ name }) => (name === 'FCALL' ? Promise.reject(refusals.shift() as Error) : undefined);
    expect(await sentBy(filter, server)).toEqual(['FCALL', 'FUNCTION', 'FCALL', 'EVALSHA']);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['the Function fails', { FCALL: new Error('lost') }, 'FCALL'],
    ['loading fails', { FCALL: MISSING, FUNCTION: new Error('lost') }, 'FCALL FUNCTION'],
    ['the script fails', { FCALL: FORBIDDEN, EVALSHA: new Error('lost') }, 'FCALL EVALSHA'],
    [
      'the text of the script fails',
      { FCALL: FORBIDDEN, EVALSHA: new Error('NOSCRIPT'), EVAL: new Error('lost') },
      'FCALL EVALSHA EVAL',
    ],
  ])('is tried in no other way where %s', async (_, refusals, sent) => {
    const { server, filter } = await refusing(refusals);
    await expect(filter.add('a')).rejects.toThrow('lost');
    expect(server.takeNames().join(' ')).toBe(sent);
  });

  test('fails with the error of the Function where scripts are forbidden too, after it was loaded as well', async () => {
    const refusals: Record<string, unknown> = { FCALL: new Error('NOPERM no fcall'), EVALSHA: FORBIDDEN };
    const { server, filter } = await refusing(refusals);
    await expect(filter.add('a')).rejects.toThrow('NOPERM no fcall');
    expect(server.takeNames()).toEqual(['FCALL', 'EVALSHA']);
    delete refusals['FCALL'];
    expect(await sentBy(filter, server)).toEqual(['FCALL']);
    Object.assign(refusals, { FCALL: MISSING, FUNCTION: new Error(OOM) });
    await expect(filter.add('a')).rejects.toThrow(OOM);
    expect(server.takeNames()).toEqual(['FCALL', 'FUNCTION', 'EVALSHA']);
    let calls = 0;
    server.answer = ({ name }) => {
      if (name === 'FUNCTION') return undefined;
      return Promise.reject(++calls === 1 ? MISSING : new Error('lost'));
    };
    await expect(filter.add('a')).rejects.toThrow('lost');
    expect(server.takeNames()).toEqual(['FCALL', 'FUNCTION', 'FCALL']);
  });
});

test('measured counts by code, and what is refused, retried or failed', async () => {
  const errors = [
    'OOM no memory',
    'LOADING',
    'lost',
    'ERR unknown command',
    'ERR Function not found',
    'ERR odd',
  ];
  const { send, stats } = measured(() => Promise.reject(new Error(errors.shift())));
  while (errors.length > 0) await expect(send(['GET', 'a'])).rejects.toThrow();
  expect(stats()).toMatchObject({
    commands: 6,
    refused: 4,
    retried: 1,
    failed: 2,
    errors: { OOM: 1, LOADING: 1, ERR: 3, other: 1 },
  });
});
