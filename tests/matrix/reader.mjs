// What the reader answers about a saved filter.
import { FilterReader } from 'cuckoofilter-wasm/reader';

import { SAVED } from './saved.mjs';

export function answers() {
  const reader = new FilterReader(Uint8Array.from(SAVED));
  return [reader.has('alice'), reader.has(5), reader.has('bob')].join(' ');
}
