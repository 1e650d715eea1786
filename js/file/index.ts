// cuckoofilter-wasm/file: its public names, and nothing else.
export { load, save, take, type Loadable, type LoadFileOptions, type Loaded, type Saveable } from './file.js';
export { FormatError, OutOfMemoryError, type FormatErrorCode } from '../src/errors.js';
export type { AsyncOptions } from '../src/keys/signals.js';
