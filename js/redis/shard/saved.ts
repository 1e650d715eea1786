// A shard's string as bytes. It is the saved form with these differences: a stamp replaces the hash check, and says
// which shard of which filter it is (0 while the filter is being made); the table is followed by a record for each
// block of buckets, which tells its last change; a tail replaces the checksum; and the size in the header is 0.
import { numberAt as lowestFirstAt } from '../../src/reader/bits.js';
import { CHECKSUM, HEADER } from '../../src/reader/table.js';
import { checkOf, FIELD, SEED, TAIL, type Places } from './places.js';

/** The byte that says that the table is doubling. */
export const MOVING = 18;
/** Where a header has the number of entries. */
export const SIZE = 40;
/** Where the stamp is: the index of the shard in 2 bytes, the lowest first, then the identity of the filter. */
export const STAMP = 56;

/** Bytes as clients take them: in Node, a Buffer. */
export function asSent(bytes: Uint8Array): Uint8Array {
  const { Buffer } = globalThis as {
    Buffer?: { from(buffer: ArrayBufferLike, at: number, length: number): Uint8Array };
  };
  return Buffer?.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) ?? bytes;
}

/** Six random bytes: the identity of a new filter, or what tells a new string from others. */
export function randomIdentity(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(FIELD));
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The header of a string with these places, with the stamp of shard `index` of the filter with this identity, or none if it is ''. */
export function stamped({ header }: Places, index: number, identity: string): Uint8Array {
  const bytes = header.slice();
  bytes.set([index, index >>> 8, ...(identity.match(/../g) ?? []).map((byte) => parseInt(byte, 16))], STAMP);
  return bytes;
}

/**
 * Which of the stages of `places` a string that begins with `bytes` is in, whatever its size and stamp. The second string of a
 * doubling, which lacks keys, is in none.
 */
export function stageOf(places: Places, bytes: Uint8Array): Places | undefined {
  const stage = places.stages[(bytes[15] as number) >> 2];
  const isFree = (at: number): boolean =>
    (at === MOVING && bytes[at] === 1) || [SIZE, STAMP].includes(at & ~7);
  const isLike = stage?.header.every((byte, at) => byte === bytes[at] || isFree(at));
  return isLike === true ? stage : undefined;
}

/** The same of a saved filter. It must have been made with the same hash. */
export function stageOfSaved(places: Places, saved: Uint8Array): Places | undefined {
  const bytes = saved.slice(0, HEADER);
  if (places.saved === places.header) return stageOf(places, bytes);
  const hasKey = checkOf(places.hash).every((byte, i) => byte === saved[STAMP + i]);
  bytes.set(places.header.subarray(SEED, STAMP), SEED);
  return hasKey ? stageOf(places, bytes) : undefined;
}

/** The number of FIELD bytes at `at`, the highest first. */
export function numberAt(bytes: Uint8Array, at: number): number {
  return bytes.subarray(at, at + FIELD).reduce((sum, byte) => 256 * sum + byte, 0);
}

/** Such numbers, one after the other. */
export function asFields(numbers: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(FIELD * numbers.length);
  numbers.forEach((number, i) => {
    for (let left = number, at = FIELD - 1; at >= 0; --at, left = Math.floor(left / 256))
      bytes[FIELD * i + at] = left % 256;
  });
  return bytes;
}

/** A saved form as the string of a shard with these places, whose header is `header`. */
export function asString(saved: Uint8Array, places: Places, header: Uint8Array, epoch: number): Uint8Array {
  const bytes = new Uint8Array(places.stringBytes);
  bytes.set(saved.subarray(0, saved.length - CHECKSUM));
  bytes.set(header);
  const tail = bytes.length - TAIL;
  bytes.set(asFields([lowestFirstAt(saved, SIZE), epoch]), tail);
  bytes.set(randomIdentity(), tail + 4 * FIELD);
  return bytes;
}
