// cuckoofilter-wasm/redisbloom: its public names, and nothing else.
export { RedisBloomFilter, type RedisBloomInfo, type RedisBloomOptions } from './bloom.js';
export type { DumpChunk } from './dump.js';
export {
  FilterFullError,
  FormatError,
  OutOfMemoryError,
  type FormatErrorCode,
  type FullReason,
} from '../src/errors.js';
