// The words for a saved filter that a visitor brings, in English.
import type { SavedFilter } from '../saved';
import { enPlots } from './en-plots';

const { number, percent } = enPlots.plot;
const count = (value: number): string => value.toLocaleString('en');

export const enFile = {
  file: {
    title: 'Your own filter',
    lead: 'See what lies in a filter that your program saved with serialize(), or the command line tool saved. The file stays on this device.',
    drop: 'Drop a .cuckoo file here',
    choose: 'Choose a file',
    note: 'None at hand? Take the table of the first page. A saved file keeps no order within a bucket.',
    saveTable: 'Save that table',
    refused: (name: string, why: string) => `${name} cannot be opened: ${why}`,
    tooLarge: (bytes: number, most: number) =>
      `it has ${count(bytes)} bytes, and this page takes up to ${count(most)}`,
    layers: 'This is a scalable filter: its entries may lie in several tables, so no map is drawn.',
    notDrawn: (most: number) => `Tables of more than ${count(most)} slots are not drawn.`,
    key: 'Look up a key',
    kind: 'It is',
    kinds: { text: 'text', number: 'a whole number' },
    copies: (copies: number) => `, ${copies} copies`,
    told: (key: string, answer: string) => `${key}: ${answer}`,
    noNumber: (key: string) => `${key} is no whole number from -2^63 to 2^64 - 1.`,
    figures: (sizes: SavedFilter['sizes']): readonly (readonly [string, string])[] => [
      ['entries', count(sizes.size)],
      ['capacity', count(sizes.capacity)],
      ['load factor', percent(100 * sizes.loadFactor)],
      ['buckets', `${count(sizes.bucketCount)} of ${sizes.bucketSize} slots`],
      ...(sizes.layers > 1 ? ([['layers', String(sizes.layers)]] as const) : []),
      [
        'fingerprint',
        `${sizes.fingerprintBits} bits${sizes.hasReserved ? ' + reserved bits for growth' : ''}${sizes.isSemiSorted ? ', semi-sorted' : ''}`,
      ],
      ['other bucket', sizes.addressing],
      ['hash', sizes.hash],
      ['most kicks', count(sizes.maxKicks)],
      ['table', `${count(sizes.byteLength)} bytes`],
      ['bits per key', sizes.size > 0 ? number(sizes.bitsPerKey) : '-'],
      ['false positive rate now', percent(100 * sizes.falsePositiveRate)],
    ],
  },
};
