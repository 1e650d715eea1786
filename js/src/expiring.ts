// cuckoofilter-wasm/expiring: its public names, and nothing else.
export * from './every-entry.js';
export { ExpiringFilter } from './filters/expiring/expiring-filter.js';
export type { ExpiringFilterOptions, ExpiringLoadOptions } from './filters/expiring/expiring-parts.js';
export { init, preload } from './engine/parts/expiring.js';
