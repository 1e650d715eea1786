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

/** Bytes that break a rule of docs/inside/format.md, with the code that a reader must report. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    readonly rule: string,
  ) {
    super(`${code}: the bytes break rule ${rule} of the format`);
  }
}

/** Throws Refusal unless `holds`. */
export function must(holds: boolean, rule: string, code = 'inconsistent'): void {
  if (!holds) throw new Refusal(code, rule);
}

/** The beginning of a saved form: magic, major version, and as many bytes as its header has. */
export function checkBegin(
  bytes: Uint8Array,
  magic: readonly number[],
  length: number,
  rules: readonly string[],
): void {
  const [magicRule = '', majorRule = '', lengthRule = ''] = rules;
  const begin = magic.slice(0, bytes.length);
  must(begin.length > 0 && begin.every((byte, at) => bytes[at] === byte), magicRule, 'not-a-filter');
  must((bytes[8] ?? 1) === 1, majorRule, 'unsupported-version');
  must(bytes.length >= length, lengthRule, 'cut-short');
}

/** A saved filter, opened. Throws Refusal where the bytes break a rule of the format. */
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
  readonly isKeyed: boolean;
  readonly minorVersion: number;
  /** What values are, by its number, and their bits; 0 of a filter without. */
  readonly kind: number;
  readonly valueBits: number;
  /** Of a filter with periods: N - 1, how many were forgotten, and the current one. */
  readonly periods: readonly [last: number, forgotten: number, current: number];
  readonly payloadBytes: number;
  /** Bucket by bucket; 0 is empty. */
  readonly slots: readonly number[];
  readonly hashOf: (key: Uint8Array) => bigint;

  /**
   * `secret` is the key of a keyed filter, and `limit` the most bytes of the payload. A layer of a scalable filter is the
   * beginning of `bytes`: `layer` gets its header and its length, and throws if it cannot be a layer there.
   */
  constructor(
    bytes: Uint8Array,
    secret?: Uint8Array,
    limit = Infinity,
    layer?: (header: SavedFilter, length: number) => void,
  ) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const u8 = (at: number): number => view.getUint8(at);
    const u64 = (at: number): number => Number(view.getBigUint64(at, true));
    checkBegin(bytes, MAGIC, HEADER_BYTES, ['3.1', '3.2', '2.2']);
    must(u8(10) <= 1, '3.4', 'unsupported-version');
    must(u8(12) === 1 || u8(12) === 2, '3.6', 'unsupported-version');
    const features = view.getUint16(16, true);
    must(features <= (layer === undefined ? 3 : 1), '3.10', 'unsupported-version');
    const hasValues = features >= 2;
    const headerBytes = hasValues ? 88 : HEADER_BYTES;
    must(bytes.length >= headerBytes, '2.2', 'cut-short');
    this.minorVersion = u8(9);
    this.kind = hasValues ? u8(72) : 0;
    must(!hasValues || (this.kind >= 1 && this.kind <= 3), '8.1', 'unsupported-version');
    this.addressing = u8(11) === 1 ? 'xor' : 'reflect';
    must(u8(11) <= 1, '3.5');
    this.bucketSize = u8(13);
    this.semiSorted = u8(10) === 1;
    must(this.bucketSize >= 1 && this.bucketSize <= 8 && (this.bucketSize === 4 || !this.semiSorted), '3.7');
    const width = u8(14);
    must(width >= (this.semiSorted ? 5 : 2) && width <= 32, '3.8');
    const quarters = u8(15) % 4;
    this.doublings = floor(u8(15) / 4);
    this.fingerprintBits = width - quarters / 4;
    this.valueBits = hasValues ? u8(73) : 0;
    this.periods = hasValues ? [u8(74), u8(75), view.getUint16(76, true)] : [0, 0, 0];
    if (hasValues) this.#checkValues(width, view.getUint16(78, true), view.getBigUint64(80, true));
    this.bucketCount = u64(24);
    const slotCount = this.bucketCount * this.bucketSize;
    const slotBits = width + this.doublings + this.valueBits;
    must(quarters === 0 || (this.semiSorted && width >= 6 && width <= 24), '3.9');
    must(slotBits <= 32, '3.9');
    must(this.doublings > 0 === (features % 2 === 1), '3.10');
    must(view.getUint32(20, true) <= 65_535, '3.12');
    must(this.bucketCount >= 1 && this.bucketCount * 2 ** this.doublings <= 2 ** 32, '3.13');
    must(this.addressing === 'reflect' || Number.isInteger(Math.log2(this.bucketCount)), '3.13');
    this.capacity = u64(32);
    must(this.capacity >= 1 && this.capacity <= Math.min(slotCount * 2 ** this.doublings, 2 ** 34), '3.14');
    this.size = u64(40);
    must(this.size <= slotCount, '3.15');
    this.seed = view.getBigUint64(48, true);
    this.isKeyed = u8(12) === 2;
    must(!this.isKeyed || this.seed === 0n, '3.16');
    this.payloadBytes = u64(64);
    const bucketBits = this.semiSorted ? 4 * (slotBits - 1) - quarters : this.bucketSize * slotBits;
    must(this.payloadBytes === Math.ceil((this.bucketCount * bucketBits) / 8), '3.18');
    const end = headerBytes + this.payloadBytes;
    layer?.(this, end + TRAILER_BYTES);

    must((secret !== undefined) === this.isKeyed, '5.2', 'wrong-key');
    this.hashOf = (key) => (secret === undefined ? xxh64(key, this.seed) : siphash13(key, secret));
    const isRight = view.getBigUint64(56, true) === this.hashOf(new TextEncoder().encode('cuckoofilter'));
    must(isRight, '3.17', secret === undefined ? 'inconsistent' : 'wrong-key');
    must(layer !== undefined || bytes.length === end + TRAILER_BYTES, '2.1', 'cut-short');
    must(this.payloadBytes <= limit, '10', 'too-large');
    must(view.getBigUint64(end, true) === xxh64(bytes.subarray(0, end)), '2.3', 'damaged');
    const payload = bytes.subarray(headerBytes, end);
    const buckets = Array.from({ length: this.bucketCount }, (_, i) =>
      this.semiSorted
        ? semiSortedBucket(payload, i, slotBits - quarters / 4)
        : plainBucket(payload, i, this.bucketSize, slotBits),
    );
    this.slots = buckets.flat();
    must(
      this.slots.every((slot) => slot === 0 || slot % 2 ** width !== 0),
      '4.6',
    );
    must(this.slots.filter((slot) => slot !== 0).length === this.size, '4.7');
    must(
      bitsAt(payload, this.bucketCount * bucketBits, (8 - ((this.bucketCount * bucketBits) % 8)) % 8) === 0,
      '4.8',
    );
    if (this.kind === 3) this.#checkAges(2 ** (width + this.doublings));
  }

  /** The fields that only filters with values have. */
  #checkValues(width: number, hasClock: number, clock: bigint): void {
    const [last, forgotten, current] = this.periods;
    const arePeriods = this.kind === 3;
    const [least, most] = arePeriods ? [bitLength(last), bitLength(last)] : [1, this.kind === 1 ? 24 : 16];
    must(this.valueBits >= least && this.valueBits <= Math.min(most, 32 - width), '8.2');
    must(arePeriods || last === 0, '8.3');
    must(forgotten <= last, '8.4');
    must(current <= last, '8.5');
    must(hasClock <= Number(arePeriods), '8.6');
    must(arePeriods || clock === 0n, '8.7');
  }
  #checkAges(one: number): void {
    const [last, forgotten] = this.periods;
    const values = this.slots.filter((slot) => slot !== 0).map((slot) => floor(slot / one));
    must(
      values.every((value) => value <= last && this.age(value) <= last - forgotten),
      '8.10',
    );
  }
  /** How many periods ago the period with this value was. */
  age(value: number): number {
    const [last, , current] = this.periods;
    return (current - value + last + 1) % (last + 1);
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

/** The entries of a plain bucket of `slots` slots. */
function plainBucket(bytes: Uint8Array, bucket: number, slots: number, slotBits: number): number[] {
  const entries = Array.from({ length: slots }, (_, slot) =>
    bitsAt(bytes, (bucket * slots + slot) * slotBits, slotBits),
  );
  must(isAscending(entries), '4.5');
  return entries;
}

/** The entries of a semi-sorted bucket, whose slots have `slotBits` bits: a code for the four low parts, then the rests. */
function semiSortedBucket(bytes: Uint8Array, bucket: number, slotBits: number): number[] {
  const quarters = sparedQuarters(slotBits);
  const lowBits = quarters === 0 ? 4 : 5;
  const codeBits = CODE_BITS[quarters] ?? 0;
  const restBits = Math.ceil(slotBits) - lowBits;
  const first = bucket * (4 * slotBits - 4);
  const lowParts = QUADRUPLES[bitsAt(bytes, first, codeBits)] ?? [];
  must(lowParts.length === 4 && lowParts.every((low) => low < (LOW_VALUES[quarters] ?? 0)), '4.4');
  const rests = lowParts.map((_, slot) => bitsAt(bytes, first + codeBits + slot * restBits, restBits));
  must(isAscending(lowParts.map((low, slot) => low * 2 ** restBits + (rests[slot] ?? 0))), '4.5');
  return lowParts.map((low, slot) => (rests[slot] ?? 0) * 2 ** lowBits + low);
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((each, i) => each >= (numbers[i - 1] ?? 0));
}

/** How many bits a number has. */
function bitLength(number: number): number {
  return 32 - Math.clz32(number);
}
