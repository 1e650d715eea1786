// Draws the picture below the title of the README: an insert with two kicks, as SVG that moves, in docs/inside/pictures.
// Run `node scripts/pages/kick.mjs` after a build.
// Invariant: every fingerprint, bucket and move comes from the trace of the package. Those who ask for less motion see the
// same kicks as numbered arrows.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { CuckooFilter } from 'cuckoofilter-wasm/trace';

import { root } from '../run.mjs';

/** What the picture says: its last step is also what it says when it stands still. */
const WORDS = {
  en: {
    bucket: (number) => `bucket ${number}`,
    steps: ({ key, homes: [one, other], buckets: [bucket], prints: [, first, second] }) => [
      `“${key}” may go into bucket ${one} or ${other}, but both are full.`,
      `So it kicks ${first} out of bucket ${bucket}.`,
      `${first} moves to its other bucket, kicking ${second}.`,
      `${second} moves to its other bucket: there is room.`,
      'Two kicks, and no key is lost.',
    ],
  },
  zh: {
    bucket: (number) => `桶 ${number}`,
    steps: ({ key, homes: [one, other], buckets: [bucket], prints: [, first, second] }) => [
      `“${key}”只能放进桶 ${one} 或桶 ${other}，两个都满了。`,
      `于是它把 ${first} 踢出桶 ${bucket}。`,
      `${first} 搬到它的另一个桶，又踢出 ${second}。`,
      `${second} 搬到它的另一个桶，那里有空位。`,
      '踢了两次，一个键也没有丢。',
    ],
  },
};

/** The colours of the page (demo/src/styles/base.css and stage.css). */
const LOOKS = {
  light: {
    ink: '#182036',
    tray: '#e9ecf4',
    edge: '#7a839d',
    home: '#2a46cf',
    kick: '#c03d12',
    onKick: '#fff',
    chip: ['0.885 0.085', '0.62 0.12', '0.27 0.07'],
  },
  dark: {
    ink: '#edf0f9',
    tray: '#212838',
    edge: '#737e9c',
    home: '#9aacff',
    kick: '#ff9468',
    onKick: '#2a0f03',
    chip: ['0.42 0.085', '0.66 0.11', '0.965 0.025'],
  },
};

const SHAPE = { bucketCount: 6, bucketSize: 2, fingerprintBits: 8 };
const [WIDTH, HEIGHT, SECONDS] = [800, 310, 17];
const [CHIP_WIDTH, CHIP_HEIGHT] = [104, 48];
/** Heights of the middle of a chip that waits to come in, and of one that is out of its slot; and of the upper slots. */
const [WAITING, OUT, UPPER] = [30, 104, 172];
const columnOf = (bucket) => Math.round((WIDTH / SHAPE.bucketCount) * (bucket + 0.5));
/** The middle of a slot: buckets are filled from below. */
const placeOf = ({ bucket, slot }) => ({ x: columnOf(bucket), y: UPPER + (1 - slot) * (CHIP_HEIGHT + 6) });

/** The first insert with two kicks, each out of the upper slot of another bucket, so that no arrow crosses a chip. */
function findScene() {
  const names = 'alice bob carol dave erin frank grace heidi ivan judy ken lena mia nora olga pia'.split(' ');
  for (let round = 0; ; ++round) {
    const filter = new CuckooFilter({ capacity: 12, semiSort: false, ...SHAPE });
    for (let i = 0; i < names.length; ++i) {
      const key = names[(5 * i + round) % names.length];
      const table = filter.slots();
      const events = [];
      filter.trace((some) => events.push(...some));
      if (filter.tryAdd(key) !== 'added') break;
      const { primary, alternate } = events.find(({ kind }) => kind === 'locate');
      const moves = events.filter(({ kind }) => kind === 'kick' || kind === 'place');
      const isClear =
        moves.every(({ slot }) => slot === 1) && new Set(moves.map((move) => move.bucket)).size === 3;
      if (moves.length !== 3 || !isClear) continue;
      const [buckets, prints] = [moves.map(({ bucket }) => bucket), moves.map(({ after }) => hex(after))];
      return { key, table, moves, homes: [primary, alternate].sort(), buckets, prints };
    }
  }
}

const hex = (fingerprint) => `0x${fingerprint.toString(16).padStart(2, '0')}`;

/** Positions of a chip through the film: [second, x, y], and in between a straight line or an arc above the table. */
function filmOf({ moves }, number) {
  const [first, second, last] = moves.map(placeOf);
  // Out of its slot, and out of the way of what comes in.
  const out = ({ x }, to) => ({ x: x + Math.sign(to.x - x) * CHIP_WIDTH, y: OUT });
  const stays = [
    { from: { x: CHIP_WIDTH / 2 + 3, y: WAITING }, flights: [[3.6, 4.8, first]] },
    {
      from: first,
      flights: [
        [3, 3.6, out(first, second)],
        [6.6, 7.8, second],
      ],
    },
    {
      from: second,
      flights: [
        [6, 6.6, out(second, last)],
        [9.6, 10.8, last],
      ],
    },
  ];
  let { from } = stays[number];
  const frames = [[0, from.x, from.y]];
  for (const [start, end, to] of stays[number].flights) {
    for (let i = 0; i <= 12; ++i) {
      const t = i / 12;
      const eased = t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) ** 2;
      // Across first and down last, so that it comes from above.
      const isLeaving = to.y === OUT;
      const across = isLeaving ? eased ** 2 : Math.min(1, eased / 0.75);
      const down = isLeaving ? Math.min(1, eased / 0.75) : eased ** 5;
      frames.push([
        start + t * (end - start),
        from.x + (to.x - from.x) * across,
        from.y + (to.y - from.y) * down,
      ]);
    }
    from = to;
  }
  return [...frames, [SECONDS, from.x, from.y]];
}

const percent = (second) => `${Number(((100 * second) / SECONDS).toFixed(2))}%`;

function keyframes(name, frames, declarationOf) {
  return `@keyframes ${name}{${frames.map(([at, ...rest]) => `${percent(at)}{${declarationOf(...rest)}}`).join('')}}`;
}

/** Seen from one second to another. */
const shown = (name, from, to) =>
  `@keyframes ${name}{0%,${percent(Math.max(0, from - 0.2))}{opacity:${from > 0 ? 0 : 1}}${percent(from)},${percent(to)}{opacity:1}${to < SECONDS ? `${percent(to + 0.2)},` : ''}100%{opacity:${to < SECONDS ? 0 : 1}}}`;

/** When the steps begin, and the end of the last. */
const STEPS = [0, 3, 6, 9.6, 12.5, SECONDS];

function draw(scene, language, theme) {
  const look = LOOKS[theme];
  const { moves, table, homes } = scene;
  const words = WORDS[language].steps(scene);
  const places = moves.map(placeOf);
  const rect = (x, y, width, height, attributes) =>
    `<rect x="${x - width / 2}" y="${y - height / 2}" width="${width}" height="${height}" ${attributes}/>`;
  const chip = (fingerprint, { x, y }, name = '') => {
    const [fill, stroke, ink] = look.chip.map(
      (tone) => `oklch(${tone} ${Math.round((fingerprint * 137.508) % 360)})`,
    );
    const body = rect(
      0,
      0,
      CHIP_WIDTH,
      CHIP_HEIGHT,
      `rx="9" fill="${fill}" stroke="${stroke}" stroke-width="1.5"`,
    );
    const text = `<text class="print" y="9" fill="${ink}">${hex(fingerprint)}</text>`;
    return `<g ${name && `id="${name}" `}transform="translate(${x} ${y})">${body}${text}</g>`;
  };
  const middle = UPPER + (CHIP_HEIGHT + 6) / 2;
  const buckets = Array.from({ length: SHAPE.bucketCount }, (_, bucket) => {
    const x = columnOf(bucket);
    const tray = rect(x, middle, CHIP_WIDTH + 18, 2 * CHIP_HEIGHT + 22, `rx="12" fill="${look.tray}"`);
    const outline = homes.includes(bucket)
      ? rect(
          x,
          middle,
          CHIP_WIDTH + 18,
          2 * CHIP_HEIGHT + 22,
          `class="home" rx="12" fill="none" stroke="${look.home}" stroke-width="3"`,
        )
      : '';
    const slots = [0, 1].map((slot) => {
      const { x: left, y } = placeOf({ bucket, slot });
      const empty = rect(
        left,
        y,
        CHIP_WIDTH,
        CHIP_HEIGHT,
        `rx="9" fill="none" stroke="${look.edge}" stroke-width="1.5" stroke-dasharray="2 5"`,
      );
      const content = table[2 * bucket + slot];
      const isMoved = moves.slice(0, 2).some((move) => move.bucket === bucket && move.slot === slot);
      return empty + (content === 0 || isMoved ? '' : chip(content, { x: left, y }));
    });
    return `${tray}${outline}${slots.join('')}<text class="label" x="${x}" y="${HEIGHT - 8}">${WORDS[language].bucket(bucket)}</text>`;
  });
  /** The way in, which has no number, and the arrows of the kicks. */
  const arrow = (number, { x, y }, to) => {
    const top = to.y - CHIP_HEIGHT / 2 - 4;
    const left = x + Math.sign(to.x - x) * 28;
    const line =
      number === 0
        ? `M${x} ${y + 34}H${to.x - 16}Q${to.x} ${y + 34} ${to.x} ${y + 50}V${top - 12}`
        : `M${left} ${y - CHIP_HEIGHT / 2}C${left} ${OUT - 34} ${to.x} ${OUT - 34} ${to.x} ${top - 12}`;
    const badge = { x: (left + to.x) / 2, y: OUT - 16 };
    const sign =
      `<circle cx="${badge.x}" cy="${badge.y}" r="14" fill="${look.kick}"/>` +
      `<text class="number" x="${badge.x}" y="${badge.y + 7}">${number}</text>`;
    return (
      `<g id="arrow${number}"><path d="${line}" fill="none" stroke="${look.kick}" stroke-width="4"/>` +
      `<path d="M${to.x} ${top}l-9 -14h18Z" fill="${look.kick}"/>${number === 0 ? '' : sign}</g>`
    );
  };
  const waiting = { x: CHIP_WIDTH / 2 + 3, y: WAITING };
  const starts = [{ x: 12, y: WAITING }, places[0], places[1]];
  const captions = words.map(
    (line, i) =>
      `<text id="words${i}" class="words" x="${CHIP_WIDTH + 20}" y="${WAITING + 8}">${line}</text>`,
  );
  const chips = [
    [moves[0].after, waiting],
    [moves[1].after, places[0]],
    [moves[2].after, places[1]],
  ];
  const film = [
    ...chips.map((_, i) =>
      keyframes(
        `chip${i}`,
        filmOf(scene, i),
        (x, y) => `transform:translate(${Math.round(10 * x) / 10}px,${Math.round(10 * y) / 10}px)`,
      ),
    ),
    ...words.map((_, i) => shown(`words${i}`, STEPS[i], i < 4 ? STEPS[i + 1] - 0.2 : SECONDS)),
    shown('home', 0, 5),
    shown('arrow1', 7.8, SECONDS),
    shown('arrow2', 10.8, SECONDS),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${words[4]}">
<style>
text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Liberation Sans','PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif;fill:${look.ink}}
.print{font:600 26px ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace;text-anchor:middle}
.label{font-size:20px;text-anchor:middle}.words{font-size:24px}
.number{font-size:19px;font-weight:700;text-anchor:middle;fill:${look.onKick}}
#words0,#words1,#words2,#words3{opacity:0}
@media (prefers-reduced-motion:no-preference){
#arrow0{display:none}
${['chip0', 'chip1', 'chip2', 'words0', 'words1', 'words2', 'words3', 'words4', 'arrow1', 'arrow2'].map((name) => `#${name}{animation:${name} ${SECONDS}s linear infinite}`).join('')}.home{animation:home ${SECONDS}s linear infinite}
${film.join('\n')}
}
</style>
${buckets.join('\n')}
${[0, 1, 2].map((i) => arrow(i, starts[i], places[i])).join('\n')}
${captions.join('\n')}
${chips.map(([fingerprint, at], i) => chip(fingerprint, at, `chip${i}`)).join('\n')}
</svg>
`;
}

const folder = join(root, 'docs/inside/pictures');
await mkdir(folder, { recursive: true });
const scene = findScene();
for (const language of Object.keys(WORDS))
  for (const theme of Object.keys(LOOKS))
    await writeFile(join(folder, `kick-${language}-${theme}.svg`), draw(scene, language, theme));
