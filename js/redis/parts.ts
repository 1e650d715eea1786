// What a filter is made of, and how its calls reach the shards. A symbol names the property that holds it: private fields would
// refuse a Proxy of the filter.
import type { Bytes } from '../src/engine/bytes.js';
import { counted, type FilterFullError } from '../src/errors.js';
import type { Key } from '../src/keys/key.js';
import type { Keys } from '../src/keys/keys.js';
import { checkedSignal, signalOf, type AsyncOptions } from '../src/keys/signals.js';
import { readOptions } from '../src/options/read.js';
import { askMany, CHANGE_OPTIONS, tellOutcomes, type BatchOptions, type ChangeOptions } from './batch.js';
import { errorWith, outcomeOf, RedisFullError, type KeyOutcome } from './errors.js';
import { allOf, type Asking } from './server/line.js';
import { changing, counting } from './shard/asks.js';
import { Calls, type Answered } from './shard/calls.js';
import { LOOK_UP, place, WORDS, type Action } from './shard/places.js';
import type { Shard, Shards, Shared } from './shard/shard.js';

const PARTS = Symbol('parts');

export function partsOf(filter: object): Parts {
  return (filter as { readonly [PARTS]: Parts })[PARTS];
}

export class Parts {
  readonly shared: Shared;
  readonly changes: readonly Calls[];
  readonly lookups: readonly Calls[];

  /** Makes the parts of `filter`, and puts them into it. */
  constructor(
    filter: object,
    readonly shards: Shards,
  ) {
    const { shared } = shards[0];
    Object.defineProperty(filter, PARTS, { value: this });
    this.shared = shared;
    this.changes = shards.map((shard) => new Calls(changing(shard), shared.changes, true, shared.callMs));
    this.lookups = shards.map((shard) => new Calls(counting(shard), shared.work, false, shared.callMs));
  }

  /** What `act` returns for all shards. It is one call, with one time limit. */
  within<Result>(
    options: AsyncOptions = {},
    act: (shards: Shards, asking: Asking) => Promise<Result>,
  ): Promise<Result> {
    return this.shared.line.within(signalOf(options), (asking) => act(this.shards, asking));
  }

  each<Result>(
    options: AsyncOptions | undefined,
    act: (shard: Shard, asking: Asking, i: number) => Promise<Result>,
  ): Promise<Result[]> {
    return this.within(options, (shards, asking) => allOf(shards, (shard, i) => act(shard, asking, i)));
  }

  askMany(action: Action, keys: Keys, options: BatchOptions): Promise<Bytes> {
    return askMany(this.shared.places, this.#callsOf(action), action, keys, options);
  }

  /** The answer for one key. */
  async askOne(action: Action, key: Key, signal: AbortSignal | undefined): Promise<Answered> {
    const words = new Uint32Array(WORDS);
    const shard = place(this.shared.places, key, action, words);
    return (this.#callsOf(action)[shard] as Calls).ask([...words], signal);
  }

  #callsOf(action: Action): readonly Calls[] {
    return action === LOOK_UP ? this.lookups : this.changes;
  }

  async change(action: Action, key: Key, options: ChangeOptions = {}): Promise<KeyOutcome> {
    const { outcomes, signal: given } = readOptions<ChangeOptions>(options, CHANGE_OPTIONS);
    const signal = checkedSignal(given);
    tellOutcomes(outcomes, []);
    const { answers, failure } = await this.askOne(action, key, signal);
    const outcome = outcomeOf(answers[0] as number);
    tellOutcomes(outcomes, [outcome]);
    if (failure === undefined) return outcome;
    const isCallers = signal?.aborted === true && failure.cause === signal.reason;
    throw isCallers ? failure.cause : errorWith(failure.cause, [outcome]);
  }

  async changeMany(action: Action, keys: Keys, options: BatchOptions): Promise<Bytes> {
    const outcomes = await this.askMany(action, keys, options);
    if (outcomes.some((outcome) => doesNotFit(outcomeOf(outcome))))
      throw this.fullError(Array.from(outcomes, outcomeOf));
    return outcomes;
  }

  /** The error for these outcomes, of which some say that a key does not fit. */
  fullError(outcomes: readonly KeyOutcome[]): FilterFullError {
    const isFull = outcomes.includes('full');
    const refused = outcomes.filter(doesNotFit).length;
    const these = outcomes.length === 1 ? 'the key does' : `${refused} of ${outcomes.length} keys do`;
    const { capacity, maxCapacity } = this.shared;
    const larger = maxCapacity > capacity ? 'maxCapacity' : 'capacity, or with maxCapacity';
    const message = isFull
      ? `the filter is full: it was made for ${counted(maxCapacity, 'key')}, and ${these} not fit. Open one under another name, with a larger ${larger}; or use addIfAbsent, if keys repeat`
      : `too many copies of one key; ${these} not fit. Use addIfAbsent to store a key once`;
    return new RedisFullError(message, isFull ? 'full' : 'too-many-copies', outcomes);
  }
}

export function doesNotFit(outcome: KeyOutcome): boolean {
  return outcome === 'full' || outcome === 'too-many-copies';
}
