// cuckoofilter-wasm/redis: its public names, and nothing else.
export { RedisCuckooFilter } from './filter.js';
export type { BatchOptions, ChangeOptions } from './batch.js';
export type { RedisFilterInfo, ShardHealth, ShardStats } from './info.js';
export type { RedisFilterOptions, RedisProblem } from './options.js';
export {
  RedisBatchError,
  RedisFullError,
  RedisGrowthError,
  RedisRollbackError,
  RedisTimeoutError,
  type KeyOutcome,
} from './errors.js';
export type { RedisReplica, ReplicaOptions } from './replica.js';
export { fromIoRedis, fromNodeRedis, type IoRedisClient, type NodeRedisClient } from './adapters.js';
export type { ClientSend, Send, SendOptions } from './server/line.js';
export {
  DisposedError,
  FilterFullError,
  FormatError,
  InvalidKeyError,
  OutOfMemoryError,
  type FormatErrorCode,
  type FullReason,
} from '../src/errors.js';
export type { Bytes } from '../src/engine/bytes.js';
export type { AsyncOptions } from '../src/keys/signals.js';
export type { HashOption } from '../src/options/options.js';
export type { Key, KeyOf } from '../src/keys/key.js';
export type { Keys } from '../src/keys/keys.js';
