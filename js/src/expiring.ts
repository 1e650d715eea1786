// cuckoofilter-wasm/expiring: its public names, and nothing else.
export { ExpiringFilter, type ExpiringFilterOptions } from './api/expiring.js';
export { DisposedError, FilterFullError, type FullReason } from './errors.js';
export type { Addressing, HashAlgorithm, HashOption } from './options.js';
export { init, preload } from './wasm/expiring.js';
export type { Key } from './wasm/key.js';
export type { Keys } from './wasm/keys.js';
export { PackedKeys } from './wasm/packed.js';
export type { ModuleSource } from './wasm/instance.js';
