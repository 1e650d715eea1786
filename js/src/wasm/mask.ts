// The answers or the hashes of a batch, gathered run by run.
// Invariant: the room grows geometrically where the number of keys is not known before, so a batch costs linear time.
import type { Bytes } from './bytes.js';
import { hasLength, type Keys } from './keys.js';

/** Gathers answers; `take` gives exactly those pushed. */
export class Mask {
  #answers: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(keys: Keys, bytesPerKey = 1) {
    this.#answers = new Uint8Array(hasLength(keys) ? bytesPerKey * keys.length : 0);
  }
  push(run: Uint8Array): void {
    const length = this.#length + run.length;
    if (length > this.#answers.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#answers.length));
      larger.set(this.#answers);
      this.#answers = larger;
    }
    this.#answers.set(run, this.#length);
    this.#length = length;
  }
  /** How many answers are 1. */
  ones(): number {
    return this.#answers.subarray(0, this.#length).reduce((sum, answer) => sum + answer, 0);
  }
  take(): Bytes {
    return this.#length === this.#answers.length ? this.#answers : this.#answers.slice(0, this.#length);
  }
}
