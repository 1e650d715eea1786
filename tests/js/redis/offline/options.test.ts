// The options of RedisCuckooFilter: what is refused before anything is sent, and how, and how the others are obeyed.
import { describe, expect, test } from '@jest/globals';
import { RedisCuckooFilter, type BatchOptions } from 'cuckoofilter-wasm/redis';
import { rejected } from '../../support/random';
import { keysTo } from '../keys';
import { FakeServer, type Command } from './fake-server';
import { noBoolean, noFunction, ruleOf, ruled } from '../../api/ruled';

const NAME = 'name must be a string that is not empty, with { and } only around a hash tag, got';
const CAPACITY = `capacity must be ${ruleOf('capacity')}, got`;
const MAX_CAPACITY = 'maxCapacity must be an integer from capacity (1000) to 2^34, got';
const SHARDS = 'shards must be an integer from 1 to 16,384, got';
const CALL = 'callMs must be an integer from 1 to 2^31 - 1, got';
const EPOCHS = 'epochs must be 1 integers, as filter.epochs gives them, beside identity, got';
const MICROS = 'callMicros must be an integer from 100 to 1,000,000, got';
const IDENTITY = 'identity must be 12 hexadecimal digits, got';
const SEND = 'fromNodeRedis(client), fromIoRedis(client), or a function of your own';

test.each<[object, typeof TypeError | typeof RangeError, string]>([
  [{ name: '' }, RangeError, `${NAME} ""`],
  ...['a}b', '{b', 'a{}b', 'a{b}{c}', 'a{{b}}'].map((name): [object, typeof RangeError, string] => [
    { name },
    RangeError,
    `${NAME} "${name}"`,
  ]),
  [{ name: 'a\ud800' }, RangeError, `${NAME} "a\\ud800"`],
  [{ name: 5 }, TypeError, `${NAME} 5`],
  [{ name: Symbol('a') }, TypeError, `${NAME} Symbol(a)`],
  [
    { name: undefined },
    TypeError,
    'name is required: a string that is not empty, with { and } only around a hash tag',
  ],
  [{ send: undefined }, TypeError, `send is required: ${SEND}`],
  [{ client: {} }, TypeError, `send is required: ${SEND}`],
  [{ send: {} }, TypeError, `send must be ${SEND}, got an object`],
  [{ capacity: undefined }, TypeError, `capacity is required: ${ruleOf('capacity')}`],
  [
    { seed: 3 },
    TypeError,
    'unknown option seed; the options are send, name, capacity, maxCapacity, falsePositiveRate, hash, shards, create, identity, epochs, acceptRollback, acceptStale, callMs, callMicros, onProblem, signal',
  ],
  [{ errorRate: 0.1 }, TypeError, 'unknown option errorRate; did you mean falsePositiveRate?'],
  [{ capacity: 0 }, RangeError, `${CAPACITY} 0`],
  [{ capacity: 2 ** 34 + 1 }, RangeError, `${CAPACITY} 17179869185`],
  [{ capacity: '5' }, TypeError, `${CAPACITY} "5": pass Number(capacity)`],
  [{ maxCapacity: 999 }, RangeError, `${MAX_CAPACITY} 999`],
  [{ maxCapacity: '5' }, TypeError, `${MAX_CAPACITY} "5": pass Number(maxCapacity)`],
  [{ shards: 0.5 }, RangeError, `${SHARDS} 0.5`],
  [{ shards: 65_537 }, RangeError, `${SHARDS} 65537`],
  [{ callMs: 0 }, RangeError, `${CALL} 0`],
  [{ callMs: 2 ** 31 }, RangeError, `${CALL} 2147483648`],
  [{ acceptRollback: 1 }, TypeError, noBoolean('acceptRollback', 1)],
  [{ acceptStale: 1 }, TypeError, noBoolean('acceptStale', 1)],
  [{ onProblem: 1 }, TypeError, noFunction('onProblem', 1)],
  [{ hash: 'siphash-1-3' }, TypeError, "hash has no key: pass hash: { algorithm: 'siphash-1-3', key }"],
  [{ epochs: [5] }, TypeError, `${EPOCHS} an array`],
  [{ epochs: 5, identity: '000000000001' }, TypeError, `${EPOCHS} 5`],
  [{ epochs: [1, 2], identity: '000000000001' }, TypeError, `${EPOCHS} an array`],
  [{ epochs: [0.5], identity: '000000000001' }, TypeError, `${EPOCHS} an array`],
  [{ callMicros: 99 }, RangeError, `${MICROS} 99`],
  [{ callMicros: 1e6 + 1 }, RangeError, `${MICROS} 1000001`],
  [{ create: 'yes' }, TypeError, noBoolean('create', 'yes')],
  ...['it', '0123456789abc', 'x0123456789ab', '0123456789AB'].map(
    (identity): [object, typeof RangeError, string] => [
      { identity },
      RangeError,
      `${IDENTITY} "${identity}"`,
    ],
  ),
  [{ identity: 123456789012 }, TypeError, `${IDENTITY} 123456789012`],
  [{ falsePositiveRate: 0 }, RangeError, ruled('falsePositiveRate', 0)],
  [{ falsePositiveRate: 1 }, RangeError, ruled('falsePositiveRate', 1)],
  [{ falsePositiveRate: '0.5' }, TypeError, ruled('falsePositiveRate', '0.5')],
  [{ falsePositiveRate: 1e-9 }, RangeError, 'falsePositiveRate must be at least 2.01e-7, got 1e-9'],
  [{ falsePositiveRate: 2e-7 }, RangeError, 'falsePositiveRate must be at least 2.01e-7, got 2e-7'],
])('%j is refused', async (options, Kind, message) => {
  const server = new FakeServer();
  const given = { send: server.send, name: 'seen', capacity: 1000, ...options };
  const error = await rejected<Error>(Kind, RedisCuckooFilter.open(given as never));
  expect(error).toMatchObject({ code: 'invalid-argument', message });
  expect(error.constructor).toBe(Kind);
  expect(server.sent).toEqual([]);
});

test('a filter is opened, and not made with new', () => {
  expect(
    () => new (RedisCuckooFilter as unknown as new (options?: object) => unknown)({ capacity: 5 }),
  ).toThrow('create a filter with await RedisCuckooFilter.open(options)');
});

test('behind a Proxy, a filter works, and its replica says what to do', async () => {
  const filter = new Proxy(await new FakeServer().open(), {});
  await filter.contains('a');
  await filter.containsMany(['a']);
  expect([(await filter.verify()).length, filter.epochs.length]).toEqual([1, 1]);
  const behind = new Proxy(await filter.replica({ refreshMs: 0 }), {});
  const advice =
    /^a method was called without its filter: call it on the filter itself, not on a copy or Proxy/;
  for (const call of [
    () => behind.refresh(),
    async () => behind.contains('a'),
    async () => behind.containsMany(['a']),
    () => filter.publish(behind),
  ])
    await expect(call()).rejects.toThrow(advice);
});

test('options that are left out are asked for with an example', async () => {
  await expect(RedisCuckooFilter.open(undefined as never)).rejects.toThrow(
    new TypeError(
      "options are required, such as { send: fromNodeRedis(client), name: 'seen', capacity: 1000 }",
    ),
  );
});

test.each([
  'seen',
  'a b',
  '{a}',
  '{user 7}',
  'a{user 7}',
  '{user 7}b',
  'a{user 7}: all',
  'é',
  '\ud83d\ude00',
])('the name %j is the key of the first shard, and begins those of the others', async (name) => {
  const filter = await new FakeServer().open({ name, shards: 2 });
  expect((await filter.info()).keys).toEqual([name, `${name}:1`]);
});

test.each([
  { callMs: 2 ** 31 - 1 },
  { callMicros: 100 },
  { callMicros: 1e6 },
  { shards: 1 },
  { maxCapacity: 1000 },
])('%j is taken', async (options) => expect((await new FakeServer().open(options)).created).toBe(true));

describe('callMicros', () => {
  /** The calls of this action, and the reads, that a filter with that `callMicros` makes of 1000 keys. */
  async function sent(callMicros: number): Promise<{ adds: Command[]; reads: number }> {
    const server = new FakeServer();
    const adds: Command[] = [];
    server.answer = (command) => void (command.action === 'change' && adds.push(command));
    const filter = await server.open({ capacity: 100_000, callMicros });
    await filter.addMany(keysTo(1000));
    server.takeNames();
    await Promise.all(keysTo(100).map((key) => filter.contains(key)));
    return { adds, reads: server.takeNames().length };
  }

  test('says how many keys one call adds or looks up, and how much work it may do', async () => {
    const [few, many] = [await sent(100), await sent(20_000)];
    for (const { count } of few.adds) expect(count).toBeLessThanOrEqual(10);
    for (const { work } of few.adds) expect(work).toBeLessThanOrEqual(100);
    expect(few.reads).toBeGreaterThanOrEqual(4);
    expect([many.adds.length, many.reads]).toEqual([1, 1]);
    expect(many.adds[0]?.work).toBeGreaterThan(1000);
    expect(many.adds[0]?.work).toBeLessThanOrEqual(20_000);
  });
});

test.each<[object, string]>([
  [{ onProgress: 5 }, noFunction('onProgress', 5)],
  [{ onProgress: null }, noFunction('onProgress', null)],
  [{ onprogress: String }, 'unknown option onprogress; did you mean onProgress?'],
  [{ signal: {} }, 'signal must be an AbortSignal, got an object'],
])('of a batch, %j is refused, and nothing is sent', async (options, message) => {
  const server = new FakeServer();
  const filter = await server.open();
  server.takeNames();
  const wrong = options as BatchOptions;
  for (const call of ['addMany', 'addManyIfAbsent', 'containsMany', 'deleteMany'] as const)
    expect(await rejected(TypeError, filter[call](['a'], wrong))).toMatchObject({ message });
  expect(server.sent).toEqual([]);
});
