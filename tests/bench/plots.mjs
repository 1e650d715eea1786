// Draws what `npm run bench -- scale --save=scale` keeps in results/scale.json, and `npm run bench -- paper --save=paper` in
// results/paper.json, as SVG, for the documentation.
// Run with `npm run bench -- plots`. Invariant: the same figures give the same bytes, so a test can tell whether the
// drawings are those of the stored figures.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

import { fail } from './timing.mjs';

const WIDTH = 720;
const HEIGHT = 400;
const LEFT = 56;
const TOP = 44;
const BOTTOM = HEIGHT - 48;
/** Where curves end; their names stand behind. */
const RIGHT = WIDTH - 168;
const COLOURS = [
  '#0b7285',
  '#c2255c',
  '#5f3dc4',
  '#e8590c',
  '#2b8a3e',
  '#495057',
  '#1864ab',
  '#a61e4d',
  '#5c940d',
  '#862e9c',
];

/** Path from this folder to drawing, of the stored figures. */
export function drawings() {
  return { ...scaleDrawings(), ...paperDrawings() };
}

function storedFigures(name) {
  const file = new URL(`results/${name}.json`, import.meta.url);
  if (!existsSync(file)) fail(`results/${name}.json is missing: run npm run bench -- ${name} --save=${name}`);
  return JSON.parse(readFileSync(file, 'utf8')).figures;
}

/** The figures of the paper, numbered as there. */
function paperDrawings() {
  const figures = storedFigures('paper');
  const series = (number, line) => {
    const points = figures.filter(
      ({ figure, line: its }) => figure === number && (line === undefined || line === its),
    );
    const name = (point) => (number < 4 ? point.line : point.filter);
    return [...new Set(points.map(name))].map((label) => ({
      label,
      points: points
        .filter((point) => name(point) === label)
        .sort((a, b) => a.x - b.x)
        .map(({ x, y }) => [x, y]),
    }));
  };
  const speed = (title, xTitle, series) => {
    const most = Math.max(...series.flatMap(({ points }) => points.map(([, y]) => y)));
    return draw({ title, xTitle, series, x: shares(), y: linear(0, most) });
  };
  const full = 'share of its capacity that the filter holds';
  const loads = series(2).filter(({ label }) => label.startsWith('b = 4') || label.endsWith('2^15'));
  return {
    '../../docs/inside/paper/figure-2.svg': draw({
      title: 'Figure 2: load when the first insert fails, by fingerprint bits',
      xTitle: 'bits of a fingerprint',
      series: loads,
      x: { ...linear(2, 20), text: String },
      y: shares(),
    }),
    '../../docs/inside/paper/figure-3.svg': draw({
      title: 'Figure 3: bits per item, by the false positive rate measured',
      xTitle: 'false positive rate',
      series: series(3),
      x: logarithmic(1e-5, 1, (rate) => `${Number((100 * rate).toPrecision(1))} %`),
      y: linear(0, 25),
    }),
    '../../docs/inside/paper/figure-4.svg': draw({
      title: 'Figure 4: bits per item that a false positive rate needs',
      xTitle: 'false positive rate',
      series: bitsByRate(),
      x: logarithmic(1e-5, 0.1, (rate) => `${Number((100 * rate).toPrecision(1))} %`),
      y: linear(0, 25),
    }),
    '../../docs/inside/paper/figure-5.svg': speed(
      'Figure 5: million lookups per second in full filters',
      'share of the keys asked that are present',
      series(5),
    ),
    '../../docs/inside/paper/figure-6a.svg': speed(
      'Figure 6a: million lookups per second of absent keys',
      full,
      series(6, 'absent'),
    ),
    '../../docs/inside/paper/figure-6b.svg': speed(
      'Figure 6b: million lookups per second of present keys',
      full,
      series(6, 'present'),
    ),
    '../../docs/inside/paper/figure-7.svg': speed('Figure 7: million inserts per second', full, series(7)),
    '../../docs/inside/paper/figure-8.svg': speed('Figure 8: million erases per second', full, series(8)),
  };
}

/** Table 2 of the paper, at the loads that it uses: a formula, not a measurement. */
function bitsByRate() {
  const rates = Array.from({ length: 33 }, (_, i) => 10 ** (-5 + i / 8));
  const curve = (label, bits) => ({ label, points: rates.map((rate) => [rate, bits(-Math.log2(rate))]) });
  return [
    curve('lower bound', (bits) => bits),
    curve('Bloom, best k', (bits) => 1.44 * bits),
    curve('CF, b = 4', (bits) => (bits + 3) / 0.955),
    curve('ss-CF, b = 4', (bits) => (bits + 2) / 0.955),
  ];
}

function scaleDrawings() {
  const stored = { figures: storedFigures('scale') };
  const series = (title, x) => {
    const figures = stored.figures.filter((figure) => figure.title === title);
    return [...new Set(figures.map(({ label }) => label))].map((label) => ({
      label,
      points: figures
        .filter((figure) => figure.label === label)
        .map((figure) => [figure[x], figure.nanoseconds]),
    }));
  };
  return {
    'results/by-size.svg': draw({
      title: 'Nanoseconds a key, by the size of a table at 95 %',
      xTitle: 'slots (4 a bucket, 12 bits each)',
      series: series('by size', 'slots'),
      x: logarithmic(1e3, 2e9),
      y: logarithmic(5, 1000),
    }),
    'results/by-load.svg': draw({
      title: 'Nanoseconds an insert, by how full the table is',
      xTitle: 'slots in use',
      series: series('by load', 'load'),
      x: {
        at: (value) => value,
        ticks: [0, 0.2, 0.4, 0.6, 0.8, 0.95],
        text: (value) => `${Math.round(100 * value)} %`,
      },
      y: logarithmic(10, 1000),
    }),
  };
}

/** An axis from 0 to 1. */
function shares() {
  return { ...linear(0, 1), ticks: [0, 0.25, 0.5, 0.75, 1], text: (share) => `${Math.round(100 * share)} %` };
}

/** An axis from `low` to `high` with about five round ticks. */
function linear(low, high) {
  const step = [1, 2, 5, 10, 20, 50, 100, 200].find((each) => (high - low) / each <= 6) ?? 500;
  const ticks = Array.from({ length: 7 }, (_, i) => Math.ceil(low / step) * step + i * step).filter(
    (tick) => tick <= high,
  );
  return { at: (value) => (value - low) / (high - low), ticks, text: String };
}

/** An axis from `low` to `high` with a tick at each power of ten. */
function logarithmic(low, high, text = (value) => value.toLocaleString('en', { notation: 'compact' })) {
  const at = (value) => Math.log(value / low) / Math.log(high / low);
  const ticks = Array.from({ length: 20 }, (_, i) => Number(`1e${i - 8}`)).filter(
    (tick) => tick >= low && tick <= high,
  );
  return { at, ticks, text };
}

function draw({ title, xTitle, series, x, y }) {
  const px = (value) => (LEFT + x.at(value) * (RIGHT - LEFT)).toFixed(1);
  const py = (value) => (BOTTOM - y.at(value) * (BOTTOM - TOP)).toFixed(1);
  const text = (at, down, words, attributes = '') =>
    `<text x="${at}" y="${down}" ${attributes}>${words}</text>`;
  const grid = [
    ...x.ticks.map(
      (tick) =>
        `<path d="M${px(tick)} ${TOP}V${BOTTOM}"/>${text(px(tick), BOTTOM + 18, x.text(tick), 'text-anchor="middle"')}`,
    ),
    ...y.ticks.map(
      (tick) =>
        `<path d="M${LEFT} ${py(tick)}H${RIGHT}"/>${text(LEFT - 8, Number(py(tick)) + 4, y.text(tick), 'text-anchor="end"')}`,
    ),
  ];
  const places = namePlaces(series.map(({ points }) => Number(py(points.at(-1)[1]))));
  const curves = series.map(({ label, points }, i) => {
    const path = points.map(([at, value]) => `${px(at)} ${py(value)}`).join('L');
    const [lastX, lastY] = [px(points.at(-1)[0]), py(points.at(-1)[1])];
    return (
      `<g stroke="${COLOURS[i]}"><path d="M${path}" fill="none" stroke-width="2"/>` +
      `<path d="M${lastX} ${lastY}L${RIGHT + 8} ${places[i].toFixed(1)}" stroke-dasharray="2 3"/></g>` +
      text(RIGHT + 12, (places[i] + 4).toFixed(1), label, `fill="${COLOURS[i]}"`)
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>${title}</title><rect width="100%" height="100%" fill="#fff"/>`,
    text(LEFT, 24, title, 'font-size="15" font-weight="600"'),
    text((LEFT + RIGHT) / 2, HEIGHT - 8, xTitle, 'text-anchor="middle"'),
    `<g stroke="#dee2e6" fill="#495057">${grid.join('').replaceAll('<text ', '<text stroke="none" ')}</g>`,
    ...curves,
    '</svg>\n',
  ].join('\n');
}

/** Heights for names that should stand at `wished`, far enough from each other to be read. */
function namePlaces(wished) {
  const APART = 15;
  const order = wished.map((_, i) => i).sort((a, b) => wished[a] - wished[b]);
  const places = [...wished];
  for (const [rank, i] of order.entries()) {
    if (rank > 0) places[i] = Math.max(places[i], places[order[rank - 1]] + APART);
  }
  const over = Math.max(0, places[order.at(-1)] - BOTTOM);
  return places.map((place) => place - over);
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  for (const [file, drawing] of Object.entries(drawings())) {
    const path = new URL(file, import.meta.url);
    mkdirSync(new URL('.', path), { recursive: true });
    writeFileSync(path, drawing);
    console.log(file);
  }
}
