// Calls of a RedisCuckooFilter that end early: because of a signal, a failure, an error in the caller's code, or keys that
// change during the call. Invariant: what an error reports about a key is true of the server.
import { describe, expect, test } from '@jest/globals';
import { fromNodeRedis, RedisBatchError, type KeyOutcome, type Send } from 'cuckoofilter-wasm/redis';
import { rejected } from '../../support/random';
import { keysTo, newName, node, open, openGrowing } from '../clients';

interface Ended extends Error {
  readonly outcomes: readonly KeyOutcome[];
}

/** What a call is rejected with; an AbortError here is of another realm's class. */
const ended = (call: Promise<unknown>): Promise<Ended> =>
  call.then(
    () => Promise.reject(new Error('it was not rejected')),
    (error: unknown) => error as Ended,
  );

/** Calls `act` with the number of each change before it is sent. */
function changes(act: (change: number) => void): Send {
  let count = 0;
  return async (command) => {
    if (command.includes('change')) act(++count);
    return fromNodeRedis(node)(command);
  };
}

describe('a signal', () => {
  test('ends every call, and what it ends before it began is not sent', async () => {
    const sent: unknown[] = [];
    const send: Send = (command) => {
      sent.push(command[0]);
      return fromNodeRedis(node)(command);
    };
    const filter = await open({ send });
    const replica = await filter.replica({ refreshMs: 0 });
    sent.splice(0);
    const signal = AbortSignal.abort(new RangeError('enough'));
    for (const call of [
      filter.add('a', { signal }),
      filter.addIfAbsent('a', { signal }),
      filter.contains('a', { signal }),
      filter.has('a', { signal }),
      filter.count('a', { signal }),
      filter.delete('a', { signal }),
      filter.addMany(['a'], { signal }),
      filter.info({ signal }),
      filter.stats({ signal }),
      filter.verify({ signal }),
      filter.expire(1000, { signal }),
      filter.reset({ signal }),
      filter.drop({ signal }),
      filter.publish(replica, { signal }),
      open({ send, signal, name: newName() }),
    ])
      expect((await rejected(RangeError, call)).message).toBe('enough');
    expect(sent).toEqual([]);
    replica.dispose();
    await rejected(TypeError, filter.add('a', { signal: {} as AbortSignal }));
    await rejected(TypeError, filter.info({ signals: signal } as object));
  });

  test('that ended a batch before says of the next one that nothing of it was done', async () => {
    const filter = await open({ capacity: 9000 });
    const control = new AbortController();
    const { signal } = control;
    const outcomes: KeyOutcome[] = [];
    const onProgress = (): void => control.abort();
    const first = await ended(filter.addMany(keysTo(3000), { signal, onProgress, outcomes }));
    expect(outcomes).toContain('done');
    const second = await ended(filter.addMany(keysTo(3000, 'other'), { signal, outcomes }));
    expect([first, second]).toEqual([signal.reason, signal.reason]);
    expect(outcomes).toEqual(Array(3000).fill('refused'));
  });

  test('is looked at before each command', async () => {
    const control = new AbortController();
    const { signal } = control;
    let after = 0;
    const filter = await open({
      capacity: 9000,
      shards: 4,
      send: changes(() => (after += Number(signal.aborted))),
    });
    const outcomes: KeyOutcome[] = [];
    const onProgress = (): void => control.abort();
    await ended(filter.addMany(keysTo(3000), { signal, onProgress, outcomes }));
    expect(after).toBe(0);
    const { size } = await filter.info();
    expect(outcomes.filter((each) => each === 'done')).toHaveLength(size);
  });
});

describe('keys', () => {
  test('that have left their iterator are all reported', async () => {
    const send = changes(() => {
      throw new Error('OOM no memory');
    });
    const refusing = await open({ capacity: 9000, send });
    const given = keysTo(5000).values();
    const { outcomes } = await rejected(RedisBatchError, refusing.addMany(given));
    expect(outcomes.length + [...given].length).toBe(5000);
    const filter = await open({ capacity: 9000 });
    const wrong = [...keysTo(50), NaN, ...keysTo(3000)].values();
    const bad = await ended(filter.addMany(wrong as Iterable<string> & object));
    expect(bad.outcomes.slice(0, 51)).toEqual([...Array<string>(50).fill('done'), 'refused']);
    expect(bad.outcomes.length + [...wrong].length).toBe(3051);
  });

  test('are reported where their array is emptied meanwhile', async () => {
    const keys = keysTo(3000);
    const send = changes((change) => {
      if (change < 4) return;
      keys.length = 0;
      throw new Error('lost');
    });
    const filter = await open({ capacity: 9000, send });
    const { outcomes } = await rejected(RedisBatchError, filter.addMany(keys));
    expect(outcomes).toHaveLength(3000);
    const { size } = await filter.info();
    expect(outcomes.filter((each) => each === 'done')).toHaveLength(size);
  });
});

test('calls are carried out in order, also where a command is cut short', async () => {
  const filter = await openGrowing({ capacity: 100, maxCapacity: 20_000 });
  const keys = keysTo(600);
  const [adds, deletes] = [keys.map((key) => filter.add(key)), keys.map((key) => filter.delete(key))];
  await Promise.all(adds);
  expect(await Promise.all(deletes)).toEqual(keys.map(() => true));
  expect((await filter.info()).size).toBe(0);
});

test('an answer with fewer numbers than were asked for, or with none in a place, is an error', async () => {
  for (const spoil of [
    (all: unknown[]) => all.slice(0, 6),
    (all: unknown[]) => [...all.slice(0, -1), null],
  ]) {
    const send: Send = async (command) => {
      const answer = await fromNodeRedis(node)(command);
      return command[0] === 'BITFIELD' ? spoil(answer as unknown[]) : answer;
    };
    const filter = await open({ capacity: 1e6, send });
    await filter.addMany(keysTo(50));
    await rejected(RedisBatchError, filter.containsMany(keysTo(50)));
  }
});
