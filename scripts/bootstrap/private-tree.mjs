// Emscripten from the packages of Debian 13, as a tree of its own in the cache folder (trees.mjs).
// Invariant: the tree was seen to compile a program that takes every part of the toolchain.

import { readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run, say } from './processes.mjs';
import { provideTree, treeFolder, writeWrappers } from './trees.mjs';

/** What the tree uses of the system itself: Emscripten 3.1.69 wants LLVM 19, which Debian 12 and 13 have under that name. */
export const privateTreePackages = ['clang-19', 'lld-19', 'llvm-19', 'python3'];

const name = 'emscripten-3.1.69';
// acorn is fetched, not installed, because its package would bring Debian's own Node into the system.
const fetchedPackages = ['emscripten', 'node-acorn', 'binaryen', 'libc6', 'libstdc++6', 'libgcc-s1'];
const rootInTree = path.join('usr', 'share', 'emscripten');

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

/** The folder of emcc in the finished tree, whether or not it exists yet. */
export function privateRoot() {
  return path.join(treeFolder(name), rootInTree);
}

/** The environment in which the emcc of `root` works. Node and Python are named, as others on PATH may not do. */
export function privateEnvironment(root) {
  return {
    PATH: `${root}${path.delimiter}${process.env.PATH}`,
    EMSCRIPTEN_ROOT: root,
    EM_CONFIG: path.join(root, '.emscripten'),
    EM_NODE_JS: process.execPath,
    EMSDK_PYTHON: '/usr/bin/python3',
  };
}

/**
 * Builds the tree. `ownRelease` is the code name under which the machine's apt sources name the mirror. About 40 s, 250 MB
 * fetched, 900 MB kept.
 */
export async function buildPrivateTree(ownRelease) {
  say(`Emscripten is 250 MB: the package of ${ownRelease} does not work here`);
  await provideTree(name, fetchedPackages, ownRelease, async (tree, work) => {
    adapt(tree);
    await tryOut(path.join(tree, rootInTree), work);
  });
}

function adapt(tree) {
  const root = path.join(tree, rootInTree);
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
  const env = { ...process.env, ...privateEnvironment(root) };
  await run(path.join(root, 'em++'), ['-O2', '-lembind', source, '-o', program], { env });
  await run(process.execPath, [program], { env });
}
