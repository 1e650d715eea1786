// The few formulas behind the plots, and the figures of benches, which no page can measure.
// Sources: Fan et al. (2014), section 5, for bits per key; Bloom (1970).

export type SpaceCurve = 'limit' | 'bloom' | 'cuckoo' | 'semiSorted';

/** Bits of a Bloom filter for each bit of a rate. */
const BLOOM = 1 / Math.LN2;
/** The load that the paper's formulas take. */
const LOAD = 0.95;

/** Bits that a fingerprint has beyond log2(1 / rate); cuckoo filters with 4 slots per bucket, 95 % full. */
const MORE = { cuckoo: 3, semiSorted: 2 } as const;

export function bitsPerKey(curve: SpaceCurve, rate: number): number {
  const bits = Math.log2(1 / rate);
  if (curve === 'limit') return bits;
  return curve === 'bloom' ? BLOOM * bits : (bits + MORE[curve]) / LOAD;
}

/** The rate of a plain cuckoo filter at the paper's load, with so many bits per key. */
export function rateAt(bits: number): number {
  return 2 ** (MORE.cuckoo - LOAD * bits);
}

/** The rate at which a curve crosses that of Bloom: BLOOM x = (x + MORE) / LOAD, solved for the bits x = log2(1 / rate). */
export function crossing(curve: keyof typeof MORE): number {
  return 2 ** (-MORE[curve] / (BLOOM * LOAD - 1));
}

type Range = readonly [least: number, most: number];

/** New strings: millions a second, and how many times as fast as a Set and as a Bloom filter (README, `npm run bench -- readme`). */
export const SPEEDS: Readonly<Record<'has' | 'add', readonly [own: Range, set: Range, bloom: Range]>> = {
  has: [
    [5.2, 13],
    [3.4, 8.3],
    [1.1, 1.4],
  ],
  add: [
    [3.1, 9.1],
    [1, 3],
    [0.73, 0.98],
  ],
};

/** Bits a key that a Set takes with its strings (README). */
export const SET_BITS: Range = [420, 570];

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

/** Where a rate lies, from 0 to 1, that gave so many hits in so many tries: 19 such intervals of 20 hold it (Wilson, 1927). */
export function intervalOf(found: number, tries: number): readonly [least: number, most: number] {
  const square = 1.96 ** 2;
  const middle = found + square / 2;
  const reach = Math.sqrt(square * ((found * (tries - found)) / tries + square / 4));
  return [Math.max(0, middle - reach) / (tries + square), (middle + reach) / (tries + square)];
}
