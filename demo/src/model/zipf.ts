// Keys as they come in practice: few come often, many come once.
// Invariant: the same seed gives the same keys in the same order. Source: Zipf's law with exponent 1, where the key of
// rank r comes with a probability proportional to 1/r.
import { drawsOf } from './draws';

export class Zipf {
  /** Probability of the ranks up to each, times the whole sum. */
  readonly #sums: Float64Array;
  readonly #draw: () => number;

  /** Over the ranks 1 to `count`; takes 8 bytes a rank. */
  constructor(count: number, seed: number) {
    this.#sums = new Float64Array(count);
    let sum = 0;
    for (let i = 0; i < count; ++i) this.#sums[i] = sum += 1 / (i + 1);
    this.#draw = drawsOf(seed);
  }

  /** A rank from 1 to the count. O(log count). */
  next(): number {
    const wanted = this.#draw() * (this.#sums.at(-1) ?? 0);
    let [low, high] = [0, this.#sums.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sums[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    return low + 1;
  }
}
