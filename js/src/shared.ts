// cuckoofilter-wasm/shared: its public names, and nothing else.
export * from './every-entry.js';
export {
  SharedCuckooFilter,
  type SharedCuckooFilterOptions,
  type SharedCuckooFilterPlan,
  type SharedFilter,
} from './filters/shared/shared-filter.js';
export type { TableFilter } from './filters/table-filter.js';
export {
  FilterBusyError,
  SharedMemoryError,
  type BusyReason,
  type SharedMemoryCode,
} from './engine/shared/shared-errors.js';
export { init, preload } from './engine/shared/shared-module.js';
