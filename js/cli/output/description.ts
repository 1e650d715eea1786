// What `info` prints about a saved filter, and `plan` about one that could be made: a table for people, or a line of
// JSON.
import type { CuckooFilter, CuckooFilterPlan } from 'cuckoofilter-wasm';

/** `shown` is the value for people, if that differs. */
type Rows = readonly (readonly [name: string, label: string, value: string | number, shown?: string])[];

export function describeFilter(file: string, filter: CuckooFilter, isJson: boolean): string {
  const { size, expectedFalsePositiveRate: falsePositiveRate, loadFactor, bitsPerKey } = filter;
  return described(
    [
      ['file', 'file', file],
      ['keys', 'keys', size],
      ['capacity', 'capacity', filter.currentCapacity],
      ['maxCapacity', 'largest capacity', filter.maxCapacity],
      ['falsePositiveRate', 'false positive rate', falsePositiveRate, short(falsePositiveRate)],
      ['loadFactor', 'load factor', loadFactor, loadFactor.toFixed(3)],
      ['bitsPerKey', 'bits per key', bitsPerKey, size === 0 ? '-' : bitsPerKey.toFixed(2)],
      ['byteLength', 'bytes of the table', filter.byteLength],
      ['bucketCount', 'buckets', filter.bucketCount],
      ['bucketSize', 'slots per bucket', filter.bucketSize],
      ['fingerprintBits', 'fingerprint bits', filter.fingerprintBits],
      ['addressing', 'addressing', filter.addressing],
      ['seed', 'seed', String(filter.seed)],
    ],
    isJson,
  );
}

export function describePlan(plan: CuckooFilterPlan, isJson: boolean): string {
  const { expectedFalsePositiveRate: falsePositiveRate, bitsPerKey } = plan;
  return described(
    [
      ['capacity', 'capacity', plan.currentCapacity],
      ['byteLength', 'bytes of the table', plan.byteLength],
      ['maxCapacity', 'largest capacity', plan.maxCapacity],
      ['maxByteLength', 'largest table, bytes', plan.maxByteLength],
      ['bitsPerKey', 'bits per key, full', bitsPerKey, bitsPerKey.toFixed(2)],
      ['falsePositiveRate', 'rate when full', falsePositiveRate, short(falsePositiveRate)],
      ['bucketSize', 'slots per bucket', plan.bucketSize],
      ['fingerprintBits', 'fingerprint bits', plan.fingerprintBits],
    ],
    isJson,
  );
}

/** JSON has no NaN, and makes it null. */
function described(rows: Rows, isJson: boolean): string {
  if (isJson) return `${JSON.stringify(Object.fromEntries(rows.map(([name, , value]) => [name, value])))}\n`;
  return rows.map(([, label, value, shown = value]) => `${label.padEnd(22)}${shown}\n`).join('');
}

function short(rate: number): string {
  return rate === 0 ? '0' : rate.toPrecision(3);
}
