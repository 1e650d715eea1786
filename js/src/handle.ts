// Filters in WebAssembly memory: made from options, saved to bytes, loaded from bytes.
// Invariant: a handle is returned or an error thrown, and then nothing that was made on the way is left behind.
import { formatError, ruleMessage } from './errors.js';
import { core, exchange, memoryAt, type FilterHandle } from './module.js';
import { planParams, readPlan, type CuckooFilterOptions, type Sizes } from './options.js';

/** A new filter in WebAssembly memory. Throws as the constructor of CuckooFilter does. */
export function build(options: CuckooFilterOptions): FilterHandle {
  const params = planParams(options);
  try {
    const handle = core().create(params);
    if (handle === null) throw outOfMemory(readPlan(params));
    return handle;
  } finally {
    params.delete();
  }
}

/** The error for a table that cannot be allocated. */
export function outOfMemory({ capacity, byteLength }: Sizes): RangeError {
  return new RangeError(
    ruleMessage('capacity', `small enough that a table of ${byteLength} bytes can be allocated`, capacity),
  );
}

/** The filter's saved form, piece by piece, so that WebAssembly memory holds no second copy. */
export function save(handle: FilterHandle): Uint8Array<ArrayBuffer> {
  const saved = new Uint8Array(handle.savedBytes);
  handle.beginSave();
  for (let at = 0, length: number; (length = core().savePiece()) !== 0; at += length) {
    saved.set(exchange().bytes.subarray(0, length), at);
  }
  return saved;
}

/** The filter saved in `bytes`. Throws as `CuckooFilter.deserialize` does. */
export function load(bytes: Uint8Array, maxBytes: number): FilterHandle {
  const { headerBytes, trailerBytes } = core();
  const head = bytes.subarray(0, headerBytes);
  exchange().bytes.set(head);
  const table = core().beginLoad(head.length, bytes.length, maxBytes);
  if (table === 0) throw formatError(core().lastError(), bytes.length);
  const end = bytes.length - trailerBytes;
  memoryAt(table, end - headerBytes).set(bytes.subarray(headerBytes, end));
  exchange().bytes.set(bytes.subarray(end));
  const handle = core().finishLoad();
  if (handle === null) throw formatError(core().lastError(), bytes.length);
  return handle;
}
