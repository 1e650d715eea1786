// The WebAssembly module of the traced CuckooFilter.
// Invariant: it is compiled when it is first used, not here.
import inlined from '#trace';
import type { BindingsOf, FilterCalls, TraceCalls } from './bindings.js';
import { Instance, type ModuleSource } from './instance.js';

interface TraceBindings extends BindingsOf<FilterCalls> {
  readonly trace: TraceCalls;
}

export const TRACE = new Instance<TraceBindings>(inlined, 'CuckooFilter');

/**
 * Starts WebAssembly asynchronously. Optional in most places: otherwise the first traced filter starts it, which takes
 * a few milliseconds. Chrome before 115 needs it on a page's main thread.
 */
export function preload(): Promise<void> {
  return TRACE.preload();
}

/**
 * Uses the module that you have: `cuckoofilter-wasm/trace.wasm`, compiled, as bytes, or as a Response. Call it before
 * the first traced filter is made; after that, it has no effect. Optional: the package carries the same module. With
 * anything but a `WebAssembly.Module` it returns a promise, and has started WebAssembly when that is fulfilled. The
 * promise rejects with what `WebAssembly.compile` throws.
 */
export function init(module: ModuleSource): void | Promise<void> {
  return TRACE.init(module);
}
