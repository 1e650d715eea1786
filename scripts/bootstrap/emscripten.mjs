// Finds an Emscripten that is new enough, or says what it takes to have one, and gives the environment in which it works.
// Invariant: an emcc on PATH of version 3.1.69 or newer is used as it is. Debian 13 has a package; the private tree is for
// Debian 12, whose package is too old, and for a Node that is not Debian's, with which the package does not work.
// Looking starts no Python: the version is read from the file that every release of Emscripten carries.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { buildPrivateTree, privateEnvironment, privateRoot, privateTreePackages } from './private-tree.mjs';
import { findProgram, SetupError } from './processes.mjs';
import { packageStates } from './requirements.mjs';

const oldestVersion = [3, 1, 69];
const debianRoot = '/usr/share/emscripten';
const minimum = oldestVersion.join('.');

/** What must be on the system before `provideEmscripten` can succeed; empty if emcc is on PATH already. */
export function emscriptenRequirements(system) {
  if (rootOnPath()) return [];
  if (!system.isDebian || system.release < 12) return [missingByHand()];
  if (!needsPrivateTree(system)) return [{ label: 'Emscripten', debian: 'emscripten' }];
  return privateTreePackages.map((name) => ({ label: name, debian: name }));
}

/** Whether the private tree is the way to Emscripten here, and not built yet. */
export function lacksPrivateTree(system) {
  return !rootOnPath() && needsPrivateTree(system) && !existsSync(privateRoot());
}

/** The environment in which `emcc`, `emcmake` and CMake's toolchain file work. Builds the private tree if there is no other. */
export async function provideEmscripten(system) {
  const root = rootOnPath();
  if (root) return { EMSCRIPTEN_ROOT: root };
  if (!needsPrivateTree(system))
    throw new SetupError(`the first emcc on PATH is missing or older than ${minimum}`);
  if (!existsSync(privateRoot())) await buildPrivateTree(system.codename);
  return privateEnvironment(privateRoot());
}

/** The version that a folder of Emscripten states, as text; undefined if it is not such a folder. */
export function versionOf(root) {
  const file = path.join(root, 'emscripten-version.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').match(/\d+\.\d+\.\d+/)?.[0] : undefined;
}

function needsPrivateTree(system) {
  return system.isDebian && system.release >= 12 && (system.release < 13 || hasForeignNode());
}

/**
 * Debian's Emscripten imports acorn from a folder that only Debian's build of Node knows, and its package cannot be installed
 * beside NodeSource's Node, which does not provide `nodejs:any` (nodesource/distributions#1346).
 */
function hasForeignNode() {
  const node = packageStates(['nodejs']).get('nodejs');
  return node?.state === 'installed' && node.version.includes('nodesource');
}

/** The folder of the emcc on PATH; undefined if there is none that is new enough and finds its acorn. */
function rootOnPath() {
  const program = findProgram('emcc');
  if (!program) return undefined;
  // PATH may hold the script itself, or a link to it or to a small wrapper that lies beside it.
  const beside = path.dirname(realpathSync(program));
  const root = versionOf(beside) ? beside : askForRoot(program);
  if (!root || !isNewEnough(versionOf(root))) return undefined;
  return root === debianRoot && hasForeignNode() && !existsSync(path.join(root, 'node_modules'))
    ? undefined
    : root;
}

/** A wrapper that lies elsewhere, as Homebrew's, has a neighbour that knows. This starts Python, which costs 0.2 s. */
function askForRoot(program) {
  const asked = spawnSync(path.join(path.dirname(program), 'em-config'), ['EMSCRIPTEN_ROOT'], {
    encoding: 'utf8',
  });
  return asked.status === 0 ? asked.stdout.trim() : undefined;
}

function isNewEnough(version) {
  if (!version) return false;
  const parts = version.split('.').map(Number);
  const index = parts.findIndex((part, position) => part !== oldestVersion[position]);
  return index < 0 || parts[index] > oldestVersion[index];
}

function missingByHand() {
  return {
    label: `Emscripten ${minimum} or newer (emcc on PATH)`,
    advice: 'with emsdk: ./emsdk install latest && ./emsdk activate latest && . ./emsdk_env.sh',
    brew: 'emscripten',
    pacman: 'emscripten',
  };
}
