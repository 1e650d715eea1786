// How numbers look: a fingerprint's text and colour, and rows of bits.
// Invariant: text and colour depend on the fingerprint alone, and colour is never the only sign: the text is always there.

/**
 * The one notation of a fingerprint: hexadecimal and marked as that, so that nobody takes it for a bucket's number. As
 * many digits as `bits` need.
 */
export function hex(fingerprint: number, bits: number): string {
  return `0x${fingerprint.toString(16).padStart(Math.ceil(bits / 4), '0')}`;
}

export function bitsFor(count: number): number {
  return Math.max(1, (count - 1).toString(2).length);
}

/** Binary, as many digits as numbers below `count` need. */
export function binary(bucket: number, count: number): string {
  return bucket.toString(2).padStart(bitsFor(count), '0');
}

/** Degrees on the OKLCH circle. Golden angle steps, so that neighbours differ most. */
export function hueOf(fingerprint: number): number {
  return Math.round((fingerprint * 137.508) % 360);
}

/** How light, from 0 to 3: of two fingerprints with like hues, hardly any have the same tone, too. */
export function toneOf(fingerprint: number): number {
  return fingerprint % 4;
}

/** The `count` lowest bits, highest first. */
export function bitsOf(value: number | bigint, count: number): number[] {
  const text = value.toString(2).padStart(count, '0');
  return [...text].map(Number);
}

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
