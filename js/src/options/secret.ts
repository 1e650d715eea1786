// The option `hash`, in a file of its own, so that /redis takes it without the core.
import { viewOf } from '../engine/bytes.js';
import { argumentError, shownKind } from '../errors.js';

/**
 * The secret key in the option `hash`; null if the algorithm takes none. Throws TypeError and RangeError; their
 * messages give the length of a key, never its bytes, nor what was given in place of a known algorithm.
 */
export function secretOf(hash: unknown): Uint8Array | null {
  if (hash === undefined) return null;
  const isObject = typeof hash === 'object' && hash !== null;
  const { algorithm, key } = (isObject ? hash : { algorithm: hash }) as { algorithm: unknown; key?: unknown };
  const isKnown = algorithm === 'xxh64' || algorithm === 'siphash-1-3';
  if (!isKnown)
    throw argumentError(
      `${isObject ? 'hash.algorithm' : 'hash'} must be 'xxh64', or 'siphash-1-3' with a key, got ${typeof algorithm === 'string' ? 'another string' : shownKind(algorithm)}`,
      typeof algorithm === 'string' ? RangeError : TypeError,
    );
  if (algorithm === 'xxh64' && key === undefined) return null;
  if (!isObject) throw argumentError(`hash has no key: pass hash: { algorithm: '${algorithm}', key }`);
  const bytes = viewOf(key, 'hash.key') ?? null;
  if (algorithm === 'siphash-1-3' && bytes?.length === 16) return bytes;
  const Kind = algorithm === 'xxh64' || bytes === null ? TypeError : RangeError;
  const wanted = algorithm === 'xxh64' ? "left out for 'xxh64'" : '16 bytes, as from crypto.getRandomValues';
  throw argumentError(
    `hash.key must be ${wanted}, got ${bytes === null ? typeof key : `${bytes.length} bytes`}`,
    Kind,
  );
}
