// The answers that the server may give to the program and to DEL. Invariant: any other answer is an error, so that
// nothing counts as done that was not.
import { argumentError, shown } from '../../src/errors.js';
import { viewOf } from '../../src/reader/arguments.js';
import type { Action } from './script.js';

const HEX = /^([0-9a-f]{2})+$/;
/** A digit for each key, and the state of the table. */
const DIGITS = /^[0-4]+[.+!]$/;
/** How many Redis keys were deleted. */
export const DELETED = /^[012]$/;

/** What the program answers. */
const ANSWERS: Readonly<Record<Action, RegExp>> = {
  make: /^(created|other)$/,
  made: /^made$/,
  look: HEX,
  expire: /^set$/,
  reset: /^created$/,
  replace: /^replaced$/,
  move: /^(moved|moving \d+ \d+)$/,
  add: DIGITS,
  addIfAbsent: DIGITS,
  delete: DIGITS,
};

/** The text of an answer, which may be bytes. */
export function textOf(answer: unknown): string {
  const bytes = viewOf(answer);
  return bytes === undefined ? String(answer) : String.fromCharCode(...bytes);
}

/** The text that the program answered. Throws TypeError for what it never answers. */
export function textOfAnswer(action: Action, answer: unknown): string {
  const text = textOf(answer);
  if (!ANSWERS[action].test(text)) throw notAnswered(answer);
  return text;
}

/** The error for an answer that a server never gives. */
export function notAnswered(answer: unknown): Error {
  const what = textOf(answer) === 'QUEUED' ? 'QUEUED, as within MULTI' : shown(answer);
  return argumentError(`send returned ${what}. It must return the server's answer`);
}
