// The cuckoo graph of a table: buckets are nodes on a fixed ring, fingerprints are edges between their two homes.
// Invariant: an edge's arrow points to the bucket that holds its fingerprint; nodes never move, so that the eye keeps
// its map.
import type { Point } from './lanes';
import { otherHome, type TableState } from '../trace/state';

export interface GraphEdge {
  readonly fingerprint: number;
  readonly owner: number;
  /** The home where it does not live, and the one where it does. */
  readonly from: number;
  readonly to: number;
  /** Number among the edges between the same two nodes, to draw them apart. */
  readonly twin: number;
}

export function edgesOf(state: TableState): GraphEdge[] {
  const seen = new Map<string, number>();
  return state.slots.flatMap((stored, i) => {
    if (stored === null) return [];
    const to = Math.floor(i / state.shape.bucketSize);
    const from = otherHome(stored, to);
    const pair = [from, to].sort((a, b) => a - b).join(' ');
    const twin = seen.get(pair) ?? 0;
    seen.set(pair, twin + 1);
    return [{ fingerprint: stored.fingerprint, owner: stored.owner, from, to, twin }];
  });
}

/** The connected part of each bucket that has an edge, largest first; `room`: the most fingerprints that it can hold. */
export function partsOf(state: TableState) {
  const edges = edgesOf(state);
  const leader = Array.from({ length: state.shape.bucketCount }, (_, bucket) => bucket);
  const find = (bucket: number): number => {
    let at = bucket;
    while (leader[at] !== at) at = leader[at] ?? at;
    return at;
  };
  for (const { from, to } of edges) leader[find(from)] = find(to);
  const groups = new Map<number, number[]>();
  leader.forEach((_, bucket) => groups.set(find(bucket), [...(groups.get(find(bucket)) ?? []), bucket]));
  return [...groups]
    .map(([root, buckets]) => ({
      buckets,
      edges: edges.filter(({ to }) => find(to) === root).length,
      room: buckets.length * state.shape.bucketSize,
    }))
    .filter((part) => part.edges > 0)
    .sort((a, b) => b.edges - a.edges);
}

/** Where a bucket's node stands: on a circle, bucket 0 at the top, clockwise. */
export function nodeAt(bucket: number, count: number, centre: Point, radius: number): Point {
  const angle = (2 * Math.PI * bucket) / count - Math.PI / 2;
  return { x: centre.x + radius * Math.cos(angle), y: centre.y + radius * Math.sin(angle) };
}

/** How far the control point of a twin lies from that of the one before: twice as far as their labels. */
const TWIN_BEND = 80;

/** In pixels: the radius of a node, half the width of a label, and the height of a label. */
export interface Sizes {
  readonly node: number;
  readonly half: number;
  readonly high: number;
}

/** One way to draw an edge: its line, its arrow head, and where its label stands. */
export interface EdgeWay {
  readonly line: string;
  readonly head: string;
  readonly label: Point;
  /** Of a loop: between its node and its label, where nothing else may lie. */
  readonly neck?: Point;
}

/** The ring leaves room for a loop and its label on each side. */
export function radiusIn(width: number, height: number, { node, half }: Sizes): number {
  return Math.min(width, height) / 2 - node - LOOP - 2 * half - 2;
}

/** Whether the labels of so many edges leave half of the ring free: where they do not, nobody could read them. */
export function hasRoom(edges: number, radius: number, { half, high }: Sizes): boolean {
  return edges * 2 * half * high <= (Math.PI * radius ** 2) / 2;
}

/** The ways to draw an edge, the best first: a line is bent aside where several join the same nodes. */
export function waysOf(
  edge: GraphEdge,
  count: number,
  centre: Point,
  radius: number,
  sizes: Sizes,
): EdgeWay[] {
  const from = nodeAt(edge.from, count, centre, radius);
  const to = nodeAt(edge.to, count, centre, radius);
  if (edge.from === edge.to) return loops(from, centre, sizes);
  const { node } = sizes;
  const sign = edge.from < edge.to ? 1 : -1;
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const normal = { x: (from.y - to.y) / length, y: (to.x - from.x) / length };
  const half = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const inwards = (centre.x - half.x) * normal.x + (centre.y - half.y) * normal.y;
  // The first twin bends to the middle of the ring, where there is room; through the middle, to a side of its own.
  const side = (Math.abs(inwards) < 1 ? sign : Math.sign(inwards)) * (edge.twin % 2 === 0 ? -1 : 1);
  const bend = TWIN_BEND * side * Math.ceil(edge.twin / 2);
  const middle = { x: half.x + bend * normal.x, y: half.y + bend * normal.y };
  const end = onto(to, middle, node + 2);
  const neck = onto(to, middle, node + 12);
  const start = onto(from, middle, node);
  const on = (t: number, axis: 'x' | 'y'): number =>
    (1 - t) ** 2 * start[axis] + 2 * t * (1 - t) * middle[axis] + t ** 2 * end[axis];
  const line = `M${start.x} ${start.y}Q${middle.x} ${middle.y} ${neck.x} ${neck.y}`;
  const head = headPath(neck, end);
  return ALONG.map((t) => ({ line, head, label: { x: on(t, 'x'), y: on(t, 'y') } }));
}

const ALONG = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.2, 0.8];

/** Pixels between a node and the label of its loop. */
const LOOP = 16;
/** How far, in radians, a loop may lean from straight outwards. */
const LEANS = [0, 0.5, -0.5, 1, -1, 1.5, -1.5, 2, -2];

/** An edge whose two homes are one bucket. */
function loops(node: Point, centre: Point, { node: radius, half, high }: Sizes): EdgeWay[] {
  return LEANS.map((lean) => {
    const angle = lean + Math.atan2(node.y - centre.y, node.x - centre.x);
    const at = (by: number, distance: number): Point => ({
      x: node.x + distance * Math.cos(angle + by),
      y: node.y + distance * Math.sin(angle + by),
    });
    const far = LOOP + half * Math.abs(Math.cos(angle)) + (high / 2) * Math.abs(Math.sin(angle));
    const [start, neck, end] = [at(-0.4, radius), at(0.4, radius + 12), at(0.4, radius + 2)];
    const [one, other] = [at(-0.5, radius + 1.3 * far), at(0.5, radius + 1.3 * far)];
    return {
      line: `M${start.x} ${start.y}C${one.x} ${one.y} ${other.x} ${other.y} ${neck.x} ${neck.y}`,
      head: headPath(neck, end),
      label: at(0, radius + far),
      neck: at(0, radius + LOOP / 2),
    };
  });
}

/** Enough for every label to have made room for the others. */
const ROUNDS = 4;
/** The number of a node is worth more than the edge of another label. */
const NODE = 3;

/** For each edge one of its ways: in turn, the one that covers least of the other labels and loops, and of the nodes. */
export function arranged(
  edges: readonly (readonly EdgeWay[])[],
  nodes: readonly Point[],
  { node, half, high }: Sizes,
): EdgeWay[] {
  const overlap = (one: Point, other: Point, width: number, height: number): number =>
    Math.max(0, width - Math.abs(one.x - other.x)) * Math.max(0, height - Math.abs(one.y - other.y));
  const covers = (label: Point, neck: Point | undefined): number =>
    neck === undefined ? 0 : overlap(label, neck, half + LOOP / 2, (high + LOOP) / 2);
  const placed = edges.flatMap((ways) => ways.slice(0, 1));
  for (let turn = 0; turn < ROUNDS * edges.length; ++turn) {
    const i = turn % edges.length;
    const others = placed.filter((_, j) => j !== i);
    const covered = ({ label, neck }: EdgeWay): number =>
      others.reduce(
        (sum, other) =>
          sum +
          overlap(label, other.label, 2 * half + 2, high + 2) +
          covers(label, other.neck) +
          covers(other.label, neck),
        0,
      ) +
      NODE * nodes.reduce((sum, at) => sum + overlap(label, at, half + node, high / 2 + node), 0);
    const best = edges[i]?.reduce((least, each) => (covered(each) < covered(least) ? each : least));
    if (best !== undefined) placed[i] = best;
  }
  return placed;
}

function onto(from: Point, to: Point, distance: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return {
    x: from.x + ((to.x - from.x) * distance) / length,
    y: from.y + ((to.y - from.y) * distance) / length,
  };
}

function headPath(neck: Point, end: Point): string {
  const along = { x: end.x - neck.x, y: end.y - neck.y };
  const across = { x: -along.y * 0.6, y: along.x * 0.6 };
  return `M${end.x} ${end.y}L${neck.x + across.x} ${neck.y + across.y}L${neck.x - across.x} ${neck.y - across.y}Z`;
}
