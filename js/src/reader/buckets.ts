// Reads the slots of a bucket from its bits (docs/inside/format.md, "Layout"). A plain bucket is read as a
// semi-sorted one whose code has no bits, so there is one path for all.
import { bitsAt, mask } from './bits.js';

/** How a table's buckets are written. */
export interface Buckets {
  /** Bits of one bucket. */
  readonly bits: number;
  /** The number of different fingerprints, including 0. */
  readonly fingerprints: number;
  /**
   * Copies of `entry` in the `count` buckets from bit `at` of `bytes` on. If `entry` is 0: slots in use, or NaN if the
   * buckets are not as a filter is saved.
   */
  copies(bytes: ArrayLike<number>, at: number, entry: number, count: number): number;
}

/** How many values a low part has, by the number of spared quarters of a bit. */
const LOW_VALUES = [16, 28, 23, 19];
let quadruples: Int32Array | undefined;

/**
 * The sorted quadruples of numbers below 28 by their rank, each in 20 bits, the least number lowest; -1 where no quadruple
 * has the rank. Made once, in half a millisecond. Rank 0, which is that of plain buckets too, has four zeros.
 */
function quadruplesByRank(): Int32Array {
  if (quadruples) return quadruples;
  quadruples = new Int32Array(2 ** 15).fill(-1);
  let rank = 0;
  for (let d = 0; d < 28; ++d)
    for (let c = 0; c <= d; ++c)
      for (let b = 0; b <= c; ++b)
        for (let a = 0; a <= b; ++a) quadruples[rank++] = a | (b << 5) | (c << 10) | (d << 15);
  return quadruples;
}

/** The buckets of `slots` slots whose entries have `width` bits of a fingerprint and `reserved` bits above them. */
export function bucketsOf(
  isSemiSorted: boolean,
  slots: number,
  width: number,
  quarters: number,
  reserved: number,
): Buckets {
  const codeBits = !isSemiSorted ? 0 : quarters === 0 ? 12 : 16 - quarters;
  const lowBits = !isSemiSorted ? 0 : quarters === 0 ? 4 : 5;
  const laneBits = width + reserved - lowBits;
  const lowParts = quadruplesByRank();
  const values = isSemiSorted ? (LOW_VALUES[quarters] as number) : 1;
  const code = mask(codeBits);
  const lane = mask(laneBits);
  // The bits of a slot that belong to its fingerprint. Here the low part is above the rest, because slots are sorted
  // that way.
  const fingerprint = ~(mask(reserved) << (width - lowBits));
  return {
    bits: codeBits + slots * laneBits,
    fingerprints: values * 2 ** (width - lowBits),
    copies(bytes, at, entry, count) {
      const wanted = ((entry & mask(lowBits)) << laneBits) | ((entry >>> lowBits) & lane);
      let copies = 0;
      for (; count > 0; --count) {
        let low = lowParts[bitsAt(bytes, at, code)] as number;
        if (low >>> 15 >= values) return NaN;
        let last = 0;
        at += codeBits;
        for (let slot = 0; slot < slots; ++slot, at += laneBits, low >>= 5) {
          const content = ((low & 31) << laneBits) | bitsAt(bytes, at, lane);
          if (wanted !== 0) {
            if (content === wanted) ++copies;
            continue;
          }
          const order = content >>> 0;
          if (order < last || (order > 0 && (order & fingerprint) === 0)) return NaN;
          if (order > 0) ++copies;
          last = order;
        }
      }
      return copies;
    },
  };
}
