// Who owns what lies in WebAssembly memory: it is freed once, by `dispose`, by `using`, in engines with and without
// Symbol.dispose, or when its owner is collected. Invariant: an address does not leave this folder, and is 0 from `dispose` on.
import { DisposedError } from '../errors.js';
import type {
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
  /** To be called after each call that may have doubled a table. Tells what has changed since the last time. */
  tell(): void;
}

/** What a call takes besides the object, and what it gives. */
type Given<Call> = Call extends (object: Address, ...given: infer Rest) => unknown ? Rest : never;
type Result<Call> = Call extends (...given: never[]) => infer Returned ? Returned : never;

/** An object in the memory of an instance, with the calls of its class. */
export class Handle<Calls extends ObjectCalls = FilterCalls> {
  #address: Address;
  /** The hash of its keys, once that was asked for. */
  hash: HashIdentity | undefined = undefined;
  /** Bits of the number that each of its entries has, once that was asked for. */
  valueBits: number | undefined = undefined;
  /** Whether it was made with just the capacity for given keys. */
  isFromKeys = false;
  /** Undefined unless somebody wants to be told. */
  growth: Growth | undefined = undefined;

  /** `capacity` and `maxCapacity` are what the options said. */
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
  use(): this {
    this.#inUse();
    return this;
  }
  get isDisposed(): boolean {
    return this.#address === 0;
  }
  #inUse(): Address {
    if (this.#address === 0) throw new DisposedError('the filter cannot be used after dispose()');
    return this.#address;
  }

  /** Where the object lies: for this folder alone. */
  static addressOf(handle: { readonly instance: object }): Address {
    return (handle as Handle).#address;
  }

  /** What `call` gives for the object. Throws DisposedError. */
  pass<More extends unknown[], Returned>(
    call: (object: Address, ...more: More) => Returned,
    ...more: More
  ): Returned {
    return call(this.#inUse(), ...more);
  }
  /** What the call of that name gives for the object. Throws DisposedError. */
  call<Name extends keyof Calls>(name: Name, ...given: Given<Calls[Name]>): Result<Calls[Name]> {
    return this.pass(
      this.calls[name] as (object: Address, ...given: unknown[]) => Result<Calls[Name]>,
      ...given,
    );
  }

  /** What `call` gives for the object and another of the same class and instance. Throws DisposedError. */
  meet<More extends unknown[], Returned>(
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
    owned.add(this);
    forgotten?.register(owner, this, this);
  }
  /** Frees the object. Does nothing if it is freed already. */
  dispose(): void {
    if (this.isDisposed) return;
    forgotten?.unregister(this);
    owned.delete(this);
    this.calls.destroy(this.#address);
    this.#address = 0;
  }

  // What is called once per key has a line of its own, so that engines know which function of WebAssembly it calls. `use` comes
  // before, and then the writing of the key, of which these take the `length` and the `number`.
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
  insertIfAbsent(this: Handle, length: number, number: number): number {
    return this.calls.insertIfAbsent(this.#address, length, number);
  }
  erase(this: Handle, length: number, number: number): boolean {
    return this.calls.erase(this.#address, length, number) !== 0;
  }
}

/** Of any class. */
type AnyHandle = Handle<ObjectCalls>;

/** What is owned now. */
const owned = new Set<AnyHandle>();

/** Without one, as on some servers at the edge, what is not disposed of stays. */
const forgotten =
  typeof FinalizationRegistry === 'undefined'
    ? undefined
    : new FinalizationRegistry<AnyHandle>((handle) => handle.dispose());

/** How many objects there are in the memory of `instance`, and the bytes of their tables. */
export function held(instance: Instance<Bindings>): { readonly count: number; readonly bytes: number } {
  const { memory } = instance.bindings;
  const handles = [...owned].filter((handle) => handle.instance.bindings.memory === memory);
  return { count: handles.length, bytes: handles.reduce((sum, handle) => sum + handle.call('byteCount'), 0) };
}
