// Timing for the benches: several rounds of each contender in turn, the median and the spread, and the ratio to a
// reference round by round, which holds when the machine's speed drifts. Invariant: every result is used.
import { cpus } from 'node:os';

let used = 0;

/** Takes a result, so that no engine may leave out the work behind it. */
export function use(result) {
  used = (used * 31 + Number(result)) % 1_000_003;
}

/** Prints what the figures depend on. */
export function printMachine(seed) {
  console.log(
    `${cpus()[0]?.model.trim()}, ${cpus().length} cores; Node ${process.versions.node}; seed ${seed}`,
  );
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
    const [low, high] = [Math.min(...rates[i]), Math.max(...rates[i])];
    const spread = `(${low.toFixed(1)} to ${high.toFixed(1)})`;
    console.log(
      `  ${name.padEnd(44)}${median(rates[i]).toFixed(1).padStart(8)} M/s ${spread.padEnd(18)} x ${ratio.toFixed(2)}`,
    );
  });
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
