// Draws what `npm run bench -- scale --save=scale` keeps in results/scale.json as SVG, for the documentation.
// Run with `npm run bench -- plots`. Invariant: the same figures give the same bytes, so a test can tell whether the
// drawings are those of the stored figures.
import { readFileSync, writeFileSync } from 'node:fs';

const WIDTH = 720;
const HEIGHT = 400;
const LEFT = 56;
const TOP = 44;
const BOTTOM = HEIGHT - 48;
/** Where curves end; their names stand behind. */
const RIGHT = WIDTH - 168;
const COLOURS = ['#0b7285', '#c2255c', '#5f3dc4', '#e8590c', '#2b8a3e', '#495057'];

/** File name to drawing, of the stored figures. */
export function drawings() {
  const stored = JSON.parse(readFileSync(new URL('results/scale.json', import.meta.url), 'utf8'));
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
    'by-size.svg': draw({
      title: 'Nanoseconds a key, by the size of a table at 95 %',
      xTitle: 'slots (4 a bucket, 12 bits each)',
      series: series('by size', 'slots'),
      x: logarithmic(1e3, 2e9),
      y: logarithmic(5, 1000),
    }),
    'by-load.svg': draw({
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

/** An axis from `low` to `high` with a tick at each power of ten. */
function logarithmic(low, high) {
  const at = (value) => Math.log(value / low) / Math.log(high / low);
  const ticks = Array.from({ length: 12 }, (_, power) => 10 ** power).filter(
    (tick) => tick >= low && tick <= high,
  );
  return { at, ticks, text: (value) => value.toLocaleString('en', { notation: 'compact' }) };
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
    writeFileSync(new URL(`results/${file}`, import.meta.url), drawing);
    console.log(`tests/bench/results/${file}`);
  }
}
