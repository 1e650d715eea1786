// Audited filters, and what their audit finds.
import { expect } from '@jest/globals';
import { CuckooFilter, type CuckooFilterOptions } from 'cuckoofilter-wasm';
import { audited, AuditError } from 'cuckoofilter-wasm/audit';
import { sameBytes, thrownBy } from '../support/random';

/** Short fingerprints in few buckets, so that keys are soon taken for others. */
export const crowded = { capacity: 20, bucketCount: 8, bucketSize: 4, fingerprintBits: 4, seed: 1 } as const;
export const roomy = { capacity: 1000, fingerprintBits: 32 } as const;

/** An audited filter that holds nothing. */
export function watched(options: CuckooFilterOptions = roomy): CuckooFilter {
  return audited(new CuckooFilter(options));
}

/** What `operate` makes the audit find; the filter must then be as it was. */
export function finding(filter: CuckooFilter, operate: () => unknown): AuditError {
  const saved = filter.serialize();
  const error = thrownBy(AuditError, operate);
  expect(sameBytes(filter.serialize(), saved)).toBe(true);
  return error;
}
