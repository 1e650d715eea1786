// Where keys belong on the server: the parameters of the shards, and for a key its shard, its two buckets and its entry.
// Invariant: the rules are those of docs/format.md, by the reader's code; all shards have the same parameters, and the seed
// tells how many there are, so that a filter that was made with another number of shards is noticed.
import { scaled } from '../reader/bits.js';
import { bucketsOf, type Buckets } from '../reader/buckets.js';
import { HIGH, xxh64 } from '../reader/hash64.js';
import { hashKey, type Hash } from '../reader/key.js';
import { HEADER, readTable, type Table } from '../reader/table.js';
import type { Key } from '../wasm/key.js';

/** Bytes that the script takes for each key: primary bucket, alternate bucket, entry. */
const PACKED = 12;

interface Shape {
  readonly bucketSize: number;
  readonly width: number;
  readonly semiSorted: boolean;
  /** Share of the slots that the planner counts on; kicks that do not look ahead reach 0.01 to 0.02 more. */
  readonly load: number;
}

/**
 * Shapes whose buckets are whole bytes, at most 6 of them, so that a BITFIELD reads one as a number that JavaScript and Lua
 * hold exactly. By the bits that a key takes.
 */
const SHAPES: readonly Shape[] = [
  ...[5, 7, 9, 11, 13].map((width) => ({ bucketSize: 4, width, semiSorted: true, load: 0.94 })),
  { bucketSize: 3, width: 16, semiSorted: false, load: 0.88 },
  ...[16, 20, 24].map((width) => ({ bucketSize: 2, width, semiSorted: false, load: 0.82 })),
];

/** The least false positive rate that a shape has. */
export const LEAST_RATE = 2e-7;

const CAPACITY = 2 ** 34;

/** What is fixed about a shard. */
export interface Places {
  /** The saved form's header, of an empty filter. */
  readonly header: Uint8Array;
  readonly table: Table;
  readonly buckets: Buckets;
  readonly shards: number;
  /** Bytes of a bucket. */
  readonly bucketBytes: number;
  /** Bytes of the string on the server. */
  readonly stringBytes: number;
  readonly hash: Hash;
}

/** Places for `capacity` keys in all. Each shard has room for more than its share, because keys spread unevenly. */
export function placesFor(capacity: number, rate: number, shards: number): Places {
  const share = capacity / shards;
  const most = Math.min(capacity, Math.ceil(share + (shards > 1 ? 6 * Math.sqrt(share) : 0)), CAPACITY);
  const shape = SHAPES.find(({ bucketSize, width, load }) => (2 * bucketSize * load) / 2 ** width <= rate);
  if (shape === undefined)
    throw new RangeError(`falsePositiveRate must be at least ${LEAST_RATE}, got ${rate}`);
  // Small tables fill less evenly.
  const slots = most / shape.load + 2 * Math.sqrt(most) + 4;
  return placesOf(headerOf(shape, Math.ceil(slots / shape.bucketSize), most, shards));
}

/** The same from a header. Throws FormatError if it is none. */
export function placesOf(header: Uint8Array): Places {
  const table = readTable(header, 0, 0);
  const seed = table.seed();
  const [low, high] = [Number(seed & 0xffffffffn) | 0, Number(seed >> 32n) | 0];
  const { bucketCount, bucketSize, fingerprintBits, semiSorted } = table.parameters;
  const buckets = bucketsOf(semiSorted, bucketSize, fingerprintBits, 0, 0);
  return {
    header,
    table,
    shards: Number(seed) + 1,
    buckets,
    bucketBytes: buckets.bits / 8,
    stringBytes: HEADER + (bucketCount * buckets.bits) / 8 + 8,
    hash: (bytes, end) => xxh64(bytes, end, high, low),
  };
}

/** docs/format.md, "Layout". */
function headerOf(shape: Shape, bucketCount: number, capacity: number, shards: number): Uint8Array {
  const { bucketSize, width, semiSorted } = shape;
  const header = new Uint8Array(HEADER);
  const view = new DataView(header.buffer);
  const u64 = (at: number, value: number): void => view.setBigUint64(at, BigInt(value), true);
  header.set([
    0x89,
    0x43,
    0x4b,
    0x46,
    0x0d,
    0x0a,
    0x1a,
    0x0a,
    1,
    0,
    Number(semiSorted),
    0,
    1,
    bucketSize,
    width,
  ]);
  view.setUint32(20, 500, true);
  u64(24, bucketCount);
  u64(32, capacity);
  u64(48, shards - 1);
  const check = hashKey((bytes, end) => xxh64(bytes, end, 0, shards - 1), 'cuckoofilter');
  view.setInt32(56, check, true);
  view.setInt32(60, HIGH[0] as number, true);
  u64(64, (bucketCount * (semiSorted ? 4 * (width - 1) : bucketSize * width)) / 8);
  return header;
}

/** Where one key belongs. */
export interface Located {
  readonly shard: number;
  readonly primary: number;
  readonly alternate: number;
  readonly fingerprint: number;
}

/** Throws TypeError if `key` is no key. */
export function locate({ table, shards, hash }: Places, key: Key): Located {
  const low = hashKey(hash, key);
  const high = HIGH[0] as number;
  // The buckets take the highest bits of the hash and the fingerprint the lowest, so that the shard depends on all.
  const mixed = Math.imul(low ^ Math.imul(high, 0x9e3779b1 | 0), 0x85ebca6b | 0);
  const shard = shards === 1 ? 0 : scaled(mixed ^ (mixed >>> 15), shards);
  const fingerprint = table.fingerprint(low);
  const primary = scaled(high, table.grownCount);
  return { shard, primary, alternate: table.alternate(primary, fingerprint), fingerprint };
}

/** What the script takes for keys: their buckets and entries. A sorted bucket orders entries by their low part first. */
export function packed({ table }: Places, keys: readonly Located[]): Uint8Array {
  const { semiSorted, fingerprintBits } = table.parameters;
  const bytes = new Uint8Array(PACKED * keys.length);
  const view = new DataView(bytes.buffer);
  keys.forEach(({ primary, alternate, fingerprint }, i) => {
    const entry = semiSorted
      ? (fingerprint & 15) * 2 ** (fingerprintBits - 4) + (fingerprint >>> 4)
      : fingerprint;
    view.setUint32(PACKED * i, primary, true);
    view.setUint32(PACKED * i + 4, alternate, true);
    view.setUint32(PACKED * i + 8, entry, true);
  });
  return bytes;
}
