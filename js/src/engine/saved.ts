// Filters in WebAssembly memory saved to bytes, and loaded from bytes.
// Invariant: either a handle is returned, or an error is thrown and nothing that was made on the way is left behind.
import { counted, OutOfMemoryError } from '../errors.js';
import { ERROR_CODES, formatError, type LoadRequest } from './format-errors.js';
import type { Address, Bindings, BindingsOf, SavedCalls } from './bindings.js';
import { roomFor, type Bytes } from './bytes.js';
import { Handle, liveObjects } from './handle.js';
import type { Instance } from './instance.js';
import { putSecret, resultAt } from './scratch.js';

/** The error for a table that cannot be allocated. */
export function outOfMemory(
  instance: Instance<Bindings>,
  { currentCapacity, byteLength }: Readonly<Record<'currentCapacity' | 'byteLength', number>>,
): RangeError {
  return memoryError(instance, byteLength, `a table of ${byteLength} bytes for capacity ${currentCapacity}`);
}

/** The error for bytes that could not be loaded, by the core's last code. */
export function loadError(instance: Instance<Bindings>, saved: LoadRequest): Error {
  const code = ERROR_CODES[instance.bindings.failure.error()] ?? 'damaged';
  const { length } = saved.bytes;
  return code === 'out-of-memory'
    ? memoryError(instance, length, `a saved filter of ${length} bytes`)
    : formatError(code, instance.kind, saved);
}

/** The error if there is no memory for `wanted`, which needs `byteLength` bytes. */
function memoryError(instance: Instance<Bindings>, byteLength: number, wanted: string): RangeError {
  void instance.wasRefused(0); // Reported here, so it is not the reason for later failures.
  const advice =
    byteLength < 2 ** 32
      ? memoryAdvice(instance, byteLength)
      : ': WebAssembly has at most 4 GiB. Split the keys over processes';
  return new OutOfMemoryError(`not enough memory for ${wanted}${advice}`);
}

/** How to free memory, if live filters hold at least `byteLength` bytes. */
export function memoryAdvice(instance: Instance<Bindings>, byteLength: number): string {
  const { count, bytes } = liveObjects(instance);
  return bytes < byteLength
    ? ''
    : `: ${bytes} bytes are in ${counted(count, 'live filter')}. Call dispose(), or declare with \`using\``;
}

/** The filter's saved form, copied piece by piece so that WebAssembly memory holds no second copy. */
export function save(handle: Handle<SavedCalls>): Bytes {
  const saved = roomFor(handle.call('savedBytes'), 'the saved filter');
  handle.call('beginSave');
  for (let at = 0, length: number; (length = handle.calls.savePiece()) !== 0; at += length)
    saved.set(handle.instance.scratch.bytes.subarray(0, length), at);
  return saved;
}

/** Makes the handle of a loaded filter from its address and its capacity. */
type MakeHandle<Made> = (address: Address, capacity: number) => Made;

/** The filter in `saved`. Throws as `CuckooFilter.deserialize` does. */
export function load<Calls extends SavedCalls, Made = Handle<Calls>>(
  instance: Instance<BindingsOf<Calls>>,
  saved: LoadRequest,
  make?: MakeHandle<Made>,
): Made {
  const { filter, format } = instance.bindings;
  const { headerBytes, trailerBytes } = format;
  const { bytes, maxBytes, secret } = saved;
  const { length } = bytes; // Read once: another thread may grow a shared buffer in between.
  const head = bytes.subarray(0, Math.min(headerBytes, length));
  instance.scratch.bytes.set(head);
  const table = filter.beginLoad(head.length, length, maxBytes, putSecret(instance.scratch, secret));
  if (table === 0) throw loadError(instance, saved);
  const end = length - trailerBytes;
  instance.memoryAt(table, end - headerBytes).set(bytes.subarray(headerBytes, end));
  instance.scratch.bytes.set(bytes.subarray(end, length));
  return loaded(instance, saved, make);
}

/** The handle of the filter that was just loaded from `saved`. Throws if it is not sound. */
export function loaded<Calls extends SavedCalls, Made = Handle<Calls>>(
  instance: Instance<BindingsOf<Calls>>,
  saved: LoadRequest,
  make?: MakeHandle<Made>,
): Made {
  const { filter, sizes } = instance.bindings;
  const address = filter.finishLoad();
  if (address === 0) throw loadError(instance, saved);
  filter.describe(address);
  const capacity = resultAt(instance.scratch, sizes.capacity);
  return make?.(address, capacity) ?? (new Handle(instance, filter, address, capacity) as Made);
}
