// Keeps filters in IndexedDB, by name.
// For a Deduper, `loadFrom(name, Deduper)`; an ExpiringFilter also needs its options, as third argument.
import { CuckooFilter } from 'cuckoofilter-wasm';

const STORE = 'filters';

/** Saves `filter` under `name`, in place of what was saved there before. */
export async function saveTo(name, filter) {
  await withStore('readwrite', (store) => store.put(filter.serialize(), name));
}

/** The filter that was saved under `name`, or undefined. */
export async function loadFrom(name, Filter = CuckooFilter, options = {}) {
  const bytes = await withStore('readonly', (store) => store.get(name));
  return bytes && Filter.deserialize(bytes, options);
}

/** Waits for the whole transaction: only then are the bytes stored. */
async function withStore(mode, request) {
  const opening = indexedDB.open('cuckoofilter-wasm', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  await settled(opening, 'onsuccess');
  const transaction = opening.result.transaction(STORE, mode);
  const requested = request(transaction.objectStore(STORE));
  await settled(transaction, 'oncomplete');
  opening.result.close();
  return requested.result;
}

function settled(target, success) {
  return new Promise((resolve, reject) => {
    target[success] = resolve;
    target.onerror = target.onabort = () => reject(target.error);
  });
}
