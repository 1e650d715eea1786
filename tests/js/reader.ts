// A reader of saved filters in plain JavaScript, from the rules of cpp/FORMAT.md, and the writer of a header for tests.
// Invariant: it shares nothing with the library; it answers from the bytes alone.
import { xxh64 } from './xxh64';

const { floor, imul } = Math;
const MAGIC = [0x89, 0x43, 0x4b, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
export const HEADER_BYTES = 72;
export const TRAILER_BYTES = 8;

/** What decides where a key belongs. */
export interface Layout {
  readonly bucketCount: number;
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

/** The other home of `fingerprint`, which lies in `bucket`. */
export function otherHome(bucket: number, fingerprint: number, { bucketCount, addressing }: Layout): number {
  let mixed = imul(fingerprint, 0x9e3779b1);
  mixed ^= mixed >>> 15;
  const offset = scaled(imul(mixed, 0x85ebca6b), bucketCount);
  if (addressing === 'xor') return (bucket ^ offset) >>> 0;
  return (offset - bucket + bucketCount) % bucketCount;
}

/** Fingerprint and homes of a key with this hash. */
export function homesOf(hash: bigint, layout: Layout): Homes {
  const fingerprint = Number(BigInt.asUintN(layout.fingerprintBits, hash)) || 1;
  const primary = scaled(Number(hash >> 32n), layout.bucketCount);
  return { fingerprint, primary, alternate: otherHome(primary, fingerprint, layout) };
}

/** A saved filter, opened. Throws Error where the bytes break a rule of the format. */
export class SavedFilter implements Layout {
  readonly bucketSize: number;
  readonly fingerprintBits: number;
  readonly addressing: 'reflect' | 'xor';
  readonly maxKicks: number;
  readonly bucketCount: number;
  readonly capacity: number;
  readonly size: number;
  readonly seed: bigint;
  /** Bucket by bucket; 0 is empty. */
  readonly slots: readonly number[];

  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const u64 = (at: number): number => Number(view.getBigUint64(at, true));
    must(
      MAGIC.every((byte, at) => bytes[at] === byte),
      'magic',
    );
    must(bytes[8] === 1 && bytes[10] === 0 && bytes[12] === 1, 'version, storage and hash');
    must(view.getUint16(16, true) === 0, 'features');
    this.addressing = bytes[11] === 1 ? 'xor' : 'reflect';
    this.bucketSize = view.getUint8(13);
    this.fingerprintBits = view.getUint8(14);
    this.maxKicks = view.getUint32(20, true);
    this.bucketCount = u64(24);
    this.capacity = u64(32);
    this.size = u64(40);
    this.seed = view.getBigUint64(48, true);
    must(
      view.getBigUint64(56, true) === xxh64(new TextEncoder().encode('cuckoofilter'), this.seed),
      'check of the hash',
    );
    const slotCount = this.bucketCount * this.bucketSize;
    must(u64(64) === Math.ceil((slotCount * this.fingerprintBits) / 8), 'length of the payload');
    must(bytes.length === HEADER_BYTES + u64(64) + TRAILER_BYTES, 'length');
    const end = bytes.length - TRAILER_BYTES;
    must(view.getBigUint64(end, true) === xxh64(bytes.subarray(0, end)), 'checksum');
    this.slots = Array.from({ length: slotCount }, (_, slot) => slotAt(bytes, slot, this.fingerprintBits));
    must(this.slots.filter((slot) => slot !== 0).length === this.size, 'size');
  }

  /** Copies of the fingerprint of a key with this hash in its homes. */
  countOfHash(hash: bigint): number {
    const { fingerprint, primary, alternate } = homesOf(hash, this);
    return [...new Set([primary, alternate])]
      .flatMap((bucket) => this.bucket(bucket))
      .filter((slot) => slot === fingerprint).length;
  }
  contains(key: Uint8Array): boolean {
    return this.countOfHash(xxh64(key, this.seed)) > 0;
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

/** The `bits` bits of a slot, bit by bit, lowest first. */
function slotAt(bytes: Uint8Array, slot: number, bits: number): number {
  let value = 0;
  for (let i = bits - 1; i >= 0; --i) {
    const at = slot * bits + i;
    value = 2 * value + (((bytes[HEADER_BYTES + (at >> 3)] ?? 0) >> (at & 7)) & 1);
  }
  return value;
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`the saved filter breaks the rule of its ${what}`);
}
