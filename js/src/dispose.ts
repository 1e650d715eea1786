// Who owns what lies in WebAssembly memory: it is freed once, by `dispose`, by `using`, in engines with and without
// Symbol.dispose, or when its owner is collected. Invariant: an owner keeps the address, which is 0 from `dispose` on.
import { DisposedError } from './errors.js';
import { core, type Address } from './module.js';

const forgotten = new FinalizationRegistry<Address>((address) => core().destroy(address));

/** Frees `address` when `owner` is collected, unless it was freed before. */
export function own(owner: object, address: Address): void {
  forgotten.register(owner, address, owner);
}

/** Frees what `owner` has at `address`, if it has; 0. */
export function free(owner: object, address: Address): Address {
  if (address !== 0) {
    forgotten.unregister(owner);
    core().destroy(address);
  }
  return 0;
}

/** The address. Throws DisposedError if it was freed. */
export function inUse(address: Address): Address {
  if (address === 0) throw new DisposedError('the filter must not be used after dispose()');
  return address;
}

/** Makes `dispose` of `target`, an object or a prototype, what `using` calls. */
export function makeDisposable(target: { dispose(): void }): void {
  // Where the engine has no Symbol.dispose, `using` is not there to look for it either, but polyfills do by this name.
  Object.defineProperty(target, Symbol.dispose ?? Symbol.for('Symbol.dispose'), {
    value: target.dispose,
    configurable: true,
    writable: true,
  });
}
