// Strings that are not, or not wholly, the ones that a RedisCuckooFilter made: whichever byte differs, and whatever else the server
// says in place of them, no call takes them for its own. The server keeps strings in memory.
import { describe, expect, test } from '@jest/globals';
import { FormatError } from 'cuckoofilter-wasm';
import { RedisBatchError, type RedisCuckooFilter } from 'cuckoofilter-wasm/redis';
import { rejected } from '../../support/random';
import { FakeServer } from './fake-server';

const FIXED = { capacity: 1000 };
const GROWING = { capacity: 1000, maxCapacity: 8000 };
/** Keys that are looked up. */
const MANY = Array.from({ length: 60 }, (_, i) => i);

/** Changes byte `at` of the string under `key`, and returns what undoes it. */
function spoil({ strings }: FakeServer, key: string, at: number, bits = 1): () => void {
  const string = strings.get(key) as Buffer;
  const before = string[at] as number;
  string[at] = before ^ bits;
  return () => (string[at] = before);
}

/** The FormatErrors with which numbers of the string are read, then the whole string, and which `verify` tells of the last shard. */
async function errorsOf(filter: RedisCuckooFilter): Promise<string[]> {
  const batch = await rejected(RedisBatchError, filter.containsMany(MANY));
  expect(batch.cause).toBeInstanceOf(FormatError);
  const told = (await filter.verify()).at(-1)?.error;
  const read = await rejected(FormatError, filter.stats());
  return [read.message, (batch.cause as FormatError).message, told?.message ?? ''];
}

describe.each([FIXED, GROWING])('a filter with %j', (options) => {
  test('is opened only if the header is right, but for what counts entries or tells whose it is', async () => {
    const server = new FakeServer();
    const { identity } = await server.open(options);
    for (let at = 0; at < 72; ++at) {
      const undo = spoil(server, 'seen', at);
      const error = (await server.open(options).then(
        (filter) => (at < 58 || at >= 64 ? undefined : filter.identity === identity),
        (thrown: unknown) => thrown,
      )) as Error | boolean | undefined;
      undo();
      // Whether it is doubling; the number of entries; the identity.
      if (at === 18 || (at >= 40 && at < 48)) expect([at, error]).toEqual([at, undefined]);
      else if (at >= 58 && at < 64) expect([at, error]).toEqual([at, false]);
      else
        expect([at, error]).toEqual([
          at,
          expect.objectContaining({
            name: expect.stringMatching(/^(Format|Range)Error$/),
            message: expect.stringMatching(/^seen (on the server|was made with other options:) /),
          }),
        ]);
    }
    for (let doublings = 0; doublings < 20; ++doublings) {
      const undo = spoil(server, 'seen', 15, 4 * doublings);
      if (doublings > 0)
        await expect(server.open(options)).rejects.toThrow(
          /^seen (on the server|was made with other options:) /,
        );
      undo();
    }
    expect(await (await server.open(options)).verify()).toEqual([{ key: 'seen', error: undefined }]);
  });

  test('does not take another filter’s string for its own, whichever byte differs', async () => {
    const server = new FakeServer();
    const filter = await server.open({ ...options, shards: 2 });
    const differs =
      'seen:1 on the server belongs to another filter than the one you opened: it was made again, renamed, restored or overwritten. To use the filter that is there, open it without identity. To repair the filter, restore it from a backup; or delete all its strings (seen to seen:1) with RedisCuckooFilter.drop(options), or DEL if that throws, open it again (without identity), and add all keys again';
    // What every read compares.
    for (const at of [10, 11, 12, 13, 14, 15]) {
      const undo = spoil(server, 'seen:1', at);
      expect([at, ...(await errorsOf(filter))]).toEqual([at, differs, differs, differs]);
      undo();
    }
    for (const doublings of [1, 20, 63]) {
      const undo = spoil(server, 'seen:1', 15, 4 * doublings);
      expect(await errorsOf(filter)).toEqual([differs, differs, differs]);
      undo();
    }
    const swapped = 'seen:1 on the server is shard 0 of a filter, where shard 1 should be';
    const undoIndex = spoil(server, 'seen:1', 56);
    for (const message of await errorsOf(filter)) expect(message.startsWith(swapped)).toBe(true);
    undoIndex();
    for (let at = 58; at < 62; ++at) {
      const undo = spoil(server, 'seen:1', at);
      for (const message of await errorsOf(filter)) expect(message).toBe(differs);
      await expect(server.open({ ...options, shards: 2 })).rejects.toThrow(
        /^seen:1 on the server belongs to another filter than the one you opened: /,
      );
      undo();
    }
    // Only a call that reads the whole header can notice these.
    for (const at of [0, 1, 2, 3, 4, 5, 24, 25, 26, 27, 28, 29, 57, 62, 63]) {
      const undo = spoil(server, 'seen:1', at);
      expect((await filter.verify())[1]?.error).toMatchObject({ code: 'inconsistent' });
      undo();
    }
    expect(await filter.containsMany(MANY)).toEqual(new Uint8Array(60));
  });

  test('does not take a string that was cut or made longer for its own', async () => {
    const server = new FakeServer();
    const filter = await server.open(options);
    const whole = server.strings.get('seen') as Buffer;
    for (const length of [0, 1, 71, 72, 80, 1000, whole.length - 26]) {
      server.strings.set('seen', whole.subarray(0, length));
      for (const message of await errorsOf(filter)) expect(message).toMatch(/^seen (on the server|is gone)/);
    }
    for (const string of [whole.subarray(0, -1), Buffer.concat([whole, Buffer.of(0)])]) {
      server.strings.set('seen', string);
      const message = /^seen on the server belongs to another filter than the one you opened: /;
      await expect(filter.add('a')).rejects.toThrow(message);
      expect((await filter.verify())[0]?.error?.message).toMatch(message);
    }
  });

  test('that is gone, or of another type, is that error of every call', async () => {
    const server = new FakeServer();
    const filter = await server.open(options);
    const whole = server.strings.get('seen') as Buffer;
    const wrong = new Error('WRONGTYPE Operation against a key holding the wrong kind of value');
    for (const [answer, message] of [
      [
        () => undefined,
        /^seen is gone from the server, and its keys are lost with it: it was deleted, has expired, was evicted, or was never made whole\. /,
      ],
      [() => Promise.reject(wrong), /^seen on the server holds something else, not a filter\. /],
    ] as const) {
      server.strings.delete('seen');
      server.answer = answer;
      for (const call of [
        () => filter.add(1),
        () => filter.addIfAbsent(1),
        () => filter.delete(1),
        () => filter.contains(1),
        () => filter.stats(),
        () => filter.reset(),
        () => filter.replica({ refreshMs: 0 }),
        () =>
          filter.containsMany(MANY).catch(({ cause }: RedisBatchError) => {
            throw cause;
          }),
      ]) {
        const error = await rejected(FormatError, call());
        expect([error.code, error.message]).toEqual(['not-a-filter', expect.stringMatching(message)]);
      }
      const [health] = await filter.verify();
      expect(health?.error?.message).toMatch(message);
      server.answer = () => undefined;
      server.strings.set('seen', whole);
      expect(await filter.containsMany(MANY)).toEqual(new Uint8Array(60));
    }
  });

  test('that is gone after a change found another string there is gone', async () => {
    const server = new FakeServer();
    const filter = await server.open(options);
    server.answer = ({ action }) => {
      if (action !== 'change') return undefined;
      server.strings.delete('seen');
      throw new Error('CUCKOO differs');
    };
    const error = await rejected(FormatError, filter.add(1));
    expect([error.code, error.message]).toEqual([
      'not-a-filter',
      expect.stringMatching(/^seen is gone from the server, and its keys are lost with it: /),
    ]);
  });
});

test('a connection that breaks is no filter that is gone', async () => {
  const server = new FakeServer();
  const filter = await server.open();
  server.answer = ({ action }) => {
    if (action === 'look') throw new Error('connect ECONNREFUSED');
    return undefined;
  };
  await expect(server.open()).rejects.toThrow('connect ECONNREFUSED');
  await expect(filter.verify()).rejects.toThrow('connect ECONNREFUSED');
});

test.each(['CUCKOO moving', 'CUCKOO differs', 'WRONGTYPE'])(
  'a filter named %s that is gone is gone',
  async (name) => {
    const server = new FakeServer();
    const filter = await server.open({ name, maxCapacity: 4000 });
    server.strings.clear();
    server.takeActions();
    server.answer = () => {
      if (server.sent.length > 3) throw new Error('asked without end');
      return undefined;
    };
    const { message } = await rejected(FormatError, filter.stats());
    expect(message.startsWith(`${name} is gone from the server, and its keys are lost with it: `)).toBe(true);
  },
);

test('an identity may have any digits, and a filter more shards than a byte counts', async () => {
  const server = new FakeServer();
  const options = { shards: 258 };
  await server.open(options);
  for (const string of server.strings.values()) string.set([0, 5, 255, 0, 16, 1], 58);
  const filter = await server.open({ ...options, create: false });
  expect(filter.identity).toBe('0005ff001001');
  expect((await filter.verify()).filter(({ error }) => error !== undefined)).toEqual([]);
  expect((await server.open({ ...options, identity: '0005ff001001' })).created).toBe(false);
  expect((await filter.stats()).map(({ key }) => key)).toEqual([...server.strings.keys()]);
});
