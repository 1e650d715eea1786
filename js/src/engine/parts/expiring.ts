// The part of ExpiringFilter in the WebAssembly module.
import inlined from '#expiring';
import type { BindingsOf, ExpiringCalls } from '../bindings.js';
import { CORE } from '../core.js';
import { Instance } from '../instance.js';
import type { Init, ModuleSource } from '../module.js';

export const EXPIRING = new Instance<BindingsOf<ExpiringCalls>>(inlined, 'ExpiringFilter', CORE, 'expiring');

/** The same as `preload` of cuckoofilter-wasm, for ExpiringFilter. */
export const preload = (): Promise<void> => EXPIRING.preload();

/** The same as `init` of cuckoofilter-wasm, for ExpiringFilter, with a copy of `cuckoofilter-wasm/expiring.wasm`. */
export const init = ((module: ModuleSource) => EXPIRING.init(module)) as Init;
