// Waiting: for a server that temporarily refuses a command, and between the pieces of a doubling.
// Invariant: a command is sent again only if its error says that it was not carried out.
import type { Send } from './program.js';
import { isForNow } from './server-errors.js';

/** Longest pause, in milliseconds, before a command is sent again. */
const LONGEST = 200;

/** A pause of so many milliseconds. */
export function rest(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** `send`, made to retry a command that the server temporarily refuses, for up to `retryMs` milliseconds. */
export function patient(send: Send, retryMs: number): Send {
  return async (command) => {
    const end = performance.now() + retryMs;
    for (let attempt = 0; ; ++attempt) {
      try {
        return await send(command);
      } catch (error) {
        if (!isForNow(error) || performance.now() >= end) throw error;
      }
      await rest(Math.min(LONGEST, 2 ** attempt)); // longer after each
    }
  };
}
