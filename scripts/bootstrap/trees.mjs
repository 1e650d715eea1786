// Trees of programs from the packages of Debian 13, unpacked into the user's cache folder with nothing of the system upgraded.
// Invariant: a tree of the final name is complete and was seen to work; it is built under a name of its own and renamed, so
// neither an interruption nor a second run at the same time can leave half a tree.
// Programs that need a newer C library run with the one that is unpacked beside them.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { run } from '../run.mjs';
import { downloadPackages } from './debian.mjs';
import { say, SetupError } from './system.mjs';

const release = 'trixie';
const cacheFolder = path.join(
  process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'),
  'cuckoofilter-wasm',
);
const unfinished = 'unfinished-';

/** The folder of the tree of that name, whether or not it exists yet. */
export function treeFolder(name) {
  return path.join(cacheFolder, `${name}-${process.arch}`);
}

/**
 * Fetches and unpacks these packages, lets `complete(tree, work)` adapt and try the tree, then gives it its name. Does nothing if
 * it is there. `ownRelease` is the code name under which the machine's apt sources name the mirror.
 */
export async function provideTree(name, packages, ownRelease, complete) {
  const folder = treeFolder(name);
  if (existsSync(folder)) return;
  say(`fetching packages of ${release} into ${folder}`);
  mkdirSync(cacheFolder, { recursive: true });
  removeAbandoned();
  const work = mkdtempSync(path.join(cacheFolder, unfinished));
  try {
    const tree = path.join(work, 'tree');
    const files = await downloadPackages(packages, release, ownRelease, work);
    for (const file of files) await run('dpkg-deb', ['-x', file, tree], { onlyIfFailed: true });
    await complete(tree, work);
    publish(tree, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** In the tree's folder `folder`, one script for each of these programs of its usr/bin, which starts it with the tree's own C library. */
export function writeWrappers(tree, folder, programs) {
  const libraries = path.join('usr', 'lib', findOnly(path.join(tree, 'usr', 'lib'), /-linux-gnu/));
  const loader = path.join(libraries, findOnly(path.join(tree, libraries), /^ld-linux.*\.so\.\d+$/));
  mkdirSync(path.join(tree, folder), { recursive: true });
  const up = path.relative(folder, '.');
  for (const name of programs) {
    writeFileSync(
      path.join(tree, folder, name),
      `#!/bin/sh
tree=$(dirname "$0")/${up}
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

/** Another run may have finished first; its tree is as good as this one. */
function publish(tree, folder) {
  try {
    renameSync(tree, folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
  }
}

/** Removes what runs that were killed left behind. Building a tree takes minutes, not an hour. */
function removeAbandoned() {
  for (const name of readdirSync(cacheFolder).filter((each) => each.startsWith(unfinished))) {
    const folder = path.join(cacheFolder, name);
    if (Date.now() - statSync(folder).mtimeMs > 3_600_000) rmSync(folder, { recursive: true, force: true });
  }
}
