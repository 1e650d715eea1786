// `npm run bench -- paper`: the paper's evaluation (Fan et al. 2014, section 7) on this machine: Table 3, the sentences of
// section 7 and whether they hold, what CF takes to build beside BF and QF, and with --save=paper the figures that
// `npm run bench -- plots` draws. --full takes the paper's size, 192 MB a filter; --builds measures only the builds,
// in more rounds. Invariant: every verdict is computed from figures of the same run.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { keep, median, printMachine } from '../timing.mjs';
import { PAPER } from './paper-table.mjs';

const [program, ...words] = process.argv.slice(2);
const isFull = words.includes('--full');
const isBuilds = words.includes('--builds');
/** Tables of 2^n buckets of four slots of 12 bits: 192 MB, and 12 MB, which no processor's own cache per core holds. */
const LOG2_BUCKETS = isFull ? 25 : 21;

printMachine('fixed');
console.log(`tables of 2^${LOG2_BUCKETS} buckets of four 12-bit slots, or as many bytes`);
const rows = [];
const points = [];
/** Nanoseconds a key of each fill. */
const fills = {};
const rounds = isBuilds ? 3 : 1;
await measure([LOG2_BUCKETS, isFull ? rounds : 3 * rounds, ...(isBuilds ? ['builds'] : [])], (line) => {
  if (line.filled !== undefined) fills[line.filled] = line.nanoseconds;
  if (line.table === 3) rows.push(line);
  if (line.figure !== undefined) points.push(line);
  if (line.fault !== undefined) throw new Error(line.fault);
});
rows.forEach((row) => keep(row));
points.forEach((point) => keep(point));
if (!isBuilds) {
  printTable();
  printClaims();
}
printBuilds();

/** Runs the native program, which prints a line of JSON for each result. */
async function measure(parameters, use) {
  const child = spawn(program, parameters.map(String), { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  for await (const line of createInterface({ input: child.stdout })) use(JSON.parse(line));
  const code = await ended;
  if (code !== 0) throw new Error(`${program} ended with exit code ${code}`);
}

function printTable() {
  console.log('\nTable 3: measured here (in the paper)\n');
  console.log(
    '| filter | million items | bits per item | false positive rate | by formula | build, M/s | cache lines read: absent, present |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  for (const { filter, items, bits, rate, expected, build, linesAbsent, linesPresent } of rows) {
    const paper = PAPER[filter] ?? [];
    const beside = (here, there) => (there === undefined ? here : `${here} (${there})`);
    const percent = (share) => `${(100 * share).toFixed(2)} %`;
    console.log(
      `| ${filter} | ${beside((items / 1e6).toFixed(2), isFull ? paper[0] : undefined)} | ` +
        `${beside(bits.toFixed(2), paper[1])} | ` +
        `${beside(percent(rate), paper[2] && percent(paper[2]))} | ${percent(expected)} | ` +
        `${beside(build.toFixed(2), paper[3])} | ${linesAbsent.toFixed(1)}, ${linesPresent.toFixed(1)} |`,
    );
  }
}

/** The points of a curve, by x. */
function curve(figure, filter, line) {
  return points
    .filter((point) => point.figure === figure && point.filter === filter)
    .filter((point) => line === undefined || point.line === line)
    .sort((a, b) => a.x - b.x)
    .map(({ y }) => y);
}

/** What section 7 says, as tests of the figures. Each gives [whether it holds, the figures that decide]. */
function claims() {
  const row = (name) => rows.find(({ filter }) => filter === name);
  const rate = (name) => row(name).rate;
  const speed = (name, share) => curve(5, name)[share * 4];
  const ratio = (above, below) => (above / below).toFixed(2);
  const first = (list) => list[0];
  const last = (list) => list.at(-1);
  const spread = (list) => Math.max(...list) / Math.min(...list);
  const six = Object.keys(PAPER);
  const fastest = (figures, name) => {
    const [winner, best] = Object.entries(figures).reduce((a, b) => (b[1] > a[1] ? b : a));
    return [winner === name, `${name} ${figures[name].toFixed(1)}, fastest ${winner} ${best.toFixed(1)} M/s`];
  };
  const erasing = { CF: 0, 'ss-CF': 0, QF: 0, 'dl-CBF': 0 };
  for (const name of Object.keys(erasing)) erasing[name] = median(curve(8, name));
  const mean = (name) => median(curve(5, name));
  return [
    [
      'ss-CF has the lowest rate of all, about half of CF’s',
      [six.every((name) => rate('ss-CF') <= rate(name)), `${ratio(rate('ss-CF'), rate('CF'))} of CF’s`],
    ],
    [
      'CF and ss-CF take the fewest bits per item of the six',
      [
        six.every((name) => ['CF', 'ss-CF'].includes(name) || row(name).bits > row('CF').bits),
        six.map((name) => `${name} ${row(name).bits.toFixed(2)}`).join(', '),
      ],
    ],
    [
      'Blocks cost rate: blk-BF errs twice as often as BF',
      [rate('blk-BF') / rate('BF') >= 1.4, `${ratio(rate('blk-BF'), rate('BF'))} times`],
    ],
    [
      'dl-CBF refuses keys from about 78 % on, and errs most of all',
      [
        six.every((name) => rate('dl-CBF') >= rate(name)),
        `${((100 * row('dl-CBF').items) / (4 * 2 ** LOG2_BUCKETS)).toFixed(1)} % full, rate ${(100 * rate('dl-CBF')).toFixed(2)} %`,
      ],
    ],
    [
      'blk-BF is the fastest to build',
      fastest(Object.fromEntries(six.map((name) => [name, row(name).build])), 'blk-BF'),
    ],
    [
      'CF builds faster than every other but blk-BF',
      [
        six.every((name) => ['CF', 'blk-BF'].includes(name) || row('CF').build >= row(name).build),
        six.map((name) => `${name} ${row(name).build.toFixed(1)}`).join(', '),
      ],
    ],
    [
      'QF is the slowest to build',
      [
        six.every((name) => row('QF').build <= row(name).build),
        `${ratio(row('QF').build, row('CF').build)} of CF`,
      ],
    ],
    [
      'CF answers as fast for present keys as for absent ones',
      [
        Math.abs(speed('CF', 1) / speed('CF', 0) - 1) < 0.1,
        `present ${speed('CF', 1).toFixed(1)}, absent ${speed('CF', 0).toFixed(1)} M/s`,
      ],
    ],
    [
      'CF is slowest where half of the keys are present, as branches cannot be predicted',
      [
        speed('CF', 0.5) < 0.95 * Math.min(speed('CF', 0), speed('CF', 1)),
        `${ratio(speed('CF', 0.5), speed('CF', 0))} of absent`,
      ],
    ],
    [
      'blk-BF answers absent keys fast, and slower the more are present',
      [
        speed('blk-BF', 1) < 0.9 * speed('blk-BF', 0),
        `${ratio(speed('blk-BF', 1), speed('blk-BF', 0))} of absent`,
      ],
    ],
    [
      'BF gets slower the more keys are present',
      [speed('BF', 1) < 0.9 * speed('BF', 0), `${ratio(speed('BF', 1), speed('BF', 0))} of absent`],
    ],
    [
      'ss-CF is faster than BF where more than a quarter of the keys are present',
      [
        speed('ss-CF', 0.5) > speed('BF', 0.5) && speed('ss-CF', 1) > speed('BF', 1),
        `at a half ${ratio(speed('ss-CF', 0.5), speed('BF', 0.5))}, at all ${ratio(speed('ss-CF', 1), speed('BF', 1))} of BF`,
      ],
    ],
    [
      'QF is the slowest to answer when full',
      [
        six.every((name) => mean('QF') <= mean(name)),
        six.map((name) => `${name} ${mean(name).toFixed(1)}`).join(', '),
      ],
    ],
    [
      'dl-CBF answers at about the same speed for present and absent keys',
      [
        Math.abs(speed('dl-CBF', 1) / speed('dl-CBF', 0) - 1) < 0.15,
        `present ${ratio(speed('dl-CBF', 1), speed('dl-CBF', 0))} of absent`,
      ],
    ],
    [
      'Lookups of CF and ss-CF do not depend on the load',
      [
        spread(curve(6, 'CF', 'absent')) < 1.5 && spread(curve(6, 'ss-CF', 'absent')) < 1.5,
        `fastest over slowest: CF ${spread(curve(6, 'CF', 'absent')).toFixed(2)}, ss-CF ${spread(curve(6, 'ss-CF', 'absent')).toFixed(2)}`,
      ],
    ],
    [
      'QF answers slower the fuller it is',
      [
        last(curve(6, 'QF', 'absent')) < 0.7 * first(curve(6, 'QF', 'absent')),
        `full ${ratio(last(curve(6, 'QF', 'absent')), first(curve(6, 'QF', 'absent')))} of nearly empty`,
      ],
    ],
    [
      'Bloom filters deny absent keys slower the fuller they are; present keys always take k bits',
      [
        last(curve(6, 'BF', 'absent')) < 0.8 * first(curve(6, 'BF', 'absent')) &&
          spread(curve(6, 'BF', 'present')) < 1.5,
        `absent: full ${ratio(last(curve(6, 'BF', 'absent')), first(curve(6, 'BF', 'absent')))} of nearly empty; present: fastest over slowest ${spread(curve(6, 'BF', 'present')).toFixed(2)}`,
      ],
    ],
    [
      'CF inserts slower the fuller it is',
      [
        last(curve(7, 'CF')) < 0.5 * first(curve(7, 'CF')),
        `full ${ratio(last(curve(7, 'CF')), first(curve(7, 'CF')))} of empty`,
      ],
    ],
    [
      'QF inserts slower the fuller it is',
      [
        last(curve(7, 'QF')) < 0.5 * first(curve(7, 'QF')),
        `full ${ratio(last(curve(7, 'QF')), first(curve(7, 'QF')))} of empty`,
      ],
    ],
    [
      'Bloom filters insert at a constant speed',
      [spread(curve(7, 'BF')) < 1.5, `fastest over slowest ${spread(curve(7, 'BF')).toFixed(2)}`],
    ],
    [
      'dl-CBF inserts at a constant speed',
      [spread(curve(7, 'dl-CBF')) < 1.5, `fastest over slowest ${spread(curve(7, 'dl-CBF')).toFixed(2)}`],
    ],
    ['CF is the fastest to erase', fastest(erasing, 'CF')],
    [
      'QF is the slowest to erase when nearly full, and faster than ss-CF when nearly empty',
      [
        ['CF', 'ss-CF', 'dl-CBF'].every((name) => last(curve(8, 'QF')) <= last(curve(8, name))) &&
          first(curve(8, 'QF')) > first(curve(8, 'ss-CF')),
        `full: ${ratio(last(curve(8, 'QF')), last(curve(8, 'CF')))} of CF; nearly empty: ${ratio(first(curve(8, 'QF')), first(curve(8, 'ss-CF')))} of ss-CF`,
      ],
    ],
  ];
}

function printClaims() {
  const all = claims();
  console.log('\nWhat section 7 says\n');
  console.log('| the paper | on this machine | figures |');
  console.log('| --- | --- | --- |');
  for (const [text, [holds, figures]] of all) {
    keep({ claim: text, holds, figures });
    console.log(`| ${text} | ${holds ? 'holds' : 'does not hold'} | ${figures} |`);
  }
  console.log(`\n${all.filter(([, [holds]]) => holds).length} of ${all.length} hold`);
}

/** How many times as fast CF is built as BF and QF, beside the same ratio of the paper's Table 3. */
function printBuilds() {
  console.log(
    '\nBuilds in turns, one key per call, CF to a load of 95 %: ns a key, of each part the least of all rounds\n',
  );
  console.log('| filter | ns a key | CF is so many times as fast | in the paper | asked |');
  console.log('| --- | --- | --- | --- | --- |');
  for (const [filter, nanoseconds] of Object.entries(fills)) {
    const ratio = nanoseconds / fills.CF;
    const asked = filter === 'CF' ? '' : `1.2: ${ratio >= 1.2 ? 'reached' : 'not reached'}`;
    const inPaper = (PAPER.CF[3] / PAPER[filter][3]).toFixed(1);
    console.log(`| ${filter} | ${nanoseconds.toFixed(1)} | ${ratio.toFixed(2)} | ${inPaper} | ${asked} |`);
  }
}
