// The bytes of a key that is bytes, and the errors for what is not a key, with what to do instead.
import { viewOf, type Bytes } from '../engine/bytes.js';
import { InvalidKeyError, shown } from '../errors.js';

/** A view of a key's bytes; undefined for anything that is not bytes. Throws InvalidKeyError if its buffer is gone. */
export function keyView(key: unknown): Bytes | undefined {
  try {
    return viewOf(key);
  } catch (error) {
    throw new InvalidKeyError((error as TypeError).message);
  }
}

/** The same. Throws InvalidKeyError for anything that is not bytes. */
export function bytesOf(key: unknown): Bytes {
  const view = keyView(key);
  if (view === undefined) throw notAKey(key);
  return view;
}

export function notAKey(value: unknown): InvalidKeyError {
  const rule = 'a string, safe integer, 64-bit bigint or bytes';
  return new InvalidKeyError(`a key must be ${rule}, got ${described(value)}`);
}

/** The value for a message, with advice. A Proxy may throw whatever is asked of it, which is no reason to end a call. */
function described(value: unknown): string {
  try {
    return `${shown(value)}${keyAdvice(value)}`;
  } catch {
    return 'an object';
  }
}

const KEY_ADVICE: Record<string, string> = {
  Array: ': for many keys, call a Many method or areNew; of a Map, pass map.keys()',
  Boolean: ': pass String(value)',
  Date: ': pass its getTime()',
  HashedKey: ' of another copy of this package, or a Proxy: hash it here',
  HashedKeys: ': pass one, such as hashes.at(0)',
  Number: ': pass String(value)',
  Object: ': pass a property, String(value) of an ObjectId, or JSON.stringify(value)',
  Promise: ': await it',
  String: ': pass String(value)',
  URL: ': pass its href',
};

function keyAdvice(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return '';
  if (Number.isInteger(value)) return ', maybe rounded: use bigints or strings';
  return KEY_ADVICE[Object.prototype.toString.call(value).slice(8, -1)] ?? '';
}
