// For every fingerprint and home 1 of a small table, what the core says of a key that has them.
// Invariant: found by looking keys up in an empty filter, so that no rule of the addressing is repeated here.
import { CuckooFilter } from 'cuckoofilter-wasm/trace';
import { birds, languageNow } from '../i18n';
import { strangerKey } from '../model/samples';
import { type EventOf, first } from '../model/trace/state';

export interface Located {
  readonly key: string;
  readonly event: EventOf<'locate'>;
}

/** Fingerprints of so many bits: few enough for every pair to be found at once. */
export const CATALOGUE_BITS = 4;
const MOST_KEYS = 20_000;

const known = new Map<string, Map<string, Located>>();

/** What the core says of a key with this fingerprint and this home 1. */
export function located(bucketCount: number, fingerprint: number, primary: number): Located | null {
  const table = `${languageNow()} ${bucketCount}`;
  const entries = known.get(table) ?? found(bucketCount);
  known.set(table, entries);
  return entries.get(`${fingerprint} ${primary}`) ?? null;
}

function found(bucketCount: number): Map<string, Located> {
  const sizes = { capacity: 1, bucketCount, bucketSize: 1, fingerprintBits: CATALOGUE_BITS };
  const filter = new CuckooFilter({ ...sizes, addressing: 'xor', semiSort: false }).trace(2);
  const entries = new Map<string, Located>();
  // Fingerprint 0 does not exist.
  const wanted = (2 ** CATALOGUE_BITS - 1) * bucketCount;
  for (let i = 0; i < MOST_KEYS && entries.size < wanted; ++i) {
    const key = strangerKey(birds(0), i);
    filter.contains(key);
    const event = first(filter.takeEvents().events, 'locate');
    const name = `${event.fingerprint} ${event.primary}`;
    if (!entries.has(name)) entries.set(name, { key, event });
  }
  filter.dispose();
  return entries;
}
