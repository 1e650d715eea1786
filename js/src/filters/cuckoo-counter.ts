// The class CuckooCounter: how often each key was added.
// Invariant: a count is never less than the copies added and not deleted, up to the maximum. A count at the maximum
// stays there.
import type { CuckooFilterOptions, FilterPlan, FromOptions, LoadOptions } from '../options/options.js';
import type { CuckooFilterStats } from './stats.js';
import type { Counts } from '../engine/bytes.js';
import { INSERT_OUTCOMES, type CounterCalls } from '../engine/bindings.js';
import type { FullReason } from '../errors.js';
import { COUNTER } from '../engine/parts/counter.js';
import { bitsOf, eraseValue, insertValue } from '../engine/parts/valued.js';
import type { Key, KeyKind, KeyOf } from '../keys/key.js';
import { numberOf, writeKey } from '../keys/write-key.js';
import { inChunks, type AsyncKeys } from '../keys/chunks.js';
import { SIGNAL, type AsyncOptions } from '../keys/signals.js';
import { countsFor } from '../keys/answers.js';
import type { Keys } from '../keys/keys.js';
import type { Handle } from '../engine/handle.js';
import { load } from '../engine/saved.js';
import { numbersOf } from '../engine/scratch.js';
import { loadRequestOf } from '../options/loading.js';
import { endInsert } from './full-error.js';
import { readOptions } from '../options/read.js';
import { GROWING_OPTIONS, integer, type Rules } from '../options/rules.js';
import { handleOf, make } from './filter.js';
import { filled, filledAsync } from './from-keys.js';
import {
  BatchNumbers,
  beginValued,
  checkNumber,
  clamped,
  eraseMany,
  insertMany,
  planValued,
  refuseMap,
  ValuedFilter,
  type NumberPerKey,
} from './valued-filter.js';

const BITS = { counterBits: /* @__PURE__ */ integer(1, 16) };
const USUAL_BITS = 8;

/** The options of a CuckooCounter: those of a CuckooFilter without `maxPause`, and `counterBits`. */
export interface CuckooCounterOptions extends Omit<CuckooFilterOptions, 'maxPause'> {
  /** Number of distinct keys that must fit: an integer from 1 to 2^34, if memory allows. */
  readonly capacity: number;
  /** Lets the filter grow up to this many distinct keys: an integer from `capacity` to 2^34. Default: it does not grow. */
  readonly maxCapacity?: number | undefined;
  /** Bits of a counter, which counts up to 2^counterBits: an integer from 1 to 16. Default 8. */
  readonly counterBits?: number | undefined;
}

/** Statistics of a counting filter, and how many of its counters are at the maximum. */
export interface CuckooCounterStats extends CuckooFilterStats {
  /** Number of counters that have reached the maximum. They stay there, and their keys are never removed. */
  readonly saturated: number;
}

/**
 * Counts how often each key was added. A key takes one slot, however often it is added, and `delete` counts down.
 *
 * A count is never too low if you delete only what you added. It is too high with a probability of at most
 * `falsePositiveRate`. A counter that has reached its maximum, 2^counterBits, stays there.
 *
 * @example
 * const visits = new CuckooCounter({ capacity: 1_000_000 });
 * visits.add('alice').add('alice', 3);
 * visits.count('alice'); // 4
 * visits.delete('alice');
 * visits.count('alice'); // 3
 */
export class CuckooCounter<K extends Key = Key> extends ValuedFilter<CuckooCounter<K>, K> {
  /** @internal */
  static override readonly name: string = 'CuckooCounter';

  /**
   * An empty filter for `capacity` distinct keys. Throws TypeError if `options` is not a plain object, or if an option
   * is unknown or has the wrong type; RangeError if an option is out of range, if the rate is too low for
   * `counterBits`, or if memory is refused.
   */
  constructor(options: CuckooCounterOptions) {
    super(beginValued(COUNTER, options, BITS, USUAL_BITS), CuckooCounter);
  }

  /**
   * A filter that has counted `keys`. `capacity` defaults to their number, which is more than enough if keys repeat. Throws as
   * the constructor and `addMany` do.
   */
  static from<K extends Key>(
    keys: Keys<K>,
    options: FromOptions<CuckooCounterOptions> = {},
  ): CuckooCounter<KeyKind<K>> {
    refuseMap(keys, 'to keep its counts, call addMany(map.keys(), [...map.values()])');
    return filled(keys, optionsOf(options), CuckooCounter);
  }

  /** `from` for keys that arrive over time: see `CuckooFilter.fromAsync`. */
  static async fromAsync<K extends Key>(
    keys: AsyncKeys<K>,
    options: FromOptions<CuckooCounterOptions> & AsyncOptions = {},
  ): Promise<CuckooCounter<KeyKind<K>>> {
    return filledAsync(keys, optionsOf(options, SIGNAL), CuckooCounter);
  }

  /**
   * Loads a filter that `serialize` saved. Throws FormatError for other bytes (its `code` says what is wrong), and
   * OutOfMemoryError. `options` are as for `CuckooFilter.deserialize`.
   */
  static deserialize<K extends Key = Key>(
    bytes: ArrayBufferView | ArrayBufferLike,
    options: LoadOptions = {},
  ): CuckooCounter<K> {
    return make<CuckooCounter<K>>(CuckooCounter, load(COUNTER, loadRequestOf(bytes, options)));
  }

  /** The sizes that the constructor would choose for `options`. Builds nothing. Throws as the constructor does. */
  static plan(options: CuckooCounterOptions): FilterPlan<CuckooCounterOptions> {
    return planValued(COUNTER, options, BITS, USUAL_BITS);
  }

  /** Bits of a counter. */
  get counterBits(): number {
    return bitsOf(handleOf<CounterCalls>(this));
  }
  /** The largest count, 2^counterBits. A counter that has reached it stays there. */
  get maxCount(): number {
    return 2 ** bitsOf(handleOf<CounterCalls>(this));
  }

  /**
   * Adds `copies` (an integer, 1 or more) to the count of `key`. Throws FilterFullError if the key is new and there is
   * no room for it, and TypeError or RangeError if the key or `copies` is not valid. The filter is then unchanged.
   */
  add(key: KeyOf<K>, copies = 1): this {
    const handle = handleOf<CounterCalls>(this);
    endInsert(handle, addTo(handle, key, copies), key);
    return this;
  }

  /** The same as `add`, but returns what happened instead of throwing FilterFullError. */
  tryAdd(key: KeyOf<K>, copies = 1): 'added' | FullReason {
    const handle = handleOf<CounterCalls>(this);
    const outcome = addTo(handle, key, copies);
    handle.growth?.report();
    return INSERT_OUTCOMES[outcome] as 'added' | FullReason;
  }

  /**
   * Subtracts `copies` (an integer, 1 or more) from the count of `key`. Returns `false`, and changes nothing, if there
   * are fewer. A counter at its maximum stays there, and the answer is `true`. Delete only what you added: otherwise
   * the count of a key that shares the counter may become too low, or the key may be lost.
   */
  delete(key: KeyOf<K>, copies = 1): boolean {
    const handle = handleOf<CounterCalls>(this);
    const number = copiesOf(copies);
    return eraseValue(handle, writeKey(handle, key), numberOf(key), number, false);
  }

  /** The number of copies of `key`, at most `maxCount`. Copies of other keys with the same fingerprint and buckets count as well. */
  count(key: KeyOf<K>): number {
    const handle = handleOf<CounterCalls>(this);
    return handle.count(writeKey(handle, key), numberOf(key));
  }

  /**
   * `add` for every key, in order. `copies` is one number for all keys (default 1), or has one for each key. Returns
   * how many keys were counted. Throws FilterFullError (with `added`) or InvalidKeyError (with `index`); the keys
   * before stay counted. Throws RangeError if `copies` and `keys` differ in length.
   */
  addMany(keys: Keys<K>, copies: NumberPerKey = 1): number {
    handleOf(this);
    const numbers = new BatchNumbers('copies', copies, keys, 1, Infinity);
    return insertMany(this, numbers.keys, numbers);
  }

  /** `addMany` for keys that arrive over time: see `CuckooFilter.addManyAsync`. */
  async addManyAsync(keys: AsyncKeys<K>, options: AsyncOptions = {}): Promise<number> {
    handleOf(this);
    return inChunks(keys, (chunk) => this.addMany(chunk), options);
  }

  /** `count` for every key, in order. Throws InvalidKeyError at the first that is not a valid key. */
  countMany(keys: Keys<K>): Counts;
  /** The same, but writes the counts into an array of yours: see `containsMany`. */
  countMany(keys: Keys<K>, into: Uint32Array | undefined): Uint32Array;
  countMany(keys: Keys<K>, into?: Uint32Array): Uint32Array {
    const handle = handleOf<CounterCalls>(this);
    return countsFor(handle, keys, into, (count) => {
      handle.call('countMany', count);
      return numbersOf(handle.instance.scratch, 0, count);
    });
  }

  /**
   * `delete` for every key, in order. Returns the number of keys for which it was `true`, not of copies. Throws as `addMany`
   * does.
   */
  deleteMany(keys: Keys<K>, copies: NumberPerKey = 1): number {
    handleOf(this);
    return eraseMany(this, keys, new BatchNumbers('copies', copies, keys, 1, Infinity));
  }

  /** As for a CuckooFilter, plus the number of counters at the maximum. Reads the whole table. */
  override stats(): CuckooCounterStats {
    const handle = handleOf<CounterCalls>(this);
    return Object.freeze({ ...super.stats(), saturated: handle.call('saturated') });
  }
}

/** The options as they were given, each read once, and `more`. */
function optionsOf(given: unknown, more: Rules = {}): Partial<CuckooCounterOptions> {
  return readOptions(given, { ...GROWING_OPTIONS, ...BITS, ...more });
}

function addTo(handle: Handle<CounterCalls>, key: Key, copies: number): number {
  const number = copiesOf(copies);
  return insertValue(handle, writeKey(handle, key), numberOf(key), number);
}

/** `copies`, checked, as the core takes them. */
function copiesOf(copies: unknown): number {
  return clamped(checkNumber('copies', copies, 1, Infinity));
}
