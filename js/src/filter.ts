// The class CuckooFilter: owns a filter in WebAssembly memory, and says the core's operations in JavaScript's words.
// Invariant: the memory is freed once, by `dispose`, by `using`, or when the object is collected; an operation that
// throws has changed nothing beyond what its error says. No arithmetic of the filter is done here.
/// <reference lib="esnext.disposable" preserve="true" />
import { free, inUse, makeDisposable, own } from './dispose.js';
import { audit } from './audit.js';
import { FIELDS, FilterFullError, ruleMessage, shown, type FullReason } from './errors.js';
import { build, checkedForm, load, outOfMemory, save, type LoadLimits } from './handle.js';
import { checkKeys, hasLength, hashMany, writeKey, type Key, type Keys } from './keys.js';
import { Mask } from './mask.js';
import { core, exchange, INSERT_OUTCOMES, type Address } from './module.js';
import {
  readSizes,
  type Addressing,
  type CuckooFilterOptions,
  type HashAlgorithm,
  type Sizes,
} from './options.js';
import { explainedPlan, type CuckooFilterPlan } from './plan.js';
import { readStats, tellGrowth, type CuckooFilterStats } from './stats.js';

const ADDED = 0;
const FULL = 1;
const TOO_MANY_COPIES = 2;

/** A filter that exists already, in place of a constructor's options. */
class Existing {
  constructor(readonly address: Address) {}
}

/** Where a filter lies in WebAssembly memory, for the trace build's subclass. Throws DisposedError. */
export let addressOf: (filter: CuckooFilter) => Address;

/** The same of an argument. Throws TypeError for what is no filter. */
let useOther: (other: unknown) => Address;

/**
 * A set of keys that answers "certainly not" or "probably", takes few bits per key, and can forget a key again.
 *
 * @example
 * const seen = new CuckooFilter({ capacity: 1_000_000, falsePositiveRate: 0.001 });
 * seen.add('alice');
 * seen.contains('alice'); // true
 * seen.contains('bob'); // false, but for one absent key in a thousand
 * seen.delete('alice');
 */
export class CuckooFilter {
  /** As written here, whatever a minifier makes of the class. @internal */
  static readonly name: string = 'CuckooFilter';

  /** The same as `dispose`, for `using`. */
  declare readonly [Symbol.dispose]: () => void;

  #address: Address;
  /** As they are now, but for a table that has doubled since they were read. */
  #plan: Sizes;

  static {
    addressOf = (filter) => filter.#use();
    useOther = (other: unknown) => {
      if (!(typeof other === 'object' && other !== null && #address in other)) {
        throw new TypeError(ruleMessage('other', 'a CuckooFilter', other));
      }
      return other.#use();
    };
  }

  /**
   * An empty filter that takes `capacity` distinct keys and then errs for at most `falsePositiveRate` of absent ones; with
   * `maxCapacity`, it grows to take as many.
   * Throws TypeError for an option of the wrong type, RangeError for one out of its range, and RangeError if the
   * table cannot be allocated.
   */
  constructor(options: CuckooFilterOptions) {
    this.#address =
      (options as unknown) instanceof Existing ? (options as unknown as Existing).address : build(options);
    this.#plan = readSizes(this.#address);
    own(this, this.#address);
    if (options.audit === true) audit(this);
    if (options.onGrow !== undefined) tellGrowth(this, this.#address, options.onGrow);
  }

  /**
   * A filter that holds `keys`. `capacity` defaults to their number. Throws as the constructor and `addMany` do;
   * FilterFullError above all if keys come more than once: each copy takes a slot, and a filter takes few of one key.
   */
  static from(keys: Keys, options: Partial<CuckooFilterOptions> = {}): CuckooFilter {
    checkKeys(keys);
    const counted = hasLength(keys) ? keys : Array.from(keys as Iterable<Key>);
    const filter = new this({ ...options, capacity: options.capacity ?? Math.max(1, counted.length) });
    try {
      filter.addMany(counted);
    } catch (error) {
      filter.dispose();
      throw error;
    }
    return filter;
  }

  /**
   * The filter that `serialize` saved. Throws FormatError, whose `code` says what is wrong, for any other bytes,
   * and RangeError if its table cannot be allocated. Nothing is allocated before the header is found valid, and
   * never more than `limits.maxBytes` for the table. A keyed filter is loaded only with the key it was made with, in
   * `limits.hash`, and any other filter only without one.
   */
  static deserialize(bytes: Uint8Array | ArrayBuffer, limits: LoadLimits = {}): CuckooFilter {
    return adopt(this, load(...checkedForm(bytes, limits)));
  }

  /**
   * The sizes that a constructor would choose for `options`, why, and what other layouts would take, without building
   * anything. Throws as it does. Takes less than a millisecond.
   */
  static plan(options: CuckooFilterOptions): CuckooFilterPlan {
    return explainedPlan(options);
  }

  /**
   * Stores one copy of `key`. A table that is to grow doubles where it is due, which takes time linear in its size.
   * Throws FilterFullError, and no key has changed, if there is no room, nor memory to grow where it may, or if the two
   * buckets of the key hold nothing but copies of it (2 bucketSize copies, or bucketSize where the two coincide).
   */
  add(key: Key): this {
    const outcome = core().insert(this.#use(), writeKey(this.#address, key));
    if (outcome !== ADDED) throw this.#full(outcome, 0);
    return this;
  }

  /** As `add`, but says what happened instead of throwing when there is no room. */
  tryAdd(key: Key): 'added' | FullReason {
    return INSERT_OUTCOMES[core().insert(this.#use(), writeKey(this.#address, key))] as 'added' | FullReason;
  }

  /**
   * Stores `key` unless it is found, in one pass: true if it surely was not there before. Throws FilterFullError.
   * Do not `delete` from a filter that is filled this way: a key that was taken for present shares another key's
   * fingerprint, and deleting either loses both. The option `audit` finds where that is done.
   */
  addIfAbsent(key: Key): boolean {
    const outcome = core().insert_if_absent(this.#use(), writeKey(this.#address, key));
    if (isRefusal(outcome)) throw this.#full(outcome, 0);
    return outcome === ADDED;
  }

  /** False: `key` is certainly not in the filter. True: it is, or is one of the few that look like it. */
  contains(key: Key): boolean {
    return core().contains(this.#use(), writeKey(this.#address, key)) !== 0;
  }

  /** The same as `contains`, by the name that `Set` uses. */
  has(key: Key): boolean {
    return this.contains(key);
  }

  /** Copies of the key's fingerprint in its two buckets; other keys with the same fingerprint count as well. */
  count(key: Key): number {
    return core().count(this.#use(), writeKey(this.#address, key));
  }

  /**
   * Removes one copy of `key`; false if there is none. Only delete what was added: deleting a key that never was
   * may, with the false positive rate's probability, remove the fingerprint of another key, which is then lost. That is
   * the one way to lose a key; the option `audit` throws at the first such call, in development and tests.
   */
  delete(key: Key): boolean {
    return core().erase(this.#use(), writeKey(this.#address, key)) !== 0;
  }

  /**
   * Stores one copy of every key, in order, and returns how many. Throws FilterFullError, with `added`, at the first
   * that does not go in, and TypeError, with its index in the message, at the first that is no key; the keys before
   * it are in.
   */
  addMany(keys: Keys): number {
    let added = 0;
    hashMany(this.#use(), keys, (count) => {
      const done = core().insert_many(this.#use(), count);
      added += done;
      if (done < count) throw this.#full(exchange().answers[done], added);
    });
    return added;
  }

  /** `addIfAbsent` of every key, in order: 1 where the key was new, else 0. Throws as `addMany` does. */
  addManyIfAbsent(keys: Keys): Uint8Array {
    const mask = new Mask(keys);
    hashMany(this.#use(), keys, (count) => {
      const done = core().insert_many_if_absent(this.#use(), count);
      const { answers } = exchange();
      mask.push(answers.subarray(0, done));
      if (done < count) throw this.#full(answers[done], mask.ones());
    });
    return mask.take();
  }

  /** `contains` of every key, in order: 1 or 0. Throws TypeError, with its index, at the first that is no key. */
  containsMany(keys: Keys): Uint8Array {
    const mask = new Mask(keys);
    hashMany(this.#use(), keys, (count) => {
      core().contains_many(this.#use(), count);
      mask.push(exchange().answers.subarray(0, count));
    });
    return mask.take();
  }

  /** `delete` of every key, in order; returns how many copies were removed. Throws as `containsMany` does. */
  deleteMany(keys: Keys): number {
    let deleted = 0;
    hashMany(this.#use(), keys, (count) => {
      deleted += core().erase_many(this.#use(), count);
    });
    return deleted;
  }

  /** Removes every key. A table that has grown stays as large. */
  clear(): void {
    core().clear(this.#use());
  }

  /**
   * Adds every fingerprint of `other`, without its keys: for filters of shards, workers or tabs, made with the same
   * options, whose `capacity` is that of all together. A key then has as many copies as it had in both, and each may be
   * deleted; merged into itself, a filter doubles them. All or nothing: throws FilterFullError where one does not go in,
   * and RangeError for filters that differ in a size, the addressing, the seed or the hash (capacity, maxKicks and
   * semiSort may differ) or if memory cannot hold a second table meanwhile. Takes as long as `addMany` of the keys.
   */
  merge(other: CuckooFilter): this {
    return this.#merge(other, false);
  }

  /**
   * As `merge`, but adds only what is not found, as `addIfAbsent` does: for sets, where shards may have seen the same
   * keys. What is found is what either filter found. Do not `delete` from the result, as keys share fingerprints.
   */
  mergeIfAbsent(other: CuckooFilter): this {
    return this.#merge(other, true);
  }

  /** The filter as bytes (see cpp/FORMAT.md): the same state gives the same bytes on every machine. */
  serialize(): Uint8Array {
    return save(this.#use());
  }

  /** A filter with the same parameters and content, and a memory of its own. Throws RangeError if there is none. */
  clone(): CuckooFilter {
    const copy = core().clone(this.#use());
    if (copy === 0) throw outOfMemory(this.#parameters());
    return adopt(this.constructor as typeof CuckooFilter, copy);
  }

  /**
   * True if both have the same parameters and hold the same fingerprints in the same buckets. Tables that are to grow
   * are equal only while they have doubled equally often.
   */
  equals(other: CuckooFilter): boolean {
    useOther(other);
    if (this.size !== other.size || this.byteLength !== other.byteLength) return false;
    const bytes = other.serialize();
    return this.serialize().every((byte, at) => byte === bytes[at]);
  }

  /** What the filter did since it was made, loaded or cloned. Takes some microseconds. */
  stats(): CuckooFilterStats {
    return readStats(this.#use(), this.#parameters(), this);
  }

  /** Fingerprints stored now; copies count each. */
  get size(): number {
    return core().size(this.#use());
  }
  /**
   * Distinct keys that the filter was made for; where its table is still to grow, those after which it doubles at the
   * latest: `maxCapacity` halved as often as it has doublings left (or half of its slots, if that is more), so about twice
   * as many after each.
   */
  get capacity(): number {
    return this.#parameters().capacity;
  }
  /** Distinct keys that fit once the table has grown; the same as `capacity` where it does not, or no more. */
  get maxCapacity(): number {
    return this.#parameters().maxCapacity;
  }
  get bucketCount(): number {
    return this.#parameters().bucketCount;
  }
  /** Slots per bucket. */
  get bucketSize(): number {
    return this.#parameters().bucketSize;
  }
  get fingerprintBits(): number {
    return this.#parameters().fingerprintBits;
  }
  get semiSorted(): boolean {
    return this.#parameters().semiSorted;
  }
  get addressing(): Addressing {
    return this.#parameters().addressing;
  }
  /** What hashes keys; a secret key cannot be read. */
  get hashAlgorithm(): HashAlgorithm {
    return this.#parameters().hashAlgorithm;
  }
  /** Seed of the hash; 0 where it has a key. */
  get seed(): bigint {
    return this.#parameters().seed;
  }
  get maxKicks(): number {
    return this.#parameters().maxKicks;
  }
  /** size / (bucketCount bucketSize), from 0 to 1. */
  get loadFactor(): number {
    return core().loadFactor(this.#use());
  }
  /** Bytes of the table. */
  get byteLength(): number {
    return this.#parameters().byteLength;
  }
  /** 8 byteLength / size; NaN when empty. */
  get bitsPerKey(): number {
    const { size } = this;
    return size === 0 ? NaN : (8 * this.byteLength) / size;
  }
  /** The probability that an absent key is reported present, as expected at the present load. */
  get falsePositiveRate(): number {
    return core().falsePositiveRate(this.#use());
  }

  /** Frees the memory. Twice is fine; anything else afterwards throws DisposedError. */
  dispose(): void {
    this.#address = free(this, this.#address);
  }

  /** Where the filter lies in WebAssembly memory. Throws DisposedError. */
  #use(): Address {
    return inUse(this.#address);
  }

  #parameters(): Sizes {
    const address = this.#use();
    if (this.#plan.doublings > 0) this.#plan = readSizes(address);
    return this.#plan;
  }

  #merge(other: CuckooFilter, onlyIfAbsent: boolean): this {
    const from = useOther(other);
    const outcome = core().merge(this.#use(), from, onlyIfAbsent);
    if (outcome < ADDED) throw differenceError(-1 - outcome, this.#parameters(), other.#parameters());
    if (outcome !== ADDED) throw this.#full(outcome, 0);
    return this;
  }

  #full(outcome: number | undefined, added: number): FilterFullError {
    const reason = INSERT_OUTCOMES[outcome ?? FULL] as FullReason;
    const { size } = this;
    const { capacity, maxCapacity, maxKicks, doublings } = this.#parameters();
    const madeFor =
      doublings === 0 ? capacity : `${maxCapacity}, and to grow does not help or finds no memory`;
    const message =
      reason === 'full'
        ? `the filter is full: no room for a key within ${maxKicks} kicks at size ${size}, made for ${madeFor}`
        : `too many copies: the key's two buckets hold nothing but its fingerprint, at size ${size}`;
    return new FilterFullError(message, reason, added);
  }
}

makeDisposable(CuckooFilter.prototype);

/** The door behind the constructor, which takes options from everybody else. */
export function adopt(Class: typeof CuckooFilter, address: Address): CuckooFilter {
  return new Class(new Existing(address) as unknown as CuckooFilterOptions);
}

/** Why the core did not even try to merge: how the filters differ, or that it had no memory for it. */
function differenceError(field: number, mine: Sizes, others: Sizes): RangeError {
  const option = FIELDS[field] ?? 'none';
  if (option === 'none') return outOfMemory(mine);
  // Of tables that are to grow, the buckets are compared that they will have, which few people give: the capacity, if it
  // differs, says more.
  const isToGrow = option === 'bucketCount' && mine.doublings + others.doublings > 0;
  const compared: readonly (readonly [string, (sizes: Sizes) => unknown])[] = isToGrow
    ? [
        ['maxCapacity', (sizes) => sizes.maxCapacity],
        ['bucketCount, once grown,', (sizes) => sizes.bucketCount * 2 ** sizes.doublings],
      ]
    : [[option, (sizes) => sizes[option as keyof Sizes]]];
  for (const [name, of] of compared) {
    if (of(mine) === of(others)) continue;
    const rule = `${shown(of(mine))} as in the filter it is merged into`;
    return new RangeError(ruleMessage(`other.${name}`, rule, of(others)));
  }
  return new RangeError('other must be a filter under the same secret key');
}

function isRefusal(outcome: number): boolean {
  return outcome === FULL || outcome === TOO_MANY_COPIES;
}
