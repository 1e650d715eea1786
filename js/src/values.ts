// cuckoofilter-wasm/values: its public names, and nothing else.
export { CuckooValues, FoundValues, type CuckooValuesOptions } from './api/values.js';
export type { NumberPerKey, ValuedFilter } from './api/valued.js';
export { DisposedError, FilterFullError, FormatError } from './errors.js';
export type { FormatErrorCode, FullReason } from './errors.js';
export type { CuckooFilterStats, GrowEvent } from './observe/stats.js';
export type { Addressing, HashAlgorithm, HashOption, Sizes } from './options.js';
export type { Bytes } from './wasm/bytes.js';
export type { Key } from './wasm/key.js';
export type { Keys } from './wasm/keys.js';
export { PackedKeys } from './wasm/packed.js';
export type { LoadLimits } from './wasm/saved.js';
export { init, preload } from './wasm/values.js';
export type { ModuleSource } from './wasm/instance.js';
