// Filters in WebAssembly memory: made from options, saved to bytes, loaded from bytes.
// Invariant: a handle is returned or an error thrown, and then nothing that was made on the way is left behind.
import { ERROR_CODES, formatError, ruleMessage } from '../errors.js';
import { readOptions } from '../given.js';
import {
  plan,
  plannedSizes,
  secretOf,
  type CuckooFilterOptions,
  type HashOption,
  type Sizes,
} from '../options.js';
import type { Address, Bindings } from './bindings.js';
import type { Instance } from './instance.js';
import { isBytes } from './bytes.js';
import { bytesOf } from './keys.js';
import { Handle, held } from './owned.js';

/** What to load, and within which limits. */
export interface LoadLimits {
  /** Bytes of the table at most. */
  readonly maxBytes?: number;
  /** With the key that the filter was made with, if it has one. */
  readonly hash?: HashOption | undefined;
}

/** Makes a filter in WebAssembly memory from options that were read and checked. Throws as the constructor of CuckooFilter does. */
export function build(instance: Instance, options: CuckooFilterOptions): Handle {
  plan(instance, options);
  const { filter } = instance.bindings;
  const address = filter.create(giveSecret(instance, secretOf(options.hash, 'hash')));
  if (address === 0) throw outOfMemory(instance, plannedSizes(instance));
  return new Handle(instance, filter, address);
}

/** The error for a table, called `table`, that cannot be allocated. */
export function outOfMemory(
  instance: Instance<Bindings>,
  { capacity, byteLength }: Sizes,
  table = `a table of ${byteLength} bytes`,
): RangeError {
  return new RangeError(
    holdersOf(instance, byteLength, `no memory for ${table}, for capacity ${capacity}`) ??
      ruleMessage('capacity', `small enough that ${table} can be allocated`, capacity),
  );
}

/** The error for the core's last code, where `length` bytes could not be loaded. */
export function loadError(instance: Instance<Bindings>, length: number): Error {
  const code = instance.bindings.failure.error();
  const error = formatError(code, length);
  const isMemory = ERROR_CODES[code] === 'out-of-memory';
  const problem = `no memory for a saved filter of ${length} bytes`;
  const message = isMemory ? holdersOf(instance, length, problem) : undefined;
  return message === undefined ? error : new RangeError(message);
}

/** `problem`, with who holds the memory and how to free it; undefined if they hold less than is wanted. */
function holdersOf(instance: Instance<Bindings>, byteLength: number, problem: string): string | undefined {
  const { count, bytes } = held(instance);
  if (bytes < byteLength) return undefined;
  const holders = count === 1 ? '1 live filter holds' : `${count} live filters hold`;
  return (
    `${problem}: ${holders} ${bytes} bytes. Call dispose() on those no longer needed, or declare them with \`using\`; ` +
    'forgotten ones are not freed within a synchronous loop'
  );
}

/** The filter's saved form, piece by piece, so that WebAssembly memory holds no second copy. */
export function save({ instance, calls, address }: Handle): Uint8Array<ArrayBuffer> {
  const saved = new Uint8Array(calls.savedBytes(address));
  calls.beginSave(address);
  for (let at = 0, length: number; (length = calls.savePiece()) !== 0; at += length) {
    saved.set(instance.scratch.bytes.subarray(0, length), at);
  }
  return saved;
}

/** What a caller gave to be loaded, checked. Throws TypeError and RangeError. */
export function checkedForm(
  bytes: unknown,
  limits: unknown,
): [bytes: Uint8Array, maxBytes: number, secret: Uint8Array | null] {
  const { maxBytes = Infinity, hash } = readOptions<LoadLimits>(limits, ['maxBytes', 'hash'], 'limits');
  const rule = 'a number from 0 up';
  if (typeof maxBytes !== 'number') throw new TypeError(ruleMessage('limits.maxBytes', rule, maxBytes));
  if (!(maxBytes >= 0)) throw new RangeError(ruleMessage('limits.maxBytes', rule, maxBytes));
  if (!isBytes(bytes)) throw new TypeError(ruleMessage('bytes', 'a Uint8Array or an ArrayBuffer', bytes));
  return [bytesOf(bytes), maxBytes, secretOf(hash, 'limits.hash')];
}

/** The filter saved in `bytes`, keyed if there is a secret. Throws as `CuckooFilter.deserialize` does. */
export function load(
  instance: Instance,
  bytes: Uint8Array,
  maxBytes: number,
  secret: Uint8Array | null,
): Handle {
  const { filter, format } = instance.bindings;
  const { headerBytes, trailerBytes } = format;
  const { length } = bytes; // Once: another thread may grow a shared buffer meanwhile.
  const head = bytes.subarray(0, Math.min(headerBytes, length));
  instance.scratch.bytes.set(head);
  const table = filter.beginLoad(head.length, length, maxBytes, giveSecret(instance, secret));
  if (table === 0) throw loadError(instance, length);
  const end = length - trailerBytes;
  instance.memoryAt(table, end - headerBytes).set(bytes.subarray(headerBytes, end));
  instance.scratch.bytes.set(bytes.subarray(end, length));
  return loaded(instance, filter.finishLoad(), length);
}

/** The handle of a filter that was loaded at `address`; throws if that is 0. */
export function loaded(instance: Instance, address: Address, length: number): Handle {
  if (address === 0) throw loadError(instance, length);
  return new Handle(instance, instance.bindings.filter, address);
}

/** Puts a secret key where the core takes it from and wipes it; whether there is one. */
export function giveSecret(instance: Instance<Bindings>, secret: Uint8Array | null): boolean {
  if (secret !== null) instance.memoryAt(instance.bindings.scratch.words, secret.length).set(secret);
  return secret !== null;
}
