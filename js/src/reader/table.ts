// The table of one saved filter: its header, which is checked in the order of docs/inside/format.md, and where a hash
// belongs.
// Invariant: a table that is returned is in range and consistent. Numbers that may pass 2^31 are doubles without a
// fraction; entries have 32 bits.
import { FormatError, type FormatErrorCode } from '../basic-errors.js';
import type { Addressing, HashAlgorithm } from '../options/options.js';
import { mask, numberAt, scaled } from './bits.js';
import { bucketsOf } from './buckets.js';
import { HIGH, siphash13, wordAt, xxh64 } from './hash64.js';
import { bytesOf, hashKey, type Hash } from './key.js';

/** Bytes of a filter's header, and of a checksum. */
export const HEADER = 72;
export const CHECKSUM = 8;

/** A part of the saved form: `length` bytes from byte `offset` on. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** The parameters of a filter, and what it holds, under the names of CuckooFilter. */
export interface Parameters {
  /** Number of entries stored. Each copy of a key counts. */
  readonly size: number;
  /** Number of different keys that fit now, before any further growth. */
  readonly capacity: number;
  readonly currentCapacity: number;
  readonly totalCapacity: number;
  /** Number of entries that fit once the table has grown, or all layers are there. */
  readonly maxCapacity: number;
  readonly bucketCount: number;
  /** Slots per bucket. */
  readonly bucketSize: number;
  readonly fingerprintBits: number;
  readonly semiSorted: boolean;
  readonly addressing: Addressing;
  readonly hashAlgorithm: HashAlgorithm;
  /** Bytes of the table. */
  readonly byteLength: number;
  /** The expected probability, at the current load, that an absent key is reported present. */
  readonly expectedFalsePositiveRate: number;
}

/** A table. A hash is passed as its low 32 bits, with the high ones in HIGH. */
export interface Table {
  readonly parameters: Parameters;
  /** Times that the table may still double. */
  readonly doublings: number;
  /** Buckets once the table has grown, among which candidate buckets are chosen. */
  readonly grownCount: number;
  /** The fingerprint of a hash, by its low 32 bits. */
  fingerprint(low: number): number;
  /** The other candidate bucket of a fingerprint. */
  alternate(bucket: number, fingerprint: number): number;
  /** What all layers of a filter must share: storage, addressing, slots, widths, kicks, hash and seed. */
  readonly kind: string;
  /** Where the payload ends, and the checksum begins. */
  readonly end: number;
  /** The number of copies of a hash. `bytes` must have at least its ranges, each at its offset. */
  copies(bytes: ArrayLike<number>, low: number): number;
  /** The bytes that hold the candidate buckets of a hash, in ascending order. */
  ranges(low: number): readonly ByteRange[];
  seed(): bigint;
  /** Throws FormatError if the checksum or the payload is wrong. */
  checkPayload(): void;
}

const FOREIGN = 'not of a CuckooFilter, Deduper or ScalableCuckooFilter';

const READ_AGAIN = '. Get the file again';

const ADVICE: Record<FormatErrorCode, string> = {
  'not-a-filter': '',
  'unsupported-version': '. Update cuckoofilter-wasm',
  'cut-short': READ_AGAIN,
  damaged: READ_AGAIN,
  inconsistent: '. Make the file again',
  'too-large': '. Raise maxBytes',
  'wrong-key': '. Check options.hash',
};

export function must(holds: boolean, code: FormatErrorCode, problem: string = code.replace('-', ' ')): void {
  if (holds) return;
  throw new FormatError(`cannot load these bytes: ${problem}${ADVICE[code]}`, code);
}

/** Checks the magic at `at`, whose fourth letter is `letter`, the major version, and that `length` bytes are there. */
export function checkBegin(bytes: Uint8Array, at: number, letter: number, length: number): void {
  const begin = `${bytes.subarray(at, at + 8)},`;
  // If a further header is missing completely, nothing more is known about it.
  const isMagic = `137,67,75,${letter},13,10,26,10,`.startsWith(begin) || (at > 0 && begin === ',');
  const found = JSON.stringify(String.fromCharCode(...bytes.subarray(at, at + 9)));
  // The first byte of a saved filter becomes U+FFFD if it is read as text.
  const what =
    bytes[at] === 239 ? 'were read as text, which damages them: read bytes' : `begin with ${found}`;
  must(isMagic, 'not-a-filter', `${FOREIGN}; they ${what}`);
  must((bytes[at + 8] ?? 1) === 1, 'unsupported-version');
  const end = at + length;
  must(bytes.length >= end, 'cut-short', `cut short before byte ${end}`);
}

/** Checks that the checksum of `summed` is the one in `bytes` at `at`. */
export function checkSum(summed: Uint8Array, bytes: Uint8Array, at: number): void {
  must(isHashAt(xxh64(summed, summed.length, 0, 0), bytes, at), 'damaged');
}

/** Whether `bytes` has the hash that was made last at `at`. */
export function isHashAt(low: number, bytes: Uint8Array, at: number): boolean {
  return low === wordAt(bytes, at) && HIGH[0] === wordAt(bytes, at + 4);
}

/** The hash function of the filter whose header is at `at`. Checks that it is the one that the filter was made with. */
export function hashAt(bytes: Uint8Array, at: number, secret: Uint8Array | undefined): Hash {
  const seedLow = wordAt(bytes, at + 48);
  const seedHigh = wordAt(bytes, at + 52);
  const isKeyed = bytes[at + 12] === 2;
  must(!secret !== isKeyed, 'wrong-key');
  const hash: Hash = secret
    ? (key, end) => siphash13(key, end, secret)
    : (key, end) => xxh64(key, end, seedHigh, seedLow);
  const own = at + (isKeyed ? 56 : 48);
  hash.identity = {
    isKeyed: Number(isKeyed),
    low: wordAt(bytes, own) >>> 0,
    high: wordAt(bytes, own + 4) >>> 0,
  };
  const isRight = isHashAt(hashKey(hash, 'cuckoofilter', bytesOf), bytes, at + 56);
  must(isRight, isKeyed ? 'wrong-key' : 'inconsistent');
  return hash;
}

/**
 * The header's bytes from 10 on: storage, addressing, hash, slots per bucket, width, and spared quarters with reserved
 * bits.
 */
type Six = readonly [number, number, number, number, number, number];

/**
 * The table of layer `k`, whose header is at `at`. This is one long function, so that its inner functions share its
 * constants: minified, fields of an object would keep their long names, and the whole entry takes only 6 kB.
 */
export function readTable(bytes: Uint8Array, at: number, k: number): Table {
  checkBegin(bytes, at, 0x46, HEADER);
  const header = bytes.subarray(at);
  const [storage, addressing, hash, slots, width, spared] = header.subarray(10) as unknown as Six;
  const flags = wordAt(header, 16) & 0xffff;
  // Saved by CuckooValues, CuckooCounter or ExpiringFilter: the same code as from `deserialize`.
  const valueKind = header[72] as number;
  const saver = ['CuckooValues', 'CuckooCounter', 'ExpiringFilter'][valueKind - 1];
  must(at > 0 || !(flags & 2 && saver), 'not-a-filter', `they are for ${saver}.deserialize`);
  must(storage < 2 && (hash === 1 || hash === 2) && flags < 2, 'unsupported-version');
  const quarters = spared & 3;
  const doublings = spared >> 2;
  const bucketCount = numberAt(header, 24);
  const maxCapacity = numberAt(header, 32);
  const size = numberAt(header, 40);
  const seed = header.slice(48, 56); // A copy, for when the bytes are gone.
  const grownCount = bucketCount * 2 ** doublings;
  const isSemiSorted = storage === 1;
  const buckets = bucketsOf(isSemiSorted, slots, width, quarters, doublings);
  const byteLength = Math.ceil((bucketCount * buckets.bits) / 8);
  must(
    addressing < 2 &&
      doublings > 0 === (flags === 1) &&
      slots < 9 &&
      width > 1 &&
      width + doublings < 33 &&
      (!isSemiSorted || (slots === 4 && width > 4)) &&
      (quarters === 0 || (isSemiSorted && width > 5 && width < 25)) &&
      grownCount <= 2 ** 32 &&
      (addressing === 0 || (bucketCount & (bucketCount - 1)) === 0) &&
      maxCapacity > 0 && // so there are slots and buckets
      maxCapacity <= Math.min(grownCount * slots, 2 ** 34) &&
      size <= bucketCount * slots &&
      wordAt(header, 20) >>> 16 === 0 && // the most kicks, in earlier versions
      (hash === 1 || numberAt(header, 48) === 0) &&
      numberAt(header, 64) === byteLength,
    'inconsistent',
  );

  const start = at + HEADER;
  const end = start + byteLength;
  const { fingerprints } = buckets;
  const reserved = mask(doublings);
  const upper = mask(width - 5);
  const fingerprintOf = (low: number): number => {
    if (quarters === 0) return low & mask(width) || 1;
    const each = scaled(low, fingerprints);
    return ((each & upper) << 5) | (each >>> (width - 5)) || 1;
  };
  const alternateOf = (bucket: number, fingerprint: number): number => {
    const once = Math.imul(fingerprint, 0x9e3779b1 | 0);
    const offset = scaled(Math.imul(once ^ (once >>> 15), 0x85ebca6b | 0), grownCount);
    if (addressing === 1) return (bucket ^ offset) >>> 0;
    return offset < bucket ? offset - bucket + grownCount : offset - bucket;
  };
  /** The first bit, in the payload, of the bucket that holds bucket `grown` of the grown table. */
  const bitOf = (grown: number): number => (grown >>> doublings) * buckets.bits;
  const copiesIn = (from: ArrayLike<number>, grown: number, fingerprint: number): number =>
    buckets.copies(from, 8 * start + bitOf(grown), fingerprint | ((grown & reserved) << width), 1);
  const found = (share: number): number => -Math.expm1(size * Math.log1p(-share / grownCount));
  const rateOf = (share: number): number =>
    found(share) / grownCount + (1 - 1 / grownCount) * found(2 * share);
  const rate =
    (1 - 2 / fingerprints) * rateOf(1 / fingerprints) + (2 / fingerprints) * rateOf(2 / fingerprints);
  const present = Math.max(
    Math.floor(maxCapacity / 2 ** doublings),
    doublings && Math.ceil((bucketCount * slots) / 2),
  );
  const capacity = Math.min(present, Math.floor(maxCapacity / 2 ** k));
  return {
    parameters: {
      size,
      capacity,
      currentCapacity: capacity,
      totalCapacity: maxCapacity,
      maxCapacity,
      bucketCount,
      bucketSize: slots,
      fingerprintBits: width - quarters / 4,
      semiSorted: isSemiSorted,
      addressing: addressing > 0 ? 'xor' : 'reflect',
      hashAlgorithm: hash > 1 ? 'siphash-1-3' : 'xxh64',
      byteLength,
      expectedFalsePositiveRate: size && rate,
    },
    doublings,
    grownCount,
    kind: `${[header.subarray(10, 15), quarters, seed]}`,
    end,
    copies(from, low) {
      const fingerprint = fingerprintOf(low);
      const primary = scaled(HIGH[0] as number, grownCount);
      const alternate = alternateOf(primary, fingerprint);
      const copies = copiesIn(from, primary, fingerprint);
      return alternate === primary ? copies : copies + copiesIn(from, alternate, fingerprint);
    },
    ranges(low) {
      const primary = scaled(HIGH[0] as number, grownCount);
      const [first, last] = [primary, alternateOf(primary, fingerprintOf(low))]
        .map(bitOf)
        .sort((a, b) => a - b) as [number, number];
      const isOne = Math.ceil((first + buckets.bits) / 8) >= Math.floor(last / 8);
      return (isOne ? [first] : [first, last]).map((bit) => {
        const skipped = Math.floor(bit / 8);
        const end = (isOne ? last : bit) + buckets.bits;
        return { offset: start + skipped, length: Math.ceil(end / 8) - skipped };
      });
    },
    alternate: alternateOf,
    fingerprint: fingerprintOf,
    seed: () => new DataView(seed.buffer).getBigUint64(0, true),
    checkPayload() {
      checkSum(bytes.subarray(at, end), bytes, end);
      const left = (bucketCount * buckets.bits) % 8 || 8;
      const isSound =
        buckets.copies(bytes, 8 * start, 0, bucketCount) === size && (bytes[end - 1] as number) >> left === 0;
      must(isSound, 'inconsistent');
    },
  };
}
