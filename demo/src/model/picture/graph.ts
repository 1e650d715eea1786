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

/** A connected part: as many fingerprints as `room` is the most it can hold. */
export interface GraphPart {
  readonly buckets: readonly number[];
  readonly edges: number;
  readonly room: number;
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

/** The connected part of each bucket that has an edge, largest first. */
export function partsOf(state: TableState): GraphPart[] {
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

/** The line of an edge, its arrow head, and where along it a label may stand. */
export interface EdgeLine {
  readonly line: string;
  readonly head: string;
  readonly labels: readonly Point[];
}

/** The line of an edge, bent aside where several join the same nodes. */
export function edgeLine(
  edge: GraphEdge,
  count: number,
  centre: Point,
  radius: number,
  node: number,
): EdgeLine {
  const from = nodeAt(edge.from, count, centre, radius);
  const to = nodeAt(edge.to, count, centre, radius);
  if (edge.from === edge.to) return loop(from, centre, node, edge.twin);
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
  const labels = ALONG.map((t) => ({ x: on(t, 'x'), y: on(t, 'y') }));
  return {
    line: `M${start.x} ${start.y}Q${middle.x} ${middle.y} ${neck.x} ${neck.y}`,
    head: headPath(neck, end),
    labels,
  };
}

const ALONG = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.2, 0.8];

/** Enough for every label to have made room for the others. */
const ROUNDS = 4;

/** For each edge a place for a label of this size: in turn, the one that covers least of the other labels, and of the nodes. */
export function labelsOf(
  lines: readonly EdgeLine[],
  nodes: readonly Point[],
  { half, high, node }: { readonly half: number; readonly high: number; readonly node: number },
): Point[] {
  const overlap = (by: Point, width: number, height: number): number =>
    Math.max(0, width - Math.abs(by.x)) * Math.max(0, height - Math.abs(by.y));
  const placed = lines.flatMap(({ labels }) => labels.slice(0, 1));
  for (let turn = 0; turn < ROUNDS * lines.length; ++turn) {
    const i = turn % lines.length;
    const others = placed.filter((_, j) => j !== i);
    const covered = ({ x, y }: Point): number =>
      others.reduce((sum, at) => sum + overlap({ x: x - at.x, y: y - at.y }, 2 * half + 2, high + 2), 0) +
      nodes.reduce((sum, at) => sum + overlap({ x: x - at.x, y: y - at.y }, half + node, high / 2 + node), 0);
    const best = lines[i]?.labels.reduce((least, each) => (covered(each) < covered(least) ? each : least));
    if (best !== undefined) placed[i] = best;
  }
  return placed;
}

/** How far the label of an edge lies whose two homes are one bucket, in radii of its node. */
export const LOOP = 2.6;

/** 0, 1, -1, 2, -2, ... */
const aside = (twin: number): number => Math.ceil(twin / 2) * (twin % 2 === 0 ? -1 : 1);

/** An edge whose two homes are one bucket. */
function loop(node: Point, centre: Point, nodeRadius: number, twin: number): EdgeLine {
  const side = { x: (node.y - centre.y) / 6, y: (centre.x - node.x) / 6 };
  const outwards = onto(node, centre, -LOOP * nodeRadius);
  // Twins stand beside each other.
  const out = onto(
    outwards,
    { x: outwards.x + side.x, y: outwards.y + side.y },
    aside(twin) * LOOP * nodeRadius,
  );
  const start = onto(node, { x: out.x + side.x, y: out.y + side.y }, nodeRadius);
  const end = onto(node, { x: out.x - side.x, y: out.y - side.y }, nodeRadius + 2);
  const neck = onto(node, { x: out.x - side.x, y: out.y - side.y }, nodeRadius + 12);
  return {
    line: `M${start.x} ${start.y}C${out.x + 2 * side.x} ${out.y + 2 * side.y} ${out.x - 2 * side.x} ${out.y - 2 * side.y} ${neck.x} ${neck.y}`,
    head: headPath(neck, end),
    labels: [out],
  };
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
