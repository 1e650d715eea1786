// How long tests wait. Invariant: only what hangs reaches a limit, however busy the machine is; what is slow is waited for.
import { setTimeout as pause } from 'node:timers/promises';

/** In milliseconds, for one wait: less than Jest gives a whole test, so that an error says what hangs. */
export const PATIENCE = 500_000;

/** For processes of tests: one that hangs is ended, so that it does not outlive its test. */
export const TIME_LIMIT = { timeout: PATIENCE, killSignal: 'SIGKILL' } as const;

/** Lets happen what needs no more than this process: for what must not happen. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; ++turn) await pause(0);
}

/** Resolves once `holds` gives true, and asks it again and again until then. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + PATIENCE; !(await holds()); await pause(5))
    if (Date.now() > end) throw new Error(`waited in vain for ${String(holds)}`);
}
