// The part of ScalableCuckooFilter in the WebAssembly module.
// Invariant: it is compiled when it is first used, not here.
import inlined from '#scalable';
import type { BindingsOf, FilterCalls, LayerCalls, Layout } from './bindings.js';
import { CORE } from './core.js';
import { Instance } from './instance.js';
import type { ModuleSource } from './module.js';

interface ScalableBindings extends BindingsOf<FilterCalls> {
  readonly layers: LayerCalls;
  readonly layer: Layout<'size' | 'loadFactor' | 'falsePositiveRate'>;
}

export const SCALABLE = new Instance<ScalableBindings>(inlined, 'ScalableCuckooFilter', CORE, 'scalable');

/** Starts WebAssembly asynchronously, which otherwise the first ScalableCuckooFilter does. Needed on a page's main thread in Chrome before 115. */
export function preload(): Promise<void> {
  return SCALABLE.preload();
}

/**
 * Uses a module of yours in place of the package's own: `cuckoofilter-wasm/scalable.wasm`, compiled, as bytes, or as a
 * Response. Call it before the first ScalableCuckooFilter. A `WebAssembly.Module` is used at once, anything else when the
 * promise resolves. It rejects with what `WebAssembly.compile` throws, or with TypeError.
 */
export function init(module: ModuleSource): Promise<void> {
  return SCALABLE.init(module);
}
