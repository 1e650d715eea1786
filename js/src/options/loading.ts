// The arguments of `deserialize`. Invariant: they are read once, and checked before the core sees any of them.
import { viewOf, isBytes, type Bytes } from '../engine/bytes.js';
import { check, type Saved } from '../errors.js';
import type { LoadOptions } from './options.js';
import { secretOf } from './planning.js';
import { readOptions } from './read.js';

/** The arguments, checked. Throws TypeError and RangeError. */
export function savedOf(bytes: unknown, options: unknown): Saved {
  const { maxBytes = Infinity, hash } = readOptions<LoadOptions>(options, ['maxBytes', 'hash']);
  const isNumber = typeof maxBytes === 'number';
  check('maxBytes', 'a number, 0 or more', maxBytes, isNumber, isNumber && maxBytes >= 0);
  check('bytes', `a Uint8Array or an ArrayBuffer${bytesAdvice(bytes)}`, bytes, isBytes(bytes));
  return { bytes: viewOf(bytes, 'bytes') as Bytes, maxBytes, secret: secretOf(hash) };
}

/** How to get bytes from values that people pass instead. */
function bytesAdvice(value: unknown): string {
  if (typeof value === 'string')
    return ' (read files without an encoding; from base64: Uint8Array.from(atob(text), (c) => c.charCodeAt(0)))';
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag === 'Promise') return ' (await the promise)';
  if (['Blob', 'File', 'Request', 'Response'].includes(tag)) return ' (await its arrayBuffer())';
  return ['Object', 'Array'].includes(tag) ? ' (JSON keeps no bytes: save them as base64)' : '';
}
