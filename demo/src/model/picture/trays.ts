// The eight buckets of the first pictures: trays of two places, one below the other, and above them the new name.
// Invariant: the new name comes from the left, and a name that is kicked out goes around on the right. So arrows cover no
// name, no number and no outline, and no two of them cross or overlap (a test checks).
import type { Line, Point } from './lanes';
import type { Cell } from './layout';

export const CHIP = { width: 122, height: 20 } as const;
const [GAP, ROW, ROWS] = [4, 30, 8] as const;
/** Where the numbers of the buckets stand, and where the arrow from the left comes down. */
export const [NUMBER, LEFT] = [5, 17] as const;
export const TRAY = 2 * CHIP.width + GAP + 6;
const START = 33;
/** In units of the picture, which is as wide as there is room. */
export const [WIDTH, HEIGHT] = [322, ROWS * ROW] as const;
/** Where the new name stands before it goes in. */
export const HAND = { x: START, y: -ROW } as const;
/** Where the inner and the outer arrow on the right run. */
const LANES = [297, 309] as const;
const MIDDLE = CHIP.height / 2;
/** How far off the middle of a chip an arrow meets it, if another arrow does, too. */
const ASIDE = 5;

export function boxOf({ bucket, slot }: Cell): Point {
  return { x: START + slot * (CHIP.width + GAP), y: bucket * ROW + (ROW - CHIP.height) / 2 };
}

/** The line from the new name to one of its homes. */
export function wayTo(bucket: number): Line {
  const { x, y } = boxOf({ bucket, slot: 0 });
  const [start, level] = [HAND.y + MIDDLE, y + MIDDLE];
  return {
    points: [
      { x: HAND.x, y: start },
      { x: LEFT, y: start },
      { x: LEFT, y: level },
      { x, y: level },
    ],
  };
}

type Move = { readonly from?: Cell | undefined; readonly to: Cell };

/** The arrows of a new name and of the one or two names kicked out. The first of those starts at a left place; both end at right ones. */
export function waysOf(moves: readonly Move[]): Line[] {
  const [one = 0, other = 0] = moves.slice(1).map(({ from, to }) => to.bucket - (from?.bucket ?? 0));
  return moves.map((move, i) => {
    // Where both arrows run above the bucket that they share, or both below it, the longer one takes the outer lane.
    const isOuter = one * other < 0 && (i === 1) === Math.abs(one) > Math.abs(other);
    return i === 0 ? wayTo(move.to.bucket) : around(move, i === 1, isOuter);
  });
}

function around({ from, to }: Move, isFirst: boolean, isOuter: boolean): Line {
  const [out, into] = [boxOf(from ?? to), boxOf(to)];
  const lane = LANES[isOuter ? 1 : 0];
  const aside = (isOuter ? -ASIDE : ASIDE) * Math.sign(into.y - out.y);
  const level = into.y + MIDDLE - (isFirst ? aside : 0);
  // It leaves a left place through the gap below the right one.
  const leaves = isFirst ? out.y + (ROW + CHIP.height) / 2 : out.y + MIDDLE + aside;
  const x = out.x + CHIP.width / (isFirst ? 2 : 1);
  return {
    points: [
      { x, y: isFirst ? out.y + CHIP.height : leaves },
      { x, y: leaves },
      { x: lane, y: leaves },
      { x: lane, y: level },
      { x: into.x + CHIP.width, y: level },
    ],
  };
}
