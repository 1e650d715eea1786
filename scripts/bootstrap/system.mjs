// The programs and libraries that each need asks of the system, and which of them are missing. Invariant: this file only
// looks; installing is `debian.mjs`.
// One rule decides: a thing is there if dpkg says that its Debian package is installed, or if dpkg does not know the package
// and its program (on PATH) or header (in the usual folders) is found. So nobody's own CMake is doubled, and a package that
// an interrupted installation left half done still counts as missing.

import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** A reason to stop that the user can act on: it is shown as it is, without a stack trace. */
export class SetupError extends Error {}

/** Prints one line about what is done and why. Standard error keeps the output of the caller's own program clean. */
export function say(line) {
  console.error(`[bootstrap] ${line}`);
}

const cmake = { label: 'CMake', debian: 'cmake', find: () => findProgram('cmake') };
const ninja = { label: 'Ninja', debian: 'ninja-build', find: () => findProgram('ninja') };
const xxhash = { label: 'the xxHash header', debian: 'libxxhash-dev', find: () => findHeader('xxhash.h') };
const googleTest = {
  label: 'GoogleTest',
  debian: 'libgtest-dev',
  find: () => findHeader('gtest/gtest.h'),
};
const googleBenchmark = {
  label: 'Google Benchmark',
  debian: 'libbenchmark-dev',
  find: () => findHeader('benchmark/benchmark.h'),
};
/** The one that CXX names, as CMake takes it; else the system's. */
const isClang = /^clang/.test(path.basename(process.env.CXX ?? ''));
const compiler = {
  label: 'a C++20 compiler',
  debian: isClang ? 'clang' : 'g++',
  find: () => (isClang ? findProgram('clang++') : findProgram('c++', 'g++')),
};
const clangFormat = {
  label: 'clang-format',
  debian: 'clang-format',
  find: () => findProgram('clang-format'),
};
const chromium = { label: 'Chromium', debian: 'chromium', find: findBrowser };
/**
 * Draws pages without the windows of a browser around them, which takes a fifth of the processor time per page. The tests
 * use Chromium where it is missing, so it is installed only when Chromium is.
 */
const headlessShell = {
  label: 'the headless shell of Chromium',
  debian: 'chromium-headless-shell',
  find: () => !readSystem().isDebian || (findHeadlessShell() ?? findBrowser()),
};
const redis = {
  label: 'redis-server and redis-cli',
  debian: 'redis-server',
  find: () => findProgram('redis-server'),
};
const python = {
  label: 'Python 3',
  debian: 'python3',
  find: () => findProgram('python3'),
};

/** What a need asks of the system, apart from Emscripten itself. */
export const requirements = {
  npm: [],
  wasm: [cmake, ninja],
  native: [compiler, cmake, ninja, googleTest, googleBenchmark, xxhash],
  browser: [chromium, headlessShell],
  format: [clangFormat],
  redis: [redis],
  python: [python],
};

/** The full path of the first program on PATH with one of these names; undefined if there is none. */
export function findProgram(...names) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => path.resolve(folder, name))).find(isExecutable);
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function findHeader(name) {
  const own = [process.env.CPATH, process.env.CPLUS_INCLUDE_PATH].join(path.delimiter).split(path.delimiter);
  const usual = ['/usr/include', '/usr/local/include', '/opt/homebrew/include', '/opt/local/include'];
  return [...own.filter(Boolean), ...usual].find((folder) => existsSync(path.join(folder, name)));
}

/** The browser to drive: the one that CHROMIUM_PATH names, else the first on PATH. Undefined if there is none. */
export function findBrowser() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen && isExecutable(chosen)) return chosen;
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  const found = findProgram('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');
  return found ?? [mac].find(isExecutable);
}

/** The headless shell to open pages in; undefined if there is none. */
export function findHeadlessShell() {
  return process.env.CHROMIUM_SHELL_PATH ?? findProgram('chromium-headless-shell');
}

/** `isDebian`, and the release as a number: Infinity for testing and unstable, which have none. */
export function readSystem() {
  const file = '/etc/os-release';
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const fields = Object.fromEntries(
    [...text.matchAll(/^(\w+)="?(.*?)"?$/gm)].map(([, name, value]) => [name, value]),
  );
  return {
    isDebian: fields.ID === 'debian',
    release: Number(fields.VERSION_ID ?? Infinity),
    codename: fields.VERSION_CODENAME,
    name: fields.PRETTY_NAME ?? process.platform,
  };
}

/** Those of the wanted things that are not there, each once. */
export function missingOf(wanted, system) {
  const unique = [...new Map(wanted.map((thing) => [thing.label, thing])).values()];
  const states = system.isDebian ? packageStates(unique.map((thing) => thing.debian)) : new Map();
  return unique.filter((thing) => {
    const state = states.get(thing.debian)?.state ?? 'not-installed';
    if (state === 'installed') return false;
    return !['not-installed', 'config-files'].includes(state) || !thing.find?.();
  });
}

/** State and version of each of these packages that dpkg has heard of. */
export function packageStates(names) {
  const format = '${Package} ${db:Status-Status} ${Version}\n';
  const asked = spawnSync('dpkg-query', ['-W', `-f=${format}`, ...names.filter(Boolean)], {
    encoding: 'utf8',
  });
  const lines = (asked.stdout ?? '').split('\n').map((line) => line.split(' '));
  return new Map(lines.map(([name, state, version]) => [name, { state, version }]));
}

/** How to get the missing things by hand, for a system whose packages this script does not install. */
export function hints(missing) {
  const names = missing.map((thing) => thing.debian).filter(Boolean);
  const labels = missing.map((thing) => `  ${thing.label}\n`).join('');
  return `${labels}Debian's names for them are: ${names.join(' ')}`;
}
