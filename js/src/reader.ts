// cuckoofilter-wasm/reader: its public names, and nothing else.
export { FilterReader } from './reader/reader.js';
export { REMOTE_HEADER_BYTES } from './reader/open.js';
export { RemoteFilter } from './reader/remote.js';
export {
  fetchRanges,
  FetchRangesError,
  type FetchRangesErrorCode,
  type FetchRangesOptions,
  type RangeRequest,
  type RangeResponse,
  type RemoteFile,
} from './reader/ranges.js';
export type { Bytes } from './engine/bytes.js';
export type { ByteRange } from './reader/table.js';
export { FormatError, InvalidKeyError, type FormatErrorCode } from './basic-errors.js';
export type { Addressing, HashAlgorithm, HashOption, LoadOptions } from './options/options.js';
export type { Key, KeyOf } from './keys/key.js';
export type { Keys } from './keys/keys.js';
export type { AsyncOptions } from './keys/signals.js';
