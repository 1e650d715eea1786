// The part of CuckooCounter in the WebAssembly module.
import inlined from '#counter';
import type { BindingsOf, CounterCalls } from '../bindings.js';
import { CORE } from '../core.js';
import { Instance } from '../instance.js';
import type { Init, ModuleSource } from '../module.js';

export const COUNTER = new Instance<BindingsOf<CounterCalls>>(inlined, 'CuckooCounter', CORE, 'counter');

/** The same as `preload` of cuckoofilter-wasm, for CuckooCounter. */
export const preload = (): Promise<void> => COUNTER.preload();

/** The same as `init` of cuckoofilter-wasm, for CuckooCounter, with a copy of `cuckoofilter-wasm/counter.wasm`. */
export const init = ((module: ModuleSource) => COUNTER.init(module)) as Init;
