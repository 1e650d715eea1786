// The eight buckets of the first pictures: trays of two places, one below the other.
// Invariant: a new name comes from the left, and a name that is kicked out goes around on the right. So arrows cover no
// name and no number, and no two of them cross or overlap (a test checks).
import type { Line, Point } from './lanes';
import type { Cell } from './layout';

export const CHIP = { width: 122, height: 22 } as const;
const [GAP, ROW, ROWS] = [4, 30, 8] as const;
/** Where the numbers of the buckets stand, and where the arrow from the left comes down. */
export const [NUMBER, LEFT] = [5, 17] as const;
export const TRAY = 2 * CHIP.width + GAP + 6;
const START = 33;
/** In units of the picture, which is as wide as there is room. */
export const [WIDTH, HEIGHT] = [322, ROWS * ROW] as const;
/** Where the inner and the outer arrow on the right run. */
const LANES = [297, 309] as const;
const MIDDLE = CHIP.height / 2;
/** How far off the middle of a chip an arrow meets it, if another arrow does, too. */
const ASIDE = 5;

export function boxOf({ bucket, slot }: Cell): Point {
  return { x: START + slot * (CHIP.width + GAP), y: bucket * ROW + (ROW - CHIP.height) / 2 };
}

type Move = { readonly from?: Cell | undefined; readonly to: Cell };

/** The arrows of a new name and of the one or two names kicked out. The first of those starts at a left place; both end at right ones. */
export function waysOf([first, ...kicks]: readonly Move[]): Line[] {
  if (first === undefined) return [];
  const { x, y } = boxOf(first.to);
  const level = y + MIDDLE;
  const comes = [
    { x: LEFT, y: -3 },
    { x: LEFT, y: level },
    { x, y: level },
  ];
  const [one = 0, other = 0] = kicks.map(({ from, to }) => to.bucket - (from?.bucket ?? 0));
  // If both run on the same side of the bucket that they share, the longer one takes the outer lane.
  const isAround = one * other < 0;
  const isOuter = [isAround && Math.abs(one) > Math.abs(other), isAround && Math.abs(one) <= Math.abs(other)];
  return [{ points: comes }, ...kicks.map((kick, i) => around(kick, i === 0, isOuter[i] === true))];
}

function around({ from, to }: Move, isFirst: boolean, isOuter: boolean): Line {
  const [out, into] = [boxOf(from ?? to), boxOf(to)];
  const lane = LANES[isOuter ? 1 : 0];
  const aside = (isOuter ? -ASIDE : ASIDE) * Math.sign(into.y - out.y);
  const end = { x: into.x + CHIP.width, y: into.y + MIDDLE - (isFirst ? aside : 0) };
  // It leaves a left place through the gap below the right one.
  const below = out.y + (ROW + CHIP.height) / 2;
  const start = isFirst
    ? [
        { x: out.x + CHIP.width / 2, y: out.y + CHIP.height },
        { x: out.x + CHIP.width / 2, y: below },
      ]
    : [{ x: out.x + CHIP.width, y: out.y + MIDDLE + aside }];
  const leaves = start.at(-1)?.y ?? below;
  return { points: [...start, { x: lane, y: leaves }, { x: lane, y: end.y }, end] };
}
