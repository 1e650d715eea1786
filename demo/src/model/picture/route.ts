// The way of an arrow from one place on the stage to another, along the aisles like a line on a metro map.
// Invariant: a route leaves its start sideways, keeps to the aisles, and enters its end from above or below, so that
// it crosses no chip. A lane shifts it within its aisles, and `inFreeLane` chooses one that no other route uses (lanes.ts).
import { CORNER, freest, type Point } from './lanes';
import { bucketBox, labelBox, type Box, type Layout } from './layout';

export interface Route {
  readonly points: readonly Point[];
  readonly line: string;
  readonly head: string;
  /** In the middle of the aisle, whatever lane the line takes, so that the number covers no chip. */
  readonly badge: Point;
}

/** A way through the aisles beside two places. */
export interface Lane {
  /** How many lanes right of the middle of the upright aisle. */
  readonly right: number;
  /** How many lanes beyond the middle of the level aisle, seen from the route's end. */
  readonly beyond: number;
  /** Whether the end is entered from its far side. */
  readonly isFar: boolean;
}

const HEAD = 8;
const INTO = 14;
const MIDDLE: Lane = { right: 0, beyond: 0, isFar: false };
const LANES: readonly Lane[] = [0, 2, -2, 1, -1].flatMap((right) =>
  [false, true].flatMap((isFar) => [0, 1, 2, -1].map((beyond) => ({ right, beyond, isFar }))),
);

/** The route in the first lane in which it keeps clear of all others. */
export function inFreeLane(others: readonly Route[], routeIn: (lane: Lane) => Route): Route {
  return freest(others, LANES, routeIn);
}

/** The route from the right side of `from` into the top or bottom of `to`. */
export function routeBetween(layout: Layout, from: Box, to: Box, lane = MIDDLE): Route {
  const { aisleX, aisleY } = layout;
  const start = startOf(from, lane);
  const aisle = start.x + aisleX / 2 + lane.right * laneWidth(aisleX);
  // The numbers of the slots stand above the first row.
  const isDown = to.y > layout.top && to.y >= from.y !== lane.isFar;
  const away = aisleY / 2 + lane.beyond * laneWidth(aisleY);
  const crossing = isDown ? to.y - away : to.y + to.height + away;
  const end = { x: to.x + (to.width / 8) * (4 + lane.right), y: isDown ? to.y - 1 : to.y + to.height + 1 };
  const turns = [
    { x: aisle, y: start.y },
    { x: aisle, y: crossing },
    { x: end.x, y: crossing },
  ];
  return routeOf([start, ...turns], end, isDown, { x: start.x + aisleX / 2, y: start.y });
}

/**
 * The route towards a bucket in which no slot is settled yet: straight along the aisle, up to the bucket's edge, where it
 * lies in the same column. In the outer lanes, it ends inside the bucket, so that its head covers no arrow along that edge.
 */
export function routeTowards(layout: Layout, from: Box, bucket: number, lane = MIDDLE): Route {
  const to = bucketBox(layout, bucket);
  const isBeside = from.x >= to.x && from.x <= to.x + to.width;
  if (!isBeside || to.y === from.y) return routeBetween(layout, from, labelBox(layout, bucket), lane);
  const middle = from.x + from.width + layout.aisleX / 2;
  const x = middle + lane.right * laneWidth(layout.aisleX);
  const isDown = to.y > from.y;
  const start = startOf(from, lane);
  const into = lane.beyond > 0 ? INTO : -3;
  const end = { x, y: isDown ? to.y + into : to.y + to.height - into };
  return routeOf([start, { x, y: start.y }], end, isDown, { x: middle, y: start.y });
}

/** From one bucket to another, behind their first slots, where it covers no label. */
export function routeOfSum(layout: Layout, from: number, to: number): Route {
  const [start, end] = [labelBox(layout, from), labelBox(layout, to)];
  if (start.x !== end.x) return routeBetween(layout, { ...start, width: start.width - layout.aisleX }, end);
  const x = start.x + start.width + layout.chipWidth + layout.aisleX / 2;
  const isDown = end.y > start.y;
  const middle = { x, y: start.y + start.height / 2 };
  return routeOf([middle], { x, y: end.y + (isDown ? 4 : end.height - 4) }, isDown, middle);
}

/** Pixels between the middles of two badges. */
const BADGE = 20;

/** Badges, each moved up or down its aisle so far that it covers none before it. */
export function apart(badges: readonly Point[]): Point[] {
  return badges.reduce<Point[]>((placed, { x, y }) => {
    const isFree = (by: number): boolean =>
      placed.every((other) => Math.hypot(other.x - x, other.y - y - by * BADGE) >= BADGE);
    return [...placed, { x, y: y + BADGE * ([0, 1, -1, 2, -2, 3, -3].find(isFree) ?? 0) }];
  }, []);
}

/** The point at `t` of the way along `points`, 0 the first and 1 the last. */
export function pointAlong(points: readonly Point[], t: number): Point {
  const lengths = points.slice(1).map((point, i) => distance(points[i] ?? point, point));
  let left = t * lengths.reduce((sum, length) => sum + length, 0);
  for (const [i, length] of lengths.entries()) {
    const [from, to] = [points[i], points[i + 1]];
    if (from === undefined || to === undefined) break;
    if (left <= length && length > 0) {
      const part = left / length;
      return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
    }
    left -= length;
  }
  return points[points.length - 1] ?? { x: 0, y: 0 };
}

/** The route from below the tray into the top of `to`. */
export function routeFromTray(layout: Layout, tray: Box, to: Box): Route {
  const start = { x: tray.x + tray.width / 2, y: tray.y + tray.height };
  const under = layout.tray.y + layout.tray.height + 1;
  // Left of the slot, and close to it, where it covers no label: what is kicked out leaves on the right.
  const aisle = to.x - 0.3 * layout.aisleX;
  const crossing = to.y - layout.aisleY / 2;
  const end = { x: to.x + to.width / 6, y: to.y - 1 };
  const badge = { x: start.x, y: under };
  const turns = [
    { x: aisle, y: under },
    { x: aisle, y: crossing },
    { x: end.x, y: crossing },
  ];
  return routeOf([start, badge, ...turns], end, true, badge);
}

/** Through these points, and with an arrow's head to the `end`. */
function routeOf(way: readonly Point[], end: Point, isDown: boolean, badge: Point): Route {
  const points = [...way, { x: end.x, y: end.y + (isDown ? -HEAD : HEAD) }];
  return { points, line: rounded(points), head: headAt(end, isDown), badge };
}

function startOf(from: Box, { right }: Lane): Point {
  return { x: from.x + from.width, y: from.y + (from.height / 7) * (3.5 + right) };
}

function laneWidth(aisle: number): number {
  return Math.min(5, aisle / 5);
}

function headAt(end: Point, isDown: boolean): string {
  const back = isDown ? -HEAD - 2 : HEAD + 2;
  return `M${end.x} ${end.y}l${-HEAD + 1} ${back}h${2 * HEAD - 2}Z`;
}

function rounded(points: readonly Point[]): string {
  return points
    .map((point, i) => {
      const before = points[i - 1];
      const after = points[i + 1];
      if (before === undefined) return `M${point.x} ${point.y}`;
      if (after === undefined) return `L${point.x} ${point.y}`;
      const radius = Math.min(CORNER, distance(before, point) / 2, distance(point, after) / 2);
      const into = towards(point, before, radius);
      const out = towards(point, after, radius);
      return `L${into.x} ${into.y}Q${point.x} ${point.y} ${out.x} ${out.y}`;
    })
    .join('');
}

function distance(a: Point, b: Point): number {
  return Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
}

function towards(from: Point, to: Point, length: number): Point {
  return { x: from.x + Math.sign(to.x - from.x) * length, y: from.y + Math.sign(to.y - from.y) * length };
}
