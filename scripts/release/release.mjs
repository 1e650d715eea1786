// `npm run release:check [-- --write] [FOLDER]`: says what is missing before the package can be published. The exit
// code is 1 while anything is. What only the publisher knows is only in publisher.json; --write puts it into the files
// that need it.
// Invariant: without --write it changes nothing. The tests run last, and only if nothing else is missing, because they take
// long.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { root } from '../run.mjs';
import { filled, readFacts } from './publisher.mjs';

const words = process.argv.slice(2);
const isWriting = words.includes('--write');
const folder = resolve(words.find((word) => word !== '--write') ?? root);
const runs = (program, ...args) => spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
const manifest = () => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** What is to be done, as sentences; empty if all is there. */
function missing() {
  const { facts, problems } = readFacts(folder);
  if (problems.length > 0) return [...problems, ...missingSettings()];
  const { version } = manifest();
  const isHeaded = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8').includes(`\n## ${version} (`);
  return [
    ...(isHeaded ? [] : [`CHANGELOG.md has no heading "## ${version} (not released yet)"`]),
    ...staleFiles(facts).map(
      (name) => `${name} does not say what publisher.json says; run npm run release:check -- --write`,
    ),
    ...missingSettings(),
  ];
}

/** The files that do not have the facts; none after --write, which writes them. */
function staleFiles(facts) {
  const stale = filled(folder, facts).filter(({ text, wanted }) => text !== wanted);
  if (!isWriting) return stale.map(({ name }) => name);
  for (const { name, wanted } of stale) {
    writeFileSync(join(folder, name), wanted);
    console.log(`written: ${name}`);
  }
  return [];
}

function missingSettings() {
  const { publishConfig = {} } = manifest();
  return [
    publishConfig.access !== 'public' && 'package.json: publishConfig.access is not "public"',
    publishConfig.provenance !== true && 'package.json: publishConfig.provenance is not true',
    runs('git', 'status', '--porcelain').stdout !== '' && 'git: there are changes that are not committed',
  ].filter((line) => line !== false);
}

const found = missing();
if (found.length === 0) {
  console.log('running npm test');
  if (runs('npm', 'test').status !== 0) found.push('npm test fails');
} else {
  found.push('npm test has not run: it does when nothing else is missing');
}
for (const line of found) console.log(`- ${line}`);
const { name, version } = manifest();
console.log(found.length === 0 ? `${name} ${version} can be published` : 'not ready');
process.exitCode = found.length === 0 ? 0 : 1;
