// cuckoofilter-wasm/trace: its public names, and nothing else. The traced CuckooFilter takes the place of the plain one.
export * from './index.js';
export { CuckooFilter, type TraceCallback, type TraceLevel, type TraceOptions } from './abilities/traced.js';
export type { SlotChange, TraceEvent, TraceOperation } from './abilities/events.js';
export { init, preload } from './engine/trace.js';
