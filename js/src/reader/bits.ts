// Reads numbers from bytes, and scales 32-bit numbers to a range.
import { upperProduct, wordAt } from './hash64.js';

/** All ones in the lowest `bits` bits, from 0 to 32. */
export function mask(bits: number): number {
  return (bits && -1 >>> (32 - bits)) | 0;
}

/** The unsigned number of 64 bits at `at`; rounded, if it is past 2^53. */
export function numberAt(bytes: ArrayLike<number>, at: number): number {
  return (wordAt(bytes, at) >>> 0) + (wordAt(bytes, at + 4) >>> 0) * 2 ** 32;
}

/** The bits from bit `at` of `bytes` on, as many as `ones` has, from 0 to 32. Reads 5 bytes. */
export function bitsAt(bytes: ArrayLike<number>, at: number, ones: number): number {
  const shift = at & 7;
  const byte = (at - shift) / 8;
  const next = bytes[byte + 4] as number;
  // In two steps, because a shift by 32 is one by 0.
  return ((wordAt(bytes, byte) >>> shift) | ((next << 1) << (31 - shift))) & ones;
}

/** `bits`, any 32, scaled to the numbers below `count`, which is at most 2^32. */
export function scaled(bits: number, count: number): number {
  return (count < 2 ** 32 ? upperProduct(bits, count) : bits) >>> 0;
}
