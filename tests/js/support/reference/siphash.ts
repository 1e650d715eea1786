// SipHash-1-3 written from the paper (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012), in BigInt.
// Invariant: it shares nothing with the library, so that an agreement of the two means something.

/** The 64-bit hash of `bytes` under the 16 bytes of `key`. */
export function siphash13(bytes: Uint8Array, key: Uint8Array): bigint {
  const [low, high] = [word(key, 0), word(key, 8)];
  const text = new TextEncoder().encode('somepseudorandomlygeneratedbytes');
  // The paper reads its constant's bytes as big-endian words.
  const constant = [0, 8, 16, 24].map((at) => word(text.slice(at, at + 8).reverse(), 0));
  const v = constant.map((each, i) => each ^ (i % 2 === 0 ? low : high)) as State;
  const padded = new Uint8Array(8 * Math.floor(bytes.length / 8 + 1));
  padded.set(bytes);
  padded[padded.length - 1] = bytes.length;
  for (let at = 0; at < padded.length; at += 8) {
    v[3] ^= word(padded, at);
    round(v);
    v[0] ^= word(padded, at);
  }
  v[2] ^= 0xffn;
  for (let i = 0; i < 3; ++i) round(v);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

type State = [bigint, bigint, bigint, bigint];

function round(v: State): void {
  half(v, 0, 1, 13n, 32n);
  half(v, 2, 3, 16n, 0n);
  half(v, 0, 3, 21n, 0n);
  half(v, 2, 1, 17n, 32n);
}

/** Adds one word to another, and turns both. */
function half(v: State, sum: 0 | 2, term: 1 | 3, by: bigint, sumBy: bigint): void {
  v[sum] = BigInt.asUintN(64, v[sum] + v[term]);
  v[term] = rotate(v[term], by) ^ v[sum];
  v[sum] = rotate(v[sum], sumBy);
}

function rotate(value: bigint, by: bigint): bigint {
  return BigInt.asUintN(64, value << by) | (value >> (64n - by));
}

function word(bytes: Uint8Array, at: number): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(at, true);
}
