// An existing filter on its way to the object that will own it.
// Invariant: it reaches one owner, or is freed; no constructor of a subclass can lose it.
import type { SavedCalls } from '../wasm/bindings.js';
import { own, type Handle } from '../wasm/owned.js';

/** What `clone`, `from` and `deserialize` pass to a constructor in place of options. */
export class Handover {
  #owner: object | null = null;

  /** `prepare` is called with the owner once it can be used. */
  constructor(
    readonly handle: Handle<SavedCalls>,
    readonly prepare?: (owner: never) => void,
  ) {}

  /** The object that took the filter, if one did. */
  get owner(): object | null {
    return this.#owner;
  }
  /** Makes `owner` own the filter. Throws TypeError the second time. */
  take(owner: object): Handle<SavedCalls> {
    if (this.#owner !== null) throw new TypeError('a filter can be passed on to super(...) only once');
    this.#owner = owner;
    own(owner, this.handle);
    return this.handle;
  }
}

/**
 * `new Class(argument)`, for a class whose constructor must pass the argument on to `super`; `isTaken` tells whether it
 * did, or, without an object, whether it did before it threw. If it did not, or threw an error, `release` frees the filter, and
 * a TypeError says what to do; an error that it threw after that is thrown on.
 */
export function construct<Made>(
  Class: unknown,
  argument: unknown,
  isTaken: (made?: Made) => boolean,
  release: (made?: Made) => void,
): Made {
  let made: Made | undefined;
  let cause: unknown;
  try {
    made = new (Class as new (argument: unknown) => Made)(argument);
    if (isTaken(made)) return made;
  } catch (error) {
    cause = error;
  }
  release(made);
  if (typeof Class !== 'function')
    throw new TypeError('a static method was called without its class: call it as CuckooFilter.from(keys)');
  if (cause !== undefined && isTaken()) throw cause;
  const why = cause === undefined ? '' : `; it threw ${String(cause)}`;
  const message = `the constructor of ${Class.name} must pass what clone, from and deserialize give it on to super(...) unchanged${why}`;
  throw new TypeError(message, { cause });
}
