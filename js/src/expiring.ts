// cuckoofilter-wasm/expiring: its public names, and nothing else.
export { ExpiringFilter } from './api/expiring.js';
export type { ExpiringFilterOptions, ExpiringLoadOptions } from './api/expiring-parts.js';
export {
  DisposedError,
  FilterFullError,
  FormatError,
  type FormatErrorCode,
  type FullReason,
} from './errors.js';
export type { CuckooFilterStats, GrowEvent } from './observe/stats.js';
export type { Addressing, HashAlgorithm, HashOption } from './options.js';
export type { Bytes } from './wasm/bytes.js';
export { init, preload } from './wasm/expiring.js';
export type { Key } from './wasm/key.js';
export type { Keys } from './wasm/keys.js';
export { PackedKeys } from './wasm/packed.js';
export type { ModuleSource } from './wasm/instance.js';
