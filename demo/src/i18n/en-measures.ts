// The words of the measurements and plots, in English.
import { count } from './count';
import { isolated } from './isolated';

/** Up to three digits that mean something, without a tail of zeros. */
const short = (value: number): string =>
  value === 0 || Math.abs(value) >= 100 ? count(Math.round(value)) : String(Number(value.toPrecision(3)));

/** The same; 100 only of all. */
export const percent = (value: number): string =>
  value < 100 && short(value) === '100' ? '99.9' : short(value);

export const enPlots = {
  plot: {
    data: 'The numbers as a table',
    series: 'line',
    load: 'load factor',
    meanKicks: 'mean kicks per insert',
    noKicks: 'Where no insert needed a kick there is no point: an axis of powers of ten has no zero.',
    number: short,
    percent: (value: number) => `${percent(value)} %`,
    named: (name: string, value: string) => `${name}: ${value}`,
    list: (items: readonly (string | number)[]) => items.join(', '),
    nothing: 'not measured yet',
    stop: 'Stop',
    progress: 'Progress',
  },
  race: {
    title: 'Four tables fill',
    slots: 'Slots in each table',
    kicks: 'Most kicks per insert',
    start: 'Start the race',
    lane: (slots: number) => (slots === 1 ? '1 slot per bucket' : `${slots} slots per bucket`),
    map: (slots: number, load: string) =>
      `Table with ${slots} slots per bucket, ${load} full: a dark pixel is a full slot`,
    paper: (percent: number) => `The paper plans with ${percent} %.`,
    loadOf: (slots: number, percent: string) => `${percent} with b\u00a0=\u00a0${slots}`,
    summary: (loads: string) => `Load at the first refusal: ${loads}.`,
    kicksPlot: 'Kicks per insert against load',
    searched: (percent: string, slots: number) =>
      `By this library’s search: ${percent}.${slots === 1 ? ' The difference is chance: with one slot there is no choice whom to kick.' : ''}`,
    note: 'How we know: measured here, in your browser; “npm run bench -- load” repeats it without one. Fingerprints of 16 bits. First a random one is kicked, as in the paper and in the scenes before this one; then this library’s search finds room before anything is kicked. The paper’s loads are figures to design with: a single run lies within a few points of them, and a table of 64 slots may show anything.',
  },
};

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
    note: 'How we know: formulas of the paper (section 5). The library plans whole tables, semi-sorted where that is smaller.',
    nibblesTitle: 'One bit saved by sorting',
    nibbles:
      'The order of the four fingerprints in a bucket means nothing, so they are kept sorted by their lowest four bits: 9, 3, c, 3 and 3, c, 9, 3 are both stored as 3, 3, 9, c. Of 65,536 quadruples 3,876 are sorted, and twelve bits tell which one it is, in place of sixteen. Each fingerprint gets one of the four bits set free, which halves the false positive rate.',
  },
  bloom: {
    title: 'Bloom beside cuckoo',
    lead: (keys: number, bits: number, probes: number) =>
      `Both hold the same ${keys} keys in ${bits} bits. The Bloom filter sets ${probes} bits for each key.`,
    key: 'Look up a key in both',
    ask: 'Look up',
    askPresent: 'One that is there',
    bloom: 'Bloom filter',
    cuckoo: 'Cuckoo filter',
    bloomBits: (set: number, all: number) => `Bloom filter: ${set} of ${all} bits set`,
    cuckooSlots: (full: number, all: number) => `Cuckoo filter: ${full} of ${all} slots full`,
    bitReads: (count: number) => (count === 1 ? '1 bit read.' : `${count} bits read, far apart.`),
    bucketReads: (count: number, buckets: number) =>
      `${count === 1 ? '1 slot' : `${count} slots`} read, in ${buckets === 1 ? 'one bucket' : 'two buckets'}.`,
    wrong: (key: string) => `“${isolated(key)}” was never put in: a false positive.`,
    noDelete: 'It cannot delete: a bit may belong to many keys.',
    canDelete: 'It can delete: a fingerprint has a slot of its own.',
  },
};
