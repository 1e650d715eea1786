// The class ExpiringFilter: keys seen in the last periods.
// Invariant: a key seen in the current period or one of the `periods` - 1 before it is never called new; an operation that
// throws has changed nothing beyond what its error says.
export type {} from '../disposable.js';
import {
  ERROR_CODES,
  FilterFullError,
  noRoomMessage,
  requiredError,
  ruleError,
  wrongReceiver,
} from '../errors.js';
import { readOptions } from '../given.js';
import { kindOf, setKind } from '../kind.js';
import { makeShown, showContent, stateOf } from '../observe/shown.js';
import {
  FIXED_OPTIONS,
  plan,
  plannedSizes,
  secretOf,
  type CuckooFilterOptions,
  type Sizes,
} from '../options.js';
import { INSERT_OUTCOMES, type ExpiringCalls } from '../wasm/bindings.js';
import { CORE } from '../wasm/core.js';
import { EXPIRING } from '../wasm/expiring.js';
import { writeKey, type Key } from '../wasm/key.js';
import { hashMany, type Keys } from '../wasm/keys.js';
import { Mask } from '../wasm/mask.js';
import { destroy, Handle, inUse, makeDisposable, own } from '../wasm/owned.js';
import { giveSecret, outOfMemory } from '../wasm/saved.js';

const FULL = INSERT_OUTCOMES.indexOf('full');
const ADDED = INSERT_OUTCOMES.indexOf('added');
const PERIODS_RULE = 'an integer from 1 to 256';

/** The options of an expiring filter. `capacity` counts the distinct keys of all periods together. */
export interface ExpiringFilterOptions extends Omit<CuckooFilterOptions, 'audit' | 'maxCapacity' | 'onGrow'> {
  /** Number of periods for which a key is remembered, including the one it was seen in: an integer from 1 to 256. */
  readonly periods: number;
}

/** Where a filter lies in WebAssembly memory. Throws DisposedError, and TypeError for anything that is not a filter. */
let handleOf: (filter: ExpiringFilter) => Handle<ExpiringCalls>;

/**
 * Tells whether a key occurred in the last `periods` periods, including the current one. You decide when a period begins:
 * call `advance` every minute, every day, or after every million keys. A key that occurs again is remembered from then on.
 *
 * If `isNew` returns `true`, that is certain: a key that occurred in these periods is never called new. `false` is probable:
 * a new key is called seen with a probability of at most `falsePositiveRate`, as long as there are at most `capacity`
 * distinct keys in these periods. Entries are dropped by their age and never by a key, so no other key is lost. An
 * ExpiringFilter cannot be saved.
 *
 * @example
 * const seen = new ExpiringFilter({ capacity: 1_000_000, periods: 24 });
 * seen.isNew('alice'); // true
 * seen.isNew('alice'); // false
 * for (let hour = 0; hour < 24; ++hour) seen.advance();
 * seen.isNew('alice'); // true
 */
export class ExpiringFilter {
  /** As written here, whatever a minifier makes of the class. @internal */
  static readonly name: string = 'ExpiringFilter';

  /** The same as `dispose`, for `using`. */
  declare readonly [Symbol.dispose]: () => void;

  /** Number of periods for which a key is remembered. */
  readonly periods: number;
  readonly #handle: Handle<ExpiringCalls>;
  readonly #plan: Sizes;

  /** Lets functions of this file in. Not a static block, because React Native's bundler knows none. @internal */
  protected static readonly reach: unknown = (() => {
    handleOf = (filter) => {
      let handle: Handle<ExpiringCalls>;
      try {
        handle = filter.#handle;
      } catch {
        throw wrongReceiver();
      }
      return inUse(handle);
    };
  })();

  /**
   * A filter that has seen nothing. Throws TypeError if an option is unknown or has the wrong type; RangeError if an option
   * is out of range or memory is refused. A fingerprint and its period, which takes log2(periods) bits rounded up, have at
   * most 32 bits together.
   */
  constructor(options: ExpiringFilterOptions) {
    const { periods, ...rest } = readOptions<ExpiringFilterOptions>(options, [...FIXED_OPTIONS, 'periods']);
    plan(CORE, rest);
    this.periods = periodsOf(periods);
    this.#plan = plannedSizes(EXPIRING);
    const { filter } = EXPIRING.bindings;
    const address = filter.create(giveSecret(EXPIRING, secretOf(rest.hash, 'hash')), this.periods);
    if (address === 0) throw creationError(this.periods, this.#plan);
    this.#handle = new Handle(EXPIRING, filter, address);
    own(this, this.#handle);
    const content = Symbol('an ExpiringFilter cannot be saved, sent or compared');
    showContent(this, () => content);
  }

  /**
   * `true`: `key` was definitely not seen in the last `periods` periods. The filter has then seen it in this period. Throws
   * TypeError if it is not a valid key, and FilterFullError, with nothing changed, if it is new and does not fit. That does
   * not happen before there are `capacity` distinct keys.
   */
  isNew(key: Key): boolean {
    const handle = handleOf(this);
    const outcome = handle.calls.insertIfAbsent(handle.address, writeKey(handle, key));
    if (outcome === FULL) throw this.#full(0);
    return outcome === ADDED;
  }

  /** `isNew` for every key, in order: 1 or 0. Throws as `isNew` does; the keys before the one at fault count as seen. */
  areNew(keys: Keys): Uint8Array {
    const mask = new Mask(keys);
    const handle = handleOf(this);
    hashMany(handle, keys, (count) => {
      const done = handle.calls.insertManyIfAbsent(inUse(handle).address, count);
      mask.push(handle.instance.scratch.answers.subarray(0, done));
      if (done < count) throw this.#full(mask.ones());
    });
    return mask.take();
  }

  /** The opposite of `isNew`, but does not mark the key as seen. `false` is certain, `true` is probable. */
  hasSeen(key: Key): boolean {
    const handle = handleOf(this);
    return handle.calls.contains(handle.address, writeKey(handle, key)) !== 0;
  }

  /**
   * Begins the next period and drops the entries last seen `periods` periods before it. Returns how many it dropped. Takes
   * time linear in the size of the table: about 12 ms for a million keys at a rate of 0.1 %.
   */
  advance(): number {
    const { calls, address } = handleOf(this);
    return calls.advance(address);
  }

  /** Forgets every key. */
  clear(): void {
    const { calls, address } = handleOf(this);
    calls.clear(address);
  }

  /** Number of entries stored now: the keys that were called new and are not dropped yet. */
  get size(): number {
    const { calls, address } = handleOf(this);
    return calls.size(address);
  }
  /** Number of distinct keys, of all periods together, that the filter was made for. */
  get capacity(): number {
    handleOf(this);
    return this.#plan.capacity;
  }
  /** Bytes of the table. */
  get byteLength(): number {
    const { calls, address } = handleOf(this);
    return calls.byteCount(address);
  }
  /** The probability that a key not seen in the last `periods` periods is called seen, as expected at the current size. */
  get falsePositiveRate(): number {
    const { calls, address } = handleOf(this);
    return calls.falsePositiveRate(address);
  }

  /** The properties of the filter; `{ disposed: true }` after `dispose`. */
  toJSON(): Record<string, unknown> {
    return stateOf(this);
  }

  /** @internal */
  get [Symbol.toStringTag](): string | undefined {
    return kindOf(this);
  }

  /** Frees the memory. Twice is fine; anything else afterwards throws DisposedError. */
  dispose(): void {
    if (!(#handle in Object(this))) throw wrongReceiver();
    destroy(this.#handle);
  }

  #full(added: number): FilterFullError {
    const advice = 'Use a larger capacity, which counts the keys of all periods, or call advance sooner';
    const message = noRoomMessage('the filter is full', this.size, this.#plan, advice);
    return new FilterFullError(message, 'full', added);
  }
}

setKind(ExpiringFilter.prototype, 'ExpiringFilter');
makeDisposable(ExpiringFilter.prototype);
makeShown(ExpiringFilter.prototype);

/** The number of periods as an integer. The core checks its range. */
function periodsOf(value: unknown): number {
  if (value === undefined) throw requiredError('periods', PERIODS_RULE);
  if (typeof value !== 'number') throw ruleError('periods', PERIODS_RULE, value);
  if (!(Number.isInteger(value) && value >= 0 && value < 2 ** 32)) throw periodsError(value);
  return value;
}

function periodsError(value: number): RangeError {
  return ruleError('periods', PERIODS_RULE, value, RangeError);
}

/** Why the core did not make the filter that it had planned. */
function creationError(periods: number, sizes: Sizes): RangeError {
  const { failure } = EXPIRING.bindings;
  if (failure.field() !== 0) {
    const most = 2 ** Math.floor(32 - sizes.fingerprintBits);
    const rule = `at most ${most} with fingerprints of ${sizes.fingerprintBits} bits, which a larger falsePositiveRate shortens`;
    return ruleError('periods', rule, periods, RangeError);
  }
  if (ERROR_CODES[failure.error()] === 'out-of-range') return periodsError(periods);
  return outOfMemory(EXPIRING, sizes, 'the table');
}
