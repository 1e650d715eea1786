// First names from many countries: those that the page looks for a double in, for readers of English.
// Invariant: no name stands twice (a test looks). Which names are common is a fact; the choice and its order are this page's.
import NAMES from './en-first-names.json';

/**
 * The names number `batch`: first the plain ones, then each with another as its second name. So there is no end to them, and
 * every name has a double.
 */
export function namesOf(batch: number): readonly string[] {
  if (batch === 0) return NAMES;
  return NAMES.map((name, i) => `${name} ${NAMES[(i + batch) % NAMES.length]}`);
}
