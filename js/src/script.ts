// The classes as one file for a plain <script>, which has no imports: its public names become properties of the global
// object CuckooFilters. Not an entry of the package.
import { preload as preloadCounter } from './wasm/counter.js';
import { preload as preloadExpiring } from './wasm/expiring.js';
import { preload as preloadLayers } from './wasm/layers.js';
import { preload as preloadValues } from './wasm/values.js';

export * from './index.js';
export * from './reader.js';
export { CuckooCounter } from './api/counter.js';
export { ExpiringFilter } from './api/expiring.js';
export { ScalableCuckooFilter } from './api/scalable.js';
export { CuckooValues, FoundValues } from './api/values.js';

/** Compiles and starts the WebAssembly of every class here, because a script cannot import the `preload` of one. */
export async function preload(): Promise<void> {
  // Not at the same time: each starts the core, if it is not started yet.
  for (const start of [preloadLayers, preloadExpiring, preloadValues, preloadCounter]) await start();
}
