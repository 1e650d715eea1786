// The WebAssembly module of CuckooFilter, to which the parts of other classes are added.
// Invariant: it is compiled when it is first used, not here.
import inlined from '#core';
import { Instance, type ModuleSource } from './instance.js';

export const CORE = new Instance(inlined, 'CuckooFilter');

/**
 * Starts WebAssembly asynchronously. Optional in most places: otherwise the first filter starts it, which takes a few
 * milliseconds. Chrome before 115 needs it on a page's main thread.
 */
export function preload(): Promise<void> {
  return CORE.preload();
}

/**
 * Uses a module of yours: `cuckoofilter-wasm/core.wasm`, compiled, as bytes, or as a Response. Optional. Call it
 * before the first filter is made; later it has no effect. A `WebAssembly.Module` is used at once; anything else
 * gives a promise, which rejects with what `WebAssembly.compile` throws, or with TypeError.
 */
export function init(module: ModuleSource): void | Promise<void> {
  return CORE.init(module);
}
