// The part of ScalableCuckooFilter in the WebAssembly module.
// Invariant: it is compiled when it is first used, not here.
import inlined from '#scalable';
import type { BindingsOf, FilterCalls, LayerCalls, Layout } from './bindings.js';
import { CORE } from './core.js';
import { Instance, type ModuleSource } from './instance.js';

interface ScalableBindings extends BindingsOf<FilterCalls> {
  readonly layers: LayerCalls;
  readonly layer: Layout<'size' | 'loadFactor' | 'falsePositiveRate'>;
}

export const SCALABLE = new Instance<ScalableBindings>(inlined, 'ScalableCuckooFilter', CORE, 'scalable');

/**
 * Starts WebAssembly asynchronously. Optional in most places: otherwise the first ScalableCuckooFilter starts it, which
 * takes a few milliseconds. Chrome before 115 needs it on a page's main thread.
 */
export function preload(): Promise<void> {
  return SCALABLE.preload();
}

/**
 * Uses the module that you have: `cuckoofilter-wasm/scalable.wasm`, compiled, as bytes, or as a Response. Call it
 * before the first ScalableCuckooFilter is made; after that, it has no effect. Optional: the package carries the same
 * module. With anything but a `WebAssembly.Module` it returns a promise, and has started WebAssembly when that is
 * fulfilled. The promise rejects with what `WebAssembly.compile` throws.
 */
export function init(module: ModuleSource): void | Promise<void> {
  return SCALABLE.init(module);
}
