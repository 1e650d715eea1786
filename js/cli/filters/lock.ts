// The lock of a file that a run will save: a file beside it that names the process.
// Invariant: one run at a time has it. It is removed when the run ends, even by a signal, unless the process is killed.
// A lock that was left behind is never taken over, only explained: another container may have the same host name and
// its own process table.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { Failure, fileFailure } from '../words/failure.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Locks `target`, which users call `file`, until the process ends. Returns what unlocks it. Throws Failure. */
export function locked(target: string, file: string): () => void {
  const path = `${target}.lock`;
  const holder = `process ${process.pid} on ${hostname()} since ${new Date().toISOString()}\n`;
  const unlock = (): void => {
    process.off('exit', unlock);
    for (const signal of SIGNALS) process.off(signal, end);
    // Somebody may have removed it, and another run may have made a new one.
    if (contentOf(path) === holder) rmSync(path);
  };
  const end = (signal: NodeJS.Signals): void => {
    unlock();
    process.kill(process.pid, signal);
  };
  process.on('exit', unlock);
  for (const signal of SIGNALS) process.on(signal, end);
  // Only now, so that no signal can end the process in between.
  try {
    create(path, holder, file);
  } catch (error) {
    unlock();
    throw error;
  }
  return unlock;
}

function create(path: string, holder: string, file: string): void {
  try {
    writeFileSync(path, holder, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw heldFailure(path, file);
    // The file may exist already, if there was no room to write into it.
    rmSync(path, { force: true });
    if (code === 'EACCES')
      throw new Failure(`${file}: permission denied to write in its folder, where the new file is made`);
    throw fileFailure(file, error);
  }
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** Says who has the lock, and what to do. */
function heldFailure(path: string, file: string): Failure {
  const [, id, host, since] = /^process ([1-9]\d*) on ([!-~]+) since ([!-~]+)\n$/.exec(contentOf(path)) ?? [];
  if (id === undefined)
    return new Failure(
      `${file}: another run may be about to save this file, because ${path} exists. If there is no such run, remove ${path}`,
    );
  const holder = `${file}: locked by process ${id} on ${host} since ${since}`;
  return new Failure(
    host === hostname() && !isRunning(Number(id))
      ? `${holder}. That process ended without unlocking it. Remove ${path} and run this again`
      : `${holder}. Wait until that run has ended, then run this again. If that process is not a run of this command, remove ${path}`,
  );
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    // EPERM: it runs, and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
