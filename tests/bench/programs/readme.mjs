// `npm run bench -- readme`: prints the table under "Numbers" in the README, measured in one run, which takes about ten
// minutes; `npm run bench -- readme 100000` takes that many lines.
// The Bloom filter is `bloomfilter`, the fastest of those that `npm run bench -- peers` can install.
// Invariant: contenders take turns on the same keys; a ratio is the median over the rounds, and a range is over the sizes,
// each of which has a process of its own.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { CuckooFilter } from 'cuckoofilter-wasm';

import { asking, calling, fresh, mixed, peer, timed } from '../calls/strings.mjs';
import { inOwnProcess, keep, median, printMachine, printUsed, rounds, use } from '../timing.mjs';

const SIZES = [100_000, 1_000_000];
const ROUNDS = 9;
const RATE = 0.001;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

const size = process.argv.find((word) => word.startsWith('--size='))?.slice('--size='.length);
/** What each size gave: `times` as `measure` has them, `bitsPerKey`, and `setBits` of Sets with their strings. */
const measured = [];
if (size === undefined) await printTable();
else {
  keep(await measure(Number(size)));
  printUsed();
}

async function printTable() {
  printMachine('none');
  const [core, reader] = ['`CuckooFilter`', '`FilterReader`'].map(gzippedSizes());
  for (const count of SIZES) measured.push(...(await inOwnProcess(import.meta.url, `--size=${count}`)));
  const { lines, awk, sort, dedup } = dedupRun();
  for (const figure of [...measured, { lines, awk, sort, dedup }]) keep(figure);

  const bitsPerKey = measured.at(-1).bitsPerKey.toFixed(2);
  const bloomBits = (Math.log2(1 / RATE) / Math.LN2).toFixed(2);
  const beside = (name, [set, setName], bloom) =>
    `${ratio(name, set)} times \`${setName}\`, ${ratio(name, bloom)} times the Bloom filter`;
  const table = [
    ['what', 'this package', 'compared with'],
    ['---', '---', '---'],
    [
      'memory, 0.1 % false positives',
      `${bitsPerKey} bits per key`,
      `\`Set\`, with its strings: ${rangeOf(measured.flatMap(({ setBits }) => setBits))}; optimal Bloom filter: ${bloomBits}`,
    ],
    ...['new', 'known'].map((kind) => [
      `\`contains\`, ${kind} strings`,
      speed(`contains, ${kind}`),
      beside(`contains, ${kind}`, [`Set.has, ${kind}`, 'Set.has'], `bloom, ${kind}`),
    ]),
    [
      '`containsMany`, known strings',
      speed('containsMany, known'),
      beside('containsMany, known', ['Set.has, known', 'Set.has'], 'bloom, known'),
    ],
    ['`add`, new strings', speed('add'), beside('add', ['Set.add', 'Set.add'], 'bloom.add')],
    [`\`dedup\`, ${lines} lines`, dedup, `\`awk\`: ${awk}; \`sort -u\`: ${sort}`],
    ['download, with WebAssembly', `${core} kB gzipped`, `\`FilterReader\`: ${reader} kB`],
  ];
  console.log(
    `\n${SIZES.map((size) => size.toLocaleString('en')).join(' to ')} strings of 13 characters; half of those asked are present\n`,
  );
  for (const row of table) console.log(`| ${row.join(' | ')} |`);
}

/** Nanoseconds a key of each contender, by its name, for `count` keys; and the bits that a key takes in a full filter and a Set. */
async function measure(count) {
  const numbers = Array.from({ length: count }, (_, i) => i);
  // The second has just doubled its table.
  const setBits = [1, 0.53].map((part) => setBitsOf(numbers.slice(0, part * count)));
  const [present, asked] = [fresh(numbers), mixed(count)];
  const known = fresh(asked);
  const filter = CuckooFilter.from(present, { falsePositiveRate: RATE });
  const { BloomFilter } = await peer('bloomfilter');
  const makeBloom = () => BloomFilter.withTargetError(count, RATE);
  const [set, bloom] = [new Set(present), makeBloom()];
  for (const key of present) bloom.add(key);
  const asks = { contains: [filter, 'contains'], 'Set.has': [set, 'has'], bloom: [bloom, 'test'] };
  const lookups = Object.entries(asks).flatMap(([name, [it, method]]) => {
    const [ofNew, ofKnown] = [asking(method), asking(method)];
    return [
      [`${name}, new`, () => timed(ofNew, it, fresh(asked))],
      [`${name}, known`, () => timed(ofKnown, it, known)],
    ];
  });
  const makes = {
    add: () => new CuckooFilter({ capacity: count, falsePositiveRate: RATE }),
    'Set.add': () => new Set(),
    'bloom.add': makeBloom,
  };
  const inserts = Object.entries(makes).map(([name, make]) => {
    const loop = calling('add');
    return [
      name,
      () => {
        const it = make();
        const spent = timed(loop, it, fresh(numbers));
        it.dispose?.();
        return spent;
      },
    ];
  });
  const inOneCall = () => {
    const start = performance.now();
    use(filter.containsMany(known)[7]);
    return ((performance.now() - start) * 1e6) / count;
  };
  const contenders = [...lookups, ['containsMany, known', inOneCall], ...inserts];
  // A contender that allocates must not pay for the strings that others have left.
  const swept = contenders.map(([name, run]) => [name, () => (collect(), run())]);
  const times = await rounds(ROUNDS, Object.fromEntries(swept));
  const bitsPerKey = (8 * filter.byteLength) / count;
  filter.dispose();
  return { count, times, bitsPerKey, setBits };
}

function setBitsOf(numbers) {
  // In a function of its own, so that nothing else holds the strings.
  const make = () => new Set(fresh(numbers));
  collect();
  const before = process.memoryUsage().heapUsed;
  const set = make();
  collect();
  return (8 * (process.memoryUsage().heapUsed - before)) / set.size;
}

/** The least and the most of what the sizes gave, with two digits. */
function rangeOf(figures) {
  const texts = figures.toSorted((a, b) => a - b).map((figure) => Number(figure.toPrecision(2)));
  return texts[0] === texts.at(-1) ? `${texts[0]}` : `${texts[0]} to ${texts.at(-1)}`;
}

function speed(name) {
  return `${rangeOf(measured.map(({ times }) => 1000 / median(times[name])))} million/s`;
}

/** How many times as fast as `reference` `name` is. */
function ratio(name, reference) {
  const ratios = measured.map(({ times }) =>
    median(times[name].map((time, i) => times[reference][i] / time)),
  );
  return rangeOf(ratios);
}

/** What the bench of the command prints of its first file, of which nine lines in ten are distinct. */
function dedupRun() {
  const printed = outputOf(
    'dedup',
    process.argv.slice(2).filter((word) => !word.startsWith('--')),
  );
  const part = printed.split('\n\n').at(-1);
  const of = (name) => {
    const [, seconds, megabytes] = new RegExp(`^ +${name}.*? ([\\d.]+) s \\(.*?\\) +(\\d+) MB`, 'm').exec(
      part,
    );
    return `${Number(seconds).toFixed(1)} s, ${megabytes} MB`;
  };
  const [awk, sort, dedup] = ['awk', 'sort', 'cuckoofilter-wasm dedup'].map(of);
  return { lines: part.split(' ')[0], awk, sort, dedup };
}

/** How many kB each line of the bench of bundles has after gzip, by the line's name. */
function gzippedSizes() {
  const printed = outputOf('bundles', []);
  const rows = printed.split('\n').map((line) => line.split(' | '));
  return (name) => parseFloat(rows.find(([first]) => first === `| ${name}`)[2]);
}

function outputOf(bench, words) {
  const program = fileURLToPath(new URL(`${bench}.mjs`, import.meta.url));
  const printed = execFileSync(process.execPath, [program, ...words], { encoding: 'utf8' });
  console.log(`\n${printed.trim()}`);
  return printed;
}
