// The arguments of `deserialize`. Invariant: they are read once, and checked before the core sees any of them.
import { viewOf, isBytes, type Bytes } from '../engine/bytes.js';
import type { LoadRequest } from '../engine/format-errors.js';
import { check } from '../errors.js';
import type { LoadOptions } from './options.js';
import { textAdvice, isPlain } from './plain.js';
import { readOptions } from './read.js';
import { LOAD_OPTIONS } from './rules.js';
import { secretOf } from './secret.js';

export function loadRequestOf(bytes: unknown, options: unknown): LoadRequest {
  const { maxBytes = Infinity, hash } = readOptions<LoadOptions>(options, LOAD_OPTIONS);
  check('bytes', `a Uint8Array or ArrayBuffer${bytesAdvice(bytes)}`, bytes, isBytes(bytes));
  return { bytes: viewOf(bytes, 'bytes') as Bytes, maxBytes, secret: secretOf(hash) };
}

/** How to get bytes from values that people pass instead. */
function bytesAdvice(value: unknown): string {
  const advice = textAdvice(value);
  if (advice !== undefined) return advice;
  if (value === null || value === undefined) return ' (the store has none: make a new filter)';
  const { then, arrayBuffer, getReader, _bsontype } = Object(value) as Partial<Record<string, unknown>>;
  if (typeof then === 'function') return ' (await the promise)';
  if (typeof arrayBuffer === 'function') return ' (await its arrayBuffer())';
  if (typeof getReader === 'function') return ' (await new Response(stream).arrayBuffer())';
  if (_bsontype === 'Binary') return ' (pass binary.value())';
  return Array.isArray(value) || isPlain(value) ? ' (JSON keeps no bytes: save them as base64)' : '';
}
