// The words of the scenes of memory, semi-sorting and Bloom, in English.
import { isolated } from './isolated';

export const enSpace = {
  space: {
    title: 'Bits per key against the false positive rate',
    rate: 'false positive rate',
    bits: 'bits per key',
    curves: {
      cuckoo: 'cuckoo, 95 % full',
      semiSorted: 'cuckoo, semi-sorted',
      bloom: 'Bloom',
      limit: 'the least possible',
    },
    rateIs: (rate: string) => `At ${rate}`,
    bitsOf: (bits: string) => `${bits} bits`,
    planned: 'this library plans',
    note: 'Formulas of the paper. The library plans whole tables, semi-sorted where that is smaller.',
    tableTitle: 'A semi-sorted table',
    tableLead:
      'Insert a key and step on: after each change the bucket is sorted, and the code of its low parts changes.',
    nibblesTitle: 'One bit saved by sorting',
    nibblesLead:
      'The lowest four bits of the four fingerprints in a bucket. Turn the dials: the order of the four means nothing.',
    dial: (i: number) => `Fingerprint ${i}`,
    up: (i: number) => `Fingerprint ${i}: one up`,
    down: (i: number) => `Fingerprint ${i}: one down`,
    orders: (count: number) =>
      count === 1
        ? 'These four stand in one order only.'
        : `These four can stand in ${count} orders, which are one form.`,
    forms: (forms: number, all: number) =>
      `${forms.toLocaleString('en')} forms are left of ${all.toLocaleString('en')}:`,
    saved: (bits: number, before: number) => `${bits} bits in place of ${before}, one bit per fingerprint.`,
  },
  bloom: {
    lead: (keys: number, bits: number, probes: number) =>
      `Both hold the same ${keys} keys in ${bits} bits. The Bloom filter sets ${probes} bits for each key.`,
    key: 'Look up a key in both',
    ask: 'Look up',
    askPresent: 'One that is there',
    bloom: 'Bloom filter',
    cuckoo: 'Cuckoo filter',
    bloomBits: (set: number, all: number) => `Bloom filter: ${set} of ${all} bits set`,
    cuckooSlots: (full: number, all: number) => `Cuckoo filter: ${full} of ${all} slots full`,
    bitReads: (count: number) => `${count} bits read, far apart.`,
    bucketReads: (count: number) => `${count} slots read, in two buckets.`,
    wrong: (key: string) => `“${isolated(key)}” was never put in: a false positive.`,
    noDelete: 'It cannot delete: a bit may belong to many keys.',
    canDelete: 'It can delete: a fingerprint has a slot of its own.',
  },
};
