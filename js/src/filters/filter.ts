// What every filter has: a place in the memory of a WebAssembly instance, sizes, lookups, copies and a saved form.
// Invariant: the memory is freed once, by `dispose`, by `using`, or when the object is collected. An operation that throws has
// changed nothing beyond what its error says. No arithmetic of the filter is done here.
// So that the declarations load that file, whose global types they need: TypeScript drops an import that nothing uses.
export type {} from './protocols.js';
import { KIND, kindOf, unaudited, type Kind } from '../class-names.js';
import type { FilterCalls, SavedCalls } from '../engine/bindings.js';
import type { Bytes } from '../engine/bytes.js';
import type { Handle } from '../engine/handle.js';
import { outOfMemory, save } from '../engine/saved.js';
import { answersFor } from '../keys/answers.js';
import type { Key, KeyOf } from '../keys/key.js';
import { numberOf, writeKey } from '../keys/write-key.js';
import type { Keys } from '../keys/keys.js';
import type { Addressing, HashAlgorithm, Sizes } from '../options/options.js';
import { sizesOf } from '../options/planning.js';
import { makeDisposable, makeShown, showContent, stateOf } from './protocols.js';
import { countedStats, type CuckooFilterStats } from './stats.js';
import { notAFilter, wrongReceiver } from './wrong-filter.js';

/** A filter of any class. */
export type AnyFilter = Filter<unknown>;

/** A class of filters, as the package makes its objects. */
export type FilterClass<Made> = abstract new (options: never) => Made;

// What reads private fields. None of it is a static method, which programs could call to reach WebAssembly memory.
let ownHandle: (filter: AnyFilter) => Handle<SavedCalls>;
let isFilter: (value: object) => boolean;
/** The sizes of a filter now. */
let currentSizes: (filter: AnyFilter) => Sizes;
/** To be called after the table was halved. */
export let forgetSizes: (filter: AnyFilter) => void;

/**
 * What all filters have in common. Only its type is exported, so make a CuckooFilter or another class of the package.
 * `Self` is that class, and `K` the type of its keys.
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- makeDisposable makes what the interface adds
export abstract class Filter<Self = unknown, K extends Key = Key> {
  readonly #handle: Handle<SavedCalls>;
  /** What `clone` makes. */
  readonly #Class: FilterClass<Self>;
  /** The current sizes, once they were asked for, unless the table has changed since. */
  #sizes: Sizes | undefined;

  /** Lets functions of this file in as well: Metro cannot parse a static block for React Native. @internal */
  static readonly name: string = (() => {
    ownHandle = (filter) => filter.#handle;
    isFilter = (value) => #handle in value;
    currentSizes = (filter) => {
      const handle = handleOf<SavedCalls>(filter);
      const known = filter.#sizes;
      return known?.doublings === 0 ? known : (filter.#sizes = sizesOf(handle));
    };
    forgetSizes = (filter) => {
      filter.#sizes = undefined;
    };
    return 'Filter';
  })();

  /** @internal */
  protected constructor(handle: Handle<SavedCalls>, Class: FilterClass<Self>) {
    this.#handle = handle;
    this.#Class = Class;
    handle.ownedBy(this);
    showContent(this);
  }

  /** @internal */
  get [KIND](): Kind | undefined {
    return #handle in this ? this.#handle.instance.kind : undefined;
  }

  /** `false`: `key` is definitely not in the filter. `true`: it may be (see `expectedFalsePositiveRate`). */
  contains(key: KeyOf<K>): boolean {
    return isIn(this, key);
  }

  /** The same as `contains`, by the name that `Set` uses. */
  has(key: KeyOf<K>): boolean {
    return isIn(this, key);
  }

  /** `contains` for every key, in order: 1 or 0. Throws InvalidKeyError at the first that is not a valid key. */
  containsMany(keys: Keys<K>): Bytes;
  /**
   * The same, but writes the answers into `into`, an array of yours, from its beginning, and returns it. Throws
   * TypeError if it is not a Uint8Array, or shares memory with the keys or the filter, and RangeError if it is too short,
   * both before anything is done. An iterable of unknown length ends with that RangeError at the first key for which
   * there is no room.
   */
  containsMany(keys: Keys<K>, into: Uint8Array | undefined): Uint8Array;
  containsMany(keys: Keys<K>, into?: Uint8Array): Uint8Array {
    return areIn(this, keys, into);
  }

  /** The same as `containsMany`, as `has` is the same as `contains`. */
  hasMany(keys: Keys<K>): Bytes;
  /** The same as `containsMany` with an array of yours. */
  hasMany(keys: Keys<K>, into: Uint8Array | undefined): Uint8Array;
  hasMany(keys: Keys<K>, into?: Uint8Array): Uint8Array {
    return areIn(this, keys, into);
  }

  /** Removes every key. A table that has grown keeps its size. */
  clear(): void {
    handleOf(this).call('clear');
  }

  /** The filter as bytes (docs/inside/format.md in the repository). The same state gives the same bytes on every machine. */
  serialize(): Bytes {
    return save(handleOf(this));
  }

  /**
   * A copy with the same parameters and entries, and its own memory. Called on a subclass, it returns an object of the
   * package's class. Throws OutOfMemoryError.
   */
  clone(): Self {
    const handle = handleOf<SavedCalls>(this);
    const copy = handle.copy();
    if (copy === undefined) throw outOfMemory(handle.instance, currentSizes(this));
    return make(this.#Class, copy);
  }

  /**
   * Whether both filters have the same parameters and the same entries in the same buckets. Filters that can grow are
   * equal only if they have doubled the same number of times. Throws TypeError for a filter of another class.
   */
  equals(other: Self): boolean {
    const handle = handleOf(this);
    const others = unaudited(other);
    const kind = kindOf(this) as Kind;
    if (kindOf(others) !== kind) throw notAFilter(others, kind);
    if (isOwn(others)) {
      const theirs = handleOf(others);
      const { equals } = handle.calls as Partial<FilterCalls>; // Expiring filters have none.
      if (theirs.instance === handle.instance && equals !== undefined)
        return handle.invokeBoth(equals, theirs) !== 0;
    }
    // Of another entry point or another copy of the package, in a memory of its own.
    const foreign = others as AnyFilter;
    if (this.size !== foreign.size || this.byteLength !== foreign.byteLength) return false;
    const bytes = foreign.serialize();
    return this.serialize().every((byte, at) => byte === bytes[at]);
  }

  /**
   * Counts of the filter's work since it was made, loaded or cloned. Takes some tens of microseconds: call it now and
   * then, not for every key.
   */
  stats(): CuckooFilterStats {
    const handle = handleOf(this);
    const { size, currentCapacity, loadFactor } = this;
    handle.call('readCounts');
    return countedStats(handle.instance, { size, currentCapacity, loadFactor });
  }

  /** Number of entries stored now. Each copy of a key counts. */
  get size(): number {
    return handleOf(this).size();
  }
  /**
   * Number of different keys that the filter was made for (the option `capacity`). A growable
   * filter does not save this number: after loading, it is the number that the filter had room for when it was saved.
   */
  get capacity(): number {
    return handleOf(this).capacity;
  }
  /**
   * Number of entries that there is room for now. A filter that can grow begins with room for `capacity` or more, and
   * doubles when this room is used up.
   */
  get currentCapacity(): number {
    return currentSizes(this).currentCapacity;
  }
  /** Number of entries that fit once the table has grown; the same as `capacity` if it cannot grow. */
  get maxCapacity(): number {
    return currentSizes(this).maxCapacity;
  }
  /** Number of buckets now; growing and shrinking change it. */
  get bucketCount(): number {
    return currentSizes(this).bucketCount;
  }
  /** Slots per bucket. */
  get bucketSize(): number {
    return currentSizes(this).bucketSize;
  }
  /** Bits of a fingerprint: an integer, or a multiple of 0.25 if `semiSorted`. */
  get fingerprintBits(): number {
    return currentSizes(this).fingerprintBits;
  }
  /** Whether each bucket is kept sorted, which saves one bit per slot. */
  get semiSorted(): boolean {
    return currentSizes(this).semiSorted;
  }
  /** The formula for a key's alternate bucket. */
  get addressing(): Addressing {
    return currentSizes(this).addressing;
  }
  /** The hash function. Its secret key cannot be read. */
  get hashAlgorithm(): HashAlgorithm {
    return currentSizes(this).hashAlgorithm;
  }
  /** Seed of the hash; 0 if the hash has a secret key. */
  get seed(): bigint {
    return currentSizes(this).seed;
  }
  /** size / (bucketCount x bucketSize), from 0 to 1. */
  get loadFactor(): number {
    return handleOf(this).call('loadFactor');
  }
  /** Bytes of the table. */
  get byteLength(): number {
    return currentSizes(this).byteLength;
  }
  /** 8 x byteLength / size; NaN if the filter is empty. */
  get bitsPerKey(): number {
    const size = handleOf(this).size();
    return size === 0 ? NaN : (8 * this.byteLength) / size;
  }
  /**
   * The expected probability, with the keys now in the filter, that an absent key is reported present. It is right
   * whether keys were added once, only if absent, or many times. Looks at up to 1,024 slots (of each layer), which
   * takes tens of microseconds.
   */
  get expectedFalsePositiveRate(): number {
    return handleOf(this).call('falsePositiveRate');
  }

  /** The properties of the filter, with the seed as a string; `{ disposed: true }` after `dispose`. */
  toJSON(): Record<string, unknown> {
    return stateOf(this);
  }

  /** @internal */
  get [Symbol.toStringTag](): string | undefined {
    return kindOf(this);
  }

  /** Frees the memory. Twice is fine. Afterwards, every other method but `toJSON` throws DisposedError. */
  dispose(): void {
    if (!isOwn(this)) throw wrongReceiver();
    this.#handle.dispose();
  }
}

/**
 * Where a filter lies in WebAssembly memory, ready for a call. Throws DisposedError, and TypeError for anything that is
 * not a filter. The type is not checked first: reading the private field fails by itself, so that valid calls pay
 * nothing.
 */
export function handleOf<Calls extends SavedCalls = FilterCalls>(filter: AnyFilter): Handle<Calls> {
  let handle: Handle<SavedCalls>;
  try {
    handle = ownHandle(filter);
  } catch {
    throw wrongReceiver();
  }
  return handle.ready() as Handle<Calls>;
}

/** `handleOf`. Throws TypeError also for a filter of a class that is not in this instance's memory. */
export function handleIn(instance: object, filter: AnyFilter): Handle {
  const handle = handleOf(filter);
  if (handle.instance !== instance) throw wrongReceiver();
  return handle;
}

/** Whether `value` is a filter that this copy of the package made. */
export function isOwn(value: unknown): value is AnyFilter {
  return typeof value === 'object' && value !== null && isFilter(value);
}

/** The answer of `contains` and of the methods that are the same. */
export function isIn(filter: AnyFilter, key: Key): boolean {
  const handle = handleOf(filter);
  return handle.contains(writeKey(handle, key), numberOf(key));
}

/** The answers of `containsMany` and of the methods that are the same. */
export function areIn(filter: AnyFilter, keys: Keys, into: Uint8Array | undefined): Uint8Array {
  const handle = handleOf(filter);
  return answersFor(handle, keys, into, (count) => {
    handle.call('containsMany', count);
    return count;
  });
}

// Declared as a method, which a subclass may replace; the prototype gets it below, under the name that the engine has.
// eslint-disable-next-line -- a generic class and its interface must have the same parameters
export interface Filter<Self, K extends Key> {
  /** The same as `dispose`, for `using`. */
  [Symbol.dispose](): void;
}

makeDisposable(Filter.prototype);
makeShown(Filter.prototype);

/**
 * A new object of the package's `Class` for a filter that exists already. Runs only the constructor of Filter, which users cannot
 * reach.
 */
export function make<Made>(Class: FilterClass<Made>, handle: Handle<SavedCalls>): Made {
  return Reflect.construct(Filter, [handle, Class], Class) as Made;
}
