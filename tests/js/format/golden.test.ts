// The golden files: the same operations still give these bytes, and these bytes still give these answers.
import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { sameBytes } from '../support/random';
import { SavedFilter } from '../support/reference/reader';

const FOLDER = join(__dirname, '../../golden');

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
      capacity = '',
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
        ...(capacity.includes('*')
          ? { capacity: 1, maxCapacity: Number(capacity.split('*')[0]) }
          : { capacity: Number(capacity) }),
        ...(seed.startsWith('key:') ? { hash: keyedBy(seed.slice(4)) } : { seed: BigInt(seed) }),
      },
      operations: words.map((word) => ({ sign: word.charAt(0), key: Buffer.from(word.slice(1), 'hex') })),
    };
  });
}

function keyedBy(hex: string): { algorithm: 'siphash-1-3'; key: Uint8Array } {
  return { algorithm: 'siphash-1-3', key: Buffer.from(hex, 'hex') };
}

/** The secret key that the file needs. */
function secretOf({ options: { hash } }: Golden): Uint8Array | undefined {
  return typeof hash === 'object' && 'key' in hash ? (hash.key as Uint8Array) : undefined;
}

/** The options as properties of a filter: one of them has another name, and one is none. */
function propertiesOf({ options: { semiSort, hash, ...others } }: Golden): object {
  const { capacity, bucketCount, maxCapacity, ...fixed } = others;
  const sizes = maxCapacity === undefined ? { capacity, bucketCount } : {};
  return { ...fixed, ...sizes, semiSorted: semiSort, seed: hash === undefined ? others.seed : 0n };
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
    const filter = CuckooFilter.deserialize(bytes, { hash: golden.options.hash });
    expect(filter).toMatchObject(propertiesOf(golden));
    for (const { sign, key } of answersOf(golden)) expect(filter.contains(key)).toBe(sign === '?');
    expect(sameBytes(filter.serialize(), bytes)).toBe(true);
  });

  test('gives its answers to the reader written from the format', () => {
    const saved = new SavedFilter(bytes, secretOf(golden));
    expect(saved).toMatchObject(propertiesOf(golden));
    expect(saved.capacity).toBe(golden.options.maxCapacity ?? golden.options.capacity);
    for (const { sign, key } of answersOf(golden)) expect(saved.contains(key)).toBe(sign === '?');
  });
});

describe('what version 1.0 saved', () => {
  const frozen = join(FOLDER, '1.0');
  const linesOf = (folder: string): string[] =>
    readFileSync(join(folder, 'manifest.txt'), 'utf8').trimEnd().split('\n');
  const lines = linesOf(frozen);
  const walked = join(FOLDER, 'walked'); // by later writers, whose inserts kicked by a random walk

  test.each([frozen, walked].flatMap((each) => linesOf(each).map((line) => [each, ...line.split(' ')])))(
    'still loads and answers: %s %s',
    (folder = '', name, secret, size, ...asked) => {
      const bytes = readFileSync(join(folder, `${name}.bin`));
      const hash = secret === '-' || secret === undefined ? undefined : keyedBy(secret);
      const filter = CuckooFilter.deserialize(bytes, { hash });
      const reader = new SavedFilter(bytes, hash?.key);
      expect([filter.size, reader.size]).toEqual([Number(size), Number(size)]);
      for (const each of asked) {
        const key = Buffer.from(each.slice(1), 'hex');
        expect([filter.has(key), reader.contains(key)]).toEqual(Array(2).fill(each.startsWith('?')));
      }
    },
  );

  test('has not changed, is complete, and takes less than 15 kB', () => {
    const files = readdirSync(frozen).sort();
    const named = [...lines.map((line) => `${line.split(' ')[0]}.bin`), 'manifest.txt'];
    expect(files).toEqual(named.sort());
    const contents = files.map((file) => readFileSync(join(frozen, file)));
    expect(Buffer.concat(contents).length).toBeLessThan(15_000);
    const digest = createHash('sha256').update(Buffer.concat(contents)).digest('hex');
    expect(digest).toBe('c69bb68d8671fb54362b7cea3cb3307089946170bf7a447fddcd3df385fd82c0');
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
      if (!('before' in event && 'otherBucket' in event)) return '';
      const { operation, kind, bucket, slot, before, after, otherBucket } = event;
      const kick = 'kick' in event ? event.kick : 0;
      return `${operation} ${kind} ${bucket} ${slot} ${before} ${after} ${otherBucket} ${kick}\n`;
    });
  });
  expect(lines.join('')).toBe(readFileSync(join(FOLDER, 'trace.txt'), 'utf8'));
});
