// The few formulas behind the plots.
// Sources: Fan et al. (2014), section 5, for bits per key; Bloom (1970).

export type SpaceCurve = 'limit' | 'bloom' | 'cuckoo' | 'semiSorted';

/** 1 / ln 2, as the paper rounds it. */
const BLOOM = 1.44;
/** The load that the paper's formulas take. */
const LOAD = 0.95;

/** Bits per key at false positive rate `rate`; cuckoo filters with 4 slots per bucket, 95 % full. */
export function bitsPerKey(curve: SpaceCurve, rate: number): number {
  const bits = Math.log2(1 / rate);
  switch (curve) {
    case 'limit':
      return bits;
    case 'bloom':
      return BLOOM * bits;
    case 'cuckoo':
      return (bits + 3) / LOAD;
    case 'semiSorted':
      return (bits + 2) / LOAD;
  }
}

/** The rate at which two curves cross, between 10^-6 and 1; by bisection, as the page would find it by hand. */
export function crossing(one: SpaceCurve, other: SpaceCurve): number {
  const difference = (exponent: number): number =>
    bitsPerKey(one, 10 ** exponent) - bitsPerKey(other, 10 ** exponent);
  let [low, high] = [-6, 0];
  for (let i = 0; i < 60; ++i) {
    const middle = (low + high) / 2;
    if (difference(low) * difference(middle) <= 0) high = middle;
    else low = middle;
  }
  return 10 ** low;
}

/** A part of a whole in per cent, with so many decimals: 100 only of all of it, and 0 only of none. */
export function percentOf(part: number, decimals = 0): number {
  const value = Number((100 * part).toFixed(decimals));
  const least = Number((10 ** -decimals).toFixed(decimals));
  if (part < 1 && value >= 100) return Number((100 - least).toFixed(decimals));
  return part > 0 && value === 0 ? least : value;
}

export function rounded(value: number): number {
  return Number(value.toPrecision(2));
}
