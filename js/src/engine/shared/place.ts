// A thread's place in shared memory: its stack and its variables, which no other thread may touch.
// Invariant: a place has at most one holder. Before each step, a thread checks that it still holds its place; so once
// the place is reclaimed, the thread finishes the step that it is in and never touches the place again. The place is free
// for others once the thread has confirmed that, has surely ended, or has been silent for longer than any step.
import { disposedError } from '../../errors.js';
import { sharedMemoryError } from './shared-errors.js';

/** How long a reclaimed place stays reserved, unless its thread gives it up or is known to have ended. Longer than any step. */
const MILLISECONDS = 10_000;
const LOOK = 100;
/** A look counts for at most this, because between two looks the whole process may have been suspended. */
const MOST_PER_LOOK = 1000;

// The word of a place is 0 if the place is free, the number of the thread that holds it, or minus that number while it
// is being reclaimed. A memory gives each number out once. A second word says which thread of Node that is; 0 elsewhere.

export const PLACE_WORDS = 2;

export class Place {
  readonly #words: Int32Array;
  readonly #nodeThreads: Int32Array;
  /** Which of the places it is. */
  readonly index: number;
  /** The number of the thread that holds it. */
  readonly thread: number;
  #isReleased = false;

  private constructor(words: Int32Array, nodeThreads: Int32Array, index: number, thread: number) {
    this.#words = words;
    this.#nodeThreads = nodeThreads;
    this.index = index;
    this.thread = thread;
    Atomics.store(nodeThreads, index, nodeThread());
  }

  /** Takes a free place for the thread with this number; `all` are the words of all places. Throws SharedMemoryError if there is none. */
  static take(all: Int32Array, thread: number): Place {
    const count = all.length / PLACE_WORDS;
    const words = all.subarray(0, count);
    const index = words.findIndex((_, i) => Atomics.compareExchange(words, i, 0, thread) === 0);
    if (index < 0) throw sharedMemoryError('too-many-threads', count);
    return new Place(words, all.subarray(count), index, thread);
  }

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
    const hasEnded = (): boolean => ended.has(Atomics.load(this.#nodeThreads, index));
    for (let silent = 0; silent < MILLISECONDS && Atomics.load(words, index) === -thread && !hasEnded();) {
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

/** The threads of Node that this one has started, since it has a filter, and has seen end. */
const ended = new Set<number>();

let ownNodeThread: number | undefined;

/** The number that Node gives this thread, and never again; 0 elsewhere. From now on, notes which threads end. */
function nodeThread(): number {
  if (ownNodeThread !== undefined) return ownNodeThread;
  const { process } = globalThis as { process?: NodeProcess };
  const node = process?.getBuiltinModule?.('node:worker_threads'); // From Node 20.16 on.
  if (node !== undefined)
    process?.on?.('worker', (worker) => {
      const { threadId } = worker; // Later it is -1.
      worker.once('exit', () => ended.add(threadId));
    });
  return (ownNodeThread = node?.threadId ?? 0);
}

interface NodeProcess {
  getBuiltinModule?(name: string): { readonly threadId: number } | undefined;
  on?(event: 'worker', listener: (worker: NodeWorker) => void): unknown;
}
interface NodeWorker {
  readonly threadId: number;
  once(event: 'exit', listener: () => void): unknown;
}
