// The class ExpiringFilter: keys seen in the last periods.
// Invariant: a key seen in a remembered period is never called new; an operation that throws has changed nothing beyond
// what its error says. If there is a clock, every call first begins the periods that are due.
import type { ExpiringCalls } from '../../engine/bindings.js';
import type { Bytes } from '../../engine/bytes.js';
import type { Handle } from '../../engine/handle.js';
import { load } from '../../engine/saved.js';
import { EXPIRING } from '../../engine/parts/expiring.js';
import { argumentError, FIELDS, FilterFullError } from '../../errors.js';
import { answersFor } from '../../keys/answers.js';
import { answersInChunks, type AsyncKeys } from '../../keys/chunks.js';
import { type AsyncOptions } from '../../keys/signals.js';
import type { Key, KeyOf } from '../../keys/key.js';
import { numberOf, writeKey } from '../../keys/write-key.js';
import type { Keys } from '../../keys/keys.js';
import type { FilterPlan } from '../../options/options.js';
import { loadRequestOf } from '../../options/loading.js';
import { sizesOf } from '../../options/planning.js';
import { readOptions } from '../../options/read.js';
import { LOAD_OPTIONS } from '../../options/rules.js';
import { clockOf } from './clock.js';
import {
  beginExpiring,
  ExpiringHandle,
  OWN_OPTIONS,
  ownOf,
  planExpiring,
  type ExpiringFilterOptions,
  type ExpiringLoadOptions,
} from './expiring-parts.js';
import { areIn, Filter, handleOf, isIn, make } from '../filter.js';
import { ADDED, FULL, growthAdvice, noRoomMessage } from '../full-error.js';
import { differingError, mergeInto } from '../merge.js';

/**
 * Tells whether a key occurred in the last `periods` periods, including the current one. If `isNew` returns `true`,
 * that is certain; `false` is wrong with a probability of at most `falsePositiveRate`.
 *
 * `isNew` marks the key as seen now, so a key that keeps coming is never forgotten. With `renew: false`, its age counts
 * from the first time.
 *
 * @example
 * const seen = new ExpiringFilter({ capacity: 1_000_000, periods: 25, every: '1 h' });
 * seen.isNew('alice'); // true
 * seen.isNew('alice'); // false
 * // 25 hours later
 * seen.isNew('alice'); // true
 */
export class ExpiringFilter<K extends Key = Key> extends Filter<ExpiringFilter<K>, K> {
  /** @internal */
  static override readonly name: string = 'ExpiringFilter';

  /**
   * A filter that has seen nothing. Throws TypeError if an option is unknown or has the wrong type; RangeError if an
   * option is out of range; and OutOfMemoryError. A fingerprint and its period together have at most 32 bits; a period
   * takes log2(periods) bits, rounded up.
   */
  constructor(options: ExpiringFilterOptions) {
    super(beginExpiring(options), ExpiringFilter);
  }

  /** The sizes that the constructor would choose. Builds nothing. Throws as the constructor does. */
  static plan(options: ExpiringFilterOptions): FilterPlan<ExpiringFilterOptions> {
    return planExpiring(options);
  }

  /**
   * Loads a filter that `serialize` saved. Throws as `CuckooFilter.deserialize` does. The clock, `whenFull` and `renew`
   * are not saved: give the same ones again. With `every`, the filter forgets what has expired since it was saved. If
   * it was saved without a clock, its current period becomes the present one.
   */
  static deserialize<K extends Key = Key>(
    bytes: ArrayBufferView | ArrayBufferLike,
    options: ExpiringLoadOptions = {},
  ): ExpiringFilter<K> {
    const { every, now, whenFull, renew, ...rest } = readOptions<ExpiringLoadOptions>(options, {
      ...LOAD_OPTIONS,
      ...OWN_OPTIONS,
    });
    const clock = clockOf(every, now);
    const own = ownOf({ whenFull, renew });
    const handle = load(
      EXPIRING,
      loadRequestOf(bytes, rest),
      (address, capacity) => new ExpiringHandle(address, capacity, clock, own),
    );
    return make<ExpiringFilter<K>>(ExpiringFilter, handle);
  }

  /**
   * `true`: `key` was definitely not seen in the last `periods` periods. Marks the key as seen now: the age of a known
   * key starts over, unless `renew` is false. Throws InvalidKeyError for an invalid key, and FilterFullError, with
   * nothing changed, if the key is new and does not fit. There is room for `capacity` distinct keys (`maxCapacity` if
   * the filter grows).
   */
  isNew(key: KeyOf<K>): boolean {
    const handle = handleOfExpiring(this);
    const outcome = handle.insertIfAbsent(writeKey(handle, key), numberOf(key));
    const refusal = outcome === FULL ? fullError(handle, 0) : undefined;
    handle.growth?.report();
    if (refusal !== undefined) throw refusal;
    return outcome === ADDED;
  }

  /**
   * `isNew` for every key, in order: 1 or 0. Throws as `isNew` does; the error's `answers` are those of the keys
   * before, which count as seen, and the key at index `answers.length` is the one that failed. What the keys' own
   * iterator throws, it throws unchanged, without `answers`.
   */
  areNew(keys: Keys<K>): Bytes;
  /** The same, but writes the answers into an array of yours: see `containsMany`. */
  areNew(keys: Keys<K>, into: Uint8Array | undefined): Uint8Array;
  areNew(keys: Keys<K>, into?: Uint8Array): Uint8Array {
    const handle = handleOfExpiring(this);
    return answersFor(
      handle,
      keys,
      into,
      (count) => handle.call('insertManyIfAbsent', count),
      (_, ones) => fullError(handle, ones),
    );
  }

  /** `areNew` for keys that arrive over time: see `Deduper.areNewAsync`. */
  async areNewAsync(keys: AsyncKeys<K>, options: AsyncOptions = {}): Promise<Bytes> {
    handleOf(this);
    return answersInChunks(keys, (chunk) => this.areNew(chunk), options);
  }

  /** The opposite of `isNew`, but does not mark the key as seen. `false` is certain; `true` means maybe. */
  hasSeen(key: KeyOf<K>): boolean {
    return isIn(this, key);
  }

  /** `hasSeen` for every key, in order: 1 or 0. Throws InvalidKeyError at the first that is not a valid key. */
  haveSeen(keys: Keys<K>): Bytes;
  /** The same, but writes the answers into an array of yours: see `containsMany`. */
  haveSeen(keys: Keys<K>, into: Uint8Array | undefined): Uint8Array;
  haveSeen(keys: Keys<K>, into?: Uint8Array): Uint8Array {
    return areIn(this, keys, into);
  }

  /**
   * Begins the next period and forgets the keys that were last seen `periods` periods before it. Returns the number of
   * entries forgotten. Takes at most 0.1 ms up to ten million keys, because later calls empty the slots. With `every`, it
   * only begins the periods that are due, if any, as every other call does.
   */
  advance(): number {
    const handle = handleOfExpiring(this);
    return handle.clock === undefined ? handle.call('advance', 1) : handle.forgotten;
  }

  /** Forgets every key. With `every`, the current period is then the clock's, even if the clock went back. */
  override clear(): void {
    const handle = handleOfExpiring(this);
    const { clock } = handle;
    const began = clock?.present(); // Code of the user, which may throw.
    handle.call('clear');
    if (clock === undefined || began === undefined) return;
    clock.began = began;
    handle.call('setClock', began);
  }

  /**
   * Adds what `other` has seen. For a key that both have seen, the later period counts. Make both with the same options
   * and a capacity for all keys together, and merge them in the same period. All or nothing. Throws FilterFullError if
   * an entry does not fit, RangeError if the filters differ, and OutOfMemoryError.
   */
  merge(other: ExpiringFilter<K>): this {
    return mergeInto<this, ExpiringCalls>(
      this,
      other,
      (handle, from) => {
        toSamePeriod(handle as ExpiringHandle, from as ExpiringHandle);
        const outcome = handle.invokeBoth(handle.calls.merge, from);
        if (FIELDS[-1 - outcome] === 'currentPeriod') throw periodError(handle, from);
        return outcome;
      },
      (handle) => ({ periods: handle.call('periods') }),
    );
  }

  /** Number of periods for which a key is remembered. */
  get periods(): number {
    return handleOfExpiring(this).call('periods');
  }
  /**
   * Number of periods that are remembered now, including the current one: `periods`, unless `whenFull: 'forget-oldest'`
   * had to forget some. It grows back by one with each new period.
   */
  get remembers(): number {
    return handleOfExpiring(this).call('remembered');
  }
  /** When the oldest remembered period began, in milliseconds by the clock. Undefined without `every`. */
  get remembersSince(): number | undefined {
    const handle = handleOfExpiring(this);
    const { clock } = handle;
    return clock && clock.began - (handle.call('remembered') - 1) * clock.every;
  }
}

/** The handle of `filter`, with all due periods begun. */
function handleOfExpiring(filter: ExpiringFilter): ExpiringHandle {
  return handleOf<ExpiringCalls>(filter) as ExpiringHandle;
}

/**
 * Brings both to the same period, even if a new one begins just now. Throws RangeError if the periods differ in length.
 * `other` is a plain handle, without a clock, if it is a copy. Throws RangeError also if only one of them renews keys.
 */
function toSamePeriod(one: ExpiringHandle, other: ExpiringHandle): void {
  const [own, others] = [one.clock, other.clock];
  const { own: manner }: Partial<ExpiringHandle> = other;
  const differing =
    (own && others && differingError({ every: own.every }, { every: others.every })) ??
    (manner && differingError({ renew: one.own.renews }, { renew: manner.renews }));
  if (differing !== undefined) throw differing;
  for (let turn = 0; turn < 3; ++turn) {
    const began = other.ready().clock?.began;
    if (one.ready().clock?.began === began) return;
  }
}

function fullError(handle: ExpiringHandle, added: number): FilterFullError {
  const sizes = sizesOf(handle);
  const advice = handle.own.forgetsOldest
    ? 'The current period alone fills it: raise capacity or maxCapacity'
    : `Raise capacity or maxCapacity, which count the keys of all periods, or set whenFull: 'forget-oldest'${
        handle.clock === undefined ? ', or call advance sooner' : ''
      }`;
  return new FilterFullError(
    noRoomMessage(
      'the filter is full',
      handle.call('size'),
      sizes.maxCapacity,
      growthAdvice(handle.instance, sizes) ?? advice,
    ),
    'full',
    added,
  );
}

function periodError(into: Handle<ExpiringCalls>, from: Handle<ExpiringCalls>): Error {
  const hasClock = into.call('clock') >= 0;
  if (hasClock !== from.call('clock') >= 0)
    return argumentError(
      'cannot merge: only one has the option every. Make both with the same options',
      RangeError,
    );
  const advice = hasClock
    ? 'Make both with the same every, and with clocks that agree'
    : 'Call advance() on the one behind, until both have advanced equally often';
  return argumentError(`cannot merge: the filters are not in the same period. ${advice}`, RangeError);
}
