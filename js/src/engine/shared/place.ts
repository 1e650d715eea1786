// A thread's place in shared memory: its stack and its variables, which no other thread may touch.
// Invariant: a place has at most one holder. Before each step, a thread checks that it still holds its place; so once
// the place is reclaimed, the thread finishes the step that it is in and never touches the place again.
import { disposedError } from '../../errors.js';
import { sharedMemoryError } from './shared-errors.js';

/** How long a reclaimed place stays reserved, unless its thread gives it up sooner. Longer than any step. */
const MILLISECONDS = 10_000;
/** Milliseconds from one look to the next. */
const LOOK = 100;
/** A look counts for at most this, because between two looks the whole process may have been suspended. */
const MOST_PER_LOOK = 1000;

// The word of a place is 0 if the place is free, the number of the thread that holds it, or minus that number while it
// is being reclaimed. A memory gives each number out once.

export class Place {
  readonly #words: Int32Array;
  /** Which of the places it is. */
  readonly index: number;
  /** The number of the thread that holds it. */
  readonly thread: number;
  #isReleased = false;

  private constructor(words: Int32Array, index: number, thread: number) {
    this.#words = words;
    this.index = index;
    this.thread = thread;
  }

  /** Takes a free place for the thread with this number. Throws SharedMemoryError if there is none. */
  static take(words: Int32Array, thread: number): Place {
    const index = words.findIndex((_, i) => Atomics.compareExchange(words, i, 0, thread) === 0);
    if (index < 0) throw sharedMemoryError('too-many-threads', words.length);
    return new Place(words, index, thread);
  }

  /** Number of places in this memory. */
  get count(): number {
    return this.#words.length;
  }

  /**
   * Throws DisposedError if this thread has released the place. If another thread reclaimed it, frees it and throws
   * SharedMemoryError.
   */
  check(): void {
    if (Atomics.load(this.#words, this.index) === this.thread) return;
    if (this.#isReleased) throw disposedError();
    this.#free();
    throw sharedMemoryError('reclaimed');
  }

  /** Gives the place up: this thread no longer uses the filter. */
  release(): void {
    this.#isReleased = true;
    this.#free();
  }

  /** Marks the place as free, unless another thread already holds it. */
  #free(): void {
    for (const word of [this.thread, -this.thread]) Atomics.compareExchange(this.#words, this.index, word, 0);
  }

  /** Reclaims the place of another thread. Resolves once it is free: to `false`, at once, if it already was. */
  async reclaim(thread: number): Promise<boolean> {
    const words = this.#words;
    const index = words.findIndex((_, i) => Math.abs(Atomics.load(words, i)) === thread);
    if (index < 0) return false;
    Atomics.compareExchange(words, index, thread, -thread);
    for (let silent = 0; silent < MILLISECONDS && Atomics.load(words, index) === -thread;) {
      const began = performance.now();
      await new Promise((resolve) => setTimeout(resolve, LOOK));
      silent += Math.min(performance.now() - began, MOST_PER_LOOK);
    }
    Atomics.compareExchange(words, index, -thread, 0);
    return true;
  }

  /** Whether this thread may wait; the main thread of a page may not. */
  mayWait(): boolean {
    try {
      Atomics.wait(this.#words, this.index, 0, 0); // does not wait, because the place is taken
      return true;
    } catch {
      return false;
    }
  }
}
