// What every filter of keys has: a place in the memory of a WebAssembly instance, sizes, and an owner.
// Invariant: the memory is freed once, by `dispose`, by `using`, or when the object is collected.
// Kept in the declarations, where an import would be left out.
export type {} from '../disposable.js';
import { wrongReceiver } from '../errors.js';
import { KIND, kindOf, type Kind } from '../kind.js';
import { makeShown, showContent, stateOf } from '../observe/shown.js';
import type { Addressing, HashAlgorithm, Sizes } from '../options.js';
import { sizesOf } from '../planning.js';
import type { FilterCalls, SavedCalls } from '../wasm/bindings.js';
import { destroy, inUse, makeDisposable, type Handle } from '../wasm/owned.js';
import { construct, Handover } from './handover.js';

/**
 * Where a filter lies in WebAssembly memory. Throws DisposedError, and TypeError for anything that is not a filter. The
 * type is not checked first: reading the private field fails by itself, so that valid calls pay nothing.
 * @internal
 */
export let handleOf: <Calls extends SavedCalls = FilterCalls>(filter: SizedFilter) => Handle<Calls>;

/** Whether `value` is a filter that this copy of the package made. @internal */
export let isOwn: (value: unknown) => value is SizedFilter;

/** @internal */
export let parametersOf: (filter: SizedFilter) => Sizes;

/** To be called after the table was halved. @internal */
export let forgetSizes: (filter: SizedFilter) => void;

/** A filter as what it is made of; what it does is in BaseFilter. */
export abstract class SizedFilter {
  /** The same as `dispose`, for `using`. */
  declare readonly [Symbol.dispose]: () => void;

  readonly #handle: Handle<SavedCalls>;
  /** The current sizes, once they were asked for, unless the table has changed since. */
  #plan: Sizes | undefined;

  /** Lets functions of this file in. Not a static block, because React Native's bundler knows none. @internal */
  protected static readonly reach: unknown = (() => {
    handleOf = <Calls extends SavedCalls>(filter: SizedFilter) => {
      let handle: Handle<SavedCalls>;
      try {
        handle = filter.#handle;
      } catch {
        throw wrongReceiver();
      }
      return inUse(handle) as Handle<Calls>;
    };
    isOwn = (value): value is SizedFilter => typeof value === 'object' && value !== null && #handle in value;
    forgetSizes = (filter) => {
      filter.#plan = undefined;
    };
    parametersOf = (filter) => {
      const handle = handleOf(filter);
      const known = filter.#plan;
      return known?.doublings === 0 ? known : (filter.#plan = sizesOf(handle));
    };
  })();

  /** `given` is a Handover, or options from which `begin` makes one. @internal */
  protected constructor(given: unknown, begin: (options: unknown) => Handover) {
    const handover = given instanceof Handover ? given : begin(given);
    this.#handle = handover.take(this);
    showContent(this);
    handover.prepare?.(this as never);
  }

  /** @internal */
  get [KIND](): Kind | undefined {
    return #handle in this ? this.#handle.instance.kind : undefined;
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
  /** Number of buckets now; growing and shrinking change it. */
  get bucketCount(): number {
    return parametersOf(this).bucketCount;
  }
  /** Slots per bucket. */
  get bucketSize(): number {
    return parametersOf(this).bucketSize;
  }
  /** Bits of a fingerprint: an integer, or a multiple of 0.25 if `semiSorted`. */
  get fingerprintBits(): number {
    return parametersOf(this).fingerprintBits;
  }
  /** Whether each bucket is kept sorted, which saves one bit per slot. */
  get semiSorted(): boolean {
    return parametersOf(this).semiSorted;
  }
  /** The formula for a key's alternate bucket. */
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
  /** Number of entries that an insert may move before it gives up. */
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
  /**
   * The probability that an absent key is reported present, as expected of the keys in the filter, whether each was added
   * once, only if absent, or many times. Looks at 1,024 slots at most (of each layer), which takes tens of microseconds.
   */
  get falsePositiveRate(): number {
    const { calls, address } = handleOf(this);
    return calls.falsePositiveRate(address);
  }

  /** The properties of the filter, with the seed as text; `{ disposed: true }` after `dispose`. */
  toJSON(): Record<string, unknown> {
    return stateOf(this);
  }

  /** @internal */
  get [Symbol.toStringTag](): string | undefined {
    return kindOf(this);
  }

  /** Frees the memory. Twice is fine; anything else afterwards throws DisposedError. */
  dispose(): void {
    if (!isOwn(this)) throw wrongReceiver();
    destroy(this.#handle);
  }
}

makeDisposable(SizedFilter.prototype);
makeShown(SizedFilter.prototype);

/** Makes a new `Class` the owner of a filter. If its constructor does not take it, frees the filter and throws TypeError. */
export function adopt<Filter extends SizedFilter>(Class: unknown, handover: Handover): Filter {
  const isTaken = (made: unknown = handover.owner): boolean => made !== null && handover.owner === made;
  const release = (made?: Filter): void => {
    destroy(handover.handle);
    // One that the constructor made of options; another object that it returned may be somebody's.
    if (handover.owner === null && isOwn(made)) SizedFilter.prototype.dispose.call(made);
  };
  return construct(Class, handover, isTaken, release);
}
