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
 * Uses the module that you have: `cuckoofilter-wasm/core.wasm`, compiled, as bytes, or as a Response. Call it before
 * the first filter is made; after that, it has no effect, and does not even look into the bytes. Optional: the package carries
 * the same module. With anything but a `WebAssembly.Module` it returns a promise, and has started WebAssembly when that is
 * fulfilled. The promise rejects with what `WebAssembly.compile` throws, or with TypeError if `module` is neither bytes nor
 * a Response.
 */
export function init(module: ModuleSource): void | Promise<void> {
  return CORE.init(module);
}
