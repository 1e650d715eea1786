// MurmurHash64A with seed 0, the hash of RedisBloom's cuckoo filters, without 64-bit integers: words are as in hash64.ts.
// Source: Austin Appleby, MurmurHash2, in the public domain.
import { HIGH, multiply, wordAt } from '../src/reader/hash64.js';

const M_HIGH = 0xc6a4a793 | 0;
const M_LOW = 0x5bd1e995;

/** The low half of a word multiplied by the constant; the high half is in HIGH. */
function timesM(high: number, low: number): number {
  return multiply(high, low, M_HIGH, M_LOW);
}

/** The hash of the bytes from 0 to `end`: its low half, with the high half in HIGH. */
export function murmur64a(bytes: Uint8Array, end: number): number {
  let low = timesM((end / 2 ** 32) | 0, end | 0);
  let high = HIGH[0] as number;
  const whole = end - (end % 8);
  for (let at = 0; at < whole; at += 8) {
    // Shifting a word right by 47 leaves the high half's upper 17 bits.
    const wordLow = timesM(wordAt(bytes, at + 4), wordAt(bytes, at));
    const wordHigh = HIGH[0] as number;
    const mixed = timesM(wordHigh, wordLow ^ (wordHigh >>> 15));
    low = timesM(high ^ (HIGH[0] as number), low ^ mixed);
    high = HIGH[0] as number;
  }
  if (whole < end) {
    for (let at = whole; at < end; ++at) {
      const bits = (bytes[at] as number) << (8 * (at & 3));
      if (at - whole < 4) low ^= bits;
      else high ^= bits;
    }
    low = timesM(high, low);
    high = HIGH[0] as number;
  }
  low = timesM(high, low ^ (high >>> 15));
  return low ^ ((HIGH[0] as number) >>> 15);
}
