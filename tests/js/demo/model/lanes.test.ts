// The arrows of many kick paths, on tables as wide as a phone's, a laptop's and a large screen's, and those of the first
// picture: no two of them run over each other. In the first table, arrows 1 and 4 once lay in one lane; in the first
// picture, two arrows did so for every second name.
import { expect, test } from '@jest/globals';
import { opened, tried } from '../../../../demo/src/core/filling';
import { filmOf } from '../../../../demo/src/core/film';
import { namesOf as firstNames } from '../../../../demo/src/i18n/en-first-names';
import { namesOf as fullNames } from '../../../../demo/src/i18n/zh-first-names';
import {
  bucketBox,
  layoutOf,
  slotBox,
  slotHeadings,
  type Box,
} from '../../../../demo/src/model/picture/layout';
import type { Point } from '../../../../demo/src/model/picture/lanes';
import { waysOf } from '../../../../demo/src/model/picture/trays';
import { FIRST_CHINESE, sampleKey } from '../../../../demo/src/model/samples';
import { taskOf } from '../../../../demo/src/model/scenes';
import { arrowsOf } from '../../../../demo/src/model/trace/marks';
import { next, type Session } from '../../../../demo/src/model/trace/session';
import { runs } from '../../support/long';
import {
  arranged,
  edgesOf,
  nodeAt,
  radiusIn,
  waysOf as graphWays,
} from '../../../../demo/src/model/picture/graph';
import { DEFAULTS, type Settings } from '../../../../demo/src/model/settings';

/** Pixels of the table, and whether its screen is low. */
const WIDTHS = [
  [320, true],
  [560, true],
  [1200, false],
] as const;
/** Pixels between the middles of two lines that leave light between them. */
const APART = 3.5;
/** Pixels by which two lines that follow each other in one lane look like one. */
const CORNER = 7;
const TABLES = runs(8, 200);
const INSERTS = 12;

/** The table after every kick of its next inserts, and after each. */
function* kicked(settings: Settings): Generator<Session> {
  const { engine, session } = opened(settings);
  let now = session;
  for (let i = 0; i < INSERTS; ++i) {
    const key = sampleKey(settings.seed, session.sampleCount + i);
    now = next(now, { type: 'ran', key, events: engine.run('insert', key) });
    const { first = 0, last = 0 } = now.timeline.operations.at(-1) ?? {};
    for (let at = first + 1; at <= last; ++at)
      if (['kick', 'place'].includes(now.timeline.steps[at - 1]?.kind ?? ''))
        yield next(now, { type: 'stand', cursor: at });
  }
  engine.dispose();
}

/** Pixels between two lines where they run side by side, upright and level ones; lines that do not are as far as can be. */
function gapBetween(one: readonly Point[], other: readonly Point[]): number {
  const gaps = (['x', 'y'] as const).flatMap((across) => {
    const along = across === 'x' ? 'y' : 'x';
    const level = (points: readonly Point[]) =>
      points.slice(1).flatMap((to, i) => {
        const from = points[i] ?? to;
        if (from[across] !== to[across]) return [];
        return [{ at: to[across], span: [from[along], to[along]].sort((a, b) => a - b) as [number, number] }];
      });
    return level(one).flatMap(({ at, span: [from, to] }) =>
      level(other).map(({ at: there, span: [start, end] }) =>
        from < end + CORNER && start < to + CORNER ? Math.abs(at - there) : Infinity,
      ),
    );
  });
  return Math.min(...gaps);
}

/** Where upright parts of one line meet level parts of the other. */
function crossings(one: readonly Point[], other: readonly Point[]): Point[] {
  const parts = (points: readonly Point[]) =>
    points.slice(1).map((to, i) => {
      const { x, y } = points[i] ?? to;
      return {
        x: [Math.min(x, to.x), Math.max(x, to.x)],
        y: [Math.min(y, to.y), Math.max(y, to.y)],
      } as const;
    });
  const share = (a: readonly [number, number], b: readonly [number, number]) => a[0] <= b[1] && b[0] <= a[1];
  return parts(one).flatMap((a) =>
    parts(other)
      .filter((b) => share(a.x, b.x) && share(a.y, b.y))
      .map((b) => ({ x: Math.max(a.x[0], b.x[0]), y: Math.max(a.y[0], b.y[0]) })),
  );
}

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);

function leastGap(lines: readonly (readonly Point[])[]): number {
  return Math.min(...lines.flatMap((one, i) => lines.slice(0, i).map((other) => gapBetween(one, other))));
}

test.each(WIDTHS)('no two arrows of a kick path share a stretch of a lane: %p pixels', (width, isLow) => {
  for (let round = 0; round < TABLES; ++round) {
    const seed = DEFAULTS.seed + 300 + round;
    const settings = { ...DEFAULTS, bucketSize: [4, 2, 1, 8][round % 4] ?? 4, seed };
    const layout = layoutOf(settings, width, isLow);
    for (const session of kicked(settings)) {
      const lines = arrowsOf(session, layout).map(({ route }) => route.points);
      expect(leastGap(lines)).toBeGreaterThanOrEqual(APART);
    }
  }
});

test.each(WIDTHS)(
  'arrows of scene 4 cross where it can be seen, and end apart: %p pixels',
  (width, isLow) => {
    for (const part of [0, 1] as const)
      for (let round = 0; round < 10; ++round) {
        const task = taskOf('kick', part, round);
        if (task === null) throw new Error('the scene asks nothing');
        const layout = layoutOf(task.settings, width, isLow);
        const done = tried(task.settings, ({ engine, session }) =>
          task.run.reduce(
            (now, { name, key }) => next(now, { type: 'ran', key, events: engine.run(name, key) }),
            session,
          ),
        );
        for (let cursor = 1; cursor <= done.timeline.steps.length; ++cursor) {
          const routes = arrowsOf(next(done, { type: 'stand', cursor }), layout).map(({ route }) => route);
          for (const [i, one] of routes.entries())
            for (const other of routes.slice(0, i)) {
              const met = crossings(one.points, other.points);
              const corners = [...one.points, ...other.points];
              expect(met.filter((at) => corners.some((each) => distance(at, each) < CORNER))).toEqual([]);
              expect(
                met.filter((at) => distance(at, one.badge) < 12 || distance(at, other.badge) < 12),
              ).toEqual([]);
              const [end, otherEnd] = [one.points.at(-1), other.points.at(-1)];
              expect(distance(end ?? one.badge, otherEnd ?? other.badge)).toBeGreaterThanOrEqual(20);
            }
        }
      }
  },
);

const BIG_TABLE = { ...DEFAULTS, bucketCount: 16 };

/** Whether a line of `width` pixels runs over any of the boxes. */
function covers(points: readonly Point[], boxes: readonly Box[], width: number): boolean {
  const by = width / 2;
  return points.slice(1).some((to, i) => {
    const from = points[i] ?? to;
    return boxes.some(
      ({ x, y, width: wide, height }) =>
        Math.max(from.x, to.x) + by > x &&
        Math.min(from.x, to.x) - by < x + wide &&
        Math.max(from.y, to.y) + by > y &&
        Math.min(from.y, to.y) - by < y + height,
    );
  });
}

// Half the width and height of the letters of a heading, and where the name of a home begins and ends.
test.each([
  [336, true, false, [4, 4.5], [8, 48]],
  [780, true, false, [18, 4.5], [12, 52]],
  [1200, false, false, [21, 5.5], [12, 60]],
  [1091, true, true, [26, 9], [12, 74]],
] as const)(
  'no arrow covers the number of a slot or the name of a home: %p pixels',
  (width, isLow, isSlide, [across, up], [starts, ends]) => {
    for (const table of [DEFAULTS, BIG_TABLE])
      for (let round = 0; round < TABLES; ++round) {
        const settings = { ...table, seed: DEFAULTS.seed + 300 + round };
        const layout = layoutOf(settings, width, isLow, isSlide);
        const labels = [
          ...slotHeadings(layout).map(({ x, y }) => ({
            x: x - across,
            y: y - up,
            width: 2 * across,
            height: 2 * up,
          })),
          ...Array.from({ length: settings.bucketCount }, (_, bucket) => {
            const { x, y, height } = bucketBox(layout, bucket);
            return { x: x + starts, y, width: ends - starts, height };
          }),
        ];
        for (const session of kicked(settings))
          for (const { route, number } of arrowsOf(session, layout))
            expect(covers(route.points, labels, number === null ? 2.5 : 3)).toBe(false);
      }
  },
);

test('the number of a kick covers no chip, in whatever lane its arrow runs', () => {
  const settings = { ...DEFAULTS, seed: DEFAULTS.seed + 300 };
  const layout = layoutOf(settings, 320, true);
  const { bucketCount, bucketSize } = settings;
  const slots = Array.from({ length: bucketCount * bucketSize }, (_, i) =>
    slotBox(layout, Math.floor(i / bucketSize), i % bucketSize),
  );
  for (const session of kicked(settings))
    for (const { number, route } of arrowsOf(session, layout)) {
      const { x } = route.badge;
      const covered = slots.filter((slot) => x > slot.x - 8 && x < slot.x + slot.width + 8);
      expect(number === null ? [] : covered).toEqual([]);
    }
});

test.each([
  ['English', 133, firstNames],
  ['Chinese', 110 + FIRST_CHINESE, fullNames],
] as const)('no two arrows of the first picture do, or cross, with %s names', (_, seed, namesOf) => {
  for (const name of namesOf(0).slice(0, runs(25, 400))) {
    const lines = waysOf(filmOf(name, seed).moves).map(({ points }) => points);
    const met = lines.flatMap((one, i) => lines.slice(0, i).flatMap((other) => crossings(one, other)));
    expect([name, leastGap(lines) >= APART, met]).toEqual([name, true, []]);
  }
});

test('the fingerprints of a graph lie beside each other, and no loop covers anything, in tables of which most are nearly full', () => {
  const sizes = { node: 19, half: 23, high: 24 };
  const { node, half, high } = sizes;
  const centre = { x: 260, y: 260 };
  const radius = radiusIn(520, 520, sizes);
  let covering = 0;
  for (let seed = 1; seed <= 24; ++seed) {
    const { engine, session } = opened({ ...DEFAULTS, seed, samplePercent: 95 });
    engine.dispose();
    const { state } = session.place;
    const { bucketCount } = state.shape;
    const nodes = Array.from({ length: bucketCount }, (_, i) => nodeAt(i, bucketCount, centre, radius));
    const edges = edgesOf(state);
    const ways = arranged(
      edges.map((edge) => graphWays(edge, bucketCount, centre, radius, sizes)),
      nodes,
      sizes,
    );
    expect(ways.length).toBeGreaterThan(27);
    const meet = (one: Point, other: Point, width: number, height: number): boolean =>
      Math.abs(one.x - other.x) < width && Math.abs(one.y - other.y) < height;
    for (const [i, { label, neck }] of ways.entries()) {
      const met = ways.filter((way, j) => j !== i && meet(label, way.label, 2 * half, high));
      covering += met.length / 2;
      if (neck === undefined) continue;
      const onNode = nodes.filter((at) => meet(label, at, half + node, high / 2 + node));
      const onLoop = ways.filter((way, j) => j !== i && meet(neck, way.label, half, high / 2));
      expect([seed, met, onNode, onLoop]).toEqual([seed, [], [], []]);
    }
  }
  // Placed once, in the order of the slots, one pair a table covered each other.
  expect(covering).toBeLessThanOrEqual(2);
});
