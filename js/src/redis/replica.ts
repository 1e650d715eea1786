// A local copy of a filter on the server, which follows it.
// Invariant: a lookup is answered from whole shards, each as it was on the server at one moment not longer ago than `age`.
import { CuckooFilter } from '../api/filter.js';
import { check } from '../errors.js';
import { readOptions } from '../given.js';
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

interface Copy {
  readonly filter: CuckooFilter;
  readonly revision: number;
}

/**
 * A CuckooFilter that follows a RedisCuckooFilter. Lookups and `count`, `size` and the other properties are those of the last
 * refresh; with several shards, `bucketCount`, `byteLength` and `capacity` are totals, and `serialize`, `clone` and
 * `merge` are not possible. Methods that change a filter throw TypeError.
 */
export class RedisReplica extends CuckooFilter {
  /** @internal */
  static override readonly name: string = 'RedisReplica';
  readonly #shards: readonly Shard[];
  readonly #places: Places;
  readonly #hasher: Hasher;
  #copies: readonly Copy[] = [];
  #refreshedAt = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #refreshing: Promise<void> | undefined;
  #isDisposed = false;
  /** Why the last refresh failed; undefined if it did not. */
  error: unknown;

  private constructor(shards: readonly Shard[], places: Places) {
    super({ capacity: 1 });
    this.#shards = shards;
    this.#places = places;
    this.#hasher = new Hasher(places);
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
      replica.#timer = setInterval(() => void replica.refresh().catch(() => undefined), refreshMs);
      (replica.#timer as { unref?: () => void }).unref?.();
    }
    return replica;
  }

  /** Milliseconds since the server was last known to be as this copy. */
  get age(): number {
    return performance.now() - this.#refreshedAt;
  }

  /** The local copies of the shards, which must not be changed. */
  get parts(): readonly CuckooFilter[] {
    return this.#copies.map(({ filter }) => filter);
  }

  /** Fetches the shards that have changed. If that fails, the copy stays as it was, and `error` says why. */
  refresh(): Promise<void> {
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
      this.#shards.map(async (shard, i): Promise<Copy> => {
        const known = this.#copies[i];
        if (known !== undefined && (await shard.state()).revision === known.revision) return known;
        const { bytes, revision } = await shard.saved();
        return { filter: CuckooFilter.deserialize(bytes), revision };
      }),
    );
    const before = this.#copies;
    const unused = this.#isDisposed ? copies : before.filter((copy) => !copies.includes(copy));
    if (!this.#isDisposed) this.#copies = copies;
    this.#refreshedAt = begun;
    for (const { filter } of unused) filter.dispose();
  }

  override contains(key: Key): boolean {
    return this.count(key) > 0;
  }
  override has(key: Key): boolean {
    return this.count(key) > 0;
  }
  override count(key: Key): number {
    void super.size; // throws if disposed
    return (this.#copies[this.#shardOf(key)] as Copy).filter.count(key);
  }
  #shardOf(key: Key): number {
    return this.#places.shards === 1 ? 0 : this.#hasher.locate(key, new Uint32Array(WORDS));
  }
  override containsMany(keys: Keys): Uint8Array {
    void super.size;
    if (this.#places.shards === 1) return (this.#copies[0] as Copy).filter.containsMany(keys);
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
    return this.#only('serialize').serialize();
  }
  override equals(other: CuckooFilter): boolean {
    return this.#only('equals').equals(other);
  }
  /** A copy that can be changed and does not follow the server. Throws TypeError if there are several shards. */
  override clone(): this {
    return this.#only('clone').clone() as this;
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
    for (const { filter } of this.#copies) filter.dispose();
  }

  /** `own` is what the class itself has: asking for it throws if the replica was disposed. */
  #sum(own: number, of: (filter: CuckooFilter) => number): number {
    return this.#copies === undefined ? own : this.#copies.reduce((sum, { filter }) => sum + of(filter), 0);
  }
  #first<Value>(own: Value, of: (filter: CuckooFilter) => Value): Value {
    const [copy] = this.#copies;
    return copy === undefined ? own : of(copy.filter);
  }
  #only(method: string): CuckooFilter {
    void super.size;
    const [copy] = this.#copies;
    if (this.#copies.length === 1) return (copy as Copy).filter;
    throw new TypeError(`${method}: a replica of several shards has no saved form of its own; use parts`);
  }
}

function refuse(method: string): never {
  throw new TypeError(`${method}: a replica cannot be changed; change the RedisCuckooFilter, and refresh`);
}
