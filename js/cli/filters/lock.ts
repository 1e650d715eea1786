// The lock of a file that a run will save: a file beside it that names the process.
// Invariant: one run at a time has the lock. The run removes it once the file is saved, or when it ends; a signal, a crash
// or a program that holds the lock's file leaves it.
// The next run then takes the lock over if it can tell that the process has ended, which needs the same host and, on
// Linux, the same container. There are no signal handlers, because one would not run before a slow regular expression
// ends. If two runs take over one lock at once, or somebody removes it, SavedFile still refuses to replace a file that
// changed after it was loaded.
import { readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { nameBeside } from '../../file/replacement.js';
import { Failure, fileFailure } from '../words/failure.js';
import { MOMENTARY, removed, untilFree } from './held.js';

/**
 * Locks `target`, which users call `file`, until the process ends. Returns what unlocks it once the file is saved. Throws
 * Failure, also if a run was killed after it had saved the file, and the file `isLoaded`: lines that were printed only
 * then would be missed.
 */
export function locked(target: string, file: string, isLoaded = false): () => void {
  const path = `${target}.lock`;
  const holder = `process ${process.pid} on ${hostname()}${table()} since ${new Date().toISOString()}\n`;
  // Somebody may have removed it, and another run may have made a new one.
  const unlock = (): boolean => contentOf(path) !== holder || removed(path);
  removeStale(path, target, isLoaded ? file : undefined);
  create(path, holder, file);
  process.on('exit', unlock);
  return () => {
    process.off('exit', unlock);
    if (unlock()) return;
    throw new Failure(
      `${file}: the filter is saved, but its lock ${path} could not be removed, perhaps because another program uses it. Remove it before the next run`,
    );
  };
}

function create(path: string, holder: string, file: string): void {
  try {
    // A lock that was removed can still be there for a moment.
    untilFree(() => writeFileSync(path, holder, { flag: 'wx' }), MOMENTARY);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw heldFailure(path, file);
    removed(path); // It may exist already, if there was no room to write into it.
    if (code === 'EACCES')
      throw new Failure(`${file}: permission denied to write in its folder, where the new file is made`);
    throw fileFailure(file, error);
  }
}

/** Removes the lock of a process that has ended, and what that process had not finished. */
function removeStale(path: string, target: string, loaded: string | undefined): void {
  const content = contentOf(path);
  const holder = holderOf(content);
  if (holder === undefined || holder.host !== hostname() || holder.table !== table()) return;
  if (isAnotherRun(holder) || contentOf(path) !== content) return;
  if (loaded !== undefined && timeOf(target) >= timeOf(path))
    throw new Failure(
      `${loaded}: process ${holder.id} was killed after it had saved this file, so the lines of its input count as seen. Its output was complete: if you have it, remove ${path} and go on with the next input`,
    );
  removed(path); // If not, making the new one says so.
  removed(nameBeside(target, holder.id));
}

interface Holder {
  readonly id: number;
  readonly host: string;
  readonly table: string;
  readonly since: string;
}

function holderOf(content: string): Holder | undefined {
  const [, id, host, table, since] =
    /^process ([1-9]\d*) on ([!-~]+)((?: pid:\[\d+\])?) since ([!-~]+)\n$/.exec(content) ?? [];
  return id && host && since ? { id: Number(id), host, table: table ?? '', since } : undefined;
}

/** When a file was written last; 0 if there is none. */
function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** The PID namespace, on Linux: each container has its own, even if host names are the same. */
function table(): string {
  try {
    return ` ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
}

/** Says who has the lock, and what to do. */
function heldFailure(path: string, file: string): Failure {
  const holder = holderOf(contentOf(path));
  if (holder === undefined)
    return new Failure(
      `${file}: another run may be about to save this file, because ${path} exists. If there is no such run, remove ${path}. If another program locks that file, as flock does, give it another one`,
    );
  const { id, host, since } = holder;
  const advice =
    host === hostname() && !isAnotherRun(holder)
      ? `That process has ended without removing its lock, or it runs in another container. If no such run exists, remove ${path} and run this again`
      : `Wait until that run has ended, then run this again. If that process is not a run of this command, remove ${path}`;
  return new Failure(`${file}: locked by process ${id} on ${host} since ${since}. ${advice}`);
}

/** Whether another process with the holder's number runs here. In containers, the number may be this process's own. */
function isAnotherRun({ id }: Holder): boolean {
  try {
    return id !== process.pid && process.kill(id, 0);
  } catch (error) {
    // EPERM: it runs, and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
