// A local copy of a filter on the server, which follows it.
// Invariant: a lookup is answered from whole shards, each as it was on the server at one moment not longer ago than `age`. The
// table of a replica of one shard is its own, so that it is a filter wherever one is taken; one of several is taken nowhere.
import { CuckooFilter } from '../api/filter.js';
import { forgetSizes, handleOf } from '../api/sized.js';
import { check } from '../errors.js';
import { readOptions } from '../given.js';
import { KIND } from '../kind.js';
import { showContent } from '../observe/shown.js';
import type { Addressing } from '../options.js';
import type { Key } from '../wasm/key.js';
import { atKey, checkKeys, type Keys } from '../wasm/keys.js';
import { Hasher } from './hasher.js';
import { WORDS, type Places } from './places.js';
import type { Shard } from './shard.js';

/** How a replica follows the server. */
export interface ReplicaOptions {
  /** Milliseconds between two looks at the server: an integer from 1 to 2^31 - 1. Default 1000. 0: only `refresh()` looks. */
  readonly refreshMs?: number | undefined;
}

/**
 * A CuckooFilter that follows a RedisCuckooFilter. Lookups and `count`, `size` and the other properties are those of the last
 * refresh. Methods that change a filter throw TypeError. With one shard, other filters can be compared with it, and
 * `merge` takes it. With several, `bucketCount`, `byteLength` and `capacity` are totals; `serialize`, `clone` and `equals` throw
 * TypeError, as does what is given the replica as a filter, except `publish`: use `parts`.
 */
export class RedisReplica extends CuckooFilter {
  /** @internal */
  static override readonly name: string = 'RedisReplica';
  readonly #shards: readonly Shard[];
  readonly #hasher: Hasher;
  /** The copies of the shards; empty if there is one, whose copy is this object. */
  readonly #several: readonly CuckooFilter[];
  readonly #revisions: (number | undefined)[] = [];
  #refreshedAt = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #refreshing: Promise<void> | undefined;
  /** The refresh after that one, once somebody has asked for it. */
  #next: Promise<void> | undefined;
  #isDisposed = false;
  /** Why the last refresh failed; undefined if it did not. */
  error: unknown;

  private constructor(shards: readonly Shard[], places: Places) {
    super({ capacity: 1 });
    this.#shards = shards;
    this.#hasher = new Hasher(places);
    this.#several = shards.length === 1 ? [] : shards.map(() => new CuckooFilter({ capacity: 1 }));
    if (shards.length > 1) makeSeveral(this);
  }

  /** @internal */
  static async of(shards: readonly Shard[], places: Places, options: ReplicaOptions): Promise<RedisReplica> {
    const { refreshMs = 1000 } = readOptions<ReplicaOptions>(options, ['refreshMs']);
    // Timers take a longer time for 1 ms.
    const isTime = Number.isInteger(refreshMs) && refreshMs >= 0 && refreshMs < 2 ** 31;
    const rule = '0, or an integer from 1 to 2^31 - 1';
    check('refreshMs', rule, refreshMs, typeof refreshMs === 'number', isTime);
    const replica = new RedisReplica(shards, places);
    try {
      await replica.refresh();
    } catch (error) {
      replica.dispose();
      throw error;
    }
    if (refreshMs > 0) {
      replica.#timer = setInterval(() => void replica.#refreshOnce().catch(() => undefined), refreshMs);
      (replica.#timer as { unref?: () => void }).unref?.();
    }
    return replica;
  }

  /** Milliseconds since the server was last known to be as this copy. */
  get age(): number {
    return performance.now() - this.#refreshedAt;
  }

  /** The local copies of the shards, which must not be changed. They follow the server as the replica does. */
  get parts(): readonly CuckooFilter[] {
    return this.#several.length === 0 ? [this] : this.#several;
  }

  /**
   * Fetches the shards that have changed, so that the copy has all that was acknowledged before the call. If that fails, the copy
   * stays as it was, and `error` says why.
   */
  async refresh(): Promise<void> {
    void super.size; // throws if disposed
    // A refresh under way may have read the server before this call. Calls made until it ends share the next one.
    if (this.#refreshing === undefined) return this.#refreshOnce();
    return (this.#next ??= this.#refreshing
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#refreshOnce();
      }));
  }

  /** A refresh, or the one that is under way. */
  #refreshOnce(): Promise<void> {
    return (this.#refreshing ??= this.#refresh()
      .then(
        () => {
          this.error = undefined;
        },
        (error: unknown) => {
          this.error = error;
          throw error;
        },
      )
      .finally(() => (this.#refreshing = undefined)));
  }

  async #refresh(): Promise<void> {
    const begun = performance.now();
    const copies = await Promise.all(
      this.#shards.map(async (shard, i) => {
        const known = this.#revisions[i];
        if (known !== undefined && (await shard.state()).revision === known) return undefined;
        const { bytes, revision } = await shard.saved();
        return { filter: CuckooFilter.deserialize(bytes), revision };
      }),
    );
    this.#refreshedAt = begun;
    const { parts } = this;
    copies.forEach((copy, i) => {
      if (copy === undefined) return;
      if (!this.#isDisposed) {
        exchange(parts[i] as CuckooFilter, copy.filter);
        this.#revisions[i] = copy.revision;
      }
      copy.filter.dispose();
    });
  }

  override contains(key: Key): boolean {
    return this.#several.length === 0 ? super.contains(key) : this.#partOf(key).contains(key);
  }
  override has(key: Key): boolean {
    return this.contains(key);
  }
  override count(key: Key): number {
    return this.#several.length === 0 ? super.count(key) : this.#partOf(key).count(key);
  }
  #partOf(key: Key): CuckooFilter {
    return this.#several[this.#hasher.locate(key, new Uint32Array(WORDS))] as CuckooFilter;
  }
  override containsMany(keys: Keys): Uint8Array {
    if (this.#several.length === 0) return super.containsMany(keys);
    void super.size; // throws if disposed
    checkKeys(keys);
    return Uint8Array.from(
      Array.from(keys as Iterable<Key>, (key, i) => {
        try {
          return Number(this.contains(key));
        } catch (error) {
          throw atKey(i, error);
        }
      }),
    );
  }

  override get size(): number {
    return this.#sum(super.size, ({ size }) => size);
  }
  override get capacity(): number {
    return this.#sum(super.capacity, ({ capacity }) => capacity);
  }
  override get maxCapacity(): number {
    return this.#sum(super.maxCapacity, ({ maxCapacity }) => maxCapacity);
  }
  override get bucketCount(): number {
    return this.#sum(super.bucketCount, ({ bucketCount }) => bucketCount);
  }
  override get byteLength(): number {
    return this.#sum(super.byteLength, ({ byteLength }) => byteLength);
  }
  override get bucketSize(): number {
    return this.#first(super.bucketSize, ({ bucketSize }) => bucketSize);
  }
  override get fingerprintBits(): number {
    return this.#first(super.fingerprintBits, ({ fingerprintBits }) => fingerprintBits);
  }
  override get semiSorted(): boolean {
    return this.#first(super.semiSorted, ({ semiSorted }) => semiSorted);
  }
  override get maxKicks(): number {
    return this.#first(super.maxKicks, ({ maxKicks }) => maxKicks);
  }
  override get addressing(): Addressing {
    return this.#first(super.addressing, ({ addressing }) => addressing);
  }
  override get seed(): bigint {
    return this.#first(super.seed, ({ seed }) => seed);
  }
  override get loadFactor(): number {
    return this.size / (this.bucketCount * this.bucketSize);
  }
  override get bitsPerKey(): number {
    return this.size === 0 ? NaN : (8 * this.byteLength) / this.size;
  }
  override get falsePositiveRate(): number {
    return (
      this.#sum(super.falsePositiveRate, ({ falsePositiveRate }) => falsePositiveRate) / this.#shards.length
    );
  }

  /** The saved form. Throws TypeError if there are several shards. */
  override serialize(): ReturnType<CuckooFilter['serialize']> {
    this.#mustBeOne('serialize');
    return super.serialize();
  }
  /** As of other filters. Throws TypeError if there are several shards. */
  override equals(other: CuckooFilter): boolean {
    this.#mustBeOne('equals');
    return super.equals(other);
  }
  /** A copy that can be changed and does not follow the server: a CuckooFilter, also in TypeScript if declared so. Throws TypeError if there are several shards. */
  override clone(): this {
    this.#mustBeOne('clone');
    return CuckooFilter.deserialize(this.serialize()) as this;
  }

  override add(): never {
    return refuse('add');
  }
  override tryAdd(): never {
    return refuse('tryAdd');
  }
  override addIfAbsent(): never {
    return refuse('addIfAbsent');
  }
  override delete(): never {
    return refuse('delete');
  }
  override addMany(): never {
    return refuse('addMany');
  }
  override addManyAsync(): never {
    return refuse('addManyAsync');
  }
  override addManyIfAbsent(): never {
    return refuse('addManyIfAbsent');
  }
  override deleteMany(): never {
    return refuse('deleteMany');
  }
  override shrink(): never {
    return refuse('shrink');
  }
  override clear(): never {
    return refuse('clear');
  }
  override merge(): never {
    return refuse('merge');
  }
  override mergeIfAbsent(): never {
    return refuse('mergeIfAbsent');
  }

  /** Stops following, and frees the memory. */
  override dispose(): void {
    super.dispose();
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    clearInterval(this.#timer);
    for (const part of this.#several) part.dispose();
  }

  /** `own` is what the class itself has, which is all if there is one shard: asking for it throws if the replica was disposed. */
  #sum(own: number, of: (filter: CuckooFilter) => number): number {
    return this.#several.length === 0 ? own : this.#several.reduce((sum, part) => sum + of(part), 0);
  }
  #first<Value>(own: Value, of: (filter: CuckooFilter) => Value): Value {
    const [part] = this.#several;
    return part === undefined ? own : of(part);
  }
  #mustBeOne(method: string): void {
    void super.size;
    if (this.#several.length > 0)
      throw new TypeError(`${method}: a replica of several shards has no saved form of its own; use parts`);
  }
}

/** Gives `filter` what `other` holds, and the other way round. */
function exchange(filter: CuckooFilter, other: CuckooFilter): void {
  const [one, two] = [handleOf(filter), handleOf(other)];
  [one.address, two.address] = [two.address, one.address];
  for (const each of [filter, other]) forgetSizes(each);
}

/**
 * Makes all that ask for the class of a filter refuse a replica of several shards. By properties of the object, because bundlers
 * keep a class with computed names where it is not used.
 */
function makeSeveral(replica: RedisReplica): void {
  const get = (): never => {
    throw new TypeError(
      `a replica of ${replica.parts.length} shards is not one filter: give the filters in its parts, one by one`,
    );
  };
  Object.defineProperty(replica, KIND, { get });
  Object.defineProperty(replica, Symbol.toStringTag, { value: 'CuckooFilter' });
  showContent(replica, contentOfParts);
}

/** What tests compare, as showContent says. */
function contentOfParts(this: RedisReplica): symbol {
  const contents = this.parts.map((part) => String((part as unknown as { content: symbol }).content));
  return Symbol.for(contents.join('; '));
}

function refuse(method: string): never {
  throw new TypeError(
    `${method}: a replica cannot be changed. Change the RedisCuckooFilter, then call refresh() of the replica`,
  );
}
