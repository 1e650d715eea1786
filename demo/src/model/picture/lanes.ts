// Lines that would run over each other are led through different lanes.

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A line of level and upright stretches. */
export interface Line {
  readonly points: readonly Point[];
}

/** Pixels by which a corner is rounded, and by which two lines that follow each other in one lane look like one. */
export const CORNER = 7;
/** Pixels from a line to the next one beside it that keep the two apart. */
const CLEAR = 3.5;

/** The line in the first lane in which it lies beside none of the others; if there is none, as far from them as can be. */
export function freest<Lane, Kind extends Line>(
  others: readonly Kind[],
  lanes: readonly Lane[],
  lineIn: (lane: Lane) => Kind,
): Kind {
  const taken = others.flatMap(stretches);
  let best: { readonly line: Kind; readonly gap: number } | undefined;
  for (const lane of lanes) {
    const line = lineIn(lane);
    const gap = gapOf(stretches(line), taken);
    if (gap >= CLEAR) return line;
    if (best === undefined || gap > best.gap) best = { line, gap };
  }
  if (best === undefined) throw new RangeError('a line needs a lane');
  return best.line;
}

/** Pixels between two lines where they run side by side, or would look like one line that goes on. */
function gapOf(one: readonly Stretch[], other: readonly Stretch[]): number {
  const gaps = one.flatMap((here) =>
    other.map((there) =>
      here.isUpright === there.isUpright && here.from < there.to + CORNER && there.from < here.to + CORNER
        ? Math.abs(here.at - there.at)
        : Infinity,
    ),
  );
  return Math.min(...gaps);
}

/** A straight part of a line: where it lies, and how far it reaches. */
interface Stretch {
  readonly isUpright: boolean;
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

function stretches({ points }: Line): Stretch[] {
  return points.slice(1).map((to, i) => {
    const from = points[i] ?? to;
    const isUpright = from.x === to.x;
    const [one, other] = isUpright ? [from.y, to.y] : [from.x, to.x];
    return { isUpright, at: isUpright ? to.x : to.y, from: Math.min(one, other), to: Math.max(one, other) };
  });
}
