// From numbers to places on a plot, and the ticks of its axes.

export interface Axis {
  readonly label: string;
  readonly least: number;
  readonly most: number;
  readonly isLog?: boolean;
  readonly ticks: readonly number[];
  readonly format: (value: number) => string;
}

export type PlotPoint = readonly [number, number];

export interface Series {
  readonly name: string;
  readonly points: readonly PlotPoint[];
  /** Which of the looks in styles/measure.css. */
  readonly look: number;
  /** The point to ring: where the answer is. */
  readonly answer?: PlotPoint | undefined;
}

/** From 0 to 1 along the axis; values beyond its ends are put on them. */
export function along(axis: Axis, value: number): number {
  const at = axis.isLog === true ? Math.log(Math.max(value, Number.MIN_VALUE)) : value;
  const [from, to] =
    axis.isLog === true ? [Math.log(axis.least), Math.log(axis.most)] : [axis.least, axis.most];
  return Math.min(1, Math.max(0, (at - from) / (to - from)));
}

/** Whether the axis has a place for a value: one of powers has none for 0. */
export function isOn(axis: Axis, value: number): boolean {
  return axis.isLog !== true || value > 0;
}

/** The line through the points, as SVG path data: it stops at a point for which the y axis has no place, and goes on after it. */
export function lineThrough(
  points: readonly PlotPoint[],
  y: Axis,
  place: (point: PlotPoint) => readonly [number, number],
): string {
  return points
    .map((point, i) => {
      if (!isOn(y, point[1])) return '';
      const before = points[i - 1];
      const [left, top] = place(point).map((at) => at.toFixed(1));
      return before !== undefined && isOn(y, before[1]) ? `L${left} ${top}` : `M${left} ${top}h0`;
    })
    .join('');
}

export function decades(least: number, most: number): number[] {
  const first = Math.ceil(Math.log10(least) - 1e-9);
  const last = Math.floor(Math.log10(most) + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(`1e${first + i}`));
}

export function powerAxis(label: string, least: number, most: number, format: Axis['format']): Axis {
  return { label, least, most, isLog: true, ticks: decades(least, most), format };
}

/** Pixels of a letter of a tick's text, and between two texts. */
const LETTER = 7;
const GAP = 10;

/** The ticks of an x axis of `width` pixels whose texts stay apart: every one, or every second, third, ... from the last. */
export function legible(axis: Axis, width: number): readonly number[] {
  const longest = Math.max(...axis.ticks.map((tick) => axis.format(tick).length)) * LETTER + GAP;
  const apart =
    width * Math.abs(along(axis, axis.ticks[1] ?? 0) - along(axis, axis.ticks[0] ?? 0)) || longest;
  const every = Math.max(1, Math.ceil(longest / apart));
  return axis.ticks.filter((_, i) => (axis.ticks.length - 1 - i) % every === 0);
}
