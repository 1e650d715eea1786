// The class ExpiringFilter: keys seen in the last periods.
// Invariant: a key seen in a period that is remembered is never called new; an operation that throws has changed nothing
// beyond what its error says. Every call first begins the periods that are due by the clock, if there is one.
import { FIELDS, FilterFullError, noRoomMessage } from '../errors.js';
import { readOptions } from '../given.js';
import { kindOf, setKind } from '../kind.js';
import { countedStats, type CuckooFilterStats } from '../observe/stats.js';
import { sizesOf } from '../planning.js';
import { INSERT_OUTCOMES, type Address, type ExpiringCalls } from '../wasm/bindings.js';
import type { Bytes } from '../wasm/bytes.js';
import { EXPIRING } from '../wasm/expiring.js';
import { writeKey, type Key } from '../wasm/key.js';
import type { Keys } from '../wasm/keys.js';
import { answersFor } from '../wasm/mask.js';
import { checkedForm, load, outOfMemory, save } from '../wasm/saved.js';
import { clockOf } from './clock.js';
import {
  begin,
  catchUp,
  ExpiringHandle,
  isForgetting,
  type ExpiringFilterOptions,
  type ExpiringLoadOptions,
} from './expiring-parts.js';
import { growthAdvice } from './full-error.js';
import { Handover } from './handover.js';
import { mergeInto } from './merging.js';
import { adopt, handleOf, isOwn, parametersOf, SizedFilter } from './sized.js';

const FULL = INSERT_OUTCOMES.indexOf('full');
const ADDED = INSERT_OUTCOMES.indexOf('added');

/**
 * Tells whether a key occurred in the last `periods` periods, including the current one. With the option `every`, periods
 * follow a clock. Otherwise you decide when a period begins: call `advance` every minute, every day, or after every million
 * keys. A key that occurs again is remembered from then on.
 *
 * If `isNew` returns `true`, that is certain: a key that occurred in these periods is never called new. `false` is probable:
 * a new key is called seen with a probability of at most `falsePositiveRate`, as long as there are at most `capacity`
 * distinct keys in these periods. Entries are dropped only by age, so forgetting one key never removes another.
 *
 * @example
 * const seen = new ExpiringFilter({ capacity: 1_000_000, periods: 24, every: '1 h' });
 * seen.isNew('alice'); // true
 * seen.isNew('alice'); // false
 * // 24 hours later
 * seen.isNew('alice'); // true
 */
export class ExpiringFilter extends SizedFilter {
  /** As written here, whatever a minifier makes of the class. @internal */
  static override readonly name: string = 'ExpiringFilter';

  /** Number of periods for which a key is remembered. */
  readonly periods: number;

  /**
   * A filter that has seen nothing. Throws TypeError if an option is unknown or has the wrong type; RangeError if an option
   * is out of range or memory is refused. A fingerprint and its period, which takes log2(periods) bits rounded up, have at
   * most 32 bits together. To subclass, see CuckooFilter.
   */
  constructor(options: ExpiringFilterOptions) {
    super(options, begin);
    const { calls, address } = handleOf<ExpiringCalls>(this);
    this.periods = calls.periods(address);
  }

  /**
   * The filter that `serialize` saved. Throws as `CuckooFilter.deserialize` does. The clock and `whenFull` are not saved: give
   * them again. With `every`, the filter then forgets what has expired since it was saved; `every` and the clock should be
   * those it was saved with. If it was saved without a clock, its current period becomes the present one.
   */
  static deserialize(bytes: Uint8Array | ArrayBuffer, limits: ExpiringLoadOptions = {}): ExpiringFilter {
    const names = ['maxBytes', 'hash', 'every', 'now', 'whenFull'];
    const { every, now, whenFull, ...rest } = readOptions<ExpiringLoadOptions>(limits, names, 'limits');
    const clock = clockOf({ every, now }, 'limits.');
    const forgetsOldest = isForgetting(whenFull, 'limits.');
    const { calls, address } = load(EXPIRING, ...checkedForm(bytes, rest));
    const began = calls.clock(address);
    const handle = new ExpiringHandle(address, began < 0 ? clock : clock?.at(began), forgetsOldest);
    return adopt(this, new Handover(handle));
  }

  /**
   * `true`: `key` was definitely not seen in the last `periods` periods. The filter has then seen it in this period. Throws
   * TypeError if it is not a valid key, and FilterFullError, with nothing changed, if it is new and does not fit. That does
   * not happen before there are `capacity` distinct keys, or `maxCapacity` if the filter grows.
   */
  isNew(key: Key): boolean {
    const handle = upToDate(this);
    const outcome = handle.calls.insertIfAbsent(handle.address, writeKey(handle, key));
    if (outcome === FULL) throw fullError(handle, 0);
    return outcome === ADDED;
  }

  /**
   * `isNew` for every key, in order: 1 or 0. Throws as `isNew` does, and what the keys' own iterator throws. The keys before that
   * count as seen, and each of these errors has `answers` for them: go on with the keys from `answers.length` on.
   */
  areNew(keys: Keys): Uint8Array {
    const handle = upToDate(this);
    return answersFor(
      handle,
      keys,
      (address, count) => handle.calls.insertManyIfAbsent(address, count),
      (_, ones) => fullError(handle, ones),
    );
  }

  /** The opposite of `isNew`, but does not mark the key as seen. `false` is certain, `true` is probable. */
  hasSeen(key: Key): boolean {
    const handle = upToDate(this);
    return handle.calls.contains(handle.address, writeKey(handle, key)) !== 0;
  }

  /** `hasSeen` for every key, in order: 1 or 0. Throws TypeError, with the index, at the first that is not a valid key. */
  haveSeen(keys: Keys): Uint8Array {
    const handle = upToDate(this);
    return answersFor(handle, keys, (address, count) => {
      handle.calls.containsMany(address, count);
      return count;
    });
  }

  /**
   * Begins the next period and forgets what was last seen `periods` periods before it. Returns the number of entries forgotten.
   * Takes at most 0.1 ms, because the slots are emptied by later calls. With `every`, begins only the periods that are
   * due by the clock, which may be none, as any other call does.
   */
  advance(): number {
    const handle = handleOfExpiring(this);
    return handle.clock === undefined
      ? handle.calls.advance(handle.address, 1)
      : catchUp(handle, handle.clock);
  }

  /** Forgets every key. With `every`, the current period is then the clock's, even if that went back. */
  clear(): void {
    const { clock } = handleOfExpiring(this);
    clock?.restart();
    const { calls, address } = handleOfExpiring(this);
    calls.clear(address);
    if (clock !== undefined) calls.setClock(address, clock.began);
  }

  /**
   * The filter as bytes (see docs/format.md), with when its current period began if it has a clock. The same state gives the
   * same bytes on every machine.
   */
  serialize(): Bytes {
    return save(upToDate(this));
  }

  /** A copy with its own memory and the same clock. Throws RangeError if memory is refused. */
  clone(): this {
    const { calls, address, clock, forgetsOldest } = upToDate(this);
    const copy = calls.clone(address);
    if (copy === 0) throw outOfMemory(EXPIRING, parametersOf(this));
    return adopt<this>(
      this.constructor,
      new Handover(new ExpiringHandle(copy, clock?.at(clock.began), forgetsOldest)),
    );
  }

  /**
   * The filter has then also seen what `other` has seen; of a key that both have seen, the later period counts. For filters of
   * shards, workers or machines that were made with the same options, with the capacity of all of them together, and that are
   * in the same period. Afterwards it remembers as far back as the shorter of the two.
   *
   * All or nothing. Throws FilterFullError if an entry does not fit (with `whenFull: 'forget-oldest'` only if it is of the
   * current period), and RangeError if the filters differ in the number of periods, `every`, the current period, a size,
   * the addressing, the seed or the hash, or if memory is refused for a second table.
   */
  merge(other: ExpiringFilter): this {
    const { calls, clock } = upToDate(this);
    if (isOwn(other) && kindOf(other) === 'ExpiringFilter') {
      meet(this, other);
      const others = handleOfExpiring(other).clock;
      if (clock && others && clock.every !== others.every)
        throw differingError('every', clock.every, others.every);
    }
    return mergeInto(this, other, 'ExpiringFilter', (into, from) => {
      const outcome = calls.merge(into, from);
      const differing = FIELDS[-1 - outcome];
      if (differing === 'periods' || differing === 'currentPeriod') throw periodError(calls, into, from);
      return outcome;
    });
  }

  /** Counts since the filter was made, loaded or cloned. Takes some tens of microseconds: call it now and then, not per key. */
  stats(): CuckooFilterStats {
    const { instance, calls, address } = upToDate(this);
    const { capacity } = parametersOf(this);
    const { size, loadFactor } = this;
    calls.readCounts(address);
    return countedStats(instance, { capacity, size, loadFactor });
  }

  /** Number of entries that are remembered: the keys that were called new and are not forgotten yet. */
  override get size(): number {
    upToDate(this);
    return super.size;
  }
  /** The probability that a key not seen in the last `periods` periods is called seen, as expected at the current size. */
  override get falsePositiveRate(): number {
    upToDate(this);
    return super.falsePositiveRate;
  }
  /**
   * Number of periods that are remembered, with the current one: `periods`, unless `whenFull: 'forget-oldest'` had to forget
   * some. It grows back by one with each new period.
   */
  get remembers(): number {
    const { calls, address } = upToDate(this);
    return calls.remembered(address);
  }
  /** When the oldest period began that is remembered, in milliseconds as the clock counts. Undefined without `every`. */
  get remembersSince(): number | undefined {
    const { calls, address, clock } = upToDate(this);
    return clock && clock.began - (calls.remembered(address) - 1) * clock.every;
  }
}

setKind(ExpiringFilter.prototype, 'ExpiringFilter');

function handleOfExpiring(filter: ExpiringFilter): ExpiringHandle {
  return handleOf<ExpiringCalls>(filter) as ExpiringHandle;
}

/** The handle of `filter`, in the period that it is now. */
function upToDate(filter: ExpiringFilter): ExpiringHandle {
  const handle = handleOfExpiring(filter);
  if (handle.clock !== undefined) catchUp(handle, handle.clock);
  return handle;
}

/** Brings both up to date: at the same time, even where a period begins just now. */
function meet(one: ExpiringFilter, other: ExpiringFilter): void {
  for (let turn = 0; turn < 3; ++turn) {
    const began = upToDate(other).clock?.began;
    if (upToDate(one).clock?.began === began) return;
  }
}

function fullError(handle: ExpiringHandle, added: number): FilterFullError {
  const { instance, calls, address } = handle;
  const sizes = sizesOf(handle);
  const advice = handle.forgetsOldest
    ? 'Use a larger capacity or maxCapacity: the keys of the current period alone leave no room'
    : `Use a larger capacity or maxCapacity: it counts the keys of all periods. Or set whenFull: 'forget-oldest'${
        handle.clock === undefined ? ', or call advance sooner' : ''
      }`;
  return new FilterFullError(
    noRoomMessage(
      'the filter is full',
      calls.size(address),
      sizes.maxCapacity,
      growthAdvice(instance, sizes) ?? advice,
    ),
    'full',
    added,
  );
}

function differingError(option: string, mine: number, others: number): RangeError {
  return new RangeError(
    `cannot merge: ${option} is ${mine} here, ${others} in the other filter. Make both with the same options`,
  );
}

/** Why filters of other periods cannot be merged. */
function periodError(calls: ExpiringCalls, into: Address, from: Address): RangeError {
  const [mine, others] = [calls.periods(into), calls.periods(from)];
  if (mine !== others) return differingError('periods', mine, others);
  const hasClock = calls.clock(into) >= 0;
  if (hasClock !== calls.clock(from) >= 0)
    return new RangeError('cannot merge: only one of the filters has every. Make both with the same options');
  const advice = hasClock
    ? 'Give both the same every and clocks that agree'
    : 'Call advance on the one that is behind, as often as on the other';
  return new RangeError(`cannot merge: the filters are not in the same period. ${advice}`);
}
