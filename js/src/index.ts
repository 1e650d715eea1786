// The public names of cuckoofilter-wasm, and nothing else.
export * from './every-entry.js';
export { CuckooFilter } from './filters/cuckoo-filter.js';
export type { TableFilter } from './filters/table-filter.js';
export { Deduper, type DeduperOptions, type DeduperPlan } from './filters/dedupe/deduper.js';
export {
  dedupe,
  dedupeStream,
  type Asked,
  type DedupeOptions,
  type DeduperLike,
  type Judge,
  type KeyFunction,
} from './filters/dedupe/dedupe.js';
export { explainPlan, type PlanAlternative, type PlanExplanation } from './abilities/explain.js';
export { digestKeys } from './abilities/digests.js';
export type { Digest } from './abilities/digests.js';
export { hashKey, hashKeys } from './abilities/hashed.js';
export type { HashedKeys, HashKeysOptions } from './abilities/hashed.js';
export { init, preload } from './engine/core.js';
export type { CuckooFilterPlan } from './options/options.js';
