// The part of ExpiringFilter in the WebAssembly module.
// Invariant: it is compiled when it is first used, not here.
import binary from '#expiring';
import type { BindingsOf, ExpiringCalls } from './bindings.js';
import { CORE } from './core.js';
import { Instance } from './instance.js';

export const EXPIRING = new Instance<BindingsOf<ExpiringCalls>>(binary, 'ExpiringFilter', CORE, 'expiring');

/**
 * Compiles the WebAssembly module off the main path, so that the first ExpiringFilter is made faster. Optional: the
 * constructor compiles it itself where this was not called, within a few milliseconds.
 */
export function preload(): Promise<void> {
  return EXPIRING.preload();
}
