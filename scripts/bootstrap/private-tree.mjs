// Emscripten from the packages of Debian 13, unpacked into the user's cache folder with nothing of the system upgraded.
// Invariant: a tree of the final name is complete and was seen to compile; it is built under a name of its own and
// renamed, so neither an interruption nor a second run at the same time can leave half a tree.
// The tree's programs that need a newer C library run with the one that is unpacked beside them.

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, hostname } from 'node:os';
import path from 'node:path';
import { downloadPackages } from './other-release.mjs';
import { run, say, SetupError } from './processes.mjs';

/** What the tree uses of the system itself: Emscripten 3.1.69 wants LLVM 19, which Debian 12 and 13 have under that name. */
export const privateTreePackages = ['clang-19', 'lld-19', 'llvm-19', 'python3'];

const release = 'trixie';
// acorn is fetched, not installed, because its package would bring Debian's own Node into the system.
const fetchedPackages = ['emscripten', 'node-acorn', 'binaryen', 'libc6', 'libstdc++6', 'libgcc-s1'];
const cacheFolder = path.join(
  process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'),
  'cuckoofilter-wasm',
);
const treeFolder = path.join(cacheFolder, `emscripten-3.1.69-${process.arch}`);
const unfinishedName = /^unfinished-(?<host>.+)-(?<pid>\d+)-\w+$/;
const unfinishedLifeMs = 24 * 3_600_000;
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
  return path.join(treeFolder, rootInTree);
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
 * Fetches, unpacks, adapts and tries the tree, then gives it its name. `ownRelease` is the code name under which the machine's
 * apt sources name the mirror. About 40 s, 250 MB fetched, 900 MB kept.
 */
export async function buildPrivateTree(ownRelease) {
  say(`fetching Emscripten (250 MB) into ${treeFolder}: the package of ${ownRelease} does not work here`);
  mkdirSync(cacheFolder, { recursive: true });
  removeAbandoned();
  const work = mkdtempSync(path.join(cacheFolder, `unfinished-${hostname()}-${process.pid}-`));
  try {
    const tree = path.join(work, 'tree');
    await unpack(await downloadPackages(fetchedPackages, release, ownRelease, work), tree);
    adapt(tree);
    await tryOut(path.join(tree, rootInTree), work);
    publish(tree);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function unpack(packages, tree) {
  say('unpacking it');
  for (const file of packages) await run('dpkg-deb', ['-x', file, tree]);
}

function adapt(tree) {
  const root = path.join(tree, rootInTree);
  for (const unused of unusedFolders) rmSync(path.join(root, unused), { recursive: true });
  writeFileSync(path.join(root, '.emscripten'), configuration);
  // Emscripten imports acorn, and Node looks for it here; only Debian's own Node would look in its share/nodejs.
  symlinkSync(path.join('..', 'nodejs'), path.join(root, 'node_modules'));
  writeBinaryenWrappers(tree);
}

/** The folder binaryen/bin holds one script for each program of Binaryen, which starts it with the tree's own C library. */
function writeBinaryenWrappers(tree) {
  const libraries = path.join('usr', 'lib', findOnly(path.join(tree, 'usr', 'lib'), /-linux-gnu/));
  const loader = path.join(libraries, findOnly(path.join(tree, libraries), /^ld-linux.*\.so\.\d+$/));
  const folder = path.join(tree, 'binaryen', 'bin');
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(path.join(tree, 'usr', 'bin')).filter((program) =>
    program.startsWith('wasm'),
  )) {
    writeFileSync(
      path.join(folder, name),
      `#!/bin/sh
tree=$(dirname "$0")/../..
exec "$tree/${loader}" --library-path "$tree/${libraries}" "$tree/usr/bin/${name}" "$@"
`,
      { mode: 0o755 },
    );
  }
}

function findOnly(folder, pattern) {
  const found = readdirSync(folder).filter((name) => pattern.test(name));
  if (found.length !== 1)
    throw new SetupError(`expected one ${pattern} in ${folder}, found: ${found.join(' ') || 'none'}`);
  return found[0];
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

/** Another run may have finished first; its tree is as good as this one. */
function publish(tree) {
  try {
    renameSync(tree, treeFolder);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
  }
}

/** Removes what runs that were killed left behind; about another machine's runs only their age tells. */
function removeAbandoned() {
  for (const name of readdirSync(cacheFolder)) {
    const owner = name.match(unfinishedName)?.groups;
    if (!owner) continue;
    const folder = path.join(cacheFolder, name);
    const isOld = Date.now() - statSync(folder).mtimeMs > unfinishedLifeMs;
    const isDead = owner.host === hostname() && !isRunning(Number(owner.pid));
    // A program that outlived its killed parent may still write here for some seconds, hence the retries.
    if (isOld || isDead) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
