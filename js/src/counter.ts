// cuckoofilter-wasm/counter: its public names, and nothing else.
export * from './every-entry.js';
export {
  CuckooCounter,
  type CuckooCounterOptions,
  type CuckooCounterStats,
} from './filters/cuckoo-counter.js';
export type { NumberPerKey, ValuedFilter } from './filters/valued-filter.js';
export { init, preload } from './engine/parts/counter.js';
