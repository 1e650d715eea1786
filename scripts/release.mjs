// `npm run release:check [FOLDER]`: says what is missing before the package can be published. The exit code is 1 while
// anything is. Invariant: it changes nothing, and invents nothing: what only the publisher knows is only reported.
// The tests run last, and only if nothing else is missing, because they take long.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { root } from './run.mjs';

const folder = resolve(process.argv[2] ?? root);
const read = (name) => readFileSync(join(folder, name), 'utf8');
const runs = (program, ...args) => spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
const manifest = JSON.parse(read('package.json'));

/** What is to be done, as sentences; empty if all is there. */
function missing() {
  const { version, publishConfig = {} } = manifest;
  return [
    ...['repository', 'homepage', 'bugs'].filter((field) => !manifest[field]).map(missingField),
    !isReleased(version) && `CHANGELOG.md has no heading "## ${version} (YYYY-MM-DD)"`,
    publishConfig.access !== 'public' && 'package.json: publishConfig.access is not "public"',
    publishConfig.provenance !== true && 'package.json: publishConfig.provenance is not true',
    runs('git', 'status', '--porcelain').stdout !== '' && 'git: there are changes that are not committed',
  ].filter((line) => line !== false);
}

function missingField(field) {
  return `package.json: ${field} is missing; only the publisher knows it`;
}

/** Whether the changelog has the version, with a day that exists and is not in the future. */
function isReleased(version) {
  const heading = read('CHANGELOG.md')
    .split('\n')
    .find((line) => line.startsWith(`## ${version} (`));
  const day = /\((\d{4}-\d\d-\d\d)\)$/.exec(heading ?? '')?.[1];
  const time = Date.parse(`${day}T00:00:00Z`);
  return time <= Date.now() && new Date(time).toISOString().startsWith(day);
}

const found = missing();
if (found.length === 0) {
  console.log('running npm test');
  if (runs('npm', 'test').status !== 0) found.push('npm test fails');
} else {
  found.push('npm test has not run: it does when nothing else is missing');
}
for (const line of found) console.log(`- ${line}`);
console.log(found.length === 0 ? `${manifest.name} ${manifest.version} can be published` : 'not ready');
process.exitCode = found.length === 0 ? 0 : 1;
