// The eight buckets of the first pictures: trays of two places in two columns, with an aisle for arrows between them.
// Invariant: arrows run only in the aisle and in the gaps above and below a tray, so they cover no name and no number; and
// no two of them overlap (a test checks).
import { freest, type Line, type Point } from './lanes';
import type { Cell } from './layout';

export const CHIP = { width: 63, height: 34 } as const;
export const GUTTER = 14;
const [GAP, ROW, ROWS] = [4, 50, 4] as const;
export const TRAY = GUTTER + 2 * CHIP.width + GAP + 3;
/** In units of the picture, which is as wide as there is room. */
export const [WIDTH, HEIGHT] = [322, ROWS * ROW] as const;
export const AISLE = { left: TRAY, right: WIDTH - TRAY } as const;

export function boxOf({ bucket, slot }: Cell): Point {
  const x = (bucket < ROWS ? 0 : AISLE.right) + GUTTER + slot * (CHIP.width + GAP);
  return { x, y: (bucket % ROWS) * ROW + (ROW - CHIP.height) / 2 };
}

type Exit = readonly [below: number, right: number];
/**
 * Where a line may leave a place, in the order in which that is tried: how far below its top, and how far right of its middle.
 * The inner place of a tray borders on the aisle, so a line may also leave it sideways.
 */
const EXITS: readonly { readonly inner: Exit; readonly outer: Exit }[] = [
  { inner: [29, 0], outer: [38, 0] },
  { inner: [5, 0], outer: [38, 14] },
  { inner: [38, 0], outer: [-4, 14] },
  { inner: [41.5, 0], outer: [41.5, 0] },
];
/** Where a line may enter a place: how far above its top, and how far right of its middle. */
const ENTRIES = [8, 11.5].flatMap((above) => [0, 14, -14].map((right) => ({ above, right })));
/** How far a line in the aisle may be from the aisle's nearer edge. */
const LANES = [2.5, 9.5, 16.5, 23.5] as const;
const WAYS = ENTRIES.flatMap((entry) =>
  EXITS.flatMap((exits) => LANES.map((lane) => ({ entry, exits, lane }))),
);

/** The arrows of names that move one after the other. The first name comes from above the picture. */
export function waysOf(moves: readonly { readonly from?: Cell | null; readonly to: Cell }[]): Line[] {
  const ways: Line[] = [];
  for (const { from, to } of moves) {
    const end = boxOf(to);
    // Lanes are counted from the side on which the line ends, so that lines that end on different sides keep apart.
    const isRight = end.x > AISLE.left;
    const way = freest(ways, WAYS, ({ entry, exits, lane }) => {
      const aisle = isRight ? AISLE.right - lane : AISLE.left + lane;
      const [x, y] = [end.x + CHIP.width / 2 + entry.right, end.y - entry.above];
      const start = from ? outOf(from, exits, aisle) : [{ x: aisle, y: -3 }];
      return { points: [...start, { x: aisle, y }, { x, y }, { x, y: end.y }] };
    });
    ways.push(way);
  }
  return ways;
}

function outOf(from: Cell, exits: (typeof EXITS)[number], aisle: number): Point[] {
  const { x, y } = boxOf(from);
  const isLeft = x < aisle;
  const [below, right] = (from.slot === 1) === isLeft ? exits.inner : exits.outer;
  const level = y + below;
  if (below > 0 && below < CHIP.height)
    return [
      { x: isLeft ? x + CHIP.width : x, y: level },
      { x: aisle, y: level },
    ];
  const middle = x + CHIP.width / 2 + right;
  return [
    { x: middle, y: below < 0 ? y : y + CHIP.height },
    { x: middle, y: level },
    { x: aisle, y: level },
  ];
}
