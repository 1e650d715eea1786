// The part of ScalableCuckooFilter in the WebAssembly module.
// Invariant: it is compiled when it is first used, not here.
import inlined from '#scalable';
import type { BindingsOf, FilterCalls, LayerCalls, Layout } from '../bindings.js';
import { CORE } from '../core.js';
import { Instance } from '../instance.js';
import type { ModuleSource } from '../module.js';

interface ScalableBindings extends BindingsOf<FilterCalls> {
  readonly layers: LayerCalls;
  readonly layer: Layout<'size' | 'loadFactor' | 'falsePositiveRate'>;
}

export const SCALABLE = new Instance<ScalableBindings>(inlined, 'ScalableCuckooFilter', CORE, 'scalable');

/**
 * Starts WebAssembly asynchronously; otherwise the first ScalableCuckooFilter starts it. Needed on a page's main thread in
 * Chrome before 115.
 */
export function preload(): Promise<void> {
  return SCALABLE.preload();
}

/**
 * Uses your own copy of the module `cuckoofilter-wasm/scalable.wasm`, given as a `WebAssembly.Module`, as bytes or as a
 * Response. Call it before the first ScalableCuckooFilter. A `WebAssembly.Module` is used at once; for anything else,
 * await the promise. Throws TypeError, or rejects with it, if this is not that file of this version of the package.
 */
export function init(module: ModuleSource): void | Promise<void> {
  return SCALABLE.init(module);
}
