// The parts of CuckooValues, CuckooCounter and ExpiringFilter in the WebAssembly module: one file, from which each
// class starts its own part.
// Invariant: it is compiled when it is first used, not here; a program that uses one class carries nothing of the others.
import inlined from '#valued';
import type { BindingsOf, CounterCalls, ExpiringCalls, ValuedCalls, ValuesCalls } from './bindings.js';
import { CORE } from './core.js';
import { Handle } from './handle.js';
import { Instance } from './instance.js';
import type { ModuleSource } from './module.js';

export const VALUES: Instance<BindingsOf<ValuesCalls>> = /* @__PURE__ */ new Instance(
  inlined,
  'CuckooValues',
  CORE,
  'values',
);
export const COUNTER: Instance<BindingsOf<CounterCalls>> = /* @__PURE__ */ new Instance(
  inlined,
  'CuckooCounter',
  CORE,
  'counter',
);
export const EXPIRING: Instance<BindingsOf<ExpiringCalls>> = /* @__PURE__ */ new Instance(
  inlined,
  'ExpiringFilter',
  CORE,
  'expiring',
);

// Calls made once per key, like the methods of Handle, but kept out of it for programs without these classes.
export function insertValue<Calls extends ValuedCalls>(
  handle: Handle<Calls>,
  length: number,
  number: number,
  value: number,
): number {
  return handle.calls.insert(Handle.addressOf(handle), length, number, value);
}
/** With `any`, erases the smallest value that there is. */
export function eraseValue<Calls extends ValuedCalls>(
  handle: Handle<Calls>,
  length: number,
  number: number,
  value: number,
  any: boolean,
): boolean {
  return handle.calls.erase(Handle.addressOf(handle), length, number, value, any) !== 0;
}
export function find(handle: Handle<ValuesCalls>, length: number, number: number): number {
  return handle.calls.find(Handle.addressOf(handle), length, number);
}
/** Inserts the key if it is absent, and marks it as seen now. */
export function see(handle: Handle<ExpiringCalls>, length: number, number: number): number {
  return handle.calls.insertIfAbsent(Handle.addressOf(handle), length, number);
}

/**
 * Starts WebAssembly asynchronously; otherwise the first CuckooValues starts it. Needed on a page's main thread in
 * Chrome before 115.
 */
export function preloadValues(): Promise<void> {
  return VALUES.preload();
}

/**
 * Uses your own copy of the module `cuckoofilter-wasm/valued.wasm`, given as a `WebAssembly.Module`, as bytes or as a
 * Response. Call it before the first CuckooValues. A `WebAssembly.Module` is used at once; for anything else, await the
 * promise. Throws TypeError, or rejects with it, if this is not that file of this version of the package.
 */
export function initValues(module: ModuleSource): void | Promise<void> {
  return VALUES.init(module);
}

/**
 * Starts WebAssembly asynchronously; otherwise the first CuckooCounter starts it. Needed on a page's main thread in
 * Chrome before 115.
 */
export function preloadCounter(): Promise<void> {
  return COUNTER.preload();
}

/**
 * Uses your own copy of the module `cuckoofilter-wasm/valued.wasm`, given as a `WebAssembly.Module`, as bytes or as a
 * Response. Call it before the first CuckooCounter. A `WebAssembly.Module` is used at once; for anything else, await
 * the promise. Throws TypeError, or rejects with it, if this is not that file of this version of the package.
 */
export function initCounter(module: ModuleSource): void | Promise<void> {
  return COUNTER.init(module);
}

/**
 * Starts WebAssembly asynchronously; otherwise the first ExpiringFilter starts it. Needed on a page's main thread in
 * Chrome before 115.
 */
export function preloadExpiring(): Promise<void> {
  return EXPIRING.preload();
}

/**
 * Uses your own copy of the module `cuckoofilter-wasm/valued.wasm`, given as a `WebAssembly.Module`, as bytes or as a
 * Response. Call it before the first ExpiringFilter. A `WebAssembly.Module` is used at once; for anything else, await
 * the promise. Throws TypeError, or rejects with it, if this is not that file of this version of the package.
 */
export function initExpiring(module: ModuleSource): void | Promise<void> {
  return EXPIRING.init(module);
}
