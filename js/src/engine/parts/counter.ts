// The part of CuckooCounter in the WebAssembly module.
// Invariant: it is compiled when it is first used, not here.
import inlined from '#counter';
import type { BindingsOf, CounterCalls } from '../bindings.js';
import { CORE } from '../core.js';
import { Instance } from '../instance.js';
import type { ModuleSource } from '../module.js';

export const COUNTER = new Instance<BindingsOf<CounterCalls>>(inlined, 'CuckooCounter', CORE, 'counter');

/**
 * Starts WebAssembly asynchronously; otherwise the first CuckooCounter starts it. Needed on a page's main thread in
 * Chrome before 115.
 */
export function preload(): Promise<void> {
  return COUNTER.preload();
}

/**
 * Uses your own copy of the module `cuckoofilter-wasm/counter.wasm`, given as a `WebAssembly.Module`, as bytes or as a
 * Response. Call it before the first CuckooCounter. A `WebAssembly.Module` is used at once; for anything else, await
 * the promise. Throws TypeError, or rejects with it, if this is not that file of this version of the package.
 */
export function init(module: ModuleSource): void | Promise<void> {
  return COUNTER.init(module);
}
