// The WebAssembly module of the traced CuckooFilter.
import inlined from '#trace';
import type { BindingsOf, FilterCalls, TraceCalls } from './bindings.js';
import { Instance } from './instance.js';
import type { Init, ModuleSource } from './module.js';

interface TraceBindings extends BindingsOf<FilterCalls> {
  readonly trace: TraceCalls;
}

export const TRACE = new Instance<TraceBindings>(inlined, 'CuckooFilter');

/** The same as `preload` of cuckoofilter-wasm, for the traced CuckooFilter. */
export const preload = (): Promise<void> => TRACE.preload();

/** The same as `init` of cuckoofilter-wasm, for the traced CuckooFilter, with a copy of `cuckoofilter-wasm/trace.wasm`. */
export const init = ((module: ModuleSource) => TRACE.init(module)) as Init;
