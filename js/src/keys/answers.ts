// Collects the answers or the hashes of a batch, run by run.
// Invariant: the package's own error that ends a batch carries the answers for the keys before it.
import type { ObjectCalls } from '../engine/bindings.js';
import { roomFor, type Bytes } from '../engine/bytes.js';
import { hashMany } from './hashing.js';
import { noteOwn } from './thrown.js';
import { hasLength, type Keys } from './keys.js';
import type { Handle } from '../engine/handle.js';
import { answerAt, answersOf } from '../engine/scratch.js';

function roomForAnswers(length: number): Bytes {
  return roomFor(length, 'the answers of the batch', ': give fewer keys at a time');
}

/** Gathers answers; `take` gives exactly those pushed. */
export class Mask {
  #answers: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(keys: Keys, bytesPerKey = 1) {
    this.#answers = roomForAnswers(hasLength(keys) ? bytesPerKey * keys.length : 0);
  }
  /** Makes room for `more` bytes, after which `push` allocates nothing for them. */
  reserve(more: number): void {
    const length = this.#length + more;
    if (length <= this.#answers.length) return;
    const larger = roomForAnswers(Math.max(length, 2 * this.#answers.length));
    larger.set(this.#answers);
    this.#answers = larger;
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
  /** Those pushed so far, where they lie. */
  get pushed(): Bytes {
    return this.#answers.subarray(0, this.#length);
  }
  take(): Bytes {
    return this.#length === this.#answers.length ? this.#answers : this.pushed.slice();
  }
}

/** Gathers numbers of 32 bits for `keys`, or several for each, likewise. */
export class Numbers {
  readonly #mask: Mask;

  constructor(keys: Keys, perKey = 1) {
    this.#mask = new Mask(keys, 4 * perKey);
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
 * The answers for all keys. `ask` lets the core answer for `count` keys, and returns for how many it did. If that is
 * not all, `refusal` makes the error from the outcome of the next key and the number of answers that are 1. Every error
 * of the package carries the answers before it.
 */
export function answersFor<Calls extends ObjectCalls>(
  handle: Handle<Calls>,
  keys: Keys,
  ask: (count: number) => number,
  refusal?: (outcome: number | undefined, ones: number) => Error,
): Bytes {
  const mask = new Mask(keys);
  const askRun = (count: number): void => {
    mask.reserve(count);
    const done = ask(count);
    const { scratch } = handle.instance;
    mask.push(answersOf(scratch, 0, done));
    if (done < count) throw refusal?.(answerAt(scratch, done), countOnes(mask.pushed));
  };
  hashMany(handle, keys, askRun, { carry: (own) => giveAnswers(own, mask.pushed) });
  return mask.take();
}

/** How many answers are 1. */
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
