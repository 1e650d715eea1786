// The part of ExpiringFilter in the WebAssembly module.
// Invariant: it is compiled when it is first used, not here.
import inlined from '#expiring';
import type { BindingsOf, ExpiringCalls } from '../bindings.js';
import { CORE } from '../core.js';
import { Handle } from '../handle.js';
import { Instance } from '../instance.js';
import type { ModuleSource } from '../module.js';

export const EXPIRING = new Instance<BindingsOf<ExpiringCalls>>(inlined, 'ExpiringFilter', CORE, 'expiring');

/**
 * Inserts the key if it is absent, and marks it as seen now: like the methods of Handle, but kept out of it for programs
 * without this class.
 */
export function see(handle: Handle<ExpiringCalls>, length: number, number: number): number {
  return handle.calls.insertIfAbsent(Handle.addressOf(handle), length, number);
}

/**
 * Starts WebAssembly asynchronously; otherwise the first ExpiringFilter starts it. Needed on a page's main thread in
 * Chrome before 115.
 */
export function preload(): Promise<void> {
  return EXPIRING.preload();
}

/**
 * Uses your own copy of the module `cuckoofilter-wasm/expiring.wasm`, given as a `WebAssembly.Module`, as bytes or as a
 * Response. Call it before the first ExpiringFilter. A `WebAssembly.Module` is used at once; for anything else, await
 * the promise. Throws TypeError, or rejects with it, if this is not that file of this version of the package.
 */
export function init(module: ModuleSource): void | Promise<void> {
  return EXPIRING.init(module);
}
