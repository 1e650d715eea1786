// The programs and libraries that each need asks of the system, what they are called in the package managers, and which
// of them are missing. Invariant: this file only looks; installing is `debian.mjs`.
// One rule decides: a thing is there if dpkg says that its Debian package is installed, or if dpkg does not know the package
// and its program (on PATH) or header (in the usual folders) is found. So nobody's own CMake is doubled, and a package that
// an interrupted installation left half done still counts as missing.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findProgram, isExecutable } from './processes.mjs';

/** Why a need wants its packages, as the end of a sentence. */
export const reasons = {
  npm: 'every script needs them',
  wasm: 'the WebAssembly build needs them',
  native: 'the native tests need them',
  browser: 'the browser tests need it',
  format: 'the check of the C++ layout needs it',
  redis: 'the tests and benches of RedisCuckooFilter need it',
};

const cmake = {
  label: 'CMake',
  debian: 'cmake',
  programs: ['cmake'],
  brew: 'cmake',
  dnf: 'cmake',
  pacman: 'cmake',
};
const ninja = {
  label: 'Ninja',
  debian: 'ninja-build',
  programs: ['ninja'],
  brew: 'ninja',
  dnf: 'ninja-build',
  pacman: 'ninja',
};
const xxhash = {
  label: 'the xxHash header',
  debian: 'libxxhash-dev',
  headers: ['xxhash.h'],
  brew: 'xxhash',
  dnf: 'xxhash-devel',
  pacman: 'xxhash',
};
/** The one that CXX names, as CMake takes it; else the system's. */
const isClang = /^clang/.test(path.basename(process.env.CXX ?? ''));
const compiler = {
  label: 'a C++20 compiler',
  debian: isClang ? 'clang' : 'g++',
  programs: isClang ? ['clang++'] : ['c++', 'g++'],
  brew: 'llvm',
  dnf: 'gcc-c++',
  pacman: 'gcc',
};
const googleTest = {
  label: 'GoogleTest',
  debian: 'libgtest-dev',
  headers: ['gtest/gtest.h'],
  brew: 'googletest',
  dnf: 'gtest-devel',
  pacman: 'gtest',
};
const googleBenchmark = {
  label: 'Google Benchmark',
  debian: 'libbenchmark-dev',
  headers: ['benchmark/benchmark.h'],
  brew: 'google-benchmark',
  dnf: 'google-benchmark-devel',
  pacman: 'benchmark',
};
const clangFormat = {
  label: 'clang-format',
  debian: 'clang-format',
  programs: ['clang-format'],
  brew: 'clang-format',
  dnf: 'clang-tools-extra',
  pacman: 'clang',
};
const chromium = {
  label: 'Chromium',
  debian: 'chromium',
  isPresent: () => findBrowser() !== undefined,
  cask: 'chromium',
  dnf: 'chromium',
  pacman: 'chromium',
};

/**
 * Draws pages without the windows of a browser around them, which takes a fifth of the processor time per page. The tests
 * use Chromium where it is missing, so it is installed only when Chromium is.
 */
const headlessShell = {
  label: 'the headless shell of Chromium',
  debian: 'chromium-headless-shell',
  isPresent: () => !readSystem().isDebian || (findHeadlessShell() ?? findBrowser()) !== undefined,
};

const redis = {
  label: 'redis-server and redis-cli',
  debian: 'redis-server',
  programs: ['redis-server'],
  brew: 'redis',
  dnf: 'redis',
  pacman: 'redis',
};

const browserPrograms = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const macBrowser = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** What a need asks of the system, apart from Emscripten itself. */
export const requirements = {
  npm: [],
  wasm: [cmake, ninja],
  native: [compiler, cmake, ninja, googleTest, googleBenchmark, xxhash],
  browser: [chromium, headlessShell],
  format: [clangFormat],
  redis: [redis],
};

/** The browser to drive: the one that CHROMIUM_PATH names, else the first on PATH. Undefined if there is none. */
export function findBrowser() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen && isExecutable(chosen)) return chosen;
  return findProgram(...browserPrograms) ?? [macBrowser].find(isExecutable);
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
    return !['not-installed', 'config-files'].includes(state) || !isFound(thing);
  });
}

/** State and version of each of these packages that dpkg has heard of. */
export function packageStates(names) {
  const format = '${Package} ${db:Status-Status} ${Version}\n';
  const known =
    spawnSync('dpkg-query', ['-W', `-f=${format}`, ...names.filter(Boolean)], { encoding: 'utf8' }).stdout ??
    '';
  return new Map(
    known
      .split('\n')
      .map((line) => line.split(' '))
      .map(([name, state, version]) => [name, { state, version }]),
  );
}

/** How to get the missing things by hand, for a system whose packages this script does not install. */
export function hints(missing) {
  const lines = missing.map((thing) => `  ${thing.label}${thing.advice ? `: ${thing.advice}` : ''}`);
  const managers = {
    'brew install': 'brew',
    'brew install --cask': 'cask',
    'sudo dnf install': 'dnf',
    'sudo pacman -S': 'pacman',
    'sudo apt-get install': 'debian',
  };
  for (const [command, key] of Object.entries(managers)) {
    const names = missing.map((thing) => thing[key]).filter(Boolean);
    if (names.length > 0) lines.push(`    ${command} ${names.join(' ')}`);
  }
  return lines.join('\n');
}

function isFound(thing) {
  if (thing.isPresent) return thing.isPresent();
  if (thing.programs) return findProgram(...thing.programs) !== undefined;
  return (
    thing.headers?.some((header) =>
      includeFolders().some((folder) => existsSync(path.join(folder, header))),
    ) ?? false
  );
}

function includeFolders() {
  const extra = [process.env.CPATH, process.env.CPLUS_INCLUDE_PATH].flatMap(
    (value) => value?.split(path.delimiter) ?? [],
  );
  return [
    ...extra.filter(Boolean),
    '/usr/include',
    '/usr/local/include',
    '/opt/homebrew/include',
    '/opt/local/include',
  ];
}
