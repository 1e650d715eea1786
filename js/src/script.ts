// The classes as one file for a plain <script>, which has no imports: its public names become properties of the global
// object CuckooFilters. Not an entry of the package.
// Parts that share code are neighbours: gzip finds a repetition only within 32 kB.
import { COUNTER } from './engine/parts/counter.js';
import { VALUES } from './engine/parts/values.js';
import { EXPIRING } from './engine/parts/expiring.js';
import { SCALABLE } from './engine/parts/scalable.js';

export * from './index.js';
export * from './reader.js';
export { CuckooCounter } from './filters/cuckoo-counter.js';
export { ExpiringFilter } from './filters/expiring/expiring-filter.js';
export { ScalableCuckooFilter } from './filters/scalable-filter.js';
export { CuckooValues, FoundValues } from './filters/cuckoo-values.js';

/** Compiles and starts the WebAssembly of every class here, because a script cannot import the `preload` of one. */
export async function preload(): Promise<void> {
  // Not at the same time: each starts the core, if it is not started yet.
  for (const part of [SCALABLE, EXPIRING, VALUES, COUNTER]) await part.preload();
}
