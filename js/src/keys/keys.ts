// The forms in which many keys may come, and the checks before any key is hashed (hashing.ts).
// Invariant: a value that is one key, or that iterates to something that nobody means as keys, is refused.
import { ruleError } from '../errors.js';
import type { ObjectCalls } from '../engine/bindings.js';
import { isBytes } from '../engine/bytes.js';
import type { Handle } from '../engine/handle.js';
import { isOneKey } from '../options/plain.js';
import { isHashed } from './hashed-kind.js';
import type { Key, KeyOf } from './key.js';
import { bytesOf } from './not-a-key.js';

/**
 * Many keys for a filter whose keys have the type `K`: an array or any other iterable, `PackedKeys` (bytes),
 * `HashedKeys`, or a typed array whose numbers are the keys. A string or bytes are one key: wrap it in an array.
 */
export type Keys<K extends Key = Key> =
  | (Iterable<KeyOf<K>> & object & { readonly BYTES_PER_ELEMENT?: never })
  | (K extends number | bigint
      ? | BigUint64Array
        | BigInt64Array
        | Uint32Array
        | Int32Array
        | Uint16Array
        | Int16Array
        | Float32Array
        | Float64Array
      : never);

/** The name of the method by which packed keys are hashed, so that programs without packed keys do not carry it. */
export const HASH: unique symbol = Symbol('hash');

/** Keys that have their own way of being hashed. */
export interface Packed {
  /** Reads what the keys are, which may be code of the user, and returns what hashes them. */
  readonly [HASH]: () => GivePacked;
}

/** As `hashMany`; `useLong` takes a key that does not fit into the scratch buffer. */
export type GivePacked = (
  handle: Handle<ObjectCalls>,
  use: (count: number) => void,
  useLong: (key: Uint8Array) => void,
) => void;

/** Throws TypeError if `keys` cannot be iterated, are one key, or are a typed array whose buffer is gone. */
export function checkKeys(keys: Keys): void {
  const { [Symbol.iterator]: iterator, [Symbol.asyncIterator]: asyncIterator } = Object(keys) as Partial<
    Iterable<Key> & AsyncIterable<Key>
  >;
  if (typeof iterator !== 'function' || isOneKey(keys)) {
    const advice =
      isOneKey(keys) || isBytes(keys)
        ? ' (one key: [key])'
        : typeof asyncIterator === 'function'
          ? ' (async: addManyAsync, fromAsync or batches)'
          : keys instanceof Promise
            ? ' (await it)'
            : '';
    throw ruleError('keys', `an array or another iterable of keys${advice}`, keys);
  }
  if (ArrayBuffer.isView(keys) && keys.length === 0) bytesOf(keys);
}

/**
 * A copy of the key as it is now, because an iterator may yield the same buffer again and again. Invalid keys are
 * returned unchanged, so that the error can name them.
 */
export function snapshot(key: Key): Key {
  if (typeof key !== 'object' || isHashed(key) || !isBytes(key)) return key;
  try {
    return bytesOf(key).slice();
  } catch {
    return key;
  }
}

export function isPacked(keys: Keys): keys is Keys & Packed & { readonly length: number } {
  return HASH in (Object(keys) as object);
}

/** Whether `keys` is an array that iterates as arrays do. A subclass might slice in its own way. */
export function isPlainArray(keys: Keys): keys is Key[] {
  return (
    Array.isArray(keys) && keys.constructor === Array && keys[Symbol.iterator] === Array.prototype.values
  );
}

/** Whether the number of keys is known without iterating: arrays, typed arrays and packed keys. */
export function hasLength(keys: Keys): keys is Keys & { readonly length: number } {
  return Array.isArray(keys) || ArrayBuffer.isView(keys) || isPacked(keys);
}
