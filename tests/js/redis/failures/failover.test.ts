// A server's replica takes over before each command of `open` in turn, or after the last; it may lack the master's latest changes. What
// `open` said must be true, what it left can be completed or dropped, and no acknowledged key is "absent".
import { beforeAll, describe, expect, test } from '@jest/globals';
import { FormatError } from 'cuckoofilter-wasm';
import { createClient } from 'redis';
import {
  fromNodeRedis,
  RedisBatchError,
  RedisCuckooFilter,
  type Send,
  type SendOptions,
} from 'cuckoofilter-wasm/redis';
import { runs } from '../../support/long';
import { PATIENCE } from '../../support/patience';
import { rejected } from '../../support/random';
import { keysTo } from '../keys';
import { atEnd, serverPorts } from '../server';

const host = '127.0.0.1';

/** Two servers, one of which is the master. */
class Pair {
  readonly #ports = serverPorts('--sentinel');
  readonly #servers: { readonly send: Send; readonly call: (...words: string[]) => Promise<unknown> }[] = [];
  #master = 0;
  #isCut = false;

  async connect(): Promise<void> {
    for (const port of this.#ports.slice(0, 2)) {
      const client = createClient({ socket: { host, port } });
      client.on('error', () => undefined);
      atEnd(() => client.destroy());
      await client.connect();
      this.#servers.push({ send: fromNodeRedis(client), call: (...words) => client.sendCommand(words) });
    }
  }

  get send(): Send {
    return this.#servers[this.#master]?.send as Send;
  }

  async #call(server: number, ...words: string[]): Promise<void> {
    await this.#servers[server]?.call(...words);
  }

  /** Waits until the replica has all that the master has answered. From then on it gets nothing more. */
  async cut(): Promise<void> {
    await this.#call(this.#master, 'WAIT', '1', String(PATIENCE));
    await this.#call(1 - this.#master, 'REPLICAOF', host, '1');
    this.#isCut = true;
  }

  /** Promotes the replica. It lacks the latest changes if it was cut off; otherwise it has everything. */
  async takeOver(): Promise<void> {
    if (!this.#isCut) await this.#call(this.#master, 'WAIT', '1', String(PATIENCE));
    const former = this.#master;
    this.#master = 1 - former;
    await this.#call(this.#master, 'REPLICAOF', 'NO', 'ONE');
    await this.#call(former, 'REPLICAOF', host, String(this.#ports[this.#master]));
    this.#isCut = false;
  }
}

const [one, other] = [new Pair(), new Pair()];
beforeAll(() => Promise.all([one, other].map((pair) => pair.connect())));

type Words = Parameters<Send>[0];
let names = 0;

/** The number of the command before which the replica takes over, and of the first command that it does not receive. */
interface Fault {
  readonly at: number;
  readonly cutAt?: number;
  /** Whether the master still carries out that command, and only its answer is lost. */
  readonly isLost?: boolean;
}

describe.each([
  ['both shards have one master', one],
  ['each shard has its own master, of which that of the second fails', other],
])('where %s', (_, failing) => {
  /** Opens a filter during such a failover, and checks the outcome. Returns whether `open` had ended before it. */
  async function attempt({ at, cutAt = Infinity, isLost = false }: Fault): Promise<boolean> {
    const name = `filter ${++names}`;
    let sent = 0;
    let isOver = false;
    /** Keys of shards that received the filter's identity; and of those that received it on a master whose replica did not. */
    const made: string[] = [];
    const unmade: string[] = [];
    const act = async (command: Words, asking: SendOptions, isKept = true): Promise<unknown> => {
      const key = `${name}:1`;
      const pair = command.some((word) => String(word).startsWith(key)) ? failing : one;
      const answer = await pair.send(command, asking);
      if (command.includes('made'))
        (isKept || pair !== failing ? made : unmade).push(command.includes(key) ? key : name);
      return answer;
    };
    let turn: Promise<unknown> = Promise.resolve();
    // One command at a time.
    const send: Send = (command, options) => {
      const next = async (): Promise<unknown> => {
        if (isOver || ++sent > at) return act(command, options);
        if (sent === cutAt) await failing.cut();
        if (sent < at) return act(command, options, sent < cutAt);
        if (isLost) await act(command, options);
        await failing.takeOver();
        if (isLost) throw new Error('the connection was lost');
        return act(command, options);
      };
      const answer = turn.then(next);
      turn = answer.catch(() => undefined);
      return answer;
    };
    const options = { send, name, capacity: 100, maxCapacity: 1000, shards: 2, callMs: PATIENCE };
    const first = await RedisCuckooFilter.open(options).catch((error: unknown) => error);
    const isEarly = sent < at;
    isOver = true;
    if (isEarly) await failing.takeOver();

    // The first shard has the identity, but another lost it: the filter counts as damaged.
    const isBroken = made.includes(name) && unmade.includes(`${name}:1`);
    if (isBroken) {
      await rejected(FormatError, RedisCuckooFilter.open(options));
      expect(await RedisCuckooFilter.drop(options)).toBe(true);
    }
    const isComplete = made.includes(name) && !isBroken;
    const second = await RedisCuckooFilter.open(options);
    expect(second.created).toBe(!isComplete);
    // If the answer was lost, no caller learns that it created the filter.
    if (first instanceof RedisCuckooFilter) expect(first.created).toBe(true);
    else expect([isLost, cutAt < at]).toContain(true);

    const acknowledged: string[] = [];
    const filters = [first, second].filter((each) => each instanceof RedisCuckooFilter);
    for (const [i, filter] of filters.entries()) {
      const keys = keysTo(200, `${i}`);
      const error = await filter.addMany(keys).then(
        () => undefined,
        (thrown: RedisBatchError) => thrown,
      );
      acknowledged.push(...keys.filter((__, k) => error === undefined || error.outcomes[k] === 'done'));
      if (error !== undefined)
        expect([filter === second, error.cause]).toEqual([false, expect.any(FormatError)]);
    }
    for (const filter of filters) {
      const found = await filter.containsMany(acknowledged).catch(({ cause }: RedisBatchError) => cause);
      if (filter !== second && found instanceof FormatError) continue;
      expect(found).toEqual(new Uint8Array(acknowledged.length).fill(1));
    }
    return isEarly;
  }

  test.each([false, true])('and has all that was answered; an answer is lost: %p', async (isLost) => {
    let at = 1;
    while (!(await attempt({ at, isLost }))) ++at;
    expect(at).toBeGreaterThan(10);
  });

  test('and lacks the last of it', async () => {
    let isEarly = false;
    for (let at = 2; !isEarly; ++at)
      for (let cutAt = 1; cutAt < at; cutAt += runs(3, 1)) isEarly = await attempt({ at, cutAt });
  });
});
