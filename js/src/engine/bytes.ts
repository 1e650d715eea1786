// Views of the bytes that users give, without copying them.
// Invariant: no code of the user runs here. Lengths and buffers are read with the built-in getters of views, never
// through properties that a subclass or an object may have defined over them.
import { lostBuffer } from '../basic-errors.js';
import { OutOfMemoryError } from '../errors.js';

/**
 * A Uint8Array that is not in shared memory, as `new Blob`, `fetch` and `crypto.subtle` want it:
 * `Uint8Array<ArrayBuffer>` from TypeScript 5.7 on, where typed arrays are generic, and `Uint8Array` before.
 */
export type Bytes = ReturnType<Uint8ArrayConstructor['of']>;

/** A Uint32Array that is not in shared memory, likewise. */
export type Counts = ReturnType<Uint32ArrayConstructor['of']>;

interface ViewGetters {
  readonly buffer: (view: ArrayBufferView) => ArrayBuffer;
  readonly byteOffset: (view: ArrayBufferView) => number;
  readonly byteLength: (view: ArrayBufferView) => number;
}

const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
/** The name of a typed array's class; undefined for anything else. */
export const nameOf = getterOf<string | undefined>(typedArray, Symbol.toStringTag) as (
  value: unknown,
) => string | undefined;
const ofTypedArray = gettersOf(typedArray);
const ofDataView = gettersOf(DataView.prototype);

/**
 * Throws for everything but buffers of one kind, from any realm. Does not throw for a buffer that was transferred away.
 */
const useBuffer = getterOf<unknown>(ArrayBuffer.prototype, 'byteLength') as (value: unknown) => unknown;
const useSharedBuffer =
  typeof SharedArrayBuffer === 'undefined'
    ? // On a page that is not cross-origin isolated the class is hidden, but objects of it may exist.
      (value: unknown) => new DataView(value as ArrayBuffer)
    : (getterOf<unknown>(SharedArrayBuffer.prototype, 'byteLength') as (value: unknown) => unknown);

/** Which of the two was right last time: throwing takes longer than everything else that is done with a key. */
let isShared = false;

/** The length in bytes of a Uint8Array of any realm; -1 for anything else. */
export function lengthOfBytes(value: unknown): number {
  if (!ArrayBuffer.isView(value) || nameOf(value) !== 'Uint8Array') return -1;
  return ofTypedArray.byteLength(value);
}

/**
 * The bytes of `value`, as a view of this realm's own class; undefined if it has none. Throws TypeError, with `name` in
 * its message, if the buffer is gone.
 */
export function viewOf(value: unknown, name = 'the array'): Bytes | undefined {
  if (!isBytes(value)) return undefined;
  try {
    if (!ArrayBuffer.isView(value)) return new Uint8Array(value);
    const get = nameOf(value) === undefined ? ofDataView : ofTypedArray;
    const byteLength = get.byteLength(value);
    // A typed array whose buffer is gone looks empty, but its methods throw.
    if (byteLength === 0 && get === ofTypedArray) typedArray.at.call(value as Uint8Array, 0);
    return new Uint8Array(get.buffer(value), get.byteOffset(value), byteLength);
  } catch (cause) {
    throw lostBuffer(name, { cause });
  }
}

/** Whether `viewOf` takes `value`. */
export function isBytes(value: unknown): value is ArrayBufferView | ArrayBuffer {
  return ArrayBuffer.isView(value) || isBuffer(value);
}

/** Tests what only a true buffer can do, whether it is shared, and even if it was transferred away. */
function isBuffer(value: unknown): value is ArrayBuffer {
  return isOfKind(isShared, value) || isOfKind(!isShared, value);
}

function isOfKind(shared: boolean, value: unknown): boolean {
  try {
    if (shared) useSharedBuffer(value);
    else useBuffer(value);
    isShared = shared;
    return true;
  } catch {
    return false;
  }
}

function gettersOf(prototype: object): ViewGetters {
  return {
    buffer: getterOf(prototype, 'buffer'),
    byteOffset: getterOf(prototype, 'byteOffset'),
    byteLength: getterOf(prototype, 'byteLength'),
  };
}

function getterOf<Value>(prototype: object, name: string | symbol): (view: ArrayBufferView) => Value {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name) as { get(this: ArrayBufferView): Value };
  return (view) => get.call(view);
}

/**
 * Allocates `length` bytes of JavaScript's own memory for `what`. Throws OutOfMemoryError, with this `advice`, if they
 * are refused.
 */
export function roomFor(length: number, what: string, advice = ''): Bytes {
  try {
    return new Uint8Array(length);
  } catch (cause) {
    throw new OutOfMemoryError(`not enough memory for ${what} (${length} bytes)${advice}`, { cause });
  }
}
