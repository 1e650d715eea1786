// Sets up what the scripts of this repository need on a fresh clone: npm packages, Emscripten, native libraries, a browser.
// Invariant: it uses only Node's own modules, changes nothing that is already as it should be, and can be interrupted and
// run again at any time. `node scripts/bootstrap.mjs [--check] [NEED …]`, where a NEED is npm, wasm, native, browser,
// format, redis or clang; none named means all.
// The parts lie in bootstrap/: what is missing (requirements), how it is got (debian, emscripten, npm).

import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installPackages } from './bootstrap/debian.mjs';
import {
  emscriptenRequirements,
  lacksPrivateTree,
  provideEmscripten,
  versionOf,
} from './bootstrap/emscripten.mjs';
import { hasNpmPackages, provideNpmPackages } from './bootstrap/npm.mjs';
import { say, SetupError } from './bootstrap/processes.mjs';
import {
  findBrowser,
  findHeadlessShell,
  hints,
  missingOf,
  readSystem,
  reasons,
  requirements,
} from './bootstrap/requirements.mjs';

const allNeeds = Object.keys(requirements);

/**
 * Sets up what is missing for `needs` ('npm', 'wasm', 'native', 'browser') and returns the environment for child processes.
 * If that is impossible it prints why and what to do, and ends the process with exit code 1 (128 + n after a signal).
 * Costs about 0.1 s when nothing is missing, and one to three minutes on an empty machine.
 */
export async function bootstrap(needs) {
  try {
    return { env: await provide(needs) };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(error.message);
    return process.exit(error.exitCode);
  }
}

async function provide(needs) {
  const system = readSystem();
  const missing = missingForNeeds(needs, system);
  if (missing.length > 0) await installMissing(missing, needs, system);
  const env = { ...process.env };
  if (needs.includes('wasm')) Object.assign(env, await provideEmscripten(system));
  if (needs.includes('browser')) {
    env.CHROMIUM_PATH = findBrowser();
    env.CHROMIUM_SHELL_PATH = findHeadlessShell() ?? env.CHROMIUM_PATH;
  }
  if (needs.includes('npm')) await provideNpmPackages();
  return env;
}

function missingForNeeds(needs, system) {
  return missingOf(
    needs.flatMap((need) => requirementsOf(need, system)),
    system,
  );
}

function requirementsOf(need, system) {
  return need === 'wasm' ? [...requirements.wasm, ...emscriptenRequirements(system)] : requirements[need];
}

async function installMissing(missing, needs, system) {
  if (!system.isDebian || missing.some((thing) => !thing.debian)) {
    throw new SetupError(`on ${system.name} these must be installed by hand:\n${hints(missing)}`);
  }
  const why = (name) => {
    const need = needs.find((candidate) =>
      requirementsOf(candidate, system).some((thing) => thing.debian === name),
    );
    return reasons[need];
  };
  await installPackages(
    missing.map((thing) => thing.debian),
    why,
  );
}

/** Names of all that is missing; looks only. */
function check(needs) {
  const system = readSystem();
  const missing = missingForNeeds(needs, system).map((thing) => thing.label);
  if (needs.includes('wasm') && lacksPrivateTree(system)) missing.push('Emscripten');
  if (needs.includes('npm') && !hasNpmPackages()) missing.push('npm packages as in package-lock.json');
  return missing;
}

function summary(needs, env) {
  const details = {
    npm: 'npm packages',
    wasm: `Emscripten ${versionOf(env.EMSCRIPTEN_ROOT ?? '')}`,
    native: 'C++ compiler and libraries',
    browser: `browser ${env.CHROMIUM_PATH}`,
    format: 'clang-format',
    redis: 'redis-server',
    clang: 'Clang',
  };
  return `ready: ${needs.map((need) => details[need]).join(', ')}`;
}

async function main(args) {
  const named = args.filter((argument) => argument !== '--check');
  const unknown = named.filter((need) => !allNeeds.includes(need));
  if (unknown.length > 0) return fail(`unknown need: ${unknown.join(' ')}; known are ${allNeeds.join(' ')}`);
  const needs = named.length > 0 ? named : allNeeds;
  if (args.includes('--check')) {
    const missing = check(needs);
    return missing.length > 0 ? fail(`missing: ${missing.join(', ')}`) : console.log('nothing is missing');
  }
  const { env } = await bootstrap(needs);
  return console.log(summary(needs, env));
}

function fail(message) {
  say(message);
  process.exitCode = 1;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  await main(process.argv.slice(2));
