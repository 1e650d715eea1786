// The part of ScalableCuckooFilter in the WebAssembly module.
// Invariant: it is compiled when it is first used, not here.
import binary from '#scalable';
import type { BindingsOf, FilterCalls, LayerCalls, Layout } from './bindings.js';
import { CORE } from './core.js';
import { Instance } from './instance.js';

interface ScalableBindings extends BindingsOf<FilterCalls> {
  readonly layers: LayerCalls;
  readonly layer: Layout<'size' | 'loadFactor' | 'falsePositiveRate'>;
}

export const SCALABLE = new Instance<ScalableBindings>(binary, 'ScalableCuckooFilter', CORE, 'scalable');

/**
 * Compiles the WebAssembly module off the main path, so that the first ScalableCuckooFilter is ready sooner. Optional: without
 * it, the first constructor call compiles the module, which takes a few milliseconds.
 */
export function preload(): Promise<void> {
  return SCALABLE.preload();
}
