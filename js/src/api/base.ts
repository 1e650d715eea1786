// What CuckooFilter, its traced twin and ScalableCuckooFilter have in common: a filter in the memory of a WebAssembly
// instance, and the core's operations in JavaScript's words.
// Invariant: the memory is freed once, by `dispose`, by `using`, or when the object is collected; an operation that
// throws has changed nothing beyond what its error says. No arithmetic of the filter is done here.
// Kept in the declarations, where an import would be left out.
export type {} from '../disposable.js';
import {
  FilterFullError,
  noRoomMessage,
  ruleError,
  shown,
  wrongReceiver,
  type FullReason,
} from '../errors.js';
import { isAnyFilter, KIND, type Kind } from '../kind.js';
import {
  optionsOf,
  sizesOf,
  type Addressing,
  type CuckooFilterOptions,
  type HashAlgorithm,
  type Sizes,
} from '../options.js';
import { countedStats, type CuckooFilterStats } from '../observe/stats.js';
import { INSERT_OUTCOMES } from '../wasm/bindings.js';
import type { Bytes } from '../wasm/bytes.js';
import { writeKey, type Key } from '../wasm/key.js';
import { checkKeys, hasLength, hashMany, type Keys } from '../wasm/keys.js';
import { Mask } from '../wasm/mask.js';
import { destroy, Handle, inUse, makeDisposable } from '../wasm/owned.js';
import { outOfMemory, save } from '../wasm/saved.js';
import { construct, Handover } from './handover.js';

export const ADDED = 0;
const FULL = 1;
const TOO_MANY_COPIES = 2;

/**
 * Where a filter lies in WebAssembly memory. Throws DisposedError, and TypeError for anything that is not a filter. The
 * type is not checked first: reading the private field fails by itself, so that valid calls pay nothing.
 * @internal
 */
export let handleOf: (filter: BaseFilter) => Handle;

/** Whether `value` is a filter that this copy of the package made. @internal */
export let isOwn: (value: unknown) => value is BaseFilter;

/** @internal */
export let parametersOf: (filter: BaseFilter) => Sizes;

/**
 * What filters of one table and of layers have in common. Only its type is exported: make a CuckooFilter or a
 * ScalableCuckooFilter.
 */
export abstract class BaseFilter {
  /** The same as `dispose`, for `using`. */
  declare readonly [Symbol.dispose]: () => void;

  readonly #handle: Handle;
  /** The current sizes, once they were asked for, unless the table has doubled since. */
  #plan: Sizes | undefined;

  static {
    handleOf = (filter) => {
      let handle: Handle;
      try {
        handle = filter.#handle;
      } catch {
        throw wrongReceiver('CuckooFilter');
      }
      return inUse(handle);
    };
    isOwn = (value): value is BaseFilter => typeof value === 'object' && value !== null && #handle in value;
    parametersOf = (filter) => {
      const handle = handleOf(filter);
      const known = filter.#plan;
      return known?.doublings === 0 ? known : (filter.#plan = sizesOf(handle));
    };
  }

  /** `given` is a Handover, or options from which `begin` makes one. @internal */
  protected constructor(given: unknown, begin: (options: unknown) => Handover) {
    const handover = given instanceof Handover ? given : begin(given);
    this.#handle = handover.take(this);
    handover.prepare?.(this as never);
  }

  /** @internal */
  get [KIND](): Kind | undefined {
    return #handle in this ? this.#handle.instance.kind : undefined;
  }

  /**
   * Stores one copy of `key`. If the filter may still grow, this call may double the table, which takes time linear in its
   * size. Throws FilterFullError if there is no room and the table cannot grow, or if the key's two buckets hold nothing but
   * copies of it: 2 x bucketSize copies, or bucketSize if the two are the same bucket. No key has changed then.
   */
  add(key: Key): this {
    const handle = handleOf(this);
    const outcome = handle.calls.insert(handle.address, writeKey(handle, key));
    if (outcome !== ADDED) throw fullError(this, outcome, 0, key);
    return this;
  }

  /** The same as `add`, but returns what happened instead of throwing FilterFullError. */
  tryAdd(key: Key): 'added' | FullReason {
    const handle = handleOf(this);
    return INSERT_OUTCOMES[handle.calls.insert(handle.address, writeKey(handle, key))] as
      'added' | FullReason;
  }

  /**
   * Adds the key unless it already seems present. `true`: it was definitely new. One pass. Throws FilterFullError. Do not
   * use `delete` on a filter that you fill this way: if a new key is taken for present, it shares an entry with another
   * key, and deleting either loses both. The option `audit` finds such deletes.
   */
  addIfAbsent(key: Key): boolean {
    const handle = handleOf(this);
    const outcome = handle.calls.insertIfAbsent(handle.address, writeKey(handle, key));
    if (isRefusal(outcome)) throw fullError(this, outcome, 0);
    return outcome === ADDED;
  }

  /** `false`: `key` is definitely not in the filter. `true`: it probably is; see `falsePositiveRate`. */
  contains(key: Key): boolean {
    const handle = handleOf(this);
    return handle.calls.contains(handle.address, writeKey(handle, key)) !== 0;
  }

  /** The same as `contains`, by the name that `Set` uses. */
  has(key: Key): boolean {
    try {
      return this.contains(key);
    } catch (error) {
      handleOf(this); // throws a better error if `this` is not a filter
      throw error;
    }
  }

  /** The number of copies of `key`. Other keys with the same fingerprint and buckets count as well. */
  count(key: Key): number {
    const handle = handleOf(this);
    return handle.calls.count(handle.address, writeKey(handle, key));
  }

  /**
   * Removes one copy of `key`; `false` if there is none. Delete only what you added: with the probability of a false
   * positive, deleting a key that was never added removes the entry of another key, which is then lost. In development and
   * tests, the option `audit` throws at the first such call.
   */
  delete(key: Key): boolean {
    const handle = handleOf(this);
    return handle.calls.erase(handle.address, writeKey(handle, key)) !== 0;
  }

  /**
   * Stores one copy of every key, in order, and returns how many. Stops at the first key that does not fit, with a
   * FilterFullError that has `added`, or that is not a valid key, with a TypeError whose message has its index. The keys
   * before it are then in the filter.
   */
  addMany(keys: Keys): number {
    let added = 0;
    const handle = handleOf(this);
    hashMany(handle, keys, (count) => {
      const done = handle.calls.insertMany(inUse(handle).address, count);
      added += done;
      if (done < count) throw fullError(this, handle.instance.scratch.answers[done], added);
    });
    return added;
  }

  /** `addIfAbsent` for every key, in order: 1 if the key was new, else 0. Throws as `addMany` does. */
  addManyIfAbsent(keys: Keys): Uint8Array {
    const mask = new Mask(keys);
    const handle = handleOf(this);
    hashMany(handle, keys, (count) => {
      const done = handle.calls.insertManyIfAbsent(inUse(handle).address, count);
      const { answers } = handle.instance.scratch;
      mask.push(answers.subarray(0, done));
      if (done < count) throw fullError(this, answers[done], mask.ones());
    });
    return mask.take();
  }

  /** `contains` for every key, in order: 1 or 0. Throws TypeError, with the index, at the first that is not a valid key. */
  containsMany(keys: Keys): Uint8Array {
    const mask = new Mask(keys);
    const handle = handleOf(this);
    hashMany(handle, keys, (count) => {
      handle.calls.containsMany(inUse(handle).address, count);
      mask.push(handle.instance.scratch.answers.subarray(0, count));
    });
    return mask.take();
  }

  /** `delete` for every key, in order. Returns how many copies were removed. Throws as `containsMany` does. */
  deleteMany(keys: Keys): number {
    let deleted = 0;
    const handle = handleOf(this);
    hashMany(handle, keys, (count) => {
      deleted += handle.calls.eraseMany(inUse(handle).address, count);
    });
    return deleted;
  }

  /** Removes every key. A table that has grown keeps its size. */
  clear(): void {
    const { calls, address } = handleOf(this);
    calls.clear(address);
  }

  /** The filter as bytes (see docs/format.md). The same state gives the same bytes on every machine. */
  serialize(): Bytes {
    return save(handleOf(this));
  }

  /** A copy with the same parameters and entries, in memory of its own. Throws RangeError if memory is refused. */
  clone(): this {
    const { instance, calls, address } = handleOf(this);
    const copy = calls.clone(address);
    if (copy === 0) throw outOfMemory(instance, parametersOf(this));
    return adopt<this>(this.constructor, new Handover(new Handle(instance, calls, copy)));
  }

  /**
   * Whether both filters have the same parameters and the same entries in the same buckets. Filters that can grow are
   * equal only if they have doubled equally often.
   */
  equals(other: BaseFilter): boolean {
    handleOf(this);
    if (!isAnyFilter(other)) throw ruleError('other', 'a CuckooFilter', other);
    if (this.size !== other.size || this.byteLength !== other.byteLength) return false;
    const bytes = other.serialize();
    return this.serialize().every((byte, at) => byte === bytes[at]);
  }

  /** Counts since the filter was made, loaded or cloned. Takes some tens of microseconds: call it now and then, not per key. */
  stats(): CuckooFilterStats {
    const { instance, calls, address } = handleOf(this);
    const { bucketCount, capacity } = parametersOf(this);
    const { size, loadFactor } = this;
    calls.readCounts(address);
    return countedStats(instance, { bucketCount, capacity, size, loadFactor });
  }

  /** Number of entries stored now. Each copy of a key counts. */
  get size(): number {
    const { calls, address } = handleOf(this);
    return calls.size(address);
  }
  /**
   * Number of entries that the filter was made for; a key added twice takes two. If the table may still grow: the number
   * after which it doubles at the latest. That is the larger of two numbers: `maxCapacity` halved once for each doubling left,
   * and half of the slots.
   */
  get capacity(): number {
    return parametersOf(this).capacity;
  }
  /**
   * Number of entries that fit once the table has grown; the same as `capacity` if it does not grow any more. Of a
   * ScalableCuckooFilter: the number that fits into all its layers. (Its option of that name is for the first layer.)
   */
  get maxCapacity(): number {
    return parametersOf(this).maxCapacity;
  }
  get bucketCount(): number {
    return parametersOf(this).bucketCount;
  }
  /** Slots per bucket. */
  get bucketSize(): number {
    return parametersOf(this).bucketSize;
  }
  get fingerprintBits(): number {
    return parametersOf(this).fingerprintBits;
  }
  get semiSorted(): boolean {
    return parametersOf(this).semiSorted;
  }
  get addressing(): Addressing {
    return parametersOf(this).addressing;
  }
  /** The hash function. Its secret key cannot be read. */
  get hashAlgorithm(): HashAlgorithm {
    return parametersOf(this).hashAlgorithm;
  }
  /** Seed of the hash; 0 if the hash has a secret key. */
  get seed(): bigint {
    return parametersOf(this).seed;
  }
  get maxKicks(): number {
    return parametersOf(this).maxKicks;
  }
  /** size / (bucketCount x bucketSize), from 0 to 1. */
  get loadFactor(): number {
    const { calls, address } = handleOf(this);
    return calls.loadFactor(address);
  }
  /** Bytes of the table. */
  get byteLength(): number {
    return parametersOf(this).byteLength;
  }
  /** 8 x byteLength / size; NaN if the filter is empty. */
  get bitsPerKey(): number {
    const { calls, address } = handleOf(this);
    const size = calls.size(address);
    return size === 0 ? NaN : (8 * this.byteLength) / size;
  }
  /** The probability that an absent key is reported present, as expected at the current load. */
  get falsePositiveRate(): number {
    const { calls, address } = handleOf(this);
    return calls.falsePositiveRate(address);
  }

  /** Frees the memory. Twice is fine; anything else afterwards throws DisposedError. */
  dispose(): void {
    if (!isOwn(this)) throw wrongReceiver('CuckooFilter');
    destroy(this.#handle);
  }
}

makeDisposable(BaseFilter.prototype);

/** Makes a new `Class` the owner of a filter. If its constructor does not take it, frees the filter and throws TypeError. */
export function adopt<Filter extends BaseFilter>(Class: unknown, handover: Handover): Filter {
  const isTaken = (made: Filter): boolean => handover.owner === made;
  const release = (made?: Filter): void => {
    destroy(handover.handle);
    // One that the constructor made of options; another object that it returned may be somebody's.
    if (handover.owner === null && isOwn(made)) BaseFilter.prototype.dispose.call(made);
  };
  return construct(Class, handover, isTaken, release);
}

/** `Class.from(keys, given)`, where `begin` makes the filter from options. */
export function filled<Filter extends BaseFilter>(
  Class: unknown,
  begin: (options: CuckooFilterOptions) => Handover,
  keys: Keys,
  given: unknown,
): Filter {
  const options = optionsOf(given);
  checkKeys(keys);
  const counted = hasLength(keys) ? keys : Array.from(keys as Iterable<Key>);
  const filter = adopt<Filter>(
    Class,
    begin({ ...options, capacity: options.capacity ?? Math.max(1, counted.length) }),
  );
  try {
    filter.addMany(counted);
  } catch (error) {
    filter.dispose();
    throw error;
  }
  return filter;
}

/** The error for an insert of that outcome. `what` failed; `key` is the only key of the call. */
export function fullError(
  filter: BaseFilter,
  outcome: number | undefined,
  added: number,
  key?: Key,
  what = 'the filter is full',
): FilterFullError {
  const reason = INSERT_OUTCOMES[outcome ?? FULL] as FullReason;
  const parameters = parametersOf(filter);
  const isScalable = handleOf(filter).instance.kind === 'ScalableCuckooFilter';
  const advice =
    parameters.capacity < parameters.maxCapacity
      ? 'Growing did not help, or memory was refused'
      : `Use a larger capacity or maxCapacity${isScalable ? ', or shorter fingerprints' : ''}`;
  const message =
    reason === 'full'
      ? noRoomMessage(what, filter.size, parameters, advice)
      : `too many copies of ${key === undefined ? 'one key' : shown(key)}: its buckets hold nothing else${key === undefined ? '' : '. Use addIfAbsent to store a key once'}`;
  return new FilterFullError(message, reason, added);
}

function isRefusal(outcome: number): boolean {
  return outcome === FULL || outcome === TOO_MANY_COPIES;
}
