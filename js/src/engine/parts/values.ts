// The part of CuckooValues in the WebAssembly module.
// Invariant: it is compiled when it is first used, not here.
import inlined from '#values';
import type { BindingsOf, ValuesCalls } from '../bindings.js';
import { CORE } from '../core.js';
import { Handle } from '../handle.js';
import { Instance } from '../instance.js';
import type { ModuleSource } from '../module.js';

export const VALUES = new Instance<BindingsOf<ValuesCalls>>(inlined, 'CuckooValues', CORE, 'values');

/** Finds the values of a key, like the methods of Handle, but kept out of it for programs without this class. */
export function find(handle: Handle<ValuesCalls>, length: number, number: number): number {
  return handle.calls.find(Handle.addressOf(handle), length, number);
}

/**
 * Starts WebAssembly asynchronously; otherwise the first CuckooValues starts it. Needed on a page's main thread in
 * Chrome before 115.
 */
export function preload(): Promise<void> {
  return VALUES.preload();
}

/**
 * Uses your own copy of the module `cuckoofilter-wasm/values.wasm`, given as a `WebAssembly.Module`, as bytes or as a
 * Response. Call it before the first CuckooValues. A `WebAssembly.Module` is used at once; for anything else, await
 * the promise. Throws TypeError, or rejects with it, if this is not that file of this version of the package.
 */
export function init(module: ModuleSource): void | Promise<void> {
  return VALUES.init(module);
}
