// The one WebAssembly instance, its types, and the views of its memory.
// Invariant: the module is compiled once, synchronously, at first use; a view is fetched again after memory has
// grown and never leaves this package: users get copies.
import createCore from '#core';
import binary from '#core/wasm';

/** Parameters of a filter, in WebAssembly memory. */
export interface ParamsHandle {
  readonly capacity: number;
  readonly bucketCount: number;
  readonly bucketSize: number;
  readonly fingerprintBits: number;
  readonly isSemiSorted: boolean;
  readonly isXor: boolean;
  readonly maxKicks: number;
  readonly seedLow: number;
  readonly seedHigh: number;
  readonly byteLength: number;
  readonly falsePositiveRate: number;
  delete(): void;
}

/** A filter in WebAssembly memory. */
export interface FilterHandle {
  readonly address: number;
  readonly size: number;
  readonly loadFactor: number;
  readonly falsePositiveRate: number;
  readonly savedBytes: number;
  params(): ParamsHandle;
  clear(): void;
  clone(): FilterHandle | null;
  beginSave(): void;
  delete(): void;
}

/** What the bindings offer (bindings/embind.cpp). The names that begin with an underscore are plain exports. */
export interface Core {
  readonly HEAPU8: Uint8Array<ArrayBuffer>;
  /** Where the parts of the exchange lie, and how long they are. */
  readonly words: number;
  readonly ends: number;
  readonly answers: number;
  readonly bytes: number;
  readonly batchLength: number;
  readonly bytesLength: number;
  /** Bytes of a saved filter before and behind its table. */
  readonly headerBytes: number;
  readonly trailerBytes: number;
  plan(
    capacity: number,
    falsePositiveRate: number,
    bucketSize: number,
    fingerprintBits: number,
    bucketCount: number,
    semiSort: number,
    isXor: boolean,
    maxKicks: number,
    seedLow: number,
    seedHigh: number,
  ): ParamsHandle | null;
  create(params: ParamsHandle): FilterHandle | null;
  savePiece(): number;
  beginLoad(headBytes: number, totalBytes: number, maxBytes: number): number;
  finishLoad(): FilterHandle | null;
  lastError(): number;
  lastField(): number;
  _contains(filter: number, length: number): number;
  _count(filter: number, length: number): number;
  _erase(filter: number, length: number): number;
  _insert(filter: number, length: number): number;
  _insert_if_absent(filter: number, length: number): number;
  _hash_words(filter: number, count: number): void;
  _hash_keys(filter: number, count: number): void;
  _begin_long_key(filter: number): void;
  _long_key_piece(length: number): void;
  _finish_long_key(): void;
  _contains_many(filter: number, count: number): void;
  _insert_many(filter: number, count: number): number;
  _insert_many_if_absent(filter: number, count: number): number;
  _erase_many(filter: number, count: number): number;
}

/** The memory that both sides write and read: see `Exchange` in bindings/embind.cpp. */
export interface Exchange {
  /** Integer keys or hashes as pairs of 32 bits, low half first. */
  readonly words: Uint32Array<ArrayBuffer>;
  /** Where each key of a batch ends in `bytes`. */
  readonly ends: Uint32Array<ArrayBuffer>;
  /** One answer a key. */
  readonly answers: Uint8Array<ArrayBuffer>;
  /** One key, the keys of a batch, or a piece of a saved filter. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The core's InsertOutcome, in its order, in the API's words. */
export const INSERT_OUTCOMES = ['added', 'full', 'too-many-copies', 'present'] as const;

let compiled: WebAssembly.Module | undefined;
let instance: Core | undefined;
let views: Exchange | undefined;

/**
 * Compiles the WebAssembly module off the main path, so that the first filter is made faster. Optional: every
 * constructor compiles it itself where this was not called, within a few milliseconds.
 */
export async function preload(): Promise<void> {
  compiled ??= await WebAssembly.compile(decode(binary));
}

/** The instance; compiled at the first call. */
export function core(): Core {
  return (instance ??= instantiate());
}

/** The exchange's views, made anew if memory has grown since, which empties the old ones. */
export function exchange(): Exchange {
  return views !== undefined && views.bytes.length !== 0 ? views : (views = makeViews(core()));
}

/** A view of `length` bytes of WebAssembly memory, good until the next call that may grow it. */
export function memoryAt(address: number, length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(core().HEAPU8.buffer, address, length);
}

function instantiate(): Core {
  const module = (compiled ??= new WebAssembly.Module(decode(binary)));
  const made: unknown = createCore({
    instantiateWasm(imports, receive) {
      const wasm = new WebAssembly.Instance(module, imports);
      receive(wasm);
      return wasm.exports;
    },
  });
  return made as Core;
}

function makeViews(from: Core): Exchange {
  const { buffer } = from.HEAPU8;
  return {
    words: new Uint32Array(buffer, from.words, 2 * from.batchLength),
    ends: new Uint32Array(buffer, from.ends, from.batchLength),
    answers: new Uint8Array(buffer, from.answers, from.batchLength),
    bytes: new Uint8Array(buffer, from.bytes, from.bytesLength),
  };
}

/** Two hexadecimal digits a byte. */
function decode(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: text.length / 2 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}
