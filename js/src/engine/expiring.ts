// The part of ExpiringFilter in the WebAssembly module.
// Invariant: it is compiled when it is first used, not here.
import inlined from '#valued';
import type { BindingsOf, ExpiringCalls } from './bindings.js';
import { CORE } from './core.js';
import { Instance, type ModuleSource } from './instance.js';

export const EXPIRING = new Instance<BindingsOf<ExpiringCalls>>(inlined, 'ExpiringFilter', CORE, 'expiring');

/**
 * Starts WebAssembly asynchronously. Optional in most places: otherwise the first ExpiringFilter starts it, which takes
 * a few milliseconds. Chrome before 115 needs it on a page's main thread.
 */
export function preload(): Promise<void> {
  return EXPIRING.preload();
}

/**
 * Uses the module that you have: `cuckoofilter-wasm/expiring.wasm`, compiled, as bytes, or as a Response. Call it
 * before the first ExpiringFilter is made; after that, it has no effect. Optional: the package carries the same module.
 * With anything but a `WebAssembly.Module` it returns a promise, and has started WebAssembly when that is fulfilled.
 * The promise rejects with what `WebAssembly.compile` throws.
 */
export function init(module: ModuleSource): void | Promise<void> {
  return EXPIRING.init(module);
}
