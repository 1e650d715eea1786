// How a fingerprint looks: its text and its hue.
// Invariant: both depend on the fingerprint alone, and colour is never the only sign: the text is always there.

/**
 * The one notation of a fingerprint: hexadecimal and marked as that, so that nobody takes it for a bucket's number. As
 * many digits as `bits` need.
 */
export function hex(fingerprint: number, bits: number): string {
  return `0x${fingerprint.toString(16).padStart(Math.ceil(bits / 4), '0')}`;
}

/** Binary, as many digits as numbers below `count` need. */
export function binary(bucket: number, count: number): string {
  return bucket.toString(2).padStart(Math.max(1, (count - 1).toString(2).length), '0');
}

/** Degrees on the OKLCH circle. Golden angle steps, so that neighbours differ most. */
export function hueOf(fingerprint: number): number {
  return Math.round((fingerprint * 137.508) % 360);
}
