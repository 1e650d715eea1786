// The golden files of format 1.2: the same operations still give these bytes, and these bytes still give these answers.
// After a decision to change them: WRITE_GOLDEN=1 writes them anew.
import { describe, expect, test } from '@jest/globals';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { sameBytes } from '../support/random';
import { SavedFilter } from '../support/reference/reader';

const FOLDER = join(__dirname, '../../golden/1.2');
const SECRET = Uint8Array.from({ length: 16 }, (_, i) => i);
const hash = { algorithm: 'siphash-1-3', key: SECRET } as const;
const KEYS = Array.from({ length: 40 }, (_, i) => `k${i}`);

/** The value and the copies of key number i. */
const numberOf = (i: number, bits: number): number => (i * 2_654_435_761) % 2 ** bits;
const encode = (key: string): Uint8Array => new TextEncoder().encode(key);

// All sizes are given, so that the planner has no part in these.
const SIZES = { capacity: 50, bucketCount: 17, bucketSize: 4, fingerprintBits: 11, seed: 7 } as const;
const GROWING = { ...SIZES, capacity: 8, bucketCount: 2, maxCapacity: 400 } as const;

const VALUES = {
  values: { ...SIZES, bucketSize: 3, capacity: 40, valueBits: 9 },
  'values-semi-sorted': { ...SIZES, fingerprintBits: 9.5, semiSort: true, valueBits: 1 },
  'values-longest': { ...SIZES, fingerprintBits: 8, valueBits: 24 },
  'values-keyed': { ...SIZES, seed: 0, valueBits: 12, hash },
  'values-growing': { ...GROWING, valueBits: 6 },
} as const;

const COUNTERS = {
  counter: SIZES,
  'counter-shortest': { ...SIZES, bucketCount: 37, bucketSize: 2, counterBits: 1 },
  'counter-growing': { ...GROWING, counterBits: 10 },
} as const;

/** The bytes of a golden file, which `saved` becomes if that is asked for. */
function goldenOf(name: string, saved: Uint8Array): Uint8Array {
  const file = join(FOLDER, `${name}.bin`);
  if (process.env['WRITE_GOLDEN'] !== undefined) writeFileSync(file, saved);
  return readFileSync(file);
}

/** `bytes`, and those that the same operations led to while inserts kicked by a random walk, if they are others. */
function withWalked(name: string, bytes: Uint8Array): Uint8Array[] {
  const walked = join(FOLDER, '../walked', `${name}.bin`);
  return existsSync(walked) ? [bytes, readFileSync(walked)] : [bytes];
}

describe.each(Object.entries(VALUES))('the golden file %s', (name, options) => {
  const table = new CuckooValues(options);
  for (const [i, key] of KEYS.entries()) table.set(key, numberOf(i, options.valueBits));
  table.deleteMany(KEYS.slice(0, 5));
  const bytes = goldenOf(name, table.serialize());

  test('is what its operations give', () => {
    expect(sameBytes(table.serialize(), bytes)).toBe(true);
  });
  test.each(withWalked(name, bytes))('loads, answers, and is saved again as it is', (file) => {
    const limits = 'hash' in options ? { hash: options.hash } : {};
    const loaded = CuckooValues.deserialize(file, limits);
    expect(sameBytes(loaded.serialize(), file)).toBe(true);
    expect(loaded.valueBits).toBe(options.valueBits);
    const saved = new SavedFilter(file, 'hash' in options ? SECRET : undefined);
    for (const [i, key] of KEYS.entries()) {
      if (i >= 5) expect(loaded.get(key)).toContain(numberOf(i, options.valueBits));
      expect(saved.valuesOfHash(saved.hashOf(encode(key)))).toEqual(loaded.get(key));
    }
  });
});

describe.each(Object.entries(COUNTERS))('the golden file %s', (name, options) => {
  const filter = new CuckooCounter(options);
  for (const [i, key] of KEYS.entries()) filter.add(key, 1 + numberOf(i, filter.counterBits));
  filter.deleteMany(KEYS.slice(0, 5));
  const bytes = goldenOf(name, filter.serialize());

  test('is what its operations give', () => {
    expect(sameBytes(filter.serialize(), bytes)).toBe(true);
  });
  test.each(withWalked(name, bytes))('loads, answers, and is saved again as it is', (file) => {
    const loaded = CuckooCounter.deserialize(file);
    expect(sameBytes(loaded.serialize(), file)).toBe(true);
    const saved = new SavedFilter(file);
    for (const [i, key] of KEYS.entries()) {
      const count = loaded.count(key);
      if (i >= 5) expect(count).toBeGreaterThanOrEqual(1 + numberOf(i, filter.counterBits));
      expect(saved.valuesOfHash(saved.hashOf(encode(key)))).toEqual(count === 0 ? [] : [count - 1]);
    }
  });
});
