// The errors for methods that are called on, or given, something other than a filter of their class.
import type { Kind } from '../class-names.js';
import { argumentError, ruleError, withArticle } from '../errors.js';

/** The error for a method that was called without its filter: on nothing, or on a copy or a Proxy of one. */
export function wrongReceiver(): Error {
  return argumentError(
    'a method was called without its filter: call it on the filter itself, not on a copy or Proxy (Valtio: ref(filter))',
  );
}

/**
 * The error for `other` if it is not a filter of this class. Saved bytes are not loaded automatically, because they may
 * need a secret key.
 */
export function notAFilter(other: unknown, kind: Kind): Error {
  const advice = ArrayBuffer.isView(other) ? ` (load it: ${kind}.deserialize)` : '';
  return ruleError('other', `${withArticle(kind)}${advice}`, other);
}
