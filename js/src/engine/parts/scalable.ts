// The part of ScalableCuckooFilter in the WebAssembly module.
import inlined from '#scalable';
import type { BindingsOf, FilterCalls, LayerCalls, Layout } from '../bindings.js';
import { CORE } from '../core.js';
import { Instance } from '../instance.js';
import type { Init, ModuleSource } from '../module.js';

interface ScalableBindings extends BindingsOf<FilterCalls> {
  readonly layers: LayerCalls;
  readonly layer: Layout<'size' | 'loadFactor' | 'falsePositiveRate'>;
}

export const SCALABLE = new Instance<ScalableBindings>(inlined, 'ScalableCuckooFilter', CORE, 'scalable');

/** The same as `preload` of cuckoofilter-wasm, for ScalableCuckooFilter. */
export const preload = (): Promise<void> => SCALABLE.preload();

/** The same as `init` of cuckoofilter-wasm, for ScalableCuckooFilter, with a copy of `cuckoofilter-wasm/scalable.wasm`. */
export const init = ((module: ModuleSource) => SCALABLE.init(module)) as Init;
