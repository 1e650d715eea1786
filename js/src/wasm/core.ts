// The WebAssembly module of CuckooFilter, to which the parts of other classes are added.
// Invariant: it is compiled when it is first used, not here.
import binary from '#core';
import { Instance } from './instance.js';

export const CORE = new Instance(binary, 'CuckooFilter');

/**
 * Compiles the WebAssembly module off the main path, so that the first filter is ready sooner. Optional: without
 * it, the first constructor call compiles the module, which takes a few milliseconds.
 */
export function preload(): Promise<void> {
  return CORE.preload();
}
