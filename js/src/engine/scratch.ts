// The scratch buffer: the memory that both sides of the border write and read (`ScratchBuffer` in bindings/scratch.h).
// Only this file knows the layout of the buffer. Its views are empty once memory has grown; then an Instance makes new
// ones.
import type { Bindings, Layout } from './bindings.js';
import type { Bytes } from './bytes.js';

export interface Scratch {
  /** Room for one key, for the keys of a batch one after the other, or for a piece of a saved filter. */
  readonly bytes: Bytes;
  /** Plain memory of the same length, if threads share `bytes`: browsers refuse to encode text into shared memory. */
  readonly unshared: Bytes | undefined;
  /** The same memory, four bytes at a time. */
  readonly fours: Uint32Array;
  /** Keys of a batch, at most. */
  readonly batchLength: number;
}

interface Views extends Scratch {
  /** Integer keys or hashes as pairs of 32 bits, low half first. */
  readonly words: Uint32Array;
  /** The same memory, as what a call takes or gives if that is more than one number. */
  readonly results: Float64Array;
  /** A number for each key of a batch: where it ends in `bytes`, its value, or its copies. */
  readonly numbers: Uint32Array;
  /** One answer per key. */
  readonly answers: Uint8Array;
}

export function scratchOf({ memory: { buffer }, scratch }: Bindings): Scratch {
  const { words, numbers, answers, bytes, batchLength, bytesLength } = scratch;
  // By its name, because the buffer may be of another realm.
  const isShared = Object.prototype.toString.call(buffer) === '[object SharedArrayBuffer]';
  const views: Views = {
    bytes: new Uint8Array(buffer, bytes, bytesLength),
    unshared: isShared ? new Uint8Array(bytesLength) : undefined,
    fours: new Uint32Array(buffer, bytes, bytesLength / 4),
    batchLength,
    words: new Uint32Array(buffer, words, 2 * batchLength),
    results: new Float64Array(buffer, words, batchLength),
    numbers: new Uint32Array(buffer, numbers, batchLength),
    answers: new Uint8Array(buffer, answers, batchLength),
  };
  return views;
}

function viewsOf(scratch: Scratch): Views {
  return scratch as Views;
}

/** Puts the 64 bits of a safe integer in the place of hash `i`. */
export function putInteger(scratch: Scratch, i: number, key: number): void {
  const { words } = viewsOf(scratch);
  words[2 * i] = key;
  words[2 * i + 1] = Math.floor(key / 2 ** 32);
}

/**
 * The same for many. Returns how many were put: fewer only if one is not a valid key, which `resultAt` then returns.
 */
export function putIntegers(scratch: Scratch, integers: Float64Array, isBig: boolean): number {
  const { words, results } = viewsOf(scratch);
  const { buffer, byteOffset, length } = integers;
  if (isBig) {
    words.set(new Uint32Array(buffer, byteOffset, 2 * length));
    return length;
  }
  // The engine converts numbers of any typed array in 2 ns; a loop that has met several classes takes 30 to read one.
  // Each number is then replaced in place.
  results.set(integers);
  for (let i = 0; i < length; ++i) {
    const key = results[i] as number;
    if (!Number.isSafeInteger(key)) return i;
    putInteger(scratch, i, key);
  }
  return length;
}

/** Puts a hash in the first place. */
export function putHash(scratch: Scratch, low: number, high: number): void {
  const { words } = viewsOf(scratch);
  words[0] = low;
  words[1] = high;
}
/** Puts hashes, two words each. */
export function putWords(scratch: Scratch, words: ArrayLike<number>): void {
  viewsOf(scratch).words.set(words);
}
/** Puts the secret key, if there is one, where the core reads and then wipes it. Returns whether there is one. */
export function putSecret(scratch: Scratch, secret: Uint8Array | null): boolean {
  if (secret === null) return false;
  const { buffer, byteOffset } = viewsOf(scratch).words;
  new Uint8Array(buffer, byteOffset).set(secret);
  return true;
}
export function wordAt(scratch: Scratch, i: number): number {
  return viewsOf(scratch).words[i] as number;
}
/** The first `count` words: two for each hash. */
export function wordsOf(scratch: Scratch, count: number): Uint32Array {
  return viewsOf(scratch).words.subarray(0, count);
}
/** Puts hash `i` in the first place. */
export function useHash(scratch: Scratch, i: number): void {
  viewsOf(scratch).words.copyWithin(0, 2 * i, 2 * i + 2);
}

export function putNumber(scratch: Scratch, i: number, number: number): void {
  viewsOf(scratch).numbers[i] = number;
}
/** Puts numbers for the first keys, or one number for all `count`. */
export function putNumbers(scratch: Scratch, given: Uint32Array | number, count: number): void {
  const { numbers } = viewsOf(scratch);
  if (typeof given === 'number') numbers.fill(given, 0, count);
  else numbers.set(given);
}
/** The numbers of the keys from `first` up to `end`. */
export function numbersOf(scratch: Scratch, first: number, end: number): Uint32Array {
  return viewsOf(scratch).numbers.subarray(first, end);
}
export function numberAt(scratch: Scratch, i: number): number {
  return viewsOf(scratch).numbers[i] as number;
}

/** The answers for the keys from `first` up to `end`. */
export function answersOf(scratch: Scratch, first: number, end: number): Uint8Array {
  return viewsOf(scratch).answers.subarray(first, end);
}
export function answerAt(scratch: Scratch, i: number): number | undefined {
  return viewsOf(scratch).answers[i];
}

/** Puts a struct that the next call takes. */
export function putFields<Name extends string>(
  scratch: Scratch,
  layout: Layout<Name>,
  fields: Readonly<Record<Name, number>>,
): void {
  const { results } = viewsOf(scratch);
  for (const name of Object.keys(layout) as Name[]) results[layout[name]] = fields[name];
}

/** The result that the last call put at `place`. */
export function resultAt(scratch: Scratch, place: number): number {
  return viewsOf(scratch).results[place] as number;
}
/** The results that the last call put, by name. */
export function resultsOf<Name extends string>(scratch: Scratch, layout: Layout<Name>): Record<Name, number> {
  const named = Object.entries<number>(layout).map(([name, at]) => [name, resultAt(scratch, at)]);
  return Object.fromEntries(named) as Record<Name, number>;
}
