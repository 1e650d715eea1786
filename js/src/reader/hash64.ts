// XXH64 and SipHash-1-3 without 64-bit integers: a word consists of its high and its low 32 bits.
// A function that makes a word returns its low half and leaves the high half in HIGH[0]. That is a typed array
// because a variable would keep a number of 32 bits on the heap in some engines. Sources: docs/inside/format.md, cpp/include/cuckoo/hash.

const { imul } = Math;

// The primes of XXH64, as signed halves.
const P1_HIGH = 0x9e3779b1 | 0;
const P1_LOW = 0x85ebca87 | 0;
const P2_HIGH = 0xc2b2ae3d | 0;
const P2_LOW = 0x27d4eb4f;
const P3_HIGH = 0x165667b1;
const P3_LOW = 0x9e3779f9 | 0;
const P4_HIGH = 0x85ebca77 | 0;
const P4_LOW = 0xc2b2ae63 | 0;
const P5_HIGH = 0x27d4eb2f;
const P5_LOW = 0x165667c5;

/** The high half of the word that was made last. */
export const HIGH: Int32Array = new Int32Array(1);

/** XXH64's lanes: the low halves of the four, then the high halves. */
const LANES = new Int32Array(8);

/** The upper 32 bits of the product of two unsigned numbers of 32 bits. */
export function upperProduct(a: number, b: number): number {
  const a0 = a & 0xffff;
  const a1 = a >>> 16;
  const b0 = b & 0xffff;
  const b1 = b >>> 16;
  const middle = (imul(a1, b0) + (imul(a0, b0) >>> 16)) | 0;
  const other = (imul(a0, b1) + (middle & 0xffff)) | 0;
  return (imul(a1, b1) + (middle >>> 16) + (other >>> 16)) | 0;
}

function add(high: number, low: number, otherHigh: number, otherLow: number): number {
  const sum = (low + otherLow) | 0;
  HIGH[0] = high + otherHigh + (sum >>> 0 < low >>> 0 ? 1 : 0);
  return sum;
}

/** The product of two words, modulo 2^64. */
export function multiply(high: number, low: number, otherHigh: number, otherLow: number): number {
  HIGH[0] = upperProduct(low, otherLow) + imul(high, otherLow) + imul(low, otherHigh);
  return imul(low, otherLow);
}

/**
 * The high half of a word rotated left by `by`, from 1 to 31. Called with the halves exchanged, it gives the low half.
 */
function rotated(high: number, low: number, by: number): number {
  return (high << by) | (low >>> (32 - by));
}

/** What the specification calls a round: mixes one word into a lane. */
function round(laneHigh: number, laneLow: number, high: number, low: number): number {
  const product = multiply(high, low, P2_HIGH, P2_LOW);
  const sum = add(laneHigh, laneLow, HIGH[0] as number, product);
  const sumHigh = HIGH[0] as number;
  return multiply(rotated(sumHigh, sum, 31), rotated(sum, sumHigh, 31), P1_HIGH, P1_LOW);
}

/** A word with a round's result mixed in, except for the rotation: xor, times P1, plus P4. */
function mixed(high: number, low: number): number {
  const product = multiply(high, low, P1_HIGH, P1_LOW);
  return add(HIGH[0] as number, product, P4_HIGH, P4_LOW);
}

/** The four bytes at `at`, little-endian, as a signed number. */
export function wordAt(bytes: ArrayLike<number>, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}

/** XXH64 of the bytes from 0 to `end`. */
export function xxh64(bytes: Uint8Array, end: number, seedHigh: number, seedLow: number): number {
  let at = 0;
  let low = add(seedHigh, seedLow, P5_HIGH, P5_LOW);
  let high = HIGH[0] as number;
  if (end >= 32) {
    // seed + P1 + P2, seed + P2, seed, seed - P1
    const highs = [0x60ea27ee, P2_HIGH, 0, ~P1_HIGH];
    const lows = [0xadc0b5d6 | 0, P2_LOW, 0, -P1_LOW];
    for (let lane = 0; lane < 4; ++lane) {
      LANES[lane] = add(seedHigh, seedLow, highs[lane] as number, lows[lane] as number);
      LANES[lane + 4] = HIGH[0] as number;
    }
    for (const stripes = end - (end % 32); at < stripes; at += 8) {
      // Four words, one for each lane.
      const lane = (at >> 3) & 3;
      LANES[lane] = round(
        LANES[lane + 4] as number,
        LANES[lane] as number,
        wordAt(bytes, at + 4),
        wordAt(bytes, at),
      );
      LANES[lane + 4] = HIGH[0] as number;
    }
    low = high = 0;
    for (let lane = 0; lane < 4; ++lane) {
      const laneLow = LANES[lane] as number;
      const laneHigh = LANES[lane + 4] as number;
      const by = [1, 7, 12, 18][lane] as number;
      low = add(high, low, rotated(laneHigh, laneLow, by), rotated(laneLow, laneHigh, by));
      high = HIGH[0] as number;
    }
    for (let lane = 0; lane < 4; ++lane) {
      const word = round(0, 0, LANES[lane + 4] as number, LANES[lane] as number);
      low = mixed(high ^ (HIGH[0] as number), low ^ word);
      high = HIGH[0] as number;
    }
  }
  low = add(high, low, (end / 2 ** 32) | 0, end | 0);
  high = HIGH[0] as number;
  for (; at + 8 <= end; at += 8) {
    const word = round(0, 0, wordAt(bytes, at + 4), wordAt(bytes, at));
    const wordHigh = high ^ (HIGH[0] as number);
    low ^= word;
    low = mixed(rotated(wordHigh, low, 27), rotated(low, wordHigh, 27));
    high = HIGH[0] as number;
  }
  if (at + 4 <= end) {
    low ^= multiply(0, wordAt(bytes, at), P1_HIGH, P1_LOW);
    high ^= HIGH[0] as number;
    low = multiply(rotated(high, low, 23), rotated(low, high, 23), P2_HIGH, P2_LOW);
    low = add(HIGH[0] as number, low, P3_HIGH, P3_LOW);
    high = HIGH[0] as number;
    at += 4;
  }
  for (; at < end; ++at) {
    low ^= multiply(0, bytes[at] as number, P5_HIGH, P5_LOW);
    high ^= HIGH[0] as number;
    low = multiply(rotated(high, low, 11), rotated(low, high, 11), P1_HIGH, P1_LOW);
    high = HIGH[0] as number;
  }
  low = multiply(high, low ^ (high >>> 1), P2_HIGH, P2_LOW);
  high = HIGH[0] as number;
  low = multiply(high ^ (high >>> 29), low ^ rotated(high, low, 3), P3_HIGH, P3_LOW);
  return low ^ (HIGH[0] as number);
}

/** SipHash's four words: the low and the high half of each. */
const STATE = /* @__PURE__ */ new Int32Array(8);

/** Adds word `from` to word `to`, rotates `from` by `by` into the sum, and the sum by 32 if `exchanged` is 1. */
function half(to: number, from: number, by: number, exchanged: 0 | 1): void {
  const low = STATE[from] as number;
  const high = STATE[from + 1] as number;
  const sum = add(STATE[to + 1] as number, STATE[to] as number, high, low);
  const sumHigh = HIGH[0] as number;
  STATE[from] = rotated(low, high, by) ^ sum;
  STATE[from + 1] = rotated(high, low, by) ^ sumHigh;
  STATE[to + exchanged] = sum;
  STATE[to + 1 - exchanged] = sumHigh;
}

/** The initial words, before the key is mixed in. */
const BEGIN = /* @__PURE__ */ Uint8Array.from('uespemosmodnarodarenegylsetybdet', (letter) =>
  letter.charCodeAt(0),
);
/** Room for the bytes of a key and its padding, because allocating an array takes longer than hashing a short key. */
let padded = /* @__PURE__ */ new Uint8Array(96);

/** SipHash-1-3 of the bytes from 0 to `end` under the 16 bytes of `key`. */
export function siphash13(bytes: Uint8Array, end: number, key: Uint8Array): number {
  for (let i = 0; i < 8; ++i) STATE[i] = wordAt(BEGIN, 4 * i) ^ wordAt(key, (4 * i) & 15);
  // The last word is the bytes left, and the length in the highest byte. After it come three rounds without a word.
  const last = end & ~7;
  if (last + 32 > padded.length) padded = new Uint8Array(6 * end);
  for (let i = 0; i < last + 32; ++i) padded[i] = i < end ? (bytes[i] as number) : 0;
  padded[last + 7] = end;
  for (let at = 0; at < last + 32; at += 8) {
    const low = wordAt(padded, at);
    const high = wordAt(padded, at + 4);
    if (at === last + 8) STATE[4] = (STATE[4] as number) ^ 0xff;
    STATE[6] = (STATE[6] as number) ^ low;
    STATE[7] = (STATE[7] as number) ^ high;
    half(0, 2, 13, 1);
    half(4, 6, 16, 0);
    half(0, 6, 21, 0);
    half(4, 2, 17, 1);
    STATE[0] = (STATE[0] as number) ^ low;
    STATE[1] = (STATE[1] as number) ^ high;
  }
  let low = 0;
  let high = 0;
  for (let i = 0; i < 8; i += 2) {
    low ^= STATE[i] as number;
    high ^= STATE[i + 1] as number;
  }
  HIGH[0] = high;
  return low;
}
