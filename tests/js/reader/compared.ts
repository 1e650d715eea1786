// Compares the reader of a saved filter with the class that saved it: what they tell of it, the answers for keys, also from
// afar, and the codes with which they refuse bytes.
import { CuckooFilter, FormatError, type HashOption, type Key } from 'cuckoofilter-wasm';
import { FilterReader, REMOTE_HEADER_BYTES, type RemoteFilter } from 'cuckoofilter-wasm/reader';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { claim } from '../support/random';

type Saved = CuckooFilter | ScalableCuckooFilter;

const PARAMETERS = [
  'size',
  'currentCapacity',
  'maxCapacity',
  'bucketCount',
  'bucketSize',
  'fingerprintBits',
  'semiSorted',
  'addressing',
  'hashAlgorithm',
  'seed',
  'loadFactor',
  'byteLength',
  'bitsPerKey',
] as const;

/** The code with which `load` refuses bytes; 'none' if it does not. */
export function codeOf(load: () => unknown): string {
  try {
    load();
    return 'none';
  } catch (error) {
    if (error instanceof FormatError) return error.code;
    throw error;
  }
}

/** The code with which the class that `bytes` name refuses them. */
export function classCode(bytes: Uint8Array, options: object = {}): string {
  const Class = bytes[3] === 0x53 ? ScalableCuckooFilter : CuckooFilter;
  return codeOf(() => Class.deserialize(bytes, options).dispose());
}

/** What a remote filter of `bytes` answers. */
export function remoteAnswer(remote: RemoteFilter, bytes: Uint8Array, key: Key): boolean {
  const parts = remote.locate(key).map(({ offset, length }) => bytes.slice(offset, offset + length));
  return remote.answer(key, parts);
}

/** The rate of as many different keys in `m` buckets: docs/inside/sizing.md, "False positive rate". */
function rateOfDifferentKeys({ size, fingerprintBits }: FilterReader, m: number): number {
  const width = Math.ceil(fingerprintBits);
  const count = [2 ** width, 28 * 2 ** (width - 5), 23 * 2 ** (width - 5), 19 * 2 ** (width - 5)];
  const fingerprints = count[4 * (width - fingerprintBits)] as number;
  const found = (share: number): number => -Math.expm1(size * Math.log1p(-share / m));
  const rate = (share: number): number => (1 - 1 / m) * found(2 * share) + found(share) / m;
  return (
    size && (1 - 2 / fingerprints) * rate(1 / fingerprints) + (2 / fingerprints) * rate(2 / fingerprints)
  );
}

/** The reader of what `filter` saves, which must be as the filter; `keys` are asked. */
export function compared(filter: Saved, keys: readonly Key[], name: string, hash?: HashOption): FilterReader {
  const bytes = filter.serialize();
  const reader = new FilterReader(bytes, { hash });
  const Class = filter instanceof ScalableCuckooFilter ? ScalableCuckooFilter : CuckooFilter;
  using loaded = Class.deserialize(bytes, { hash });
  for (const parameter of PARAMETERS) {
    // The options are not saved with layers.
    const wanted = parameter === 'maxCapacity' ? loaded[parameter] : filter[parameter];
    claim(Object.is(reader[parameter], wanted), () => `${name}: ${parameter} ${reader[parameter]}`);
  }
  const total = filter instanceof ScalableCuckooFilter ? filter.totalCapacity : filter.maxCapacity;
  claim(reader.totalCapacity === total, () => `${name}: totalCapacity ${reader.totalCapacity}`);
  claim(reader.capacity === loaded.capacity, () => `${name}: capacity ${reader.capacity}`);
  const isLayered = filter instanceof ScalableCuckooFilter;
  const doublings = (bytes[15] ?? 0) >> 2;
  const rate = isLayered
    ? loaded.expectedFalsePositiveRate // which counts keys by layers
    : rateOfDifferentKeys(reader, reader.bucketCount * 2 ** doublings);
  const isNear = Math.abs(reader.expectedFalsePositiveRate - rate) <= (isLayered ? 0.03 : 1e-12) * rate;
  claim(isNear, () => `${name}: rate ${reader.expectedFalsePositiveRate} for ${rate}`);
  const remote = FilterReader.remote(reader.layers > 1 ? bytes : bytes.subarray(0, REMOTE_HEADER_BYTES), {
    hash,
  });
  for (const [i, key] of keys.entries()) {
    const count = filter.count(key);
    claim(reader.count(key) === count, () => `${name}: ${reader.count(key)} for ${count} of ${String(key)}`);
    claim(
      reader.contains(key) === count > 0 && reader.has(key) === count > 0,
      () => `${name}: ${String(key)}`,
    );
    if (i % 16 === 0)
      claim(remoteAnswer(remote, bytes, key) === count > 0, () => `${name}, remote: ${String(key)}`);
  }
  return reader;
}
