// A saved filter that a visitor brings: what it is made of, what lies in it, and lookups.
// Invariant: the library alone reads the bytes. What it refuses raises its own error, whose message the page shows.
import { FilterReader } from 'cuckoofilter-wasm/reader';
import { CuckooFilter, FormatError } from 'cuckoofilter-wasm/trace';

/** Tables of more slots are not drawn: a screen has no more pixels. */
export const MOST_SLOTS = 1 << 21;
export const MOST_BYTES = 1 << 28;

export const KEY_KINDS = ['text', 'number'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** Opens what a file holds. Throws FormatError as the library does. */
export function openSaved(bytes: Uint8Array) {
  const filter = tableOf(bytes);
  const reader = new FilterReader(bytes);
  const isDrawn = filter !== null && reader.bucketCount * reader.bucketSize <= MOST_SLOTS;
  return {
    /** Tells the sizes of every kind, and of layers. */
    reader,
    /** False for a scalable filter, which may have several. */
    isOneTable: filter !== null,
    /** Whether reserved bits, spent as it grows, stand above each fingerprint. */
    hasReserved: filter !== null && filter.currentCapacity < filter.maxCapacity,
    /** The false positive rate at this load, computed as for every other table of the page. */
    rate: (filter ?? reader).expectedFalsePositiveRate,
    /** All slots, bucket by bucket; null if they are too many, or not of one table. */
    slots: isDrawn ? filter.slots() : null,
    /** How many copies of a key it may hold. Throws TypeError or RangeError for a text that is no key of its kind. */
    count: (text: string, kind: KeyKind) =>
      (filter ?? reader).count(kind === 'number' ? BigInt(text.trim()) : text),
    dispose: () => filter?.dispose(),
  };
}

export type SavedFilter = ReturnType<typeof openSaved>;

/** The filter with one table; null if the bytes are one of several layers, which the reader knows. */
function tableOf(bytes: Uint8Array): CuckooFilter | null {
  try {
    return CuckooFilter.deserialize(bytes);
  } catch (error) {
    if (error instanceof FormatError && error.code === 'not-a-filter' && isRead(bytes)) return null;
    throw error;
  }
}

function isRead(bytes: Uint8Array): boolean {
  try {
    return new FilterReader(bytes).layers > 0;
  } catch {
    return false;
  }
}
