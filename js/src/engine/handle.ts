// Owns an object in WebAssembly memory. It is freed once: by `dispose`, by `using` (in engines with and without
// Symbol.dispose), or when its owner is collected. An address does not leave this folder, and is 0 after `dispose`.
import { disposedError } from '../errors.js';
import type {
  AbsentCalls,
  Address,
  Bindings,
  BindingsOf,
  FilterCalls,
  HashIdentity,
  ObjectCalls,
  SavedCalls,
} from './bindings.js';
import type { Instance } from './instance.js';

/** Tells somebody that a filter has grown. */
export interface Growth {
  /** Reports what has changed since the last time. To be called after each call that may have doubled a table. */
  report(): void;
}

/** The parameters of a call after the object, and its result. */
type Given<Call> = Call extends (object: Address, ...given: infer Rest) => unknown ? Rest : never;
type Result<Call> = Call extends (...given: never[]) => infer Returned ? Returned : never;

/** An object in the memory of an instance, with the calls of its class. */
export class Handle<Calls extends ObjectCalls = FilterCalls> {
  #address: Address;
  /** The hash function of its keys, cached after it was first asked for. */
  hash: HashIdentity | undefined = undefined;
  /** Undefined unless somebody wants to know of growth. */
  growth: Growth | undefined = undefined;
  #owned: Owned | undefined;

  /** `capacity` and `maxCapacity` are the options as given. */
  constructor(
    readonly instance: Instance<BindingsOf<Calls>>,
    readonly calls: Calls,
    address: Address,
    readonly capacity = 0,
    readonly maxCapacity?: number | undefined,
  ) {
    this.#address = address;
  }

  /** The handle, ready for a call. Throws DisposedError. */
  ready(): this {
    this.#inUse();
    return this;
  }
  get isDisposed(): boolean {
    return this.#address === 0;
  }
  #inUse(): Address {
    if (this.#address === 0) throw disposedError();
    this.instance.checkPlace?.();
    return this.#address;
  }

  /** Where the object lies: for this folder alone. */
  static addressOf(handle: { readonly instance: object }): Address {
    return (handle as Handle).#address;
  }

  /** The result of `call` for the object. Throws DisposedError. */
  invoke<More extends unknown[], Returned>(
    call: (object: Address, ...more: More) => Returned,
    ...more: More
  ): Returned {
    return call(this.#inUse(), ...more);
  }
  /** The result of the call of that name for the object. Throws DisposedError. */
  call<Name extends keyof Calls>(name: Name, ...given: Given<Calls[Name]>): Result<Calls[Name]> {
    return this.invoke(
      this.calls[name] as (object: Address, ...given: unknown[]) => Result<Calls[Name]>,
      ...given,
    );
  }

  /** The result of `call` for the object and another one of the same class and instance. Throws DisposedError. */
  invokeBoth<More extends unknown[], Returned>(
    call: (object: Address, other: Address, ...more: More) => Returned,
    other: Handle<Calls>,
    ...more: More
  ): Returned {
    return call(this.#inUse(), other.#inUse(), ...more);
  }

  /** A copy; undefined if memory is refused. */
  copy(this: Handle<SavedCalls>): Handle<SavedCalls> | undefined {
    const address = this.call('clone');
    return address === 0 ? undefined : this.at(address);
  }
  /** The handle of a copy at `address`. */
  protected at(address: Address): Handle<Calls> {
    return new Handle(this.instance, this.calls, address, this.capacity, this.maxCapacity);
  }

  /** Frees the object when `owner` is collected, unless it is freed before that. */
  ownedBy(owner: object): void {
    this.#owned = { instance: this.instance, calls: this.calls, address: this.#address };
    owned.add(this.#owned);
    forgotten?.register(owner, this.#owned, this);
    this.instance.weigh();
  }
  /** Frees the object. Does nothing if it is freed already. */
  dispose(): void {
    if (this.isDisposed) return;
    forgotten?.unregister(this);
    if (this.#owned !== undefined) owned.delete(this.#owned);
    this.calls.destroy(this.#address);
    this.#address = 0;
  }

  // Calls made once per key have methods of their own, so that engines know which WebAssembly function each one calls.
  // Before them come `ready` and the writing of the key, whose `length` and `number` they take.
  size(): number {
    return this.calls.size(this.#address);
  }
  contains(length: number, number: number): boolean {
    return this.calls.contains(this.#address, length, number) !== 0;
  }
  count(this: Handle<ObjectCalls & Pick<FilterCalls, 'count'>>, length: number, number: number): number {
    return this.calls.count(this.#address, length, number);
  }
  insert(this: Handle, length: number, number: number): number {
    return this.calls.insert(this.#address, length, number);
  }
  insertIfAbsent(this: Handle<AbsentCalls>, length: number, number: number): number {
    return this.calls.insertIfAbsent(this.#address, length, number);
  }
  erase(this: Handle, length: number, number: number): boolean {
    return this.calls.erase(this.#address, length, number) !== 0;
  }
}

/**
 * What is freed in the end. Not the handle: what it calls, such as `onGrow`, may know its owner, which would never be
 * collected then.
 */
interface Owned {
  readonly instance: Instance<Bindings>;
  readonly calls: ObjectCalls;
  readonly address: Address;
}

const owned = new Set<Owned>();

/** Without a FinalizationRegistry, as on some edge servers, memory that is not disposed of stays allocated. */
const forgotten =
  typeof FinalizationRegistry === 'undefined'
    ? undefined
    : new FinalizationRegistry<Owned>((object) => {
        owned.delete(object);
        object.calls.destroy(object.address);
      });

/** The number of objects in the memory of `instance`, and the bytes of their tables. */
export function liveObjects(instance: Instance<Bindings>): {
  readonly count: number;
  readonly bytes: number;
} {
  const { memory } = instance.bindings;
  const objects = [...owned].filter((object) => object.instance.bindings.memory === memory);
  const bytes = objects.reduce((sum, { calls, address }) => sum + calls.byteCount(address), 0);
  return { count: objects.length, bytes };
}
