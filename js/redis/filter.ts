// The class RedisCuckooFilter: a filter on a Redis server, shared by all processes that open it.
// Invariant: what the server acknowledged is in; a lookup never says "absent" about anything but the filter that was opened.
import type { Bytes } from '../src/engine/bytes.js';
import type { CuckooFilter } from '../src/index.js';
import { argumentError, check } from '../src/errors.js';
import { isAnyFilter } from '../src/class-names.js';
import type { Key, KeyOf } from '../src/keys/key.js';
import type { Keys } from '../src/keys/keys.js';
import { signalOf, type AsyncOptions } from '../src/keys/signals.js';
import { checkOption, integer } from '../src/options/rules.js';
import type { BatchOptions, ChangeOptions } from './batch.js';
import { infoOf, statsOf, type RedisFilterInfo, type ShardHealth, type ShardStats } from './info.js';
import { dropShards, openShards } from './opening.js';
import { checkedOptions, type RedisFilterOptions } from './options.js';
import { doesNotFit, Parts, partsOf } from './parts.js';
import type { RedisReplica, ReplicaOptions } from './replica.js';
import { Line } from './server/line.js';
import { ADD, ADD_IF_ABSENT, DELETE, LOOK_UP, type Places } from './shard/places.js';
import { stageOfSaved } from './shard/saved.js';
import { Shard, type Shards, type Shared } from './shard/shard.js';

/**
 * A cuckoo filter on a server: Redis 6 or newer, or Valkey, without modules. All processes that open it share it.
 * Lookups read two buckets; changes are made by a script, atomically.
 *
 * @example
 * const seen = await RedisCuckooFilter.open({ send: fromNodeRedis(client), name: 'seen', capacity: 1_000_000 });
 * await seen.add('alice');
 * await seen.contains('alice'); // true
 */
export class RedisCuckooFilter<K extends Key = Key> {
  /** @internal */
  static readonly name: string = 'RedisCuckooFilter';
  /** @internal */
  get [Symbol.toStringTag](): string {
    return 'RedisCuckooFilter';
  }

  /**
   * Whether this call of `open` created the filter, or completed one that another call had left unfinished. Only one of all calls
   * that open it gets `true`.
   */
  readonly created: boolean;
  /**
   * Twelve hexadecimal digits that identify this filter, even among filters that had the same name: for the option
   * `identity`.
   */
  readonly identity: string;

  private constructor(shards: Shards, created: boolean) {
    const isOpened: boolean = Array.isArray(shards);
    if (!isOpened) throw argumentError('create a filter with await RedisCuckooFilter.open(options)');
    const { shared } = shards[0];
    this.created = created;
    this.identity = shared.identity;
    new Parts(this, shards);
  }

  /**
   * Opens the filter of that name, or creates it (see `create`). Several processes may open it at once. Throws RangeError
   * if it exists with other options; FormatError if the name belongs to something else, or if a shard is lost or
   * belongs to another filter (a lost shard is never replaced); TypeError or RangeError for wrong options.
   */
  static async open<K extends Key = Key>(options: RedisFilterOptions): Promise<RedisCuckooFilter<K>> {
    const [shards, { line, signal }] = shardsOf(options);
    const created = await line.within(signal, (asking) => openShards(shards, asking));
    return new RedisCuckooFilter(shards, created);
  }

  /**
   * Deletes the filter that these options would open, or what is left of it, also if it cannot be opened because a part is lost.
   * Returns whether anything was there. With `identity`, deletes only that filter. Throws as `open` does, with nothing deleted, if
   * the string of a shard is of another filter, or of none. Strings under the keys that shards double into are deleted as well,
   * unless they are other filters.
   */
  static async drop(options: RedisFilterOptions): Promise<boolean> {
    const [shards, { line, signal }] = shardsOf(options);
    return line.within(signal, (asking) => dropShards(shards, asking));
  }

  /**
   * All Redis keys that a filter with these options may use, with the `keyPrefix` of the client: those of its shards, then, if it
   * may grow, those of the strings that they double into. The latter belong to the filter: growth overwrites any string there
   * that is not another filter. Asks no server. Each key is a pattern for `ACL SETUSER`, too, after `~` (with a backslash before
   * each of `*?[]\` in it), unless it has a space or a control character; `~name ~name:*` covers all of them.
   */
  static keys(options: RedisFilterOptions): string[] {
    const strings = shardsOf(options)[0].map((shard) => shard.strings);
    return [...strings.map(([own]) => own), ...strings.flatMap(([, ...next]) => next)];
  }

  /**
   * For each shard, the number of the last change that this process has seen. Save them with `identity`: if `open` gets
   * both, it notices if changes have been lost since.
   */
  get epochs(): readonly number[] {
    return partsOf(this).shards.map(({ epoch }) => epoch);
  }

  /**
   * Stores one copy of `key`. Throws FilterFullError, with nothing changed, if there is no room or if the key's buckets
   * hold only copies of it. Other errors have `outcomes`: whether the key is `refused` or `unknown`, as for a batch. The signal's reason is thrown unchanged: see the option `outcomes`.
   */
  async add(key: KeyOf<K>, options?: ChangeOptions): Promise<void> {
    const outcome = await partsOf(this).change(ADD, key, options);
    if (outcome !== 'done') throw partsOf(this).fullError([outcome]);
  }

  /**
   * Adds the key unless it already seems present. `true`: it was definitely new. Do not delete from a filter that you fill this
   * way (see `addIfAbsent` of CuckooFilter).
   */
  async addIfAbsent(key: KeyOf<K>, options?: ChangeOptions): Promise<boolean> {
    const outcome = await partsOf(this).change(ADD_IF_ABSENT, key, options);
    if (doesNotFit(outcome)) throw partsOf(this).fullError([outcome]);
    return outcome === 'done';
  }

  /** `false` is certain: `key` is not in the filter. `true` means maybe. */
  async contains(key: KeyOf<K>, options?: AsyncOptions): Promise<boolean> {
    return (await this.count(key, options)) > 0;
  }

  /** The same as `contains`, by the name that `Set` uses. */
  has(key: KeyOf<K>, options?: AsyncOptions): Promise<boolean> {
    return this.contains(key, options);
  }

  /** The number of copies of `key`. Other keys with the same fingerprint and buckets count as well. */
  async count(key: KeyOf<K>, options: AsyncOptions = {}): Promise<number> {
    const { answers, failure } = await partsOf(this).askOne(LOOK_UP, key, signalOf(options));
    if (failure !== undefined) throw failure.cause;
    return answers[0] as number;
  }

  /**
   * Removes one copy of `key`; `false` if there is none. Delete only what you added. If an
   * error's `outcomes` are `unknown`, the copy may be gone already: do not delete it again.
   */
  async delete(key: KeyOf<K>, options?: ChangeOptions): Promise<boolean> {
    return (await partsOf(this).change(DELETE, key, options)) === 'done';
  }

  /**
   * Stores one copy of every key, and returns the number of keys. Throws RedisFullError (a
   * FilterFullError) if some keys do not fit; the others are added. Throws RedisBatchError if the server stops
   * answering. Both have the outcome of each key. Throws InvalidKeyError at the first invalid key; those before it are
   * added.
   */
  async addMany(keys: Keys<K>, options: BatchOptions = {}): Promise<number> {
    return countOf(await partsOf(this).changeMany(ADD, keys, options));
  }

  /** `addIfAbsent` for every key: 1 if the key was new, else 0. Throws as `addMany` does. */
  async addManyIfAbsent(keys: Keys<K>, options: BatchOptions = {}): Promise<Bytes> {
    const outcomes = await partsOf(this).changeMany(ADD_IF_ABSENT, keys, options);
    return outcomes.map((outcome) => Number(outcome === DONE));
  }

  /** `contains` for every key: 1 or 0. */
  async containsMany(keys: Keys<K>, options: BatchOptions = {}): Promise<Bytes> {
    const copies = await partsOf(this).askMany(LOOK_UP, keys, options);
    return copies.map((each) => Math.min(each, 1));
  }

  /** The same as `containsMany`. */
  hasMany(keys: Keys<K>, options?: BatchOptions): Promise<Bytes> {
    return this.containsMany(keys, options);
  }

  /** `delete` for every key. Returns how many copies were removed. */
  async deleteMany(keys: Keys<K>, options: BatchOptions = {}): Promise<number> {
    return countOf(await partsOf(this).changeMany(DELETE, keys, options));
  }

  /** The filter's parameters, and how full it is. Sends one command per shard. */
  async info(options: AsyncOptions = {}): Promise<RedisFilterInfo> {
    return partsOf(this).within(options, infoOf);
  }

  /** How full each shard is, and whether it is being doubled. Sends one command per shard. */
  async stats(options?: AsyncOptions): Promise<readonly ShardStats[]> {
    return partsOf(this).each(options, statsOf);
  }

  /**
   * Checks that each shard is there, has the right length, belongs to this filter and has not lost changes, and that this
   * process has not failed to double it. Also tells when it expires, and whether it may be evicted. Throws only if the server does
   * not answer. Sends one command per shard, and does not read the tables.
   */
  async verify(options?: AsyncOptions): Promise<readonly ShardHealth[]> {
    return partsOf(this).each(options, (shard, asking) => shard.health(asking));
  }

  /**
   * Lets all shards expire `milliseconds` from now (an integer from 1 to 2^47), or never, for `null`. Growth, `reset`
   * and `publish` keep that time. After it, calls throw FormatError, as after `drop`.
   */
  async expire(milliseconds: number | null, options?: AsyncOptions): Promise<void> {
    const rule = 'null, or an integer from 1 to 2^47';
    if (milliseconds !== null) checkOption('milliseconds', milliseconds, { ...integer(1, 2 ** 47), rule });
    const given = new TextEncoder().encode(String(milliseconds ?? 0));
    await partsOf(this).each(options, (shard, asking) => shard.run('expire', /^set$/, given, asking));
  }

  /** Removes every key, shard by shard. A table that has grown keeps its size, and one that is doubling goes on. */
  async reset(options?: AsyncOptions): Promise<void> {
    await partsOf(this).each(options, (shard, asking) => shard.reset(asking));
  }

  /**
   * Deletes the filter from the server, or what is left of it. In all processes, calls then throw FormatError, and batches
   * throw RedisBatchError with the FormatError as `cause`. `publish` writes the same filter again. `open` makes a
   * different one, which other processes use only once they call `open`, too. Throws FormatError, with nothing deleted,
   * if another filter, or something else, has the name of a shard.
   */
  async drop(options: AsyncOptions = {}): Promise<void> {
    await partsOf(this).within(options, dropShards);
  }

  /**
   * A local, read-only copy of the filter, for lookups at memory speed. Every `refreshMs` milliseconds (default 1000)
   * it fetches what has changed. `replica.age` says how old the copy is.
   */
  async replica(options: ReplicaOptions = {}): Promise<RedisReplica<K>> {
    const { RedisReplica } = await import('./replica.js');
    return RedisReplica.of<K>(partsOf(this).shards, options);
  }

  /**
   * Overwrites the filter on the server with `filter`, each shard in one step, even after a rollback. `filter` is a
   * replica of a filter with the same options. If there is only one shard, it may also be a CuckooFilter made with
   * `(await info()).options`. Throws RangeError for other options, and TypeError for anything else.
   */
  async publish(filter: CuckooFilter<K> | RedisReplica<K>, options?: AsyncOptions): Promise<void> {
    const own = partsOf(this);
    const shards = (filter as Partial<RedisReplica> | undefined)?.serializeShards;
    check('filter', 'a CuckooFilter or a RedisReplica', filter, shards !== undefined || isAnyFilter(filter));
    const saved = shards?.call(filter as RedisReplica) ?? [(filter as CuckooFilter).serialize()];
    const places = saved.map((bytes) => stageOfSaved(own.shared.places, bytes));
    const { length } = own.shards;
    const local = length === 1 ? 'new CuckooFilter((await redisFilter.info()).options), or ' : '';
    const problem = `the filter has other options than the one on the server. Publish ${local}a replica of a filter with the same options`;
    if (saved.length !== length || places.includes(undefined)) throw argumentError(problem, RangeError);
    await own.each(options, (shard, asking, i) =>
      shard.replace(saved[i] as Uint8Array, places[i] as Places, asking),
    );
  }
}

const DONE = 0;

/** The shards of a filter with these options, and what they share. */
function shardsOf(options: RedisFilterOptions): readonly [shards: Shards, shared: Shared] {
  const given = checkedOptions(options);
  const { send, places, callMs, identity = '' } = given;
  const shared = { ...given, line: new Line(send, callMs), identity, prefix: send.keyPrefix ?? '' };
  const shards = Array.from({ length: places.shards }, (_, i) => new Shard(i, places, shared));
  return [shards as [Shard, ...Shard[]], shared];
}

/** How many keys were added or deleted. */
function countOf(outcomes: Uint8Array): number {
  return outcomes.filter((outcome) => outcome === DONE).length;
}
