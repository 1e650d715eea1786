// Installs Debian packages as root, with sudo, or not at all but with the command to type.
// Invariant: an installation that was interrupted is completed by the next one; the machine's sources are not changed.
// Source: apt-get(8), dpkg(1).

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { CommandError, findProgram, run, say, SetupError, withRetries } from './processes.mjs';

// A machine that has just started may still run its own upgrades, which hold dpkg's lock.
const lockOptions = ['-o', 'DPkg::Lock::Timeout=600'];
// Without this, apt-get calls an update a success although a source could not be reached, and the reason is lost.
const updateOptions = [...lockOptions, '-o', 'APT::Update::Error-Mode=any'];
const interruptedDpkgFolder = '/var/lib/dpkg/updates';
// A root shell from `su` may lack these folders, and dpkg refuses to work without them.
const systemPath = `${process.env.PATH ?? ''}:/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin`;

/** Installs these packages with one `apt-get update` and one `apt-get install`. `why` maps each name to a reason. */
export async function installPackages(names, why) {
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...names];
  const byHand = `apt-get update && ${install.join(' ')}`;
  const byReason = groupBy(names, why);
  const described = [...byReason].map(([reason, group]) => `${group.join(', ')} (${reason})`).join('; ');
  say(`installing Debian packages: ${described}`);
  if (existsSync(interruptedDpkgFolder) && readdirSync(interruptedDpkgFolder).length > 0) {
    await runAsRoot(['dpkg', '--configure', '-a'], byHand);
  }
  const update = () => runAsRoot(['apt-get', ...updateOptions, 'update'], byHand);
  // --fix-broken lets an installation that was interrupted half-way be completed by the next run.
  const installNow = () => runAsRoot([...install, '--fix-broken', ...lockOptions], byHand);
  await withRetries('apt-get install', () => updateThen(update, installNow));
}

/** One source out of reach is no reason to stop: the others may have what is wanted. If they have not, both reasons are told. */
export async function updateThen(update, next) {
  const failure = await failureOf(update);
  if (!failure) return next();
  say('apt-get update could not fetch every package list; going on with those that are there');
  const nextFailure = await failureOf(next);
  if (nextFailure) throw new CommandError(`${failure.message}\nand so ${nextFailure.message}`);
}

async function failureOf(action) {
  try {
    return void (await action());
  } catch (error) {
    if (error instanceof CommandError) return error;
    throw error;
  }
}

/** Runs a command as root, or fails with the line that the user, who is not root, is to type instead. */
export function runAsRoot(command, byHand = command.join(' ')) {
  const [program, ...args] = [...rootPrefix(byHand), 'env', 'DEBIAN_FRONTEND=noninteractive', ...command];
  return run(program, args, { env: { ...process.env, PATH: systemPath } }, command[0]);
}

function rootPrefix(byHand) {
  if (process.getuid() === 0) return [];
  if (findProgram('sudo') && spawnSync('sudo', ['-n', 'true']).status === 0) return ['sudo', '-n'];
  throw new SetupError(
    `this needs root, and sudo without a password is not available. Please run as root:\n  ${byHand}`,
  );
}

function groupBy(values, key) {
  const groups = new Map();
  for (const value of values) groups.set(key(value), [...(groups.get(key(value)) ?? []), value]);
  return groups;
}
