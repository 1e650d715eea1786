// Filters in WebAssembly memory: made from options, saved to bytes, loaded from bytes.
// Invariant: an address is returned or an error thrown, and then nothing that was made on the way is left behind.
import { formatError, ruleMessage } from './errors.js';
import { bytesOf, isBytes } from './keys.js';
import { core, exchange, memoryAt, type Address } from './module.js';
import {
  plan,
  readSizes,
  secretOf,
  type CuckooFilterOptions,
  type HashOption,
  type Sizes,
} from './options.js';

/** What to load, and within which limits. */
export interface LoadLimits {
  /** Bytes of the table at most. */
  readonly maxBytes?: number;
  /** With the key that the filter was made with, if it has one. */
  readonly hash?: HashOption | undefined;
}

/** A new filter in WebAssembly memory. Throws as the constructor of CuckooFilter does. */
export function build(options: CuckooFilterOptions): Address {
  plan(options);
  const filter = core().create(giveSecret(secretOf(options.hash, 'hash')));
  if (filter === 0) throw outOfMemory(readSizes(0));
  return filter;
}

/** The error for a table that cannot be allocated. */
export function outOfMemory({ capacity, byteLength }: Sizes): RangeError {
  return new RangeError(
    ruleMessage('capacity', `small enough that a table of ${byteLength} bytes can be allocated`, capacity),
  );
}

/** The filter's saved form, piece by piece, so that WebAssembly memory holds no second copy. */
export function save(filter: Address): Uint8Array<ArrayBuffer> {
  const saved = new Uint8Array(core().savedBytes(filter));
  core().beginSave(filter);
  for (let at = 0, length: number; (length = core().save_piece()) !== 0; at += length) {
    saved.set(exchange().bytes.subarray(0, length), at);
  }
  return saved;
}

/** What a caller gave to be loaded, checked. Throws TypeError and RangeError. */
export function checkedForm(
  bytes: unknown,
  { maxBytes = Infinity, hash }: LoadLimits,
): [bytes: Uint8Array, maxBytes: number, secret: Uint8Array | null] {
  const rule = 'a number from 0 up';
  if (typeof maxBytes !== 'number') throw new TypeError(ruleMessage('limits.maxBytes', rule, maxBytes));
  if (!(maxBytes >= 0)) throw new RangeError(ruleMessage('limits.maxBytes', rule, maxBytes));
  if (!isBytes(bytes)) throw new TypeError(ruleMessage('bytes', 'a Uint8Array or an ArrayBuffer', bytes));
  return [bytesOf(bytes), maxBytes, secretOf(hash, 'limits.hash')];
}

/** The filter saved in `bytes`, keyed if there is a secret. Throws as `CuckooFilter.deserialize` does. */
export function load(bytes: Uint8Array, maxBytes: number, secret: Uint8Array | null): Address {
  const { headerBytes, trailerBytes } = core();
  const { length } = bytes; // Once: another thread may grow a shared buffer meanwhile.
  const head = bytes.subarray(0, Math.min(headerBytes, length));
  exchange().bytes.set(head);
  const table = core().beginLoad(head.length, length, maxBytes, giveSecret(secret));
  if (table === 0) throw formatError(core().lastError(), length);
  const end = length - trailerBytes;
  memoryAt(table, end - headerBytes).set(bytes.subarray(headerBytes, end));
  exchange().bytes.set(bytes.subarray(end, length));
  const filter = core().finish_load();
  if (filter === 0) throw formatError(core().lastError(), length);
  return filter;
}

/** Puts a secret key where the core takes it from and wipes it; whether there is one. */
export function giveSecret(secret: Uint8Array | null): boolean {
  if (secret !== null) memoryAt(core().words, secret.length).set(secret);
  return secret !== null;
}
