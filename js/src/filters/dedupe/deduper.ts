// The class Deduper: tells new keys from those seen before, in a few bits per key, with a CuckooFilter inside.
// Invariant: keys go in only if they are not found, and nothing is ever taken out, so a key that was seen stays seen.
export type {} from '../protocols.js';
import { isForDeduper, kindOf, setKind } from '../../class-names.js';
import { viewOf, type Bytes } from '../../engine/bytes.js';
import { ownerOf } from '../../engine/format-errors.js';
import { argumentError, FormatError, shownKind } from '../../errors.js';
import { answersInChunks, type AsyncKeys } from '../../keys/chunks.js';
import { type AsyncOptions } from '../../keys/signals.js';
import { isOf } from '../../keys/thrown.js';
import type { Key, KeyOf } from '../../keys/key.js';
import type { Keys } from '../../keys/keys.js';
import type { CuckooFilterOptions, FilterPlan } from '../../options/options.js';
import { withJson } from '../../options/with-json.js';
import { CuckooFilter } from '../cuckoo-filter.js';
import { makeDisposable, makeShown, showContent, stateOf } from '../protocols.js';
import type { ScalableCuckooFilter } from '../scalable-filter.js';
import type { SharedCuckooFilter } from '../shared/shared-filter.js';
import { notAFilter, wrongReceiver } from '../wrong-filter.js';

type Inner<K extends Key = Key> = CuckooFilter<K> | ScalableCuckooFilter<K> | SharedCuckooFilter<K>;

/** The options of a deduper are those of the filter inside. `capacity` counts the distinct keys. */
export type DeduperOptions = CuckooFilterOptions;

/** The sizes of the filter inside, and the share of keys that it drops by mistake. */
export interface DeduperPlan extends FilterPlan<DeduperOptions> {
  /**
   * The share of `maxCapacity` distinct keys that is expected to be dropped by mistake: about falsePositiveRate / 2.
   */
  readonly droppedShare: number;
}

/**
 * Tells whether a key is new, and remembers it.
 *
 * If `isNew` returns `true`, the key is certainly new. If it returns `false`, the key was probably seen: a few new keys
 * are mistaken for seen ones, and dropped. Of `capacity` distinct keys, that is about half of `falsePositiveRate`, by
 * default 1 in 2,000. `Deduper.plan` gives the expected share.
 *
 * @example
 * const deduper = new Deduper({ capacity: 1_000_000 });
 * deduper.isNew('alice'); // true
 * deduper.isNew('alice'); // false
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- makeDisposable makes what the interface adds
export class Deduper<K extends Key = Key> {
  /** @internal */
  static readonly name: string = 'Deduper';

  readonly #filter: Inner<K>;

  // Not in a static block, because bundlers would then keep the class in programs that do not use it.
  /** The filter inside. Throws TypeError for anything that is not a Deduper. */
  static #filterOf<K extends Key>(deduper: Deduper<K>): Inner<K> {
    try {
      return deduper.#filter;
    } catch {
      throw wrongReceiver();
    }
  }

  /**
   * Given options, makes a deduper that has seen nothing. Given a CuckooFilter, ScalableCuckooFilter or
   * SharedCuckooFilter, makes one that has seen the keys of that filter; it takes the filter over. Throws as the
   * constructor of CuckooFilter does.
   */
  constructor(options: DeduperOptions | CuckooFilter<K> | ScalableCuckooFilter<K> | SharedCuckooFilter<K>) {
    const given = shownKind(options);
    const isFilter = isForDeduper(options);
    if (!isFilter && /an array|Set]|Filter|Cuckoo/.test(given))
      throw argumentError(
        `options must be a plain object, a CuckooFilter, ScalableCuckooFilter or SharedCuckooFilter, got ${given}. If the keys were seen: new Deduper(CuckooFilter.from(keys)); to remove repeats: dedupe(keys)`,
      );
    this.#filter = isFilter ? (options as Inner<K>) : new CuckooFilter(options as DeduperOptions);
    void this.#filter.size; // throws for a filter that was disposed of
    // Here and not on the prototype, for the same reason.
    setKind(this, 'Deduper');
    makeDisposable(this);
    makeShown(this);
    showContent(this);
  }

  /**
   * The sizes that the constructor would choose, and the share of new keys that is expected to be dropped. Throws as
   * the constructor does.
   */
  static plan(options: DeduperOptions): DeduperPlan {
    const plan = CuckooFilter.plan(options);
    return withJson({ ...plan, droppedShare: meanRate(plan.expectedFalsePositiveRate, plan.maxCapacity) });
  }

  /**
   * Loads a deduper that `serialize` saved, or makes one that has seen the keys of a saved CuckooFilter. One over a
   * ScalableCuckooFilter is loaded by that class: `new Deduper(ScalableCuckooFilter.deserialize(bytes))`. Throws as
   * `CuckooFilter.deserialize` does.
   */
  static deserialize<K extends Key = Key>(...saved: Parameters<typeof CuckooFilter.deserialize>): Deduper<K> {
    try {
      return new Deduper<K>(CuckooFilter.deserialize(...saved));
    } catch (error) {
      if (!isOf(error, FormatError)) throw error;
      const [owner] = ownerOf(viewOf(saved[0]) as Bytes) ?? [];
      if (owner !== 'ScalableCuckooFilter' || error.code !== 'not-a-filter') throw error;
      throw new FormatError(`${error.message}, then new Deduper(filter)`, error.code);
    }
  }

  /**
   * `true`: `key` is definitely new; from now on, the deduper has seen it. Throws InvalidKeyError if it is not a valid
   * key, and FilterFullError, with nothing changed, if it is new and does not fit. That does not happen before there
   * are `capacity` distinct keys. A full deduper still recognizes the keys that it has seen.
   */
  isNew(key: KeyOf<K>): boolean {
    return Deduper.#filterOf(this).addIfAbsent(key);
  }

  /**
   * `isNew` for every key, in order: 1 or 0. Throws as `isNew` does; the error's `answers` are those of the keys
   * before, which count as seen, and the key at index `answers.length` is the one that failed. What the keys' own
   * iterator throws, it throws unchanged, without `answers`.
   */
  areNew(keys: Keys<K>): Bytes;
  /** The same, but writes the answers into an array of yours: see `CuckooFilter.containsMany`. */
  areNew(keys: Keys<K>, into: Uint8Array | undefined): Uint8Array;
  areNew(keys: Keys<K>, into?: Uint8Array): Uint8Array {
    return Deduper.#filterOf(this).addManyIfAbsent(keys, into);
  }

  /**
   * `areNew` for keys that arrive over time: an async iterable such as a stream, or an iterable of keys or promises.
   * Errors of its own have `answers` for all keys that count as seen. What the source throws, and the reason of
   * `signal`, it rejects with unchanged, without `answers`.
   */
  async areNewAsync(keys: AsyncKeys<K>, options: AsyncOptions = {}): Promise<Bytes> {
    Deduper.#filterOf(this);
    return answersInChunks(keys, (chunk) => this.areNew(chunk), options);
  }

  /** The opposite of `isNew`, but does not remember the key. `false` is certain; `true` means maybe. */
  hasSeen(key: KeyOf<K>): boolean {
    return Deduper.#filterOf(this).contains(key);
  }

  /** `hasSeen` for every key, in order: 1 or 0. Throws InvalidKeyError at the first that is not a valid key. */
  haveSeen(keys: Keys<K>): Bytes;
  /** The same, but writes the answers into an array of yours: see `CuckooFilter.containsMany`. */
  haveSeen(keys: Keys<K>, into: Uint8Array | undefined): Uint8Array;
  haveSeen(keys: Keys<K>, into?: Uint8Array): Uint8Array {
    return Deduper.#filterOf(this).containsMany(keys, into);
  }

  /**
   * Adds what `other` has seen. Make both with the same options, and a capacity for all keys together. Throws as
   * `CuckooFilter.mergeIfAbsent` does, with nothing changed, and TypeError if either has another class inside.
   */
  merge(other: Deduper<K>): this {
    const into = Deduper.#filterOf(this);
    if (kindOf(other) !== 'Deduper') throw notAFilter(other, 'Deduper');
    const from = other.filter;
    if (!('mergeIfAbsent' in into && 'mergeIfAbsent' in from))
      throw argumentError(
        `a Deduper around a ${kindOf('mergeIfAbsent' in into ? from : into)} cannot be merged: use a CuckooFilter`,
      );
    into.mergeIfAbsent(from);
    return this;
  }

  /** Forgets every key. */
  clear(): void {
    Deduper.#filterOf(this).clear();
  }

  /** A deduper that has seen the same keys, with its own memory. Throws OutOfMemoryError. */
  clone(): Deduper<K> {
    return new Deduper(Deduper.#filterOf(this).clone());
  }

  /**
   * The filter inside as bytes (docs/inside/format.md in the repository), which do not say that they are a deduper's.
   * Load them as a Deduper: from a CuckooFilter of these bytes, `delete` would lose keys, because keys share entries.
   */
  serialize(): Bytes {
    return Deduper.#filterOf(this).serialize();
  }

  /** The filter inside, for its sizes, rates and `stats`. Do not delete from it: keys may share entries. */
  get filter(): CuckooFilter<K> | ScalableCuckooFilter<K> | SharedCuckooFilter<K> {
    return Deduper.#filterOf(this);
  }
  /** Number of keys called new so far. */
  get size(): number {
    return Deduper.#filterOf(this).size;
  }
  /** Number of distinct keys that the deduper was made for; see `CuckooFilter.capacity`. */
  get capacity(): number {
    return Deduper.#filterOf(this).capacity;
  }
  /** The expected share of distinct keys so far that were new but dropped by mistake. After a merge, an upper bound. */
  get droppedShare(): number {
    return droppedShareOf(Deduper.#filterOf(this));
  }

  /** The properties of the deduper; `{ disposed: true }` after `dispose`. */
  toJSON(): Record<string, unknown> {
    return stateOf(this);
  }

  /** @internal */
  get [Symbol.toStringTag](): string | undefined {
    return kindOf(this);
  }

  /** Frees the memory. Twice is fine. Afterwards, every other method but `toJSON` throws DisposedError. */
  dispose(): void {
    Deduper.#filterOf(this).dispose();
  }
}

// Declared as a method, which a subclass may replace.
// eslint-disable-next-line -- a generic class and its interface must have the same parameters
export interface Deduper<K extends Key> {
  /** The same as `dispose`, for `using`. */
  [Symbol.dispose](): void;
}

/**
 * The mean of the rates that n keys met, offered one after the other, if the next key would meet `rate`. Each key that
 * is offered, dropped or not, leaves a share 1 - q of all others unmatched, so the rate after i of them is 1 - (1 -
 * q)^i, and the mean over i = 0 to n - 1 is 1 - rate / (n q), where (1 - q)^n = 1 - rate.
 */
function meanRate(rate: number, n: number): number {
  const x = -Math.log1p(-rate); // -n ln(1 - q)
  // The first two terms of the series, as the difference would lose digits.
  if (x < 1e-5) return ((x * (n - 1)) / (2 * n)) * (1 - (x * (2 * n - 1)) / (6 * n));
  return 1 + rate / (n * Math.expm1(-x / n));
}

/**
 * If keys are added only if absent, all entries differ, so a new key matches each with the full probability q, and
 * never two at once: the rate of s keys is s q. After as many keys were offered as made s of them go in, (1 -
 * q)^offered = 1 - s q. A layer is offered the keys that the layers before it do not match.
 */
function droppedShareOf(filter: Inner): number {
  const layers =
    kindOf(filter) === 'ScalableCuckooFilter' ? (filter as ScalableCuckooFilter).stats().layers : [filter];
  let matched = 0;
  let offered = 0;
  let dropped = 0;
  for (const { size, expectedFalsePositiveRate } of layers) {
    if (size === 0) continue;
    const q = expectedFalsePositiveRate / size;
    const rate = Math.min(1 - Number.EPSILON, expectedFalsePositiveRate / (1 - matched));
    const n = Math.max(size, Math.log1p(-rate) / Math.log1p(-q));
    offered += n;
    dropped += n * (matched + (1 - matched) * meanRate(rate, n));
    matched = Math.min(1 - Number.EPSILON, matched + expectedFalsePositiveRate);
  }
  return offered === 0 ? 0 : dropped / offered;
}
