// The golden files: the same operations still give these bytes, and these bytes still give these answers.
import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { sameBytes } from './random';
import { SavedFilter } from './reader';

const FOLDER = join(__dirname, '../golden');

interface Golden {
  readonly name: string;
  readonly options: ConstructorParameters<typeof CuckooFilter>[0];
  readonly operations: readonly { readonly sign: string; readonly key: Uint8Array }[];
}

function readManifest(): Golden[] {
  const lines = readFileSync(join(FOLDER, 'manifest.txt'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [
      name = '',
      bucketCount,
      bucketSize,
      fingerprintBits,
      storage,
      addressing,
      maxKicks,
      capacity,
      seed = '',
      ...words
    ] = line.split(' ');
    return {
      name,
      options: {
        bucketCount: Number(bucketCount),
        bucketSize: Number(bucketSize),
        fingerprintBits: Number(fingerprintBits),
        semiSort: storage === 'semi-sorted',
        addressing: addressing as 'reflect' | 'xor',
        maxKicks: Number(maxKicks),
        capacity: Number(capacity),
        seed: BigInt(seed),
      },
      operations: words.map((word) => ({ sign: word.charAt(0), key: Buffer.from(word.slice(1), 'hex') })),
    };
  });
}

/** The options as properties of a filter: one of them has another name. */
function propertiesOf({ options: { semiSort, ...others } }: Golden): object {
  return { ...others, semiSorted: semiSort };
}

/** What an operation gives, and what it must. */
const OUTCOMES: Record<string, readonly [(filter: CuckooFilter, key: Uint8Array) => unknown, unknown]> = {
  '+': [(filter, key) => filter.tryAdd(key), 'added'],
  '!': [(filter, key) => filter.tryAdd(key), 'full'],
  '#': [(filter, key) => filter.tryAdd(key), 'too-many-copies'],
  '-': [(filter, key) => filter.delete(key), true],
  '=': [(filter, key) => filter.delete(key), false],
  '?': [(filter, key) => filter.contains(key), true],
  '~': [(filter, key) => filter.contains(key), false],
  '*': [(filter) => filter.clear(), undefined],
};

/** The answers that hold for the file: those after the last change. */
function answersOf({ operations }: Golden): Golden['operations'] {
  const last = operations.findLastIndex(({ sign }) => '+-*'.includes(sign));
  return operations.slice(last + 1).filter(({ sign }) => '?~'.includes(sign));
}

describe.each(readManifest())('the golden file $name', (golden) => {
  const bytes = readFileSync(join(FOLDER, `${golden.name}.bin`));

  test('is what its operations give', () => {
    const filter = new CuckooFilter(golden.options);
    for (const { sign, key } of golden.operations) {
      const [operate, expected] = OUTCOMES[sign] ?? [() => `no operation has the sign ${sign}`, ''];
      expect(operate(filter, key)).toBe(expected);
    }
    expect(sameBytes(filter.serialize(), bytes)).toBe(true);
  });

  test('loads with its parameters, gives its answers, and is saved again as it is', () => {
    const filter = CuckooFilter.deserialize(bytes);
    expect(filter).toMatchObject(propertiesOf(golden));
    for (const { sign, key } of answersOf(golden)) expect(filter.contains(key)).toBe(sign === '?');
    expect(sameBytes(filter.serialize(), bytes)).toBe(true);
  });

  test('gives its answers to the reader written from the format', () => {
    const saved = new SavedFilter(bytes);
    expect(saved).toMatchObject(propertiesOf(golden));
    for (const { sign, key } of answersOf(golden)) expect(saved.contains(key)).toBe(sign === '?');
  });
});

test('the manifest lists every golden file once, and together they are small', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.bin'));
  const names = readManifest().map(({ name }) => `${name}.bin`);
  expect(files.sort()).toEqual(names.sort());
  const total = [...files, 'manifest.txt'].reduce((sum, file) => sum + statSync(join(FOLDER, file)).size, 0);
  expect(total).toBeLessThan(60_000);
});

test('the traced build reports the changes that are written down', () => {
  const traced = readManifest().filter(({ name }) =>
    ['widths-of-five', 'semi-sorted-quarters'].includes(name),
  );
  const lines = traced.flatMap((golden) => {
    const filter = new Traced(golden.options).trace(2);
    for (const { sign, key } of golden.operations) OUTCOMES[sign]?.[0](filter, key);
    return filter.takeEvents().events.map((event) => {
      if (!('before' in event)) return '';
      const { operation, kind, bucket, slot, before, after, otherBucket } = event;
      const kick = 'kick' in event ? event.kick : 0;
      return `${operation} ${kind} ${bucket} ${slot} ${before} ${after} ${otherBucket} ${kick}\n`;
    });
  });
  expect(lines.join('')).toBe(readFileSync(join(FOLDER, 'trace.txt'), 'utf8'));
});
