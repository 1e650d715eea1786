// Lets the engine's garbage collector see how much WebAssembly memory is in use: to the engine, a filter is a small
// object whatever its table takes, so it would collect too few of those that a program forgets.
// Invariant: nothing reads or writes a weight, so that it takes addresses but no memory.

/**
 * The bytes that the engine may know too few or too many of. Buffers of more than 32 MiB are pages that nothing has
 * touched; allocators may clear smaller ones, which takes memory and time.
 */
const STEP = 33 * 2 ** 20;

interface Weight {
  readonly bytes: number;
  /** Undefined if the engine refused it. Asking again for every filter would take long. */
  readonly buffer: ArrayBuffer | undefined;
}

export class Weights {
  readonly #weights: Weight[] = [];
  #told = 0;

  /** Tells the engine that `used` bytes are in use now. To be called after each filter that was made. */
  update(used: number): void {
    while (this.#told > used + STEP) this.#told -= (this.#weights.pop() as Weight).bytes;
    const bytes = used - this.#told;
    if (bytes < STEP) return;
    this.#weights.push({ bytes, buffer: bufferOf(bytes) });
    this.#told = used;
  }
}

function bufferOf(bytes: number): ArrayBuffer | undefined {
  try {
    return new ArrayBuffer(bytes);
  } catch {
    return undefined;
  }
}
