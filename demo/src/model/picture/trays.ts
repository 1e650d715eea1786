// The eight buckets of the first pictures: trays of two places in two columns, with an aisle for arrows between them.
// Invariant: arrows lie in the aisle, and in the gaps above and below a tray, over no name and no number; none runs over
// another (a test looks).
import { freest, type Line, type Point } from './lanes';
import type { Cell } from './layout';

export const CHIP = { width: 68, height: 34 } as const;
export const GUTTER = 16;
const [GAP, ROW, ROWS] = [2, 50, 4] as const;
export const TRAY = GUTTER + 2 * CHIP.width + GAP + 3;
/** In units of the picture, which is as wide as there is room. */
export const [WIDTH, HEIGHT] = [340, ROWS * ROW] as const;
export const AISLE = { left: TRAY, right: WIDTH - TRAY } as const;

export function boxOf({ bucket, slot }: Cell): Point {
  const x = (bucket < ROWS ? 0 : AISLE.right) + GUTTER + slot * (CHIP.width + GAP);
  return { x, y: (bucket % ROWS) * ROW + (ROW - CHIP.height) / 2 };
}

/** Ways out of a place: so far below its top, and right of its middle. One beside the aisle is left by its side first. */
const OUT = {
  inner: [
    { below: 29, right: 0 },
    { below: 5, right: 0 },
    { below: 38, right: 0 },
    { below: 41.5, right: 0 },
  ],
  outer: [
    { below: 38, right: 0 },
    { below: 38, right: 14 },
    { below: -4, right: 14 },
    { below: 41.5, right: 0 },
  ],
} as const;
/** Ways into a place: so far above its top, and right of its middle. */
const INTO = [8, 11.5].flatMap((above) => [0, 14, -14].map((right) => ({ above, right })));
const LANES = [2.5, 9.5, 16.5, 23.5] as const;
const WAYS = INTO.flatMap((into) =>
  [0, 1, 2, 3].flatMap((out) => LANES.map((lane) => ({ into, out, lane }))),
);

/** The arrows of names that move one after the other; the first comes from above. */
export function waysOf(moves: readonly { readonly from?: Cell | null; readonly to: Cell }[]): Line[] {
  const ways: Line[] = [];
  for (const { from, to } of moves) {
    const end = boxOf(to);
    // What stays at the right leaves the lanes at the left to what crosses the aisle.
    const isRight = end.x > AISLE.left;
    const way = freest(ways, WAYS, ({ into, out, lane }) => {
      const aisle = isRight ? AISLE.right - lane : AISLE.left + lane;
      const [x, y] = [end.x + CHIP.width / 2 + into.right, end.y - into.above];
      const start = from ? outOf(from, out, aisle) : [{ x: aisle, y: -3 }];
      return { points: [...start, { x: aisle, y }, { x, y }, { x, y: end.y }] };
    });
    ways.push(way);
  }
  return ways;
}

function outOf(from: Cell, out: number, aisle: number): Point[] {
  const { x, y } = boxOf(from);
  const isLeft = x < aisle;
  const { below = 0, right = 0 } = OUT[(from.slot === 1) === isLeft ? 'inner' : 'outer'][out] ?? {};
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
