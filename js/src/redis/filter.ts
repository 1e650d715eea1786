// The class RedisCuckooFilter: a filter that lies on a Redis server, and is shared by all processes that open it.
// Invariant: what the server acknowledged is in; a lookup never says "absent" about anything but the filter that was opened.
import type { CuckooFilter } from '../api/filter.js';
import { check, FilterFullError, requiredError } from '../errors.js';
import { readOptions } from '../given.js';
import { isAnyFilter } from '../kind.js';
import type { CuckooFilterOptions } from '../options.js';
import { readTable } from '../reader/table.js';
import type { Key } from '../wasm/key.js';
import { atKey, checkKeys, hasLength, type Keys } from '../wasm/keys.js';
import { differences } from './differences.js';
import { OUTCOMES, RedisBatchError, RedisFullError, type KeyOutcome } from './errors.js';
import { locate, packed, placesFor, type Located, type Places } from './places.js';
import { RedisReplica, type ReplicaOptions } from './replica.js';
import type { Action } from './script.js';
import { randomRevision, Shard, type Send } from './shard.js';

/** Where a filter lies and what it is made for. All processes must give the same. */
export interface RedisFilterOptions {
  /**
   * Sends one command, whose first word is its name, and returns the server's answer: `fromNodeRedis(client)`,
   * `fromIoRedis(client)`, or a function of your own. It must reject with the server's errors.
   */
  readonly send: Send;
  /** The key of the first shard. The others have it with `:1`, `:2` and so on. */
  readonly name: string;
  /** Number of keys that must fit: an integer from 1 to 2^34. Each copy of a key counts. */
  readonly capacity: number;
  /** The probability that an absent key is reported present when the filter is full: from 2e-7 to 1. Default 0.001. */
  readonly falsePositiveRate?: number | undefined;
  /** Strings over which the keys are spread, and so over the nodes of a cluster: an integer from 1 to 65,536. Default 1. */
  readonly shards?: number | undefined;
}

/** For calls with many keys. */
export interface BatchOptions {
  /** Called after each answer of the server with the number of keys that are answered. */
  readonly onProgress?: ((answered: number) => void) | undefined;
}

/** What a filter is made of, and what it holds. */
export interface RedisFilterInfo {
  readonly name: string;
  /** The keys of the shards. */
  readonly keys: readonly string[];
  readonly shards: number;
  /** Number of entries stored, in all shards. */
  readonly size: number;
  readonly capacity: number;
  /** size / slots, from 0 to 1. */
  readonly loadFactor: number;
  /** The probability that an absent key is reported present, as expected now. */
  readonly falsePositiveRate: number;
  /** Bytes of all strings. */
  readonly byteLength: number;
  /** Options for a local CuckooFilter with the parameters of one shard; `publish` takes such a filter. */
  readonly options: CuckooFilterOptions;
}

/** How full one shard is. */
export interface ShardStats {
  readonly key: string;
  readonly size: number;
  readonly loadFactor: number;
  /** Changes since a number that was drawn when the shard was made. */
  readonly revision: number;
}

/** Keys in one command that looks up, and in one call of the script, which nothing else can run beside. */
const LOOKUPS = 1000;
const CHANGES = 500;
/** Commands that wait for an answer at once. */
const WAITING = 16;

/**
 * A cuckoo filter on a server that speaks Redis's protocol: Redis without modules, Valkey, KeyDB. All processes that
 * open it share it. Lookups read two buckets; changes are made by a script, atomically.
 *
 * @example
 * const seen = await RedisCuckooFilter.open({ send: fromNodeRedis(client), name: 'seen', capacity: 1_000_000 });
 * await seen.add('alice');
 * await seen.contains('alice'); // true
 */
export class RedisCuckooFilter {
  /** @internal */
  static readonly name: string = 'RedisCuckooFilter';
  readonly #shards: readonly Shard[];
  readonly #places: Places;
  readonly #capacity: number;

  private constructor(shards: readonly Shard[], places: Places, capacity: number) {
    this.#shards = shards;
    this.#places = places;
    this.#capacity = capacity;
  }

  /**
   * The filter of that name, which is made if there is none. Two processes may open it at once. Throws RangeError if it exists with
   * other options, and says which; FormatError if the name is that of something else; TypeError and RangeError for options.
   */
  static async open(options: RedisFilterOptions): Promise<RedisCuckooFilter> {
    const given = readOptions<RedisFilterOptions>(options, NAMES);
    const { send, name, capacity, falsePositiveRate = 0.001, shards = 1 } = given;
    for (const option of ['send', 'name', 'capacity'] as const)
      if (given[option] === undefined) throw requiredError(option, RULES[option]);
    check('send', RULES.send, send, typeof send === 'function');
    const hasTag = typeof name === 'string' && /^[^{}]*(\{[^{}]+\}[^{}]*)?$/.test(name) && name !== '';
    check('name', RULES.name, name, typeof name === 'string', hasTag);
    const whole = (label: string, value: unknown, most: number, shown: string): void =>
      check(
        label,
        `an integer from 1 to ${shown}`,
        value,
        typeof value === 'number',
        Number.isInteger(value) && (value as number) > 0 && (value as number) <= most,
      );
    whole('capacity', capacity, 2 ** 34, '2^34');
    whole('shards', shards, 65_536, '65,536');
    const isRate = falsePositiveRate > 0 && falsePositiveRate < 1;
    check(
      'falsePositiveRate',
      '> 0 and < 1',
      falsePositiveRate,
      typeof falsePositiveRate === 'number',
      isRate,
    );
    const places = placesFor(capacity, falsePositiveRate, shards);
    const all = Array.from(
      { length: shards },
      (_, i) => new Shard(i === 0 ? name : `${name}:${i}`, places, send),
    );
    // The first alone, because it tells whether the options are those of the filter.
    for (const some of [all.slice(0, 1), all.slice(1)])
      await Promise.all(
        some.map(async (shard) => {
          const answer = await shard.run('open', randomRevision());
          if (answer !== 'created' && answer !== 'same') throw differences(shard.key, answer, places);
        }),
      );
    return new RedisCuckooFilter(all, places, capacity);
  }

  /**
   * Stores one copy of `key`. Throws FilterFullError, with nothing changed, if there is no room or the key's buckets hold
   * nothing but copies of it. If the connection breaks, the key may or may not be stored: add it again.
   */
  async add(key: Key): Promise<void> {
    const outcome = await this.#change('add', key);
    if (outcome !== 'done') throw this.#fullError([outcome]);
  }

  /**
   * Adds the key unless it already seems present. `true`: it was definitely new. Do not delete from a filter that you fill this
   * way (see `addIfAbsent` of CuckooFilter).
   */
  async addIfAbsent(key: Key): Promise<boolean> {
    const outcome = await this.#change('addIfAbsent', key);
    if (outcome !== 'done' && outcome !== 'nothing') throw this.#fullError([outcome]);
    return outcome === 'done';
  }

  /** `false`: `key` is definitely not in the filter. `true`: it probably is. */
  async contains(key: Key): Promise<boolean> {
    return (await this.count(key)) > 0;
  }

  /** The same as `contains`, by the name that `Set` uses. */
  has(key: Key): Promise<boolean> {
    return this.contains(key);
  }

  /** The number of copies of `key`. Other keys with the same fingerprint and buckets count as well. */
  async count(key: Key): Promise<number> {
    const located = locate(this.#places, key);
    const [copies = 0] = await (this.#shards[located.shard] as Shard).count([located]);
    return copies;
  }

  /**
   * Removes one copy of `key`; `false` if there is none. Delete only what you added. A command that the client sends again
   * after a broken connection, within ten minutes, deletes once.
   */
  async delete(key: Key): Promise<boolean> {
    return (await this.#change('delete', key)) === 'done';
  }

  /**
   * Stores one copy of every key, and returns how many. All shards work at once. Throws RedisFullError (a FilterFullError) if
   * some keys do not fit; the others are in. Throws RedisBatchError if the server stops answering. Both tell the outcome of each
   * key. Throws TypeError with the index at the first that is no key; those before it are in.
   */
  async addMany(keys: Keys, options: BatchOptions = {}): Promise<number> {
    const outcomes = await this.#changeMany('add', keys, options);
    return outcomes.filter((outcome) => outcome === 'done').length;
  }

  /** `addIfAbsent` for every key: 1 if the key was new, else 0. Throws as `addMany` does. */
  async addManyIfAbsent(keys: Keys, options: BatchOptions = {}): Promise<Uint8Array> {
    const outcomes = await this.#changeMany('addIfAbsent', keys, options);
    return Uint8Array.from(outcomes, (outcome) => Number(outcome === 'done'));
  }

  /** `contains` for every key: 1 or 0. */
  async containsMany(keys: Keys, options: BatchOptions = {}): Promise<Uint8Array> {
    const copies = await this.#each(keys, LOOKUPS, options, (shard, some) => shard.count(some));
    const found = new Uint8Array(copies.length);
    copies.forEach((each, i) => (found[i] = Number((each as number) > 0)));
    return found;
  }

  /** `delete` for every key. Returns how many copies were removed. */
  async deleteMany(keys: Keys, options: BatchOptions = {}): Promise<number> {
    const outcomes = await this.#changeMany('delete', keys, options);
    return outcomes.filter((outcome) => outcome === 'done').length;
  }

  /** What the filter is made of, and how full it is. One command per shard. */
  async info(): Promise<RedisFilterInfo> {
    const { header, table, shards, stringBytes } = this.#places;
    const { capacity, bucketCount, bucketSize, fingerprintBits, semiSorted, maxKicks } = table.parameters;
    const states = await Promise.all(this.#shards.map((shard) => shard.state()));
    const size = states.reduce((sum, each) => sum + each.size, 0);
    const filled = header.slice();
    new DataView(filled.buffer).setBigUint64(40, BigInt(Math.round(size / shards)), true);
    return {
      name: (this.#shards[0] as Shard).key,
      keys: this.#shards.map(({ key }) => key),
      shards,
      size,
      capacity: this.#capacity,
      loadFactor: size / (shards * bucketCount * bucketSize),
      falsePositiveRate: readTable(filled, 0, 0).parameters.falsePositiveRate,
      byteLength: shards * stringBytes,
      options: {
        capacity,
        bucketCount,
        bucketSize,
        fingerprintBits,
        semiSort: semiSorted,
        maxKicks,
        seed: table.seed(),
      },
    };
  }

  /** How full each shard is. One command per shard. */
  async stats(): Promise<readonly ShardStats[]> {
    const { bucketCount, bucketSize } = this.#places.table.parameters;
    return Promise.all(
      this.#shards.map(async (shard) => {
        const state = await shard.state();
        return { key: shard.key, ...state, loadFactor: state.size / (bucketCount * bucketSize) };
      }),
    );
  }

  /** Removes every key, shard by shard. */
  async reset(): Promise<void> {
    await Promise.all(this.#shards.map((shard) => shard.run('reset')));
  }

  /**
   * Deletes the filter from the server. In all processes, calls then throw FormatError, and batches RedisBatchError with the
   * FormatError as `cause`, until `open` or `publish` makes the filter again.
   */
  async drop(): Promise<void> {
    await Promise.all(this.#shards.map(({ key, send }) => send(['DEL', key])));
  }

  /**
   * A local filter with what is on the server, for lookups at memory speed. It looks every `refreshMs` milliseconds (default 1000)
   * which shards have changed, and fetches those; `replica.age` tells how old it is. It cannot be changed.
   */
  replica(options: ReplicaOptions = {}): Promise<RedisReplica> {
    return RedisReplica.of(this.#shards, this.#places, options);
  }

  /**
   * Puts `filter` in place of the filter on the server, each shard in one step: a CuckooFilter made with `info().options` if there is
   * one shard, or a replica of a filter with the same options. Throws RangeError for any other, TypeError for no filter.
   */
  async publish(filter: CuckooFilter): Promise<void> {
    check('filter', 'a CuckooFilter', filter, isAnyFilter(filter));
    const parts = filter instanceof RedisReplica ? filter.parts : [filter];
    const { length } = this.#shards;
    check('filter', `of ${length} shards`, filter, true, parts.length === length);
    const saved = parts.map((part) => part.serialize());
    await Promise.all(this.#shards.map((shard, i) => shard.replace(saved[i] as Uint8Array)));
  }

  async #change(action: Action, key: Key): Promise<KeyOutcome> {
    const located = locate(this.#places, key);
    const [outcome] = await this.#changeIn(action, this.#shards[located.shard] as Shard, [located]);
    return outcome as KeyOutcome;
  }

  async #changeIn(action: Action, shard: Shard, keys: readonly Located[]): Promise<KeyOutcome[]> {
    const answerKey = action === 'delete' ? answerKeyOf(shard.key) : undefined;
    const answer = await shard.run(action, packed(this.#places, keys), answerKey);
    return Array.from(answer, (digit) => OUTCOMES[Number(digit)] as KeyOutcome);
  }

  async #changeMany(action: Action, keys: Keys, options: BatchOptions): Promise<KeyOutcome[]> {
    const outcomes = await this.#each(keys, CHANGES, options, (shard, some) =>
      this.#changeIn(action, shard, some),
    );
    if (outcomes.some((outcome) => outcome === 'full' || outcome === 'too-many-copies'))
      throw this.#fullError(outcomes as KeyOutcome[]);
    return outcomes as KeyOutcome[];
  }

  /** What `ask` answers for every key, asked shard by shard in runs of at most `most` keys. */
  async #each<Answer extends KeyOutcome | number>(
    keys: Keys,
    most: number,
    options: BatchOptions,
    ask: (shard: Shard, keys: readonly Located[]) => Promise<readonly Answer[]>,
  ): Promise<(Answer | 'unknown')[]> {
    const { onProgress } = readOptions<BatchOptions>(options, ['onProgress']);
    const isCallable = ['undefined', 'function'].includes(typeof onProgress);
    check('onProgress', 'a function', onProgress, isCallable);
    checkKeys(keys);
    const answers: (Answer | 'unknown')[] = [];
    const waiting = new Set<Promise<void>>();
    const gathered = this.#shards.map((): { located: Located[]; indices: number[] } => ({
      located: [],
      indices: [],
    }));
    let answered = 0;
    let failure: { cause: unknown } | undefined;
    const start = (shard: number): void => {
      const { located, indices } = gathered[shard] as (typeof gathered)[number];
      gathered[shard] = { located: [], indices: [] };
      const asking = ask(this.#shards[shard] as Shard, located)
        .then((given) => {
          indices.forEach((index, i) => (answers[index] = given[i] as Answer));
          onProgress?.((answered += indices.length));
        })
        .catch((cause: unknown) => {
          failure ??= { cause };
        })
        .finally(() => waiting.delete(asking));
      waiting.add(asking);
    };
    let index = 0;
    let wrong: unknown;
    try {
      for (const key of keys as Iterable<Key>) {
        const located = locate(this.#places, key);
        const gathering = gathered[located.shard] as (typeof gathered)[number];
        answers.push('unknown');
        gathering.indices.push(index++);
        if (gathering.located.push(located) === most) start(located.shard);
        while (waiting.size >= WAITING) await Promise.race(waiting);
        if (failure !== undefined) break;
      }
    } catch (error) {
      wrong = atKey(index, error);
    }
    if (failure === undefined) gathered.forEach(({ located }, shard) => located.length > 0 && start(shard));
    await Promise.all(waiting);
    if (failure !== undefined) {
      const { cause } = failure;
      const all = hasLength(keys) ? ` of ${keys.length}` : '';
      const message = `the server answered for ${answered}${all} keys: ${cause instanceof Error ? cause.message : String(cause)}`;
      const outcomes = answers.map((answer): KeyOutcome => (typeof answer === 'number' ? 'nothing' : answer));
      throw new RedisBatchError(message, outcomes, cause);
    }
    if (wrong !== undefined) throw wrong;
    return answers;
  }

  #fullError(outcomes: readonly KeyOutcome[]): FilterFullError {
    const isFull = outcomes.includes('full');
    const refused = outcomes.filter((outcome) => outcome === 'full' || outcome === 'too-many-copies').length;
    const these = outcomes.length === 1 ? 'the key does' : `${refused} of ${outcomes.length} keys do`;
    const message = isFull
      ? `the filter is full; ${these} not fit: open one of another name with a larger capacity than ${this.#capacity}`
      : `too many copies of one key; ${these} not fit. Use addIfAbsent to store a key once`;
    return new RedisFullError(message, isFull ? 'full' : 'too-many-copies', outcomes);
  }
}

const NAMES = ['send', 'name', 'capacity', 'falsePositiveRate', 'shards'] as const;

/** What the options must be that have no default. */
const RULES = {
  send: 'a function that sends a command',
  name: 'a string, in which { and } only enclose a hash tag',
  capacity: 'an integer from 1 to 2^34',
};

/** A key in the slot of `key` in a cluster, which no other call uses. */
function answerKeyOf(key: string): string {
  const word = Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join('');
  return key.includes('{') ? `${key}:answer:${word}` : `{${key}}:answer:${word}`;
}
