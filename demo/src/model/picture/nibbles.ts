// Where each bit of four fingerprints lies while their bucket is sorted and coded.
// Invariant: no two bits lie in one place, at any stage.

/** As they came; sorted by their lower four bits; those coded; the places set free spent on longer fingerprints. */
export const STAGES = ['came', 'sorted', 'coded', 'spent'] as const;
export type Stage = (typeof STAGES)[number];

/** One square of the picture. */
export interface BitCell {
  readonly id: string;
  readonly row: number;
  readonly column: number;
  /** 0 or 1; null: a place that is free, or a bit of a longer fingerprint that is not known. */
  readonly bit: number | null;
  readonly look: 'upper' | 'lower' | 'code' | 'free' | 'gained';
}

const HALF = 4;
const CODE_BITS = 12;
/** The row of the code, below the four fingerprints and a gap. */
export const CODE_ROW = 5;

/** The bits of a stage: `bits` are the fingerprints' eight, highest first; `order` tells which lies in which slot. */
export function cellsAt(
  stage: Stage,
  bits: readonly (readonly number[])[],
  order: readonly number[],
  code: readonly number[],
): BitCell[] {
  return bits.flatMap((own, i) =>
    own.map((bit, at): BitCell => {
      const row = stage === 'came' ? i : order.indexOf(i);
      if (at < HALF) return { id: `${i}.${at}`, row, column: at, bit, look: 'upper' };
      const id = `${i}.${at}`;
      if (stage === 'came' || stage === 'sorted') return { id, row, column: at, bit, look: 'lower' };
      // The sixteen lower bits in the order of the slots: twelve become the code, four are left.
      const place = order.indexOf(i) * HALF + at - HALF;
      if (place < CODE_BITS) return { id, row: CODE_ROW, column: place, bit: code[place] ?? 0, look: 'code' };
      if (stage === 'coded') return { id, row: CODE_ROW, column: place, bit: null, look: 'free' };
      return { id, row: place - CODE_BITS, column: HALF, bit: null, look: 'gained' };
    }),
  );
}
