// Waiting: for a server that refuses a command for the moment, and for a lock.
// Invariant: a command is sent again only if its error says that it was not carried out.
import type { Send } from './program.js';
import { isForNow } from './server-errors.js';

/** Longest pauses, in milliseconds, before a command is sent again and before a lock is looked at again. */
const LONGEST = 200;
const LONGEST_FOR_LOCK = 50;

/** The pause before the next attempt: longer after each, up to `longest` milliseconds. */
export function pause(attempt: number, longest: number = LONGEST_FOR_LOCK): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.min(longest, 2 ** attempt)));
}

/** `send`, but that it sends a command again, for up to `retryMs` milliseconds, which the server refuses for the moment. */
export function patient(send: Send, retryMs: number): Send {
  return async (command) => {
    const end = performance.now() + retryMs;
    for (let attempt = 0; ; ++attempt) {
      try {
        return await send(command);
      } catch (error) {
        if (!isForNow(error) || performance.now() >= end) throw error;
      }
      await pause(attempt, LONGEST);
    }
  };
}
