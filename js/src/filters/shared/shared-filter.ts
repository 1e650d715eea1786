// The class SharedCuckooFilter: one filter that several threads read and change at once.
// This file has only what differs from other filters because memory is shared.
import type { Bytes } from '../../engine/bytes.js';
import { join, plannersOf } from '../../engine/shared/shared-module.js';
import { check } from '../../errors.js';
import type { AsyncKeys } from '../../keys/chunks.js';
import type { Key, KeyKind, KeyOf } from '../../keys/key.js';
import type { Keys } from '../../keys/keys.js';
import { SIGNAL, type AsyncOptions } from '../../keys/signals.js';
import { loadRequestOf } from '../../options/loading.js';
import type { FilterPlan, FromOptions, LoadOptions } from '../../options/options.js';
import { plan, planFor, sizesOfPlan } from '../../options/planning.js';
import { readOptions } from '../../options/read.js';
import { LOAD_OPTIONS } from '../../options/rules.js';
import { withJson } from '../../options/with-json.js';
import { sharedMemoryError } from '../../engine/shared/shared-errors.js';
import { handleOf, make } from '../filter.js';
import { filled, filledAsync } from '../from-keys.js';
import {
  build,
  copied,
  handleAt,
  isSharedMemory,
  loaded,
  MAX_THREADS,
  optionsOf,
  save,
  wayOf,
  type SharedCuckooFilterOptions,
} from './shared-parts.js';
import { TableFilter } from '../table-filter.js';

export type { SharedCuckooFilterOptions };

/** The sizes of a shared filter that is not made yet. */
export interface SharedCuckooFilterPlan extends FilterPlan<SharedCuckooFilterOptions> {
  /**
   * Bits per key that a CuckooFilter with these options would take. `bitsPerKey` is higher, because a shared filter
   * takes whole words.
   */
  readonly plainBitsPerKey: number;
}

// Some calls need a turn: inserts that must move entries, `count`, `clear`, `serialize`, `clone` and `equals`. In a
// thread that is not allowed to block, they throw FilterBusyError if they do not get it within two milliseconds. In any
// thread, calls that copy the filter throw it if no copy is whole.

/**
 * What `share` returns and `attach` takes. Send it unchanged, with `postMessage` or as `workerData`. `K` is the type of
 * the filter's keys; a worker says it again: `attach(workerData as SharedFilter<string>)`.
 */
export interface SharedFilter<K extends Key = Key> {
  readonly type: 'SharedCuckooFilter';
  readonly memory: object;
  /** Never there: tells the compiler what the filter takes. */
  takes?(key: KeyOf<K>): void;
}

/**
 * A cuckoo filter that several threads read and change at once. Once `add` has returned, every thread finds the key
 * until one deletes it. If several threads call `addIfAbsent` with one key at once, only one gets `true`. It does not
 * grow, and takes more bits: see `plan`. On the main thread of a page, calls may throw FilterBusyError; so may those that
 * copy the filter in any thread.
 *
 * @example
 * const seen = new SharedCuckooFilter({ capacity: 1_000_000 });
 * worker.postMessage(seen.share());
 * // in the worker:
 * const seen = SharedCuckooFilter.attach(message);
 * if (seen.addIfAbsent(url)) crawl(url); // true in one thread alone
 */
export class SharedCuckooFilter<K extends Key = Key> extends TableFilter<SharedCuckooFilter<K>, K> {
  /** @internal */
  static override readonly name: string = 'SharedCuckooFilter';

  /**
   * An empty filter. Throws as the constructor of CuckooFilter does, and SharedMemoryError if threads cannot share
   * memory here.
   */
  constructor(options: SharedCuckooFilterOptions) {
    super(build(optionsOf(options)), SharedCuckooFilter);
  }

  /** A filter that holds `keys`. `capacity` defaults to the number of keys. Throws as `CuckooFilter.from` does. */
  static from<K extends Key>(
    keys: Keys<K>,
    options: FromOptions<SharedCuckooFilterOptions> = {},
  ): SharedCuckooFilter<KeyKind<K>> {
    return filled(keys, optionsOf(options), SharedCuckooFilter);
  }

  /** A filter that holds keys that arrive over time: see `CuckooFilter.fromAsync`. */
  static async fromAsync<K extends Key>(
    keys: AsyncKeys<K>,
    options: FromOptions<SharedCuckooFilterOptions> & AsyncOptions = {},
  ): Promise<SharedCuckooFilter<KeyKind<K>>> {
    return filledAsync(keys, optionsOf(options, SIGNAL), SharedCuckooFilter);
  }

  /**
   * The filter that another thread shared: the same entries, not a copy. Throws SharedMemoryError if `maxThreads`
   * threads already use it, or if this thread has another version of the package.
   */
  static attach<K extends Key = Key>(shared: SharedFilter<K>): SharedCuckooFilter<K>;
  // eslint-disable-next-line @typescript-eslint/unified-signatures -- `unknown` alone would not tell the keys
  static attach<K extends Key = Key>(shared: unknown): SharedCuckooFilter<K>;
  static attach<K extends Key>(shared: unknown): SharedCuckooFilter<K> {
    const { type, memory } = Object(shared) as Partial<SharedFilter>;
    if (type !== 'SharedCuckooFilter' || !isSharedMemory(memory)) throw sharedMemoryError('not-shared');
    const way = join(memory);
    const { byteLength } = memory.buffer;
    const address = way.instance.bindings.shared.attach(way.filter, byteLength - way.filter);
    if (address === 0) {
      way.place.release();
      throw sharedMemoryError('not-shared');
    }
    return make<SharedCuckooFilter<K>>(SharedCuckooFilter, handleAt(way, address));
  }

  /**
   * Loads bytes saved by this class, or by a CuckooFilter made with `SharedCuckooFilter.plan(options).options`. Throws
   * as `CuckooFilter.deserialize` does, and RangeError if threads cannot share the filter's buckets.
   */
  static deserialize<K extends Key = Key>(
    bytes: ArrayBufferView | ArrayBufferLike,
    options: LoadOptions & Pick<SharedCuckooFilterOptions, 'maxThreads'> = {},
  ): SharedCuckooFilter<K> {
    const { maxThreads, ...rest } = readOptions<typeof options>(options, { ...LOAD_OPTIONS, ...MAX_THREADS });
    return make<SharedCuckooFilter<K>>(SharedCuckooFilter, loaded(loadRequestOf(bytes, rest), maxThreads));
  }

  /** The sizes that the constructor would choose, and what a CuckooFilter would take. Throws as the constructor does. */
  static plan(options: SharedCuckooFilterOptions): SharedCuckooFilterPlan {
    const { maxThreads, ...rest } = optionsOf(options);
    const { plain, shared } = plannersOf();
    const words = planFor<SharedCuckooFilterOptions>(shared, rest); // first, as it throws what the constructor does
    plan(plain, rest);
    const { bitsPerKey: plainBitsPerKey } = sizesOfPlan(plain);
    return withJson({
      ...words,
      plainBitsPerKey,
      options: withJson({ ...words.options, ...(maxThreads === undefined ? {} : { maxThreads }) }),
    });
  }

  /** A message for another thread, where `attach` takes it. */
  share(): SharedFilter<K> {
    const { memory } = wayOf(handleOf(this));
    return Object.freeze({ type: 'SharedCuckooFilter', memory });
  }

  /** The number of this thread in this filter, for `reclaim`: from 1, and never given out again. */
  get thread(): number {
    return wayOf(handleOf(this)).place.thread;
  }

  /**
   * Frees the place of a thread that ended without calling `dispose`; `thread` is its `filter.thread`. Resolves to
   * `true` once the place is free for another thread (within ten seconds; in Node at once if this thread started that
   * one and it has emitted `exit`), or to `false` at once if it already was. If the thread is still alive, its next call
   * throws SharedMemoryError (code `reclaimed`), and no key is lost.
   */
  async reclaim(thread: number): Promise<boolean> {
    const { place } = wayOf(handleOf(this).ready());
    const isNumber = Number.isInteger(thread) && thread > 0;
    const rule = "the number of another thread, from that thread's filter.thread";
    check('thread', rule, thread, typeof thread === 'number', isNumber && thread !== place.thread);
    return place.reclaim(thread);
  }

  /**
   * The filter as bytes, in the form of a CuckooFilter. Keys that other threads add or delete during the call may be
   * missing; all others are in it.
   */
  override serialize(): Bytes {
    return save(handleOf(this));
  }

  /**
   * A copy of what `serialize` saves, with its own memory. Throws OutOfMemoryError, and FormatError in a thread that
   * attached to a filter with a secret key.
   */
  override clone(): SharedCuckooFilter<K> {
    return make<SharedCuckooFilter<K>>(SharedCuckooFilter, copied(handleOf(this)));
  }
}
