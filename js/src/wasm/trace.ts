// The WebAssembly module of the traced CuckooFilter.
// Invariant: it is compiled when it is first used, not here.
import binary from '#trace';
import type { BindingsOf, FilterCalls, TraceCalls } from './bindings.js';
import { Instance } from './instance.js';

interface TraceBindings extends BindingsOf<FilterCalls> {
  readonly trace: TraceCalls;
}

export const TRACE = new Instance<TraceBindings>(binary, 'CuckooFilter');

/**
 * Compiles the WebAssembly module off the main path, so that the first traced filter is ready sooner. Optional: without
 * it, the first constructor call compiles the module, which takes a few milliseconds.
 */
export function preload(): Promise<void> {
  return TRACE.preload();
}
