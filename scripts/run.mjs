// Runs a program as a child process. Invariant: a program that fails ends the calling script with its output shown.
import { spawn } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

/** The checkout's folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** How often `run` says what a program that shows no output is doing. */
const PROGRESS_MS = 10_000;

/** A program that ran and failed. */
export class CommandError extends Error {}

/**
 * Runs `program` in the checkout and returns what it printed. Its output is shown as it comes; with `onlyIfFailed` only
 * if it fails, and until then its last line now and then; with `quiet` never. Throws CommandError if it exits with
 * anything but 0, unless `mayFail`.
 */
export function run(
  program,
  args,
  { env = process.env, cwd = root, onlyIfFailed = false, quiet = onlyIfFailed, mayFail = false } = {},
) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const take = (stream) => (chunk) => {
      output += chunk;
      if (!quiet) stream.write(chunk);
    };
    const start = Date.now();
    const showProgress = () => {
      const last = stripVTControlCharacters(output).trim().split('\n').at(-1).trim().slice(0, 90);
      const seconds = Math.round((Date.now() - start) / 1000);
      console.error(`  ${basename(program)}, ${seconds} s: ${last || 'working'}`);
    };
    const timer = onlyIfFailed ? setInterval(showProgress, PROGRESS_MS) : undefined;
    child.stdout.on('data', take(process.stdout));
    child.stderr.on('data', take(process.stderr));
    child.on('error', reject).on('close', () => clearInterval(timer));
    child.on('close', (code) => {
      if (code === 0 || mayFail) return resolve({ output, code });
      if (onlyIfFailed) process.stderr.write(output);
      reject(new CommandError(`${program} ${args.join(' ')} exited with ${code}`));
    });
  });
}

/** Calls `attempt` up to three times: a download may fail, or another program may hold a lock for a moment. */
export async function withRetries(what, attempt, attempts = 3) {
  for (let number = 1; ; ++number) {
    try {
      return await attempt();
    } catch (error) {
      if (number === attempts || !(error instanceof CommandError)) throw error;
      console.error(`  ${what} failed, trying again (${number + 1} of ${attempts})`);
      await sleep(3000 * number);
    }
  }
}

/**
 * Configures and builds a CMake preset, with `-D` options if given; with `targets`, these alone. A cache that no longer fits,
 * as after a new toolchain, is made afresh.
 */
export async function cmake(preset, env, { options = [], targets = [] } = {}) {
  const first = await run('cmake', ['--preset', preset, ...options], { env, quiet: true, mayFail: true });
  if (first.code !== 0)
    await run('cmake', ['--preset', preset, '--fresh', ...options], { env, onlyIfFailed: true });
  const chosen = targets.length > 0 ? ['--target', ...targets] : [];
  await run('cmake', ['--build', '--preset', preset, ...chosen], { env, onlyIfFailed: true });
}

/** Prints a line that tells what is being done. */
export function say(line) {
  console.log(`\n> ${line}`);
}
