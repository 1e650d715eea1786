// Where keys belong on the server: the parameters of the shards, and the shard, two buckets and fingerprint of a key.
// Invariant: the rules are those of docs/inside/format.md, in the reader's code. All shards have the same parameters,
// except for how often they have doubled. The seed depends on the number of shards, so that a filter made with another
// number is noticed.
import { argumentError, counted } from '../../src/errors.js';
import { mask, scaled } from '../../src/reader/bits.js';
import { bucketsOf, type Buckets } from '../../src/reader/buckets.js';
import { HEADER, readTable, type Parameters, type Table } from '../../src/reader/table.js';

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
export const LEAST_RATE = 2.01e-7;

/** The share of the slots at which a table begins to double, while inserts are still cheap; the planner counts on it, too. */
export const GROW_AT = 0.85;

/** The most kicks of an insert, each of which looks one step ahead: about a millisecond of the server's time. */
const KICKS = 250;
const MOST_CAPACITY = 2 ** 34;
/** Buckets of a table (docs/inside/format.md), and bytes of a string where the server's limit was not raised. */
const MOST_BUCKETS = 2 ** 32;
const MOST_BYTES = 2 ** 29;

/** What is fixed about a shard, until its table doubles. */
export interface Places {
  /** The saved form's header, of an empty filter. */
  readonly header: Uint8Array;
  readonly table: Table;
  readonly buckets: Buckets;
  readonly shards: number;
  /** Bytes that hold a bucket, wherever in a byte it begins. */
  readonly bucketBytes: number;
  /** Buckets of the grown table whose changes are counted together. */
  readonly blockSpan: number;
  readonly blocks: number;
  /** Bytes of the string on the server. */
  readonly stringBytes: number;
  /** The places of the same shard by how often its table may still double, once somebody asked: see `stageAt`. */
  readonly stages: (Places | undefined)[];
}

/** Bytes of a number in the string, which JavaScript and Lua hold exactly; of the record of a block; of what follows the records. */
export const FIELD = 6;
export const RECORD = 6;
export const TAIL = 32;
/** Least buckets in a block, and most blocks of a string. */
const LEAST_SPAN = 1024;
const MOST_BLOCKS = 256;

/**
 * Places for `capacity` keys in all, of tables that may double until there is room for `maxCapacity`. Each shard has room for
 * more than its share, because keys spread unevenly.
 */
export function placesFor(capacity: number, maxCapacity: number, rate: number, shards: number): Places {
  const most = shareOf(maxCapacity, shards);
  const shape = shapeFor(rate);
  const load = maxCapacity >= 2 * capacity ? Math.min(shape.load, GROW_AT) : shape.load;
  const bucketCount = bucketsFor({ ...shape, load }, most);
  const begun = bucketsFor({ ...shape, load }, shareOf(capacity, shards));
  const doublings = Math.min(
    doublingsFor(Math.floor(Math.log2(maxCapacity / capacity)), begun, bucketCount),
    32 - shape.width,
  );
  const grownCount = Math.max(begun, Math.ceil(bucketCount / 2 ** doublings)) * 2 ** doublings;
  if (grownCount > MOST_BUCKETS) throw tooLarge(maxCapacity, rate, shards);
  const last = headerOf(shape, grownCount, most, shards);
  return placesOf(halved(last, doublings));
}

/**
 * How often `begun` buckets double until there are about `bucketCount`: as often as the number of keys doubles
 * (`wanted` times), although small tables fill less evenly, unless the last table would then be half as large again.
 */
function doublingsFor(wanted: number, begun: number, bucketCount: number): number {
  return begun * 2 ** wanted <= 1.5 * bucketCount ? wanted : Math.floor(Math.log2(bucketCount / begun));
}

function shapeFor(rate: number): Shape {
  const shape = SHAPES.find(({ bucketSize, width, load }) => (2 * bucketSize * load) / 2 ** width <= rate);
  if (shape === undefined)
    throw argumentError(`falsePositiveRate must be at least ${LEAST_RATE}, got ${rate}`, RangeError);
  return shape;
}

/** The error for shards with longer strings than a server takes. It names the next power of two of shards that fit. */
export function tooLarge(maxCapacity: number, rate: number, shards: number): RangeError {
  const shape = shapeFor(rate);
  const fits = (count: number): boolean =>
    (bucketsFor(shape, shareOf(maxCapacity, count)) * bitsOf(shape)) / 8 + HEADER + TAIL <= MOST_BYTES;
  let enough = 2;
  while (enough <= shards || !fits(enough)) enough *= 2;
  return argumentError(
    `a capacity of ${maxCapacity} does not fit into ${counted(shards, 'shard')}: give shards: ${enough}, or a lower capacity`,
    RangeError,
  );
}

/**
 * About the most bytes that a string has by default: Redis allocates a string of that size in less than a millisecond.
 */
const DEFAULT_BYTES = 2 ** 21;

/** How many shards keep strings below that size. */
export function shardsFor(maxCapacity: number, rate: number): number {
  const shape = shapeFor(rate);
  return Math.min(Math.ceil((bucketsFor(shape, maxCapacity) * bitsOf(shape)) / 8 / DEFAULT_BYTES), 65_536);
}

/** Bits of a bucket. */
function bitsOf({ semiSorted, width, bucketSize }: Shape): number {
  return semiSorted ? 4 * (width - 1) : bucketSize * width;
}

function shareOf(capacity: number, shards: number): number {
  const share = capacity / shards;
  return Math.min(capacity, Math.ceil(share + 6 * Math.sqrt(share)), MOST_CAPACITY);
}

/** Buckets for `keys`. Small tables fill less evenly. */
function bucketsFor({ load, bucketSize }: Shape, keys: number): number {
  return Math.ceil((keys / load + 2 * Math.sqrt(keys) + 4) / bucketSize);
}

/** The same from a header. Throws FormatError if it is none. */
export function placesOf(header: Uint8Array, stages: (Places | undefined)[] = []): Places {
  const table = readTable(header, 0, 0);
  const { bucketSize, semiSorted, byteLength } = table.parameters;
  const buckets = bucketsOf(semiSorted, bucketSize, header[14] as number, 0, table.doublings);
  let blockSpan = LEAST_SPAN;
  while (table.grownCount > MOST_BLOCKS * blockSpan) blockSpan *= 2;
  const blocks = Math.ceil(table.grownCount / blockSpan);
  return (stages[table.doublings] = {
    header,
    table,
    buckets,
    shards: Number(table.seed()) + 1,
    bucketBytes: buckets.bits % 8 === 0 ? buckets.bits / 8 : Math.ceil((buckets.bits + 7) / 8),
    blockSpan,
    blocks,
    stringBytes: HEADER + byteLength + RECORD * blocks + TAIL,
    stages,
  });
}

/** The places of a shard whose table may double `doublings` times more; undefined if that is more than at first. */
export function stageAt({ header, table, stages }: Places, doublings: number): Places | undefined {
  if (doublings >= stages.length) return undefined;
  return stages[doublings] ?? placesOf(halved(header, doublings - table.doublings), stages);
}

/** What a shard of this size is like. */
export function parametersOf({ header }: Places, size: number): Parameters {
  const filled = header.slice();
  new DataView(filled.buffer).setBigUint64(40, BigInt(size), true);
  return readTable(filled, 0, 0).parameters;
}

/** The header of an empty table of 2^`times` as few buckets, which may double so many times more. docs/inside/format.md, "Layout". */
function halved(header: Uint8Array, times: number): Uint8Array {
  const { bucketCount, bucketSize, semiSorted } = readTable(header, 0, 0).parameters;
  const doublings = ((header[15] as number) >> 2) + times;
  const bytes = header.slice();
  const view = new DataView(bytes.buffer);
  bytes[9] = bytes[16] = Number(doublings > 0);
  bytes[15] = doublings << 2;
  const count = bucketCount / 2 ** times;
  const { bits } = bucketsOf(semiSorted, bucketSize, bytes[14] as number, 0, doublings);
  view.setBigUint64(24, BigInt(count), true);
  view.setBigUint64(64, BigInt(Math.ceil((count * bits) / 8)), true);
  return bytes;
}

/** The header of a table that does not grow, without the check of the hash, in whose place is the stamp (saved.ts). */
function headerOf(shape: Shape, bucketCount: number, capacity: number, shards: number): Uint8Array {
  const { bucketSize, width, semiSorted } = shape;
  const header = new Uint8Array(HEADER);
  const view = new DataView(header.buffer);
  const u64 = (at: number, value: number): void => view.setBigUint64(at, BigInt(value), true);
  const magic = [0x89, 0x43, 0x4b, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
  header.set([...magic, 1, 0, Number(semiSorted), 0, 1, bucketSize, width]);
  view.setUint32(20, KICKS, true);
  u64(24, bucketCount);
  u64(32, capacity);
  u64(48, shards - 1);
  u64(64, (bucketCount * bitsOf(shape)) / 8);
  return header;
}

/** Words that `place` gives for each key. */
export const WORDS = 3;

/** What the program does with a key. */
export const ADD = 0;
export const ADD_IF_ABSENT = 1;
export const DELETE = 2;
export type Action = typeof ADD | typeof ADD_IF_ABSENT | typeof DELETE;

/** Tells each key in `words` what the program does with it: the highest byte of the word of its fingerprint. */
export function setAction(words: Uint32Array, action: Action): void {
  for (let at = 2; at < words.length; at += WORDS) words[at] = (words[at] as number) | (action << 24);
}

/**
 * The shard of a key. It depends on all bits of the hash, because the buckets use the highest and the fingerprint the
 * lowest.
 */
export function shardOf(low: number, high: number, shards: number): number {
  const mixed = Math.imul(low ^ Math.imul(high, 0x9e3779b1 | 0), 0x85ebca6b | 0);
  return scaled(mixed ^ (mixed >>> 15), shards);
}

/**
 * Puts the primary bucket, the alternate bucket (both in the table once it has grown) and the fingerprint of the key with this
 * hash into `words`.
 */
export function place({ table }: Places, low: number, high: number, words: Uint32Array): void {
  const fingerprint = table.fingerprint(low);
  const primary = scaled(high, table.grownCount);
  words[0] = primary;
  words[1] = table.alternate(primary, fingerprint);
  words[2] = fingerprint;
}

/** The bit of the table at which the bucket begins that holds bucket `grown` of the grown table. */
export function bitOf({ table, buckets }: Places, grown: number): number {
  return (grown >>> table.doublings) * buckets.bits;
}

/** Copies of the key that `place` gave `words` for, in `bytes`, where its buckets lie at the bits `first` and `second`. */
export function copiesAt(
  { table, buckets, header }: Places,
  bytes: Uint8Array,
  words: Uint32Array,
  first: number,
  second: number,
): number {
  const [primary, alternate, fingerprint] = words as unknown as [number, number, number];
  const copiesIn = (grown: number, at: number): number => {
    const part = (grown & mask(table.doublings)) << (header[14] as number);
    return buckets.copies(bytes, at, fingerprint | part, 1);
  };
  return copiesIn(primary, first) + (alternate === primary ? 0 : copiesIn(alternate, second));
}

/**
 * The form in which the script takes keys: the words of `place`, with the fingerprint's low part first if buckets are
 * sorted.
 */
export function packed({ table }: Places, words: Uint32Array): Uint8Array {
  const { semiSorted, fingerprintBits } = table.parameters;
  const given = words.slice();
  if (semiSorted)
    for (let at = 2; at < given.length; at += WORDS) {
      const word = given[at] as number;
      const fingerprint = word & 0xffffff;
      given[at] = (word - fingerprint) | ((fingerprint & 15) << (fingerprintBits - 4)) | (fingerprint >>> 4);
    }
  return new Uint8Array(given.buffer);
}
