// cuckoofilter-wasm/scalable: its public names, and nothing else.
export * from './every-entry.js';
export {
  ScalableCuckooFilter,
  type LayerGrowEvent,
  type LayerStats,
  type ScalableCuckooFilterOptions,
  type ScalableCuckooFilterPlan,
  type ScalableCuckooFilterStats,
} from './filters/scalable-filter.js';
export type { TableFilter } from './filters/table-filter.js';
export { init, preload } from './engine/parts/scalable.js';
