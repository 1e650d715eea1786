// Keeps filters in Cache Storage, beside the responses that a service worker keeps: bytes by URL.
// For a Deduper, `loadFrom(url, Deduper)`. Pages need https, or localhost.
import { CuckooFilter } from 'cuckoofilter-wasm';

const CACHE = 'cuckoofilter-wasm';

/** Saves `filter` under `url`, which need not exist, in place of what was saved there before. */
export async function saveTo(url, filter) {
  const headers = { 'content-type': 'application/octet-stream' };
  const cache = await caches.open(CACHE);
  await cache.put(url, new Response(filter.serialize(), { headers }));
}

/** The filter that was saved under `url`, or undefined. */
export async function loadFrom(url, Filter = CuckooFilter) {
  const cache = await caches.open(CACHE);
  const response = await cache.match(url);
  return response && Filter.deserialize(await response.arrayBuffer());
}
