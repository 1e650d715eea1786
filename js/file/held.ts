// Files that another program holds for a moment: on Windows, a virus scanner or an indexer that reads a file keeps others
// from replacing or removing it. Windows drives seen from Linux, and some network drives, behave alike.
// Invariant: an action is tried for about ten seconds in all, and every other error is thrown at once.
import { setTimeout } from 'node:timers/promises';

/** The codes of errors while a file is held that this program has made, or may replace: no permission is lacking there. */
export const HELD: readonly string[] = ['EBUSY', 'EPERM', 'EACCES'];

/** Milliseconds before each further attempt. */
export const PAUSES: readonly number[] = [10, 20, 40, 80, 160, 320, 640, ...Array<number>(9).fill(1000)];

/** Runs `action`, and again while it fails with one of `codes`. Rejects with the last error. */
export async function whenFree<Result>(action: () => Promise<Result>, codes = HELD): Promise<Result> {
  for (const pause of PAUSES)
    try {
      return await action();
    } catch (error) {
      if (!codes.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      await setTimeout(pause);
    }
  return action();
}
