// cuckoofilter-wasm/scalable: its public names, and nothing else.
export {
  ScalableCuckooFilter,
  type LayerGrowEvent,
  type LayerStats,
  type ScalableCuckooFilterOptions,
  type ScalableCuckooFilterStats,
} from './api/scalable.js';
export type { BaseFilter } from './api/base.js';
export type { AsyncKeys } from './api/chunks.js';
export { AuditError } from './observe/audit.js';
export { DisposedError, FilterFullError, FormatError } from './errors.js';
export type { FormatErrorCode, FullReason } from './errors.js';
export type { HashAlgorithm, HashOption } from './options.js';
export type { Bytes } from './wasm/bytes.js';
export type { Key } from './wasm/key.js';
export type { Keys } from './wasm/keys.js';
export { init, preload } from './wasm/layers.js';
export { PackedKeys } from './wasm/packed.js';
export type { LoadLimits } from './wasm/saved.js';
export type { ModuleSource } from './wasm/instance.js';
