// Questions about a stored fingerprint.
import { otherHome, type Stored } from '../trace/state';

export function isStored(stored: Stored | null, fingerprint: number): stored is Stored {
  return stored?.fingerprint === fingerprint;
}

/** The other home of a fingerprint that may lie in `bucket`; null if it may not. */
export function otherHomeIn(stored: Stored, bucket: number): number | null {
  return stored.homes.includes(bucket) ? otherHome(stored, bucket) : null;
}
