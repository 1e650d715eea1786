// Finds an Emscripten that is new enough, or says what it takes to have one, and gives the environment in which it works.
// Invariant: an emcc on PATH of version 3.1.69 or newer is used as it is. Debian 13 has a package; for Debian 12, whose
// package is too old, and for a Node that is not Debian's, with which the package does not work, that of Debian 13 becomes a
// tree of its own in the cache folder (trees.mjs), which was seen to compile a program that takes every part of the toolchain.
// Looking starts no Python: the version is read from the file that every release of Emscripten carries.

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { run } from '../run.mjs';
import { findProgram, packageStates, say, SetupError } from './system.mjs';
import { provideTree, treeFolder, writeWrappers } from './trees.mjs';

/**
 * The versions that everything was tested with, the newest in CI. Another may have changed what is not public:
 * bindings/embind.cpp replaces three functions of embind, and js/src/engine/embind.ts knows what two others take.
 */
export const testedVersions = ['3.1.69', '6.0.5'];
const oldestVersion = testedVersions[0];
const debianRoot = '/usr/share/emscripten';

/** What the tree uses of the system itself: Emscripten 3.1.69 wants LLVM 19, which Debian 12 and 13 have under that name. */
const installedPackages = ['clang-19', 'lld-19', 'llvm-19', 'python3'];
// acorn is fetched, not installed, because its package would bring Debian's own Node into the system.
const fetchedPackages = ['emscripten', 'node-acorn', 'binaryen', 'libc6', 'libstdc++6', 'libgcc-s1'];
const treeName = `emscripten-${oldestVersion}`;
const privateRoot = path.join(treeFolder(treeName), debianRoot);

// Libraries for shared modules, which nothing here builds, are half of the 1.7 GB; Emscripten's own tests are no use either.
const unusedFolders = [
  'test',
  'cache/sysroot/lib/wasm32-emscripten/pic',
  'cache/sysroot/lib/wasm32-emscripten/lto-pic',
];

// The paths start at the file that reads them, so that the tree can be renamed into place.
const configuration = `from tools.utils import path_from_root
LLVM_ROOT = '/usr/bin'
BINARYEN_ROOT = path_from_root('../../../binaryen')
FROZEN_CACHE = True
CLOSURE_COMPILER = 'closure-compiler'
LLVM_ADD_VERSION = '19'
CLANG_ADD_VERSION = '19'
`;

const probe = `#include <emscripten/bind.h>
int answer() { return 42; }
EMSCRIPTEN_BINDINGS(probe) { emscripten::function("answer", &answer); }
int main() { return answer() - 42; }
`;

/** What must be on the system before `provideEmscripten` can succeed; empty if emcc is on PATH already. */
export function emscriptenRequirements(system) {
  if (rootOnPath()) return [];
  if (!system.isDebian || system.release < 12) {
    const how = './emsdk install latest && ./emsdk activate latest && . ./emsdk_env.sh';
    return [{ label: `Emscripten ${oldestVersion} or newer (emcc on PATH); with emsdk: ${how}` }];
  }
  const names = needsPrivateTree(system) ? installedPackages : ['emscripten'];
  return names.map((name) => ({ label: name, debian: name }));
}

/** The environment in which `emcc`, `emcmake` and CMake's toolchain file work. Builds the private tree if there is no other. */
export async function provideEmscripten(system) {
  const root = rootOnPath();
  if (root) {
    const untested = untestedAdvice(versionOf(root));
    if (untested !== undefined) say(untested);
    return { EMSCRIPTEN_ROOT: root };
  }
  if (!needsPrivateTree(system))
    throw new SetupError(`the first emcc on PATH is missing or older than ${oldestVersion}`);
  // About 40 s; 900 MB are kept.
  await provideTree(treeName, fetchedPackages, system.codename, async (tree, work) => {
    adapt(tree);
    // A package.json in a folder above, such as the home folder, may say that scripts are ES modules. These are not.
    for (const folder of [tree, work]) writeFileSync(path.join(folder, 'package.json'), '{}');
    await tryOut(path.join(tree, debianRoot), work);
  });
  return privateEnvironment(privateRoot);
}

/** What to say about a version of Emscripten that nothing was tested with; undefined for any other. */
export function untestedAdvice(version) {
  if (testedVersions.includes(version)) return undefined;
  return `Emscripten ${version} was not tested: what bindings/embind.cpp replaces may have changed. Run npm run test:all, or use ${testedVersions.join(' or ')}`;
}

/** The version that a folder of Emscripten states, as text; undefined if it is not such a folder. */
function versionOf(root) {
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
  const version = root && versionOf(root);
  if (!version || version.localeCompare(oldestVersion, undefined, { numeric: true }) < 0) return undefined;
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

/** The environment in which the emcc of `root` works. Node and Python are named, as others on PATH may not do. */
function privateEnvironment(root) {
  return {
    PATH: `${root}${path.delimiter}${process.env.PATH}`,
    EMSCRIPTEN_ROOT: root,
    EM_CONFIG: path.join(root, '.emscripten'),
    EM_NODE_JS: process.execPath,
    EMSDK_PYTHON: '/usr/bin/python3',
  };
}

function adapt(tree) {
  const root = path.join(tree, debianRoot);
  for (const unused of unusedFolders) rmSync(path.join(root, unused), { recursive: true });
  writeFileSync(path.join(root, '.emscripten'), configuration);
  // Emscripten imports acorn, and Node looks for it here; only Debian's own Node would look in its share/nodejs.
  symlinkSync(path.join('..', 'nodejs'), path.join(root, 'node_modules'));
  // Where the configuration says that Binaryen is.
  const programs = readdirSync(path.join(tree, 'usr', 'bin')).filter((program) => program.startsWith('wasm'));
  writeWrappers(tree, path.join('binaryen', 'bin'), programs);
}

/** Compiles and runs a program that takes every part of the toolchain: clang, lld, the libraries, wasm-opt, acorn, embind. */
async function tryOut(root, work) {
  say('trying it on a small program');
  const source = path.join(work, 'probe.cpp');
  const program = path.join(work, 'probe.js');
  writeFileSync(source, probe);
  const settings = { env: { ...process.env, ...privateEnvironment(root) }, onlyIfFailed: true };
  await run(path.join(root, 'em++'), ['-O2', '-lembind', source, '-o', program], settings);
  await run(process.execPath, [program], settings);
}
