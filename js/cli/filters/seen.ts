// The keys that a run has seen: in one filter, or in several if the input has far more lines than its size suggested.
// Invariant: together, the filters keep the rate of the first. Each filter but the last holds at most half of its
// largest capacity, so it has at most half of its rate, and the filters after it share the other half.
import { Deduper, FilterFullError, type CuckooFilter, type PackedKeys } from 'cuckoofilter-wasm';
import { Failure } from '../words/failure.js';

/**
 * Makes a filter whose rate is `share` times that of the first, after `offered` keys. Throws Failure if that is
 * impossible.
 */
export type MakeNext = (share: number, offered: number) => CuckooFilter;

export class Seen {
  readonly #filters: CuckooFilter[];
  #makeNext: MakeNext | undefined;
  #offered = 0;

  /**
   * `makeNext` is called once twice as many keys are offered as `filter` was made for. Without it, the filter only
   * grows.
   */
  constructor(filter: CuckooFilter, makeNext?: MakeNext) {
    this.#filters = [filter];
    this.#makeNext = makeNext;
  }

  /** The filter that it was made with, which is the only one without `makeNext`. */
  get only(): CuckooFilter {
    return this.#filters[0] as CuckooFilter;
  }

  get #last(): CuckooFilter {
    return this.#filters.at(-1) as CuckooFilter;
  }

  /** The keys in all filters; each is in one. */
  get size(): number {
    return this.#sum(({ size }) => size);
  }

  get byteLength(): number {
    return this.#sum(({ byteLength }) => byteLength);
  }

  get currentCapacity(): number {
    return this.size - this.#last.size + this.#last.currentCapacity;
  }

  get maxCapacity(): number {
    return this.size - this.#last.size + this.#last.maxCapacity;
  }

  get expectedFalsePositiveRate(): number {
    return this.#filters.reduce((rate, filter) => either(rate, filter.expectedFalsePositiveRate), 0);
  }

  /**
   * The expected number of different keys that were ever taken for seen by mistake, including in earlier runs: of n
   * keys that are offered, a share s is dropped, and n (1 - s) are in the filter.
   */
  get mistakes(): number {
    let before = 0;
    return this.#sum((filter) => {
      const share = either(before, new Deduper(filter).droppedShare);
      before = either(before, filter.expectedFalsePositiveRate);
      return (filter.size * share) / (1 - share);
    });
  }

  #sum(figureOf: (filter: CuckooFilter) => number): number {
    return this.#filters.reduce((sum, filter) => sum + figureOf(filter), 0);
  }

  /** 1 for each key that is in a filter, else 0. */
  contains(keys: PackedKeys): Uint8Array {
    const [first, ...others] = this.#filters.map((filter) => filter.containsMany(keys)) as [Uint8Array];
    for (const answers of others as Uint8Array[]) answers.forEach((answer, i) => (first[i] ||= answer));
    return first;
  }

  /** Adds the keys. Returns 1 for each that was new, else 0, or fewer answers if the last filter became full. */
  add(keys: PackedKeys): Uint8Array {
    this.#makeRoom(keys.length);
    let told: Uint8Array = new Uint8Array();
    let done = 0;
    try {
      if (this.#filters.length === 1) return this.only.addManyIfAbsent(keys);
      told = this.contains(keys);
      for (const key of keys) {
        told[done] = Number(told[done] === 0 && this.#last.addIfAbsent(key));
        ++done;
      }
      return told;
    } catch (error) {
      if (!(error instanceof FilterFullError)) throw error;
      return error.answers ?? told.subarray(0, done);
    }
  }

  #makeRoom(count: number): void {
    const last = this.#last;
    if (this.#makeNext !== undefined && last.size + count > last.maxCapacity / 2) {
      try {
        this.#filters.push(this.#makeNext(0.5 ** this.#filters.length, this.#offered));
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        // Continue with the last one; its error says what to do if it becomes full.
        this.#makeNext = undefined;
      }
    }
    this.#offered += count;
  }
}

/** The probability that one of two independent things happens, or both. */
function either(one: number, other: number): number {
  return one + (1 - one) * other;
}
