// The command beside `awk '!seen[$0]++'` and `sort -u`: time and peak memory on the same file of lines.
// `npm run bench:dedup [-- lines] [--alone] [--csv] [--rounds=3] [--save=FILE]`; --alone leaves out the other two, which need memory for
// all lines; --csv compares the second column of rows. Invariant: all contenders read the same file in turn and write to /dev/null; the first is the reference.
import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream, existsSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { fail, keep, median, printMachine } from '../timing.mjs';

/** What `> /dev/null` gives: the command refuses an ignored output, which looks like a closed one. */
const NOWHERE = openSync(devNull, 'w');
const COMMAND = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const SEED = 1;
const SAMPLE_MS = 10;

const { values, positionals } = parseArgs({
  options: {
    alone: { type: 'boolean', default: false },
    csv: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    save: { type: 'string' },
  },
  allowPositionals: true,
});
const lines = Number(positionals[0] ?? 10_000_000);

for (const program of values.alone ? [] : ['awk', 'sort'])
  if (spawnSync(program, ['--version']).error)
    fail(`${program} is not on PATH: install it, or measure only the command with --alone`);
if (!existsSync(COMMAND)) fail('dist/cli.js is not built: run npm run build');
printMachine(SEED);
console.log(`awk is ${versionOf('awk', '-W', 'version')}; ${versionOf('sort', '--version')}`);
for (const share of [0.5, 0.9]) await measure(share);

async function measure(share) {
  const distinct = Math.round(lines * share);
  const file = join(tmpdir(), `cuckoofilter-lines-${process.pid}.txt`);
  try {
    await writeLines(file, distinct);
    const megabytes = (statSync(file).size / 1e6).toFixed(0);
    console.log(`\n${count(lines)} lines, ${count(distinct)} of them distinct, ${megabytes} MB`);
    const dedup = [process.execPath, COMMAND, 'dedup', ...(values.csv ? ['--csv', '-k', '2'] : []), file];
    const kept = Number(spawnSync('sh', ['-c', '"$0" "$@" | wc -l', ...dedup]).stdout);
    console.log(
      `  kept by the command: ${count(kept)}; dropped although new: ${(100 * (1 - kept / distinct)).toFixed(4)} %`,
    );
    const others = values.csv
      ? [{ name: "awk -F, '!seen[$2]++'", words: ['awk', '-F,', '!seen[$2]++', file] }]
      : [
          { name: "awk '!seen[$0]++'", words: ['awk', '!seen[$0]++', file] },
          { name: 'sort -u', words: ['sort', '-u', file] },
        ];
    const variant = values.csv
      ? { name: '  with -d , instead of --csv', words: [...dedup.slice(0, 3), '-d', ',', '-k', '2', file] }
      : { name: '  with --capacity as it is', words: [...dedup, '-c', `${distinct}`] };
    await race(share, [
      ...(values.alone ? [] : others),
      { name: 'cuckoofilter-wasm dedup', words: dedup },
      variant,
    ]);
  } finally {
    rmSync(file, { force: true });
  }
}

/** Writes `lines` lines of which `distinct` are: a new one, or any that came before. */
async function writeLines(file, distinct) {
  const out = createWriteStream(file);
  const random = seeded(SEED);
  let known = 0;
  let block = '';
  for (let i = 1; i <= lines; ++i) {
    const isNew = Math.floor((i * distinct) / lines) > known || i === 1;
    const key = isNew ? known++ : random(known);
    const text = `user:${(Math.imul(key, 2654435761) >>> 0).toString(16)}:${key}`;
    block += values.csv ? `${i},${text},"row ${i}"\n` : `${text}\n`;
    if (block.length < 1 << 20 && i < lines) continue;
    if (!out.write(block)) await once(out, 'drain');
    block = '';
  }
  out.end();
  await once(out, 'finish');
}

/** Runs each contender in turn, `rounds` times, and prints its time and memory beside those of the first. */
async function race(share, contenders) {
  const runs = contenders.map(() => []);
  for (let round = 0; round < Number(values.rounds); ++round) {
    for (const [i, { words }] of contenders.entries()) runs[i].push(await measured(words));
  }
  contenders.forEach(({ name }, i) => {
    const seconds = runs[i].map((run) => run.seconds);
    const megabytes = median(runs[i].map((run) => run.megabytes));
    keep({ lines, share, name, seconds, megabytes });
    const spread = `(${Math.min(...seconds).toFixed(2)} to ${Math.max(...seconds).toFixed(2)})`;
    const speed = median(runs[i].map((run, round) => runs[0][round].seconds / run.seconds));
    const memory = megabytes / median(runs[0].map((run) => run.megabytes));
    console.log(
      `  ${name.padEnd(30)}${median(seconds).toFixed(2).padStart(8)} s ${spread.padEnd(18)}${megabytes.toFixed(0).padStart(6)} MB` +
        `   speed x ${speed.toFixed(2).padEnd(6)} memory x ${memory.toFixed(3)}`,
    );
  });
}

/** Seconds and peak megabytes of a program. Its peak is asked of the system while it runs, where there is /proc. */
async function measured([program, ...parameters]) {
  const start = performance.now();
  const env = { ...process.env, LC_ALL: 'C' };
  const child = spawn(program, parameters, { env, stdio: ['ignore', NOWHERE, 'inherit'] });
  let peak = NaN;
  const sampling = setInterval(() => (peak = peakOf(child.pid) ?? peak), SAMPLE_MS);
  const [code] = await once(child, 'close');
  clearInterval(sampling);
  if (code !== 0) throw new Error(`${program} exited with ${code}`);
  return { seconds: (performance.now() - start) / 1000, megabytes: peak };
}

function peakOf(pid) {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes && Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

function versionOf(program, ...parameters) {
  const { stdout } = spawnSync(program, parameters, { encoding: 'utf8', input: '' });
  return stdout?.split('\n')[0] || `an unknown ${program}`;
}

/** Whole numbers below a bound, from Marsaglia's xorshift32. */
function seeded(seed) {
  let state = seed;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return Math.floor(((state >>> 0) / 0x1_0000_0000) * bound);
  };
}

function count(value) {
  return value.toLocaleString('en');
}
