// Timing for the benches: several rounds of each contender in turn, the median and the spread, and the ratio to a
// reference round by round, which holds when the machine's speed drifts. Invariant: every result is used.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

let used = 0;

/** Takes a result, so that no engine may leave out the work behind it. */
export function use(result) {
  used = (used * 31 + Number(result)) % 1_000_003;
}

const machine = `${cpus()[0]?.model.trim()}, ${cpus().length} cores; Node ${process.versions.node}`;
const kept = [];

/** Prints what the figures depend on. */
export function printMachine(seed) {
  console.log(`${machine}; seed ${seed}`);
}

/**
 * Keeps a figure, for the file that `--save=FILE` names: tests/bench/results has those of the last runs. A part that runs in
 * a process of its own hands its figures to the bench.
 */
export function keep(figure) {
  if (process.send) process.send(figure);
  else kept.push(figure);
}

/** Says why a bench cannot run and what to do about it, and ends the process. */
export function fail(message) {
  console.error(message);
  process.exit(1);
}

/**
 * Runs the bench `url` once more with these words added, in a process of its own, so that the engine compiles its code for
 * nothing else and finds no tables of others in the caches. Resolves to the figures that it kept; ends this process if it fails.
 */
export async function inOwnProcess(url, ...words) {
  const figures = [];
  const child = fork(fileURLToPath(url), [...process.argv.slice(2), ...words]);
  child.on('message', (figure) => figures.push(figure));
  const [code] = await once(child, 'close');
  if (code !== 0) process.exit(code ?? 1);
  return figures;
}

/** Runs each of these parts of the bench `url` in a process of its own, or the part that runs in this one. */
export async function runParts(url, parts) {
  const words = process.argv.slice(2);
  const own = words.find((word) => word.startsWith('--part='))?.slice('--part='.length);
  if (own !== undefined) {
    await parts[own]();
    return printUsed();
  }
  const named = Object.keys(parts).filter((name) => words.includes(name));
  printMachine('none');
  for (const name of named.length === 0 ? Object.keys(parts) : named)
    for (const figure of await inOwnProcess(url, `--part=${name}`)) keep(figure);
}

process.on('exit', (code) => {
  if (process.send) return;
  const file = process.argv.find((word) => word.startsWith('--save='))?.slice('--save='.length);
  if (file === undefined || code !== 0) return;
  mkdirSync(new URL('results', import.meta.url), { recursive: true });
  const rounded = (key, value) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value);
  const text = JSON.stringify({ machine, figures: kept }, rounded, 1).replace(/\n {3,}/g, ' ');
  writeFileSync(new URL(`results/${file}.json`, import.meta.url), `${text}\n`);
});

/** "median (least to most)" */
export function range(numbers) {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  return `${median(numbers).toFixed(1)} (${low.toFixed(1)} to ${high.toFixed(1)})`;
}

/**
 * Runs each contender `rounds` times in turn, the first round not counted, and prints a line for each: millions of
 * operations a second (median, least to most) and the median ratio to the first contender. A contender is
 * { name, count, run, prepare? }: `run` does `count` operations and returns a number.
 */
export function compare(title, contenders, rounds = 7) {
  const rates = contenders.map(() => []);
  for (let round = 0; round <= rounds; ++round) {
    contenders.forEach(({ count, run, prepare }, i) => {
      const input = prepare?.();
      const start = performance.now();
      use(run(input));
      const seconds = (performance.now() - start) / 1000;
      if (round > 0) rates[i].push(count / seconds / 1e6);
    });
  }
  console.log(`\n${title}`);
  contenders.forEach(({ name }, i) => {
    const ratio = median(rates[i].map((rate, round) => rate / rates[0][round]));
    keep({ title, label: name, reference: contenders[0].name, rates: rates[i], ratio });
    console.log(`  ${name.padEnd(44)}${range(rates[i]).padStart(28)} M/s  x ${ratio.toFixed(2)}`);
  });
}

/** Nanoseconds a key of each contender, round by round; the first round is not counted where there are several. */
export async function rounds(count, contenders) {
  const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let round = count === 1 ? 1 : 0; round <= count; ++round) {
    for (const [name, run] of Object.entries(contenders)) {
      const nanoseconds = run ? await run() : undefined;
      if (round > 0 && run) times[name].push(nanoseconds);
    }
  }
  return times;
}

/**
 * A line for each comparison, which is [label, contender, reference, ratio asked for]: nanoseconds a key, the reference's,
 * and how many times as fast that is. References that did not run are left out.
 */
export function printRatios(title, times, comparisons) {
  console.log(`\n${title}, ns a key (median, least to most)`);
  for (const [label, name, reference, reach] of comparisons) {
    if (times[reference].length === 0) continue;
    const ratio = median(times[name].map((time, i) => times[reference][i] / time));
    const verdict =
      reach === undefined ? '' : `asked ${reach}: ${ratio >= reach ? 'reached' : 'not reached'}`;
    keep({ title, label, reference, nanoseconds: times[name], references: times[reference], ratio, reach });
    console.log(
      `  ${label.padEnd(42)}${range(times[name]).padEnd(28)}${reference.padStart(20)} ${range(times[reference]).padEnd(30)}` +
        ` x ${ratio.toFixed(2)}  ${verdict}`,
    );
  }
}

/** Prints a number that depends on every result. */
export function printUsed() {
  console.log(`\n(all results together: ${used})`);
}

/** The middle value, or the mean of the two. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
