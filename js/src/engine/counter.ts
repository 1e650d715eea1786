// The part of CuckooCounter in the WebAssembly module.
// Invariant: it is compiled when it is first used, not here.
import inlined from '#valued';
import type { BindingsOf, CounterCalls } from './bindings.js';
import { CORE } from './core.js';
import { Instance, type ModuleSource } from './instance.js';

export const COUNTER = new Instance<BindingsOf<CounterCalls>>(inlined, 'CuckooCounter', CORE, 'counter');

/**
 * Starts WebAssembly asynchronously. Optional in most places: otherwise the first CuckooCounter starts it, which takes
 * a few milliseconds. Chrome before 115 needs it on a page's main thread.
 */
export function preload(): Promise<void> {
  return COUNTER.preload();
}

/**
 * Uses the module that you have: `cuckoofilter-wasm/valued.wasm`, compiled, as bytes, or as a Response. Call it
 * before the first CuckooCounter is made; after that, it has no effect. Optional: the package carries the same module.
 * With anything but a `WebAssembly.Module` it returns a promise, and has started WebAssembly when that is fulfilled.
 * The promise rejects with what `WebAssembly.compile` throws.
 */
export function init(module: ModuleSource): void | Promise<void> {
  return COUNTER.init(module);
}
