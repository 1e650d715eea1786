// The answers or the hashes of a batch, gathered run by run.
// Invariant: the room grows geometrically where the number of keys is not known before, so a batch costs linear time; and
// what is known of the keys that are done comes with the error that ends a batch.
import { OutOfMemoryError } from '../errors.js';
import type { Address, ObjectCalls } from '../engine/bindings.js';
import type { Bytes } from '../engine/bytes.js';
import { carrying } from './carrying.js';
import { hashMany } from './hashing.js';
import { hasLength, type Keys } from './keys.js';
import { inUse, type Handle } from '../engine/handle.js';

/** Gathers answers; `take` gives exactly those pushed. */
export class Mask {
  #answers: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(keys: Keys, bytesPerKey = 1) {
    this.#answers = roomFor(hasLength(keys) ? bytesPerKey * keys.length : 0);
  }
  /** Makes room for `more` bytes, after which `push` allocates nothing for them. */
  reserve(more: number): void {
    const length = this.#length + more;
    if (length <= this.#answers.length) return;
    const larger = roomFor(Math.max(length, 2 * this.#answers.length));
    larger.set(this.#answers);
    this.#answers = larger;
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
  /** How many answers are 1. */
  ones(): number {
    return this.pushed.reduce((sum, answer) => sum + answer, 0);
  }
  take(): Bytes {
    return this.#length === this.#answers.length ? this.#answers : this.pushed.slice();
  }
}

/** Gathers numbers of 32 bits for `keys`, likewise. */
export class Numbers {
  readonly #mask: Mask;

  constructor(keys: Keys) {
    this.#mask = new Mask(keys, 4);
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
 * The answers for all keys. `ask` has the core answer for `count` keys and returns for how many it did; if that is not all,
 * `refusal` makes the error, of the outcome of the next key and the number of answers that are 1. Whatever is thrown carries
 * the answers before it.
 */
export function answersFor<Calls extends ObjectCalls>(
  handle: Handle<Calls>,
  keys: Keys,
  ask: (address: Address, count: number) => number,
  refusal?: (outcome: number | undefined, ones: number) => Error,
): Bytes {
  const mask = new Mask(keys);
  try {
    hashMany(handle, keys, (count) => {
      mask.reserve(count);
      const done = ask(inUse(handle).address, count);
      const { answers } = handle.instance.scratch;
      mask.push(answers.subarray(0, done));
      const refused = answers[done]; // Before growth is told, which uses the scratch buffer.
      handle.growth?.tell();
      if (done < count) throw refusal?.(refused, mask.ones());
    });
  } catch (error) {
    throw carrying(error, 'answers', mask.pushed);
  }
  return mask.take();
}

/** The answers that `error` carries, which it has no more. */
export function takeAnswers(error: unknown): Uint8Array {
  const carrier = Object(error) as { answers?: Uint8Array };
  const { answers = new Uint8Array() } = carrier;
  delete carrier.answers;
  return answers;
}

/** So many bytes of JavaScript's own memory for `what`. Throws RangeError if they are refused. */
export function roomFor(length: number, what = 'the answers of the batch'): Bytes {
  try {
    return new Uint8Array(length);
  } catch (cause) {
    const advice = what.endsWith('batch') ? ': give fewer keys at a time' : '';
    throw new OutOfMemoryError(`not enough memory for ${what} (${length} bytes)${advice}`, { cause });
  }
}
