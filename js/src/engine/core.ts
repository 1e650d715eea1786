// The WebAssembly module of CuckooFilter, to which the parts of other classes are added.
import inlined from '#core';
import { Instance } from './instance.js';
import type { Init, ModuleSource } from './module.js';

export const CORE = new Instance(inlined, 'CuckooFilter');

/**
 * Starts WebAssembly asynchronously; otherwise the first filter starts it. Needed on a page's main thread in
 * Chrome before 115.
 */
export function preload(): Promise<void> {
  return CORE.preload();
}

/**
 * Uses your own copy of the module `cuckoofilter-wasm/core.wasm`, given as a `WebAssembly.Module`, as bytes or as a
 * Response. Call it before the first filter. A `WebAssembly.Module` is used at once; for anything else, await the
 * promise. Throws TypeError, or rejects with it, if this is another file, or from another version of the package.
 */
export const init = ((module: ModuleSource) => CORE.init(module)) as Init;
