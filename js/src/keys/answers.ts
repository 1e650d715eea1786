// Collects the answers or the hashes of a batch, run by run, in a new array or in one that the caller keeps.
// Invariant: the package's own error that ends a batch carries the answers for the keys before it.
import type { ObjectCalls } from '../engine/bindings.js';
import { roomFor, viewOf, type Bytes } from '../engine/bytes.js';
import { check } from '../errors.js';
import { intoOf, type Into } from '../options/into.js';
import { hashMany } from './hashing.js';
import { noteOwn } from './thrown.js';
import { checkKeys, hasLength, type Keys } from './keys.js';
import type { Handle } from '../engine/handle.js';
import { answerAt, answersOf } from '../engine/scratch.js';

function roomForAnswers(length: number): Bytes {
  return roomFor(length, 'the answers', ': pass fewer keys at a time');
}

/**
 * The array `into` that a caller keeps for the answers about `keys`, checked; undefined if there is none. `handle` is that
 * of the filter, if it has memory.
 */
export function keptFor(
  keys: Keys,
  into: Uint8Array | Uint32Array | undefined,
  View: typeof Uint8Array | typeof Uint32Array = Uint8Array,
  handle?: Handle<ObjectCalls>,
): Into | undefined {
  if (into === undefined) return undefined;
  checkKeys(keys);
  const own = handle && new Uint8Array(handle.instance.scratch.bytes.buffer);
  return intoOf(into, View, keys, hasLength(keys) ? keys.length : 0, own, { check, viewOf });
}

/** Gathers answers; `take` gives exactly those pushed, unless the caller keeps them. */
export class Mask {
  #answers: Bytes;
  #length = 0;
  readonly #into: Into | undefined;

  constructor(keys: Keys, bytesPerKey = 1, into?: Into) {
    this.#into = into;
    this.#answers = into?.bytes ?? roomForAnswers(hasLength(keys) ? bytesPerKey * keys.length : 0);
  }
  /**
   * Makes room for `more` bytes, after which `push` allocates nothing for them. Returns `more`, or how many of them fit
   * into an array that the caller keeps; if none does, throws RangeError.
   */
  reserve(more: number): number {
    if (this.#into !== undefined) return this.#into.room(this.#length, more);
    const length = this.#length + more;
    if (length <= this.#answers.length) return more;
    const larger = roomForAnswers(Math.max(length, 2 * this.#answers.length));
    larger.set(this.#answers);
    this.#answers = larger;
    return more;
  }
  /** The same for the answers of a batch of `keys`, which has not begun. */
  reserveFor(keys: readonly unknown[]): void {
    try {
      this.reserve(keys.length);
    } catch (error) {
      noteOwn(error, keys);
      throw error;
    }
  }
  push(run: Uint8Array): void {
    this.reserve(run.length);
    this.#answers.set(run, this.#length);
    this.#length += run.length;
  }
  /** Adds one answer, for which `reserve` has made room. */
  add(answer: boolean): void {
    this.#answers[this.#length++] = Number(answer);
  }
  /** Those pushed so far, where they lie. */
  get pushed(): Bytes {
    const isLost = this.#answers.length < this.#length; // The caller's code has transferred the buffer.
    return isLost || this.#length === 0 ? new Uint8Array() : this.#answers.subarray(0, this.#length);
  }
  take(): Bytes {
    return this.#length === this.#answers.length ? this.#answers : this.pushed.slice();
  }
}

/** Gathers numbers of 32 bits for `keys`, or several for each, likewise. */
export class Numbers {
  readonly #mask: Mask;

  constructor(keys: Keys, perKey = 1, into?: Into) {
    this.#mask = new Mask(keys, 4 * perKey, into);
  }
  reserve(more: number): number {
    return this.#mask.reserve(4 * more) / 4;
  }
  push(run: Uint32Array): void {
    this.#mask.push(new Uint8Array(run.buffer, run.byteOffset, run.byteLength));
  }
  get length(): number {
    return this.#mask.pushed.length / 4;
  }
  take(): Uint32Array {
    return new Uint32Array(this.#mask.take().buffer);
  }
}

/**
 * The answers for all keys, in `into` if it is given. `ask` lets the core answer for `count` keys, and returns for how
 * many it did. If that is not all, `refusal` makes the error from the outcome of the next key and the number of answers
 * that are 1. Every error of the package carries the answers before it.
 */
export function answersFor<Calls extends ObjectCalls>(
  handle: Handle<Calls>,
  keys: Keys,
  into: Uint8Array | undefined,
  ask: (count: number) => number,
  refusal?: (outcome: number | undefined, ones: number) => Error,
): Uint8Array {
  const mask = new Mask(keys, 1, keptFor(keys, into, Uint8Array, handle));
  const askRun = (count: number): void => {
    const room = mask.reserve(count);
    const done = ask(room);
    const { scratch } = handle.instance;
    mask.push(answersOf(scratch, 0, done));
    if (done < room) throw refusal?.(answerAt(scratch, done), countOnes(mask.pushed));
    if (room < count) mask.reserve(1); // throws, because none is left
  };
  hashMany(handle, keys, askRun, { carry: (own) => giveAnswers(own, mask.pushed) });
  return into ?? mask.take();
}

/** The counts for all keys, in `into` if it is given. `ask` lets the core count, and returns where the counts lie. */
export function countsFor(
  handle: Handle<ObjectCalls>,
  keys: Keys,
  into: Uint32Array | undefined,
  ask: (count: number) => Uint32Array,
): Uint32Array {
  const counts = new Numbers(keys, 1, keptFor(keys, into, Uint32Array, handle));
  hashMany(handle, keys, (count) => {
    const room = counts.reserve(count);
    counts.push(ask(room));
    if (room < count) counts.reserve(1); // throws, because none is left
  });
  return into ?? counts.take();
}

export function countOnes(answers: Uint8Array): number {
  let ones = 0;
  for (const answer of answers) ones += answer;
  return ones;
}

/** Gives the package's own `error` the answers for the keys before it. */
export function giveAnswers(error: unknown, answers: Uint8Array): void {
  Object.defineProperty(error, 'answers', { value: answers, configurable: true });
}

/** The answers that the package's own `error` carries. */
export function answersIn(error: unknown): Uint8Array {
  return (error as { answers?: Uint8Array }).answers ?? new Uint8Array();
}
