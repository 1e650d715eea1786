// How a fingerprint looks: its text, its hue and its notch.
// Invariant: all three depend on the fingerprint alone, and colour is never the only sign: the text is always there,
// and two fingerprints that differ in their lowest two bits have notches in different places.

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

/** The outline of a chip of this size, with a round notch at one of four places on its edge. */
export function chipOutline(width: number, height: number, fingerprint: number): string {
  const corner = 9;
  const notch = 5;
  const at = fingerprint & 1 ? width - 18 : 18;
  const isBelow = (fingerprint & 2) !== 0;
  const above = isBelow ? '' : `H${at - notch}a${notch} ${notch} 0 0 0 ${2 * notch} 0`;
  const below = isBelow ? `H${at + notch}a${notch} ${notch} 0 0 0 ${-2 * notch} 0` : '';
  return [
    `M${corner} 0${above}H${width - corner}a${corner} ${corner} 0 0 1 ${corner} ${corner}`,
    `V${height - corner}a${corner} ${corner} 0 0 1 ${-corner} ${corner}${below}`,
    `H${corner}a${corner} ${corner} 0 0 1 ${-corner} ${-corner}V${corner}a${corner} ${corner} 0 0 1 ${corner} ${-corner}Z`,
  ].join('');
}
