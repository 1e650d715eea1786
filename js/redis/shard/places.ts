// Where keys belong on the server: the parameters of the shards, and the shard, two buckets and fingerprint of a key.
// Invariant: the rules are those of docs/inside/format.md, in the reader's code. All shards have the same parameters,
// except for how often they have doubled. The seed depends on the number of shards, so that a filter made with another
// number is noticed. A hash with a secret key has no seed: the number is in its place, then 6 bytes that tell the key.
import { argumentError, counted } from '../../src/errors.js';
import type { Key } from '../../src/keys/key.js';
import { bytesOf } from '../../src/keys/not-a-key.js';
import { scaled } from '../../src/reader/bits.js';
import { bucketsOf, type Buckets } from '../../src/reader/buckets.js';
import { HIGH, siphash13, wordAt, xxh64 } from '../../src/reader/hash64.js';
import { hashKey, type Hash } from '../../src/reader/key.js';
import { HEADER, readTable, type Table } from '../../src/reader/table.js';

interface Shape {
  readonly bucketSize: number;
  readonly width: number;
  readonly semiSorted: boolean;
  /** The share of slots that the planner fills, low enough that a key finds room without many kicks. */
  readonly load: number;
}

/** Shapes whose buckets are whole bytes unless a table may still grow, by the bits that a key takes. */
const SHAPES: readonly Shape[] = [
  ...[5, 7, 9, 11, 13].map((width) => ({ bucketSize: 4, width, semiSorted: true, load: 0.94 })),
  { bucketSize: 3, width: 16, semiSorted: false, load: 0.9 },
  ...[16, 20, 24].map((width) => ({ bucketSize: 2, width, semiSorted: false, load: 0.84 })),
];

/** The least false positive rate that a shape has, rounded up. */
const LEAST_RATE = 2.01e-7;

/** The share of the slots at which a table begins to double, while inserts are still cheap; the planner counts on it, too. */
export const GROW_AT = 0.85;

/**
 * The share of the slots at which the doubling should be complete: between the two shares, adds wait until a proportional part of
 * the table has been moved. Otherwise fast writers would fill all shards before they have doubled, and wait for whole doublings.
 */
const GROWN_AT = 0.88;

/** Keys and buckets of a table (docs/inside/format.md). */
const MOST_CAPACITY = 2 ** 34;
const MOST_BUCKETS = 2 ** 32;

/** What is fixed about a shard, until its table doubles. */
export interface Places {
  /** The header of the string, of an empty filter. */
  readonly header: Uint8Array;
  /** What a saved filter has there: the same, but for the seed of a hash with a secret key. */
  readonly saved: Uint8Array;
  readonly table: Table;
  readonly buckets: Buckets;
  /** In JavaScript as in the core, so that a program without replicas needs no WebAssembly. */
  readonly hash: Hash;
  readonly shards: number;
  /** Buckets of the grown table whose changes are counted together. */
  readonly blockSpan: number;
  readonly blocks: number;
  /** Bytes of the string on the server. */
  readonly stringBytes: number;
  /** The places of the same shard by how often its table may still double. */
  readonly stages: readonly Places[];
}

/** Bytes of a number in the string, which JavaScript and Lua hold exactly; of the record of a block; of what follows the records. */
export const FIELD = 6;
export const RECORD = 6;
export const TAIL = 32;
/** Least buckets in a block, and most blocks of a string. */
const LEAST_SPAN = 1024;
const MOST_BLOCKS = 256;
/** As many as a cluster has slots, over which its nodes divide all strings. */
export const MOST_SHARDS = 16_384;
/** Bytes that a server puts around those of a long string. */
const AROUND = 10;

/**
 * Places for `capacity` keys in all, of tables that may double until there is room for `maxCapacity`. Each shard has room for
 * more than its share, because keys spread unevenly.
 */
export function placesFor(
  capacity: number,
  maxCapacity: number,
  rate: number,
  shards: number,
  secret: Uint8Array | null = null,
): Places {
  const most = shareOf(maxCapacity, shards);
  const shape = shapeFor(rate);
  const load = maxCapacity >= 2 * capacity ? Math.min(shape.load, GROW_AT) : shape.load;
  const bucketCount = bucketsFor({ ...shape, load }, most);
  const begun = bucketsFor({ ...shape, load }, shareOf(capacity, shards));
  // As often as the number of keys doubles, although small tables fill less evenly, unless the last table would then be half as
  // large again.
  const wanted = Math.floor(Math.log2(maxCapacity / capacity));
  const isNear = begun * 2 ** wanted <= 1.5 * bucketCount;
  const doublings = Math.min(isNear ? wanted : Math.floor(Math.log2(bucketCount / begun)), 32 - shape.width);
  const least = Math.max(begun, Math.ceil(bucketCount / 2 ** doublings)) * 2 ** doublings;
  if (least > MOST_BUCKETS) throw tooLarge(maxCapacity, rate, shards);
  const grownCount = Math.floor(bucketsIn(shape, least) / 2 ** doublings) * 2 ** doublings;
  const stages: Places[] = [];
  for (let times = 0; times <= doublings; ++times)
    stages.push(
      placesOf(headerOf(shape, grownCount / 2 ** times, times, most, shards, secret), stages, secret),
    );
  return stages[doublings] as Places;
}

function shapeFor(rate: number): Shape {
  const shape = SHAPES.find(({ bucketSize, width, load }) => (2 * bucketSize * load) / 2 ** width <= rate);
  if (shape === undefined)
    throw argumentError(`falsePositiveRate must be at least ${LEAST_RATE}, got ${rate}`, RangeError);
  return shape;
}

/**
 * The error for shards with longer strings than a server takes. `refused`: the bytes of a string that the server has refused. If they
 * are fewer than the 512 MiB that servers take by default, it may take as little as 1 MiB, half of a shard's default.
 */
export function tooLarge(maxCapacity: number, rate: number, shards: number, refused = Infinity): RangeError {
  const enough = Math.max(2 * shards, shardsFor(maxCapacity, rate) * (refused < 2 ** 29 ? 2 : 1));
  return argumentError(
    `a capacity of ${maxCapacity} does not fit into ${counted(shards, 'shard')}: set shards to ${enough} or more, or lower the capacity`,
    RangeError,
  );
}

/**
 * Bytes of the buckets of a string by default, at most: with all else, and because keys spread unevenly, it then has 2 MiB, which Redis
 * allocates in less than a millisecond.
 */
const DEFAULT_BYTES = 0.98 * 2 ** 21;

/** How many shards keep strings below that size. */
export function shardsFor(maxCapacity: number, rate: number): number {
  const shape = shapeFor(rate);
  return Math.min(
    Math.ceil((bucketsFor(shape, maxCapacity) * bitsOf(shape)) / 8 / DEFAULT_BYTES),
    MOST_SHARDS,
  );
}

/** Bits of a bucket of a table that may still double so many times. */
function bitsOf({ semiSorted, width, bucketSize }: Shape, doublings = 0): number {
  return bucketSize * (width + doublings - Number(semiSorted));
}

function shareOf(capacity: number, shards: number): number {
  const share = capacity / shards;
  return Math.min(capacity, Math.ceil(share + 6 * Math.sqrt(share)), MOST_CAPACITY);
}

/** Buckets for `keys`. Small tables fill less evenly. */
function bucketsFor({ load, bucketSize }: Shape, keys: number): number {
  return Math.ceil((keys / load + 2 * Math.sqrt(keys) + 4) / bucketSize);
}

/**
 * How many buckets, at least `least`, fit into the memory that a server gives their string. Its allocator has four sizes between two
 * powers of two, so they are free, and the emptier a table is, the less time an insert takes.
 */
function bucketsIn(shape: Shape, least: number): number {
  const bytesPerBucket = bitsOf(shape) / 8 + RECORD / LEAST_SPAN;
  const bytes = Math.ceil(AROUND + HEADER + least * bytesPerBucket + RECORD + TAIL);
  const step = 2 ** Math.floor(Math.log2(bytes - 1)) / 4;
  const free = Math.ceil(bytes / step) * step - bytes;
  return Math.min(least + Math.floor(free / bytesPerBucket), MOST_BUCKETS);
}

/** What a header says. Throws FormatError if it is none. The hash is right only with its secret key, if it has one. */
export function placesOf(
  header: Uint8Array,
  stages: readonly Places[] = [],
  secret: Uint8Array | null = null,
): Places {
  const isKeyed = header[12] === 2;
  const saved = isKeyed ? header.slice().fill(0, SEED, SEED + 8) : header;
  const table = readTable(saved, 0, 0);
  const { bucketSize, semiSorted, byteLength } = table.parameters;
  let blockSpan = LEAST_SPAN;
  while (table.grownCount > MOST_BLOCKS * blockSpan) blockSpan *= 2;
  const blocks = Math.ceil(table.grownCount / blockSpan);
  const seed = isKeyed ? wordAt(header, SEED) & 0xffff : Number(table.seed());
  return {
    header,
    saved,
    table,
    buckets: bucketsOf(semiSorted, bucketSize, header[14] as number, 0, table.doublings),
    hash: secret === null ? seeded(seed) : keyed(secret),
    shards: seed + 1,
    blockSpan,
    blocks,
    stringBytes: HEADER + byteLength + RECORD * blocks + TAIL,
    stages,
  };
}

export function slotsOf({ table: { parameters } }: Places): number {
  return parameters.bucketCount * parameters.bucketSize;
}

/** How much of a due table should have been moved when it has `size` entries: 0 is nothing, and from 1 on, all of it. */
export function shareToMove(places: Places, size: number): number {
  return (size / slotsOf(places) - GROW_AT) / (GROWN_AT - GROW_AT);
}

/** The expected false positive rate of a shard of this size. */
export function rateOf({ saved }: Places, size: number): number {
  const filled = saved.slice();
  new DataView(filled.buffer).setBigUint64(40, BigInt(size), true);
  return readTable(filled, 0, 0).parameters.expectedFalsePositiveRate;
}

/** The header of an empty table, without the check of the hash, in whose place is the stamp (saved.ts). */
function headerOf(
  shape: Shape,
  count: number,
  doublings: number,
  capacity: number,
  shards: number,
  secret: Uint8Array | null,
): Uint8Array {
  const { bucketSize, width, semiSorted } = shape;
  const isGrowing = Number(doublings > 0);
  const header = new Uint8Array(HEADER);
  const view = new DataView(header.buffer);
  const u64 = (at: number, value: number): void => view.setBigUint64(at, BigInt(value), true);
  const magic = [0x89, 0x43, 0x4b, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
  const form = [Number(semiSorted), 0, secret === null ? 1 : 2, bucketSize, width, doublings << 2];
  header.set([...magic, 1, isGrowing, ...form, isGrowing]);
  view.setUint32(20, 500, true); // as every filter is saved
  u64(24, count);
  u64(32, capacity);
  u64(SEED, shards - 1);
  if (secret !== null) header.set(checkOf(keyed(secret)).subarray(2), SEED + 2);
  u64(64, Math.ceil((count * bitsOf(shape, doublings)) / 8));
  return header;
}

/** Where a header has the seed. */
export const SEED = 48;

function seeded(seed: number): Hash {
  const hash = (bytes: Uint8Array, end: number): number => xxh64(bytes, end, 0, seed);
  return Object.assign(hash, { identity: { isKeyed: 0, low: seed, high: 0 } });
}

function keyed(secret: Uint8Array): Hash {
  const hash: Hash = (bytes, end) => siphash13(bytes, end, secret);
  const check = checkOf(hash);
  hash.identity = { isKeyed: 1, low: wordAt(check, 0) >>> 0, high: wordAt(check, 4) >>> 0 };
  return hash;
}

/** The check of a hash that a saved filter has. */
export function checkOf(hash: Hash): Uint8Array {
  const check = new DataView(new ArrayBuffer(8));
  check.setInt32(0, hashKey(hash, 'cuckoofilter', bytesOf), true);
  check.setInt32(4, HIGH[0] as number, true);
  return new Uint8Array(check.buffer);
}

/** Words that `place` gives for each key. */
export const WORDS = 3;

/** What is done with a key: it is looked up, or changed by the program, which takes the number. */
export const LOOK_UP = -1;
export const ADD = 0;
export const ADD_IF_ABSENT = 1;
export const DELETE = 2;
export type Action = typeof LOOK_UP | typeof ADD | typeof ADD_IF_ABSENT | typeof DELETE;

/**
 * Puts the primary and the alternate bucket of `key`, both in the table once it has grown, and its fingerprint into `words`, and
 * returns its shard. For a change, the fingerprint is as the program takes it: the low part comes first if buckets are sorted, and
 * the action is the highest byte. Throws InvalidKeyError if `key` is no key.
 */
export function place({ hash, shards, table }: Places, key: Key, action: Action, words: Uint32Array): number {
  const low = hashKey(hash, key, bytesOf);
  const high = HIGH[0] as number;
  const { semiSorted, fingerprintBits } = table.parameters;
  const fingerprint = table.fingerprint(low);
  const primary = scaled(high, table.grownCount);
  words[0] = primary;
  words[1] = table.alternate(primary, fingerprint);
  words[2] = fingerprint;
  if (action !== LOOK_UP) {
    const turned = ((fingerprint & 15) << (fingerprintBits - 4)) | (fingerprint >>> 4);
    words[2] = (semiSorted ? turned : fingerprint) | (action << 24);
  }
  // All bits decide, because the buckets use the highest and the fingerprint the lowest.
  const mixed = Math.imul(low ^ Math.imul(high, 0x9e3779b1 | 0), 0x85ebca6b | 0);
  return scaled(mixed ^ (mixed >>> 15), shards);
}
