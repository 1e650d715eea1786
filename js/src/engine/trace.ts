// The WebAssembly module of the traced CuckooFilter.
// Invariant: it is compiled when it is first used, not here.
import inlined from '#trace';
import type { BindingsOf, FilterCalls, TraceCalls } from './bindings.js';
import { Instance } from './instance.js';
import type { ModuleSource } from './module.js';

interface TraceBindings extends BindingsOf<FilterCalls> {
  readonly trace: TraceCalls;
}

export const TRACE = new Instance<TraceBindings>(inlined, 'CuckooFilter');

/**
 * Starts WebAssembly asynchronously; otherwise the first traced filter starts it. Needed on a page's main thread in
 * Chrome before 115.
 */
export function preload(): Promise<void> {
  return TRACE.preload();
}

/**
 * Uses your own copy of the module `cuckoofilter-wasm/trace.wasm`, given as a `WebAssembly.Module`, as bytes or as a
 * Response. Call it before the first traced filter. A `WebAssembly.Module` is used at once; for anything else, await
 * the promise. Throws TypeError, or rejects with it, if this is not that file of this version of the package.
 */
export function init(module: ModuleSource): void | Promise<void> {
  return TRACE.init(module);
}
