// Saved filters written field by field, sound ones and others, for the suite in tests/conformance and the tests of rules.
import { HEADER_BYTES, TRAILER_BYTES } from './reader';
import { siphash13 } from './siphash';
import { xxh64 } from './xxh64';

/** A filter to be written: what is left out is that of a plain table of four buckets for one key. */
export interface Table {
  readonly minor?: number;
  readonly storage?: number;
  readonly addressing?: number;
  readonly hash?: number;
  readonly slots?: number;
  readonly width?: number;
  readonly quarters?: number;
  readonly doublings?: number;
  readonly flags?: number;
  readonly ignorable?: number;
  readonly kicks?: number;
  readonly seed?: number;
  readonly buckets?: number;
  readonly capacity?: number;
  readonly size?: number;
  /** The first bytes of the payload; the others are 0. */
  readonly payload?: readonly number[];
  /** The fields from byte 72 on, if entries have values. */
  readonly values?: { readonly kind: number; readonly bits: number } & Partial<Periods>;
}

interface Periods {
  readonly last: number;
  readonly forgotten: number;
  readonly current: number;
  readonly hasClock: number;
  readonly clock: number;
}

/** What bytes are made of: a filter or layers, and then changes. */
export interface Made {
  readonly table?: Table;
  readonly layers?: readonly Table[];
  /** Doublings that the first layer began with. */
  readonly began?: number;
  /** How many zeros follow the layers, before the last checksum. */
  readonly gap?: number;
  /** Bytes to be put at offsets, before the last checksum is made to match. */
  readonly set?: Readonly<Record<string, number>>;
  /** Bytes to be put at offsets afterwards. */
  readonly then?: Readonly<Record<string, number>>;
  /** How many bytes are left, or follow as zeros where the number is negative. */
  readonly cut?: number;
}

/** The secret key that filters with SipHash-1-3 have here. */
const SECRET = Uint8Array.from({ length: 16 }, (_, i) => i);
const CHECKED = new TextEncoder().encode('cuckoofilter');

/** The saved form of `table`. A payload of more than a megabyte is cut short. */
export function filterOf(table: Table): Uint8Array {
  const { storage = 0, addressing = 0, hash = 1, slots = 4, width = 8, quarters = 0, doublings = 0 } = table;
  const { buckets = 4, capacity = 1, size = 0, seed = 0, kicks = 500, ignorable = 0, values } = table;
  const flags = table.flags ?? Number(doublings > 0) + (values ? 2 : 0);
  const slotBits = width + doublings + (values?.bits ?? 0);
  const bits = storage === 1 ? 4 * (slotBits - 1) - quarters : slots * slotBits;
  const length = Math.ceil((buckets * bits) / 8);
  const headerBytes = values ? 88 : HEADER_BYTES;
  const bytes = new Uint8Array(headerBytes + Math.min(length, 2 ** 20) + TRAILER_BYTES);
  const minor = table.minor ?? (values ? 2 : Number(doublings > 0));
  bytes.set([
    0x89,
    0x43,
    0x4b,
    0x46,
    0x0d,
    0x0a,
    0x1a,
    0x0a,
    1,
    minor,
    storage,
    addressing,
    hash,
    slots,
    width,
  ]);
  bytes[15] = quarters + 4 * doublings;
  const view = new DataView(bytes.buffer);
  view.setUint16(16, flags, true);
  view.setUint16(18, ignorable, true);
  view.setUint32(20, kicks, true);
  for (const [i, value] of [buckets, capacity, size, seed].entries())
    view.setBigUint64(24 + 8 * i, BigInt(value), true);
  view.setBigUint64(56, hash === 2 ? siphash13(CHECKED, SECRET) : xxh64(CHECKED, BigInt(seed)), true);
  view.setBigUint64(64, BigInt(length), true);
  if (values) {
    const { kind, last = 0, forgotten = 0, current = 0, hasClock = 0, clock = 0 } = values;
    bytes.set([kind, values.bits, last, forgotten], 72);
    view.setUint16(76, current, true);
    view.setUint16(78, hasClock, true);
    view.setBigUint64(80, BigInt(clock), true);
  }
  bytes.set(table.payload ?? [], headerBytes);
  seal(bytes, bytes.subarray(0, -TRAILER_BYTES));
  return bytes;
}

/** The saved form of layers, whose first began with `began` doublings. `gap` zeros follow them that belong to nothing. */
export function layersOf(began: number, layers: readonly Uint8Array[], gap = 0): Uint8Array {
  const bytes = joined([new Uint8Array(24), ...layers, new Uint8Array(gap + TRAILER_BYTES)]);
  bytes.set([0x89, 0x43, 0x4b, 0x53, 0x0d, 0x0a, 0x1a, 0x0a, 1, 0, 0, 0, layers.length, began]);
  new DataView(bytes.buffer).setUint32(16, bytes.length, true);
  seal(bytes, joined([bytes.subarray(0, 24), ...layers.map((layer) => layer.subarray(-8))]));
  return bytes;
}

/** The bytes that a case of the suite is made of. */
export function bytesOf({ table = {}, layers, began = 0, gap, set = {}, then = {}, cut }: Made): Uint8Array {
  const parts = layers?.map(filterOf);
  const bytes = parts ? layersOf(began, parts, gap) : filterOf(table);
  put(bytes, set);
  if (parts) seal(bytes, joined([bytes.subarray(0, 24), ...parts.map((layer) => layer.subarray(-8))]));
  else if (bytes.length >= TRAILER_BYTES) seal(bytes, bytes.subarray(0, -TRAILER_BYTES));
  put(bytes, then);
  if (cut === undefined) return bytes;
  return cut < 0 ? joined([bytes, new Uint8Array(-cut)]) : bytes.slice(0, cut);
}

function put(bytes: Uint8Array, values: Readonly<Record<string, number>>): void {
  for (const [at, value] of Object.entries(values))
    bytes[Number(at) < 0 ? bytes.length + Number(at) : Number(at)] = value;
}

/** Ends `bytes` with the checksum of `summed`. */
function seal(bytes: Uint8Array, summed: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  view.setBigUint64(bytes.length - TRAILER_BYTES, xxh64(summed), true);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
