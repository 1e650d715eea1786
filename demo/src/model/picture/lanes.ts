// Chooses a lane for each line, so that no two lines overlap.

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A line made of horizontal and vertical segments. */
export interface Line {
  readonly points: readonly Point[];
}

/** The radius of a corner in pixels. Two lines in the same lane with a smaller gap between their ends look like one. */
export const CORNER = 7;
/** The least distance, in pixels, at which two parallel lines look like two. */
const CLEAR = 3.5;

/** The line in the first lane in which it keeps clear of all others; if there is none, in the lane that is farthest from them. */
export function freest<Lane, Kind extends Line>(
  others: readonly Kind[],
  lanes: readonly Lane[],
  lineIn: (lane: Lane) => Kind,
): Kind {
  const taken = others.flatMap(segments);
  let best: { readonly line: Kind; readonly gap: number } | undefined;
  for (const lane of lanes) {
    const line = lineIn(lane);
    const gap = gapOf(segments(line), taken);
    if (gap >= CLEAR) return line;
    if (best === undefined || gap > best.gap) best = { line, gap };
  }
  if (best === undefined) throw new RangeError('a line needs a lane');
  return best.line;
}

/** The smallest distance, in pixels, between parallel segments of two lines that overlap or almost meet; Infinity if none do. */
function gapOf(one: readonly Segment[], other: readonly Segment[]): number {
  const gaps = one.flatMap((here) =>
    other.map((there) =>
      here.isUpright === there.isUpright && here.from < there.to + CORNER && there.from < here.to + CORNER
        ? Math.abs(here.at - there.at)
        : Infinity,
    ),
  );
  return Math.min(...gaps);
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
