// Sets up what the scripts of this repository need on a fresh clone: npm packages, Emscripten, native libraries, a browser.
// Invariant: it uses only Node's own modules, changes nothing that is already as it should be, and can be interrupted and
// run again at any time. `node scripts/bootstrap.mjs [NEED …]`, where a NEED is npm, wasm, native, browser, format, redis or python;
// none named means all.
// The parts lie in bootstrap/: what is missing (system), and how it is got (debian, emscripten, npm).

import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installPackages } from './bootstrap/debian.mjs';
import { emscriptenRequirements, provideEmscripten } from './bootstrap/emscripten.mjs';
import { provideNpmPackages } from './bootstrap/npm.mjs';
import {
  findBrowser,
  findHeadlessShell,
  hints,
  missingOf,
  readSystem,
  requirements,
  say,
  SetupError,
} from './bootstrap/system.mjs';
import { CommandError } from './run.mjs';

/**
 * Sets up what is missing for `needs` ('npm', 'wasm', 'native', 'browser') and returns the environment for child processes.
 * If that is impossible it prints why and what to do, and ends the process with exit code 1.
 * Costs about 0.1 s when nothing is missing, and one to three minutes on an empty machine.
 */
export async function bootstrap(needs) {
  try {
    return { env: await provide(needs) };
  } catch (error) {
    if (!(error instanceof SetupError || error instanceof CommandError)) throw error;
    say(error.message);
    return process.exit(1);
  }
}

async function provide(needs) {
  const unknown = needs.filter((need) => requirements[need] === undefined);
  if (unknown.length > 0)
    throw new SetupError(`unknown: ${unknown.join(' ')}; known are ${Object.keys(requirements).join(' ')}`);
  const system = readSystem();
  const wanted = needs.flatMap((need) => requirements[need]);
  if (needs.includes('wasm')) wanted.push(...emscriptenRequirements(system));
  const missing = missingOf(wanted, system);
  if (missing.length > 0) {
    if (!system.isDebian || missing.some((thing) => !thing.debian))
      throw new SetupError(`on ${system.name} these must be installed by hand:\n${hints(missing)}`);
    await installPackages(missing.map((thing) => thing.debian));
  }
  const env = { ...process.env };
  if (needs.includes('wasm')) Object.assign(env, await provideEmscripten(system));
  if (needs.includes('browser')) {
    env.CHROMIUM_PATH = findBrowser();
    env.CHROMIUM_SHELL_PATH = findHeadlessShell() ?? env.CHROMIUM_PATH;
  }
  if (needs.includes('npm')) await provideNpmPackages();
  return env;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const named = process.argv.slice(2);
  const needs = named.length > 0 ? named : Object.keys(requirements);
  await bootstrap(needs);
  console.log(`ready: ${needs.join(', ')}`);
}
