// A thread's place in shared memory: its stack and its variables, which no other thread may touch.
// Invariant: a place has at most one holder. A thread looks whether it still holds its place before each step, so once
// the place is taken back, it finishes the step it is in and touches the place no more.
import { sharedMemoryError } from './shared-errors.js';

/** A place that is taken back is given out again after this long, unless its thread leaves it before. Steps are shorter. */
const MILLISECONDS = 10_000;
/** Milliseconds from one look to the next. */
const LOOK = 100;
/** A look counts for at most this, because between two looks the whole process may have been asleep. */
const MOST_PER_LOOK = 1000;

// What the word of a place says: nobody holds it (0), the thread with that ticket holds it (above 0), or it is being
// taken back from the thread with minus that ticket (below 0). No two threads in one memory have the same ticket.

export class Place {
  readonly #words: Int32Array;
  /** Its number. */
  readonly thread: number;
  readonly #ticket: number;

  private constructor(words: Int32Array, thread: number, ticket: number) {
    this.#words = words;
    this.thread = thread;
    this.#ticket = ticket;
  }

  /** Takes a free place. Throws SharedMemoryError if there is none. */
  static take(words: Int32Array, ticket: number): Place {
    const thread = words.findIndex((_, i) => Atomics.compareExchange(words, i, 0, ticket) === 0);
    if (thread < 0) throw sharedMemoryError('too-many-threads', words.length);
    return new Place(words, thread, ticket);
  }

  /** Number of places in this memory. */
  get count(): number {
    return this.#words.length;
  }

  /** Throws SharedMemoryError if the place was taken back, and gives it up at once. */
  check(): void {
    if (Atomics.load(this.#words, this.thread) === this.#ticket) return;
    this.leave();
    throw sharedMemoryError('reclaimed');
  }

  /** Gives the place up, unless another thread already has it. */
  leave(): void {
    for (const word of [this.#ticket, -this.#ticket])
      Atomics.compareExchange(this.#words, this.thread, word, 0);
  }

  /** Takes the place of another thread back, and waits until it is free. `false` if it already was. */
  async takeBack(thread: number): Promise<boolean> {
    const words = this.#words;
    const holder = Math.abs(Atomics.load(words, thread));
    if (holder === 0) return false;
    Atomics.compareExchange(words, thread, holder, -holder);
    for (let silent = 0; silent < MILLISECONDS && Atomics.load(words, thread) === -holder;) {
      const began = performance.now();
      await new Promise((resolve) => setTimeout(resolve, LOOK));
      silent += Math.min(performance.now() - began, MOST_PER_LOOK);
    }
    Atomics.compareExchange(words, thread, -holder, 0);
    return true;
  }

  /** Whether this thread may wait; the main thread of a page may not. */
  mayWait(): boolean {
    try {
      Atomics.wait(this.#words, this.thread, 0, 0); // does not wait, because the place is taken
      return true;
    } catch {
      return false;
    }
  }
}
