// Keys that are hashed once, for calls on many filters.
// Invariant: a filter takes a hash only if its own hash function gives the key that hash, and a digest only if the
// filter has no secret key. That is checked before anything changes.
import { argumentError, InvalidKeyError, shown } from '../errors.js';
import { readOptions } from '../options/read.js';
import type { HashOption } from '../options/options.js';
import { shownSeed } from '../options/planning.js';
import { secretOf } from '../options/secret.js';
import type { HashIdentity, ObjectCalls } from '../engine/bindings.js';
import { CORE } from '../engine/core.js';
import { useHashed, type HashedKey } from '../keys/hashed-kind.js';
import type { Key } from '../keys/key.js';
import { hashMany } from '../keys/hashing.js';
import { hashOf } from '../keys/write-key.js';
import { HASH, type Keys, type Packed } from '../keys/keys.js';
import { Numbers } from '../keys/answers.js';
import type { Handle } from '../engine/handle.js';
import { putHash, putWords, resultsOf, wordsOf } from '../engine/scratch.js';
import { build } from '../filters/make.js';

/** The hash function of the filters that you will use the hashes with, as in their options. */
export interface HashKeysOptions {
  /** Seed of the hash: an integer from 0 to 2^64 - 1, such as `filter.seed`. Default 0. */
  readonly seed?: number | bigint | undefined;
  /** The hash function. Default `xxh64`. */
  readonly hash?: HashOption | undefined;
}

/** Hashes, two words each, and which hash function they are of; none for digests. */
interface Hashes {
  readonly words: Uint32Array;
  readonly identity: HashIdentity | undefined;
}

/**
 * The implementation of HashedKey: an index into hashes that were made together, because separate arrays would each be
 * an object.
 */
class Hash {
  /** @internal */
  static get name(): string {
    return 'HashedKey';
  }

  readonly #hashes: Hashes;
  readonly #at: number;

  /** The hash whose words lie from `at` on. @internal */
  constructor(hashes: Hashes, at: number) {
    useHashed(Hash);
    this.#hashes = hashes;
    this.#at = at;
  }

  /** @internal */
  static is(key: unknown): key is Hash {
    return typeof key === 'object' && key !== null && #hashes in key;
  }

  /** @internal */
  static write(handle: Handle<ObjectCalls>, key: Hash): void {
    const { words, identity } = key.#hashes;
    checkHash(handle, identity);
    putHash(handle.instance.scratch, words[key.#at] as number, words[key.#at + 1] as number);
  }

  /** @internal */
  static read(own: HashIdentity, key: Hash): ArrayLike<number> {
    const { words, identity } = key.#hashes;
    checkIdentity(own, identity);
    return words.subarray(key.#at, key.#at + 2);
  }

  /** @internal */
  get [Symbol.toStringTag](): 'HashedKey' {
    return 'HashedKey';
  }
}

/** The hashes of many keys, 8 bytes each, without the keys. Get them from `hashKeys` or `digestKeys`. */
export class HashedKeys implements Iterable<HashedKey> {
  /** @internal */
  static get name(): string {
    return 'HashedKeys';
  }

  readonly #hashes: Hashes;

  /** @internal */
  constructor(hashes: Hashes) {
    this.#hashes = hashes;
    const value: Packed[typeof HASH] = () => (handle, use) => giveHashes(hashes, handle, use);
    // Here and not on the prototype, as in PackedKeys.
    Object.defineProperty(this, HASH, { value });
  }

  /** The number of keys. */
  get length(): number {
    return this.#hashes.words.length / 2;
  }

  /** The key at `index`, counted from the end if `index` is negative; undefined if there is none. */
  at(index: number): HashedKey | undefined {
    const { length } = this;
    const at = Math.trunc(index) || 0;
    if (at < -length || at >= length) return undefined;
    return new Hash(this.#hashes, 2 * (at < 0 ? at + length : at));
  }

  /** Each key. */
  *[Symbol.iterator](): Generator<HashedKey, void, undefined> {
    for (let i = 0; i < this.length; ++i) yield new Hash(this.#hashes, 2 * i);
  }

  /** @internal */
  get [Symbol.toStringTag](): string {
    return 'HashedKeys';
  }
}

function giveHashes(
  { words, identity }: Hashes,
  handle: Handle<ObjectCalls>,
  use: (count: number) => void,
): void {
  checkHash(handle, identity);
  const { batchLength } = handle.instance.scratch;
  for (let first = 0; first < words.length; first += 2 * batchLength) {
    const run = words.subarray(first, first + 2 * batchLength);
    putWords(handle.instance.scratch, run);
    use(run.length / 2);
  }
}

/**
 * Hashes `keys` once, to use them with several filters. Every call that accepts keys accepts the result, except in
 * RedisBloomFilter. A filter with another seed or hash throws InvalidKeyError. Throws as `containsMany` does for an
 * invalid key.
 *
 * @example
 * const hashed = hashKeys(['alice', 'bob']);
 * for (const filter of filters) filter.containsMany(hashed);
 */
export function hashKeys(keys: Keys, options?: HashKeysOptions): HashedKeys {
  return withHasher(options, (handle) => {
    const words = new Numbers(keys, 2);
    hashMany(handle, keys, (count) => words.push(wordsOf(handle.instance.scratch, 2 * count)));
    return new HashedKeys({ words: words.take(), identity: identityOf(handle) });
  });
}

/**
 * Hashes one key once, to use it with several filters. Every call that accepts a key accepts the result, as with
 * `hashKeys`. Throws as `hashKeys` does.
 *
 * @example
 * const key = hashKey(url);
 * const found = filters.filter((filter) => filter.has(key));
 */
export function hashKey(key: Key, options?: HashKeysOptions): HashedKey {
  return withHasher(options, (handle) => {
    const identity = identityOf(handle);
    const [low, high] = hashOf(handle, key);
    if (singles?.identity !== identity || singlesEnd === singles.words.length) {
      singles = { words: new Uint32Array(128), identity };
      singlesEnd = 0;
    }
    const hashed = new Hash(singles, singlesEnd);
    singles.words[singlesEnd++] = low;
    singles.words[singlesEnd++] = high;
    return hashed;
  });
}

/** Where the next hash of a single key goes: a separate array for each would take longer than hashing a short key. */
let singles: Hashes | undefined;
let singlesEnd = 0;

function identityOf(handle: Handle<ObjectCalls>): HashIdentity {
  if (handle.hash === undefined) {
    handle.call('describeHash');
    handle.hash = resultsOf(handle.instance.scratch, handle.instance.bindings.hash);
  }
  return handle.hash;
}

/** Throws InvalidKeyError unless the filter of `handle` takes hashes of `wanted`. */
function checkHash(handle: Handle<ObjectCalls>, wanted: HashIdentity | undefined): void {
  const own = identityOf(handle);
  if (own === wanted) return;
  checkIdentity(own, wanted);
  if (wanted !== undefined) handle.hash = wanted; // Next time, one comparison is enough.
}

/** Throws InvalidKeyError unless a filter whose hash is `own` takes hashes of `wanted`. */
function checkIdentity(own: HashIdentity, wanted: HashIdentity | undefined): void {
  if (wanted === undefined) {
    if (own.isKeyed === 0) return;
    throw new InvalidKeyError(
      'digests would bypass the secret key: hash them with hashKeys(digests, { hash })',
    );
  }
  if (own.isKeyed === wanted.isKeyed && own.low === wanted.low && own.high === wanted.high) return;
  const other = own.isKeyed + wanted.isKeyed === 2 ? 'another secret key' : named(own);
  const advice =
    own.isKeyed === 1 ? "hash }) with the filter's own option hash" : `${named(own).replace(' ', ': ')} })`;
  throw new InvalidKeyError(
    `the key was hashed with ${named(wanted)}, the filter hashes with ${other}: call hashKeys(keys, { ${advice}`,
  );
}

function named({ isKeyed, low, high }: HashIdentity): string {
  if (isKeyed) return 'a secret key';
  const seed = high * 2 ** 32 + low;
  return `seed ${Number.isSafeInteger(seed) ? seed : shown((BigInt(high) << 32n) | BigInt(low))}`;
}

/** A filter that only hashes, and for which options. */
interface Hasher {
  readonly handle: Handle;
  readonly seed: number | bigint;
  readonly secret: Uint8Array | null;
}

/** The one used last, because making one takes as long as hashing some hundred keys. */
let idle: Hasher | undefined;

/** Calls `use` with a filter that hashes as `options` say. */
function withHasher<Result>(options: HashKeysOptions | undefined, use: (handle: Handle) => Result): Result {
  const given = options === undefined ? {} : options;
  const { seed = 0, hash } = readOptions<HashKeysOptions>(given, { seed: undefined, hash: undefined });
  if (typeof seed !== 'number' && typeof seed !== 'bigint')
    throw argumentError(
      `seed must be an integer from 0 to 2^64 - 1, such as filter.seed, got ${shownSeed(seed)}`,
    );
  const secret = secretOf(hash);
  const last = idle;
  idle = undefined; // Keys may come from an iterator that hashes others.
  // 5 and 5n are one seed.
  const isFit = last?.seed == seed && isSameSecret(last.secret, secret);
  if (!isFit) release(last);
  const hasher = isFit ? last : { handle: build(CORE, { capacity: 1, seed, hash }), seed, secret };
  try {
    return use(hasher.handle);
  } finally {
    release(idle);
    idle = hasher;
  }
}

function isSameSecret(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one?.length === other?.length && (one?.every((byte, i) => byte === other?.[i]) ?? true);
}

function release(hasher: Hasher | undefined): void {
  hasher?.handle.dispose();
  hasher?.secret?.fill(0);
}
