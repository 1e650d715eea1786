// A local copy of a filter on the server, which follows it. It is imported on first use, so that a program without
// replicas loads no WebAssembly.
// Invariant: a lookup is answered from whole shards, each as it was on the server at one moment, at most `age` ago.
import { atKey } from '../src/basic-errors.js';
import type { Bytes } from '../src/engine/bytes.js';
import { check, DisposedError } from '../src/errors.js';
import { CuckooFilter } from '../src/index.js';
import { carrying } from '../src/keys/carrying.js';
import { until, type AsyncOptions } from '../src/keys/signals.js';
import type {} from '../src/filters/protocols.js';
import { makeDisposable, makeShown, stateOf } from '../src/filters/protocols.js';
import type { Key } from '../src/keys/key.js';
import { checkKeys, type Keys } from '../src/keys/keys.js';
import type { Addressing, HashAlgorithm } from '../src/options/options.js';
import { readOptions } from '../src/options/read.js';
import { Hasher } from './hasher.js';
import { WORDS, type Places } from './shard/places.js';
import { copyOf, type Copied } from './shard/copy.js';
import type { Shard } from './shard/shard.js';

/** How a replica follows the server. */
export interface ReplicaOptions extends AsyncOptions {
  /** Milliseconds between two refreshes: an integer from 1 to 2^31 - 1. Default 1000. 0: only `refresh()` refreshes. */
  readonly refreshMs?: number | undefined;
}

/**
 * A read-only copy of a RedisCuckooFilter in memory, which follows it. It answers as a FilterReader does, from the last
 * refresh. `bucketCount`, `byteLength`, `currentCapacity` and `maxCapacity` are totals over the shards. To see a change
 * at once, change the RedisCuckooFilter, then call `refresh`.
 */
export class RedisReplica {
  /** The same as `dispose`, for `using`. */
  declare readonly [Symbol.dispose]: () => void;

  /** @internal */
  static readonly name: string = 'RedisReplica';
  /** @internal */
  get [Symbol.toStringTag](): string {
    return 'RedisReplica';
  }

  readonly #shards: readonly Shard[];
  readonly #hasher: Hasher;
  /** The copies of the shards. */
  #parts: readonly CuckooFilter[] = [];
  readonly #known: Omit<Copied, 'bytes'>[] = [];
  #refreshedAt = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #refreshing: Promise<void> | undefined;
  /** The refresh after that one, once somebody has asked for it. */
  #next: Promise<void> | undefined;
  #isDisposed = false;
  #error: unknown;

  /** @internal */
  private constructor(shards: readonly Shard[], places: Places) {
    this.#shards = shards;
    this.#hasher = new Hasher(places);
    makeDisposable(this);
    makeShown(this);
  }

  /** @internal */
  static async of(shards: readonly Shard[], places: Places, options: ReplicaOptions): Promise<RedisReplica> {
    const { refreshMs = 1000, signal } = readOptions<ReplicaOptions>(options, ['refreshMs', 'signal']);
    // Timers take a longer time for 1 ms.
    const isTime = Number.isInteger(refreshMs) && refreshMs >= 0 && refreshMs < 2 ** 31;
    const rule = '0, or an integer from 1 to 2^31 - 1';
    check('refreshMs', rule, refreshMs, typeof refreshMs === 'number', isTime);
    const replica = new RedisReplica(shards, places);
    try {
      await replica.refresh({ signal });
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

  /** How long ago, in milliseconds, this copy was last known to match the server. */
  get age(): number {
    return performance.now() - this.#refreshedAt;
  }

  /** Why the last refresh failed; undefined if it succeeded. */
  get error(): unknown {
    return this.#error;
  }

  /**
   * Fetches what has changed, so that the copy has everything that was acknowledged before the call. If that fails, the
   * copy stays as it was, and `error` says why.
   */
  async refresh(options: AsyncOptions = {}): Promise<void> {
    this.#use();
    // A refresh in progress may have read the server before this call. Calls made until it ends share the next refresh.
    return until(options, () =>
      this.#refreshing === undefined
        ? this.#refreshOnce()
        : (this.#next ??= this.#refreshing
            .catch(() => undefined)
            .then(() => {
              this.#next = undefined;
              return this.#refreshOnce();
            })),
    );
  }

  /** A refresh, or the one that is under way. */
  #refreshOnce(): Promise<void> {
    return (this.#refreshing ??= this.#refresh()
      .then(
        () => {
          this.#error = undefined;
        },
        (error: unknown) => {
          this.#error = error;
          throw error;
        },
      )
      .finally(() => (this.#refreshing = undefined)));
  }

  async #refresh(): Promise<void> {
    const begun = performance.now();
    const copies = await Promise.all(
      this.#shards.map(async (shard, i) => {
        const current = (): Uint8Array => (this.#parts[i] as CuckooFilter).serialize();
        const fetched = await copyOf(shard, this.#known[i], current);
        if (fetched === undefined) return undefined;
        const { bytes, ...state } = fetched;
        return { filter: CuckooFilter.deserialize(bytes), state };
      }),
    );
    this.#refreshedAt = begun;
    const before = this.#parts;
    if (this.#isDisposed) {
      for (const copy of copies) copy?.filter.dispose();
      return;
    }
    this.#parts = copies.map((copy, i) => copy?.filter ?? (before[i] as CuckooFilter));
    copies.forEach((copy, i) => {
      if (copy === undefined) return;
      this.#known[i] = copy.state;
      before[i]?.dispose();
    });
  }

  /** The copies, or DisposedError. */
  #use(): readonly CuckooFilter[] {
    if (this.#isDisposed) throw new DisposedError('the replica cannot be used after dispose()');
    return this.#parts;
  }
  #partOf(key: Key): CuckooFilter {
    return this.#use()[this.#hasher.locate(key, new Uint32Array(WORDS))] as CuckooFilter;
  }
  #sum(of: (part: CuckooFilter) => number): number {
    return this.#use().reduce((sum, part) => sum + of(part), 0);
  }
  get #first(): CuckooFilter {
    return this.#use()[0] as CuckooFilter;
  }

  /** `false`: `key` was definitely not in the filter at the last refresh. `true`: it probably was. */
  contains(key: Key): boolean {
    return this.#partOf(key).contains(key);
  }
  /** The same as `contains`. */
  has(key: Key): boolean {
    return this.contains(key);
  }
  /** The number of copies of `key`. Other keys with the same fingerprint and buckets count as well. */
  count(key: Key): number {
    return this.#partOf(key).count(key);
  }
  /**
   * `contains` for every key, in order: 1 or 0. Throws InvalidKeyError at the first that is not a valid key, with the
   * `answers` for those before it.
   */
  containsMany(keys: Keys): Bytes {
    const [only, ...others] = this.#use();
    if (only !== undefined && others.length === 0) return only.containsMany(keys);
    checkKeys(keys);
    const answers: number[] = [];
    try {
      for (const key of keys as Iterable<Key>) answers.push(Number(this.contains(key)));
    } catch (error) {
      throw carrying(atKey(answers.length, error), 'answers', Uint8Array.from(answers));
    }
    return Uint8Array.from(answers);
  }

  /** Number of entries. */
  get size(): number {
    return this.#sum(({ size }) => size);
  }
  /** Number of entries that there is room for now. */
  get currentCapacity(): number {
    return this.#sum(({ currentCapacity }) => currentCapacity);
  }
  /** Number of entries that fit once the shards have grown. */
  get maxCapacity(): number {
    return this.#sum(({ maxCapacity }) => maxCapacity);
  }
  /** Number of buckets. */
  get bucketCount(): number {
    return this.#sum(({ bucketCount }) => bucketCount);
  }
  /** Bytes of the tables. */
  get byteLength(): number {
    return this.#sum(({ byteLength }) => byteLength);
  }
  /** Slots per bucket. */
  get bucketSize(): number {
    return this.#first.bucketSize;
  }
  /** Bits of a fingerprint. */
  get fingerprintBits(): number {
    return this.#first.fingerprintBits;
  }
  /** Whether each bucket is kept sorted. */
  get semiSorted(): boolean {
    return this.#first.semiSorted;
  }
  /** Number of entries that an insert may move before it gives up. */
  get maxKicks(): number {
    return this.#first.maxKicks;
  }
  /** The formula for a key's alternate bucket. */
  get addressing(): Addressing {
    return this.#first.addressing;
  }
  /** The hash function. */
  get hashAlgorithm(): HashAlgorithm {
    return this.#first.hashAlgorithm;
  }
  /** Seed of the hash. */
  get seed(): bigint {
    return this.#first.seed;
  }
  /** size / slots, from 0 to 1. */
  get loadFactor(): number {
    return this.size / (this.bucketCount * this.bucketSize);
  }
  /** 8 x byteLength / size; NaN if the filter is empty. */
  get bitsPerKey(): number {
    return this.size === 0 ? NaN : (8 * this.byteLength) / this.size;
  }
  /** The probability that an absent key is reported present. */
  get expectedFalsePositiveRate(): number {
    return this.#sum((part) => part.expectedFalsePositiveRate) / this.#use().length;
  }

  /** The saved forms of the shards. Each can be loaded with `CuckooFilter.deserialize`. */
  serializeShards(): Bytes[] {
    return this.#use().map((part) => part.serialize());
  }

  /** The properties of the replica, with the seed as a string. */
  toJSON(): Record<string, unknown> {
    return stateOf(this);
  }

  /** Stops following, and frees the memory. Twice is fine. */
  dispose(): void {
    this.#isDisposed = true;
    clearInterval(this.#timer);
    for (const part of this.#parts) part.dispose();
  }
}
