// One bucket of a semi-sorted table, asked for its order and its code.
// Invariant: both come from the core, which stores four keys with the fingerprints wanted; the page sorts and codes nothing.
import { CuckooFilter } from 'cuckoofilter-wasm/trace';
import { first, ofKind } from '../model/scenes/read';
import { multisets } from '../model/statistics';

export const PLACES = 4;
/** Of each fingerprint: the upper bits lie in the slot, the lower four in the code. */
export const BITS = 8;
export const NIBBLE_BITS = 4;
const MOST_KEYS = 20_000;

/** The upper bits of the four fingerprints, by which they are told apart. */
const UPPER = [0x5, 0xb, 0x2, 0xe] as const;

export interface Sorted {
  /** As they came. */
  readonly fingerprints: readonly number[];
  /** Which of them lies in each slot. */
  readonly order: readonly number[];
  /** Of the four lower parts: the rank of that sorted quadruple. */
  readonly code: number;
}

/** Bits that tell which sorted quadruple the lower parts of a bucket are, each part so many bits long. */
export function codeBits(partBits: number): number {
  return Math.ceil(Math.log2(multisets(2 ** partBits, PLACES)));
}

let keys: ReadonlyMap<number, string> | null = null;

/** What becomes of four fingerprints with these lower parts, each from 0 to 15. */
export function semiSorted(nibbles: readonly number[]): Sorted {
  const fingerprints = nibbles.map((nibble, i) => ((UPPER[i] ?? 0) << NIBBLE_BITS) | nibble);
  const filter = bucket();
  try {
    keys ??= keysOf(filter);
    const codes = fingerprints.map((fingerprint) => {
      filter.add(keys?.get(fingerprint) ?? '');
      return ofKind(filter.takeEvents().events, 'encode').at(-1)?.codeAfter ?? 0;
    });
    const order = Array.from(filter.slots(), (fingerprint) => fingerprints.indexOf(fingerprint));
    return { fingerprints, order, code: codes.at(-1) ?? 0 };
  } finally {
    filter.dispose();
  }
}

function bucket(): CuckooFilter {
  const sizes = { bucketCount: 1, bucketSize: PLACES, fingerprintBits: BITS, semiSort: true } as const;
  return new CuckooFilter({ capacity: 1, ...sizes }).trace(2);
}

/** A key for each fingerprint that is not 0. */
function keysOf(filter: CuckooFilter): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (let i = 0; i < MOST_KEYS && found.size < 2 ** BITS - 1; ++i) {
    filter.contains(`key ${i}`);
    const { fingerprint } = first(filter.takeEvents().events, 'locate');
    if (!found.has(fingerprint)) found.set(fingerprint, `key ${i}`);
  }
  return found;
}
