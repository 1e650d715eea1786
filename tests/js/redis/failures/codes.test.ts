// Errors of the server by their code, at every step of every call, however a client library words them.
import { describe, expect, test } from '@jest/globals';
import { fromNodeRedis, RedisBatchError, type KeyOutcome, type Send } from 'cuckoofilter-wasm/redis';
import { keysTo, node, open } from '../clients';

/** What servers say, by the outcome of the keys that are on their way. */
const REFUSED = [
  "OOM command not allowed when used memory > 'maxmemory'.",
  'NOREPLICAS Not enough good replicas to write.',
  "READONLY You can't write against a read only replica.",
  'MISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist to disk.',
  'NOAUTH Authentication required.',
  'MOVED 3999 127.0.0.1:6381',
  'ASK 3999 127.0.0.1:6381',
  "CROSSSLOT Keys in request don't hash to the same slot",
  'EXECABORT Transaction discarded because of previous errors.',
];
const LATER = [
  'LOADING Redis is loading the dataset in memory',
  'TRYAGAIN Multiple keys request during rehashing of slot',
  'CLUSTERDOWN The cluster is down',
  "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
  'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.',
];
const UNKNOWN = [
  'UNKILLABLE Sorry the script already executed write commands against the dataset.',
  'ERR Error running script (call to f_1): @user_script:5: user_script:5: attempt to index a nil value',
  'ERR something that no server has said so far',
  'Socket closed unexpectedly',
  'connect ECONNREFUSED 127.0.0.1:6379',
  'Connection is closed.',
  'Command timed out',
  'an OOM in the middle is no code',
];

/** As client libraries reject with it. */
const WORDINGS: readonly [string, (message: string) => unknown][] = [
  ['an Error', (message) => new Error(message)],
  ['an object of its own', (message) => ({ name: 'ReplyError', message })],
  ['text', (message) => message],
  ['text with its dash', (message) => `-${message}`],
  ['an Error that names its class', (message) => new Error(`ReplyError: ${message}`)],
];

const isChange = (command: (string | Uint8Array)[]): boolean => command.includes('add');

/** A filter whose changes are refused with `error` while `isBroken` says so; and what was sent. */
async function refusing(error: () => unknown, retryMs: number) {
  const sent: string[] = [];
  const state = { isBroken: true };
  const given = fromNodeRedis(node);
  const send: Send = (command) => {
    sent.push(String(command[0]));
    return state.isBroken && isChange(command) ? Promise.reject(error()) : given(command);
  };
  const filter = await open({ send, retryMs });
  sent.length = 0;
  return { filter, sent, state };
}

async function outcomeOf(adding: Promise<unknown>): Promise<KeyOutcome | undefined> {
  const error: unknown = await adding.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RedisBatchError);
  return (error as RedisBatchError).outcomes[0];
}

describe.each(WORDINGS)('an error that comes as %s', (_, wording) => {
  test('is a refusal by its code alone, is met with no other command, and is gone with its cause', async () => {
    for (const message of REFUSED) {
      const { filter, sent, state } = await refusing(() => wording(message), 10_000);
      expect([message, await outcomeOf(filter.addMany(['a']))]).toEqual([message, 'refused']);
      expect(sent).toEqual(['FCALL']);
      state.isBroken = false;
      expect(await filter.addMany(['a'])).toBe(1);
      expect(sent).toEqual(['FCALL', 'FCALL']);
      expect(await filter.count('a')).toBe(1);
    }
  });

  test('is waited for if it passes, for the time that was given', async () => {
    for (const message of LATER) {
      const { filter, sent } = await refusing(() => wording(message), 120);
      const begun = performance.now();
      expect([message, await outcomeOf(filter.addMany(['a']))]).toEqual([message, 'refused']);
      expect(performance.now() - begun).toBeGreaterThan(110);
      expect(new Set(sent)).toEqual(new Set(['FCALL']));
      expect(sent.length).toBeGreaterThan(1);
      const passing = await refusing(() => wording(message), 60_000);
      setTimeout(() => (passing.state.isBroken = false), 20);
      expect(await passing.filter.addMany(['a'])).toBe(1);
      expect(await passing.filter.count('a')).toBe(1);
    }
  });

  test('leaves a key unknown if its code does not say otherwise', async () => {
    for (const message of UNKNOWN) {
      const { filter, sent } = await refusing(() => wording(message), 10_000);
      expect([message, await outcomeOf(filter.addMany(['a']))]).toEqual([message, 'unknown']);
      expect(sent).toEqual(['FCALL']);
    }
  });
});

test('every code at every step of every call leaves the filter as it says, and is over with its cause', async () => {
  const messages = [
    ...REFUSED,
    ...LATER,
    'NOPERM this user has no permissions',
    'NOSCRIPT No matching script',
  ];
  for (const message of messages)
    for (const method of ['addMany', 'addManyIfAbsent', 'deleteMany', 'containsMany'] as const) {
      const given = fromNodeRedis(node);
      const options = { capacity: 60, maxCapacity: 2000, falsePositiveRate: 1e-6 };
      let left = Infinity;
      const filter = await open({
        ...options,
        retryMs: 50,
        send: (command) => (--left === 0 ? Promise.reject(new Error(message)) : given(command)),
      });
      const keys = keysTo(200);
      for (let at = 1; at < 12; ++at) {
        await filter.reset();
        if (method === 'deleteMany') await filter.addMany(keys);
        left = at;
        const asking: Promise<unknown> = filter[method](keys);
        const error: unknown = await asking.then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        left = Infinity;
        if (error === undefined) continue;
        expect(error).toBeInstanceOf(RedisBatchError);
        if (method === 'containsMany') continue;
        const { outcomes } = error as RedisBatchError;
        expect(outcomes).not.toContain('unknown');
        const wanted = outcomes.map((outcome) => Number((outcome === 'done') !== (method === 'deleteMany')));
        expect([message, method, at, await filter.containsMany(keys)]).toEqual([
          message,
          method,
          at,
          Uint8Array.from(wanted),
        ]);
      }
      await filter.drop();
    }
});

describe('Functions', () => {
  /** A server that answers some commands as `answers` says, by their names. */
  async function served(refusals: Record<string, string | undefined>) {
    const sent: string[] = [];
    const given = fromNodeRedis(node);
    const filter = await open({
      capacity: 100_000,
      retryMs: 0,
      send: (command) => {
        const name = String(command[0]);
        sent.push(name);
        const refusal = refusals[name];
        return refusal === undefined ? given(command) : Promise.reject(new Error(refusal));
      },
    });
    const take = (): string[] => sent.splice(0);
    return { filter, take };
  }

  test('are left where they are not there, and tried again after a minute', async () => {
    const refusals: Record<string, string | undefined> = {
      FCALL: "ERR unknown command 'FCALL', with args beginning with: 'a'",
    };
    const { filter, take } = await served(refusals);
    await filter.add('a');
    expect(take().filter((name) => name === 'FCALL')).toHaveLength(1);
    const { now } = performance;
    try {
      performance.now = () => now.call(performance) + 61_000;
      await filter.add('b');
      expect(take()).toEqual(['FCALL', 'EVALSHA']);
      delete refusals['FCALL'];
      performance.now = () => now.call(performance) + 130_000;
      await filter.add('c');
      expect(take()).toEqual(['FCALL']);
    } finally {
      performance.now = now;
    }
  });

  test('come back at once where scripts are refused', async () => {
    const refusals: Record<string, string | undefined> = { FCALL: 'NOPERM no permissions to run fcall' };
    const { filter, take } = await served(refusals);
    await filter.add('a');
    take();
    delete refusals['FCALL'];
    refusals['EVALSHA'] = 'NOPERM no permissions to run evalsha';
    await filter.add('b');
    expect(take()).toEqual(['EVALSHA', 'FCALL']);
    await filter.add('c');
    expect(await filter.containsMany(['a', 'b', 'c'])).toEqual(Uint8Array.of(1, 1, 1));
  });

  test('are kept where both are refused, and the error is that of the Function', async () => {
    const refusals: Record<string, string | undefined> = {};
    const { filter, take } = await served(refusals);
    take();
    refusals['FCALL'] = 'NOPERM no permissions to access one of the keys';
    refusals['EVALSHA'] = 'NOPERM no permissions to run evalsha';
    await expect(filter.add('a')).rejects.toThrow(refusals['FCALL']);
    expect(take()).toEqual(['FCALL', 'EVALSHA']);
    delete refusals['FCALL'];
    await filter.add('a');
    expect(take()).toEqual(['FCALL']);
  });

  test('that a replica has not got yet are left for a second; where they cannot be loaded for a moment, not at all', async () => {
    const refusals: Record<string, string | undefined> = {};
    const { filter, take } = await served(refusals);
    using replica = await filter.replica({ refreshMs: 0 });
    let number = 0;
    const refreshed = async (): Promise<string[]> => {
      const key = `key ${++number}`;
      await (await open({ name: (await filter.info()).name, capacity: 100_000 })).add(key);
      take();
      await replica.refresh();
      expect(replica.has(key)).toBe(true);
      return take().filter((name) => !['EVAL', 'BITFIELD_RO'].includes(name));
    };
    refusals['FCALL_RO'] = 'ERR Function not found';
    expect(await refreshed()).toEqual(['FCALL_RO', 'FUNCTION', 'FCALL_RO', 'EVALSHA']);
    delete refusals['FCALL_RO'];
    expect(await refreshed()).toEqual(['EVALSHA']);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await refreshed()).toEqual(['FCALL_RO']);
    await node.sendCommand(['FUNCTION', 'FLUSH']);
    refusals['FUNCTION'] = 'OOM command not allowed';
    refusals['EVALSHA'] = 'NOPERM no permissions to run evalsha';
    await expect(filter.add('a')).rejects.toThrow('OOM command not allowed');
    take();
    delete refusals['FUNCTION'];
    await filter.add('a');
    expect(take()).toEqual(['FCALL', 'FUNCTION', 'FCALL']);
  });

  test('are loaded by one client while another does the same', async () => {
    await node.sendCommand(['FUNCTION', 'FLUSH']);
    const given = fromNodeRedis(node);
    const sent: string[] = [];
    const filters = await Promise.all(
      Array.from({ length: 5 }, () =>
        open({
          send: (command) => {
            sent.push(String(command[0]));
            return given(command);
          },
        }),
      ),
    );
    await Promise.all(filters.map((filter) => filter.add('a')));
    expect(sent.filter((name) => name.startsWith('EVAL'))).toEqual([]);
  });
});
