// The answers that the server may give to the program and to DEL. Invariant: any other answer is an error, so that
// nothing counts as done that was not.
import { argumentError, shown } from '../../src/errors.js';
import { viewOf } from '../../src/reader/arguments.js';
import type { Action } from './program.js';

/** How many Redis keys were deleted. */
export const DELETED = /^[012]$/;

/** What the program answers as text. */
const ANSWERS: Readonly<Record<Exclude<Action, 'look' | 'changed'>, RegExp>> = {
  make: /^(created|other)$/,
  made: /^made$/,
  unmake: /^(unmade|kept)$/,
  // A digit for each key, the state of the table, and the epoch.
  change: /^[0-4]+[.+!]\d+$/,
  move: /^(moved|moving \d+ \d+)$/,
  expire: /^set$/,
  reset: /^emptied \d+$/,
  replace: /^replaced \d+$/,
};
export type TextAction = keyof typeof ANSWERS;

/** The text of an answer, which may be bytes. */
export function textOf(answer: unknown): string {
  const bytes = viewOf(answer);
  return bytes === undefined ? String(answer) : String.fromCharCode(...bytes);
}

/** The text that the program answered. Throws TypeError for what it never answers. */
export function textOfAnswer(action: TextAction, answer: unknown): string {
  const text = textOf(answer);
  if (!ANSWERS[action].test(text)) throw notAnswered(answer);
  return text;
}

/** The bytes that the server answered. Throws TypeError if it answered none, or the client made text of them. */
export function bytesOfAnswer(answer: unknown): Uint8Array {
  const bytes = viewOf(answer);
  if (bytes !== undefined) return bytes;
  if (typeof answer !== 'string' || answer === 'QUEUED') throw notAnswered(answer);
  throw argumentError(
    'send returned text, which damages bytes. It must return Buffers, as fromNodeRedis and fromIoRedis do',
  );
}

/** The error for an answer that a server never gives. */
export function notAnswered(answer: unknown): Error {
  const what = textOf(answer) === 'QUEUED' ? 'QUEUED, as within MULTI' : shown(answer);
  return argumentError(`send returned ${what}. It must return the server's answer`);
}
