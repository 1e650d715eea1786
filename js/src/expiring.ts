// cuckoofilter-wasm/expiring: the class ExpiringFilter, keys seen in the last periods, over a core of its own.
// Invariant: a key seen in the current period or one of the `periods` - 1 before it is never called new; an operation that
// throws has changed nothing beyond what its error says.
/// <reference lib="esnext.disposable" preserve="true" />
import { free, inUse, makeDisposable, own } from './dispose.js';
import { ERROR_CODES, FilterFullError, ruleMessage } from './errors.js';
import { giveSecret } from './handle.js';
import { hashMany, writeKey, type Key, type Keys } from './keys.js';
import { Mask } from './mask.js';
import { core, exchange, INSERT_OUTCOMES, type Address, type Core } from './module.js';
import { plan, readSizes, secretOf, type CuckooFilterOptions, type Sizes } from './options.js';

export { DisposedError, FilterFullError, type FullReason } from './errors.js';
export { PackedKeys } from './packed.js';
export { preload } from './module.js';
export type { Key, Keys } from './keys.js';
export type { Addressing, HashAlgorithm, HashOption } from './options.js';

interface ExpiringCore extends Omit<Core, 'create'> {
  create(hasSecret: boolean, periods: number): Address;
  advance(filter: Address): number;
  byteCount(filter: Address): number;
}

const FULL = INSERT_OUTCOMES.indexOf('full');
const ADDED = INSERT_OUTCOMES.indexOf('added');
const PERIODS_RULE = 'an integer from 1 to 256';

/** What an expiring filter is made for. `capacity` counts the distinct keys of all periods of a window together. */
export interface ExpiringFilterOptions extends Omit<CuckooFilterOptions, 'audit'> {
  /** Periods that a key is remembered for, the one it was seen in among them: an integer from 1 to 256. */
  readonly periods: number;
}

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
  #address: Address;
  readonly #plan: Sizes;

  /**
   * A filter that has seen nothing. Throws TypeError for an option of the wrong type, RangeError for one out of its range
   * (a fingerprint and its generation, of log2(periods) bits rounded up, take at most 32 together), and RangeError if the
   * table cannot be allocated.
   */
  constructor(options: ExpiringFilterOptions) {
    plan(options);
    this.periods = periodsOf(options.periods);
    this.#plan = readSizes(0);
    this.#address = expiringCore().create(giveSecret(secretOf(options.hash, 'hash')), this.periods);
    if (this.#address === 0) throw creationError(options, this.#plan);
    own(this, this.#address);
  }

  /**
   * True, with certainty, if `key` was not seen in the window; it now is, for this period. Throws TypeError for what is
   * no key, and FilterFullError, with nothing changed, for a new key that finds no room: at the earliest past `capacity`
   * distinct keys in the window.
   */
  isNew(key: Key): boolean {
    const outcome = core().insert_if_absent(this.#use(), writeKey(this.#address, key));
    if (outcome === FULL) throw this.#full(0);
    return outcome === ADDED;
  }

  /** `isNew` of every key, in order: 1 or 0. Throws as `isNew`, at the first such key; those before it are seen. */
  areNew(keys: Keys): Uint8Array {
    const mask = new Mask(keys);
    hashMany(this.#use(), keys, (count) => {
      const done = core().insert_many_if_absent(this.#use(), count);
      mask.push(exchange().answers.subarray(0, done));
      if (done < count) throw this.#full(mask.ones());
    });
    return mask.take();
  }

  /** The opposite of `isNew`, without marking the key as seen. False is certain, true is probable. */
  hasSeen(key: Key): boolean {
    return core().contains(this.#use(), writeKey(this.#address, key)) !== 0;
  }

  /**
   * Begins the next period, drops what was last seen `periods` periods before it, and returns how many entries those
   * were. Linear in the table: about 12 ms for a million keys at 0.1 %.
   */
  advance(): number {
    return expiringCore().advance(this.#use());
  }

  /** Forgets every key. */
  clear(): void {
    core().clear(this.#use());
  }

  /** Keys called new in the window and not dropped. */
  get size(): number {
    return core().size(this.#use());
  }
  /** Distinct keys of a window that the filter was made for. */
  get capacity(): number {
    this.#use();
    return this.#plan.capacity;
  }
  /** Bytes of the table. */
  get byteLength(): number {
    return expiringCore().byteCount(this.#use());
  }
  /** The probability that a key not seen in the window is called seen, as expected at the present size. */
  get falsePositiveRate(): number {
    return core().falsePositiveRate(this.#use());
  }

  /** Frees the memory. Twice is fine; anything else afterwards throws DisposedError. */
  dispose(): void {
    this.#address = free(this, this.#address);
  }

  #use(): Address {
    return inUse(this.#address);
  }

  #full(added: number): FilterFullError {
    const { capacity, maxKicks } = this.#plan;
    return new FilterFullError(
      `the filter is full: no room for a new key within ${maxKicks} kicks at size ${this.size}, made for ${capacity}`,
      'full',
      added,
    );
  }
}

makeDisposable(ExpiringFilter.prototype);

function expiringCore(): ExpiringCore {
  return core() as unknown as ExpiringCore;
}

/** A whole number; its range is the core's to check. */
function periodsOf(value: unknown): number {
  if (typeof value !== 'number') throw new TypeError(ruleMessage('periods', PERIODS_RULE, value));
  if (!(Number.isInteger(value) && value >= 0 && value < 2 ** 32)) throw periodsError(value);
  return value;
}

function periodsError(value: number): RangeError {
  return new RangeError(ruleMessage('periods', PERIODS_RULE, value));
}

/** Why the core did not make what it had planned. */
function creationError({ periods }: ExpiringFilterOptions, sizes: Sizes): RangeError {
  if (core().lastField() !== 0) {
    const rule = `so few that a generation fits beside ${sizes.fingerprintBits} bits in 32`;
    return new RangeError(ruleMessage('periods', rule, periods));
  }
  if (ERROR_CODES[core().lastError()] === 'out-of-range') return periodsError(periods);
  return new RangeError(
    ruleMessage('capacity', 'small enough that its table can be allocated', sizes.capacity),
  );
}
