// XXH64 written from the xxHash specification (https://github.com/Cyan4973/xxHash, doc/xxhash_spec.md), in BigInt.
// Invariant: it shares nothing with the library, so that an agreement of the two means something.

const PRIME1 = 0x9e3779b185ebca87n;
const PRIME2 = 0xc2b2ae3d27d4eb4fn;
const PRIME3 = 0x165667b19e3779f9n;
const PRIME4 = 0x85ebca77c2b2ae63n;
const PRIME5 = 0x27d4eb2f165667c5n;

/** The 64-bit hash of `bytes` under `seed`. */
export function xxh64(bytes: Uint8Array, seed = 0n): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  let hash = u64(seed + PRIME5);
  if (bytes.length >= 32) {
    const lanes = [seed + PRIME1 + PRIME2, seed + PRIME2, seed, seed - PRIME1].map(u64);
    for (; at + 32 <= bytes.length; at += 32) {
      for (let lane = 0; lane < 4; ++lane)
        lanes[lane] = round(lanes[lane] ?? 0n, view.getBigUint64(at + 8 * lane, true));
    }
    hash = lanes.reduce((sum, lane, i) => u64(sum + rotate(lane, [1n, 7n, 12n, 18n][i] ?? 0n)), 0n);
    for (const lane of lanes) hash = u64((hash ^ round(0n, lane)) * PRIME1 + PRIME4);
  }
  hash = u64(hash + BigInt(bytes.length));
  for (; at + 8 <= bytes.length; at += 8) {
    hash = u64(rotate(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * PRIME1 + PRIME4);
  }
  if (at + 4 <= bytes.length) {
    hash = u64(rotate(hash ^ u64(BigInt(view.getUint32(at, true)) * PRIME1), 23n) * PRIME2 + PRIME3);
    at += 4;
  }
  for (; at < bytes.length; ++at) {
    hash = u64(rotate(hash ^ u64(BigInt(view.getUint8(at)) * PRIME5), 11n) * PRIME1);
  }
  hash = u64((hash ^ (hash >> 33n)) * PRIME2);
  hash = u64((hash ^ (hash >> 29n)) * PRIME3);
  return hash ^ (hash >> 32n);
}

/** The hash of an integer key: of its 8 bytes, little-endian, two's complement. */
export function xxh64OfInteger(key: number | bigint, seed = 0n): bigint {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigUint64(0, u64(BigInt(key)), true);
  return xxh64(new Uint8Array(bytes.buffer), seed);
}

function u64(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}

function rotate(value: bigint, by: bigint): bigint {
  return u64(value << by) | (value >> (64n - by));
}

function round(accumulator: bigint, input: bigint): bigint {
  return u64(rotate(u64(accumulator + input * PRIME2), 31n) * PRIME1);
}
