// What is done with hashed keys, once there is one: programs without any, and the reader, do not carry the code that
// makes them. Invariant: a hash is given out only for the hash function that it is of.
import type { HashIdentity, ObjectCalls } from '../engine/bindings.js';
import type { Handle } from '../engine/handle.js';

/** The hash of a key, without the key: the result of `hashKey`, or an element of `HashedKeys`. */
export interface HashedKey {
  /** Marks the type, so that no other object has it. The mark is the same in every copy of the package. */
  readonly [Symbol.toStringTag]: 'HashedKey';
}

interface HashedKind {
  is(key: unknown): key is HashedKey;
  /** Puts the hash where the core takes it from. Throws TypeError if the filter of `handle` has another hash function. */
  write(handle: Handle<ObjectCalls>, key: HashedKey): void;
  /** The hash as two words, the low one first. Throws InvalidKeyError if it is not of the hash function `own`. */
  read(own: HashIdentity, key: HashedKey): ArrayLike<number>;
}

/** Set when the first key is hashed, so that programs that never hash a key do not carry that code. */
let hashed: HashedKind | undefined;

export function useHashed(kind: HashedKind): void {
  hashed = kind;
}

export function isHashed(key: unknown): boolean {
  return hashed?.is(key) === true;
}

/** Writes the hash of a hashed key as `write` of HashedKind does; false for any other key. */
export function writeHash(handle: Handle<ObjectCalls>, key: unknown): boolean {
  if (hashed?.is(key) !== true) return false;
  hashed.write(handle, key);
  return true;
}

/** What `read` of HashedKind gives for a hashed key; undefined for any other. */
export function hashedWords(own: HashIdentity, key: unknown): ArrayLike<number> | undefined {
  return hashed?.is(key) === true ? hashed.read(own, key) : undefined;
}
