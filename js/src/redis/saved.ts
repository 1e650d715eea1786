// A shard's string as bytes: the saved form, but that the last 8 bytes count changes instead of holding the checksum.
import { FormatError } from '../basic-errors.js';
import { check } from '../reader/arguments.js';
import { HIGH, xxh64 } from '../reader/hash64.js';
import { CHECKSUM, HEADER } from '../reader/table.js';
import { viewOf, type Bytes } from '../engine/bytes.js';
import { placesOf, type Places } from './places.js';

/** Bytes that a read of BITFIELD gives: a number that JavaScript and Lua hold exactly. Changes are counted in as many. */
export const FIELD = 6;

/** Bytes as clients take them: in Node, a Buffer. */
export function asSent(bytes: Uint8Array): Uint8Array {
  const { Buffer } = globalThis as {
    Buffer?: { from(buffer: ArrayBufferLike, at: number, length: number): Uint8Array };
  };
  return Buffer?.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) ?? bytes;
}

/** Whether `bytes` begin with the header of `places`, whatever the number of entries is. */
export function isHeader({ header }: Places, bytes: Uint8Array): boolean {
  return header.every((byte, at) => byte === bytes[at] || (at >= 40 && at < 48));
}

/** The number of FIELD bytes at `at`, the lowest first. */
export function fieldAt(bytes: Uint8Array, at: number): number {
  return bytes.subarray(at, at + FIELD).reduceRight((sum, byte) => 256 * sum + byte, 0);
}

/** The bytes of a number, the lowest first. */
export function fieldOf(number: number): Uint8Array {
  return Uint8Array.from({ length: FIELD }, (_, i) => Math.floor(number / 256 ** i) % 256);
}

/** Writes a number of FIELD bytes, of which the first is the highest. */
export function writeNumber(bytes: Uint8Array, at: number, value: number): void {
  const low = value % 2 ** 24;
  const high = (value - low) / 2 ** 24;
  for (let i = 0; i < 3; ++i) {
    bytes[at + i] = high >>> (16 - 8 * i);
    bytes[at + 3 + i] = low >>> (16 - 8 * i);
  }
}

/** What a new shard counts its changes from: another number than one of that name had before, and never 0. */
export function randomRevision(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(FIELD)).fill(1, FIELD - 1);
}

/** A saved form as a string of the server. */
export function withRevision(saved: Uint8Array, revision: Uint8Array): Uint8Array {
  const bytes = saved.slice();
  bytes.fill(0, -CHECKSUM);
  bytes.set(revision, bytes.length - CHECKSUM);
  return bytes;
}

/**
 * The saved form of what `GET` gives of a shard, for `CuckooFilter.deserialize`: with the checksum in place of the count of
 * changes. With several shards, a key is in one of the strings only: ask all of them, or use a replica. Throws FormatError for what is no shard, TypeError for what is no bytes (have your client return Buffers).
 *
 * @example
 * const withBytes = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
 * const local = CuckooFilter.deserialize(savedShard(await withBytes.get('seen')));
 */
export function savedShard(string: Uint8Array | ArrayBuffer): Bytes {
  const bytes = viewOf(string, 'string');
  check(
    'string',
    'bytes, as GET gives them if the client returns Buffers',
    string === null ? 'null: the server has no such key' : typeof string,
    bytes !== undefined,
  );
  const { stringBytes } = placesOf((bytes as Bytes).subarray(0, HEADER));
  if (stringBytes !== bytes?.length)
    throw new FormatError(`this shard has ${bytes?.length} of ${stringBytes} bytes`, 'cut-short');
  return sealed(bytes.slice());
}

/** A string of the server as a saved form. */
export function sealed(bytes: Bytes): Bytes {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const end = bytes.length - CHECKSUM;
  view.setInt32(end, xxh64(bytes, end, 0, 0), true);
  view.setInt32(end + 4, HIGH[0] as number, true);
  return bytes;
}

export function bytesOfHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => parseInt(digits, 16));
}
