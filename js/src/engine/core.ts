// The WebAssembly module of CuckooFilter, to which the parts of other classes are added.
// Invariant: it is compiled when it is first used, not here.
import inlined from '#core';
import { Instance } from './instance.js';
import type { ModuleSource } from './module.js';

export const CORE = new Instance(inlined, 'CuckooFilter');

/** Starts WebAssembly asynchronously, which otherwise the first filter does. Needed on a page's main thread in Chrome before 115. */
export function preload(): Promise<void> {
  return CORE.preload();
}

/**
 * Uses a module of yours in place of the package's own: `cuckoofilter-wasm/core.wasm`, compiled, as bytes, or as a
 * Response. Call it before the first filter. A `WebAssembly.Module` is used at once; anything else gives a
 * promise. Throws TypeError, or rejects with it, for what is not that file of this version of the package.
 */
export function init(module: ModuleSource): void | Promise<void> {
  return CORE.init(module);
}
