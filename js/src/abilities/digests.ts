// Digests as keys: they are hashes already. Invariant: each is checked before any filter sees one.
import { argumentError, ruleError } from '../errors.js';
import { lengthOfBytes, nameOf, viewOf, type Bytes } from '../engine/bytes.js';
import { Numbers } from '../keys/answers.js';
import { HashedKeys } from './hashed.js';
import { checkKeys, type Keys } from '../keys/keys.js';

/** A digest: a bigint from 0 to 2^64 - 1, or 8 or 16 bytes. */
export type Digest = bigint | ArrayBufferView | ArrayBufferLike;

/**
 * Keys whose hashes are the digests themselves: 8 or 16 bytes, little-endian; the two halves of 16 bytes are XORed.
 * Every bit must be as good as random, as in SHA-256. Every call that accepts keys accepts these, except in filters
 * with a secret key and in RedisBloomFilter. A digest and its bytes as a plain key are two keys.
 */
export function digestKeys(digests: Iterable<Digest> | BigUint64Array | BigInt64Array): HashedKeys {
  checkKeys(digests as Keys);
  if (nameOf(digests)?.startsWith('Big') === true)
    return new HashedKeys({
      words: new Uint32Array((viewOf(digests) as Bytes).slice().buffer),
      identity: undefined,
    });
  const words = new Numbers(digests as Keys, 2);
  const run = new Uint32Array(2048);
  const halves = new Uint32Array(4);
  const word = new BigUint64Array(halves.buffer);
  const room = new Uint8Array(halves.buffer);
  let index = 0;
  let end = 0;
  const flush = (): void => words.push(run.subarray(0, end));
  for (const digest of digests as Iterable<Digest>) {
    halves[2] = halves[3] = 0;
    if (typeof digest === 'bigint' && BigInt.asUintN(64, digest) === digest) word[0] = digest;
    else room.set(bytesOfDigest(digest, index));
    ++index;
    run[end++] = (halves[0] as number) ^ halves[2];
    run[end++] = (halves[1] as number) ^ halves[3];
    if (end < run.length) continue;
    flush();
    end = 0;
  }
  flush();
  return new HashedKeys({ words: words.take(), identity: undefined });
}

/** The 8 or 16 bytes of a digest: without a view of their own, if they need none. */
function bytesOfDigest(digest: Digest, index: number): Uint8Array {
  const length = lengthOfBytes(digest);
  if (length === 8 || length === 16) return digest as Uint8Array;
  const name = `digest ${index}`;
  const view = viewOf(digest, name);
  if (view?.length === 8 || view?.length === 16) return view;
  const rule = '8 or 16 bytes, or a bigint from 0 to 2^64 - 1';
  throw view
    ? argumentError(`${name} must be ${rule}, got ${view.length} bytes`)
    : ruleError(name, rule, digest);
}
