// Installs Debian packages as root, with sudo, or not at all but with the command to type; and fetches packages of another
// release without installing them.
// Invariant: an installation that was interrupted is completed by the next one; the machine's sources are not changed; no
// address is written here, because the mirrors are those that the machine uses already.
// Source: apt-get(8), apt.conf(5), dpkg(1).

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run, withRetries } from '../run.mjs';
import { findProgram, say, SetupError } from './system.mjs';

// A machine that has just started may still run its own upgrades, which hold dpkg's lock. Without the second, apt-get calls
// an update a success although a source could not be reached, and the reason is lost.
const options = ['-o', 'DPkg::Lock::Timeout=600', '-o', 'APT::Update::Error-Mode=any'];
const interruptedDpkgFolder = '/var/lib/dpkg/updates';
// A root shell from `su` may lack these folders, and dpkg refuses to work without them.
const systemPath = `${process.env.PATH ?? ''}:/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin`;

/** Installs these packages with one `apt-get update` and one `apt-get install`. */
export async function installPackages(names) {
  const install = ['install', '-y', '--no-install-recommends', ...names];
  const prefix = rootPrefix(`apt-get update && apt-get ${install.join(' ')}`);
  say(`installing Debian packages: ${names.join(', ')}`);
  const asRoot = (command, settings) => {
    const [program, ...args] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', ...command];
    const env = { ...process.env, PATH: systemPath };
    return run(program, args, { env, onlyIfFailed: true, ...settings });
  };
  if (existsSync(interruptedDpkgFolder) && readdirSync(interruptedDpkgFolder).length > 0) {
    await asRoot(['dpkg', '--configure', '-a']);
  }
  // --fix-broken lets an installation that was interrupted half-way be completed by the next run.
  const aptGet = (words, settings) => asRoot(['apt-get', ...options, ...words], settings);
  await updateAnd(aptGet, [...install, '--fix-broken']);
}

/** Downloads these packages of another release into `folder`, which must be empty, and returns the .deb files' paths. */
export async function downloadPackages(names, release, codename, folder) {
  const inFolder = (name) => {
    mkdirSync(path.join(folder, name), { recursive: true });
    return path.join(folder, name);
  };
  const [sources, downloads] = [inFolder('sources'), inFolder('packages')];
  for (const name of ['lists/partial', 'cache/archives/partial']) inFolder(name);
  // Sources of others may have nothing for that release; then they are out of reach, which is no reason to stop.
  const suite = new RegExp(`\\b(?:${codename}|oldstable|stable|testing)\\b`, 'g');
  for (const file of sourceFiles()) {
    const text = readFileSync(file, 'utf8').replaceAll(suite, release);
    writeFileSync(path.join(sources, path.basename(file)), text);
  }
  // The lines that begin with #clear keep the machine's own hooks out, which need root.
  const configuration = path.join(folder, 'apt.conf');
  writeFileSync(
    configuration,
    `#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
APT::Sandbox::User "root";
Acquire::Languages "none";
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "${sources}/";
Dir::State::lists "${folder}/lists/";
Dir::Cache "${folder}/cache/";
`,
  );
  const aptGet = (words, settings) =>
    run('apt-get', ['-c', configuration, ...options, ...words], {
      cwd: downloads,
      onlyIfFailed: true,
      ...settings,
    });
  await updateAnd(aptGet, ['download', ...names.map((name) => `${name}/${release}`)]);
  return readdirSync(downloads).map((name) => path.join(downloads, name));
}

/** One source out of reach is no reason to stop: the others may have what is wanted. A lock or a download may want a second try. */
async function updateAnd(aptGet, words) {
  await withRetries('apt-get', async () => {
    const { code, output } = await aptGet(['update'], { mayFail: true });
    if (code !== 0) say(`going on without some package lists, which could not be fetched:\n${output}`);
    await aptGet(words);
  });
}

function rootPrefix(byHand) {
  if (process.getuid() === 0) return [];
  if (findProgram('sudo') && spawnSync('sudo', ['-n', 'true']).status === 0) return ['sudo', '-n'];
  throw new SetupError(
    `this needs root, and sudo without a password is not available. Please run as root:\n  ${byHand}`,
  );
}

/** The files in which the machine names its sources, in the older format and the newer. */
function sourceFiles() {
  const folder = '/etc/apt/sources.list.d';
  const parts = existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
  return ['/etc/apt/sources.list', ...parts].filter(
    (file) => /\.(?:list|sources)$/.test(file) && existsSync(file),
  );
}
