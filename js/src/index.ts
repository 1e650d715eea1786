// The public names of cuckoofilter-wasm, and nothing else.
export { CuckooFilter } from './filter.js';
export { Deduper, type DeduperOptions, type DeduperPlan } from './deduper.js';
export { dedupe, dedupeStream, type DedupeOptions } from './dedupe.js';
export { AuditError, type AuditKind } from './audit.js';
export {
  DisposedError,
  FilterFullError,
  FormatError,
  type FormatErrorCode,
  type FullReason,
} from './errors.js';
export { PackedKeys } from './packed.js';
export { preload } from './module.js';
export type { Key, Keys } from './keys.js';
export type { Addressing, CuckooFilterOptions, HashAlgorithm, HashOption } from './options.js';
export type { CuckooFilterStats, GrowEvent } from './stats.js';
export type { CuckooFilterPlan, PlanAlternative } from './plan.js';
