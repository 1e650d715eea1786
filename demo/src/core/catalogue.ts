// For every fingerprint and home 1 of a small table, what the core says of a key that has them.
// Invariant: found by looking keys up in an empty filter, so that no rule of the addressing is repeated here.
import { birds, languageNow } from '../i18n';
import { strangerKey } from '../model/samples';
import { DEFAULTS } from '../model/settings';
import { type EventOf, first } from '../model/trace/state';
import { tried } from './filling';

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
  const sizes = { bucketCount, bucketSize: 1, fingerprintBits: CATALOGUE_BITS };
  return tried({ ...DEFAULTS, ...sizes, samplePercent: 0 }, ({ engine }) => {
    const entries = new Map<string, Located>();
    // Fingerprint 0 does not exist.
    const wanted = (2 ** CATALOGUE_BITS - 1) * bucketCount;
    for (let i = 0; i < MOST_KEYS && entries.size < wanted; ++i) {
      const key = strangerKey(birds(0), i);
      const event = first(engine.lookUp(key), 'locate');
      const name = `${event.fingerprint} ${event.primary}`;
      if (!entries.has(name)) entries.set(name, { key, event });
    }
    return entries;
  });
}
