// A small filter of every kind: its reader tells the same of it as the class, and gives the same answers.
import { expect, test } from '@jest/globals';
import { CuckooFilter, type CuckooFilterOptions } from 'cuckoofilter-wasm';
import { FilterReader } from 'cuckoofilter-wasm/reader';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { integers } from '../support/integers';
import { SECRET } from '../support/secrets';
import { compared } from './compared';

const absent = [...integers(1_000_000, 60)];

test.each<[string, Partial<CuckooFilterOptions>]>([
  ['plain buckets', { bucketCount: 11, bucketSize: 3, fingerprintBits: 7, seed: 2n ** 40n + 5n }],
  ['two bits', { bucketCount: 3, bucketSize: 2, fingerprintBits: 2 }],
  ['xor', { bucketCount: 16, bucketSize: 1, fingerprintBits: 9, addressing: 'xor' }],
  ['a secret key', { bucketCount: 7, hash: SECRET }],
  ...[5, 7.25, 7.5, 7.75].map((fingerprintBits): [string, Partial<CuckooFilterOptions>] => [
    `${fingerprintBits} bits, semi-sorted`,
    { bucketCount: 9, semiSort: true, fingerprintBits },
  ]),
  ['room to grow', { bucketCount: 5, maxCapacity: 300 }],
  ['room to grow, semi-sorted', { bucketCount: 5, maxCapacity: 300, semiSort: true, fingerprintBits: 7.5 }],
  ['room to grow to 2^32 buckets', { bucketCount: 4, fingerprintBits: 2, maxCapacity: 2 ** 34 }],
])('a filter with %s, empty and in use', (name, options) => {
  using filter = new CuckooFilter({ capacity: 3, ...options });
  compared(filter, absent, `${name}, empty`, options.hash);
  const keys = integers(0, Math.ceil(filter.bucketCount * filter.bucketSize * 0.6));
  for (const key of keys) filter.tryAdd(key);
  compared(filter, [...keys, ...absent], name, options.hash);
});

test.each([0.1, 0.02, 1e-3, 1e-6, 1e-7, 1e-8])('layers with the false positive rate %d', (rate) => {
  using filter = new ScalableCuckooFilter({ capacity: 10, falsePositiveRate: rate });
  for (const count of [0, 10, 90]) {
    const keys = integers(count, count);
    filter.addMany(keys);
    const reader = compared(filter, [...keys, ...absent], `${rate}, ${count} more`);
    expect(reader.layers).toBe(filter.layers);
  }
});

test('a reader and a remote filter have the names of their classes', () => {
  const saved = CuckooFilter.from(['a']).serialize();
  expect(FilterReader.name).toBe('FilterReader');
  expect(FilterReader.remote(saved).constructor.name).toBe('RemoteFilter');
});
