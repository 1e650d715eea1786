// The classes as one file for a plain <script>, which has no imports: its public names become properties of the global
// object CuckooFilters. Not an entry of the package.
import { preload as preloadExpiring } from './wasm/expiring.js';
import { preload as preloadLayers } from './wasm/layers.js';

export * from './index.js';
export * from './reader.js';
export { ExpiringFilter } from './api/expiring.js';
export { ScalableCuckooFilter } from './api/scalable.js';

/** Compiles and starts the WebAssembly of every class here, because a script cannot import the `preload` of one. */
export async function preload(): Promise<void> {
  await preloadLayers();
  await preloadExpiring(); // Not at the same time: both start the core, if it is not started yet.
}
