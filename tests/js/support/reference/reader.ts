// A reader of saved filters in plain JavaScript, from the rules of docs/inside/format.md, and the writer of a header for tests.
// Invariant: it shares nothing with the library; it answers from the bytes alone.
import { siphash13 } from './siphash';
import { xxh64 } from './xxh64';

const { floor, imul } = Math;
const MAGIC = [0x89, 0x43, 0x4b, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
export const HEADER_BYTES = 72;
export const TRAILER_BYTES = 8;

/** Values of a semi-sorted slot's low part, and bits of a bucket's code, by the quarters that its width spares. */
const LOW_VALUES = [16, 28, 23, 19];
const CODE_BITS = [12, 15, 14, 13];

/** What decides where a key belongs. */
export interface Layout {
  readonly bucketCount: number;
  /** In quarters. */
  readonly fingerprintBits: number;
  readonly addressing: 'reflect' | 'xor';
}

export interface Homes {
  readonly fingerprint: number;
  readonly primary: number;
  readonly alternate: number;
}

/** `bits` of 2^32 scaled to `count`. */
function scaled(bits: number, count: number): number {
  // The product of numbers below 2^32 and 2^20 is exact.
  if (count < 2 ** 20) return floor(((bits >>> 0) * count) / 2 ** 32);
  return Number((BigInt(bits >>> 0) * BigInt(count)) >> 32n);
}

/** The other candidate bucket of `fingerprint`, which lies in `bucket`. */
export function otherHome(bucket: number, fingerprint: number, { bucketCount, addressing }: Layout): number {
  let mixed = imul(fingerprint, 0x9e3779b1);
  mixed ^= mixed >>> 15;
  const offset = scaled(imul(mixed, 0x85ebca6b), bucketCount);
  if (addressing === 'xor') return (bucket ^ offset) >>> 0;
  return (offset - bucket + bucketCount) % bucketCount;
}

/** The quarters of a bit by which a width falls short of the next whole one. */
function sparedQuarters(fingerprintBits: number): number {
  return 4 * (Math.ceil(fingerprintBits) - fingerprintBits);
}

/** Fingerprints that differ. */
export function fingerprintCount(fingerprintBits: number): number {
  const quarters = sparedQuarters(fingerprintBits);
  if (quarters === 0) return 2 ** fingerprintBits;
  return (LOW_VALUES[quarters] ?? 0) * 2 ** (Math.ceil(fingerprintBits) - 5);
}

function rawFingerprint(hash: bigint, fingerprintBits: number): number {
  if (Number.isInteger(fingerprintBits)) return Number(BigInt.asUintN(fingerprintBits, hash));
  const upperValues = 2 ** (Math.ceil(fingerprintBits) - 5);
  const each = Number((BigInt.asUintN(32, hash) * BigInt(fingerprintCount(fingerprintBits))) >> 32n);
  return 32 * (each % upperValues) + floor(each / upperValues);
}

/** Fingerprint and candidate buckets of a key with this hash. */
export function homesOf(hash: bigint, layout: Layout): Homes {
  const fingerprint = rawFingerprint(hash, layout.fingerprintBits) || 1;
  const primary = scaled(Number(hash >> 32n), layout.bucketCount);
  return { fingerprint, primary, alternate: otherHome(primary, fingerprint, layout) };
}

/** A saved filter, opened. Throws Error where the bytes break a rule of the format. */
export class SavedFilter implements Layout {
  readonly bucketSize: number;
  readonly fingerprintBits: number;
  readonly semiSorted: boolean;
  readonly addressing: 'reflect' | 'xor';
  readonly bucketCount: number;
  readonly capacity: number;
  readonly size: number;
  /** Times that the table may still double: bits of its bucket that a slot holds above the fingerprint. */
  readonly doublings: number;
  readonly seed: bigint;
  /** What values are, by its number, and their bits; 0 of a filter without. */
  readonly kind: number;
  readonly valueBits: number;
  /** Bucket by bucket; 0 is empty. */
  readonly slots: readonly number[];
  readonly hashOf: (key: Uint8Array) => bigint;

  /** `secret` is the key of a keyed filter. */
  constructor(bytes: Uint8Array, secret?: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const u64 = (at: number): number => Number(view.getBigUint64(at, true));
    must(
      MAGIC.every((byte, at) => bytes[at] === byte),
      'magic',
    );
    must(bytes[8] === 1 && view.getUint8(10) <= 1, 'version and storage');
    must(bytes[12] === (secret === undefined ? 1 : 2), 'hash');
    const features = view.getUint16(16, true);
    must(features <= 3, 'features');
    const hasValues = features >= 2;
    const headerBytes = hasValues ? 88 : HEADER_BYTES;
    this.kind = hasValues ? view.getUint8(72) : 0;
    this.valueBits = hasValues ? view.getUint8(73) : 0;
    const mostBits = [0, 24, 16][this.kind] ?? 0;
    must(!hasValues || (this.valueBits >= 1 && this.valueBits <= mostBits), 'bits of a value');
    must(!hasValues || bytes.subarray(74, 88).every((byte) => byte === 0), 'bytes of other kinds');
    must(bytes[9] === (hasValues ? 2 : features), 'minor version');
    this.addressing = bytes[11] === 1 ? 'xor' : 'reflect';
    this.bucketSize = view.getUint8(13);
    this.semiSorted = bytes[10] === 1;
    const quarters = view.getUint8(15) % 4;
    this.doublings = floor(view.getUint8(15) / 4);
    must(this.doublings > 0 === (features % 2 === 1), 'reserved bits');
    this.fingerprintBits = view.getUint8(14) - quarters / 4;
    this.bucketCount = u64(24);
    this.capacity = u64(32);
    this.size = u64(40);
    this.seed = view.getBigUint64(48, true);
    must(secret === undefined || this.seed === 0n, 'seed');
    this.hashOf = (key) => (secret === undefined ? xxh64(key, this.seed) : siphash13(key, secret));
    const check = this.hashOf(new TextEncoder().encode('cuckoofilter'));
    must(view.getBigUint64(56, true) === check, 'check of the hash');
    const slotCount = this.bucketCount * this.bucketSize;
    const width = this.fingerprintBits + this.doublings + this.valueBits;
    must(width <= 32 && this.bucketCount * 2 ** this.doublings <= 2 ** 32, 'reserved bits');
    must(this.capacity <= slotCount * 2 ** this.doublings, 'capacity');
    const bitsPerSlot = width - (this.semiSorted ? 1 : 0);
    must(u64(64) === Math.ceil((slotCount * bitsPerSlot) / 8), 'length of the payload');
    must(bytes.length === headerBytes + u64(64) + TRAILER_BYTES, 'length');
    const end = bytes.length - TRAILER_BYTES;
    must(view.getBigUint64(end, true) === xxh64(bytes.subarray(0, end)), 'checksum');
    const payload = bytes.subarray(headerBytes);
    this.slots = this.semiSorted
      ? Array.from({ length: this.bucketCount }, (_, i) => semiSortedBucket(payload, i, width)).flat()
      : Array.from({ length: slotCount }, (_, i) => bitsAt(payload, i * width, width));
    const fingerprintOf = 2 ** Math.ceil(this.fingerprintBits);
    must(
      this.slots.every((slot) => slot === 0 || slot % fingerprintOf !== 0),
      'fingerprints',
    );
    must(this.slots.filter((slot) => slot !== 0).length === this.size, 'size');
  }

  /** Copies of the fingerprint of a key with this hash in its candidate buckets. */
  countOfHash(hash: bigint): number {
    return this.valuesOfHash(hash).length;
  }
  /** The values of a key with this hash, in ascending order; a 0 for each copy where there are none. */
  valuesOfHash(hash: bigint): number[] {
    const parts = 2 ** this.doublings;
    const grown = { ...this, bucketCount: this.bucketCount * parts };
    const { fingerprint, primary, alternate } = homesOf(hash, grown);
    const one = 2 ** (Math.ceil(this.fingerprintBits) + this.doublings);
    return [...new Set([primary, alternate])]
      .flatMap((candidate) => {
        const entry = fingerprint + (candidate % parts) * 2 ** Math.ceil(this.fingerprintBits);
        return this.bucket(floor(candidate / parts)).filter((slot) => slot % one === entry);
      })
      .map((slot) => floor(slot / one))
      .sort((value, other) => value - other);
  }
  contains(key: Uint8Array): boolean {
    return this.countOfHash(this.hashOf(key)) > 0;
  }
  bucket(bucket: number): readonly number[] {
    return this.slots.slice(bucket * this.bucketSize, (bucket + 1) * this.bucketSize);
  }
}

/** A copy of a saved filter, changed by `change`, with a checksum that fits again. */
export function resealed(saved: Uint8Array, change: (view: DataView, bytes: Uint8Array) => void): Uint8Array {
  const bytes = saved.slice();
  const view = new DataView(bytes.buffer);
  change(view, bytes);
  const end = bytes.length - TRAILER_BYTES;
  view.setBigUint64(end, xxh64(bytes.subarray(0, end)), true);
  return bytes;
}

/** The `bits` bits of the payload `bytes` from bit `first` on, bit by bit, lowest first. */
function bitsAt(bytes: Uint8Array, first: number, bits: number): number {
  let value = 0;
  for (let at = first + bits - 1; at >= first; --at) {
    value = 2 * value + (((bytes[floor(at / 8)] ?? 0) >> (at % 8)) & 1);
  }
  return value;
}

/** The sorted quadruples of numbers below 28, by rank. */
const QUADRUPLES: readonly (readonly number[])[] = (() => {
  const all: number[][] = [];
  for (let d = 0; d < 28; ++d)
    for (let c = 0; c <= d; ++c)
      for (let b = 0; b <= c; ++b) for (let a = 0; a <= b; ++a) all.push([a, b, c, d]);
  return all;
})();

/** The fingerprints of a semi-sorted bucket: a code for the four low parts, then the rest of each. */
function semiSortedBucket(bytes: Uint8Array, bucket: number, fingerprintBits: number): number[] {
  const quarters = sparedQuarters(fingerprintBits);
  const lowBits = quarters === 0 ? 4 : 5;
  const codeBits = CODE_BITS[quarters] ?? 0;
  const restBits = Math.ceil(fingerprintBits) - lowBits;
  const first = bucket * (4 * fingerprintBits - 4);
  const lowParts = QUADRUPLES[bitsAt(bytes, first, codeBits)] ?? [];
  must(lowParts.length === 4 && lowParts.every((low) => low < (LOW_VALUES[quarters] ?? 0)), 'codes');
  const rests = lowParts.map((_, slot) => bitsAt(bytes, first + codeBits + slot * restBits, restBits));
  return lowParts.map((low, slot) => (rests[slot] ?? 0) * 2 ** lowBits + low);
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`the saved filter breaks the rule of its ${what}`);
}
