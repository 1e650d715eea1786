// The saved files of the suite in tests/conformance: the same operations still give these bytes, and these bytes still give
// these answers, from the core and from the reader.
import { expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { adapter, bytesOfHex, FILES, MANIFEST, proved, savedBytes } from '../support/reference/suite';

test('the core gives the bytes, the outcomes and the answers of the suite', () => {
  const printed = proved('--pinned', ...adapter('core'));
  expect(printed).toMatch(/^the core in WebAssembly: \d{3,} passed, 0 failed\n$/);
});

test('the reader without WebAssembly gives the answers of the suite', () => {
  expect(proved(...adapter('reader'))).toMatch(/^FilterReader: \d{3,} passed, 0 failed\n$/);
});

test('what version 1.0 saved has not changed, and takes less than 15 kB', () => {
  const files = readdirSync(join(FILES, '1.0')).sort();
  expect(files).toHaveLength(22);
  const bytes = Buffer.concat(files.map((file) => savedBytes(`1.0/${file}`)));
  expect(bytes.length).toBeLessThan(15_000);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(
    '8d28cbc44cd4db232dccd30831851daa970d60987f42273470cb86b2682f0e25',
  );
});

test('the manifest lists every file once, and together they are small', () => {
  const files = readdirSync(FILES, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.bin'));
  expect(files.sort()).toEqual(MANIFEST.filters.flatMap(({ file }) => file ?? []).sort());
  expect(files.reduce((sum, file) => sum + savedBytes(file).length, 0)).toBeLessThan(60_000);
});

test('the traced build reports the changes that are written down', () => {
  const traced = {
    'widths-of-five': { bucketCount: 13, bucketSize: 5, fingerprintBits: 5, semiSort: false },
    'semi-sorted-quarters': { bucketCount: 11, bucketSize: 4, fingerprintBits: 7.5, semiSort: true },
  } as const;
  const lines = Object.entries(traced).flatMap(([name, sizes]) => {
    const filter = new Traced({ capacity: 1, ...sizes }).trace(2);
    const { made = '' } = MANIFEST.filters.find((each) => each.name === name) ?? {};
    for (const word of made.split(' ')) {
      const key = bytesOfHex(word.slice(1));
      if ('+!#'.includes(word.charAt(0))) filter.tryAdd(key);
      else filter.delete(key);
    }
    return filter.takeEvents().events.map((event) => {
      if (!('before' in event && 'otherBucket' in event)) return '';
      const { operation, kind, bucket, slot, before, after, otherBucket } = event;
      const kick = 'kick' in event ? event.kick : 0;
      return `${operation} ${kind} ${bucket} ${slot} ${before} ${after} ${otherBucket} ${kick}\n`;
    });
  });
  expect(lines.join('')).toBe(readFileSync(join(__dirname, '../../golden/trace.txt'), 'utf8'));
});
