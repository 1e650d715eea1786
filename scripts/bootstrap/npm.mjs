// Installs the npm packages of a folder's package-lock.json when its node_modules does not match it.
// Invariant: the stamp in node_modules names the lock file's bytes and the Node that the packages were installed for; it is
// removed before and written after an installation, so that an interrupted one is done again.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root, run, withRetries } from '../run.mjs';
import { findProgram, say, SetupError } from './system.mjs';

/** Runs `npm ci` in `folder` unless there is nothing to do. */
export async function provideNpmPackages(folder = root) {
  const [major] = process.versions.node.split('.');
  const hash = createHash('sha256')
    .update(readFileSync(path.join(folder, 'package-lock.json')))
    .digest('hex');
  const stamp = `${hash} node ${major} ${process.platform} ${process.arch}\n`;
  const stampFile = path.join(folder, 'node_modules/.bootstrap-stamp');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  const npm = findProgram('npm');
  if (!npm)
    throw new SetupError('npm is not on PATH; it comes with Node, but some distributions pack it on its own');
  say(`installing npm packages: ${path.join(folder, 'node_modules')} does not match package-lock.json`);
  rmSync(stampFile, { force: true });
  const words = ['ci', '--include=dev', '--no-audit', '--no-fund'];
  await withRetries('npm ci', () => run(npm, words, { cwd: folder, onlyIfFailed: true }), 2);
  writeFileSync(stampFile, stamp);
}
