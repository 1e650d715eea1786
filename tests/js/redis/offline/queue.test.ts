// The queue of a shard, by random calls of many ticks: whatever becomes of commands, each call ends, and what it says of its key is
// true; and keys of one tick are changed in their order.
import { expect, test } from '@jest/globals';
import type { KeyOutcome } from 'cuckoofilter-wasm/redis';
import { claim, Random } from '../../support/random';
import { keysTo } from '../keys';
import { FakeServer, type Command } from './fake-server';

const KEYS = keysTo(2000);

/** The keys of a change, as the program is given them. */
const given = (command: Command): string[] =>
  Array.from({ length: command.count }, (_, i) =>
    command.given.subarray(12 * i, 12 * i + 12).toString('hex'),
  );

test.each([1, 2, 3, 4])(
  'random calls end with true outcomes, in the order of each tick (seed %i)',
  async (seed) => {
    const random = new Random(seed);
    const below = (count: number): number => random.below(count);
    const server = new FakeServer();
    const options = { capacity: 1e6, callMicros: 200 };
    const patient = await server.open(options);
    const places = new Map<string, string>();
    server.answer = (command) =>
      void (command.action === 'change' && places.set(given(command)[0] as string, ''));
    for (const key of KEYS) await patient.add(key);
    const keyOf = new Map([...places.keys()].map((place, i) => [place, KEYS[i] as string]));
    expect(keyOf.size).toBe(KEYS.length);

    const filter = await server.open({ ...options, callMs: 60 });
    const changed: string[] = [];
    server.answer = async (command) => {
      if (command.action !== 'change') return undefined;
      const keys = given(command).map((place) => keyOf.get(place) as string);
      const fate = below(20);
      await new Promise((resolve) => setTimeout(resolve, below(4)));
      if (fate === 0) throw new Error('OOM no memory');
      const decided = fate < 8 ? 1 + below(keys.length) : keys.length;
      changed.push(...keys.slice(0, decided));
      if (fate === 1) throw new Error('the connection was lost');
      if (fate === 2) await new Promise((resolve) => setTimeout(resolve, 100));
      return `${'0'.repeat(decided)}${'4'.repeat(keys.length - decided)}.`;
    };
    const ticks: string[][] = [];
    const outcomes = new Map<string, KeyOutcome>();
    const calls: Promise<unknown>[] = [];
    for (let at = 0; at < KEYS.length;) {
      const tick = KEYS.slice(at, (at += 1 + below(below(3) === 0 ? 90 : 5)));
      ticks.push(tick);
      const stop = new AbortController();
      if (below(5) === 0) setTimeout(() => stop.abort(new Error('enough')), below(30));
      for (const key of tick) {
        const told: KeyOutcome[] = [];
        const call = filter.add(key, { signal: stop.signal, outcomes: told }).catch(() => undefined);
        calls.push(call.finally(() => outcomes.set(key, told[0] as KeyOutcome)));
      }
      if (below(2) === 0) await new Promise((resolve) => setTimeout(resolve, below(3)));
      else await Promise.resolve();
    }
    await Promise.all(calls);
    for (const key of KEYS) {
      const times = changed.filter((each) => each === key).length;
      const right = { done: [1], refused: [0], unknown: [0, 1] }[outcomes.get(key) as 'done'] as number[];
      claim(right.includes(times), () => `${key} is ${outcomes.get(key)}, but was added ${times} times`);
    }
    for (const tick of ticks) {
      const inOrder = changed.filter((key) => tick.includes(key));
      expect(inOrder).toEqual(tick.filter((key) => inOrder.includes(key)));
    }
    const counts = new Set(outcomes.values());
    expect([counts.has('done'), counts.has('refused'), counts.has('unknown')]).toEqual([true, true, true]);
  },
);
