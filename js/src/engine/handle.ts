// Who owns what lies in WebAssembly memory: it is freed once, by `dispose`, by `using`, in engines with and without
// Symbol.dispose, or when its owner is collected. Invariant: a handle's address is 0 from `dispose` on.
import { DisposedError } from '../errors.js';
import type { Address, Bindings, BindingsOf, FilterCalls, HashIdentity, ObjectCalls } from './bindings.js';
import type { Instance } from './instance.js';

/** Tells somebody that a filter has grown. */
export interface Growth {
  /** To be called after each call that may have doubled a table. Tells what has changed since the last time. */
  tell(): void;
}

/** An object in the memory of an instance, with the calls of its class. */
export class Handle<Calls extends ObjectCalls = FilterCalls> {
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
    public address: Address,
    readonly capacity = 0,
    readonly maxCapacity?: number | undefined,
  ) {}

  /** The handle, ready for a call. Throws DisposedError. */
  use(): this {
    return inUse(this);
  }
  /** The handle of a copy. */
  copyAt(address: Address): Handle<Calls> {
    return new Handle(this.instance, this.calls, address, this.capacity, this.maxCapacity);
  }
}

/** Of any class. */
type AnyHandle = Handle<ObjectCalls>;

/** What is owned now. */
const owned = new Set<AnyHandle>();

/** Without one, as on some servers at the edge, what is not disposed of stays. */
const forgotten =
  typeof FinalizationRegistry === 'undefined' ? undefined : new FinalizationRegistry<AnyHandle>(destroy);

/** Frees the object that `handle` leads to when `owner` is collected, unless it is freed before that. */
export function own(owner: object, handle: AnyHandle): void {
  owned.add(handle);
  forgotten?.register(owner, handle, handle);
}

/** Frees the object that `handle` leads to. Does nothing if it is freed already. */
export function destroy(handle: AnyHandle): void {
  if (handle.address === 0) return;
  forgotten?.unregister(handle);
  owned.delete(handle);
  handle.calls.destroy(handle.address);
  handle.address = 0;
}

/** How many objects there are in the memory of `instance`, and the bytes of their tables. */
export function held(instance: Instance<Bindings>): { readonly count: number; readonly bytes: number } {
  const { memory } = instance.bindings;
  const handles = [...owned].filter((handle) => handle.instance.bindings.memory === memory);
  const bytes = handles.reduce((sum, { calls, address }) => sum + calls.byteCount(address), 0);
  return { count: handles.length, bytes };
}

/** The handle. Throws DisposedError if what it led to was destroyed. */
export function inUse<Any extends AnyHandle>(handle: Any): Any {
  if (handle.address === 0) throw new DisposedError('the filter cannot be used after dispose()');
  return handle;
}
