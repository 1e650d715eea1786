// The one WebAssembly instance, its types, and the views of its memory.
// Invariant: the module is compiled once, synchronously, at first use; a view is fetched again after memory has
// grown and never leaves this package: users get copies.
import binary from '#core';
import { instantiate } from './embind.js';

/** Where a filter lies in WebAssembly memory; 0 is none. */
export type Address = number;

/** What the bindings offer: bindings/embind.cpp, and from `contains` on the plain exports of bindings/calls.cpp. */
export interface Core {
  /** By its shape, as a program that reads these types may know no WebAssembly. */
  readonly memory: { readonly buffer: ArrayBuffer };
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
  /** 0 if the options are out of range, as `lastError` and `lastField` say. */
  plan(
    capacity: number,
    maxCapacity: number,
    falsePositiveRate: number,
    bucketSize: number,
    fingerprintBits: number,
    bucketCount: number,
    semiSort: number,
    isXor: boolean,
    maxKicks: number,
    isKeyed: boolean,
    seedLow: number,
    seedHigh: number,
  ): number;
  /** Puts the sizes of a filter, or of the last plan for 0, into the exchange. */
  describe(filter: Address): void;
  /** A filter of the last plan. A secret key is taken from the first words of the exchange. */
  create(hasSecret: boolean): Address;
  clone(filter: Address): Address;
  /** An index of INSERT_OUTCOMES; or -1 less the index of FIELDS that differs, 0 where memory is short. */
  merge(into: Address, from: Address, onlyIfAbsent: boolean): number;
  destroy(filter: Address): void;
  clear(filter: Address): void;
  size(filter: Address): number;
  loadFactor(filter: Address): number;
  falsePositiveRate(filter: Address): number;
  /** Doublings of the table so far. */
  doublings(filter: Address): number;
  /** Puts the statistics of a filter, or of one layer of a chain, into the exchange. */
  readStatistics(filter: Address, layer?: number): void;
  savedBytes(filter: Address): number;
  beginSave(filter: Address): void;
  beginLoad(headBytes: number, totalBytes: number, maxBytes: number, hasSecret: boolean): Address;
  lastError(): number;
  lastField(): number;
  contains(filter: Address, length: number): number;
  count(filter: Address, length: number): number;
  erase(filter: Address, length: number): number;
  insert(filter: Address, length: number): number;
  insert_if_absent(filter: Address, length: number): number;
  hash_words(filter: Address, count: number): void;
  hash_keys(filter: Address, count: number): void;
  begin_long_key(filter: Address): void;
  long_key_piece(length: number): void;
  finish_long_key(): void;
  contains_many(filter: Address, count: number): void;
  insert_many(filter: Address, count: number): number;
  insert_many_if_absent(filter: Address, count: number): number;
  erase_many(filter: Address, count: number): number;
  save_piece(): number;
  finish_load(): Address;
}

/** The memory that both sides write and read: see `Exchange` in bindings/embind.cpp. */
export interface Exchange {
  /** Integer keys or hashes as pairs of 32 bits, low half first. */
  readonly words: Uint32Array<ArrayBuffer>;
  /** The same memory, as the sizes that `describe` gives. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** Where each key of a batch ends in `bytes`. */
  readonly ends: Uint32Array<ArrayBuffer>;
  /** One answer a key. */
  readonly answers: Uint8Array<ArrayBuffer>;
  /** One key, the keys of a batch, or a piece of a saved filter. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The core's InsertOutcome, in its order, in the API's words. */
export const INSERT_OUTCOMES = ['added', 'full', 'too-many-copies', 'present'] as const;

const encoder = new TextEncoder();

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
  return (instance ??= instantiate((compiled ??= new WebAssembly.Module(decode(binary)))) as Core);
}

/** The exchange's views, made anew if memory has grown since, which empties the old ones. */
export function exchange(): Exchange {
  return views !== undefined && views.bytes.length !== 0 ? views : (views = makeViews(core()));
}

/** A view of `length` bytes of WebAssembly memory, good until the next call that may grow it. */
export function memoryAt(address: number, length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(core().memory.buffer, address >>> 0, length);
}

function makeViews(from: Core): Exchange {
  const { buffer } = from.memory;
  return {
    words: new Uint32Array(buffer, from.words, 2 * from.batchLength),
    numbers: new Float64Array(buffer, from.words, from.batchLength),
    ends: new Uint32Array(buffer, from.ends, from.batchLength),
    answers: new Uint8Array(buffer, from.answers, from.batchLength),
    bytes: new Uint8Array(buffer, from.bytes, from.bytesLength),
  };
}

/** The bytes in a text of scripts/build.mjs: a mark for each value that is written as one character, then all of them. */
function decode(text: string): Uint8Array<ArrayBuffer> {
  const frequent: number[] = [];
  const others: number[] = [];
  for (let value = 0; value < 256; ++value) {
    const marks = parseInt(text.charAt(value >> 2), 16);
    ((marks >> (value & 3)) & 1 ? frequent : others).push(value);
  }
  const order = Uint8Array.from([...frequent, ...others]);
  const bytes = encoder.encode(text);
  let length = 0;
  let first = 0;
  for (let i = 64; i < text.length; ++i) {
    const code = bytes[i] as number;
    if (code < 35) {
      first = 91 * (code - 31);
    } else {
      bytes[length++] = order[first + code - (code > 92 ? 36 : 35)] as number;
      first = 0;
    }
  }
  return bytes.slice(0, length);
}
