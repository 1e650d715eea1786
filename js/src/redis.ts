// cuckoofilter-wasm/redis: its public names, and nothing else.
export { RedisCuckooFilter } from './redis/filter.js';
export type { BatchOptions } from './redis/batch.js';
export type { RedisFilterInfo, ShardHealth, ShardStats } from './redis/info.js';
export type { RedisFilterOptions } from './redis/options.js';
export { RedisBatchError, RedisFullError, type KeyOutcome } from './redis/errors.js';
export type { RedisReplica, ReplicaOptions } from './redis/replica.js';
export { savedShard } from './redis/shard/saved.js';
export { fromIoRedis, fromNodeRedis, type IoRedisClient, type NodeRedisClient } from './redis/adapters.js';
export { measured, type SendStats } from './redis/measured.js';
export { installRedisProgram, redisProgram, type Send } from './redis/program/program.js';
export { RedisBloomFilter, type RedisBloomInfo, type RedisBloomOptions } from './redis/bloom/bloom.js';
export type { DumpChunk } from './redis/bloom/bloom-dump.js';
export {
  DisposedError,
  FilterFullError,
  FormatError,
  InvalidKeyError,
  OutOfMemoryError,
  type FormatErrorCode,
  type FullReason,
} from './errors.js';
export type { Key } from './keys/key.js';
export type { Keys } from './keys/keys.js';
