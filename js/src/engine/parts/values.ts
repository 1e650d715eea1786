// The part of CuckooValues in the WebAssembly module.
import inlined from '#values';
import type { BindingsOf, ValuesCalls } from '../bindings.js';
import { CORE } from '../core.js';
import { Handle } from '../handle.js';
import { Instance } from '../instance.js';
import type { Init, ModuleSource } from '../module.js';

export const VALUES = new Instance<BindingsOf<ValuesCalls>>(inlined, 'CuckooValues', CORE, 'values');

/** Finds the values of a key, like the methods of Handle, but kept out of it for programs without this class. */
export function find(handle: Handle<ValuesCalls>, length: number, number: number): number {
  return handle.calls.find(Handle.addressOf(handle), length, number);
}

/** The same as `preload` of cuckoofilter-wasm, for CuckooValues. */
export const preload = (): Promise<void> => VALUES.preload();

/** The same as `init` of cuckoofilter-wasm, for CuckooValues, with a copy of `cuckoofilter-wasm/values.wasm`. */
export const init = ((module: ModuleSource) => VALUES.init(module)) as Init;
