// The class Deduper: tells new keys from those seen before, in a few bits a key. Its sums are those of a CuckooFilter.
// Invariant: keys go in only if they are not found, and nothing is ever taken out, so a key that was seen stays seen.
/// <reference lib="esnext.disposable" preserve="true" />
import { makeDisposable } from './dispose.js';
import { ruleMessage } from './errors.js';
import { CuckooFilter } from './filter.js';
import type { Key, Keys } from './keys.js';
import type { CuckooFilterOptions } from './options.js';
import type { CuckooFilterPlan } from './plan.js';

/** What a deduper is made for: the options of the filter inside. `capacity` counts the distinct keys. */
export type DeduperOptions = CuckooFilterOptions;

/** The sizes of the filter inside, and what it costs in keys. */
export interface DeduperPlan extends CuckooFilterPlan {
  /** Of `capacity` distinct keys, the share that is expected to be taken for seen: about falsePositiveRate / 2. */
  readonly droppedShare: number;
}

/**
 * Says of each key whether it is new, and remembers it.
 *
 * `false` is probable, `true` is certain: a key that was seen is never called new, but a new key is called seen (and
 * so dropped by whoever keeps only new ones) with the false positive rate's probability. That rate rises from 0 to
 * `falsePositiveRate` while the deduper fills, so that over `capacity` distinct keys about half of it is dropped:
 * 0.05 % at the default rate. `Deduper.plan` gives the exact share.
 *
 * @example
 * const deduper = new Deduper({ capacity: 1_000_000 });
 * deduper.isNew('alice'); // true
 * deduper.isNew('alice'); // false
 */
export class Deduper {
  /** As written here, whatever a minifier makes of the class. @internal */
  static readonly name: string = 'Deduper';

  /** The same as `dispose`, for `using`. */
  declare readonly [Symbol.dispose]: () => void;

  readonly #filter: CuckooFilter;

  /**
   * A deduper that has seen nothing; or, around a filter, which it takes over, one that has seen the filter's keys.
   * Throws as the constructor of CuckooFilter does.
   */
  constructor(options: DeduperOptions | CuckooFilter) {
    this.#filter = options instanceof CuckooFilter ? options : new CuckooFilter(options);
    // Here and not on the prototype, so that a bundler leaves out the whole class where it is not used.
    makeDisposable(this);
  }

  /** The sizes that a constructor would choose, and the share of new keys it costs. Throws as it does. */
  static plan(options: DeduperOptions): DeduperPlan {
    const plan = CuckooFilter.plan(options);
    return Object.freeze({ ...plan, droppedShare: meanRate(plan.falsePositiveRate) });
  }

  /** The deduper that `serialize` saved, or one that has seen the keys of a saved CuckooFilter. Throws as that does. */
  static deserialize(...saved: Parameters<typeof CuckooFilter.deserialize>): Deduper {
    return new this(CuckooFilter.deserialize(...saved));
  }

  /**
   * True, with certainty, if `key` was not seen before; it now is. Throws TypeError for what is no key, and
   * FilterFullError, with nothing changed, for a new key that finds no room: at the earliest past `capacity` distinct
   * keys. Keys that were seen are answered then as before.
   */
  isNew(key: Key): boolean {
    return this.#filter.addIfAbsent(key);
  }

  /** `isNew` of every key, in order: 1 or 0. Throws as `isNew`, at the first such key; those before it are seen. */
  areNew(keys: Keys): Uint8Array {
    return this.#filter.addManyIfAbsent(keys);
  }

  /** The opposite of `isNew`, without remembering the key. False is certain, true is probable. */
  hasSeen(key: Key): boolean {
    return this.#filter.contains(key);
  }

  /**
   * Has then also seen what `other` has: for dedupers of shards, made with the same options, whose `capacity` is that of
   * all together. Throws as `CuckooFilter.mergeIfAbsent` does, with nothing changed.
   */
  merge(other: Deduper): this {
    if (!(other instanceof Deduper)) throw new TypeError(ruleMessage('other', 'a Deduper', other));
    this.#filter.mergeIfAbsent(other.#filter);
    return this;
  }

  /** Forgets every key. */
  clear(): void {
    this.#filter.clear();
  }

  /** The filter inside as bytes (see cpp/FORMAT.md). */
  serialize(): Uint8Array {
    return this.#filter.serialize();
  }

  /** Keys called new so far. */
  get size(): number {
    return this.#filter.size;
  }
  /** Distinct keys that the deduper was made for; see `CuckooFilter.capacity`. */
  get capacity(): number {
    return this.#filter.capacity;
  }
  /** Distinct keys that fit once its table has grown. */
  get maxCapacity(): number {
    return this.#filter.maxCapacity;
  }
  /** Bytes of the table. */
  get byteLength(): number {
    return this.#filter.byteLength;
  }
  /** The probability that the next new key is called seen. */
  get falsePositiveRate(): number {
    return this.#filter.falsePositiveRate;
  }
  /** Of the distinct keys so far, the share that is expected to have been called seen while new; after a merge at most. */
  get droppedShare(): number {
    // The keys stored here look all different, so a new key meets each with its full probability, never two at once:
    // for n keys that it meets with probability q, that is n q, where 1 - (1 - q)^n holds for keys of any kind.
    return meanRate(Math.min(1, -Math.log1p(-this.falsePositiveRate)));
  }

  /** Frees the memory. Twice is fine; anything else afterwards throws DisposedError. */
  dispose(): void {
    this.#filter.dispose();
  }
}

/**
 * The mean of the rates that a deduper had while it filled, from its rate now. Each key that is offered, dropped or not,
 * leaves a fraction 1 - q of the others unmatched, so the rate after n is 1 - (1 - q)^n, and the mean over 0 to n is
 * 1 - (1 - (1 - q)^n) / -ln((1 - q)^n): rate / 2 + rate^2 / 12 + ...
 */
function meanRate(rate: number): number {
  return rate === 0 ? 0 : 1 + rate / Math.log1p(-rate);
}
