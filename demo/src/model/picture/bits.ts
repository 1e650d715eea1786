// Numbers as rows of bits.
import { binary } from './chip';

/** The `count` lowest bits, highest first. */
export function bitsOf(value: number | bigint, count: number): number[] {
  const text = value.toString(2).padStart(count, '0');
  return [...text].map(Number);
}

/** The value with bit `at` (0: the lowest) turned over. */
export function flipped(value: number, at: number): number {
  return value ^ (1 << at);
}

/** The sum whose result is the other bucket, in bits and without the result. Its spaces do not break across lines. */
export function openSum(bucket: number, offset: number, count: number): string {
  return `${binary(bucket, count)}\u00a0XOR\u00a0${binary(offset, count)}`;
}

/** The bits in which two numbers differ: of the two homes of a fingerprint in a table with XOR, its hash. */
export function difference(a: number, b: number): number {
  return a ^ b;
}

/** How many bits numbers below `count` need. */
export function bitsFor(count: number): number {
  return Math.max(1, (count - 1).toString(2).length);
}
