// Filters in WebAssembly memory: made from options, saved to bytes, loaded from bytes.
// Invariant: a handle is returned or an error thrown, and then nothing that was made on the way is left behind.
import {
  check,
  counted,
  OutOfMemoryError,
  ERROR_CODES,
  formatError,
  type FormatErrorCode,
} from '../errors.js';
import { readOptions } from '../options/read.js';
import type { HashOption, Sizes } from '../options/options.js';
import { plan, plannedSizes, secretOf, type PlanOptions } from '../options/planning.js';
import type { Address, Bindings, BindingsOf, SavedCalls } from './bindings.js';
import type { Instance } from './instance.js';
import { isBytes, viewOf, type Bytes } from './bytes.js';
import { roomFor } from '../keys/answers.js';
import { Handle, held } from './handle.js';

/** How much may be loaded, and the secret key if the filter has one. */
export interface LoadOptions {
  /** Largest size of the table, in bytes. Default: no limit. */
  readonly maxBytes?: number | undefined;
  /** The hash that the filter was made with. Needed only if it has a secret key. */
  readonly hash?: HashOption | undefined;
}

/**
 * Makes a filter in WebAssembly memory from checked options. Throws as the constructor of CuckooFilter does; `wanted` says
 * what memory is for, if not for a table that the user knows of.
 */
export function build<Calls extends SavedCalls>(
  instance: Instance<BindingsOf<Calls>>,
  options: PlanOptions,
  wanted?: string,
): Handle<Calls> {
  plan(instance, options);
  const { filter } = instance.bindings;
  const address = filter.create(giveSecret(instance, secretOf(options.hash)));
  if (address === 0) {
    const sizes = plannedSizes(instance);
    throw wanted === undefined
      ? outOfMemory(instance, { ...sizes, currentCapacity: options.capacity })
      : memoryError(instance, sizes.byteLength, wanted);
  }
  return new Handle(instance, filter, address, options.capacity, options.maxCapacity);
}

/** The error for a table that cannot be allocated. */
export function outOfMemory(
  instance: Instance<Bindings>,
  { currentCapacity, byteLength }: Pick<Sizes, 'currentCapacity' | 'byteLength'>,
): RangeError {
  return memoryError(instance, byteLength, `a table of ${byteLength} bytes for capacity ${currentCapacity}`);
}

/** The error for `bytes` that could not be loaded, by the core's last code. */
export function loadError(
  instance: Instance<Bindings>,
  bytes: Uint8Array,
  maxBytes: number,
  secret: Uint8Array | null,
): Error {
  const code = ERROR_CODES[instance.bindings.failure.error()];
  return code === 'out-of-memory'
    ? memoryError(instance, bytes.length, `a saved filter of ${bytes.length} bytes`)
    : formatError(code as FormatErrorCode, bytes, instance.kind, maxBytes, secret !== null);
}

/** The error for `wanted`, which needs `byteLength` bytes. */
function memoryError(instance: Instance<Bindings>, byteLength: number, wanted: string): RangeError {
  void instance.wasRefused(0); // This is told here, and no reason for what fails later.
  const advice =
    byteLength < 2 ** 32 ? memoryAdvice(instance, byteLength) : ': WebAssembly memory ends at 4 GiB';
  return new OutOfMemoryError(`not enough memory for ${wanted}${advice}`);
}

/** How to free memory, if live filters hold as much as `byteLength` bytes. */
export function memoryAdvice(instance: Instance<Bindings>, byteLength: number): string {
  const { count, bytes } = held(instance);
  return bytes < byteLength
    ? ''
    : `: ${counted(count, 'live filter')} hold${count === 1 ? 's' : ''} ${bytes} bytes. Call dispose() on those no longer needed, or declare them with \`using\``;
}

/** The filter's saved form, piece by piece, so that WebAssembly memory holds no second copy. */
export function save({ instance, calls, address }: Handle<SavedCalls>): Bytes {
  const saved = roomFor(calls.savedBytes(address), 'the saved form');
  calls.beginSave(address);
  for (let at = 0, length: number; (length = calls.savePiece()) !== 0; at += length) {
    saved.set(instance.scratch.bytes.subarray(0, length), at);
  }
  return saved;
}

/** How to get bytes out of what people have in their place. */
function bytesAdvice(value: unknown): string {
  if (typeof value === 'string') return ' (of base64: Uint8Array.from(atob(text), (c) => c.charCodeAt(0)))';
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag === 'Promise') return ' (await the promise)';
  if (['Blob', 'File', 'Request', 'Response'].includes(tag)) return ' (await its arrayBuffer())';
  return ['Object', 'Array'].includes(tag) ? ' (JSON keeps no bytes: save them as base64)' : '';
}

/** What a caller gave to be loaded, checked. Throws TypeError and RangeError. */
export function checkedForm(
  bytes: unknown,
  options: unknown,
): [bytes: Uint8Array, maxBytes: number, secret: Uint8Array | null] {
  const { maxBytes = Infinity, hash } = readOptions<LoadOptions>(options, ['maxBytes', 'hash']);
  check('maxBytes', 'a number from 0 up', maxBytes, typeof maxBytes === 'number', maxBytes >= 0);
  check('bytes', `a Uint8Array or an ArrayBuffer${bytesAdvice(bytes)}`, bytes, isBytes(bytes));
  return [viewOf(bytes, 'bytes') as Bytes, maxBytes, secretOf(hash)];
}

/** The filter saved in `bytes`, keyed if there is a secret. Throws as `CuckooFilter.deserialize` does. */
export function load<Calls extends SavedCalls>(
  instance: Instance<BindingsOf<Calls>>,
  bytes: Uint8Array,
  maxBytes: number,
  secret: Uint8Array | null,
): Handle<Calls> {
  const { filter, format } = instance.bindings;
  const { headerBytes, trailerBytes } = format;
  const { length } = bytes; // Once: another thread may grow a shared buffer meanwhile.
  const head = bytes.subarray(0, Math.min(headerBytes, length));
  instance.scratch.bytes.set(head);
  const table = filter.beginLoad(head.length, length, maxBytes, giveSecret(instance, secret));
  if (table === 0) throw loadError(instance, bytes, maxBytes, secret);
  const end = length - trailerBytes;
  instance.memoryAt(table, end - headerBytes).set(bytes.subarray(headerBytes, end));
  instance.scratch.bytes.set(bytes.subarray(end, length));
  return loaded(instance, filter.finishLoad(), bytes, maxBytes, secret);
}

/** The handle of a filter that was loaded from `bytes` to `address`. Throws if that is 0. */
export function loaded<Calls extends SavedCalls>(
  instance: Instance<BindingsOf<Calls>>,
  address: Address,
  bytes: Uint8Array,
  maxBytes: number,
  secret: Uint8Array | null,
): Handle<Calls> {
  if (address === 0) throw loadError(instance, bytes, maxBytes, secret);
  const { filter, sizes } = instance.bindings;
  filter.describe(address);
  return new Handle(instance, filter, address, instance.scratch.numbers[sizes.capacity]);
}

/** Puts a secret key where the core takes it from and wipes it; whether there is one. */
export function giveSecret(instance: Instance<Bindings>, secret: Uint8Array | null): boolean {
  if (secret !== null) instance.memoryAt(instance.bindings.scratch.words, secret.length).set(secret);
  return secret !== null;
}
