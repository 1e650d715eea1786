// cuckoofilter-wasm/expiring: its public names, and nothing else.
export * from './common.js';
export { ExpiringFilter } from './filters/expiring/expiring-filter.js';
export type { ExpiringFilterOptions, ExpiringLoadOptions } from './filters/expiring/expiring-parts.js';
export { initExpiring as init, preloadExpiring as preload } from './engine/valued.js';
