// Installs the npm packages of a folder's package-lock.json when its node_modules does not match it.
// Invariant: the stamp in node_modules names the lock file's bytes and the Node that the packages were installed for; it is
// removed before and written after an installation, so that an interrupted one is done again.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram, run, say, SetupError, withRetries } from './processes.mjs';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const lockFileOf = (folder) => path.join(folder, 'package-lock.json');
const stampFileOf = (folder) => path.join(folder, 'node_modules', '.bootstrap-stamp');

/** Whether node_modules is what package-lock.json asks for, as far as the stamp tells. */
export function hasNpmPackages(folder = repository) {
  const [lockFile, stampFile] = [lockFileOf(folder), stampFileOf(folder)];
  if (!existsSync(lockFile) || !existsSync(stampFile)) return false;
  return readFileSync(stampFile, 'utf8') === expectedStamp(lockFile);
}

/** Runs `npm ci` in `folder` unless there is nothing to do. */
export async function provideNpmPackages(folder = repository) {
  if (hasNpmPackages(folder)) return;
  const [lockFile, stampFile] = [lockFileOf(folder), stampFileOf(folder)];
  if (!existsSync(lockFile))
    throw new SetupError('package-lock.json is missing; `npm install` in a complete checkout writes it');
  const npm = findProgram('npm');
  if (!npm)
    throw new SetupError('npm is not on PATH; it comes with Node, but some distributions pack it on its own');
  say(
    `installing npm packages (npm ci): ${path.join(folder, 'node_modules')} does not match package-lock.json`,
  );
  rmSync(stampFile, { force: true });
  await withRetries(
    'npm ci',
    () => run(npm, ['ci', '--include=dev', '--no-audit', '--no-fund'], { cwd: folder }),
    2,
  );
  writeFileSync(stampFile, expectedStamp(lockFile));
}

function expectedStamp(lockFile) {
  const hash = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  const [major] = process.versions.node.split('.');
  return `${hash} node ${major} ${process.platform} ${process.arch}\n`;
}
