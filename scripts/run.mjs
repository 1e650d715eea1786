// Runs a program as a child process. Invariant: a program that fails ends the calling script with its output shown.
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Runs `program` in the checkout and returns what it printed. Its output is shown as it comes; with `onlyIfFailed` only
 * if it fails; with `quiet` never. Throws if it exits with anything but 0, unless `mayFail`.
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
    child.stdout.on('data', take(process.stdout));
    child.stderr.on('data', take(process.stderr));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0 || mayFail) return resolve({ output, code });
      if (onlyIfFailed) process.stdout.write(output);
      reject(new Error(`${program} ${args.join(' ')} exited with ${code}`));
    });
  });
}

/**
 * Configures and builds a CMake preset, with `-D` options if given. A cache that no longer fits, as after a new toolchain,
 * is made afresh.
 */
export async function cmake(preset, env, options = []) {
  const first = await run('cmake', ['--preset', preset, ...options], { env, quiet: true, mayFail: true });
  if (first.code !== 0)
    await run('cmake', ['--preset', preset, '--fresh', ...options], { env, onlyIfFailed: true });
  await run('cmake', ['--build', '--preset', preset], { env, onlyIfFailed: true });
}

/** Prints a line that tells what is being done. */
export function say(line) {
  console.log(`\n> ${line}`);
}
