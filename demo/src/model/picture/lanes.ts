// Chooses a lane for each line, so that no two lines overlap, and where two cross or end, there is room to see it.

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A line made of horizontal and vertical segments. */
export interface Line {
  readonly points: readonly Point[];
  /** Where its number stands, over all lines. */
  readonly badge?: Point;
}

/** The radius of a corner in pixels. Two lines in the same lane with a smaller gap between their ends look like one. */
export const CORNER = 7;
/** The least distance, in pixels, at which two parallel lines look like two; two heads; and a crossing beside a number. */
const [CLEAR, HEADS, BADGE] = [3.5, 20, 14] as const;

/** The line in the first lane in which it keeps clear of all others; if there is none, in the lane that is farthest from them. */
export function freest<Lane, Kind extends Line>(
  others: readonly Kind[],
  lanes: readonly Lane[],
  lineIn: (lane: Lane) => Kind,
): Kind {
  let best: { readonly line: Kind; readonly room: number } | undefined;
  for (const lane of lanes) {
    const line = lineIn(lane);
    const room = Math.min(...others.map((other) => roomBetween(line, other)));
    if (room >= 1) return line;
    if (best === undefined || room > best.room) best = { line, room };
  }
  if (best === undefined) throw new RangeError('a line needs a lane');
  return best.line;
}

/** How clear of each other two lines are: 1 or more is enough; below 0, they overlap. */
function roomBetween(one: Line, other: Line): number {
  const badges = [one.badge, other.badge].filter((badge) => badge !== undefined);
  let beside = Infinity;
  const [end, otherEnd] = [one.points.at(-1), other.points.at(-1)];
  let across = end === undefined || otherEnd === undefined ? Infinity : distance(end, otherEnd) / HEADS;
  for (const here of segments(one))
    for (const there of segments(other)) {
      if (here.isUpright === there.isUpright) {
        const doMeet = here.from < there.to + CORNER && there.from < here.to + CORNER;
        if (doMeet) beside = Math.min(beside, Math.abs(here.at - there.at) / CLEAR);
        continue;
      }
      // How far from all ends of both segments they cross.
      const within = Math.min(inside(here, there.at), inside(there, here.at));
      if (within < -CLEAR) continue;
      const [x, y] = here.isUpright ? [here.at, there.at] : [there.at, here.at];
      const toBadge = badges.map((badge) => distance(badge, { x, y }) / BADGE);
      across = Math.min(across, Math.abs(within) / CORNER, ...toBadge);
    }
  return beside < 1 ? beside - 1 : across;
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

/** How far inside a segment a place along it lies; below 0: outside. */
function inside({ from, to }: Segment, at: number): number {
  return Math.min(at - from, to - at);
}

/** A straight part of a line: where it lies, and from where to where it reaches. */
interface Segment {
  readonly isUpright: boolean;
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

function segments({ points }: Line): Segment[] {
  return points.slice(1).map((to, i) => {
    const from = points[i] ?? to;
    const isUpright = from.x === to.x;
    const [one, other] = isUpright ? [from.y, to.y] : [from.x, to.x];
    return { isUpright, at: isUpright ? to.x : to.y, from: Math.min(one, other), to: Math.max(one, other) };
  });
}
