// Files that another program holds for a moment, as in js/file/held.ts, but without promises, for locks: they must be gone
// when the process ends.
import { rmSync } from 'node:fs';
import { HELD, PAUSES } from '../../file/held.js';

/** The codes of errors while a file is held. None of them means that the user lacks permission to make the file. */
export const MOMENTARY = ['EBUSY', 'EPERM'];

/** Runs `action`, and again while it fails with one of `codes`. Throws the last error. */
export function untilFree<T>(action: () => T, codes: readonly string[] = HELD): T {
  for (const pause of PAUSES)
    try {
      return action();
    } catch (error) {
      if (!codes.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    }
  return action();
}

/** Removes the file at `path`, if there is one. Returns whether it is gone. */
export function removed(path: string): boolean {
  try {
    untilFree(() => rmSync(path, { force: true }));
    return true;
  } catch {
    return false;
  }
}
