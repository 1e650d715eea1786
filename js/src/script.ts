// The classes as one file for a plain <script>, which has no imports: its public names become properties of the global
// object CuckooFilters. Not an entry of the package.
import { preload as preloadLayers } from './engine/scalable.js';
import { preloadCounter, preloadExpiring, preloadValues } from './engine/valued.js';

export * from './index.js';
export * from './reader.js';
export { CuckooCounter } from './filters/cuckoo-counter.js';
export { ExpiringFilter } from './filters/expiring/expiring-filter.js';
export { ScalableCuckooFilter } from './filters/scalable-filter.js';
export { CuckooValues, FoundValues } from './filters/cuckoo-values.js';

/** Compiles and starts the WebAssembly of every class here, because a script cannot import the `preload` of one. */
export async function preload(): Promise<void> {
  // Not at the same time: each starts the core, if it is not started yet.
  for (const start of [preloadLayers, preloadExpiring, preloadValues, preloadCounter]) await start();
}
