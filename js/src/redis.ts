// cuckoofilter-wasm/redis: its public names, and nothing else.
export { RedisBloomFilter, type RedisBloomInfo, type RedisBloomOptions } from './redis/bloom.js';
export type { DumpChunk } from './redis/bloom-dump.js';
export { FilterFullError, FormatError, type FormatErrorCode, type FullReason } from './errors.js';
