// cuckoofilter-wasm/values: its public names, and nothing else.
export * from './every-entry.js';
export {
  CuckooValues,
  FoundValues,
  type CuckooValuesFromOptions,
  type CuckooValuesOptions,
  type KeyValuePair,
} from './filters/cuckoo-values.js';
export type { NumberPerKey, ValuedFilter } from './filters/valued-filter.js';
export { init, preload } from './engine/parts/values.js';
