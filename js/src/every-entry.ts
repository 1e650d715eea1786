// The names that every entry with a filter gives: errors, packed keys, and types.
export { DisposedError, FilterFullError, FormatError, InvalidKeyError, OutOfMemoryError } from './errors.js';
export { PackedKeys } from './keys/packed.js';
export type { FormatErrorCode, FullReason } from './errors.js';
export type { Bytes, Counts } from './engine/bytes.js';
export type { Init, ModuleSource } from './engine/module.js';
export type { Filter } from './filters/filter.js';
export type { CuckooFilterStats } from './filters/stats.js';
export type { AsyncKeys } from './keys/chunks.js';
export type { AsyncOptions } from './keys/signals.js';
export type { HashedKey } from './keys/hashed-kind.js';
export type { Key, KeyKind, KeyOf } from './keys/key.js';
export type { Keys } from './keys/keys.js';
export type {
  Addressing,
  CuckooFilterOptions,
  FilterPlan,
  FromOptions,
  GrowEvent,
  HashAlgorithm,
  HashOption,
  LoadOptions,
  PlannedSizes,
  Preference,
  Sizes,
} from './options/options.js';
