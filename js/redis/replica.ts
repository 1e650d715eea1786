// A local copy of a filter on the server, which follows it. It is imported on first use, so that a program without
// replicas loads no WebAssembly.
// Invariant: a lookup is answered from whole shards, each as it was on the server at one moment, at most `age` ago.
import { atKey } from '../src/basic-errors.js';
import type { Bytes } from '../src/engine/bytes.js';
import { DisposedError } from '../src/errors.js';
import { wrongReceiver } from '../src/filters/wrong-filter.js';
import { makeDisposable, makeShown, stateOf } from '../src/filters/protocols.js';
import { giveAnswers, keptFor, Mask } from '../src/keys/answers.js';
import type { Key, KeyOf } from '../src/keys/key.js';
import { checkKeys, type Keys } from '../src/keys/keys.js';
import { SIGNAL, until, type AsyncOptions } from '../src/keys/signals.js';
import { readOptions } from '../src/options/read.js';
import { integer } from '../src/options/rules.js';
import { allOf } from './server/line.js';
import { copyOf, type Copy } from './shard/copy.js';
import { LOOK_UP, place, WORDS } from './shard/places.js';
import type { Shards } from './shard/shard.js';

/** How a replica follows the server. */
export interface ReplicaOptions extends AsyncOptions {
  /** Milliseconds between two refreshes: an integer from 0 to 2^31 - 1. Default 1000. 0: only `refresh()` refreshes. */
  readonly refreshMs?: number | undefined;
}

/** The copies. Throws DisposedError; or TypeError for anything but a replica, such as a Proxy of one. */
let copiesOf: (replica: RedisReplica<never>) => readonly Copy[];

function filterOf(replica: RedisReplica<never>, key: Key): Copy['filter'] {
  const copies = copiesOf(replica);
  const [{ places }] = copies as [Copy];
  return (copies[copies.length === 1 ? 0 : place(places, key, LOOK_UP, PLACE)] as Copy).filter;
}

/**
 * A read-only copy of a RedisCuckooFilter in memory, which follows it. It answers as a FilterReader does, from the last
 * refresh. To see a change at once, change the RedisCuckooFilter, then call `refresh`.
 */
export class RedisReplica<K extends Key = Key> {
  /** The same as `dispose`, for `using`. */
  declare readonly [Symbol.dispose]: () => void;

  /** Lets functions of this file in as well: Metro cannot parse a static block for React Native. @internal */
  static readonly name: string = (() => {
    copiesOf = (replica) => {
      if (!(#copies in replica)) throw wrongReceiver();
      if (replica.#isDisposed) throw new DisposedError('the replica cannot be used after dispose()');
      return replica.#copies;
    };
    return 'RedisReplica';
  })();
  /** @internal */
  get [Symbol.toStringTag](): string {
    return 'RedisReplica';
  }

  readonly #shards: Shards;
  #copies: Copy[] = [];
  #refreshedAt = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #refreshing: Promise<void> | undefined;
  /** The refresh after that one, once somebody has asked for it. */
  #next: Promise<void> | undefined;
  #isDisposed = false;
  #error: unknown;

  /** @internal */
  private constructor(shards: Shards) {
    this.#shards = shards;
  }

  /** @internal */
  static async of<K extends Key>(shards: Shards, options: ReplicaOptions): Promise<RedisReplica<K>> {
    const { refreshMs = 1000, signal } = readOptions<ReplicaOptions>(options, {
      // Timers take a longer time for 1 ms.
      refreshMs: integer(0, 2 ** 31 - 1, '2^31 - 1'),
      ...SIGNAL,
    });
    const replica = new RedisReplica<K>(shards);
    await replica.refresh({ signal });
    if (refreshMs > 0) {
      replica.#timer = setInterval(() => void replica.refresh().catch(() => undefined), refreshMs);
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
    copiesOf(this);
    // A refresh in progress may have read the server before this call. Calls made until it ends share the next refresh.
    return until(options, () =>
      this.#refreshing === undefined
        ? this.#refresh()
        : (this.#next ??= this.#refreshing.catch(() => undefined).then(() => this.#refresh())),
    );
  }

  #refresh(): Promise<void> {
    this.#next = undefined;
    return (this.#refreshing = this.#fetch().finally(() => (this.#refreshing = undefined)));
  }

  async #fetch(): Promise<void> {
    const begun = performance.now();
    try {
      const before = this.#copies;
      const { line } = this.#shards[0].shared;
      const copies = await line.within(undefined, (asking) =>
        allOf(this.#shards, (shard, i) => copyOf(shard, before[i], asking)),
      );
      this.#refreshedAt = begun;
      this.#error = undefined;
      if (!this.#isDisposed) this.#copies = copies;
      for (const { filter } of this.#isDisposed ? copies : before.filter((each) => !copies.includes(each)))
        filter.dispose();
    } catch (error) {
      this.#error = error;
      throw error;
    }
  }

  /** `false` is certain: `key` was not in the filter at the last refresh. `true` means maybe. */
  contains(key: KeyOf<K>): boolean {
    return filterOf(this, key).contains(key);
  }
  /** The same as `contains`. */
  has(key: KeyOf<K>): boolean {
    return this.contains(key);
  }
  /** The number of copies of `key`. Other keys with the same fingerprint and buckets count as well. */
  count(key: KeyOf<K>): number {
    return filterOf(this, key).count(key);
  }
  /**
   * `contains` for every key, in order: 1 or 0. Throws InvalidKeyError at the first that is not a valid key, with the
   * `answers` for those before it.
   */
  containsMany(keys: Keys<K>): Bytes;
  /** The same, with the answers in an array that you keep: see `CuckooFilter.containsMany`. */
  containsMany(keys: Keys<K>, into: Uint8Array | undefined): Uint8Array;
  containsMany(keys: Keys<K>, into?: Uint8Array): Uint8Array {
    const [only, ...others] = copiesOf(this);
    if (only !== undefined && others.length === 0) return only.filter.containsMany(keys, into);
    checkKeys(keys);
    const answers = new Mask(keys, 1, keptFor(keys, into));
    for (const key of keys as Iterable<KeyOf<K>>)
      try {
        answers.reserve(1);
        answers.add(this.contains(key));
      } catch (thrown) {
        const error = atKey(answers.pushed.length, thrown);
        giveAnswers(error, answers.pushed);
        throw error;
      }
    return into ?? answers.take();
  }
  /** The same as `containsMany`. */
  hasMany(keys: Keys<K>): Bytes;
  hasMany(keys: Keys<K>, into: Uint8Array | undefined): Uint8Array;
  hasMany(keys: Keys<K>, into?: Uint8Array): Uint8Array {
    return this.containsMany(keys, into);
  }

  /** Number of entries. */
  get size(): number {
    return copiesOf(this).reduce((sum, { filter }) => sum + filter.size, 0);
  }
  /** Bytes of the tables. */
  get byteLength(): number {
    return copiesOf(this).reduce((sum, { filter }) => sum + filter.byteLength, 0);
  }

  /** The saved forms of the shards. Each can be loaded with `CuckooFilter.deserialize`. */
  serializeShards(): Bytes[] {
    return copiesOf(this).map(({ filter }) => filter.serialize());
  }

  /** `size` and `byteLength`. For the rest, ask `info` of the filter. */
  toJSON(): Record<string, unknown> {
    return stateOf(this);
  }

  /** Stops following, and frees the memory. Twice is fine. */
  dispose(): void {
    this.#isDisposed = true;
    clearInterval(this.#timer);
    for (const { filter } of this.#copies.splice(0)) filter.dispose();
  }
}

makeDisposable(RedisReplica.prototype);
makeShown(RedisReplica.prototype);

/** Where a lookup has its key. */
const PLACE = new Uint32Array(WORDS);
