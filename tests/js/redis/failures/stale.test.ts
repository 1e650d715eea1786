// A server's replica may lack keys that were acknowledged: it answers nothing, unless a filter is opened for stale answers.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import {
  fromIoRedis,
  fromNodeRedis,
  RedisBatchError,
  RedisCuckooFilter,
  type Send,
} from 'cuckoofilter-wasm/redis';
import { PATIENCE } from '../../support/patience';
import { keysTo } from '../keys';
import { atEnd, disconnect, serverPorts } from '../server';

const host = '127.0.0.1';
const ports = serverPorts('--sentinel');
/** Clients of the server that is the master at first, and of its replica. */
const clients: { sendCommand(words: string[]): Promise<unknown> }[] = [];
const sends: Send[] = [];

beforeAll(async () => {
  for (const port of ports.slice(0, 2)) {
    const node = createClient({ socket: { host, port } });
    node.on('error', () => undefined);
    atEnd(() => node.destroy());
    await node.connect();
    clients.push(node);
    sends.push(fromNodeRedis(node));
  }
  const io = new Redis({ host, port: ports[1] as number, autoResendUnfulfilledCommands: false });
  io.on('error', () => undefined);
  atEnd(() => disconnect(io));
  sends.push(fromIoRedis(io));
});

const call = (server: 0 | 1, ...words: string[]): Promise<unknown> =>
  (clients[server] as (typeof clients)[number]).sendCommand(words);
const open = (send: Send, options: object = {}): Promise<RedisCuckooFilter> =>
  RedisCuckooFilter.open({ send, name: 'seen', capacity: 100_000, shards: 2, callMs: PATIENCE, ...options });

/** What a call ends with. */
async function endOf(promise: Promise<unknown>): Promise<unknown> {
  const thrown: unknown = await promise.catch((error: unknown) => error);
  const cause = thrown instanceof RedisBatchError ? thrown.cause : thrown;
  return cause instanceof Error ? cause.message : thrown;
}
const REFUSAL = /^READONLY seen(:1)? was asked of a server's replica, which may lack the last changes\. /;

/** Every kind of call, none of which a replica may answer. */
const CALLS: readonly ((filter: RedisCuckooFilter) => Promise<unknown>)[] = [
  (filter) => filter.contains('late 1'),
  (filter) => filter.count('late 1'),
  (filter) => filter.containsMany(keysTo(900, 'late')),
  (filter) => filter.add('x'),
  // These would change nothing.
  (filter) => filter.addIfAbsent('key 1'),
  (filter) => filter.delete('late 1'),
  (filter) => filter.info(),
  (filter) => filter.stats(),
  (filter) => filter.verify(),
  (filter) => filter.replica({ refreshMs: 0 }),
  (filter) => filter.expire(1000),
  (filter) => filter.reset(),
  (filter) => filter.drop(),
];

/** Makes errors within a program what they are before Redis 7: text that begins with where in the program it was raised. */
const REDIS_6 = `local real = redis
local redis = setmetatable({}, { __index = real })
function redis.pcall(...)
  local answer = real.pcall(...)
  if type(answer) ~= 'table' or not answer.err then return answer end
  if answer.err:find('^NOPERM') then return { err = '@user_script: 1: The user executing the script can\\'t run this command' } end
  return { err = '@user_script: 1: -' .. answer.err }
end
function redis.call(...)
  local answer = redis.pcall(...)
  if type(answer) == 'table' and answer.err then error(answer.err, 0) end
  return answer
end
`;

const asOfRedis6 =
  (send: Send): Send =>
  (command, given) => {
    const [name, text, ...rest] = command;
    if (name === 'EVALSHA') return Promise.reject(new Error('NOSCRIPT No matching script.'));
    return send(name === 'EVAL' ? [name, REDIS_6 + String(text), ...rest] : command, given);
  };

test('a replica opens and answers nothing, and a master that became one neither', async () => {
  const filter = await open(sends[0] as Send);
  await filter.addMany(keysTo(1000));
  await call(0, 'WAIT', '1', String(PATIENCE));
  await call(1, 'REPLICAOF', host, '1'); // The link is lost.
  await filter.addMany(keysTo(1000, 'late'));
  for (const send of [...sends.slice(1), asOfRedis6(sends[1] as Send)]) {
    expect(await endOf(open(send))).toMatch(REFUSAL);
    expect(await endOf(RedisCuckooFilter.drop({ send, name: 'seen', capacity: 100_000, shards: 2 }))).toMatch(
      REFUSAL,
    );
    const stale = await open(send, { acceptStale: true });
    expect(await stale.containsMany(keysTo(1000))).not.toContain(0);
    expect((await stale.containsMany(keysTo(1000, 'late'))).filter(Boolean).length).toBeLessThan(20);
    expect((await stale.info()).size).toBe(1000);
    expect((await stale.verify()).map(({ error }) => error)).toEqual([undefined, undefined]);
    using replica = await stale.replica({ refreshMs: 0 });
    expect(replica.containsMany(keysTo(1000))).not.toContain(0);
    for (const change of CALLS.slice(3, 6)) expect(await endOf(change(stale))).toMatch(REFUSAL);
    // A replica that lags has lost nothing.
    const { identity, epochs } = filter;
    await open(send, { acceptStale: true, identity, epochs });
    // Nor does what it lacks have to be made again.
    const gone = await endOf(open(send, { name: 'never', acceptStale: true, identity }));
    expect(gone).toMatch(/^never is not on the server that answered\. .* ask the master/);
    expect(await endOf(open(send, { name: 'never', acceptStale: true }))).toMatch(/Connect to the master$/);
  }
  // The former master keeps its connections.
  await call(1, 'REPLICAOF', 'NO', 'ONE');
  await call(0, 'REPLICAOF', host, '1');
  for (const each of CALLS) expect(await endOf(each(filter))).toMatch(REFUSAL);
  await call(0, 'REPLICAOF', 'NO', 'ONE');
  expect(await filter.containsMany(keysTo(1000, 'late'))).not.toContain(0);
});

describe('a master that takes no changes answers lookups', () => {
  test.each([
    ['as its memory is full', ['maxmemory', '1'], ['maxmemory', '0']],
    ['as it has too few replicas', ['min-replicas-to-write', '5'], ['min-replicas-to-write', '0']],
  ])('%s', async (_, set, unset) => {
    const filter = await open(sends[0] as Send, { name: 'refusing' });
    await filter.addMany(keysTo(1000));
    await call(0, 'CONFIG', 'SET', ...set);
    try {
      expect(await endOf(filter.add('x'))).toMatch(/^(OOM|NOREPLICAS)/);
      expect(await filter.contains('key 1')).toBe(true);
      expect(await filter.containsMany([...keysTo(1000), 'absent'])).toEqual(
        Uint8Array.from({ length: 1001 }, (__, i) => Number(i < 1000)),
      );
      expect((await open(sends[0] as Send, { name: 'refusing' })).created).toBe(false);
    } finally {
      await call(0, 'CONFIG', 'SET', ...unset);
    }
  });
});

test('whoever may not use BITFIELD looks up by the program, and who may only read gets an error', async () => {
  const filter = await open(sends[0] as Send, { name: 'rights' });
  await filter.addMany(keysTo(500));
  const as = async (user: string, ...rights: string[]): Promise<Send> => {
    await call(0, 'ACL', 'SETUSER', user, 'reset', 'on', '>secret', '~*', ...rights);
    const client = createClient({
      socket: { host, port: ports[0] as number },
      username: user,
      password: 'secret',
    });
    client.on('error', () => undefined);
    atEnd(() => client.destroy());
    await client.connect();
    return fromNodeRedis(client);
  };
  const many = await open(await as('some', '+eval', '+evalsha', '+getrange', '+setrange', '+strlen'), {
    name: 'rights',
  });
  expect(await many.containsMany(keysTo(500))).not.toContain(0);
  const reader = await as('reader', '+@read', '+eval', '+evalsha');
  expect(await endOf(open(reader, { name: 'rights' }))).toMatch(/^DENIED SETRANGE failed/);
  expect(await endOf(open(asOfRedis6(reader), { name: 'rights' }))).toMatch(/^DENIED SETRANGE failed/);
  const stale = await open(reader, { name: 'rights', acceptStale: true });
  expect(await stale.containsMany(keysTo(500))).not.toContain(0);
});

test('where the server has no BITFIELD or BITFIELD_RO, lookups go by the program, on a replica too', async () => {
  const without =
    (send: Send): Send =>
    (command, given) =>
      /^BITFIELD/.test(String(command[0]))
        ? Promise.reject(
            new Error(`ERR unknown command '${String(command[0])}', with args beginning with: 'a'`),
          )
        : send(command, given);
  const [master, replica] = sends.map(without) as [Send, Send];
  const filter = await open(master, { name: 'renamed' });
  await filter.addMany(keysTo(500));
  await call(1, 'REPLICAOF', host, String(ports[0]));
  await call(0, 'WAIT', '1', String(PATIENCE));
  const stale = await open(replica, { name: 'renamed', acceptStale: true });
  for (const each of [filter, stale])
    expect(await each.containsMany([...keysTo(500), 'absent'])).toEqual(
      Uint8Array.from({ length: 501 }, (_, i) => Number(i < 500)),
    );
});
