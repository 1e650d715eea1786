// The shapes of table that properties are tested for: every bucket size and width, plain and semi-sorted, every kind of
// bucket count.
import { runs } from './long';

export interface Shape {
  readonly bucketSize: number;
  readonly fingerprintBits: number;
  readonly semiSort: boolean;
  readonly bucketCount: number;
  readonly addressing: 'reflect' | 'xor';
}

/** The widths that a semi-sorted table may have: whole from 5 to 32, in quarters up to 24. */
function* semiSortedWidths(): Generator<number> {
  for (let bits = 5; bits <= 32; bits += bits < 24 ? 0.25 : 1) yield bits;
}

/** Every bucket size, storage and width that is allowed. */
function* slots(): Generator<Pick<Shape, 'bucketSize' | 'fingerprintBits' | 'semiSort'>> {
  for (let bucketSize = 1; bucketSize <= 8; ++bucketSize) {
    for (let fingerprintBits = 2; fingerprintBits <= 32; ++fingerprintBits) {
      yield { bucketSize, fingerprintBits, semiSort: false };
    }
  }
  for (const fingerprintBits of semiSortedWidths()) yield { bucketSize: 4, fingerprintBits, semiSort: true };
}

/**
 * Every bucket size, storage and width, with each of `bucketCounts`, in every addressing it allows. In a short run each
 * takes one of `bucketCounts`, in turn.
 */
export function* shapes(bucketCounts: readonly number[]): Generator<Shape> {
  let turn = 0;
  for (const slot of slots()) {
    const inTurn = bucketCounts[turn++ % bucketCounts.length] ?? 1;
    for (const bucketCount of runs([inTurn], bucketCounts)) {
      yield { ...slot, bucketCount, addressing: 'reflect' };
      if (Number.isInteger(Math.log2(bucketCount))) yield { ...slot, bucketCount, addressing: 'xor' };
    }
  }
}

export function nameOf({ bucketSize, fingerprintBits, semiSort, bucketCount, addressing }: Shape): string {
  const storage = semiSort ? 'semi-sorted' : 'plain';
  return `b = ${bucketSize}, f = ${fingerprintBits} ${storage}, m = ${bucketCount}, ${addressing}`;
}
