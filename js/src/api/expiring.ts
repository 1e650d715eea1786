// The class ExpiringFilter: keys seen in the last periods.
// Invariant: a key seen in the current period or one of the `periods` - 1 before it is never called new; an operation that
// throws has changed nothing beyond what its error says.
/// <reference lib="esnext.disposable" preserve="true" />
import { ERROR_CODES, FilterFullError, noRoomMessage, ruleError, wrongReceiver } from '../errors.js';
import { readOptions } from '../given.js';
import { setKind } from '../kind.js';
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
import { hashMany, writeKey, type Key, type Keys } from '../wasm/keys.js';
import { Mask } from '../wasm/mask.js';
import { destroy, Handle, inUse, makeDisposable, own } from '../wasm/owned.js';
import { giveSecret, outOfMemory } from '../wasm/saved.js';

const FULL = INSERT_OUTCOMES.indexOf('full');
const ADDED = INSERT_OUTCOMES.indexOf('added');
const PERIODS_RULE = 'an integer from 1 to 256';

/** What an expiring filter is made for. `capacity` counts the distinct keys of all periods of a window together. */
export interface ExpiringFilterOptions extends Omit<CuckooFilterOptions, 'audit' | 'maxCapacity' | 'onGrow'> {
  /** Periods that a key is remembered for, the one it was seen in among them: an integer from 1 to 256. */
  readonly periods: number;
}

/** Where a filter lies in WebAssembly memory. Throws DisposedError, and TypeError for what is no filter. */
let handleOf: (filter: ExpiringFilter) => Handle<ExpiringCalls>;

/**
 * Says of each key whether it was seen in the last `periods` periods, the current one among them. `advance` begins a
 * period, when the caller says so: every minute, day or million keys. A key that is seen again is remembered anew.
 *
 * `true` of `isNew` is certain, `false` probable: a key that was seen in the window is never called new; a new one is
 * called seen with the false positive rate's probability, at most `falsePositiveRate` while the window holds `capacity`
 * distinct keys. An entry is dropped for its age, never by its key, so nothing can be deleted falsely. It cannot be
 * saved.
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

  /** Periods that a key is remembered for. */
  readonly periods: number;
  readonly #handle: Handle<ExpiringCalls>;
  readonly #plan: Sizes;

  static {
    handleOf = (filter) => {
      let handle: Handle<ExpiringCalls>;
      try {
        handle = filter.#handle;
      } catch {
        throw wrongReceiver('ExpiringFilter');
      }
      return inUse(handle);
    };
  }

  /**
   * A filter that has seen nothing. Throws TypeError for an unknown option or one of the wrong type, RangeError for one out of its range
   * (a fingerprint and its generation, of log2(periods) bits rounded up, take at most 32 together), and RangeError if the
   * table cannot be allocated.
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
  }

  /**
   * True, with certainty, if `key` was not seen in the window; it now is, for this period. Throws TypeError for what is
   * no key, and FilterFullError, with nothing changed, for a new key that finds no room: at the earliest past `capacity`
   * distinct keys in the window.
   */
  isNew(key: Key): boolean {
    const handle = handleOf(this);
    const outcome = handle.calls.insertIfAbsent(handle.address, writeKey(handle, key));
    if (outcome === FULL) throw this.#full(0);
    return outcome === ADDED;
  }

  /** `isNew` of every key, in order: 1 or 0. Throws as `isNew`, at the first such key; those before it are seen. */
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

  /** The opposite of `isNew`, without marking the key as seen. False is certain, true is probable. */
  hasSeen(key: Key): boolean {
    const handle = handleOf(this);
    return handle.calls.contains(handle.address, writeKey(handle, key)) !== 0;
  }

  /**
   * Begins the next period, drops what was last seen `periods` periods before it, and returns how many entries those
   * were. Linear in the table: about 12 ms for a million keys at 0.1 %.
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

  /** Keys called new in the window and not dropped. */
  get size(): number {
    const { calls, address } = handleOf(this);
    return calls.size(address);
  }
  /** Distinct keys of a window that the filter was made for. */
  get capacity(): number {
    handleOf(this);
    return this.#plan.capacity;
  }
  /** Bytes of the table. */
  get byteLength(): number {
    const { calls, address } = handleOf(this);
    return calls.byteCount(address);
  }
  /** The probability that a key not seen in the window is called seen, as expected at the present size. */
  get falsePositiveRate(): number {
    const { calls, address } = handleOf(this);
    return calls.falsePositiveRate(address);
  }

  /** Frees the memory. Twice is fine; anything else afterwards throws DisposedError. */
  dispose(): void {
    if (!(#handle in Object(this))) throw wrongReceiver('ExpiringFilter');
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

/** A whole number; its range is the core's to check. */
function periodsOf(value: unknown): number {
  if (typeof value !== 'number') throw ruleError('periods', PERIODS_RULE, value);
  if (!(Number.isInteger(value) && value >= 0 && value < 2 ** 32)) throw periodsError(value);
  return value;
}

function periodsError(value: number): RangeError {
  return ruleError('periods', PERIODS_RULE, value, RangeError);
}

/** Why the core did not make what it had planned. */
function creationError(periods: number, sizes: Sizes): RangeError {
  const { failure } = EXPIRING.bindings;
  if (failure.field() !== 0) {
    const rule = `smaller, because fingerprints of ${sizes.fingerprintBits} bits leave too few of 32 bits for the period`;
    return ruleError('periods', rule, periods, RangeError);
  }
  if (ERROR_CODES[failure.error()] === 'out-of-range') return periodsError(periods);
  return outOfMemory(EXPIRING, sizes, 'the table');
}
