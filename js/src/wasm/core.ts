// The WebAssembly module of CuckooFilter and ExpiringFilter.
// Invariant: it is compiled when it is first used, not here.
import binary from '#core';
import type { Bindings, ExpiringCalls } from './bindings.js';
import { Instance } from './instance.js';

interface CoreBindings extends Bindings {
  readonly expiring: ExpiringCalls;
}

export const CORE = new Instance<CoreBindings>(binary, 'CuckooFilter');

/**
 * Compiles the WebAssembly module off the main path, so that the first filter is made faster. Optional: every
 * constructor compiles it itself where this was not called, within a few milliseconds.
 */
export function preload(): Promise<void> {
  return CORE.preload();
}
