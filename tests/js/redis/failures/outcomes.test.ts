// What RedisCuckooFilter says of each key where a command fails, beside what the server has: `done` is done, `refused` is not, and
// only a key that was on its way when the answer was lost is `unknown`.
import { describe, expect, test } from '@jest/globals';
import {
  fromNodeRedis,
  RedisBatchError,
  RedisFullError,
  type KeyOutcome,
  type RedisCuckooFilter,
  type Send,
} from 'cuckoofilter-wasm/redis';
import { IS_LONG } from '../../support/long';
import { claim } from '../../support/random';
import { keysTo, newName, node, open } from '../clients';

type Command = Parameters<Send>[0];

/** Ways in which a command fails: before the server has it, or after that. Other refusals: offline/refusals.test.ts. */
const FAILURES: Readonly<Record<string, (ask: () => Promise<unknown>) => Promise<unknown>>> = {
  OOM: () => Promise.reject(new Error("OOM command not allowed when used memory > 'maxmemory'.")),
  'no connection': () => Promise.reject(new Error('connect ECONNREFUSED')),
  'a lost answer': async (ask) => {
    await ask();
    throw new Error('Socket closed unexpectedly');
  },
  'an answer cut short': async (ask) => String(await ask()).slice(1),
};
/** Those with which the server says that it did nothing. */
const IS_REFUSAL = /^[A-Z]+$/;

/** A filter whose command number `at` fails, counted from the call of `begin` on; and every one from there on if `lasts`. */
async function failing(
  options: Parameters<typeof open>[0],
  at: number,
  failure: string,
  lasts: boolean,
): Promise<{ filter: RedisCuckooFilter; truth: RedisCuckooFilter; begin: () => void; failed: Command[] }> {
  const send = fromNodeRedis(node);
  const name = newName();
  let left = Infinity;
  const failed: Command[] = [];
  const filter = await open({
    ...options,
    name,
    send: (command) => {
      --left;
      if (left > 0 || (left < 0 && !lasts)) return send(command);
      failed.push(command);
      return (FAILURES[failure] as (ask: () => Promise<unknown>) => Promise<unknown>)(() => send(command));
    },
  });
  const truth = await open({ ...options, name });
  return { filter, truth, failed, begin: () => (left = at) };
}

/** The outcomes that a batch told, all of them if it ended well. */
async function outcomesOf(asking: Promise<unknown>, count: number): Promise<readonly KeyOutcome[]> {
  try {
    await asking;
    return Array<KeyOutcome>(count).fill('done');
  } catch (error) {
    claim(error instanceof RedisBatchError || error instanceof RedisFullError, () => String(error));
    return (error as RedisBatchError).outcomes;
  }
}

/** Keys in a command that changes them: 12 bytes each. */
function keysIn(commands: readonly Command[]): number {
  const changes = commands.filter((command) => command.includes('change'));
  return changes.reduce((sum, command) => {
    const at = command.indexOf('change');
    return sum + (command[at + 2] as Uint8Array).length / 12;
  }, 0);
}

// Few keys a command, so that few keys take many.
const FEW = { shards: 2, falsePositiveRate: 1e-6, callMicros: 200 };
const GROWING = { ...FEW, capacity: 20, maxCapacity: 400 };
const FIXED = { ...FEW, capacity: 300 };

describe.each(Object.keys(FAILURES))('where %s comes in place of an answer', (failure) => {
  test.each([
    ['addMany', GROWING, 150],
    ['addManyIfAbsent', GROWING, 150],
    ['addMany', FIXED, 200],
    ['deleteMany', FIXED, 200],
  ] as const)(
    '%s with %j tells what became of each key, at whichever step',
    async (method, options, count) => {
      const keys = keysTo(count);
      const isDelete = method === 'deleteMany';
      let steps = 0;
      for (const lasts of [false, true])
        for (let at = 1; ; at += IS_LONG ? 1 : 1 + Math.floor(at / 3)) {
          const { filter, truth, begin, failed } = await failing(options, at, failure, lasts);
          if (isDelete) await truth.addMany(keys);
          begin();
          const outcomes = await outcomesOf(filter[method](keys), count);
          expect(outcomes).toHaveLength(count);
          const found = await truth.containsMany(keys);
          const wrong = outcomes.filter((outcome, i) => {
            if (outcome === 'unknown') return false;
            const isThere = (outcome === 'done') !== isDelete;
            return !['done', 'refused'].includes(outcome) || found[i] !== Number(isThere);
          });
          const of = `step ${at}, ${lasts ? 'and all after it' : 'alone'}`;
          claim(
            wrong.length === 0,
            () => `${of}: untrue outcomes of ${wrong.length} keys: ${[...new Set(wrong)].join()}`,
          );
          const unknown = outcomes.filter((outcome) => outcome === 'unknown').length;
          const most = IS_REFUSAL.test(failure) ? 0 : keysIn(failed);
          claim(unknown <= most, () => `${of}: ${unknown} keys are unknown, but at most ${most} can be`);
          // What was not done is done by asking again, and once.
          if (IS_REFUSAL.test(failure) && !isDelete) {
            await truth.addMany(keys.filter((_, i) => outcomes[i] === 'refused'));
            claim((await truth.info()).size === count, () => `${of}: keys are in twice, or not at all`);
          }
          await truth.drop();
          if (failed.length === 0) break;
          ++steps;
        }
      expect(steps).toBeGreaterThan(5);
    },
  );
});

test('a deduper that asks again for what was refused drops nothing, whichever doubling fails', async () => {
  const keys = keysTo(200);
  for (let at = 1; at < 40; at += IS_LONG ? 1 : 4) {
    const { filter, truth, begin } = await failing({ ...GROWING, shards: 1 }, at, 'OOM', true);
    begin();
    const outcomes = await outcomesOf(filter.addManyIfAbsent(keys), keys.length);
    const left = keys.filter((_, i) => outcomes[i] === 'refused');
    const isNew = await truth.addManyIfAbsent(left);
    const first = outcomes.filter((outcome) => outcome === 'done').length;
    expect([first + isNew.reduce((sum, each) => sum + each, 0), outcomes.includes('unknown')]).toEqual([
      200,
      false,
    ]);
  }
});

test('a single change ends with the error of the command that failed, and the keys of a lookup are refused too', async () => {
  const { filter, begin } = await failing(FIXED, 1, 'OOM', true);
  begin();
  await expect(filter.add('a')).rejects.toThrow(/^OOM /);
  const error: unknown = await filter.containsMany(['a', 'b']).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'RedisBatchError', outcomes: ['refused', 'refused'] });
});
