// The public names of cuckoofilter-wasm, and nothing else.
export { CuckooFilter } from './api/filter.js';
export type { BaseFilter } from './api/base.js';
export type { AsyncKeys } from './api/chunks.js';
export { Deduper, type DeduperOptions, type DeduperPlan } from './api/deduper.js';
export { dedupe, dedupeStream, type DedupeOptions } from './api/dedupe.js';
export { AuditError, type AuditKind } from './observe/audit.js';
export {
  DisposedError,
  FilterFullError,
  FormatError,
  type FormatErrorCode,
  type FullReason,
} from './errors.js';
export { PackedKeys } from './wasm/packed.js';
export { digestKeys, hashKey, hashKeys } from './wasm/hashed.js';
export type { Digest, HashedKeys, HashKeysOptions } from './wasm/hashed.js';
export { init, preload } from './wasm/core.js';
export type { Bytes } from './wasm/bytes.js';
export type { HashedKey, Key } from './wasm/key.js';
export type { Keys } from './wasm/keys.js';
export type { ModuleSource } from './wasm/instance.js';
export type { LoadLimits } from './wasm/saved.js';
export type {
  Addressing,
  CuckooFilterOptions,
  HashAlgorithm,
  HashOption,
  PlannedSizes,
  Preference,
} from './options.js';
export type { CuckooFilterStats, GrowEvent } from './observe/stats.js';
export type { CuckooFilterPlan, PlanAlternative } from './api/plan.js';
