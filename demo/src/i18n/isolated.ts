// A visitor's key inside a sentence.
// Invariant: whatever its length and its direction, the sentence around it can be read.
import { shortened } from '../model/shortened';

/** Letters of a key that a sentence tells; the panel on the key has it whole. */
const MOST_LETTERS = 60;
/** Letters written from right to left, and the signs that change the direction by themselves. */
const TURNS =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const SIGNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The key as it may stand in a sentence: cut short, and between marks of isolation if it could turn what is around it. */
export function isolated(key: string, most = MOST_LETTERS): string {
  const text = shortened(key, most);
  return TURNS.test(text) ? `\u2068${text.replace(SIGNS, '\ufffd')}\u2069` : text;
}
