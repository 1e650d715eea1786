// The core, which a filter on the server needs only to double a shard, and for replicas.
// Invariant: it is imported when it is used, so that a program that does neither loads no WebAssembly.
import type { CuckooFilter } from '../../filters/cuckoo-filter.js';

/** The filter whose saved form these bytes are. */
export async function loadFilter(saved: Uint8Array): Promise<CuckooFilter> {
  const { CuckooFilter: Class } = await import('../../filters/cuckoo-filter.js');
  return Class.deserialize(saved);
}
