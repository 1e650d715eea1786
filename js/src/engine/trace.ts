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

/** Starts WebAssembly asynchronously, which otherwise the first traced filter does. Needed on a page's main thread in Chrome before 115. */
export function preload(): Promise<void> {
  return TRACE.preload();
}

/**
 * Uses a module of yours in place of the package's own: `cuckoofilter-wasm/trace.wasm`, compiled, as bytes, or as a
 * Response. Call it before the first traced filter. A `WebAssembly.Module` is used at once; anything else gives a
 * promise. Throws TypeError, or rejects with it, for what is not that file of this version of the package.
 */
export function init(module: ModuleSource): void | Promise<void> {
  return TRACE.init(module);
}
